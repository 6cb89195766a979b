"""Faces of our own decks as a photograph shows them: small, a little soft, on a grey table."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.decks import Deck, Game, builtin_deck

Pixels = NDArray[np.uint8]


@lru_cache(maxsize=3)
def deck_of(game: Game) -> Deck:
    """The built-in deck."""
    return builtin_deck(game)


def picture(game: Game, face: str, width: int = 220, blur: float = 0.8) -> Pixels:
    """(h, width, 3) BGR of a face."""
    path = deck_of(game).image_path(face)
    assert path is not None
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    assert image is not None
    if image.shape[2] == 4:
        alpha = image[..., 3:] / 255.0
        image = (image[..., :3] * alpha + 100 * (1 - alpha)).astype(np.uint8)
    height = round(width * image.shape[0] / image.shape[1])
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), blur), np.uint8)
