"""The first page: choose the game, take a photograph."""

from __future__ import annotations

from flask import Blueprint

from referee.decks import Game
from web import context
from web.api.decks import deck_view
from web.pages.shell import page

blueprint = Blueprint("check_page", __name__)

SHOWN = 3
"""So many cards of a deck are fanned out to show what game it is."""


@blueprint.get("/")
def show() -> str:
    """Choose and go."""
    games = []
    for game in Game:
        decks = [{"key": key, "name": deck.name} for key, deck in context.shelf().of_game(game)]
        faces = [face for face in deck_view(game.value)["faces"] if face["picture"]]
        step = max(1, len(faces) // SHOWN)
        pictures = [face["picture"] for face in faces[::step][:SHOWN]]
        games.append({"id": game.value, "pictures": pictures, "decks": decks})
    return page("check.html", "check.js", {"games": games}, games=games)
