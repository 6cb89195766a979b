"""Live tables: begun, frames handed in one at a time, what was announced."""

from __future__ import annotations

import time
from typing import Annotated, Any

from flask import Blueprint, jsonify, url_for
from flask.typing import ResponseReturnValue
from pydantic import Field, PositiveInt
from sqlalchemy.orm import Session

from referee.decks import Game
from referee.validation import Name, Value
from referee.vision.profile import Profile
from referee.vision.profile_files import suiting, to_data
from web import context
from web.api.tables import deck_asked_for
from web.calibration.applied import kept_profile, profiles_folder, right_picture
from web.errors import ApiError
from web.language import rules_messages
from web.live.looks import Looks
from web.live.session import LiveState, keep, see, state_of
from web.openapi import operation
from web.options import options_of
from web.requests import body, uploaded_photo
from web.schemas import LIVE
from web.storage.models import LiveTable
from web.tables.service import make_table

LOOKS = Looks()
blueprint = Blueprint("live", __name__, url_prefix="/api/live")

FORM = {
    "type": "object",
    "required": ["photo"],
    "properties": {"photo": {"type": "string", "format": "binary", "description": "a frame, JPEG"}},
}


class NewLive(Value):
    """As a new table: game or deck, and house rules; profile: what was measured of the fixed camera, by its name. If
    there is none: camera, size: the camera's name and its frames' width and height, by which its lens is looked up."""

    game: Game | None = None
    deck: Name | None = None
    options: dict[Name, str | bool] = Field(default_factory=dict)
    profile: Name | None = None
    camera: Annotated[str, Field(max_length=200)] = ""
    size: tuple[PositiveInt, PositiveInt] | None = None


@blueprint.post("")
@operation(
    "Begin a live table", LIVE, request=NewLive, status=201, errors=(404, 422), provides={"live": "$response.body#/id"}
)
def begin() -> ResponseReturnValue:
    """`table` is where its verdict appears; the wall can follow it."""
    asked = body(NewLive)
    key, deck = deck_asked_for(asked.game, asked.deck)
    options_of(deck.game, asked.options)
    measured = _measured(asked)
    begun = LiveState(profile=None if measured is None else to_data(measured)).model_dump(mode="json")
    with context.database().writing() as session:
        table = make_table(session, key, deck, dict(asked.options))
        record = LiveTable(table_id=table.id, state=begun, log=[], table=table)
        session.add(record)
        session.flush()
        return jsonify(_view(record, None)), 201


def _measured(asked: NewLive) -> Profile | None:
    if asked.profile is not None:
        return kept_profile(profiles_folder(), asked.profile)
    return None if asked.size is None else suiting(profiles_folder(), asked.camera, asked.size)


def get_live(session: Session, live_id: str) -> LiveTable:
    """The live table with this id. Raises ApiError (404)."""
    record = session.get(LiveTable, live_id)
    if record is None:
        raise ApiError(404, "unknown-table")
    return record


@blueprint.get("/<live>")
@operation("A live table", LIVE, errors=(404,))
def show(live: str) -> ResponseReturnValue:
    """Its log, the newest last."""
    with context.database().reading() as session:
        return jsonify(_view(get_live(session, live), None))


@blueprint.post("/<live>/frames")
@operation("Look at the next frame", LIVE, form=FORM, errors=(404, 422, 503))
def frame(live: str) -> ResponseReturnValue:
    """One at a time: the next when this one is answered. `moment` says what goes on in it."""
    data = uploaded_photo()
    with context.database().reading() as session:
        record = get_live(session, live)
        table = record.table
        deck = context.shelf().deck(table.deck)
        state = state_of(record, deck)
        options = options_of(deck.game, table.options)
    data = right_picture(data, state.measured)
    gate = context.gate()
    with gate.place(), gate.turn():
        seen = see(data, time.time(), state, deck, options, LOOKS.take(live))
    LOOKS.keep(live, seen.read)
    with context.database().writing() as session:
        record = get_live(session, live)
        keep(session, record, seen, data, context.settings().keep_days, rules_messages())
        return jsonify(_view(record, seen.moment.value, [list(map(list, o)) for o in seen.state.outlines]))


@blueprint.delete("/<live>")
@operation("End a live table", None, status=204, errors=(404,))
def end(live: str) -> ResponseReturnValue:
    """Its last verdict stays as a table; the pictures go when their time has come."""
    with context.database().writing() as session:
        session.delete(get_live(session, live))
    LOOKS.keep(live, None)
    return "", 204


def _view(record: LiveTable, moment: str | None, outlines: list[Any] | None = None) -> dict[str, Any]:
    photos = [{**line, "url": url_for("photos.show", photo=line["photo"])} for line in record.log[-20:]]
    return {
        "id": record.id,
        "table": record.table_id,
        "revision": record.table.revision,
        "moment": moment,
        "measured": (record.state.get("profile") or {}).get("kind"),
        "outlines": outlines or [],
        "log": photos,
    }
