"""How a camera was held: the eight EXIF orientations (CIPA DC-008, tag 274) as turns of the picture's plane.

A picture that was put upright has lost how its sensor lay; whoever knows the lens needs that again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

UNKNOWN = 0
"""The file does not say."""
UPRIGHT: dict[int, tuple[tuple[int, int], tuple[int, int]]] = {
    1: ((1, 0), (0, 1)),
    2: ((-1, 0), (0, 1)),
    3: ((-1, 0), (0, -1)),
    4: ((1, 0), (0, -1)),
    5: ((0, 1), (1, 0)),
    6: ((0, -1), (1, 0)),
    7: ((0, -1), (-1, 0)),
    8: ((0, 1), (-1, 0)),
}
"""For each orientation the matrix that takes places on the sensor, from its middle, to those in the upright picture."""
QUARTER = 6
"""The orientation whose turn is a quarter to the right."""


def turn_between(known: int, now: int) -> Doubles:
    """(2, 2) from an upright picture of one orientation to that of another by the same sensor: what is the same ray.
    Raises KeyError for an orientation that is none, or not known."""
    return np.array(UPRIGHT[now], np.float64) @ np.array(UPRIGHT[known], np.float64).T


def turned_size(size: tuple[int, int], turn: Doubles) -> tuple[int, int]:
    """(width, height) after a turn (2, 2)."""
    return size if turn[0, 0] else (size[1], size[0])


def turned_points(points: Doubles, size: tuple[int, int], turn: Doubles) -> Doubles:
    """Pixels (N, 2) of a picture of (width, height) -> of the turned one; a pixel's middle is a whole number."""
    middle, goal = ((np.array(each) - 1) / 2 for each in (size, turned_size(size, turn)))
    return np.asarray((points - middle) @ turn.T + goal, np.float64)
