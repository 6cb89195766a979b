"""Colours of ink: how far two are apart, which ones a deck uses, and what people call them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

NAMES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "red": ((48, 68, 46), (52, 60, 35), (62, 50, 30), (38, 52, 32), (45, 60, 22), (68, 36, 24)),
    "orange": ((68, 42, 68), (72, 32, 62), (62, 48, 62)),
    "yellow": ((83, 6, 74), (88, -3, 62), (88, -3, 42), (74, 12, 70), (80, 5, 55)),
    "green": ((52, -42, 28), (60, -45, 40), (76, -35, 25), (42, -35, 20), (66, -45, 22), (80, -45, 50)),
    "turquoise": ((67, -34, -16), (72, -38, -8), (78, -30, -14)),
    "blue": ((38, 18, -58), (45, 8, -52), (28, 30, -62), (58, -2, -42), (70, -5, -34), (25, 14, -38)),
    "purple": ((40, 42, -48), (50, 40, -40), (60, 32, -36), (30, 45, -50), (32, 40, -32)),
    "pink": ((68, 42, 2), (78, 28, 4), (58, 62, -6), (75, 30, -8)),
    "brown": ((28, 16, 24), (40, 18, 30), (34, 22, 32), (48, 14, 26)),
    "black": ((8, 0, 0), (18, 0, 0)),
    "grey": ((45, 0, 0), (60, 0, 0), (72, 0, 0)),
    "white": ((97, 0, 2), (90, 0, 4)),
}
"""CIE Lab of colours that people call so."""


def to_lab(picture: Pixels) -> Floats:
    """(..., 3) uint8 BGR -> float32 CIE Lab (L 0..100)."""
    flat = picture.reshape(-1, 1, 3).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).reshape(picture.shape), np.float32)


def name_of(lab: Sequence[float] | Doubles | Floats) -> str:
    """What a colour (L, a, b) is called: hue counts more than lightness."""
    colour = np.asarray(lab, np.float64)
    weights = np.array([0.45, 1.0, 1.0])
    return min(
        NAMES, key=lambda name: min(float(np.linalg.norm((np.array(p) - colour) * weights)) for p in NAMES[name])
    )


def names_of(palette: Doubles) -> list[str]:
    """A name of its own for each colour (K, 3) Lab: the nearest free one, those that suit best first."""
    weights = np.array([0.45, 1.0, 1.0])
    free = list(NAMES)
    cost = np.array(
        [[min(np.linalg.norm((np.array(p) - c) * weights) for p in NAMES[name]) for name in free] for c in palette]
    )
    out = [""] * len(palette)
    for _ in range(min(len(palette), len(free))):
        k, at = np.unravel_index(int(cost.argmin()), cost.shape)
        out[int(k)] = free[int(at)]
        cost[k, :] = np.inf
        cost[:, at] = np.inf
    return [name or f"colour {k + 1}" for k, name in enumerate(out)]


MOST_COLOURS = 8
"""Colours that a deck's strands have at most."""
LEAST_APART = 9.0
"""Distance in Lab, lightness counting half, that two colours of one deck have at least."""
CLEARLY = 1.7
"""How many times as far apart as parts of one colour two colours are."""


def distance_of_colours(colours: Doubles) -> float:
    """The distance below which two of many samples (N, 3) Lab are one colour: groups are joined from the nearest up,
    until the next two are clearly further apart than all before."""
    points = colours * np.array([0.5, 1.0, 1.0])
    heaps: list[list[Doubles]] = []
    for point in points:
        near = [k for k, heap in enumerate(heaps) if np.linalg.norm(point - heap[0]) < LEAST_APART / 3]
        heaps[near[0]].append(point) if near else heaps.append([point])
    groups = [(np.mean(heap, axis=0), len(heap)) for heap in heaps if len(heap) >= 0.01 * len(points)]
    before = LEAST_APART / 2
    while len(groups) > 1:
        middles = np.array([middle for middle, _ in groups])
        gaps = np.linalg.norm(middles[:, None] - middles[None], axis=2)
        np.fill_diagonal(gaps, np.inf)
        a, b = sorted(int(v) for v in np.unravel_index(int(gaps.argmin()), gaps.shape))
        gap = float(gaps[a, b])
        if gap >= LEAST_APART and len(groups) <= MOST_COLOURS and gap > CLEARLY * before:
            return float(np.sqrt(gap * before))
        before = max(before, gap)
        (one, n), (two, m) = groups[a], groups[b]
        groups[a] = ((one * n + two * m) / (n + m), n + m)
        del groups[b]
    return LEAST_APART


def palette_of(colours: Doubles, same: float = 16.0, rarest: float = 0.03) -> tuple[Doubles, NDArray[np.intp]]:
    """The few colours that many samples (N, 3) Lab are of, and which each sample is: joined by their means.

    same: distance within which two groups are one colour, lightness counting half; rarest: share of the samples below
    which a group goes to its nearest neighbour.
    """
    weights = np.array([0.5, 1.0, 1.0])
    points = colours * weights
    groups: list[list[int]] = []
    middles: list[Doubles] = []
    for k in range(len(points)):  # first into tight heaps, so that few are left to join
        near = [float(np.linalg.norm(points[k] - m)) for m in middles]
        if near and min(near) < same / 3:
            at = int(np.argmin(near))
            groups[at].append(k)
            middles[at] = points[groups[at]].mean(axis=0)
        else:
            groups.append([k])
            middles.append(points[k])
    while len(groups) > 1:
        gaps = np.linalg.norm(np.array(middles)[:, None] - np.array(middles)[None], axis=2)
        np.fill_diagonal(gaps, np.inf)
        a, b = (int(v) for v in np.unravel_index(int(gaps.argmin()), gaps.shape))
        small = [k for k, g in enumerate(groups) if len(g) < rarest * len(points)]
        if gaps[a, b] >= same:
            if not small:
                break
            a = min(small, key=lambda k: len(groups[k]))
            b = int(gaps[a].argmin())
            target = middles[b]
            groups[b] += groups[a]
            middles[b] = target  # the stray ones do not move the colour
        else:
            groups[b] += groups[a]
            middles[b] = points[groups[b]].mean(axis=0)
        del groups[a], middles[a]
    order = sorted(range(len(groups)), key=lambda k: -len(groups[k]))
    which = np.zeros(len(points), np.intp)
    for name, k in enumerate(order):
        which[groups[k]] = name
    return np.array([np.median(colours[groups[k]], axis=0) for k in order]), which
