"""Places beside the known cards where nothing was read, but bare table does not show either."""

from __future__ import annotations

import numpy as np

from referee.vision.align import Doubles, Pyramid
from referee.vision.candidates import cells_beside
from referee.vision.plane import Bools, Plane, around
from referee.vision.room import room_beside
from referee.vision.seen_table import FINE_PATCH, PATCH, SeenTable
from referee.vision.surroundings import fading
from referee.vision.verify import Detections

NEARLY_BLOWN, BURNT = 244, 0.3
"""Grey level from which on print fades, and the share of such pixels from which on a place says nothing, even if all of
the table is as white (0..1): of a row of cards that the light has washed out each one looks like the next. Set on two
such tables; on 148 other photographs no verdict became doubtful by it."""
STRIP = 0.22
"""How far beyond a card's edge the picture must reach for the place beside it to be known, in card sides."""


def unclear_cells(pyramid: Pyramid, plane: Plane, cards: Detections, on_top: Bools, seen: SeenTable) -> Doubles:
    """Poses (N, 3) straight beside cards where a card may lie that was not read; on_top: (M,) which of the cards are
    meant to lie on others."""
    cells = cells_beside(plane, cards, pyramid.size, beyond=True)
    if not len(cells):
        return cells
    texture = seen.texture(PATCH)
    burnt = (pyramid.cut(plane.outlines(cells), (16, 16)).min(axis=3) >= NEARLY_BLOWN).mean(axis=(1, 2)) > BURNT
    unclear = burnt | _runs_out(pyramid, plane, cards, cells, seen)
    if texture is not None:
        quarter = 0.2
        offsets = np.array([[0, 0], [-quarter, -quarter], [quarter, -quarter], [quarter, quarter], [-quarter, quarter]])
        spots = texture.strange(around(cells, offsets * [1, plane.aspect]))
        looked = (~np.isnan(spots)).sum(axis=1)
        strange = np.where(spots[:, 0] > 0, np.nansum(spots, axis=1), 0)
        odd = (looked >= 3) & (strange >= np.maximum(3, looked - 1))
        odd[odd] = room_beside(plane, cells[odd], cards, on_top, seen)
        odd[odd] = ~fading(plane, cells[odd], seen)
        unclear |= odd
    return np.asarray(cells[unclear])


def _runs_out(pyramid: Pyramid, plane: Plane, cards: Detections, cells: Doubles, seen: SeenTable) -> Bools:
    """(N,) whether a card in a place beyond the picture's edge could have been missed.

    It would begin close to its neighbour and so still show a strip; only where the strip beside the card is out of the
    picture too, or looks unlike the table, can one not tell.
    """
    known = plane.poses(cards.corners)
    known = known[np.hypot(*(cells[:, None, :2] - known[None, :, :2]).transpose(2, 0, 1)).argmin(axis=1)]
    nearest, turn = known[:, :2], known[:, 2]
    toward = cells[:, :2] - nearest
    toward /= np.linalg.norm(toward, axis=1, keepdims=True)
    right = np.abs(toward[:, 0] * np.cos(turn) + toward[:, 1] * np.sin(turn))
    down = np.abs(toward[:, 1] * np.cos(turn) - toward[:, 0] * np.sin(turn))
    edge = 0.5 / np.maximum(np.maximum(right, down / plane.aspect), 1e-6)
    strip = nearest + toward * (edge + STRIP)[:, None]
    across = np.stack([-toward[:, 1], toward[:, 0]], axis=1)
    points = strip[:, None] + across[:, None] * np.array([-0.3, 0.0, 0.3])[None, :, None]
    out = ~_in_picture(plane.image(strip), pyramid.size)
    beyond = ~_in_picture(plane.image(cells[:, :2]), pyramid.size)
    texture = seen.texture(FINE_PATCH) if beyond.any() else None
    if texture is not None:
        out |= beyond & (np.nansum(texture.strange(points), axis=1) >= 2)
    return np.asarray(out)


def _in_picture(points: Doubles, size: tuple[int, int]) -> Bools:
    return np.asarray(((points >= 0) & (points < np.array(size))).all(axis=1))
