"""Does something peek out from under a card that was not read? The rim around cards that lie on others tells.

A box under a cat may go unnoticed where hardly anything of it shows, and then the cat seems to lie astray. What shows
around such a card must be a known card or look like the table.
"""

from __future__ import annotations

import numpy as np

from referee.vision.align import Doubles, Pyramid
from referee.vision.candidates import cells_under
from referee.vision.facebank import Bools
from referee.vision.layers import hidden
from referee.vision.plane import Plane, around
from referee.vision.surroundings import STRANGE, SeenTable, TableTexture
from referee.vision.verify import Detections

PATCH = 0.12
"""Side of the patches that are compared with the table, in card units."""
BESIDE = 0.13
"""How far beyond the edge of a card its rim is looked at, in card sides."""
LEAST = 4
"""Strange places in a row of the rim (0.1 of a card's side apart) from which on something lies there."""


def peeking_cells(pyramid: Pyramid, plane: Plane, cards: Detections, on_top: Bools) -> Doubles:
    """Poses (N, 3) where a card may lie under one of the cards `on_top` (M,), though none was read there."""
    if not on_top.any():
        return np.empty((0, 3))
    texture = TableTexture.of(SeenTable.of(pyramid, plane, cards), PATCH)
    if texture is None:
        return np.empty((0, 3))
    poses = plane.poses(cards.corners)
    out = []
    for pose in poses[on_top]:
        rim = around(pose[None], _rim(plane.aspect))[0]
        strange = np.nan_to_num(texture.strangeness(rim), nan=0.0) > STRANGE
        cells = cells_under(plane, pose[None], poses)
        if strange.sum() < LEAST or not len(cells):
            continue
        inside = np.array([(hidden(rim, cell[None], plane.aspect) & strange).sum() for cell in cells])
        if inside.max() >= LEAST:
            out.append(cells[int(inside.argmax())])
    return np.array(out).reshape(-1, 3)


def _rim(aspect: float) -> Doubles:
    """(K, 2) places all around a card, in its own frame, 0.1 of its short side apart."""
    across, down = np.arange(-0.5, 0.51, 0.1), np.arange(-0.5 * aspect, 0.5 * aspect + 0.01, 0.1)
    right, low = 0.5 + BESIDE, 0.5 * aspect + BESIDE
    rows = [np.stack([across, np.full(len(across), sign * low)], 1) for sign in (-1, 1)]
    columns = [np.stack([np.full(len(down), sign * right), down], 1) for sign in (-1, 1)]
    return np.concatenate([*rows, *columns])
