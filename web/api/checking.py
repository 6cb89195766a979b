"""The referee for programs: a photograph or a layout in, the contract's answer out; nothing is kept."""

from __future__ import annotations

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from referee.decks import Deck, Game
from referee.errors import LayoutError
from referee.explain import explain
from referee.export import answer_of
from referee.games import judge
from referee.layouts import Layout, parse_layout
from referee.options import Options
from referee.pipeline import check_bytes
from web import context
from web.calibration.applied import MEASURED, held_of, measured_of, photo_of
from web.errors import ApiError
from web.language import rules_messages
from web.openapi import operation
from web.options import all_names, known_of, schemas
from web.photos import NAME
from web.requests import json_body, uploaded_photo
from web.schemas import ANSWER

blueprint = Blueprint("checking", __name__, url_prefix="/api")

FORM = {
    "type": "object",
    "required": ["photo"],
    "properties": {
        "photo": {"type": "string", "format": "binary", "description": "JPEG, PNG, WebP, HEIC, AVIF, TIFF or BMP"},
        "game": {"enum": [game.value for game in Game]},
        "deck": {"type": "string", "description": "the key or the name of a deck of /api/decks"},
        **MEASURED,
        **schemas(),
    },
}


@blueprint.post("/check")
@operation("Judge a photograph of a table", ANSWER, form=FORM, errors=(404, 422, 503))
def check() -> ResponseReturnValue:
    """The same answer as `python -m referee check --json` gives, `photo` being the name of the field."""
    data = uploaded_photo()
    deck = _deck(request.form.get("deck"), _game(request.form.get("game")))
    options = known_of(deck.game, {k: v for k, v in request.form.items() if k in all_names()})
    gate = context.gate()
    with gate.place(), gate.turn():
        profile = measured_of(data, photo_of(data, request.form), request.form)
        checked = check_bytes(data, NAME, deck, options, profile=profile, held=held_of(request.form))
    return jsonify(answer_of(checked, rules_messages()))


LAYOUT = {
    "type": "object",
    "required": ["game", "cards"],
    "properties": {
        **Layout.model_json_schema()["properties"],
        "options": {
            "type": ["object", "null"],
            "properties": schemas((True, False, None)),
            "additionalProperties": False,
        },
    },
    "$defs": Layout.model_json_schema()["$defs"],
}


def _inlined(schema: object, defs: dict[str, object]) -> object:
    """A schema without references, so that it can stand anywhere in the description."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inlined(defs[schema["$ref"].rpartition("/")[2]], defs)
        return {k: _inlined(v, defs) for k, v in schema.items() if k != "$defs"}
    if isinstance(schema, list):
        return [_inlined(entry, defs) for entry in schema]
    return schema


@blueprint.post("/judge")
@operation(
    "Judge a layout",
    ANSWER,
    request=_inlined(LAYOUT, LAYOUT["$defs"]),  # type: ignore[arg-type]
    errors=(422,),
)
def judge_layout() -> ResponseReturnValue:
    """The same answer as `python -m referee judge --json` gives. `deck` in the layout names the deck."""
    data = json_body()
    layout = parse_layout(data)
    given = data.get("options") if isinstance(data, dict) else None
    if given is not None and not isinstance(given, dict):
        raise ApiError(422, "bad-field", field="options", reason="must be an object")
    deck = _deck(layout.deck, layout.game)
    options: Options = known_of(deck.game, given or {})
    ruling = judge(layout, deck, options)
    sentences = explain(ruling, layout, deck, rules_messages())
    return jsonify(ruling.to_dict([sentence.text for sentence in sentences]))


def _game(name: str | None) -> Game | None:
    if name in (None, ""):
        return None
    try:
        return Game(str(name))
    except ValueError:
        raise ApiError(422, "unknown-game", game=name) from None


def _deck(name: str | None, game: Game | None) -> Deck:
    """The deck named, else the built-in one of the game; Cat and Mouse if nothing is said, as in the command."""
    shelf = context.shelf()
    if not name:
        return shelf.deck((game or Game.CAT_AND_MOUSE).value)
    deck = shelf.deck(shelf.find(name, game))
    if game is not None and deck.game is not game:
        raise LayoutError("wrong-game", f'the deck "{deck.name}" is of {deck.game}, not of {game}.')
    return deck
