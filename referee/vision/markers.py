"""The four markers at the corners of a mat, by which a fixed camera knows its table again.

ArUco after S. Garrido-Jurado et al., Pattern Recognition 2014.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]

MAT_IDS = (45, 46, 47, 48)
"""Markers at the corners of a mat, clockwise from the top left; the printed board uses those below."""


def dictionary() -> cv2.aruco.Dictionary:
    """The markers there are."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def find_mat(image: Pixels) -> dict[int, Doubles]:
    """The markers of a mat that are in a picture (H, W, 3) BGR: for each corner 0-3 the marker's corners (4, 2) px."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary()).detectMarkers(grey)
    if ids is None:
        return {}
    return {
        MAT_IDS.index(int(name)): np.asarray(quad, np.float64).reshape(4, 2)
        for name, quad in zip(np.asarray(ids).ravel(), corners, strict=True)
        if int(name) in MAT_IDS
    }
