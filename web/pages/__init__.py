"""The pages: a blueprint an area. What they show they get from the API."""

from flask import Flask

from web.pages import about, checking, lessons, live, matches, offline, tables, wall


def install(app: Flask) -> None:
    """Register every area."""
    for area in (checking, tables, matches, wall, lessons, live, about, offline):
        app.register_blueprint(area.blueprint)
