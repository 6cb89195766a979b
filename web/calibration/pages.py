"""Pages: the decks, a deck made from photographs, tried out; cameras."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, url_for

from referee.decks import Game
from web import context
from web.api.decks import deck_view, decks_of
from web.calibration.api_drafts import drafts
from web.calibration.views import draft_view
from web.decks import shown_name
from web.language import messages
from web.pages.shell import page

blueprint = Blueprint("calibration_pages", __name__)


@blueprint.get("/decks")
def decks() -> str:
    """All decks: play, photograph cards, add to a deck, try it out, send it on."""
    found: list[dict[str, Any]] = []
    for game in Game:
        for key, deck in context.shelf().of_game(game):
            pictures = [face["picture"] for face in deck_view(key)["faces"] if face["picture"]]
            step = max(1, len(pictures) // 3)
            found.append(
                {
                    "key": key,
                    "name": shown_name(key, deck, messages()),
                    "game": game.value,
                    "cards": sum(face.count for face in deck.faces),
                    "faces": len(deck.faces),
                    "own": key not in set(Game),
                    "review": sum(face.needs_review for face in deck.faces),
                    "pictures": pictures[::step][:3],
                    "archive": url_for("deck_files.export", deck=key),
                }
            )
    games: list[dict[str, Any]] = [{"id": game.value, "decks": []} for game in Game]
    return page("decks.html", "decks.js", {}, decks=found, games=games)


@blueprint.get("/drafts/<draft>")
def draft(draft: str) -> str:
    """Photograph the cards, look through what was read, finish."""
    view = draft_view(drafts(), draft)
    return page("draft.html", "draft.js", {"draft": view}, draft=view)


@blueprint.get("/decks/<deck>/practice")
def practice(deck: str) -> str:
    """How well a few cards of it are recognised."""
    view = deck_view(deck)
    return page("practice.html", "practice.js", {"deck": view}, deck=view)


@blueprint.get("/cameras")
def cameras() -> str:
    """The lens, the table, the light."""
    games = [{"id": game.value, "decks": decks_of(game)} for game in Game]
    return page("cameras.html", "cameras.js", {"games": games}, games=games)
