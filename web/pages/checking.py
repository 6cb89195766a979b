"""The first page: choose the game, take a photograph."""

from __future__ import annotations

from flask import Blueprint

from referee.decks import Game
from web.api.decks import deck_view, decks_of
from web.pages.shell import page

blueprint = Blueprint("check_page", __name__)

SHOWN = 3
"""So many cards of a deck are fanned out to show what game it is."""


@blueprint.get("/")
def show() -> str:
    """Choose and go."""
    games = []
    for game in Game:
        faces = [face for face in deck_view(game.value)["faces"] if face["picture"]]
        step = max(1, len(faces) // SHOWN)
        pictures = [face["picture"] for face in faces[::step][:SHOWN]]
        games.append({"id": game.value, "pictures": pictures, "decks": decks_of(game)})
    return page("check.html", "check.js", {"games": games}, games=games)
