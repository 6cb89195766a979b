"""Tables in the database: made from a photograph or empty, read again, left by people, judged for whoever looks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from referee.decks import Deck
from referee.options import Options
from web.errors import ApiError
from web.options import options_of
from web.storage.models import Entry, Photo, Table
from web.tables.judging import JudgedTable, judge_table
from web.tables.reading import Reading
from web.tables.state import State, carried_over, check_state, initial


@dataclass(frozen=True, slots=True, eq=False)
class LoadedTable:
    """A stored table with its values made of the stored JSON. content: all that its ruling depends on, but the deck."""

    record: Table
    deck: Deck
    options: Options
    reading: Reading | None
    state: State
    content: str

    def judged(self) -> JudgedTable:
        """What the referee says of it."""
        key = (self.content, self.deck)
        known = _judged.get(key)
        if known is None:
            known = judge_table(self.reading, self.state, self.deck, self.options)
            if len(_judged) >= KEPT_RULINGS:
                _judged.clear()
            _judged[key] = known
        return known


KEPT_RULINGS = 300
"""Rulings kept in the process, so that following a long match does not judge all of its tables again and again."""
_judged: dict[tuple[str, Deck], JudgedTable] = {}


def loaded(record: Table, deck: Deck) -> LoadedTable:
    """The values of a stored table."""
    content = [json.dumps(part) for part in (record.reading, record.state, record.options)]
    reading = None if record.reading is None else Reading.model_validate_json(content[0])
    state = State.model_validate_json(content[1])
    return LoadedTable(record, deck, options_of(deck.game, record.options), reading, state, "\n".join(content))


def get_table(session: Session, table_id: str) -> Table:
    """The table with this id. Raises ApiError (404)."""
    record = session.get(Table, table_id)
    if record is None:
        raise ApiError(404, "unknown-table")
    return record


def get_photo(session: Session, photo_id: str) -> Photo:
    """The photograph with this id. Raises ApiError (404): it may have been forgotten."""
    photo = session.get(Photo, photo_id)
    if photo is None:
        raise ApiError(404, "unknown-photo")
    return photo


def make_table(
    session: Session,
    deck_key: str,
    deck: Deck,
    options: dict[str, Any],
    photo_id: str | None = None,
    reading: Reading | None = None,
    entry: Entry | None = None,
    state: State | None = None,
) -> Table:
    """Store a new table; `state` for one that is laid by hand already."""
    record = Table(
        game=deck.game.value,
        deck=deck_key,
        options=options,
        photo_id=photo_id,
        entry_id=None if entry is None else entry.id,
        reading=None if reading is None else reading.model_dump(mode="json"),
        state=(state or initial(reading)).model_dump(mode="json", exclude_none=True),
    )
    session.add(record)
    session.flush()
    return record


def save_state(table: LoadedTable, revision: int, state: State, options: dict[str, Any] | None) -> LoadedTable:
    """Leave a table as somebody wants it. Raises ApiError (409) if somebody else was quicker, LayoutError if it
    cannot be judged."""
    record = table.record
    if record.revision != revision:
        raise ApiError(409, "changed-meanwhile")
    if record.entry is not None and record.entry.confirmed:
        raise ApiError(409, "confirmed-already")
    check_state(state, table.reading, table.deck)
    if options is not None:
        options_of(table.deck.game, options)
        record.options = options
    record.state = state.model_dump(mode="json", exclude_none=True)
    record.revision += 1
    return loaded(record, table.deck)


def save_reading(table: LoadedTable, fresh: Reading) -> LoadedTable:
    """Put a fresh reading of the same photograph in the place of the old one; what people corrected stays."""
    state = initial(fresh) if table.reading is None else carried_over(table.state, table.reading, fresh)
    record = table.record
    record.reading = fresh.model_dump(mode="json")
    record.state = state.model_dump(mode="json", exclude_none=True)
    record.revision += 1
    return loaded(record, table.deck)
