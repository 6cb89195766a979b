"""A card that stands out from its table in colour alone is found by the look at every place."""

from __future__ import annotations

import cv2
import numpy as np

from referee.decks import Game, builtin_deck
from referee.vision.align import Pyramid
from referee.vision.facebank import face_bank
from referee.vision.places import Places
from referee.vision.plane import Plane
from referee.vision.sweep import GREY, _mixture, sweep
from referee.vision.verify import Detections


def test_a_card_on_a_table_as_light_and_as_busy_as_it_is_found() -> None:
    bank = face_bank(builtin_deck(Game.CAT_AND_MOUSE))
    plane = Plane(np.diag([1 / 80, 1 / 80, 1.0]), np.zeros(2), 1.0, 0.0, bank.aspect, 0.0)
    rng = np.random.default_rng(3)
    # Black and white chips: the grey of the cards drowns in them.
    chips = cv2.GaussianBlur(rng.normal(0, 1, (640, 880)).astype(np.float32), (0, 0), 3.0) > 0
    picture = np.repeat(np.where(chips, 235, 20).astype(np.uint8)[:, :, None], 3, axis=2)
    poses = np.array([[2.0, 2.0, 0.3], [4.0, 5.0, 1.2], [8.0, 2.5, -0.4]])
    for face, outline in enumerate(plane.outlines(poses)):
        source = bank.sources[face]
        frame = np.array([[0, 0], [192, 0], [192, 192], [0, 192]], np.float32)
        warp = cv2.getPerspectiveTransform(frame, outline.astype(np.float32))
        cv2.warpPerspective(source, warp, (880, 640), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    pyramid = Pyramid.of(picture)
    ones = np.ones(2, np.float32)
    known = Detections(plane.outlines(poses[:2]), np.array([0, 1]), ones, ones)
    found = sweep(pyramid, bank, plane, known)
    assert np.hypot(*(found[:20, :2] - poses[2, :2]).T).min() < 0.2
    view = np.asarray(picture, dtype=np.uint8)
    mixture = _mixture(view, np.array([[1 / 80, 0, 0], [0, 1 / 80, 0]]), plane, poses[:2])
    assert abs(float(mixture @ GREY)) < 0.5 * float(np.linalg.norm(GREY)), "grey says little on this table"
    beyond = Places(np.ones((3, 3), bool), np.array([400.0, 300.0]), 1.0)
    assert len(sweep(pyramid, bank, plane, known, beyond)) == 0
