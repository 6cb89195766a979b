"""The photographs of the acceptance set: every card found, nothing wrong but certain, easy and everyday ones judged."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from referee.decks import load_deck
from referee.export import answer_of
from referee.messages import Messages
from referee.pipeline import check_file

ACCEPTANCE = Path(__file__).resolve().parent.parent.parent / "shared" / "acceptance"
PHOTOS = sorted((ACCEPTANCE / "photos").glob("cm-*.json"))
EASY_ENOUGH = 13
"""Of the 14 easy and everyday photographs so many must get their verdict."""

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.skipif(not PHOTOS, reason="the acceptance set is not beside the project"),
]


def middle(corners: list[list[float]]) -> tuple[float, float]:
    return sum(p[0] for p in corners) / 4, sum(p[1] for p in corners) / 4


def renamed(answer: dict[str, Any], truth: dict[str, Any]) -> dict[str, str]:
    """The truth's ids for the answer's: each card by the nearest middle, a third of a side at most."""
    names = {}
    for card in answer["cards"]:
        near = min(truth["cards"], key=lambda t: math.dist(middle(t["corners"]), middle(card["corners"])))
        side = math.dist(near["corners"][0], near["corners"][1])
        close = math.dist(middle(near["corners"]), middle(card["corners"])) < side / 3
        names[card["id"]] = near["id"] if close else "?" + card["id"]
    return names


def routes(verdict: dict[str, Any], names: dict[str, str]) -> object:
    told = {
        names.get(r["start"], r["start"]): ([names.get(i, i) for i in r["valid"]], r["points"], r["finished"])
        for r in verdict["routes"]
    }
    return told, {names.get(i, i) for i in verdict["returned"]}


def test_cat_and_mouse_photographs() -> None:
    right, wrong, found, cards = 0, [], 0, 0
    for file in PHOTOS:
        truth = json.loads(file.read_text(encoding="utf-8"))
        deck = load_deck(ACCEPTANCE / "decks" / truth["deck"])
        answer = answer_of(check_file(str(file.with_suffix(".jpg")), deck), Messages("en"))
        names = renamed(answer, truth)
        found += len({name for name in names.values() if not name.startswith("?")})
        cards += len(truth["cards"])
        if answer["outcome"] == "undetermined":
            assert answer["doubtful"], file.name
            continue
        agrees = answer["outcome"] == truth["outcome"] and routes(answer["verdict"], names) == routes(
            truth["verdict"], {}
        )
        if not agrees:
            wrong.append(file.name)
        elif truth["level"] != "hard":
            right += 1
    assert wrong == []
    assert found >= 0.99 * cards
    assert right >= EASY_ENOUGH
