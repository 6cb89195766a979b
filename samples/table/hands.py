"""Hands: soft unions of capsules, shaded as if lit by the lamp."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from samples.table.canvas import Sheet
from samples.table.patterns import hsv, linear, noise

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

SIZE_MM = (200.0, 620.0)
"""The sheet a hand with its forearm is painted on: fingers up, elbow down."""
_PER_MM = 2.0
_SKINS = ((0.86, 0.70, 0.60), (0.92, 0.78, 0.68), (0.74, 0.55, 0.43), (0.52, 0.35, 0.25), (0.34, 0.22, 0.16))
"""sRGB red, green, blue."""


def hand_sheet(
    pointing: bool, to_lamp: tuple[float, float, float], away: float, rng: Rng
) -> tuple[Sheet, tuple[float, float]]:
    """A hand and where its foremost fingertip is (mm in the sheet's axes, from its centre).

    `pointing`: one finger stretched, the others curled; else the fingers lie flat. `to_lamp`: direction in
    table axes; `away`: direction in degrees in which the arm leaves.
    """
    columns, rows = round(SIZE_MM[0] * _PER_MM), round(SIZE_MM[1] * _PER_MM)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32) / _PER_MM
    child = rng.uniform(0.72, 1.05)
    wrist = np.array([100.0, 235.0])
    knuckles = [
        np.array([100 + child * (-30 + 20 * k), wrist[1] - child * (84 + 8 * math.sin(k * 1.2))]) for k in range(4)
    ]
    height = _capsule(x, y, wrist, (100, 700), 27 * child, 38 * child)
    for knuckle in knuckles:
        height = _join(height, _capsule(x, y, wrist + (knuckle - wrist) * 0.15, knuckle, 18 * child, 13 * child), 9)
    lengths = [68, 78, 74, 58]
    tips, nails = [], []
    for k, knuckle in enumerate(knuckles):
        curled = pointing and k != 0
        lean = math.radians(-14 + 9 * k + rng.uniform(-4, 4))
        length = child * lengths[k] * (0.42 if curled else 1.0)
        bend = math.radians(rng.uniform(-8, 8))
        mid = knuckle + 0.5 * length * np.array([math.sin(lean), -math.cos(lean)])
        tip = mid + 0.5 * length * np.array([math.sin(lean + bend), -math.cos(lean + bend)])
        height = _join(height, _capsule(x, y, knuckle, mid, 10.5 * child, 9.3 * child), 5)
        height = _join(height, _capsule(x, y, mid, tip, 9.3 * child, 7.6 * child), 3)
        tips.append(tip)
        if not curled:
            nails.append((tip, lean + bend))
    root = wrist + np.array([-26, -28]) * child
    thumb = root + np.array([-34, -44 if not pointing else -30]) * child
    height = _join(height, _capsule(x, y, root, thumb, 15 * child, 9.5 * child), 9)
    outline = np.clip(height * _PER_MM / 1.5 + 0.5, 0, 1)
    colour = _shaded(x, y, height, nails, child, to_lamp, away, rng)
    tip = tips[0] if pointing else tips[1]
    foremost = (float(tip[0] - SIZE_MM[0] / 2), float(tip[1] - SIZE_MM[1] / 2))
    sheet = Sheet(colour, SIZE_MM, alpha=outline.astype(np.float32), thickness_mm=9.0, gloss=0.03, side=0.3)
    return sheet, foremost


def _shaded(
    x: Floats,
    y: Floats,
    height: Floats,
    nails: list[tuple[npt.NDArray[np.float64], float]],
    child: float,
    to_lamp: tuple[float, float, float],
    away: float,
    rng: Rng,
) -> Floats:
    skin = linear(np.array(_SKINS[int(rng.integers(len(_SKINS)))][::-1]))
    shape = (height.shape[0], height.shape[1])
    round_ = np.sqrt(np.clip(height, 0.02, 14.0) / 14.0) * 9.0
    round_ = cv2.GaussianBlur(round_, (0, 0), 2.0)
    slope_x = cv2.Sobel(round_, cv2.CV_32F, 1, 0, scale=_PER_MM / 8)
    slope_y = cv2.Sobel(round_, cv2.CV_32F, 0, 1, scale=_PER_MM / 8)
    turn = math.radians(away - 90)
    lx = to_lamp[0] * math.cos(turn) + to_lamp[1] * math.sin(turn)
    ly = -to_lamp[0] * math.sin(turn) + to_lamp[1] * math.cos(turn)
    length = np.sqrt(slope_x**2 + slope_y**2 + 1)
    lit = np.clip((-slope_x * lx - slope_y * ly + max(to_lamp[2], 0.3)) / length, 0, 1.3)
    tone = 0.45 + 0.6 * lit
    flush = noise(rng, shape, (60, 60), 4) * 0.06
    colour = skin * (tone * (1 + flush))[..., None]
    colour[..., 2] *= 1.03 + 0.5 * flush
    for tip, lean in nails:
        ahead = np.array([math.sin(lean), -math.cos(lean)])
        spot = tip + 1.0 * child * ahead
        along = (x - spot[0]) * ahead[0] + (y - spot[1]) * ahead[1]
        across = -(x - spot[0]) * ahead[1] + (y - spot[1]) * ahead[0]
        nail = np.clip(3 - 3 * np.hypot(along / (5.5 * child), across / (4.6 * child)), 0, 1)
        colour += (0.3 * nail)[..., None] * (skin * 1.25 + np.float32(0.08) - colour)
    if rng.uniform() < 0.7:
        cuff = 235 + rng.uniform(30, 120)
        cloth = hsv(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.9))
        folds = 1 + 0.2 * noise(rng, shape, (30, 90), 3)
        sleeve = np.clip((y - cuff) * 1.5, 0, 1)[..., None]
        colour += sleeve * (cloth * (tone * folds)[..., None] - colour)
    return np.asarray(np.clip(colour, 0.003, 0.95), np.float32)


def _capsule(x: Floats, y: Floats, start: npt.ArrayLike, end: npt.ArrayLike, r0: float, r1: float) -> Floats:
    """Distance inside a tapering capsule (mm, positive inside)."""
    a, b = np.asarray(start, np.float32), np.asarray(end, np.float32)
    line = b - a
    t = np.clip(((x - a[0]) * line[0] + (y - a[1]) * line[1]) / max(float(line @ line), 1e-6), 0, 1)
    away = np.hypot(x - a[0] - t * line[0], y - a[1] - t * line[1])
    return np.asarray(r0 + (r1 - r0) * t - away, np.float32)


def _join(a: Floats, b: Floats, soft: float) -> Floats:
    """Smooth union (polynomial smooth maximum, Quilez)."""
    h = np.clip(soft - np.abs(a - b), 0, None) / soft
    return np.asarray(np.maximum(a, b) + h * h * soft / 4, np.float32)
