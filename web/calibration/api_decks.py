"""Decks of one's own as files, tried out, and thrown away."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from calibration.archive import pack, unpack
from calibration.enrol.editing import EditedDeck
from calibration.practice import practise
from referee.decks import Game
from referee.errors import DeckError
from referee.vision.profile import in_file, put_right
from web import context
from web.api.photos import PHOTO_FIELD
from web.calibration.applied import MEASURED, measured_of, photo_of
from web.calibration.publishing import free_key, free_title, put_on_shelf
from web.errors import ApiError
from web.openapi import operation
from web.requests import uploaded_photo
from web.schemas import BOOLEAN, INTEGER, STRING, listed, record
from web.storage.models import Match, Table

blueprint = Blueprint("deck_files", __name__, url_prefix="/api/decks")

ARCHIVE_FORM = {
    "type": "object",
    "required": ["deck"],
    "properties": {"deck": {"type": "string", "format": "binary", "description": "a zip file, as it is exported"}},
}
PRACTICE_FORM = {"type": "object", "required": ["photo"], "properties": {"photo": PHOTO_FIELD, **MEASURED}}
PRACTICE = record(
    {
        "cards": listed({"type": "object"}),
        "read": INTEGER,
        "sure": INTEGER,
        "ready": BOOLEAN,
        "confused": listed({"type": "object"}),
    }
)


@blueprint.get("/<deck>/archive")
@operation("A deck as a zip file", STRING, errors=(404, 422), media="application/zip")
def export(deck: str) -> ResponseReturnValue:
    """`deck.json` and the pictures of the faces."""
    known = context.shelf().deck(deck)
    if known.folder is None:
        raise ApiError(404, "unknown-deck", deck=deck)
    headers = {"Content-Disposition": f'attachment; filename="{deck}.zip"'}
    return Response(pack(known.folder), mimetype="application/zip", headers=headers)


@blueprint.post("")
@operation("Keep a deck from a zip file", record({"deck": STRING}), form=ARCHIVE_FORM, status=201, errors=(422,))
def bring_in() -> ResponseReturnValue:
    """It can be played with at once. A deck of the same name stays beside it."""
    if request.mimetype != "multipart/form-data":
        raise ApiError(415, "not-multipart")
    file = request.files.get("deck")
    if file is None:
        raise ApiError(422, "zip-missing")
    shelf = context.shelf()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "deck"
        try:
            deck = unpack(file.read(), folder)
        except DeckError as error:
            raise ApiError(422, "zip-deck", reason=error.message.rpartition("deck.json: ")[2]) from None
        if deck.name != (title := free_title(deck.name, shelf)):
            _rename(folder, title)
        key = free_key(title, shelf)
        put_on_shelf(folder, shelf.folder / key)
    return jsonify(deck=key), 201


def _rename(folder: Path, title: str) -> None:
    with EditedDeck(folder) as deck:
        deck.rename(title)


@blueprint.delete("/<deck>")
@operation("Throw a deck of one's own away", None, status=204, errors=(404, 409, 422))
def delete(deck: str) -> ResponseReturnValue:
    """Not while tables or matches are kept that were played with it."""
    if deck in set(Game):
        raise ApiError(422, "deck-built-in")
    context.shelf().deck(deck)
    with context.database().reading() as session:
        if any(session.scalar(select(kind.id).where(kind.deck == deck).limit(1)) for kind in (Table, Match)):
            raise ApiError(409, "deck-in-use")
    shutil.rmtree(context.shelf().folder / deck)
    return "", 204


@blueprint.post("/<deck>/practice")
@operation("See how well a deck is recognised", PRACTICE, form=PRACTICE_FORM, errors=(404, 422, 503))
def practice(deck: str) -> ResponseReturnValue:
    """Of a photograph of some of its cards: each card, how sure it is, and what it might be otherwise."""
    data = uploaded_photo()
    known = context.shelf().deck(deck)
    gate = context.gate()
    with gate.place(), gate.turn():
        photo = photo_of(data, request.form)
        photo = put_right(photo, measured_of(data, photo, request.form))
        result = practise([photo], known)
    height, width = photo.pixels.shape[:2]
    scale = photo.scale
    cards: list[dict[str, Any]] = [
        {**card.to_dict(), "sure": sure, "corners": in_file(photo, card.corners).round(1).tolist()}
        for card, sure in result.found
    ]
    confused = [{"face": a, "for": b, "times": n} for a, b, n in result.confused]
    size = {"width": round(width / scale), "height": round(height / scale)}
    return jsonify(cards=cards, read=result.cards, sure=result.sure, ready=result.ready, confused=confused, **size)
