"""Faces as vectors: what is worked out cheaply is what its definition says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.vision.correlate import correlations
from referee.vision.facebank import FaceBank, contrast, face_bank, less_local_mean, normalise, normalise_shown


@pytest.fixture(scope="module")
def bank() -> FaceBank:
    return face_bank(builtin_deck(Game.IF_IT_FITS))


def test_one_face_is_drawn_as_among_all(bank: FaceBank) -> None:
    faces = np.array([7, 3])
    assert np.array_equal(bank.pictures(faces, 48, 1.1), bank.at(48, 1.1).images[faces])
    assert bank.at(48).mask.shape == bank.mask(48).shape == (67, 48)


def test_contrast_is_the_length_without_the_mean(bank: FaceBank) -> None:
    mask, picture = bank.mask(48), bank.picture(4, 48, 0.6)
    inside = picture[mask > 0].astype(float)
    wanted = np.linalg.norm(inside - inside.mean(axis=0))
    assert contrast(picture, mask) == pytest.approx(wanted, rel=1e-4)
    assert bank.contrast(4, 48, 0.6) == pytest.approx(wanted, rel=1e-4)


def test_pictures_under_masks_of_their_own_are_normalised_each_alone(bank: FaceBank) -> None:
    pictures = bank.pictures(np.array([1, 9]), 32, 0.6)
    masks = np.stack([bank.mask(32), bank.mask(32)])
    masks[1, 20:] = 0
    rows = normalise_shown(pictures, masks)
    for row, picture, mask in zip(rows, pictures, masks, strict=True):
        assert np.allclose(row, normalise(picture[None], mask)[0], atol=1e-5)
    own = correlations(pictures, bank.at(32, 0.6), bank.turns, masks)
    assert own[0, 0, 1] == pytest.approx(1, abs=1e-3)
    assert own[1, 0, 9] == pytest.approx(1, abs=1e-3)


def test_the_local_mean_is_that_of_a_wide_gaussian(bank: FaceBank) -> None:
    mask, picture = bank.mask(96), bank.picture(4, 96, 1.0)
    share = np.maximum(cv2.GaussianBlur(mask, (0, 0), 9.0), 1e-3)[:, :, None]
    smooth = cv2.GaussianBlur(picture * mask[:, :, None], (0, 0), 9.0) / share
    wanted = (picture - smooth) * mask[:, :, None]
    found = less_local_mean(picture[None], mask, 9.0)[0]
    assert np.abs(found - wanted).mean() < 0.02 * np.abs(wanted).mean() + 0.5
    shaded = less_local_mean((0.5 * picture + 40)[None], mask, 9.0)[0]
    assert np.allclose(shaded, 0.5 * found, atol=0.1)
    assert not found[mask == 0].any()
