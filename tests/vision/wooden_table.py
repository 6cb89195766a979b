"""A drawn table of wood with four white cards on it and something like a hand beside them."""

from __future__ import annotations

import cv2
import numpy as np

from referee.vision.align import Pyramid
from referee.vision.plane import Plane, fit_plane
from referee.vision.verify import Detections

CENTRES = np.array([[300.0, 300.0], [420.0, 300.0], [420.0, 420.0], [700.0, 500.0]])


def table_with_hand() -> tuple[Pyramid, Plane, Detections]:
    """A wooden table, cards of 100 pixels, and something like a hand at (850, 250)."""
    rng = np.random.default_rng(0)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (800, 1100)).astype(np.float32), (0, 0), sigmaX=12, sigmaY=1)
    photo = np.clip(np.array([70, 110, 160]) + grain[:, :, None], 0, 255).astype(np.uint8)
    cv2.circle(photo, (850, 250), 60, (140, 170, 225), -1)
    half = np.array([[-50.0, -50], [50, -50], [50, 50], [-50, 50]])
    corners = CENTRES[:, None] + half
    for quad in corners:
        cv2.fillConvexPoly(photo, quad.astype(np.int32), (240, 240, 240))
    fitted = fit_plane(corners, 1.0, (1100, 800))
    assert fitted is not None
    count = len(corners)
    cards = Detections(corners, np.zeros(count, np.intp), np.ones(count, np.float32), np.ones(count, np.float32))
    return Pyramid.of(photo), fitted[0], cards
