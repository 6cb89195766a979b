"""The application factory."""

from __future__ import annotations

import threading

from flask import Flask

from web import api, errors, language, pages, security
from web.calibration import blueprints
from web.decks import DeckShelf
from web.gate import ReadingGate, StreamGate
from web.readings.runner import Runner
from web.settings import MEGABYTE, UPLOAD_LIMIT, Settings
from web.storage.database import Database


def prepared_database(settings: Settings) -> Database:
    """The database, its schema brought up to date, and the data folder that holds it."""
    settings.data.mkdir(parents=True, exist_ok=True)
    database = Database(settings.database_url)
    database.upgrade()
    return database


def create_app(settings: Settings | None = None) -> Flask:
    """An application of its own, its database brought up to date. Nothing but caches is kept in the process."""
    settings = settings or Settings()
    app = Flask("web")
    app.config["MAX_CONTENT_LENGTH"] = UPLOAD_LIMIT + MEGABYTE // 10  # the form around the photo
    app.config["MAX_FORM_MEMORY_SIZE"] = 2 * MEGABYTE
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    database = prepared_database(settings)
    shelf = DeckShelf(settings.data / "decks")
    gate = ReadingGate(settings.readings, settings.waiting)
    app.extensions.update(
        referee_settings=settings,
        referee_database=database,
        referee_shelf=shelf,
        referee_gate=gate,
        referee_runner=Runner(database, shelf, gate),
        referee_streams=StreamGate(settings.streams),
    )
    security.install(app)
    language.install(app)
    errors.install(app)
    api.install(app)
    pages.install(app)
    blueprints.install(app, settings, database, gate)
    if settings.warm_up:
        threading.Thread(target=shelf.warm_up, name="warm-up", daemon=True).start()
    return app
