"""The quick look lets every card of the deck pass, at any turn and a little astray, and nothing faint or plain."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.vision.facebank import FaceBank, face_bank
from referee.vision.screen import SCREEN, contrasts, screen_of


@pytest.fixture(scope="module", params=[Game.CAT_AND_MOUSE, Game.COLOURED_PATHS])
def bank(request: pytest.FixtureRequest) -> FaceBank:
    return face_bank(builtin_deck(request.param))


def test_every_face_is_the_likest_to_itself_at_every_turn(bank: FaceBank) -> None:
    screen = screen_of(bank)
    drawn = bank.drawn(range(len(bank.face_ids)), SCREEN, 0.5)
    for number, turn in enumerate(bank.turns):
        # Other light and tint: the mean and the gain of each picture do not matter.
        pictures = np.ascontiguousarray(np.rot90(drawn, -turn, axes=(1, 2))) * 0.7 + np.array([10, 20, 30])
        passed, scores = screen.look(pictures.astype(np.float32), gain=0.7)
        assert passed.tolist() == list(range(len(drawn)))
        own = scores[passed, number * len(drawn) + passed]
        assert own.min() > 0.85
        assert (scores.max(axis=1) - own).max() < 0.02


def test_cards_a_little_astray_pass(bank: FaceBank) -> None:
    large = bank.drawn(range(len(bank.face_ids)), 64, 0.0)
    astray = cv2.getRotationMatrix2D((31.5, 31.5), 5, 1.0) + np.array([[0, 0, 3], [0, 0, -3]])
    turned = [cv2.warpAffine(face, astray, (64, 64), borderValue=(90, 110, 130)) for face in large]
    small = np.stack([cv2.resize(face, (SCREEN, SCREEN), interpolation=cv2.INTER_AREA) for face in turned])
    passed, _ = screen_of(bank).look(small.astype(np.float32), gain=1.0)
    assert len(passed) == len(large)


def test_what_is_faint_or_like_no_face_does_not_pass(bank: FaceBank) -> None:
    screen = screen_of(bank)
    drawn = bank.drawn(range(len(bank.face_ids)), SCREEN, 0.5)
    middle = drawn.mean(axis=(1, 2), keepdims=True)
    weakest = drawn[screen.contrasts.argmin()] * 0.15 + 100
    assert not len(screen.look(weakest[None], gain=1.0)[0])
    assert len(screen.look(weakest[None], gain=0.5)[0]) == 1, "in faint light it is as strong as it has to be"
    assert not len(screen.look(np.full_like(drawn, 130), gain=0.0)[0])
    board = np.indices((SCREEN, SCREEN)).sum(axis=0)[None, :, :, None] % 2 * 120
    assert not len(screen.look((middle + board).astype(np.float32), gain=1.0)[0])


def test_contrast_is_the_length_without_the_mean_of_each_channel() -> None:
    patches = np.random.default_rng(1).uniform(0, 255, (5, 7, 9, 3)).astype(np.float32)
    flat = patches.astype(np.float64) - patches.mean(axis=(1, 2), keepdims=True, dtype=np.float64)
    assert contrasts(patches) == pytest.approx(np.sqrt((flat**2).sum(axis=(1, 2, 3))), rel=1e-4)
    assert contrasts(np.full((2, 4, 4, 3), 200, np.float32)) == pytest.approx([0, 0], abs=1)
