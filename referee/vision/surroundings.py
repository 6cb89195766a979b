"""Is the place beside a card bare table? If not, something may lie there that could not be read.

A hand over a card, the rest of a pile under its top card, a card that glare has washed out: none of them can be
recognised, but all of them look unlike the table elsewhere. Patches are described by colour (in a
form that shadow does not change), lightness and grain, and compared with patches of the same photograph's table: a
patch that has hardly any like it elsewhere is *strange* (distance to the k-th neighbour, Ramaswamy et al. 2000).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pyramid
from referee.vision.candidates import cells_beside
from referee.vision.plane import Plane, card_corners, view_from_above
from referee.vision.verify import Detections

GRAIN = 24
"""Pixels of a card's short side in the view that is compared."""
PATCH = 0.4
"""Side of a patch, in card units."""
SHADOW = 0.4
"""How much of a difference in lightness counts where a patch is darker than the table: shadows are common."""
FLOORS = (0.05, 0.05, 0.35, 0.04, 0.04, 0.12, 0.03)
"""Least spread of each measure that counts: two log ratios of colour, log lightness, their deviations, grain."""
STRANGE = 2.4
"""Distance to the table's patches, relative to their own, from which on a patch is strange."""
MOST_PATCHES = 900
"""Patches of the table compared with."""


def unclear_cells(pyramid: Pyramid, plane: Plane, cards: Detections) -> Doubles:
    """Poses (N, 3) straight beside cards where nothing was read but the table does not show either."""
    cells = cells_beside(plane, cards, pyramid.size, beyond=True)
    if not len(cells):
        return cells
    strangeness = strangeness_of(pyramid, plane, cards, cells)
    looked = (~np.isnan(strangeness)).sum(axis=1)
    strange = np.where(strangeness[:, 0] > STRANGE, (strangeness > STRANGE).sum(axis=1), 0)
    outside = ~_in_picture(plane.image(cells[:, :2]), pyramid.size)
    return cells[outside | ((looked >= 3) & (strange >= np.maximum(3, looked - 1)))]


def _in_picture(points: Doubles, size: tuple[int, int]) -> NDArray[np.bool_]:
    return np.asarray(((points >= 0) & (points < np.array(size))).all(axis=1))


def strangeness_of(pyramid: Pyramid, plane: Plane, cards: Detections, cells: Doubles) -> Doubles:
    """(N, 5) how strange the middle and the four quarters of each cell (N, 3) look; NaN where a card lies or the picture ends."""
    view, to_table = view_from_above(plane, pyramid, float(GRAIN), most_pixels=1.5e6)
    scale = 1 / to_table[0, 0]
    measures, valid = _measures(view, scale)
    known = plane.poses(cards.corners)
    taken = np.zeros(view.shape[:2], np.uint8)
    for outline in card_corners(known, plane.aspect):
        spots = (outline - to_table[:, 2]) * scale
        cv2.fillConvexPoly(taken, np.round(spots).astype(np.int32), 1)
    patch = max(3, round(PATCH * scale))
    under_cards = cv2.boxFilter(taken.astype(np.float32), -1, (patch, patch))
    free = (under_cards < 0.02) & (valid > 0.98)
    step = max(2, patch // 2)
    table = measures[::step, ::step][free[::step, ::step]]
    out = np.full((len(cells), 5), np.nan)
    if len(table) < 40:
        return out
    table = table[:: max(1, len(table) // MOST_PATCHES)]
    middle = np.median(table, axis=0)
    spread = np.maximum(1.48 * np.median(np.abs(table - middle), axis=0), FLOORS)
    table = (table - middle) / spread
    darkest = float(np.percentile(table[:, 2], 5))
    nearest = max(3, round(0.03 * len(table)))
    usual = max(float(np.median(_to_neighbour(table, table, nearest + 1))), 0.35)
    quarter = 0.2
    offsets = np.array([[0, 0], [-quarter, -quarter], [quarter, -quarter], [quarter, quarter], [-quarter, quarter]])
    for i, (x, y, turn) in enumerate(cells):
        c, s = np.cos(turn), np.sin(turn)
        spots = offsets * [1, plane.aspect] @ np.array([[c, s], [-s, c]]) + [x, y]
        pixels = np.round((spots - to_table[:, 2]) * scale).astype(int)
        inside = ((pixels >= 0) & (pixels < [view.shape[1], view.shape[0]])).all(axis=1)
        column, row = np.clip(pixels, 0, np.array([view.shape[1], view.shape[0]]) - 1).T
        inside &= (valid[row, column] > 0.9) & (under_cards[row, column] < 0.03)
        patches = (measures[row, column] - middle) / spread
        dark = np.minimum(patches[:, 2] - darkest, 0)
        patches[:, 2] -= (1 - SHADOW) * dark
        out[i] = np.where(inside, _to_neighbour(patches, table, nearest) / usual, np.nan)
    return out


def _measures(view: NDArray[np.uint8], scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(H, W, 7) measures of the half-card patch around each pixel, and (H, W) how much of it is in the picture."""
    valid = (view.max(axis=2) > 0).astype(np.float32)
    blue, green, red = (view[..., i].astype(np.float32) + 5 for i in range(3))
    light = np.log(0.114 * blue + 0.587 * green + 0.299 * red)
    ratios = (np.log(green / red), np.log(blue / red))
    size = (max(3, round(PATCH * scale)),) * 2

    def mean(picture: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.boxFilter(picture, cv2.CV_32F, size), dtype=np.float32)

    def deviation(picture: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.sqrt(np.maximum(mean(picture**2) - mean(picture) ** 2, 0))

    grain = np.abs(cv2.Laplacian(light, cv2.CV_32F, ksize=3)) / 4
    layers = [*(mean(r) for r in ratios), mean(light), *(deviation(r) for r in ratios), deviation(light), mean(grain)]
    return np.stack(layers, axis=-1), mean(valid)


def _to_neighbour(points: Doubles, table: Doubles, nearest: int) -> Doubles:
    """(N,) distance of each point to its `nearest`-th neighbour among the table's patches."""
    gaps = ((points[:, None] - table[None]) ** 2).sum(axis=2)
    return np.asarray(np.sqrt(np.partition(gaps, nearest - 1, axis=1)[:, nearest - 1]))
