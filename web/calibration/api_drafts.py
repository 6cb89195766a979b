"""Decks made from photographs: begun, read, put right, finished."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, cast

from flask import Blueprint, Response, current_app, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field

from calibration.enrol.editing import EditedDeck
from calibration.enrol.folder import PARTS
from referee.decks import Game, Strand
from referee.errors import DeckError
from referee.validation import Name, Value
from web import context
from web.api.events import EVENT, EVENT_STREAM, stream
from web.calibration.drafts import Drafts
from web.calibration.publishing import publish
from web.calibration.views import draft_view
from web.calibration.work import Enroller, Job
from web.errors import ApiError
from web.language import language
from web.openapi import operation
from web.requests import body, whole
from web.schemas import DRAFT, STRING, record
from web.tables.service import get_photo

blueprint = Blueprint("drafts", __name__, url_prefix="/api/drafts")

MOST_PHOTOS = 40
"""Photographs that are read in one go."""

_COUNT = Field(ge=1, le=10_000)
_SMALL = Field(ge=0, le=10_000)
_CARD = Field(ge=1, le=10_000)
Count = Annotated[int, whole(_COUNT), _COUNT]
Small = Annotated[int, whole(_SMALL), _SMALL]
CardNumber = Annotated[int, whole(_CARD), _CARD]
Millimetres = Annotated[float, Field(ge=10, le=300)]


class NewDraft(Value):
    """Of a game; or deck: the key of a deck of one's own, to be added to or put right."""

    game: Game | None = None
    name: Name | None = None
    card_mm: tuple[Millimetres, Millimetres] | None = None
    deck: Name | None = None


class Photos(Value):
    """Kept photographs of cards. face: they show this face and no other, and become its picture."""

    photos: Annotated[list[Name], Field(min_length=1, max_length=MOST_PHOTOS)]
    face: Name | None = None


class Renamed(Value):
    """What the deck is called."""

    name: Name


class FaceChange(Value):
    """What a face shows; fields that are left out stay. With nothing, that it is read right."""

    kind: Name | None = None
    count: Count | None = None
    arrows: list[Name] | None = None
    points: Small | None = None
    strands: list[Strand] | None = None
    walls: list[Name] | None = None
    toys: Small | None = None
    player: Name | None = None
    asleep: bool | None = None


class Merge(Value):
    """Faces that are one; the first one's features stay."""

    faces: Annotated[list[Name], Field(min_length=2, max_length=200)]


class Split(Value):
    """Numbers, from 1, of the cards of a face that show another one."""

    cards: Annotated[list[CardNumber], Field(min_length=1, max_length=500)]


def drafts() -> Drafts:
    """The drafts of this service."""
    return cast(Drafts, current_app.extensions["referee_drafts"])


def enroller() -> Enroller:
    """Who reads photographs of cards."""
    return cast(Enroller, current_app.extensions["referee_enroller"])


@blueprint.post("")
@operation(
    "Begin a deck from photographs",
    DRAFT,
    request=NewDraft,
    status=201,
    errors=(404, 422),
    provides={"draft": "$response.body#/id"},
)
def begin() -> ResponseReturnValue:
    """Empty, or with the cards of a deck of one's own."""
    asked = body(NewDraft)
    if asked.deck is not None:
        if asked.deck in set(Game):
            raise ApiError(422, "deck-built-in")
        deck = context.shelf().deck(asked.deck)
        if deck.folder is None:
            raise ApiError(404, "unknown-deck", deck=asked.deck)
        state = drafts().make_from(asked.deck, deck.folder, deck.name, deck.game)
    elif asked.game is None:
        raise ApiError(422, "no-game")
    else:
        state = drafts().make(asked.game, asked.name or "", asked.card_mm)
    return jsonify(draft_view(drafts(), state["id"])), 201


@blueprint.get("/<draft>")
@operation("A deck that is being made", DRAFT, errors=(404,))
def show(draft: str) -> ResponseReturnValue:
    """Its faces, the usual composition, and how far the reading is."""
    return jsonify(draft_view(drafts(), draft))


@blueprint.get("/<draft>/events")
@operation("How far a deck is, as it changes", EVENT, errors=(404, 503), media=EVENT_STREAM)
def events(draft: str) -> ResponseReturnValue:
    """Events `changed` with the revision. Without `Accept: text/event-stream` only the first is sent."""
    known = drafts()

    def look(_session: object) -> dict[str, Any] | None:
        try:
            state = known.state(draft)
        except ApiError:
            return None
        return {"revision": state["revision"], "stage": state["stage"], "done": state["done"], "of": state["of"]}

    return stream(look, "unknown-draft")


@blueprint.patch("/<draft>")
@operation("Give the deck a name", DRAFT, request=Renamed, errors=(404, 409, 422))
def rename(draft: str) -> ResponseReturnValue:
    """Before and after cards are read."""
    asked = body(Renamed)
    if drafts().deck(draft) is None:
        with drafts().changing(draft) as state:
            state["name"] = asked.name
    else:
        with _editing(draft) as deck:
            deck.rename(asked.name)
    return jsonify(draft_view(drafts(), draft))


@blueprint.delete("/<draft>")
@operation("Throw away a deck that is being made", None, status=204, errors=(404,))
def delete(draft: str) -> ResponseReturnValue:
    """A reading of its cards ends. A finished deck that was made of it stays."""
    drafts().delete(draft)
    return "", 204


@blueprint.post("/<draft>/photos")
@operation("Read photographs of cards", DRAFT, request=Photos, status=202, errors=(404, 409, 422, 503))
def read(draft: str) -> ResponseReturnValue:
    """It takes seconds a photograph: follow the events."""
    asked = body(Photos)
    drafts().state(draft)
    with context.database().reading() as session:
        for photo in asked.photos:
            get_photo(session, photo)
    if asked.face is not None:
        deck = drafts().deck(draft)
        if deck is None:
            raise ApiError(409, "draft-empty")
        deck.face(asked.face)
    enroller().start(Job(draft, tuple(asked.photos), asked.face, language()))
    return jsonify(draft_view(drafts(), draft)), 202


@blueprint.delete("/<draft>/photos")
@operation("Stop reading photographs of cards", DRAFT, errors=(404,))
def stop(draft: str) -> ResponseReturnValue:
    """What was read before stays."""
    enroller().stop(draft)
    return jsonify(draft_view(drafts(), draft))


@blueprint.patch("/<draft>/faces/<face>")
@operation("Say what a face shows", DRAFT, request=FaceChange, errors=(404, 409, 422))
def correct(draft: str, face: str) -> ResponseReturnValue:
    """With an empty object: that it is read right."""
    asked = body(FaceChange)
    with _editing(draft) as deck:
        deck.correct(face, **asked.model_dump(mode="json", exclude_none=True))
    return jsonify(draft_view(drafts(), draft))


@blueprint.post("/<draft>/confirm")
@operation("Say that all faces are read right", DRAFT, errors=(404, 409, 422))
def confirm(draft: str) -> ResponseReturnValue:
    """Nobody needs to look at them any more."""
    with _editing(draft) as deck:
        deck.confirm()
    return jsonify(draft_view(drafts(), draft))


@blueprint.delete("/<draft>/faces/<face>")
@operation("Take a face out of the deck", DRAFT, errors=(404, 409, 422))
def remove(draft: str, face: str) -> ResponseReturnValue:
    """With all its cards."""
    with _editing(draft) as deck:
        deck.delete(face)
    return jsonify(draft_view(drafts(), draft))


@blueprint.post("/<draft>/faces/<face>/split")
@operation("Some cards of a face show another one", DRAFT, request=Split, errors=(404, 409, 422))
def split(draft: str, face: str) -> ResponseReturnValue:
    """They become a face of their own, to be looked at."""
    asked = body(Split)
    with _editing(draft) as deck:
        deck.split(face, asked.cards)
    return jsonify(draft_view(drafts(), draft))


@blueprint.post("/<draft>/merge")
@operation("Several faces are one", DRAFT, request=Merge, errors=(404, 409, 422))
def merge(draft: str) -> ResponseReturnValue:
    """Their cards are counted together."""
    asked = body(Merge)
    with _editing(draft) as deck:
        deck.merge(asked.faces)
    return jsonify(draft_view(drafts(), draft))


@blueprint.post("/<draft>/deck")
@operation("Finish the deck", record({"deck": STRING}), status=201, errors=(404, 409, 422))
def finish(draft: str) -> ResponseReturnValue:
    """It can be played with at once. Faces that nobody looked at leave verdicts that rest on them undetermined."""
    key = publish(drafts(), draft, context.shelf(), context.database())
    return jsonify(deck=key), 201


@contextmanager
def _editing(draft: str) -> Iterator[EditedDeck]:
    """As `Drafts.editing`, what a deck cannot be told as an error of the request."""
    try:
        with drafts().editing(draft) as deck:
            yield deck
    except DeckError as error:
        raise ApiError(422, "bad-face", reason=error.message.partition(": ")[2]) from None


@blueprint.get("/<draft>/pictures/<part>/<name>.png")
@operation("A picture of a deck that is being made", STRING, errors=(404,), media="image/png")
def picture(draft: str, part: str, name: str) -> ResponseReturnValue:
    """Of a face, or of a card that it was made of; its address changes with it."""
    folder = drafts().folder(draft) / "deck"
    path = folder / part / f"{name}.png"
    if part not in PARTS or not re.fullmatch(r"[\w+.-]+", name) or not path.is_file():
        raise ApiError(404, "http-404")
    return Response(path.read_bytes(), mimetype="image/png", headers={"Cache-Control": "private, max-age=3600"})
