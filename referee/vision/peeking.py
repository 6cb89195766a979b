"""Does something peek out from under a card that was not read? The rim around cards that lie on others tells.

A box under a cat may go unnoticed where hardly anything of it shows, and then the cat seems to lie astray. What shows
around such a card must be a known card or look like the table.
"""

from __future__ import annotations

import numpy as np

from referee.vision.align import Doubles
from referee.vision.candidates import cells_under
from referee.vision.facebank import Bools
from referee.vision.layers import hidden
from referee.vision.plane import Plane, around
from referee.vision.seen_table import FINE_PATCH, SeenTable
from referee.vision.surroundings import fading
from referee.vision.verify import Detections

BESIDE = 0.13
"""How far beyond the edge of a card its rim is looked at, in card sides."""
STRIPS = (0.14, 0.27, 0.4)
"""How far beyond a side the strip is looked at in which a card half under this one would show, in card sides."""
ALONG, LEAST_BEYOND = 0.85, 12
"""Share of strange places in that strip from which on something lies there, and how many must be seen."""
LEAST = 4
"""Strange places in a row of the rim (0.1 of a card's side apart) from which on something lies there."""


def peeking_cells(plane: Plane, cards: Detections, on_top: Bools, seen: SeenTable) -> Doubles:
    """Poses (N, 3) where a card may lie under one of the cards `on_top` (M,), though none was read there."""
    if not on_top.any():
        return np.empty((0, 3))
    texture = seen.texture(FINE_PATCH)
    if texture is None:
        return np.empty((0, 3))
    poses = plane.poses(cards.corners)
    out = []
    for pose in poses[on_top]:
        rim = around(pose[None], _rim(plane.aspect))[0]
        strange = texture.strange(rim) > 0
        cells = cells_under(plane, pose[None], poses)
        if strange.sum() < LEAST or not len(cells):
            continue
        inside = np.array([(hidden(rim, cell[None], plane.aspect) & strange).sum() for cell in cells])
        if inside.max() >= LEAST:
            out.append(cells[int(inside.argmax())])
    return np.array(out).reshape(-1, 3)


def half_under(plane: Plane, cards: Detections, on_top: Bools, seen: SeenTable) -> Doubles:
    """Poses (N, 3) where a card may lie half under one on the table, `on_top` (M,) being those that do not: along a
    whole side of it something lies that is no table and no known card."""
    texture = seen.texture(FINE_PATCH)
    if texture is None or on_top.all():
        return np.empty((0, 3))
    known = plane.poses(cards.corners)
    lower = known[~on_top]
    sides = ((1, 0), (-1, 0), (0, 1), (0, -1))
    # (cards, sides, places, 2)
    points = np.stack([around(lower, _beyond(across, down, plane.aspect)) for across, down in sides], axis=1)
    free = ~hidden(points, known, plane.aspect)
    strange = np.full(free.shape, np.nan)
    strange[free] = texture.strange(points[free])
    looked = (~np.isnan(strange)).sum(axis=2)
    full = (looked >= LEAST_BEYOND) & (np.nansum(strange, axis=2) >= ALONG * looked)
    middles = around(lower, 0.5 * np.array([[across, down * plane.aspect] for across, down in sides]))
    card, side = np.nonzero(full)
    cells = np.column_stack([middles[card, side], lower[card, 2]])
    return np.asarray(cells[~fading(plane, cells, seen)])


def _beyond(across: int, down: int, aspect: float) -> Doubles:
    """(K, 2) places in the strip beyond one side of a card, in its own frame."""
    far, along = np.meshgrid(STRIPS, np.linspace(-0.42, 0.42, 8))
    if across:
        return np.stack([across * (0.5 + far.ravel()), aspect * along.ravel()], axis=1)
    return np.stack([along.ravel(), down * (0.5 * aspect + far.ravel())], axis=1)


def _rim(aspect: float) -> Doubles:
    """(K, 2) places all around a card, in its own frame, 0.1 of its short side apart."""
    across, down = np.arange(-0.5, 0.51, 0.1), np.arange(-0.5 * aspect, 0.5 * aspect + 0.01, 0.1)
    right, low = 0.5 + BESIDE, 0.5 * aspect + BESIDE
    rows = [np.stack([across, np.full(len(across), sign * low)], 1) for sign in (-1, 1)]
    columns = [np.stack([np.full(len(down), sign * right), down], 1) for sign in (-1, 1)]
    return np.concatenate([*rows, *columns])
