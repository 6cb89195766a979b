"""Decks and the pictures of their faces."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, url_for
from flask.typing import ResponseReturnValue

from referee.decks import Game
from referee.errors import DeckError
from web import context
from web.decks import described, face_picture, shown_name, words_of
from web.errors import ApiError
from web.language import messages, rules_messages
from web.openapi import operation
from web.schemas import DECK, STRING, listed, record

blueprint = Blueprint("decks", __name__, url_prefix="/api/decks")


@blueprint.get("")
@operation("The decks that can be played with", record({"decks": listed(DECK)}))
def all_decks() -> ResponseReturnValue:
    """Decks that cannot be used are left out."""
    found = []
    for key in context.shelf().keys():  # noqa: SIM118 - no dictionary
        try:
            found.append(deck_view(key))
        except DeckError:
            continue
    return jsonify(decks=found)


@blueprint.get("/<deck>")
@operation("A deck", DECK, errors=(404, 422))
def one_deck(deck: str) -> ResponseReturnValue:
    """Its faces, and where their pictures are."""
    return jsonify(deck_view(deck))


def deck_view(key: str) -> dict[str, Any]:
    """A deck as pages and programs see it."""
    deck = context.shelf().deck(key)
    words = words_of(deck, rules_messages(), messages())
    known = (deck.folder / "deck.json").stat().st_mtime_ns // 1_000_000 if deck.folder else 0  # it may be changed

    def picture_url(number: int) -> str:
        return url_for("decks.picture", deck=key, number=number, v=known)

    return {**described(key, deck, picture_url, words), "name": shown_name(key, deck, messages())}


def decks_of(game: Game) -> list[dict[str, str]]:
    """The decks of a game that a page offers: their keys, and what they are called there."""
    return [{"key": key, "name": shown_name(key, deck, messages())} for key, deck in context.shelf().of_game(game)]


@blueprint.get("/<deck>/faces/<int:number>.webp")
@operation("The picture of a face, upright", STRING, errors=(404, 422), media="image/webp")
def picture(deck: str, number: int) -> ResponseReturnValue:
    """By its place in the deck, from 0."""
    known = context.shelf().deck(deck)
    path = known.image_path(known.faces[number].id) if number < len(known.faces) else None
    if path is None or not path.is_file():
        raise ApiError(404, "http-404")
    data = face_picture(path, path.stat().st_mtime)
    return Response(data, mimetype="image/webp", headers={"Cache-Control": "public, max-age=86400"})
