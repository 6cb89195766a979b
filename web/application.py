"""The application factory."""

from __future__ import annotations

import threading

from flask import Flask

from web import api, errors, language, pages, security
from web.decks import DeckShelf
from web.gate import ReadingGate
from web.settings import MEGABYTE, UPLOAD_LIMIT, Settings
from web.storage.database import Database


def create_app(settings: Settings | None = None) -> Flask:
    """An application of its own, its database brought up to date. Nothing but caches is kept in the process."""
    settings = settings or Settings()
    settings.data.mkdir(parents=True, exist_ok=True)
    app = Flask("web")
    app.config["MAX_CONTENT_LENGTH"] = UPLOAD_LIMIT + MEGABYTE // 10  # the form around the photo
    app.config["MAX_FORM_MEMORY_SIZE"] = 2 * MEGABYTE
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    database = Database(settings.database_url)
    database.upgrade()
    shelf = DeckShelf(settings.data / "decks")
    app.extensions.update(
        referee_settings=settings,
        referee_database=database,
        referee_shelf=shelf,
        referee_gate=ReadingGate(settings.readings, settings.waiting),
    )
    security.install(app)
    language.install(app)
    errors.install(app)
    api.install(app)
    pages.install(app)
    if settings.warm_up:
        threading.Thread(target=shelf.warm_up, name="warm-up", daemon=True).start()
    return app
