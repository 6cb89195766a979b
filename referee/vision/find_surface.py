"""What is table and what lies on it: a card differs from the table, a floor tile or a hole between cards does not."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Floats, Pixels
from referee.vision.find_quads import RARE

STEP = 5.0
"""Difference (Lab units) between the two banks of a side from which on it is a step and no mere line."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """lab: (H, W, 3) float32 in Lab; rare: (H, W) uint8, 255 where the colour is not the table's."""

    lab: Floats
    rare: Pixels

    @classmethod
    def of(cls, image: Pixels, rarity: Floats) -> Surface:
        lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
        rare = (rarity > RARE[1]).astype(np.uint8) * np.uint8(255)
        return cls(lab, np.asarray(rare, dtype=np.uint8))

    def foreign(self, corners: Doubles) -> Doubles:
        """(N,) share of each quad's inside whose colour is not the table's."""
        places = (np.arange(12) + 0.5) / 12
        u, v = np.meshgrid(places, places)
        u, v = u.reshape(-1, 1), v.reshape(-1, 1)
        c = corners[:, None]
        spots = c[..., 0, :] * (1 - u) * (1 - v) + c[..., 1, :] * u * (1 - v) + c[..., 2, :] * u * v + c[..., 3, :] * (1 - u) * v
        height, width = self.rare.shape
        x = np.clip(spots[..., 0].round().astype(np.intp), 0, width - 1)
        y = np.clip(spots[..., 1].round().astype(np.intp), 0, height - 1)
        return np.asarray((self.rare[y, x] > 0).mean(axis=1), dtype=np.float64) if len(corners) else np.empty(0)

    def steps(self, corners: Doubles) -> Doubles:
        """(N, 4) how much the inside of each side differs from the outside beside it, Lab units."""
        if not len(corners):
            return np.empty((0, 4))
        return np.sqrt(((self._bank(corners, 0.06) - self._bank(corners, -0.06)) ** 2).sum(axis=-1))

    def _bank(self, corners: Doubles, depth: float) -> Doubles:
        """(N, 4, 3) mean colour along each side, `depth` of a side within it."""
        middle = corners.mean(axis=1, keepdims=True)
        inner = middle + (corners - middle) * (1 - 2 * depth)
        following = np.roll(inner, -1, axis=1)
        places = 0.12 + 0.76 * (np.arange(24) + 0.5)[:, None] / 24
        spots = (inner[:, :, None] * (1 - places) + following[:, :, None] * places).astype(np.float32)
        flat = spots.reshape(len(corners), -1, 2)
        taken = cv2.remap(self.lab, np.ascontiguousarray(flat[..., 0]), np.ascontiguousarray(flat[..., 1]), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(taken.reshape(*spots.shape[:3], 3).mean(axis=2), dtype=np.float64)

    def region(self, members: Doubles) -> Pixels:
        """(H, W) uint8 where cards may lie: what is not table, and around the known cards (N, 4, 2)."""
        mask = cv2.morphologyEx(self.rare, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
        for quad in members:
            middle = quad.mean(axis=0)
            cv2.fillConvexPoly(mask, (middle + 3.2 * (quad - middle)).round().astype(np.int32), 255)
        return np.asarray(mask, dtype=np.uint8)

    def cards(self, corners: Doubles, score: Doubles) -> NDArray[np.bool_]:
        """(N,) which of these are no part of the table."""
        foreign, steps = self.foreign(corners), self.steps(corners)
        keep = np.ones(len(corners), dtype=bool)
        if not len(corners):
            return keep
        usual = float(np.median(foreign))
        if usual > 0.5:
            keep &= foreign > 0.2 * usual
        if float(np.median(np.sort(steps, axis=1)[:, 2])) < STEP:
            keep[:] = False
        return keep
