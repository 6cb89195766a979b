"""Cards lying apart on a table of another colour, found by that colour alone: how cards to enrol are to be laid.

A second opinion beside `referee.vision.find`, which looks for cards that touch and overlap as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.find_quads import clockwise, edge_strength, refit, unlike_the_rim
from referee.vision.find_surface import Surface

Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]

LONG_SIDE = 1280
"""Long side in pixels of the picture in which is looked."""
SMALLEST = 0.03
"""Short side of a card, as a part of the picture's long side."""
SHAPE = 1.3
"""By what factor a card's picture may be longer or shorter than the card is."""
SOLID = 0.85
"""Share of its bounding rectangle that a card fills at least, its perspective and round corners allowed for."""
GROWN, BULK = 1.12, 0.35
"""What is further out from a card than this, and at least so wide, in card sides, may be another card."""
ALIKE = 0.5
"""Smallest area against the middle one's."""


@dataclass(frozen=True, slots=True, eq=False)
class Foreground:
    """What is of another colour than the table. small: (h, w, 3) the photograph, smaller by `scale`; mask: (h, w) 1
    where it is so, else 0."""

    small: Pixels
    mask: Pixels
    scale: float

    @classmethod
    def of(cls, image: Pixels) -> Foreground:
        """Of a photograph (H, W, 3) BGR."""
        scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8) if scale < 1 else image
        mask = Surface.of(small, unlike_the_rim(small)).rare
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
        clean = cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc), cv2.MORPH_CLOSE, disc)
        return cls(small, np.asarray(clean, np.uint8), scale)

    def is_left_beside(self, cards: Doubles) -> bool:
        """Whether something of a card's size lies beside the cards (N, 4, 2) px of the photograph."""
        own = cards * self.scale + (0.5 * self.scale - 0.5)
        rest = self.mask.copy()
        middles = own.mean(axis=1, keepdims=True)
        for quad in (own - middles) * GROWN + middles:
            cv2.fillConvexPoly(rest, np.round(quad).astype(np.int32), 0)
        side = float(np.sqrt(np.median([cv2.contourArea(quad.astype(np.float32)) for quad in own])))
        width = max(3, round(BULK * side))
        return bool(cv2.erode(rest, np.ones((width, width), np.uint8)).any())


def plain_cards(table: Foreground, aspect: float) -> Doubles:
    """The cards (N, 4, 2) px of a photograph, clockwise; aspect: long side over short."""
    small, mask, scale = table.small, table.mask, table.scale
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    quads = []
    for outline in outlines:
        hull = cv2.convexHull(outline)
        rectangle = cv2.minAreaRect(hull)
        width, height = sorted(rectangle[1])
        if width < SMALLEST * LONG_SIDE:
            continue
        shape = height / width / aspect
        if not 1 / SHAPE < shape < SHAPE or cv2.contourArea(hull) < SOLID * width * height:
            continue
        if cv2.contourArea(outline) < 0.6 * cv2.contourArea(hull):
            continue
        quads.append(_corners(hull, cv2.boxPoints(rectangle)))
    if not quads:
        return np.empty((0, 4, 2))
    strength = edge_strength(small)
    cards = refit(strength, refit(strength, clockwise(np.array(quads)), 0.06), 0.03)
    area = np.array([cv2.contourArea(card.astype(np.float32)) for card in cards])
    cards = cards[(area > ALIKE * np.median(area)) & (area < np.median(area) / ALIKE)]
    return np.asarray((cards - (0.5 * scale - 0.5)) / scale)


def _corners(hull: NDArray[Any], box: NDArray[Any]) -> Doubles:
    """Where the four sides of a hull meet: lines through its points near each side of its bounding box."""
    points = hull.reshape(-1, 2).astype(np.float64)
    outline = np.concatenate(
        [np.linspace(a, b, 24, endpoint=False) for a, b in zip(points, np.roll(points, -1, 0), strict=True)]
    )
    lines = []
    for k in range(4):
        start, end = box[k].astype(np.float64), box[(k + 1) % 4].astype(np.float64)
        along = (end - start) / np.linalg.norm(end - start)
        part = (outline - start) @ along / np.linalg.norm(end - start)
        off = np.abs((outline - start) @ np.array([-along[1], along[0]]))
        near = (part > 0.2) & (part < 0.8) & (off < 0.2 * np.linalg.norm(end - start))
        if near.sum() < 8:
            return box.astype(np.float64)
        vx, vy, x, y = cv2.fitLine(outline[near].astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y], np.float64), np.array([vx, vy], np.float64)))
    corners = []
    for k in range(4):
        (p, u), (q, v) = lines[k - 1], lines[k]
        matrix = np.column_stack([u, -v])
        if abs(float(np.linalg.det(matrix))) < 0.3:
            return box.astype(np.float64)
        corners.append(p + u * float(np.linalg.solve(matrix, q - p)[0]))
    return np.array(corners)
