"""Tables: read from a photograph or laid by hand, corrected, judged again at once."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.decks import Deck, Game
from referee.validation import Name, Value
from web import context, reports
from web.api.photos import photo_view
from web.errors import ApiError
from web.language import rules_messages
from web.live.session import last_move
from web.matches.records import loaded as loaded_match
from web.matches.view import move_in_steps
from web.openapi import operation
from web.options import choices, options_of
from web.readings.tasks import Task, finish, read
from web.requests import RevisionNumber, body
from web.schemas import STEP, STRING, TABLE, listed, record
from web.storage.models import LiveTable, Photo, Table
from web.tables.service import (
    LoadedTable,
    get_photo,
    get_table,
    loaded,
    make_table,
    save_state,
)
from web.tables.state import State
from web.tables.step import Move
from web.tables.steps import steps_of
from web.tables.view import table_view

blueprint = Blueprint("tables", __name__, url_prefix="/api/tables")

OptionValues = dict[Name, str | bool]


class NewTable(Value):
    """photo: a kept photograph to read; without it the table is empty, to be laid by hand."""

    game: Game | None = None
    deck: Name | None = None
    photo: Name | None = None
    options: OptionValues = Field(default_factory=dict)


class ChangedTable(Value):
    """How somebody leaves the table; `revision` as they found it."""

    revision: RevisionNumber
    state: State
    options: OptionValues | None = None


class Revision(Value):
    """The revision on which a request is founded."""

    revision: RevisionNumber


@blueprint.post("")
@operation(
    "Make a table",
    TABLE,
    request=NewTable,
    status=201,
    errors=(404, 422, 503),
    provides={"table": "$response.body#/id"},
)
def create() -> ResponseReturnValue:
    """Reads the photograph if one is named, which takes seconds."""
    asked = body(NewTable)
    key, deck = deck_asked_for(asked.game, asked.deck)
    options_of(deck.game, asked.options)
    if asked.photo is not None:
        return table_read(Task(asked.photo, key, dict(asked.options))), 201
    with context.database().writing() as session:
        record = make_table(session, key, deck, dict(asked.options))
        return jsonify(view_of(loaded(record, deck), None)), 201


def deck_asked_for(game: Game | None, name: str | None) -> tuple[str, Deck]:
    """The deck named, else the built-in one of the game. Raises ApiError (422)."""
    shelf = context.shelf()
    if name:
        key = shelf.find(name)
    elif game is not None:
        key = game.value
    else:
        raise ApiError(422, "no-game")
    return key, shelf.deck(key)


def table_read(task: Task) -> Response:
    """Read a photograph while the asker waits; answers with its table. Takes seconds."""
    gate = context.gate()
    with gate.place(), gate.turn():
        reading = read(task, context.database(), context.shelf())
    with context.database().writing() as session:
        record = finish(session, task, reading, context.shelf())
        view = view_of(loaded(record, context.shelf().deck(record.deck)), session.get(Photo, task.photo_id))
    return jsonify(view)


def view_of(table: LoadedTable, photo: Photo | None) -> dict[str, Any]:
    """A table as pages and programs see it."""
    record, messages = table.record, rules_messages()
    entry = record.entry
    return {
        "id": record.id,
        "revision": record.revision,
        "game": record.game,
        "deck": record.deck,
        "source": "hand" if table.reading is None else "photo",
        "photo": None if photo is None else photo_view(photo),
        "size": None if table.reading is None else [table.reading.width, table.reading.height],
        "card_mm": list(table.deck.card_mm),
        "corner_mm": table.deck.corner_mm,
        "options": record.options,
        "choices": choices(table.deck.game, messages),
        "match": None if entry is None else entry.match_id,
        "entry": None if entry is None else entry.id,
        "confirmed": entry is not None and entry.confirmed,
        "seconds": {} if table.reading is None else table.reading.seconds,
        **table_view(table.reading, table.state, table.judged(), messages),
    }


def load(session: Any, table_id: str) -> LoadedTable:
    """A stored table. Raises ApiError (404)."""
    record: Table = get_table(session, table_id)
    return loaded(record, context.shelf().deck(record.deck))


@blueprint.get("/<table>")
@operation("A table, judged", TABLE, errors=(404, 422))
def show(table: str) -> ResponseReturnValue:
    """As people left it."""
    with context.database().reading() as session:
        found = load(session, table)
        return jsonify(view_of(found, session.get(Photo, found.record.photo_id or "")))


@blueprint.put("/<table>")
@operation("Correct a table; it is judged again", TABLE, request=ChangedTable, errors=(404, 409, 422))
def change(table: str) -> ResponseReturnValue:
    """By rules only: nothing is read again. Any face of the deck may be given to any card."""
    asked = body(ChangedTable)
    with context.database().writing() as session:
        changed = save_state(load(session, table), asked.revision, asked.state, asked.options)
        if changed.record.entry is not None:
            changed.record.entry.match.revision += 1
        view = view_of(changed, session.get(Photo, changed.record.photo_id or ""))
    return jsonify(view)


@blueprint.post("/<table>/reading")
@operation("Read the photograph again", TABLE, request=Revision, errors=(404, 409, 422, 503))
def read_again(table: str) -> ResponseReturnValue:
    """What people corrected stays corrected."""
    asked = body(Revision)
    with context.database().reading() as session:
        record = get_table(session, table)
        if record.photo_id is None:
            raise ApiError(404, "unknown-photo")
        task = Task(record.photo_id, record.deck, dict(record.options), record.entry_id, table, asked.revision)
    return table_read(task)


@blueprint.delete("/<table>")
@operation("Delete a table and its photograph", None, status=204, errors=(404, 409))
def delete(table: str) -> ResponseReturnValue:
    """Not one that counts in a match: reopen its round first."""
    with context.database().writing() as session:
        record = get_table(session, table)
        if record.entry is not None and record.entry.confirmed:
            raise ApiError(409, "confirmed-already")
        photo = session.get(Photo, record.photo_id or "")
        if photo is not None:
            session.delete(photo)
            reports.forget(context.settings().data, photo.id)
        session.delete(record)
    return "", 204


@blueprint.post("/<table>/report")
@operation("Report a wrong reading", record({"report": STRING}), status=201, errors=(404, 422))
def report(table: str) -> ResponseReturnValue:
    """Saves the photograph, what was read and what people made of it on this machine, as a sample with truth."""
    with context.database().reading() as session:
        found = load(session, table)
        if found.reading is None or found.record.photo_id is None:
            raise ApiError(404, "unknown-photo")
        photo = get_photo(session, found.record.photo_id)
        name = reports.save(context.settings().data, found, photo)
    return jsonify(report=name), 201


@blueprint.get("/<table>/steps")
@operation("The verdict step by step", record({"steps": listed(STEP), "move": listed(STRING)}), errors=(404, 422))
def steps(table: str) -> ResponseReturnValue:
    """What lights up, where the arrow flies, where a card should have lain; for showing on a wall. Of a table that
    shows a move, the move, which `move` tells in sentences."""
    with context.database().reading() as session:
        found = load(session, table)
        move = _move_on(session, found)
        told = [] if move is None else move.sentences
        return jsonify(steps=steps_of(found.judged(), rules_messages(), move), move=told)


def _move_on(session: Session, table: LoadedTable) -> Move | None:
    """The move that a table shows, in a match or under a camera."""
    entry = table.record.entry
    if entry is not None:
        return move_in_steps(loaded_match(entry.match, table.deck), entry, rules_messages())
    live = session.scalar(select(LiveTable).where(LiveTable.table_id == table.record.id))
    return None if live is None else last_move(live, table.judged(), rules_messages())


@blueprint.get("/<table>/layout")
@operation("The table as a layout of the exchanged form", {"type": "object"}, errors=(404, 422))
def layout(table: str) -> ResponseReturnValue:
    """For `python -m referee judge` and `POST /api/judge`."""
    with context.database().reading() as session:
        found = load(session, table)
        exported = found.judged().layout.model_copy(update={"name": found.record.id})
    return jsonify(exported.to_dict())
