"""What lies beside cards is told from the bare table by how unlike the table it looks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.align import Pyramid
from referee.vision.seen_table import (
    COVERED,
    PATCH,
    SeenTable,
    TableTexture,
    _measures,
    alike,
    own_strange_share,
    to_neighbour,
)
from referee.vision.surroundings import crowded, fading, longest_run
from referee.vision.verify import Detections
from tests.vision.wooden_table import table_with_hand


def test_a_hand_is_strange_and_the_table_is_not() -> None:
    pyramid, plane, cards = table_with_hand()
    texture = TableTexture.of(SeenTable.of(pyramid, plane, cards), PATCH)
    assert texture is not None
    rng = np.random.default_rng(1)
    bare = plane.table(np.column_stack([rng.uniform(100, 1000, 40), rng.uniform(620, 720, 40)]))
    hand, under, outside = plane.table(np.array([[850.0, 250], [420, 300], [-400, 300]]))
    assert (texture.strange(bare) == 0).all()
    assert texture.strange(hand[None])[0] == 1
    assert np.isnan(texture.strange(np.stack([under, outside]))).all()


def test_a_card_is_strange_and_a_place_that_was_taken_for_one_is_not() -> None:
    pyramid, plane, cards = table_with_hand()
    half = np.array([[-50.0, -50], [50, -50], [50, 50], [-50, 50]])
    corners = np.concatenate([cards.corners, [np.array([400.0, 650.0]) + half]])
    ones = np.ones(len(corners), np.float32)
    taken = Detections(corners, np.zeros(len(corners), np.intp), ones, ones)
    share = own_strange_share(plane, taken, Detections.none(), SeenTable.of(pyramid, plane, taken))
    assert (share[:4] > COVERED).all()
    assert share[4] < COVERED


@pytest.mark.parametrize("heap", [True, False])
def test_the_top_of_a_heap_shows_what_lies_under_it(heap: bool) -> None:
    """Of the card below only two slivers look out."""
    pyramid, plane, cards = table_with_hand()
    photo = pyramid.levels[0].copy()
    if heap:
        below = cv2.boxPoints(((690.0, 492.0), (100.0, 100.0), 35.0))
        cv2.fillConvexPoly(photo, below.astype(np.int32), (205, 215, 250))
        cv2.rectangle(photo, (650, 450), (750, 550), (240, 240, 240), -1)
    seen = SeenTable.of(Pyramid.of(photo), plane, cards)
    assert crowded(plane, cards, np.zeros(4, dtype=bool), seen).tolist() == [False, False, False, heap]


@pytest.mark.parametrize(
    ("ring", "longest"), [([1, 1, 0, 1, 0, 0, 1], 3), ([0, 1, 1, 0], 2), ([1, 1, 1], 3), ([0, 0, 0], 0)]
)
def test_a_run_goes_on_around_the_ring(ring: list[int], longest: int) -> None:
    assert longest_run(np.array(ring, dtype=bool)) == longest


def test_lamplight_has_fading_and_a_hand_has() -> None:
    pyramid, plane, cards = table_with_hand()
    photo = pyramid.levels[0].astype(np.float32)
    y, x = np.mgrid[: photo.shape[0], : photo.shape[1]]
    glow = 90 * np.exp(-((x - 250) ** 2 + (y - 620) ** 2) / (2 * 70.0**2))
    lit = Pyramid.of(np.clip(photo + glow[:, :, None], 0, 255).astype(np.uint8))
    seen = SeenTable.of(lit, plane, cards)
    places = plane.table(np.array([[250.0, 620], [850, 250]]))
    poses = np.column_stack([places, np.zeros(2)])
    texture = seen.texture(PATCH)
    assert texture is not None
    assert (texture.strange(places) == 1).all(), "both are unlike the table"
    assert fading(plane, poses, seen).tolist() == [True, False]


def test_distances_to_neighbours_as_by_definition() -> None:
    rng = np.random.default_rng(2)
    points, table = rng.normal(0, 3, (20, 7)), rng.normal(0, 3, (50, 7))
    wanted = np.sort(np.linalg.norm(points[:, None] - table[None], axis=2), axis=1)[:, 4]
    assert np.allclose(to_neighbour(points, table, 5), wanted)
    within = float(np.median(wanted))
    assert ((alike(points, table, within) < 5) == (wanted > within)).sum() >= len(points) - 1, "rounding at the limit"


def test_measures_are_means_and_deviations_of_the_patch() -> None:
    pyramid, plane, cards = table_with_hand()
    seen = SeenTable.of(pyramid, plane, cards)
    measures, _ = _measures(seen.layers, 5)
    row, column = 40, 50
    patch = seen.layers[:, row - 2 : row + 3, column - 2 : column + 3].reshape(8, 25).T
    assert np.allclose(measures[:3, row, column], patch[:, :3].mean(axis=0), atol=3e-3)
    assert np.allclose(measures[3:6, row, column], patch[:, :3].std(axis=0), atol=2e-3)


@pytest.mark.parametrize("in_line", [True, False])
def test_a_card_of_a_row_beside_a_heap_is_not_the_top_of_it(in_line: bool) -> None:
    """Two cards lie edge along edge, or one of them askew, and face-down cards lie around the other."""
    pyramid, plane, cards = table_with_hand()
    photo = pyramid.levels[0].copy()
    things = {(640, 450): (200, 60, 90), (650, 560): (60, 200, 90), (700, 450): (90, 60, 220), (730, 560): (20, 20, 20)}
    for middle, colour in things.items():
        cv2.fillConvexPoly(photo, cv2.boxPoints((middle, (100.0, 100.0), 30.0)).astype(np.int32), colour)
    cv2.rectangle(photo, (650, 450), (750, 550), (240, 240, 240), -1)
    second = cv2.boxPoints(((802.0, 500.0), (100.0, 100.0), 0.0 if in_line else 12.0)).astype(np.float64)
    cv2.fillConvexPoly(photo, second.astype(np.int32), (240, 240, 240))
    one = np.ones(5, np.float32)
    five = Detections(np.concatenate([cards.corners, second[None]]), np.zeros(5, np.intp), one, one)
    seen = SeenTable.of(Pyramid.of(photo), plane, five)
    assert crowded(plane, five, np.zeros(5, dtype=bool), seen)[3] != in_line
