"""What lies apart and is like a card in size and colour is a place to look at; bars, discs and bare table are not."""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.align import Doubles, Pyramid
from referee.vision.patches import SURELY, card_patches
from referee.vision.places import Places
from referee.vision.plane import Plane, fit_plane
from referee.vision.verify import Detections

CENTRES = np.array([[300.0, 300.0], [420.0, 300.0], [420.0, 420.0], [180.0, 300.0]])
HALF = np.array([[-50.0, -50], [50, -50], [50, 50], [-50, 50]])
APART = np.array([760.0, 500.0])


def turned(degrees: float, stretch: float = 1.0) -> Doubles:
    turn = np.radians(degrees)
    return np.asarray((HALF * [stretch, 1 / stretch]) @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])


def table(*, apart: bool = True) -> tuple[Pyramid, Plane, Detections]:
    """A grey speckled table with brown cards, one of them far away, and a bar, a disc and a blue square."""
    rng = np.random.default_rng(0)
    speckle = cv2.GaussianBlur(rng.normal(0, 60, (800, 1100)).astype(np.float32), (0, 0), 2.0)
    photo = np.clip(np.array([170, 175, 180]) + speckle[:, :, None], 0, 255).astype(np.float32)
    quads = [*(CENTRES[:, None] + HALF), *([APART + turned(30)] if apart else [])]
    for quad in quads:
        cv2.fillConvexPoly(photo, quad.astype(np.int32), (60, 110, 160))
        cv2.circle(photo, tuple(int(v) for v in quad.mean(axis=0)), 20, (150, 140, 130), -1)
    cv2.fillConvexPoly(photo, (np.array([820.0, 120]) + turned(20, 2.0)).astype(np.int32), (60, 110, 160))
    cv2.circle(photo, (250, 650), 20, (60, 110, 160), -1)
    cv2.fillConvexPoly(photo, (np.array([520.0, 680]) + HALF).astype(np.int32), (200, 60, 40))
    corners = CENTRES[:, None] + HALF
    fitted = fit_plane(corners, 1.0, (1100, 800))
    assert fitted is not None
    count = len(corners)
    cards = Detections(corners, np.zeros(count, np.intp), np.ones(count, np.float32), np.ones(count, np.float32))
    return Pyramid.of(np.clip(photo, 0, 255).astype(np.uint8)), fitted[0], cards


def test_a_card_by_itself_is_found_as_it_is_turned() -> None:
    pyramid, plane, cards = table()
    found = card_patches(pyramid, plane, cards)
    assert len(found) == 1
    assert np.linalg.norm(plane.image(found[:, :2])[0] - APART) < 12
    outline = plane.outlines(found)[0]
    wanted = APART + turned(30)
    assert min(np.abs(np.roll(outline, k, axis=0) - wanted).max() for k in range(4)) < 15


def test_nothing_else_on_the_table_is_like_a_card() -> None:
    pyramid, plane, cards = table(apart=False)
    assert len(card_patches(pyramid, plane, cards)) == 0


def test_a_washed_out_card_beside_others_is_no_lamplight() -> None:
    """Both are as light as the cards; only one is a rectangle of their size."""
    rng = np.random.default_rng(0)
    photo = np.clip(rng.normal(90, 12, (800, 1100, 3)), 0, 255)
    y, x = np.mgrid[:800, :1100]
    photo += 110 * np.exp(-((x - 700) ** 2 + (y - 520) ** 2) / (2 * 85.0**2))[:, :, None]
    for quad in CENTRES[:, None] + HALF:
        cv2.fillConvexPoly(photo, quad.astype(np.int32), (205, 210, 215))
        cv2.circle(photo, tuple(int(v) for v in quad.mean(axis=0)), 20, (120, 60, 60), -1)
    cv2.fillConvexPoly(photo, (np.array([300.0, 420]) + HALF * 0.97).astype(np.int32), (232, 234, 236))
    pyramid = Pyramid.of(np.clip(cv2.GaussianBlur(photo, (0, 0), 1.5), 0, 255).astype(np.uint8))
    _, plane, cards = table()
    found = card_patches(pyramid, plane, cards, shape=SURELY)
    assert len(found) == 1
    assert np.linalg.norm(plane.image(found[:, :2])[0] - [300, 420]) < 12


def test_only_places_that_are_to_be_searched() -> None:
    pyramid, plane, cards = table()
    nowhere = Places(np.zeros((4, 4), bool), plane.table(np.array([[0.0, 0.0]]))[0], 1.0)
    assert len(card_patches(pyramid, plane, cards, nowhere)) == 0
