"""Cards flush in a grid, found by the outline of all of them, on drawn regions whose truth is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.align import Doubles, Pixels
from referee.vision.find import find_cards
from referee.vision.find_lattice import Lattice, lattices
from referee.vision.find_quads import edge_strength

SIZE = (760, 560)
SNAKE = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (3, 2), (4, 2), (4, 1), (1, 1)]


def seen(points: Doubles, tilt: float = 0.0, turn: float = 0.0) -> Doubles:
    """Where a phone's camera shows points (..., 2) of a table, in the middle of the picture; angles in radians."""
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = points[..., 0] * cos - points[..., 1] * sin, points[..., 0] * sin + points[..., 1] * cos
    depth = 1200 + y * np.sin(tilt)
    flat = np.stack([x, y * np.cos(tilt)], axis=-1) / depth[..., None] * 1200
    return np.asarray(flat + np.array(SIZE) / 2)


def cards(places: list[tuple[int, int]], wide: float, high: float) -> Doubles:
    """Corners (N, 4, 2) on the table of cards at places of a grid, in its middle."""
    at = np.array(places, dtype=np.float64) * [wide, high]
    at -= (at.min(axis=0) + at.max(axis=0)) / 2
    half = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    return np.asarray(at[:, None] + half)


def picture(corners: Doubles, seed: int = 3) -> tuple[Pixels, Pixels]:
    """Cards without frames, each of another shade with blots on it, and the mask of what is no table."""
    rng = np.random.default_rng(seed)
    image = np.full((SIZE[1], SIZE[0], 3), (70, 110, 60), np.float32)
    mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    for card in corners:
        cv2.fillConvexPoly(mask, np.round(card).astype(np.int32), 255)
        shade = np.array([190, 160, 210]) + rng.integers(-25, 26, 3)
        cv2.fillConvexPoly(image, np.round(card * 16).astype(np.int32), shade.tolist(), cv2.LINE_AA, 4)
        for _ in range(4):
            u, v = rng.uniform(0.25, 0.75, 2)
            spot = card[0] + (card[1] - card[0]) * u + (card[3] - card[0]) * v
            colour = rng.integers(20, 200, 3).tolist()
            cv2.circle(image, (int(spot[0]), int(spot[1])), 9, colour, -1, cv2.LINE_AA)
    image += rng.normal(0, 3, image.shape).astype(np.float32)
    return np.clip(image, 0, 255).astype(np.uint8), mask


def found_in(image: Pixels, mask: Pixels, aspect: float) -> list[Lattice]:
    return lattices([(mask, mask)], edge_strength(image), aspect, 15.0)


def missed(truth: Doubles, cells: Doubles, tolerance: float = 0.06) -> int:
    """Cards without a cell whose every corner is within `tolerance` of a side."""
    count = 0
    for card in truth:
        side = np.hypot(*(card[1] - card[0]))
        off = [np.abs(np.roll(cells, k, axis=1) - card).max(axis=(1, 2)).min() for k in range(4)]
        count += min(off) > tolerance * side
    return count


@pytest.mark.parametrize("tilt", [0.0, 0.5])
@pytest.mark.parametrize("turn", [0.0, 0.4, 1.2])
@pytest.mark.parametrize("shape", [(80.0, 80.0), (66.0, 92.0), (92.0, 66.0)])
def test_a_snake_of_cards_without_frames(shape: tuple[float, float], turn: float, tilt: float) -> None:
    truth = seen(cards(SNAKE, *shape), tilt, turn)
    lattice = found_in(*picture(truth), max(shape) / min(shape))[0]
    assert len(lattice.cells) == len(truth)
    assert missed(truth, lattice.cells) == 0


def test_cards_of_another_shape_are_no_lattice_of_these() -> None:
    truth = seen(cards(SNAKE, 60, 100))
    assert not any(len(lattice.cells) == len(truth) for lattice in found_in(*picture(truth), 1.0))


def test_a_blob_is_no_lattice() -> None:
    image, mask = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8), np.zeros((SIZE[1], SIZE[0]), np.uint8)
    for canvas, colour in ((image, (200, 180, 210)), (mask, 255)):
        cv2.ellipse(canvas, (380, 280), (230, 140), 25, 0, 360, colour, -1)
    assert found_in(image, mask, 1.0) == []


def test_separate_cards_are_no_lattice_though_their_gaps_were_closed() -> None:
    truth = seen(cards(SNAKE, 80, 80))
    middle = truth.mean(axis=1, keepdims=True)
    image, raw = picture(middle + (truth - middle) * 0.9)
    closed = cv2.morphologyEx(raw, cv2.MORPH_CLOSE, np.ones((13, 13), np.uint8))
    assert lattices([(np.asarray(closed, dtype=np.uint8), raw)], edge_strength(image), 1.0, 15.0) == []


def test_one_card_is_not_four_though_its_picture_has_a_cross() -> None:
    card = seen(cards([(0, 0)], 320, 320), 0.0, 0.2)
    image, mask = picture(card)
    middle = card[0].mean(axis=0)
    for corner in card[0]:
        along = (corner + np.roll(card[0], -1, axis=0)[0]) / 2
        cv2.line(
            image, middle.astype(int).tolist(), (middle + 0.5 * (along - middle)).astype(int).tolist(), (0, 0, 0), 2
        )
    assert found_in(image, mask, 1.0) == []


def test_cards_up_to_the_rim_of_the_picture() -> None:
    truth = seen(
        cards([(x, y) for x in range(9) for y in range(5) if (x, y) not in ((4, 0), (4, 1), (6, 4))], 100, 100)
    )
    image, _ = picture(truth)
    inside = ((truth > 0) & (truth < np.array(SIZE))).all(axis=(1, 2))
    assert inside.sum() > 20
    found = np.array([card.corners for card in find_cards(image, 1.0)])
    assert missed(truth[inside], found) <= 3


def test_squared_paper_is_no_lattice_of_cards() -> None:
    image, _ = picture(np.empty((0, 4, 2)))
    page = seen(cards([(0, 0)], 440, 330), 0.2, 0.3)[0]
    cv2.fillConvexPoly(image, np.round(page * 16).astype(np.int32), (245, 248, 250), cv2.LINE_AA, 4)
    for share in np.linspace(0, 1, 12)[1:-1]:
        for a, b, c, d in ((0, 1, 3, 2), (0, 3, 1, 2)):
            ends = page[a] + (page[b] - page[a]) * share, page[c] + (page[d] - page[c]) * share
            cv2.line(image, ends[0].astype(int).tolist(), ends[1].astype(int).tolist(), (210, 170, 140), 1, cv2.LINE_AA)
    assert find_cards(image, 1.0) == ()
    assert find_cards(image, 4 / 3) == ()


def test_an_outline_of_many_steps_needs_little_of_its_seams() -> None:
    truth = seen(cards(SNAKE, 80, 80), 0.3, 0.2)
    image, mask = np.full((SIZE[1], SIZE[0], 3), (70, 110, 60), np.uint8), np.zeros((SIZE[1], SIZE[0]), np.uint8)
    for card in truth:
        cv2.fillConvexPoly(mask, np.round(card).astype(np.int32), 255)
        cv2.fillConvexPoly(image, np.round(card * 16).astype(np.int32), (190, 160, 210), cv2.LINE_AA, 4)
    for card in truth:
        cv2.polylines(image, [np.round(card * 16).astype(np.int32)], True, (184, 155, 203), 1, cv2.LINE_AA, 4)
    lattice = found_in(image, mask, 1.0)[0]
    assert lattice.seams < 0.45
    assert len(lattice.cells) == len(truth)
    assert missed(truth, lattice.cells) == 0


def test_a_pattern_all_over_the_table_is_no_cards() -> None:
    image = np.full((SIZE[1], SIZE[0], 3), (180, 200, 210), np.uint8)
    for place in cards([(x, y) for x in range(-5, 6) for y in range(-4, 5)], 92, 92):
        small = seen(place.mean(axis=0) + (place - place.mean(axis=0)) * 0.4, 0.0, np.pi / 4)
        cv2.fillConvexPoly(image, np.round(small * 16).astype(np.int32), (40, 40, 45), cv2.LINE_AA, 4)
        cv2.circle(image, small.mean(axis=0).astype(int).tolist(), 8, (200, 90, 220), -1, cv2.LINE_AA)
    assert find_cards(image, 1.0) == ()


def test_an_outline_speaks_for_the_coarsest_lattice_only() -> None:
    truth = seen(cards(SNAKE, 90, 90))
    image, mask = picture(truth)
    for card in truth:  # a cross on every card parts it into four
        middle = (card + np.roll(card, 1, axis=0)) / 2
        for one, two in ((0, 2), (1, 3)):
            ends = np.round(middle[[one, two]]).astype(np.int32)
            cv2.line(image, ends[0].tolist(), ends[1].tolist(), (150, 130, 170), 1, cv2.LINE_AA)
    best = found_in(image, mask, 1.0)[0]
    assert len(best.cells) == len(truth)
    assert not best.finer


def test_a_region_without_seams_is_no_lattice() -> None:
    truth = seen(cards(SNAKE, 90, 90))
    _, mask = picture(truth)
    image = np.full((SIZE[1], SIZE[0], 3), (70, 110, 60), np.uint8)
    image[mask > 0] = (200, 210, 220)
    assert found_in(image, mask, 1.0) == []
