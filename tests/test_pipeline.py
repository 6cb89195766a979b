"""What becomes of readings: ids, millimetres, doubts; games that are not read from photographs yet."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.pipeline import CheckedPhoto, check, check_file
from referee.verdicts import Outcome
from referee.vision.decode import Photo

PHOTOS = Path(__file__).resolve().parent.parent / "samples" / "photos"
SAMPLE = PHOTOS / "cat-after-finish-cloth.jpg"


@pytest.fixture(scope="module")
def checked() -> CheckedPhoto:
    return check_file(str(SAMPLE), builtin_deck(Game.CAT_AND_MOUSE))


def test_every_card_is_found_where_it_lies(checked: CheckedPhoto) -> None:
    truth = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))
    assert len(checked.cards) == len(truth["cards"])
    for card in truth["cards"]:
        corners = np.array(card["corners"])
        side = float(np.linalg.norm(corners[1] - corners[0]))
        nearest = min(checked.cards, key=lambda seen: float(np.abs(seen.corners - corners).max()))
        assert float(np.abs(nearest.corners - corners).max()) < 0.05 * side, card["id"]
        assert nearest.face == card["face"]
        assert 0.5 < nearest.confidence <= 1


def test_the_table_is_in_millimetres(checked: CheckedPhoto) -> None:
    """Cards of a route lie about a card's side apart, whatever the camera's tilt."""
    width = checked.deck.card_mm[0]
    by_id = checked.layout.by_id
    verdict = checked.ruling.verdict
    assert verdict is not None
    for route in verdict.routes:  # type: ignore[union-attr]
        for a, b in zip((route.start, *route.valid), route.valid, strict=False):
            apart = math.dist((by_id[a].x, by_id[a].y), (by_id[b].x, by_id[b].y))
            assert 0.9 * width < apart < 1.3 * width


def test_ids_count_row_by_row_and_the_answer_is_the_same_again(checked: CheckedPhoto) -> None:
    assert sorted(card.id for card in checked.cards) == sorted(f"c{n}" for n in range(1, len(checked.cards) + 1))
    again = check_file(str(SAMPLE), checked.deck)
    assert [(c.id, c.face, c.corners.tolist()) for c in again.cards] == [
        (c.id, c.face, c.corners.tolist()) for c in checked.cards
    ]
    assert again.ruling == checked.ruling


@pytest.mark.parametrize(
    "name", ["cat-hand-over-card", "cat-cut-off-rug", "cat-both-arrows-lamp-glare", "cat-gap-evening"]
)
def test_what_is_hidden_is_never_certain(name: str) -> None:
    """A hand, the picture's edge, a lamp and a pile hide cards: the table cannot be judged from these pictures."""
    answer = check_file(str(PHOTOS / f"{name}.jpg"), builtin_deck(Game.CAT_AND_MOUSE))
    assert answer.ruling.outcome is Outcome.UNDETERMINED
    assert answer.ruling.doubtful


def test_nothing_to_see_is_never_valid() -> None:
    blank = Photo("blank.png", np.full((600, 800, 3), 120, np.uint8))
    assert check(blank, builtin_deck(Game.CAT_AND_MOUSE)).ruling.outcome is Outcome.UNDETERMINED


def test_boxes_under_cats_are_read() -> None:
    """Half of each box lies under a cat; all are found, and a cat across a wall is named."""
    truth = json.loads((PHOTOS / "boxes-cat-across-wall-window.json").read_text(encoding="utf-8"))
    answer = check_file(str(PHOTOS / "boxes-cat-across-wall-window.jpg"), builtin_deck(Game.IF_IT_FITS))
    assert sorted(card.face for card in answer.cards) == sorted(card["face"] for card in truth["cards"])
    assert answer.ruling.outcome is Outcome.INVALID
    assert answer.ruling.verdict is not None
    assert {fault.rule for fault in answer.ruling.verdict.faults} == {"cat-across-wall"}


def test_a_hidden_card_may_be_any_face() -> None:
    """Glare takes a path card's print: the verdict may depend on it, whichever face the deck names first."""
    answer = check_file(str(PHOTOS / "paths-mismatch-marble.jpg"), builtin_deck(Game.COLOURED_PATHS))
    assert answer.ruling.outcome is Outcome.UNDETERMINED
