"""How the service is run: from options, else from environment variables `REFEREE_...`, else the defaults."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

MEGABYTE = 1_000_000

UPLOAD_LIMIT = 40 * MEGABYTE
"""Largest upload in bytes; the pages shrink photographs far below it before they send them."""


def default_data_folder() -> Path:
    """The user's own folder for application data."""
    base = os.environ.get("XDG_DATA_HOME") or (Path.home() / ".local" / "share")
    return Path(base) / "referee"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that an application must be told.

    data: folder for the database, reports and further decks. database: URL of SQLAlchemy; by default an SQLite file
    in `data`. keep_days: photographs are deleted after so many days. public_url: what other devices call this
    service, for links and QR codes; None if only this machine reaches it. readings: photographs read at a time, and
    `waiting` more may wait for their turn. streams: devices that are told at once of what changes. warm_up: load the
    built-in decks before the first photograph comes. camera: a camera at this machine, whose cards lie under it,
    and what was measured of it: a name, a file, or the lens of its name if nothing is said.
    """

    data: Path = field(default_factory=default_data_folder)
    database: str | None = None
    keep_days: int = 30
    public_url: str | None = None
    readings: int = 2
    waiting: int = 3
    streams: int = 24
    warm_up: bool = False
    camera: str | None = None
    camera_deck: str = "cat-and-mouse"
    camera_profile: str | None = None

    @property
    def database_url(self) -> str:
        """Where matches and photographs are stored."""
        return self.database or f"sqlite:///{(self.data / 'referee.sqlite3').as_posix()}"
