"""The referee as a web service: pages for people, an API for programs, storage for matches.

`create_app` makes the Flask application; `python -m web` serves it.
"""

from web.application import create_app

__all__ = ["create_app"]
