"""Outlines are pulled onto cards, and faces are told apart, or not, by the pixels in which they differ."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

import referee.vision.recognise as module
from referee.decks import Game, builtin_deck
from referee.vision.align import Aligner, Doubles, Pixels, Pyramid, areas
from referee.vision.facebank import FaceBank, Floats, face_bank
from referee.vision.plane import Plane, fit_plane
from referee.vision.recognise import SURE_MARGIN, Candidate, recognise
from referee.vision.verify import Detections, best_faces, verify

QUAD = np.array([[620.0, 260.0], [820.0, 300.0], [790.0, 505.0], [585.0, 455.0]])


@pytest.fixture(scope="module")
def bank() -> FaceBank:
    return face_bank(builtin_deck(Game.CAT_AND_MOUSE))


def photo_of(bank: FaceBank, face: str, quad: Doubles = QUAD, blur: float = 1.0, noise: float = 3.0) -> Pixels:
    """A card warped onto a plain table, in warm light, with half of it in shadow."""
    source = bank.sources[bank.face_ids.index(face)]
    height, width = source.shape[:2]
    table = np.full((800, 1200, 3), (70, 95, 120), np.uint8)
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(frame, quad.astype(np.float32))
    cv2.warpPerspective(source, warp, (1200, 800), dst=table, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_AREA)
    light = np.ones((800, 1200, 3), np.float32) * [0.7, 0.9, 1.0]
    light[:, 700:] *= 0.6
    rng = np.random.default_rng(0)
    shot = cv2.GaussianBlur(table * light, (0, 0), blur) + rng.normal(0, noise, table.shape)
    return np.clip(shot, 0, 255).astype(np.uint8)


def plane_of(pyramid: Pyramid, found: Detections) -> Plane:
    fitted = fit_plane(found.corners, 1.0, pyramid.size)
    assert fitted is not None
    return fitted[0]


@pytest.mark.parametrize("face", ["up-1", "up-2", "up-3", "left-2", "start", "finish"])
def test_faces_that_nearly_coincide_are_read_surely(bank: FaceBank, face: str) -> None:
    pyramid = Pyramid.of(photo_of(bank, face))
    aligner = Aligner(bank)
    off = QUAD + np.array([[6.0, -4.0], [5.0, -3.0], [7.0, -5.0], [5.0, -4.0]])
    found = verify(pyramid, aligner, off[None])
    assert len(found) == 1
    assert np.abs(found.corners[0] - QUAD).max() < 0.07 * np.sqrt(areas(QUAD[None])[0])
    (reading,) = recognise(pyramid, aligner, found, plane_of(pyramid, found))
    assert bank.face_ids[reading.face] == face
    assert reading.margin >= SURE_MARGIN


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_corners_begin_at_the_faces_own_top_left(bank: FaceBank, turn: int) -> None:
    quad = np.roll(QUAD, -turn, axis=0)
    pyramid = Pyramid.of(photo_of(bank, "right-2", quad))
    found = verify(pyramid, Aligner(bank), QUAD[None])
    assert bank.face_ids[int(found.face[0])] == "right-2"
    assert np.abs(found.corners[0] - quad).max() < 0.07 * np.sqrt(areas(QUAD[None])[0])


def test_a_covered_value_is_not_read_surely(bank: FaceBank) -> None:
    """Whatever hides the digits and all else in which two cards differ must take the certainty away."""
    shot = photo_of(bank, "up-1")
    first, second = (bank.sources[bank.face_ids.index(f)].astype(int) for f in ("up-1", "up-2"))
    differs = (np.abs(first - second).sum(axis=2) > 12).astype(np.uint8)
    height, width = differs.shape
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(frame, QUAD.astype(np.float32))
    hidden = cv2.warpPerspective(cv2.dilate(differs, np.ones((9, 9), np.uint8)), warp, (1200, 800)) > 0
    shot[hidden] = (90, 130, 170)
    pyramid = Pyramid.of(shot)
    found = best_faces(pyramid, bank, QUAD[None], 32)
    (reading,) = recognise(pyramid, Aligner(bank), found, plane_of(pyramid, found))
    twins = {c.face for c in reading.candidates if c.margin < SURE_MARGIN or c is reading.candidates[0]}
    assert reading.margin < SURE_MARGIN
    assert len(twins) > 1


@pytest.mark.parametrize("face", ["down-1", "down-2", "up+left-2"])
@pytest.mark.parametrize("blur", [1.0, 6.0, 12.0, 20.0, 30.0])
def test_under_blur_a_reading_is_right_or_unsure(bank: FaceBank, face: str, blur: float) -> None:
    pyramid = Pyramid.of(photo_of(bank, face, blur=blur, noise=6.0))
    found = best_faces(pyramid, bank, QUAD[None], 32)
    (reading,) = recognise(pyramid, Aligner(bank), found, plane_of(pyramid, found))
    if blur == 1.0:
        assert reading.margin >= SURE_MARGIN
    if blur == 30.0:
        assert reading.margin < SURE_MARGIN
    assert bank.face_ids[reading.face] == face or reading.margin < SURE_MARGIN


def test_what_another_light_would_change_is_unsure(bank: FaceBank, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reading counts as its least sure one under small changes of exposure and white balance."""
    pyramid = Pyramid.of(photo_of(bank, "up-1", blur=4.0, noise=8.0))
    found = best_faces(pyramid, bank, QUAD[None], 32)
    plane = plane_of(pyramid, found)
    (best, rival, *_) = module.rank(*(seen := ranked_with(pyramid, bank, found, plane, monkeypatch)))
    calls: list[float] = []

    def fickle(patch: Floats, *_rest: object) -> tuple[Candidate, ...]:
        calls.append(float(patch.mean()))
        sure = replace(best, margin=0.9), replace(rival, margin=0.9)
        warm = replace(rival, margin=0.3), replace(best, margin=0.3)
        return warm if len(calls) == 2 else sure

    monkeypatch.setattr(module, "rank", fickle)
    (reading,) = recognise(pyramid, Aligner(bank), found, plane)
    assert len(calls) == 3
    assert calls[2] < calls[0] < calls[1]
    assert reading.candidates[0].face == best.face
    assert reading.margin == pytest.approx(-0.3)
    assert reading.candidates[1].margin == pytest.approx(-0.3)
    assert len(seen) == 5


def ranked_with(
    pyramid: Pyramid, bank: FaceBank, found: Detections, plane: Plane, monkeypatch: pytest.MonkeyPatch
) -> tuple[Floats, Floats, FaceBank, float, Floats | None]:
    """What a card is ranked with."""
    seen: list[tuple[Floats, Floats, FaceBank, float, Floats | None]] = []
    rank = module.rank

    def noted(
        patch: Floats, scores: Floats, bank: FaceBank, blur: float, shown: Floats | None
    ) -> tuple[Candidate, ...]:
        seen.append((patch, scores, bank, blur, shown))
        return rank(patch, scores, bank, blur, shown)

    with monkeypatch.context() as patched:
        patched.setattr(module, "rank", noted)
        recognise(pyramid, Aligner(bank), found, plane)
    return seen[0]


def test_a_plain_table_is_no_card(bank: FaceBank) -> None:
    rng = np.random.default_rng(1)
    table = np.clip(rng.normal(120, 20, (800, 1200, 3)), 0, 255).astype(np.uint8)
    found = verify(Pyramid.of(table), Aligner(bank), QUAD[None])
    assert not (found.score > 0.6).any()
