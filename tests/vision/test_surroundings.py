"""What lies beside cards is told from the bare table by how unlike the table it looks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.align import Pyramid
from referee.vision.plane import Plane, fit_plane
from referee.vision.surroundings import (
    COVERED,
    PATCH,
    STRANGE,
    SeenTable,
    TableTexture,
    _measures,
    crowded,
    fading,
    longest_run,
    own_strange_share,
    to_neighbour,
    unclear_cells,
)
from referee.vision.verify import Detections

CENTRES = np.array([[300.0, 300.0], [420.0, 300.0], [420.0, 420.0], [700.0, 500.0]])


def table_with_hand() -> tuple[Pyramid, Plane, Detections]:
    """A wooden table, cards of 100 pixels, and something like a hand at (850, 250)."""
    rng = np.random.default_rng(0)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (800, 1100)).astype(np.float32), (0, 0), sigmaX=12, sigmaY=1)
    photo = np.clip(np.array([70, 110, 160]) + grain[:, :, None], 0, 255).astype(np.uint8)
    cv2.circle(photo, (850, 250), 60, (140, 170, 225), -1)
    half = np.array([[-50.0, -50], [50, -50], [50, 50], [-50, 50]])
    corners = CENTRES[:, None] + half
    for quad in corners:
        cv2.fillConvexPoly(photo, quad.astype(np.int32), (240, 240, 240))
    fitted = fit_plane(corners, 1.0, (1100, 800))
    assert fitted is not None
    count = len(corners)
    cards = Detections(corners, np.zeros(count, np.intp), np.ones(count, np.float32), np.ones(count, np.float32))
    return Pyramid.of(photo), fitted[0], cards


def test_a_hand_is_strange_and_the_table_is_not() -> None:
    pyramid, plane, cards = table_with_hand()
    texture = TableTexture.of(SeenTable.of(pyramid, plane, cards), PATCH)
    assert texture is not None
    rng = np.random.default_rng(1)
    bare = plane.table(np.column_stack([rng.uniform(100, 1000, 40), rng.uniform(620, 720, 40)]))
    hand, under, outside = plane.table(np.array([[850.0, 250], [420, 300], [-400, 300]]))
    usual = texture.strangeness(bare)
    assert np.median(usual) < 1.5
    assert texture.strangeness(hand[None])[0] > 2 * usual.max()
    assert np.isnan(texture.strangeness(np.stack([under, outside]))).all()


def test_a_card_is_strange_and_a_place_that_was_taken_for_one_is_not() -> None:
    pyramid, plane, cards = table_with_hand()
    half = np.array([[-50.0, -50], [50, -50], [50, 50], [-50, 50]])
    corners = np.concatenate([cards.corners, [np.array([400.0, 650.0]) + half]])
    ones = np.ones(len(corners), np.float32)
    taken = Detections(corners, np.zeros(len(corners), np.intp), ones, ones)
    share = own_strange_share(plane, taken, Detections.none(), SeenTable.of(pyramid, plane, taken))
    assert (share[:4] > COVERED).all()
    assert share[4] < COVERED


def test_a_washed_out_place_says_nothing_though_there_are_many_like_it() -> None:
    """Ten cards that the lamp has taken look like each other, and so like the table."""
    pyramid, plane, cards = table_with_hand()
    photo = pyramid.levels[0].copy()
    beside = np.array([315.0, 420.0])
    for x, y in [beside, *([100.0 + 110 * k, 650.0] for k in range(9)), *([100.0 + 110 * k, 120.0] for k in range(7))]:
        cv2.rectangle(photo, (int(x) - 50, int(y) - 50), (int(x) + 50, int(y) + 50), (246, 247, 246), -1)
    washed = Pyramid.of(photo)
    unclear = plane.image(unclear_cells(washed, plane, cards, SeenTable.of(washed, plane, cards))[:, :2])
    assert np.hypot(*(unclear - beside).T).min() < 10


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
    assert (texture.strangeness(places) > STRANGE).all(), "both are unlike the table"
    assert fading(plane, poses, seen).tolist() == [True, False]


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
    cells = plane.image(unclear_cells(pyramid, plane, cards, SeenTable.of(pyramid, plane, cards))[:, :2])
    beyond = (cells < 0).any(axis=1) & (np.hypot(*(cells - corners[0].mean(axis=0)).T) < 160)
    assert beyond.any() != known


def test_distances_to_neighbours_as_by_definition() -> None:
    rng = np.random.default_rng(2)
    points, table = rng.normal(0, 3, (20, 7)), rng.normal(0, 3, (50, 7))
    wanted = np.sort(np.linalg.norm(points[:, None] - table[None], axis=2), axis=1)[:, 4]
    assert np.allclose(to_neighbour(points, table, 5), wanted)


def test_measures_are_means_and_deviations_of_the_patch() -> None:
    pyramid, plane, cards = table_with_hand()
    seen = SeenTable.of(pyramid, plane, cards)
    measures, _ = _measures(seen.layers, 5)
    row, column = 40, 50
    patch = seen.layers[:, row - 2 : row + 3, column - 2 : column + 3].reshape(8, 25).T
    assert np.allclose(measures[:3, row, column], patch[:, :3].mean(axis=0), atol=3e-3)
    assert np.allclose(measures[3:6, row, column], patch[:, :3].std(axis=0), atol=2e-3)
