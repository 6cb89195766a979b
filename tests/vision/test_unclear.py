"""Beside known cards bare table is told from places where one may lie unread."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.align import Pyramid
from referee.vision.plane import fit_plane
from referee.vision.seen_table import SeenTable
from referee.vision.unclear import unclear_cells
from referee.vision.verify import Detections
from tests.vision.wooden_table import table_with_hand

ON_TABLE = np.zeros(4, dtype=bool)


def test_a_washed_out_place_says_nothing_though_there_are_many_like_it() -> None:
    """Ten cards that the lamp has taken look like each other, and so like the table."""
    pyramid, plane, cards = table_with_hand()
    photo = pyramid.levels[0].copy()
    beside = np.array([315.0, 420.0])
    for x, y in [beside, *([100.0 + 110 * k, 650.0] for k in range(9)), *([100.0 + 110 * k, 120.0] for k in range(7))]:
        cv2.rectangle(photo, (int(x) - 50, int(y) - 50), (int(x) + 50, int(y) + 50), (246, 247, 246), -1)
    washed = Pyramid.of(photo)
    unclear = plane.image(unclear_cells(washed, plane, cards, ON_TABLE, SeenTable.of(washed, plane, cards))[:, :2])
    assert np.hypot(*(unclear - beside).T).min() < 10


@pytest.mark.parametrize(("gap", "known"), [(32.0, True), (10.0, False)])
@pytest.mark.parametrize("side", ["left", "top"])
def test_a_strip_of_table_beside_a_card_tells_that_none_lies_beyond_the_picture(
    side: str, gap: float, known: bool
) -> None:
    """However the card's long sides lie; gap: pixels between card and edge, at 100 for the short side."""
    rng = np.random.default_rng(0)
    photo = np.clip(rng.normal(90, 6, (800, 1100, 3)), 0, 255).astype(np.uint8)
    corners = np.array([[0.0, 0], [100, 0], [100, 140], [0, 140]])
    first = np.array([gap, 300.0] if side == "left" else [300.0, gap])
    corners = corners + (first + np.array([[0.0, 0], [300, 200], [500, 300]]))[:, None]
    for quad in corners:
        cv2.fillConvexPoly(photo, quad.astype(np.int32), (240, 240, 240))
    fitted = fit_plane(corners, 1.4, (1100, 800))
    assert fitted is not None
    plane, ones = fitted[0], np.ones(3, np.float32)
    cards = Detections(corners, np.zeros(3, np.intp), ones, ones)
    pyramid = Pyramid.of(photo)
    cells = plane.image(unclear_cells(pyramid, plane, cards, ON_TABLE[:3], SeenTable.of(pyramid, plane, cards))[:, :2])
    beyond = (cells < 0).any(axis=1) & (np.hypot(*(cells - corners[0].mean(axis=0)).T) < 160)
    assert beyond.any() != known
