"""Copies of a face are found in uneven light; one digit or one wall makes another face."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.enrol.crops import RIM, SHORT_SIDE, Crop
from calibration.enrol.groups import grouped
from calibration.enrol.light import evened
from referee.decks import Game
from tests.features.pictures import picture


def _photographed(game: Game, face: str, seed: int, at: tuple[float, float]) -> Crop:
    """A card as it is squared up: a little moved, darker to one side, noisy."""
    rng = np.random.default_rng(seed)
    card = picture(game, face, SHORT_SIDE, 1.2)
    rim = round(RIM * SHORT_SIDE)
    bordered = cv2.copyMakeBorder(card, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(60, 90, 120))
    height, width = bordered.shape[:2]
    move = np.array([[1, rng.normal(0, 0.004), rng.normal(0, 1.2)], [rng.normal(0, 0.004), 1, rng.normal(0, 1.2)]])
    moved = cv2.warpAffine(bordered, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
    slope = 1 - 0.25 * np.linspace(0, 1, width)[None, :, None] * rng.uniform(0.5, 1)
    lit = moved * slope * rng.uniform(0.75, 1.0) + rng.normal(0, 3, moved.shape)
    corners = np.array([[0, 0], [200, 0], [200, 200], [0, 200]], float) + at
    return Crop(0, corners, np.clip(lit, 0, 255).astype(np.uint8), 1.0)


def _names(game: Game, faces: list[str]) -> NDArray[np.intp]:
    crops = [_photographed(game, face, k, (240 * (k % 4), 240 * (k // 4))) for k, face in enumerate(faces)]
    return grouped(evened(crops)).names


@pytest.mark.parametrize(
    ("game", "faces"),
    [
        (Game.CAT_AND_MOUSE, ["up-1", "up-2", "up-1", "up-3", "up-2", "up-1", "left-1", "start", "up-3", "start"]),
        (
            Game.IF_IT_FITS,
            ["box-t-0", "box-tr-0", "box-t-0", "box-open-0", "box-t-1", "box-tr-0", "cat-red", "cat-blue"],
        ),
    ],
)
def test_faces_are_told_apart_and_copies_are_not(game: Game, faces: list[str]) -> None:
    names = _names(game, faces)
    for i, one in enumerate(faces):
        for j, other in enumerate(faces):
            assert (names[i] == names[j]) == (one == other), (one, other)


def _with_digit(text: str, seed: int) -> Crop:
    """A card on which a small, thin digit is all that tells faces apart."""
    rng = np.random.default_rng(seed)
    card = np.full((SHORT_SIDE, SHORT_SIDE, 3), (228, 236, 240), np.uint8)
    cv2.arrowedLine(card, (128, 220), (128, 60), (190, 90, 30), 26, tipLength=0.4)
    cv2.putText(card, text, (28, 56), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (90, 90, 90), 2, cv2.LINE_AA)
    rim = round(RIM * SHORT_SIDE)
    bordered = cv2.copyMakeBorder(card, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(60, 90, 120))
    soft = cv2.GaussianBlur(bordered, (0, 0), 1.6) * rng.uniform(0.8, 1.0) + rng.normal(0, 2, bordered.shape)
    at = np.array([240 * (seed % 4), 240 * (seed // 4)])
    corners = np.array([[0, 0], [200, 0], [200, 200], [0, 200]], float) + at
    return Crop(0, corners, np.clip(soft, 0, 255).astype(np.uint8), 1.0)


def test_a_small_thin_digit_makes_another_face() -> None:
    digits = "1232131"
    names = grouped(evened([_with_digit(digit, seed) for seed, digit in enumerate(digits)])).names
    for i, one in enumerate(digits):
        for j, other in enumerate(digits):
            assert (names[i] == names[j]) == (one == other), (one, other)
