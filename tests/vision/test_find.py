"""Cards found on drawn tables whose truth is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels
from referee.vision.find import find_cards

WIDTH, HEIGHT = 720, 540


def cloth(seed: int = 1) -> Pixels:
    """A green cloth with some grain."""
    noise = np.random.default_rng(seed).normal(0, 5, (HEIGHT, WIDTH, 1))
    return np.asarray(np.clip(np.array([70, 110, 60]) + noise, 0, 255), dtype=np.uint8)


def quad(x: float, y: float, width: float, height: float, degrees: float = 0.0) -> Doubles:
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    turn = np.deg2rad(degrees)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + [x, y])


def lay(image: Pixels, corners: Doubles, colour: tuple[int, int, int] = (225, 235, 240)) -> None:
    """Draw a card with a dark rim and a mark."""
    points = np.round(corners * 16).astype(np.int32)
    cv2.fillConvexPoly(image, points, colour, cv2.LINE_AA, 4)
    cv2.polylines(image, [points], True, (60, 60, 60), 1, cv2.LINE_AA, 4)
    middle = corners.mean(axis=0)
    cv2.circle(image, (int(middle[0]), int(middle[1])), int(np.ptp(corners[:, 0]) / 6), (40, 60, 200), -1, cv2.LINE_AA)


def missed_and_false(image: Pixels, truth: list[Doubles], aspect: float, tolerance: float = 0.03) -> tuple[int, int]:
    """Cards without a find within `tolerance` of a side at every corner, and finds that are no card."""
    found = [card.corners for card in find_cards(image, aspect)]
    near: NDArray[np.bool_] = np.zeros((len(truth), len(found)), dtype=bool)
    for i, card in enumerate(truth):
        side = np.hypot(*(card[1] - card[0]))
        for j, other in enumerate(found):
            off = min(float(np.abs(np.roll(other, k, axis=0) - card).max()) for k in range(4))
            near[i, j] = off < tolerance * side
    return int((~near.any(axis=1)).sum()) if len(truth) else 0, int((~near.any(axis=0)).sum()) if found else 0


def test_separate_cards_turned_any_way() -> None:
    image = cloth()
    truth = [
        quad(130, 140, 90, 126, 8),
        quad(340, 150, 90, 126, -20),
        quad(560, 180, 90, 126, 95),
        quad(300, 400, 90, 126),
    ]
    for card in truth:
        lay(image, card)
    assert missed_and_false(image, truth, 1.4) == (0, 0)


def test_touching_squares_with_a_hole_between_them() -> None:
    image = cloth()
    places = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2), (3, 2)]
    truth = [quad(150 + 101 * x, 150 + 101 * y, 100, 100) for x, y in places]
    for card in truth:
        lay(image, card)
    assert missed_and_false(image, truth, 1.0) == (0, 0)


def test_a_tilted_view() -> None:
    image = cloth()
    truth = [quad(150 + 140 * x, 150 + 120 * y, 84, 84, 7 * x) for x in range(4) for y in range(3)]
    for card in truth:
        lay(image, card)
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    tilt = cv2.getPerspectiveTransform(corners, np.array([[90, 40], [630, 40], [720, 540], [0, 540]], np.float32))
    seen = cv2.warpPerspective(image, tilt, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
    seen_truth = [cv2.perspectiveTransform(card[None].astype(np.float32), tilt)[0].astype(np.float64) for card in truth]
    assert missed_and_false(np.asarray(seen, dtype=np.uint8), seen_truth, 1.0, 0.04) == (0, 0)


def test_a_book_of_another_shape_is_no_card() -> None:
    image = cloth()
    truth = [quad(120 + 130 * x, 120, 90, 126, 5 * x) for x in range(4)]
    for card in truth:
        lay(image, card)
    lay(image, quad(400, 390, 300, 210), (160, 120, 90))
    assert missed_and_false(image, truth, 1.4) == (0, 0)


def _tiles() -> Pixels:
    image = cloth()
    for at in range(60, WIDTH, 120):
        image[:, at - 2 : at + 2] = (40, 60, 35)
    for at in range(40, HEIGHT, 120):
        image[at - 2 : at + 2] = (40, 60, 35)
    return image


@pytest.mark.parametrize(
    "image", [cloth(), np.full((HEIGHT, WIDTH, 3), 90, np.uint8), _tiles()], ids=["cloth", "plain", "tiles"]
)
def test_a_table_without_cards(image: Pixels) -> None:
    assert find_cards(image, 1.0) == ()


def test_the_same_photo_gives_the_same_answer() -> None:
    image = cloth()
    lay(image, quad(300, 250, 120, 120, 12))
    first, second = find_cards(image, 1.0), find_cards(image.copy(), 1.0)
    assert len(first) == len(second) == 1
    assert first[0].corners.tolist() == second[0].corners.tolist()
    assert first[0].confidence == second[0].confidence
