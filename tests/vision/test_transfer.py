"""The filter between a face and its picture is found again, and makes the one look like the other."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.facebank import Floats, less_local_mean
from referee.vision.transfer import Transfer, point_spread


def face() -> Floats:
    """A drawing of coloured bars and discs about zero."""
    drawn = np.zeros((96, 96, 3), np.float32)
    for i in range(9):
        cv2.circle(drawn, (13 + 9 * i, 20 + 60 * (i % 2)), 9, (40.0 * (i % 3), 90.0 - 20 * i, -70.0 + 15 * i), -1)
    cv2.line(drawn, (10, 50), (85, 55), (120.0, -60.0, 30.0), 6)
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.6), np.float32)


def shaken(picture: Floats) -> Floats:
    """Drawn out along one diagonal, sharpened, and half a pixel off: nothing that a Gaussian could be."""
    out = np.asarray(cv2.filter2D(picture, -1, np.eye(5, dtype=np.float32) / 5), np.float32)
    out = 1.4 * out - 0.4 * np.asarray(cv2.GaussianBlur(out, (0, 0), 1.2), np.float32)
    move = np.array([[1, 0, 0.5], [0, 1, -0.3]])
    return np.asarray(cv2.warpAffine(out, move, (96, 96), flags=cv2.INTER_CUBIC), np.float32)


@pytest.mark.parametrize("step", [1, 2])
def test_explains_what_no_gaussian_does(step: int) -> None:
    drawn = face()
    seen = np.array([0.5, 0.8, 1.3], np.float32) * shaken(drawn)
    noisy = seen + np.random.default_rng(1).normal(0, 3, seen.shape).astype(np.float32)
    kernel = point_spread(noisy, drawn, np.ones((96, 96), np.float32), step)
    whole = np.zeros((4 * step + 1, 4 * step + 1), np.float32)
    whole[::step, ::step] = kernel
    made = np.asarray(cv2.filter2D(drawn, -1, whole), np.float32)
    inner = slice(10, -10)

    def left(picture: Floats) -> float:
        """Share of the picture's energy unexplained, each channel with its own gain."""
        a, b = picture[inner, inner].reshape(-1, 3), seen[inner, inner].reshape(-1, 3)
        gain = (a * b).sum(axis=0) / (a * a).sum(axis=0)
        return float(((b - gain * a) ** 2).sum() / (b * b).sum())

    gaussians = [np.asarray(cv2.GaussianBlur(drawn, (0, 0), width), np.float32) for width in (0.5, 1.0, 1.5, 2.2)]
    assert left(made) < (0.01 if step == 1 else 0.03)
    assert left(made) < 0.3 * min(map(left, gaussians))


def test_what_is_hidden_does_not_count() -> None:
    drawn = face()
    seen, weight = shaken(drawn), np.ones((96, 96), np.float32)
    covered = seen.copy()
    covered[:, 50:], weight[:, 50:] = 200.0, 0.0
    free = point_spread(seen, drawn, weight, 1)
    np.testing.assert_allclose(point_spread(covered, drawn, weight, 1), free, atol=1e-5)


def test_nothing_drawn_is_left_as_it_is() -> None:
    blank = np.zeros((96, 96, 3), np.float32)
    kernel = point_spread(blank, blank, np.ones((96, 96), np.float32), 1)
    assert np.isfinite(kernel).all()
    assert kernel[2, 2] == pytest.approx(1.0)


def test_bent_tones_and_glare_are_found_with_the_blur() -> None:
    """Of another face, too, which the fit has never seen."""
    face_1 = np.clip(face() + 150, 0, 255)
    face_2 = np.clip(face()[::-1] + 150, 0, 255)
    mask = np.ones((96, 96), np.float32)
    glare = np.linspace(1.0, 0.6, 96, dtype=np.float32)[None, :, None]

    def photographed(picture: Floats) -> Floats:
        return np.clip(60 + 1.1 * glare * shaken(picture), 0, 235).astype(np.float32)

    seen, other = less_local_mean(np.stack([photographed(face_1), photographed(face_2)]), mask, 9.0)
    transfer = Transfer.of(seen, face_1, face_1, mask, mask, 9.0, 1)
    made = transfer.pictures(np.stack([face_1, face_2]))
    inner = slice(8, -8)
    plain = less_local_mean(np.stack([face_1, face_2]), mask, 9.0)
    for k, wanted in enumerate((seen, other)):
        error = ((made[k] - wanted)[inner, inner] ** 2).mean()
        assert error < 0.06 * (wanted[inner, inner] ** 2).mean()
        assert error < 0.2 * ((plain[k] - wanted)[inner, inner] ** 2).mean()
