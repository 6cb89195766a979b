"""A table under the camera of whoever looks."""

from __future__ import annotations

from flask import Blueprint

from referee.decks import Game
from web.api.decks import decks_of
from web.pages.shell import page

blueprint = Blueprint("live_page", __name__)


@blueprint.get("/live")
def show() -> str:
    """Choose the game, open the camera."""
    games = [{"id": game.value, "decks": decks_of(game)} for game in Game]
    return page("live.html", "live.js", {"games": games}, games=games)
