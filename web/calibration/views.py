"""A draft as pages and programs see it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from flask import url_for

from calibration.enrol.editing import EditedDeck, composition
from referee.decks import Deck, Game, PathFace
from referee.features.strands import end_colours, ground_of
from web.calibration.drafts import AT_WORK, Drafts
from web.decks import group_of, words_of
from web.language import messages, rules_messages

SHOWN = ("id", "kind", "count", "arrows", "points", "strands", "walls", "toys", "player", "asleep")
MORE_COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "pink", "black", "white", "grey", "brown")
"""Players' colours that can be chosen besides those of the deck."""


def draft_view(drafts: Drafts, draft_id: str) -> dict[str, Any]:
    """The whole draft. Raises ApiError (404)."""
    state = drafts.state(draft_id)
    deck = drafts.deck(draft_id)
    if state["error"] and not state["error"]["message"]:
        state["error"]["message"] = messages().text("error.reading-lost")
    view = {key: state[key] for key in ("id", "revision", "game", "name", "stage", "done", "of", "error", "base")}
    view["at_work"] = state["stage"] in AT_WORK
    view["photos"] = [{**photo, "url": url_for("photos.show", photo=photo["id"])} for photo in state["photos"]]
    view["faces"] = [] if deck is None else faces_view(draft_id, deck)
    view["composition"] = [] if deck is None else composition(deck.game, deck.faces)
    view["alike"] = [] if deck is None else deck.content.get("alike", [])
    doubts = [] if deck is None else deck.content.get("doubts", [])
    view["doubts"] = [messages().text(f"error.{doubt}") for doubt in doubts]
    view["colours"] = [] if deck is None else colours_of(deck)
    view["card_mm"] = None if deck is None else deck.content["card_mm"]
    return view


def faces_view(draft_id: str, deck: EditedDeck) -> list[dict[str, Any]]:
    """Every face with what it shows, its pictures, and whether somebody should look at it."""
    words = words_of(deck.found, rules_messages(), messages())
    shown = []
    for entry in deck.faces:
        face = deck.found.face(entry["id"])
        copies = entry.get("copies", [])
        shown.append(
            {
                **{name: entry[name] for name in SHOWN if name in entry},
                "needs_review": bool(entry.get("needs_review")),
                "unsure": entry.get("unsure", []),
                "confidence": entry.get("confidence"),
                "count_guessed": bool(entry.get("count_guessed")),
                "group": group_of(face),
                "words": words(face),
                "picture": _picture(draft_id, entry.get("image")),
                "copies": [_picture(draft_id, name) for name in copies],
            }
        )
    return shown


def _picture(draft_id: str, name: str | None) -> str | None:
    if name is None:
        return None
    part, _, file = name.partition("/")
    return url_for("drafts.picture", draft=draft_id, part=part, name=file.removesuffix(".png"))


def colours_of(deck: EditedDeck) -> list[dict[str, Any]]:
    """The deck's colours: name, and how they look on its cards (`#rrggbb`), where that can be said."""
    if deck.game is Game.IF_IT_FITS:
        names = {entry["player"] for entry in deck.faces if "player" in entry}
        return [{"name": name, "look": None} for name in dict.fromkeys([*sorted(names), *MORE_COLOURS])]
    if deck.game is Game.CAT_AND_MOUSE:
        return []
    looks = _looks(deck.found, (deck.folder / "deck.json").stat().st_mtime)
    names = {colour for face in deck.found.faces if isinstance(face, PathFace) for colour in face.colour_at}
    return [{"name": name, "look": looks.get(name)} for name in sorted(names)]


@lru_cache(maxsize=16)
def _looks(deck: Deck, _changed: float) -> dict[str, str]:
    pictures, ends = [], []
    for face in deck.faces:
        path = deck.image_path(face.id)
        picture = None if path is None else cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is not None and isinstance(face, PathFace):
            pictures.append(np.asarray(picture, np.uint8))
            ends.append(face.colour_at)
    if not pictures:
        return {}
    ground = ground_of(pictures)
    seen: dict[str, list[Any]] = {}
    for picture, colours in zip(pictures, ends, strict=True):
        for name, lab in zip(colours, end_colours(picture, ground), strict=True):
            seen.setdefault(name, []).append(lab)
    looks = {}
    for name, labs in seen.items():
        lab = np.median(np.array(labs, np.float32), axis=0).reshape(1, 1, 3)
        blue, green, red = (np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)).ravel() * 255).clip(0, 255).astype(int)
        looks[name] = f"#{red:02x}{green:02x}{blue:02x}"
    return looks
