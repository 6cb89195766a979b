"""How the camera has moved since the last photograph of a table: places that both pictures show.

Oriented features (ORB: Rublee et al., ICCV 2011) of both pictures, scaled down, are matched both ways; what lies in one
plane is left over by RANSAC (Fischler and Bolles 1981). Cards, their shadows and the table's grain all count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pyramid
from referee.vision.plane import Plane

SIDE = 600
"""Long side in pixels at which pictures are compared."""
FEATURES = 700
"""How many features of each picture are matched."""
MOST_APART = 64
"""Largest Hamming distance (of 256 bits) at which two features are alike."""
WITHIN = 0.08
"""How far a matched place may be off the common plane, in card sides."""
LEAST_PLACES = 24
"""Fewer places than this that agree are no ground to say how the camera moved."""


def rescaled(plane: Plane, factor: float) -> Plane:
    """The plane for the same picture with `factor` times as many pixels a side."""
    return replace(plane, middle=(plane.middle + 0.5) * factor - 0.5, scale=plane.scale * factor)


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """What a picture is known again by. points: (N, 2) px; descriptors: (N, 32) bytes."""

    points: Doubles
    descriptors: NDArray[np.uint8]

    @classmethod
    def of(cls, pyramid: Pyramid) -> Marks:
        width, height = pyramid.size
        grey = pyramid.grey(min(1.0, SIDE / max(width, height)))
        keypoints, found = cv2.ORB.create(FEATURES, 1.3, 4, fastThreshold=8).detectAndCompute(grey, None)
        points = np.array([k.pt for k in keypoints], dtype=np.float64).reshape(-1, 2)
        grow = np.array([width, height]) / grey.shape[::-1]
        descriptors = np.empty((0, 32), np.uint8) if found is None else np.asarray(found, np.uint8)
        return cls((points + 0.5) * grow - 0.5, descriptors)


def common_places(before: Marks, now: Marks) -> tuple[Doubles, Doubles]:
    """Points (N, 2) px of two pictures that look alike, each in its own full-size pixels."""
    if not len(before.points) or not len(now.points):
        return np.empty((0, 2)), np.empty((0, 2))
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(before.descriptors, now.descriptors)
    pairs = np.array([(m.queryIdx, m.trainIdx) for m in matches if m.distance < MOST_APART], np.intp).reshape(-1, 2)
    return before.points[pairs[:, 0]], now.points[pairs[:, 1]]


def followed_plane(plane: Plane, before: Doubles, now: Doubles, size: tuple[int, int]) -> Plane | None:
    """The same table plane, its origin where it was, in a picture of `size` (width, height) taken from elsewhere.

    plane: in the earlier picture; before, now: (N, 2) px of places that both show. None if too few agree.
    """
    if len(before) < LEAST_PLACES:
        return None
    fresh = replace(plane, middle=np.array([size[0] / 2, size[1] / 2]), scale=max(size) / 2.0)
    flat = replace(fresh, to_table=np.eye(3)).table(now)
    matrix, agree = cv2.findHomography(flat, plane.table(before), cv2.RANSAC, WITHIN, maxIters=1500, confidence=0.995)
    if matrix is None or int(agree.sum()) < LEAST_PLACES:
        return None
    return replace(fresh, to_table=np.asarray(matrix, dtype=np.float64))
