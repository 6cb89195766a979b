"""What a photograph is read for, and what comes of it: a table, one of a round or turn, or a table read again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from referee.pipeline import CheckedPhoto
from referee.vision.read import Stopwatch
from web.calibration.known import Known
from web.decks import DeckShelf
from web.errors import ApiError
from web.matches import following
from web.matches.records import LoadedMatch
from web.matches.records import loaded as loaded_match
from web.options import options_of
from web.storage.database import Database
from web.storage.models import Entry, ReadingTask, Table
from web.tables.reading import Reading, read_photo, reading_of
from web.tables.service import get_photo, get_table, loaded, make_table, save_reading


@dataclass(frozen=True, slots=True)
class Task:
    """deck: its key. entry_id: the round or turn whose table it is. table_id: read again, as it was at `revision`."""

    photo_id: str
    deck: str
    options: dict[str, Any] = field(default_factory=dict)
    entry_id: str | None = None
    table_id: str | None = None
    revision: int | None = None

    @classmethod
    def of(cls, record: ReadingTask) -> Task:
        """As it was stored."""
        return cls(
            record.photo_id, record.deck, dict(record.options), record.entry_id, record.table_id, record.revision
        )


def read(task: Task, database: Database, shelf: DeckShelf, watch: Stopwatch | None = None) -> Reading:
    """Read the photograph of a task. Takes seconds, and no connection to the database meanwhile.

    A turn is looked at together with the tables before it, as `check --sequence` does. Raises ApiError and InputError.
    """
    deck = shelf.deck(task.deck)
    options = options_of(deck.game, task.options)
    with database.reading() as session:
        photo = get_photo(session, task.photo_id)
        data, measured = photo.data, photo.measured
    known = None if measured is None else Known.model_validate(measured)
    checked = read_photo(data, deck, options, watch, known)
    if task.entry_id is not None:
        with database.reading() as session:
            checked = _with_history(session, task.entry_id, shelf, checked)
    return reading_of(checked)


def _with_history(session: Session, entry_id: str, shelf: DeckShelf, checked: CheckedPhoto) -> CheckedPhoto:
    entry, match = open_entry(session, entry_id, shelf)
    return following.read_on(match, entry, checked)


def finish(session: Session, task: Task, reading: Reading, shelf: DeckShelf) -> Table:
    """Store what was read. Raises ApiError if what it was read for has gone or changed meanwhile."""
    get_photo(session, task.photo_id)  # it may have been forgotten meanwhile
    if task.table_id is not None:
        record = get_table(session, task.table_id)
        if record.revision != task.revision:
            raise ApiError(409, "changed-meanwhile")
        if record.entry is not None and record.entry.confirmed:
            raise ApiError(409, "confirmed-already")
        table = save_reading(loaded(record, shelf.deck(record.deck)), reading).record
    else:
        entry = None if task.entry_id is None else open_entry(session, task.entry_id, shelf)[0]
        deck = shelf.deck(task.deck)
        table = make_table(session, task.deck, deck, task.options, task.photo_id, reading, entry)
    if table.entry is not None:
        table.entry.match.revision += 1
        session.flush()
        session.refresh(table.entry, ["tables"])
    return table


def open_entry(session: Session, entry_id: str, shelf: DeckShelf) -> tuple[Entry, LoadedMatch]:
    """An entry that may still be changed. Raises ApiError (404, 409)."""
    entry = session.get(Entry, entry_id)
    if entry is None:
        raise ApiError(404, "unknown-entry")
    if entry.confirmed:
        raise ApiError(409, "confirmed-already")
    return entry, loaded_match(entry.match, shelf.deck(entry.match.deck))
