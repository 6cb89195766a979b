"""Does a card known from an earlier photograph still lie where it lay? Looked at before it is called gone."""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.align import Doubles, Pyramid
from referee.vision.facebank import FINE, FaceBank

STILL_THERE = 0.5
"""Correlation with the card's face from which on it may still lie there (0..1); bare table stays below 0.4."""
_MARGIN = 0.12
"""How far around its place the card is looked for, in card sides."""


def likeness(pyramid: Pyramid, bank: FaceBank, corners: Doubles, face: str) -> float:
    """Best correlation of a face with the picture at `corners` (4, 2) px and a little around it, -1..1."""
    templates = bank.at(FINE, 0.6)
    width, height = templates.size
    rim = round(_MARGIN * width)
    size = (width + 2 * rim, height + 2 * rim)
    margin = rim / width
    middle = corners.mean(axis=0)
    across, down = (corners[1] - corners[0]) * margin, (corners[3] - corners[0]) * margin
    wide = corners + np.stack([-across - down, across - down, across + down, -across + down])
    if not np.isfinite(wide).all() or float(np.abs(wide - middle).max()) > 4 * max(pyramid.size):
        return -1.0
    patch = pyramid.cut(wide[None], size)[0]
    image = templates.images[bank.face_ids.index(face)]
    scores = cv2.matchTemplate(patch, image, cv2.TM_CCOEFF_NORMED)
    return float(np.nan_to_num(scores, nan=-1.0, posinf=-1.0, neginf=-1.0).max())


def share_inside(corners: Doubles, size: tuple[int, int]) -> float:
    """Share of a quad (4, 2) px that lies within a picture of (width, height), 0..1."""
    width, height = map(float, size)
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    quad = np.asarray(corners, np.float32)
    whole = abs(cv2.contourArea(quad))
    return float(np.clip(cv2.intersectConvexConvex(quad, frame)[0] / max(whole, 1e-6), 0, 1))
