"""A card of a photograph squared up."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]

FINEST = 4
"""Times as large as it shall be that a card is drawn at most before it is made smaller."""


def rectified(image: Pixels, corners: Doubles, size: tuple[int, int], rim: int = 0) -> Pixels:
    """The card at corners (4, 2) px of an image (H, W, 3), from its top left, as (width, height) px, with `rim` px of
    what is around it."""
    width, height = size
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) + rim
    side = float(min(np.linalg.norm(corners[k] - corners[k - 1]) for k in range(4)))
    fine = max(1, min(FINEST, round(side / min(size))))  # a large card is made smaller without aliasing
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), (target * fine - 0.5).astype(np.float32))
    whole = (width + 2 * rim, height + 2 * rim)
    big = (whole[0] * fine, whole[1] * fine)
    picture = cv2.warpPerspective(image, matrix, big, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(picture, whole, interpolation=cv2.INTER_AREA) if fine > 1 else picture, np.uint8)
