"""Outlines that are a little off are drawn onto their cards, whatever the light; hidden parts do not matter."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.vision.align import Aligner, Doubles, Pyramid, shared_area
from referee.vision.facebank import FaceBank, face_bank
from referee.vision.plane import card_corners

SIDE = 90.0
PLACES = np.array([[90.0, 80.0], [260.0, 90.0], [120.0, 240.0], [300.0, 260.0]])


@pytest.fixture(scope="module")
def bank() -> FaceBank:
    return face_bank(builtin_deck(Game.CAT_AND_MOUSE))


def outlines(off: Doubles | float = 0.0, turn: float = 0.0, size: float = 1.0) -> Doubles:
    """(4, 4, 2) squares at `PLACES`."""
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * SIDE * size
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + PLACES[:, None] + off)


def picture(bank: FaceBank, light: tuple[float, float, float]) -> Pyramid:
    """The first four faces on a grey table."""
    table = np.full((360, 420, 3), 110, np.uint8)
    frame = np.array([[0, 0], [192, 0], [192, 192], [0, 192]], np.float32)
    for source, outline in zip(bank.sources, outlines(turn=0.2), strict=False):
        warp = cv2.getPerspectiveTransform(frame, outline.astype(np.float32))
        small = cv2.GaussianBlur(source, (0, 0), 1.2)
        cv2.warpPerspective(small, warp, (420, 360), dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    return Pyramid.of(np.clip(table * np.array(light), 0, 255).astype(np.uint8))


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.4, 0.5, 0.6), (0.7, 0.9, 1.1)])
@pytest.mark.parametrize(("freedom", "size"), [("placed", 1.0), ("rigid", 1.05), ("affine", 0.95)])
def test_outlines_end_on_their_cards(
    bank: FaceBank, light: tuple[float, float, float], freedom: str, size: float
) -> None:
    started = outlines(np.array([4.0, -3.0]), turn=0.25, size=size)
    found = Aligner(bank).refine(picture(bank, light), started, np.arange(4), 32, 0.6, freedom, 12)
    assert np.abs(found - outlines(turn=0.2)).max() < 0.02 * SIDE


def test_faint_print_takes_no_more_steps_than_strong_print(bank: FaceBank) -> None:
    started, aligner = outlines(np.array([3.0, -2.0]), turn=0.23), Aligner(bank)
    off = [
        np.abs(
            aligner.refine(picture(bank, (k, k, k)), started, np.arange(4), 32, 0.6, "placed", 2) - outlines(turn=0.2)
        )
        for k in (1.0, 0.3)
    ]
    assert off[1].max() < 1.5 * off[0].max() + 0.2


def test_what_hides_a_part_does_not_pull_the_outline(bank: FaceBank) -> None:
    pyramid = picture(bank, (1.0, 1.0, 1.0))
    covered = pyramid.levels[0].copy()
    for x, y in PLACES.astype(int):
        covered[y : y + 60, x - 60 : x + 60] = (40, 200, 60)
    shows = np.ones((4, 32, 32), np.float32)
    shows[:, 11:] = 0
    started = outlines(np.array([3.0, -2.0]), turn=0.23)
    aligner = Aligner(bank)
    found = aligner.refine(Pyramid.of(covered), started, np.arange(4), 32, 0.6, "placed", 12, shows)
    assert np.abs(found - outlines(turn=0.2)).max() < 0.03 * SIDE
    blind = aligner.refine(Pyramid.of(covered), started, np.arange(4), 32, 0.6, "placed", 12)
    assert np.abs(blind - outlines(turn=0.2)).max() > 0.03 * SIDE, "else the mask would not be tested"


def test_cards_are_aligned_together_as_they_are_one_by_one(bank: FaceBank) -> None:
    pyramid, aligner = picture(bank, (0.7, 0.9, 1.1)), Aligner(bank)
    started = outlines(np.array([4.0, -3.0]), turn=0.25)
    started[1] = outlines(turn=0.2)[1]  # this one arrives long before the others
    together = aligner.refine(pyramid, started, np.arange(4), 16, 0.6, "affine", 8)
    for i in range(4):
        alone = aligner.refine(pyramid, started[i : i + 1], np.array([i]), 16, 0.6, "affine", 8)
        assert together[i] == pytest.approx(alone[0], abs=0.01)


SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("other", "wanted"),
    [
        (SQUARE, 1.0),
        (SQUARE[::-1], 1.0),
        (SQUARE + np.array([0.5, 0.25]), 0.375),
        (SQUARE + np.array([1.0, 1.0]), 0.0),
        (SQUARE + np.array([3.0, 0.0]), 0.0),
        (0.5 * SQUARE + [0.25, 0.25], 0.25),
        (3.0 * SQUARE - [1.0, 1.0], 1.0),
        (np.array([[0.5, -0.5], [1.5, 0.5], [0.5, 1.5], [-0.5, 0.5]]), 1.0),
        (np.array([[0.5, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 0.5]]), 0.5),
        (np.array([[0.5, -1.0], [2.0, 0.5], [0.5, 2.0]]), 0.5),
    ],
)
def test_the_area_that_two_outlines_share(other: Doubles, wanted: float) -> None:
    assert shared_area(SQUARE, other) == pytest.approx(wanted, abs=1e-9)
    assert shared_area(other, SQUARE) == pytest.approx(wanted, abs=1e-9)


def test_cards_that_touch_in_a_corner_share_nothing() -> None:
    """Two that `cv2.intersectConvexConvex` takes for nested."""
    poses = np.array([[-0.60230355, 0.96255055, -0.14956335], [0.23828807, -0.16089999, -1.72313757]])
    assert shared_area(*card_corners(poses, 1.0)) < 0.05
