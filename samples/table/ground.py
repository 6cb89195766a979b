"""The table top in the picture: its texture, its shine, the edge behind which the floor begins."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from samples.table.light import LightField
from samples.table.patterns import hsv, noise
from samples.table.scene import Scene
from samples.table.surfaces import TEXTURE_PX

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True)
class Edge:
    """The straight edge of the table: points with x `nx` + y `ny` > `border` (mm) are beyond it."""

    nx: float
    ny: float
    border: float

    def beyond(self, x: float, y: float) -> float:
        """How far (mm) a point is beyond the edge; negative on the table."""
        return x * self.nx + y * self.ny - self.border


def table_edge(scene: Scene, kept: Doubles, rng: Rng) -> Edge | None:
    """An edge beside the points `kept` (n, 2) mm, which stay on the table; None if the scene has none."""
    if not scene.edge:
        return None
    angle = rng.uniform(0, 2 * math.pi)
    nx, ny = math.cos(angle), math.sin(angle)
    return Edge(nx, ny, float((kept @ np.array([nx, ny])).max()) + rng.uniform(15, 160))


def lay_ground(scene: Scene, x: Floats, y: Floats, light: LightField, edge: Edge | None, rng: Rng) -> Floats:
    """Radiance (H, W, 3) of the empty table at the table points `x`, `y` (H, W) mm."""
    # A thumbnail does not show what a larger texture would hold.
    texture = scene.surface.texture(rng, TEXTURE_PX if max(scene.size) > 1000 else TEXTURE_PX // 2)
    reflectance = _textured(texture, scene.tile_mm, scene.surface_turn, x, y, rng)
    patches = noise(rng, (64, 64), (20, 20), 3)
    broad = cv2.resize(patches, x.shape[::-1], interpolation=cv2.INTER_LINEAR)
    reflectance *= (1 + np.float32(0.05) * broad)[..., None]
    radiance = reflectance * light.irradiance
    if scene.table_gloss > 0.02:
        radiance += _shine(scene, x, y, light, reflectance)
    if edge is not None:
        _cut_at_edge(radiance, x, y, light, edge, rng)
    return np.asarray(radiance, np.float32)


def _textured(texture: Floats, tile_mm: float, turn: float, x: Floats, y: Floats, rng: Rng) -> Floats:
    """Repeat the texture mirrored over the plane, each pixel from the mip level that fits its footprint."""
    angle = math.radians(turn)
    c, s = np.float32(math.cos(angle)), np.float32(math.sin(angle))
    start = rng.uniform(0, tile_mm, 2).astype(np.float32)
    u = (x * c + y * s + start[0]) * np.float32(1 / tile_mm)
    v = (-x * s + y * c + start[1]) * np.float32(1 / tile_mm)
    footprint = np.maximum(_step(u), _step(v)) * np.float32(0.8)
    lod = np.log2(np.maximum(footprint * texture.shape[1], 1e-6))
    lod = np.clip(lod, 0, 8)
    first, last = math.floor(float(lod.min())), math.ceil(float(lod.max()))
    out: Floats | None = None
    level = np.asarray(texture, np.float32)
    for number in range(last + 1):
        if number > 0:
            level = np.asarray(cv2.resize(level, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
        if number < first:
            continue
        rows, columns = level.shape[:2]
        mode = cv2.BORDER_REFLECT
        sample = cv2.remap(
            level, u * columns - np.float32(0.5), v * rows - np.float32(0.5), cv2.INTER_LINEAR, borderMode=mode
        )
        weight = np.clip(1 - np.abs(lod - number), 0, 1)[..., None]
        out = sample * weight if out is None else out + sample * weight
    assert out is not None
    return np.asarray(out, np.float32)


def _step(plane: Floats) -> Floats:
    """How much a map changes from pixel to pixel (H, W)."""
    small = plane[::8, ::8]
    down = np.abs(np.gradient(small, axis=0)) / 8
    across = np.abs(np.gradient(small, axis=1)) / 8
    full = cv2.resize(np.maximum(down, across), plane.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(full, np.float32)


def _shine(scene: Scene, x: Floats, y: Floats, light: LightField, reflectance: Floats) -> Floats:
    """Mirrored lamps on the table top, broken up a little by its texture."""
    size = (max(2, x.shape[1] // 2), max(2, x.shape[0] // 2))
    sx, sy = (np.asarray(cv2.resize(p, size, interpolation=cv2.INTER_AREA), np.float32) for p in (x, y))
    mirrored = light.mirror(sx, sy, (0.0, 0.0), 0.2 + 0.7 * scene.table_gloss)
    full = cv2.resize(mirrored, x.shape[::-1], interpolation=cv2.INTER_LINEAR)
    grain = reflectance.mean(axis=2)
    rough = np.clip(0.8 + 0.4 * grain / max(float(grain.mean()), 1e-3) * 0.5, 0.5, 1.5)
    share = np.clip(0.15 + light.lamp_share * 1.4, 0, 1)
    return np.asarray(full * (np.float32(scene.table_gloss) * rough * share)[..., None], np.float32)


def _cut_at_edge(radiance: Floats, x: Floats, y: Floats, light: LightField, edge: Edge, rng: Rng) -> None:
    """Replace what is beyond the edge by a darker, out-of-focus floor."""
    beyond = x * np.float32(edge.nx) + y * np.float32(edge.ny) - np.float32(edge.border)
    if float(beyond.max()) < 0:
        return
    per_px = max(float(np.median(np.abs(np.diff(beyond[::8, ::8], axis=1)))) / 8, 0.02)
    outside = np.clip(beyond / np.float32(2 * per_px) + 0.5, 0, 1)[..., None]
    floor = hsv(rng.uniform(0, 0.7), rng.uniform(0, 0.4), rng.uniform(0.08, 0.6))
    mottle = cv2.resize(noise(rng, (90, 120), (30, 40), 4), x.shape[::-1], interpolation=cv2.INTER_CUBIC)
    far = floor * (1 + 0.35 * mottle)[..., None] * light.irradiance * np.float32(rng.uniform(0.25, 0.8))
    rim = np.exp(-((beyond + 3) ** 2) / np.float32(2 * 2.0**2))[..., None]
    radiance *= 1 + rim * np.float32(rng.uniform(-0.5, 0.6))
    shade = 1 - 0.5 * np.exp(-np.clip(beyond, 0, None) / 60)[..., None]
    radiance *= 1 - outside
    radiance += far * shade * outside
