"""The API: a blueprint an area. All pages use it too."""

from flask import Flask

from web.api import checking, decks, events, lessons, live, matches, photos, quizzes, readings, service, tables


def install(app: Flask) -> None:
    """Register every area."""
    for area in (service, checking, decks, photos, readings, tables, matches, lessons, quizzes, live, events):
        app.register_blueprint(area.blueprint)
