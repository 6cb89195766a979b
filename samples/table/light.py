"""Light on the table: colour temperature, falloff, soft shadows, mirror images of lamps. Linear BGR throughout."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from samples.table.camera import Camera
from samples.table.scene import Light, Scene, Shadow

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

_SCALE = 3
"""Light is computed at a third of the picture's size: it has no finer detail than penumbras of a few pixels."""
_PLAN_MM = 900.0
_PLAN_PX = 900
"""Half the side, in mm, of the plan that shadows are painted on, and its side in pixels."""


def kelvin_to_bgr(kelvin: float) -> Floats:
    """Colour of a black body (3,), linear BGR with luminance 1.

    Chromaticity by the cubic fit of Kim et al. (US patent 7024034), good from 1667 to 25000 K.
    """
    t = 1000.0 / kelvin
    if kelvin < 4000:
        x = -0.2661239 * t**3 - 0.2343589 * t**2 + 0.8776956 * t + 0.179910
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        x = -3.0258469 * t**3 + 2.1070379 * t**2 + 0.2226347 * t + 0.240390
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    big_x, big_z = x / y, (1 - x - y) / y
    red = 3.2406 * big_x - 1.5372 - 0.4986 * big_z
    green = -0.9689 * big_x + 1.8758 + 0.0415 * big_z
    blue = 0.0557 * big_x - 0.2040 + 1.0570 * big_z
    return np.maximum(np.array([blue, green, red], np.float32), 0.01)


@dataclass(frozen=True)
class Lamp:
    """A light with its place in layout coordinates (mm) and its colour times share, BGR (3,)."""

    at: tuple[float, float, float]
    power: Floats
    size_mm: float


@dataclass(frozen=True)
class LightField:
    """The light over the whole picture. `irradiance` (H, W, 3): 1 = a white sheet in the layout's middle."""

    camera: Camera
    lamps: tuple[Lamp, ...]
    irradiance: Floats
    lamp_share: Floats
    mean_colour: Floats

    @property
    def key(self) -> Lamp:
        """The lamp that throws the shadows."""
        return self.lamps[0]

    def shadow_shift(self, x: float, y: float, height_mm: float) -> tuple[float, float]:
        """Where on the table (mm) the shadow of a point at that height falls, relative to its foot."""
        lx, ly, lz = self.key.at
        reach = height_mm / max(lz - height_mm, 50.0)
        return ((x - lx) * reach, (y - ly) * reach)

    def toward_key(self, x: float, y: float) -> tuple[float, float, float]:
        """Unit vector (x, y, up) from a table point to the key lamp."""
        lx, ly, lz = self.key.at
        length = math.dist((x, y, 0.0), (lx, ly, lz))
        return ((lx - x) / length, (ly - y) / length, lz / length)

    def mirror(self, x: Floats, y: Floats, normal: tuple[float, float], shine: float) -> Floats:
        """Light mirrored into the lens (H, W, 3) by a glossy sheet (Blinn-Phong).

        `normal`: slope of the sheet (dx, dy); `shine` 0 matt .. 1 polished sets how sharp lamps appear.
        """
        cx, cy = float(self.camera.position[0]), float(self.camera.position[1])
        cz = self.camera.height_mm
        total = np.zeros((*x.shape, 3), np.float32)
        n = np.array([normal[0], normal[1], 1.0])
        n /= np.linalg.norm(n)
        eye = _toward(x, y, (cx, cy, cz))
        for lamp in self.lamps:
            half = _toward(x, y, lamp.at)
            half = tuple(a + b for a, b in zip(half, eye, strict=True))
            length = np.sqrt(half[0] ** 2 + half[1] ** 2 + half[2] ** 2)
            cosine = (half[0] * n[0] + half[1] * n[1] + half[2] * n[2]) / length
            spread = (lamp.size_mm / 2 / lamp.at[2]) ** 2 + (0.02 + 0.25 * (1 - shine) ** 2) ** 2
            lobe = np.exp(-np.clip(1 - cosine, 0, None) * 4 / spread)
            total += (lobe * (0.05 / spread))[..., None] * lamp.power
        return np.minimum(total, 6.0)


def _toward(x: Floats, y: Floats, at: tuple[float, float, float]) -> tuple[Any, ...]:
    dx, dy, dz = at[0] - x, at[1] - y, np.float32(at[2])
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    return dx / length, dy / length, dz / length


def light_field(
    scene: Scene, camera: Camera, x: Floats, y: Floats, middle: tuple[float, float], rng: Rng
) -> LightField:
    """The light of a scene on the table points `x`, `y` (H, W) mm that the pixels see."""
    lamps = tuple(_place(light, camera, middle, rng) for light in scene.lights)
    height, width = x.shape
    small = (max(2, width // _SCALE), max(2, height // _SCALE))
    sx = np.asarray(cv2.resize(x, small, interpolation=cv2.INTER_AREA), np.float32)
    sy = np.asarray(cv2.resize(y, small, interpolation=cv2.INTER_AREA), np.float32)
    ambient = kelvin_to_bgr(scene.ambient_kelvin) * np.float32(scene.ambient)
    # Light from everywhere is not quite even: a wall or a window on one side.
    slope = rng.normal(0, 0.00025, 2)
    sway = 1 + np.clip(slope[0] * (sx - middle[0]) + slope[1] * (sy - middle[1]), -0.5, 0.8)
    total = sway[..., None].astype(np.float32) * ambient
    for index, lamp in enumerate(lamps):
        fall = _falloff(sx, sy, lamp, middle)
        if index == 0:
            for shadow in scene.shadows:
                fall *= 1 - shadow.depth * _shadow_mask(shadow, small, sx, sy, rng)
        total += fall[..., None] * lamp.power
        if index == 0:
            share = np.asarray(fall * lamp.power.mean() / np.maximum(total.mean(axis=2), 1e-4), np.float32)
    mean = ambient + np.sum([lamp.power for lamp in lamps], axis=0)
    full = (width, height)
    return LightField(
        camera,
        lamps,
        np.asarray(cv2.resize(total, full, interpolation=cv2.INTER_LINEAR), np.float32),
        np.asarray(cv2.resize(np.clip(share, 0, 1), full, interpolation=cv2.INTER_LINEAR), np.float32),
        np.asarray(mean, np.float32),
    )


def _place(light: Light, camera: Camera, middle: tuple[float, float], rng: Rng) -> Lamp:
    at = (middle[0] + light.at[0], middle[1] + light.at[1], light.at[2])
    if light.size_mm < 0:
        # Mirror law: the lamp stands where the ray from the lens, mirrored at a point of the table, passes.
        spot = (middle[0] + rng.uniform(-120, 120), middle[1] + rng.uniform(-120, 120))
        reach = light.at[2] / camera.height_mm
        at = (
            spot[0] + (spot[0] - float(camera.position[0])) * reach,
            spot[1] + (spot[1] - float(camera.position[1])) * reach,
            light.at[2],
        )
    power = kelvin_to_bgr(light.kelvin) * np.float32(light.share)
    return Lamp(at, power, abs(light.size_mm))


def _falloff(x: Floats, y: Floats, lamp: Lamp, middle: tuple[float, float]) -> Floats:
    lx, ly, lz = lamp.at
    squared = (x - lx) ** 2 + (y - ly) ** 2 + np.float32(lz * lz)
    here = (middle[0] - lx) ** 2 + (middle[1] - ly) ** 2 + lz * lz
    return np.asarray(np.clip((here / squared) ** 1.5, 0, 3.0), np.float32)


def _shadow_mask(shadow: Shadow, small: tuple[int, int], x: Floats, y: Floats, rng: Rng) -> Floats:
    """1 where the shadow is full (small H, small W)."""
    row, column = int(rng.integers(small[1])), int(rng.integers(small[0]))
    spot = (float(x[row, column]), float(y[row, column]))
    angle = rng.uniform(0, 2 * math.pi)
    # Painted on a plan of the table, not in the picture: parts of it may lie behind the lens.
    plan = np.zeros((_PLAN_PX, _PLAN_PX), np.float32)
    per_mm = _PLAN_PX / (2 * _PLAN_MM)
    for outline in _outline(shadow.shape, rng):
        points = (outline + _PLAN_MM) * per_mm
        cv2.fillPoly(plan, [np.round(points * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(plan, (0, 0), max(0.5, shadow.softness_mm / 2 * per_mm))
    c, s = math.cos(angle), math.sin(angle)
    u = ((x - spot[0]) * np.float32(c) + (y - spot[1]) * np.float32(s) + np.float32(_PLAN_MM)) * np.float32(per_mm)
    v = ((y - spot[1]) * np.float32(c) - (x - spot[0]) * np.float32(s) + np.float32(_PLAN_MM)) * np.float32(per_mm)
    return np.asarray(cv2.remap(soft, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _outline(shape: str, rng: Rng) -> list[npt.NDArray[np.float64]]:
    """Polygons in mm around the origin."""
    if shape == "phone":
        w, h = rng.uniform(70, 150), rng.uniform(140, 280)
        return [np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2]
    if shape == "frame":
        gap, bar = rng.uniform(120, 300), rng.uniform(20, 70)
        reach = 880.0
        bars = [[k * gap, -reach, k * gap + bar, reach] for k in range(-2, 3)]
        bars += [[-reach, -bar, reach, bar]]
        return [np.array([[a, b], [c, b], [c, d], [a, d]]) for a, b, c, d in bars]
    turns = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    if shape == "head":
        radius = rng.uniform(110, 220) * (1 + 0.08 * np.sin(3 * turns + rng.uniform(0, 6)))
        return [np.column_stack([radius * np.cos(turns), 1.25 * radius * np.sin(turns)])]
    palm = np.column_stack([55 * np.cos(turns), 70 * np.sin(turns)])
    arm = np.array([[-40, 30], [40, 30], [60, 880], [-60, 880]], float)
    fingers = []
    for k in range(5):
        lean = math.radians(-40 + 20 * k + rng.uniform(-5, 5))
        ahead, side = np.array([math.sin(lean), -math.cos(lean)]), np.array([math.cos(lean), math.sin(lean)])
        tip = ahead * rng.uniform(120, 160)
        fingers.append(np.array([ahead * 40 - side * 11, tip - side * 9, tip + side * 9, ahead * 40 + side * 11]))
    return [palm, arm, *fingers]
