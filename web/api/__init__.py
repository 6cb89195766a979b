"""The API: a blueprint an area. All pages use it too."""

from flask import Flask

from web.api import checking, decks, matches, photos, service, tables


def install(app: Flask) -> None:
    """Register every area."""
    for area in (service, checking, decks, photos, tables, matches):
        app.register_blueprint(area.blueprint)
