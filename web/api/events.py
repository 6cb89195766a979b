"""Server-sent events: who follows a match or a table is told at once that it has changed, and then asks for it.

A stream keeps a thread of the server, so there are only so many; who gets none asks every few seconds instead. A
stream ends after a while, and browsers open it again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from flask import Blueprint, Response, request, stream_with_context
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from web import context
from web.errors import ApiError
from web.openapi import operation
from web.schemas import STRING, record
from web.storage.database import Database
from web.storage.models import LiveTable, Match, Table

blueprint = Blueprint("events", __name__, url_prefix="/api")

EVENT_STREAM = "text/event-stream"
LOOK_EVERY = 0.3
"""Seconds between looks at the database."""
BEAT_EVERY = 10.0
"""Seconds after which something is sent in any case, so that a broken connection is noticed."""
LASTS = 300.0
"""Seconds until a stream ends; browsers open it again."""
RETRY_MS = 1000

EVENT = record({"data": STRING}, event={"enum": ["changed", "gone"]})
Look = Callable[[Session], Any]
"""What is to be told now; None if it is not there."""


@blueprint.get("/matches/<match>/events")
@operation("Changes of a match as they come", EVENT, errors=(404, 503), media=EVENT_STREAM)
def of_match(match: str) -> ResponseReturnValue:
    """Events `changed` with the revision. Without `Accept: text/event-stream` only the first is sent."""
    return stream(lambda session: _revision(session, Match, match), "unknown-match")


@blueprint.get("/tables/<table>/events")
@operation("Changes of a table as they come", EVENT, errors=(404, 503), media=EVENT_STREAM)
def of_table(table: str) -> ResponseReturnValue:
    """Events `changed` with the revision; under a camera also the moment (hand, moving, settling, steady). Without
    `Accept: text/event-stream` only the first is sent."""

    def look(session: Session) -> dict[str, Any] | None:
        told: dict[str, Any] | None = _revision(session, Table, table)
        moment = session.scalar(select(LiveTable.moment).where(LiveTable.table_id == table))
        return told if told is None or not moment else {**told, "moment": moment}

    return stream(look, "unknown-table")


def _revision(session: Session, kind: type[Match] | type[Table], key: str) -> dict[str, int] | None:
    found = session.scalar(select(kind.revision).where(kind.id == key))
    return None if found is None else {"revision": found}


def stream(look: Look, missing: str) -> Response:
    """A stream of what `look` gives, whenever that is something new. Raises ApiError (404, `missing`; 503)."""
    database = context.database()
    with database.reading() as session:
        first = look(session)
    if first is None:
        raise ApiError(404, missing)
    lasting = EVENT_STREAM in request.headers.get("Accept", "")
    if not lasting:
        return _response(iter([f"retry: {RETRY_MS}\n\n", _event(first)]))
    gate = context.streams()
    gate.enter()
    gone = request.environ.get("waitress.client_disconnected") or (lambda: False)
    response = _response(stream_with_context(_events(database, look, first, gone)))
    response.call_on_close(gate.leave)
    return response


def _response(chunks: Iterator[str]) -> Response:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(chunks, content_type=f"{EVENT_STREAM}; charset=utf-8", headers=headers)


def _event(told: Any, name: str = "changed") -> str:
    return f"event: {name}\ndata: {json.dumps(told, ensure_ascii=False)}\n\n"


def _events(database: Database, look: Look, first: Any, gone: Callable[[], bool]) -> Iterator[str]:
    yield f"retry: {RETRY_MS}\n\n"
    yield _event(first)
    known, beat, end = first, time.monotonic(), time.monotonic() + LASTS
    while time.monotonic() < end and not gone():
        time.sleep(LOOK_EVERY)
        with database.reading() as session:
            told = look(session)
        if told is None:
            yield _event({}, "gone")
            return
        if told != known:
            known, beat = told, time.monotonic()
            yield _event(told)
        elif time.monotonic() - beat > BEAT_EVERY:
            beat = time.monotonic()
            yield ": still here\n\n"
