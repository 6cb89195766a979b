"""What views find in the application they run in."""

from __future__ import annotations

from typing import cast

from flask import current_app

from web.decks import DeckShelf
from web.gate import ReadingGate, StreamGate
from web.readings.runner import Runner
from web.settings import Settings
from web.storage.database import Database


def settings() -> Settings:
    """How this service is run."""
    return cast(Settings, current_app.extensions["referee_settings"])


def database() -> Database:
    """Where matches and photographs are stored."""
    return cast(Database, current_app.extensions["referee_database"])


def shelf() -> DeckShelf:
    """The decks that can be played with."""
    return cast(DeckShelf, current_app.extensions["referee_shelf"])


def gate() -> ReadingGate:
    """Whose turn it is to have a photograph read."""
    return cast(ReadingGate, current_app.extensions["referee_gate"])


def runner() -> Runner:
    """Who reads photographs that somebody waits for."""
    return cast(Runner, current_app.extensions["referee_runner"])


def streams() -> StreamGate:
    """How many may follow a match or a table at a time."""
    return cast(StreamGate, current_app.extensions["referee_streams"])
