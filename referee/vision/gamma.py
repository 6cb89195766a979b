"""Between the values of a picture and the light they stand for (IEC 61966-2-1, its power simplified)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]

GAMMA = 2.2


def linear(picture: Pixels) -> Floats:
    """(H, W, 3) uint8 sRGB -> float32 light 0..1."""
    return np.asarray(np.power(picture.astype(np.float32) / 255, GAMMA), np.float32)


def encoded(light: Floats) -> Pixels:
    """The inverse of `linear`."""
    return np.asarray(np.clip(np.power(np.clip(light, 0, 1), 1 / GAMMA) * 255 + 0.5, 0, 255), np.uint8)
