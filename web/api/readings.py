"""Photographs being read: begun, followed, cancelled, by whichever process is asked."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field
from sqlalchemy.orm import Session

from referee.decks import Game
from referee.validation import Name, Value
from web import context
from web.api.tables import deck_asked_for
from web.errors import ApiError
from web.language import language, messages
from web.openapi import operation
from web.options import options_of
from web.readings import runner
from web.readings.tasks import Task, open_entry
from web.requests import RevisionNumber, body
from web.schemas import READING
from web.storage.models import ReadingTask
from web.tables.service import get_photo, get_table

blueprint = Blueprint("readings", __name__, url_prefix="/api/readings")


class NewReading(Value):
    """photo: a kept photograph. entry: the round or turn of a match whose table it shows. table: to be read again, as
    it was at `revision`. With neither, game or deck (and options) say how a table of its own is made."""

    photo: Name | None = None
    game: Game | None = None
    deck: Name | None = None
    options: dict[Name, str | bool] = Field(default_factory=dict)
    entry: Name | None = None
    table: Name | None = None
    revision: RevisionNumber | None = None


@blueprint.post("")
@operation(
    "Begin to read a photograph",
    READING,
    request=NewReading,
    status=202,
    errors=(404, 409, 422, 503),
    provides={"reading": "$response.body#/id"},
)
def begin() -> ResponseReturnValue:
    """Follow it at its own address until it is done; its table is named there then."""
    asked = body(NewReading)
    with context.database().reading() as session:
        task = _task(session, asked)
        get_photo(session, task.photo_id)
    reading_id = context.runner().start(task, language())
    with context.database().reading() as session:
        return jsonify(_view(get_reading(session, reading_id))), 202


def _task(session: Session, asked: NewReading) -> Task:
    if asked.table is not None:
        record = get_table(session, asked.table)
        if record.photo_id is None:
            raise ApiError(404, "unknown-photo")
        if record.entry is not None and record.entry.confirmed:
            raise ApiError(409, "confirmed-already")
        revision = asked.revision or record.revision
        return Task(record.photo_id, record.deck, dict(record.options), record.entry_id, record.id, revision)
    if asked.photo is None:
        raise ApiError(422, "photo-missing")
    if asked.entry is not None:
        _, match = open_entry(session, asked.entry, context.shelf())
        return Task(asked.photo, match.record.deck, dict(match.record.options), asked.entry)
    key, deck = deck_asked_for(asked.game, asked.deck)
    options_of(deck.game, asked.options)
    return Task(asked.photo, key, dict(asked.options))


def get_reading(session: Session, reading_id: str) -> ReadingTask:
    """The reading with this id. Raises ApiError (404)."""
    record = session.get(ReadingTask, reading_id)
    if record is None:
        raise ApiError(404, "unknown-reading")
    return record


@blueprint.get("/<reading>")
@operation("How far a reading is", READING, errors=(404,))
def show(reading: str) -> ResponseReturnValue:
    """`stage` is what was done last; `done` is true at the end, whether or not there is a table."""
    with context.database().reading() as session:
        return jsonify(_view(get_reading(session, reading)))


@blueprint.delete("/<reading>")
@operation("Cancel a reading", None, status=204, errors=(404,))
def cancel(reading: str) -> ResponseReturnValue:
    """It ends where it is. One that is done stays, with its table."""
    with context.database().writing() as session:
        runner.cancel(get_reading(session, reading))
    return "", 204


def _view(record: ReadingTask) -> dict[str, Any]:
    lost = runner.is_lost(record)
    error = record.error
    if lost:
        error = {"code": "reading-lost", "message": messages().text("error.reading-lost")}
    return {
        "id": record.id,
        "photo": record.photo_id,
        "entry": record.entry_id,
        "stage": runner.FAILED if lost else record.stage,
        "stages": [runner.WAITING, runner.READING, *runner.STAGES],
        "done": lost or record.stage in runner.ENDED,
        "table": record.table_id if record.stage == runner.DONE else None,
        "error": error,
    }
