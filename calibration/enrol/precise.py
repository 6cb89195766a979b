"""Outlines brought to the very edge: each card a rigid one on the common plane, fitted to the edges around it.

What lies off the edge that most of a card's rim agrees on (a shadow, the grain of the table, a drawn frame) loses its
weight (Tukey's biweight, W. Huber and E. Ronchetti, Robust Statistics, 2009, with a window that narrows step by step).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.plane import Plane

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

SAMPLES = 24
"""Places on each side at which the edge is sought."""
REACH = 0.05
"""How far it is sought, in card widths."""
STEPS = 41
"""Places across the edge at which colours are looked up."""
SPAN = 3
"""Of those so many on each side of a place are compared."""
WINDOWS = (0.03, 0.02, 0.012, 0.008, 0.005, 0.004)
"""How far off an edge may be and count, in card widths, step by step."""
LIGHTNESS = 0.3
"""What lightness (0..255) counts beside the colours: the edge of a card's shadow is one of lightness alone."""
START = 0.025
"""It is also looked for from so far off each side, in card widths."""
NEAR = 0.01
"""How far off a card's sides the edges usually are when its size is measured, in card widths."""
MOST = 0.06
"""How far a card is moved at most, in card widths."""


def precise(image: Pixels, cards: Doubles, plane: Plane) -> Doubles:
    """Outlines (N, 4, 2) px in a picture (H, W, 3) BGR, each on its edge as well as it can be told.

    All are made a little wider or higher together where the edges are found so.
    """
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 0.8), cv2.COLOR_BGR2LAB), np.float32)
    lab[..., 0] *= LIGHTNESS
    plane = _sized(lab, plane, plane.poses(cards))
    poses = plane.poses(cards)
    moved = np.array([_fitted(lab, plane, pose) for pose in poses])
    stays = np.abs(moved - poses)[:, :2].max(axis=1) > MOST
    sized = _sized(lab, plane, moved)
    moved = sized.poses(plane.outlines(moved))
    return np.where(stays[:, None, None], cards, sized.outlines(moved))


def _sized(lab: Floats, plane: Plane, poses: Doubles) -> Plane:
    """The plane on which cards as wide and as high as their edges lie apart are of the usual size.

    How far two opposite edges are apart does not hang on where the card was thought to lie between them.
    """
    offsets = np.linspace(-REACH, REACH, STEPS)
    near = np.exp(-0.5 * np.square(offsets / NEAR))
    beyond = []
    for pose in poses:
        strength = _strength(lab, plane, *_rim(pose, plane.aspect), offsets)
        sides = np.minimum(strength, 1.5 * np.median(strength.max(axis=1))).reshape(4, SAMPLES, STEPS).mean(axis=1)
        best = (sides * near).argmax(axis=1)
        beyond.append(offsets[best] + _between(sides, best) * (offsets[1] - offsets[0]))
    top, right, bottom, left = np.array(beyond).T
    wide, high = 1 + np.median(left + right), 1 + np.median(top + bottom) / plane.aspect
    turn = np.median(poses[:, 2])
    cos, sin = np.cos(turn), np.sin(turn)
    own = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    return replace(plane, to_table=own.T @ np.diag([1 / wide, 1 / high, 1.0]) @ own @ plane.to_table)


def _fitted(lab: Floats, plane: Plane, pose: Doubles) -> Doubles:
    """The pose (x, y in card widths, turn) whose rim lies on edges."""
    offsets = np.linspace(-REACH, REACH, STEPS)
    spots, normals = _rim(pose, plane.aspect)
    strength = _strength(lab, plane, spots, normals, offsets)
    usual = float(np.median(strength.max(axis=1))) + 1e-6
    strength = np.minimum(strength / usual, 1.5)
    arm = np.stack([-(spots - pose[:2])[:, 1], (spots - pose[:2])[:, 0]], axis=1)
    design = np.column_stack([normals, (normals * arm).sum(axis=1)])
    starts = [np.zeros(3), *(np.array([x, y, 0.0]) for x, y in ((START, 0), (-START, 0), (0, START), (0, -START)))]
    tries = [_moved(strength, offsets, design, start, WINDOWS[first:]) for start in starts for first in (0, 2)]
    move, _ = max(tries, key=lambda each: each[1])
    return np.asarray(pose + move)


def _moved(
    strength: Doubles, offsets: Doubles, design: Doubles, move: Doubles, windows: Sequence[float]
) -> tuple[Doubles, float]:
    """From one move the fitted one (x, y, turn), and how much edge agrees."""
    rows = np.arange(len(strength))
    weight = np.zeros(len(strength))
    for window in windows:
        expected = design @ move
        near = np.exp(-0.5 * np.square((offsets[None] - expected[:, None]) / window))
        best = (strength * near).argmax(axis=1)
        rest = offsets[best] + _between(strength, best) * (offsets[1] - offsets[0]) - expected
        weight = np.square(np.clip(1 - np.square(rest / (2 * window)), 0, None)) * strength[rows, best]
        left = design.T @ (weight[:, None] * design) + 1e-6 * np.eye(3)
        move = move + np.linalg.solve(left, design.T @ (weight * rest))
    sides = weight.reshape(4, -1).mean(axis=1)
    return move, float(np.log(np.minimum(sides, 1.0) + 0.03).sum())


def _rim(pose: Doubles, aspect: float) -> tuple[Doubles, Doubles]:
    """Places (M, 2) on the sides of a card on the plane, and which way is outwards there (M, 2)."""
    part = np.linspace(-0.36, 0.36, SAMPLES)
    half = 0.5 * aspect
    spots, normals = [], []
    for x, y, nx, ny in ((None, -half, 0, -1), (0.5, None, 1, 0), (None, half, 0, 1), (-0.5, None, -1, 0)):
        spots.append(
            np.column_stack(
                [part if x is None else np.full(SAMPLES, x), part * aspect if y is None else np.full(SAMPLES, y)]
            )
        )
        normals.append(np.tile([nx, ny], (SAMPLES, 1)))
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    turn = np.array([[cos, sin], [-sin, cos]])
    return np.concatenate(spots) @ turn + pose[:2], np.concatenate(normals).astype(np.float64) @ turn


def _strength(lab: Floats, plane: Plane, spots: Doubles, normals: Doubles, offsets: Doubles) -> Doubles:
    """(M, STEPS) how much colours differ between both sides of each place across the rim."""
    margin = (offsets[1] - offsets[0]) * SPAN
    step = np.linspace(offsets[0] - margin, offsets[-1] + margin, STEPS + 2 * SPAN)
    across = spots[:, None] + normals[:, None] * step[None, :, None]
    seen = plane.image(across.reshape(-1, 2)).astype(np.float32).reshape(across.shape)
    colours = cv2.remap(lab, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    total = np.concatenate([np.zeros((len(spots), 1, 3)), np.cumsum(colours, axis=1)], axis=1)
    middle = np.arange(STEPS) + SPAN
    inner = (total[:, middle] - total[:, middle - SPAN]) / SPAN
    outer = (total[:, middle + 1 + SPAN] - total[:, middle + 1]) / SPAN
    return np.asarray(np.linalg.norm(outer - inner, axis=2), np.float64)


def _between(strength: Doubles, best: NDArray[np.intp]) -> Doubles:
    """(M,) -0.5..0.5: where between the steps the peak is (parabola through three)."""
    rows = np.arange(len(best))
    at = np.clip(best, 1, strength.shape[1] - 2)
    left, top, right = strength[rows, at - 1], strength[rows, at], strength[rows, at + 1]
    bend = left - 2 * top + right
    shift = np.where(np.abs(bend) > 1e-9, 0.5 * (left - right) / np.where(bend == 0, 1, bend), 0.0)
    return np.asarray(np.clip(np.where(at == best, shift, 0.0), -0.5, 0.5))
