"""The phone: a pinhole camera with Brown-Conrady lens distortion above a table plane.

World: x right and y down on the table in millimetres (as in a layout), height above the table positive
towards the camera. Pixels: (x, y), the centre of the top-left pixel is (0, 0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

FULL_FRAME_DIAGONAL_MM = 43.27
"""Diagonal of the 36 x 24 mm frame to which "equivalent" focal lengths refer."""
_NODE_STEP = 4
"""Pixels between the nodes at which lens and plane are inverted exactly; linear in between (error < 0.05 px)."""


@dataclass(frozen=True)
class Camera:
    """A posed camera. `rotation` (3, 3) turns world into camera axes; `position` (3,) mm, z negative above."""

    size: tuple[int, int]
    focal_px: float
    distortion: tuple[float, float, float, float]
    rotation: Doubles
    position: Doubles

    @property
    def height_mm(self) -> float:
        """How far the lens is above the table."""
        return float(-self.position[2])

    def project(self, points: npt.ArrayLike, height_mm: float | npt.ArrayLike = 0.0) -> Doubles:
        """Table points (n, 2) mm at a height above the table to pixels (n, 2)."""
        flat = np.asarray(points, np.float64).reshape(-1, 2)
        lifted = np.column_stack([flat, -np.broadcast_to(np.asarray(height_mm, np.float64), len(flat))])
        seen = (lifted - self.position) @ self.rotation.T
        depth = np.maximum(seen[:, 2:], 1e-3)
        return self._to_pixels(seen[:, :2] / depth)

    def _to_pixels(self, ideal: Doubles) -> Doubles:
        k1, k2, p1, p2 = self.distortion
        x, y = ideal[:, 0], ideal[:, 1]
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * k2)
        dx = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        dy = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        centre = (np.array(self.size) - 1) / 2
        return np.asarray(np.column_stack([dx, dy]) * self.focal_px + centre)

    def table_map(self) -> tuple[Floats, Floats]:
        """For every pixel the table point it sees: two arrays (H, W), x and y in mm.

        Above the horizon (never reached with the tilts used here) the values are far away, not NaN.
        """
        width, height = self.size
        columns = (np.arange(-1, math.ceil(width / _NODE_STEP) + 1) + 0.5) * _NODE_STEP - 0.5
        rows = (np.arange(-1, math.ceil(height / _NODE_STEP) + 1) + 0.5) * _NODE_STEP - 0.5
        grid_x, grid_y = np.meshgrid(columns, rows)
        centre = (np.array(self.size) - 1) / 2
        px = (grid_x - centre[0]) / self.focal_px
        py = (grid_y - centre[1]) / self.focal_px
        k1, k2, p1, p2 = self.distortion
        x, y = px.copy(), py.copy()
        for _ in range(12):
            r2 = x * x + y * y
            radial = 1 + r2 * (k1 + r2 * k2)
            x, y = (
                (px - 2 * p1 * x * y - p2 * (r2 + 2 * x * x)) / radial,
                (py - p1 * (r2 + 2 * y * y) - 2 * p2 * x * y) / radial,
            )
        ray = np.stack([x, y, np.ones_like(x)], axis=-1) @ self.rotation
        reach = self.height_mm / np.maximum(ray[..., 2], 0.02)
        nodes = [self.position[axis] + reach * ray[..., axis] for axis in (0, 1)]
        return self._upsample(nodes[0]), self._upsample(nodes[1])

    def _upsample(self, nodes: Doubles) -> Floats:
        rows, columns = nodes.shape
        full = cv2.resize(
            nodes.astype(np.float32), (columns * _NODE_STEP, rows * _NODE_STEP), interpolation=cv2.INTER_LINEAR
        )
        width, height = self.size
        return np.asarray(full[_NODE_STEP : _NODE_STEP + height, _NODE_STEP : _NODE_STEP + width], np.float32)

    def depth(self, x: Floats, y: Floats) -> Floats:
        """Distance along the optical axis, mm, of table points (any equal shapes)."""
        forward = self.rotation[2]
        return np.asarray(
            forward[0] * (x - self.position[0]) + forward[1] * (y - self.position[1]) - forward[2] * self.position[2],
            np.float32,
        )


def pose(
    size: tuple[int, int],
    focal_eq_mm: float,
    distortion: tuple[float, float, float, float],
    target: tuple[float, float],
    distance_mm: float,
    tilt: float,
    azimuth: float,
    roll: float,
) -> Camera:
    """A camera that looks at a table point.

    `tilt` is the angle from straight down, `azimuth` the side from which it looks (0: from the bottom of the
    layout), `roll` the turn of the phone about its own axis; degrees. `focal_eq_mm` is the 35-mm equivalent.
    """
    focal_px = focal_eq_mm / FULL_FRAME_DIAGONAL_MM * math.hypot(*size)
    t, a, r = (math.radians(v) for v in (tilt, azimuth, roll))
    turn_z = np.array([[math.cos(a), math.sin(a), 0], [-math.sin(a), math.cos(a), 0], [0, 0, 1.0]])
    turn_x = np.array([[1, 0, 0], [0, math.cos(t), math.sin(t)], [0, -math.sin(t), math.cos(t)]])
    spin = np.array([[math.cos(r), math.sin(r), 0], [-math.sin(r), math.cos(r), 0], [0, 0, 1.0]])
    rotation = spin @ turn_x @ turn_z
    forward = rotation[2]
    position = np.array([target[0], target[1], 0.0]) - distance_mm * forward
    return Camera(size, focal_px, distortion, rotation, position)
