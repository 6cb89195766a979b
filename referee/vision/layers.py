"""Which part of a card shows when others lie over it or when it reaches out of the picture."""

from __future__ import annotations

import numpy as np

from referee.vision.align import Doubles
from referee.vision.facebank import Bools, Floats, Templates
from referee.vision.plane import Plane

LEAST_VISIBLE = 0.25
"""Share of a card that must show beside other cards for it to be found (range 0..1)."""
PART_PRICE = 0.3
"""What is taken off the correlation of a card that hardly shows (0..1), in proportion to what is hidden."""
RIM = 0.01
"""How far the edge of an upper card hides what is beside it (its thickness and shadow), in short sides."""


def shown(
    photo: tuple[int, int],
    plane: Plane,
    templates: Templates,
    poses: Doubles,
    upper: Doubles,
    over: Bools | None = None,
    rim: float = RIM,
) -> Floats:
    """(N, h, w) 1 where cards at `poses` (N, 3) show, 0 where hidden by cards at `upper` (M, 3) or out of the picture.

    photo: (width, height) of the picture in pixels.
    over: (N, M) which of the upper cards lie over which; None: all of them over each. A card does not hide itself.
    rim: how far beside an upper card nothing counts either, in short sides.
    """
    width, height = templates.size
    column = (np.arange(width) + 0.5) / width - 0.5
    row = ((np.arange(height) + 0.5) / height - 0.5) * plane.aspect
    shows = np.repeat(templates.mask[None], len(poses), axis=0)
    apart = np.hypot(*(poses[:, None, :2] - upper[None, :, :2]).transpose(2, 0, 1))
    near = apart < np.hypot(1.0, plane.aspect) + RIM
    if over is not None:
        near &= over
    card, lying_over = np.nonzero(near)
    if len(card):
        covered = _covered(poses[card], upper[lying_over], column, row, plane.aspect, rim)
        first = np.flatnonzero(np.diff(card, prepend=-1))
        shows[card[first]] *= ~np.logical_or.reduceat(covered, first, axis=0)
    outlines = plane.outlines(poses) if len(poses) else np.empty((0, 4, 2))
    size = np.array(photo)
    for i in np.flatnonzero(((outlines < 0) | (outlines > size)).any(axis=(1, 2))):
        spots = np.stack(np.broadcast_arrays(column, row[:, None]), axis=-1) @ rotation(poses[i, 2]).T + poses[i, :2]
        seen = plane.image(spots)
        shows[i][((seen < 0) | (seen > size - 1)).any(axis=-1)] = 0
    return shows


def _covered(poses: Doubles, upper: Doubles, column: Doubles, row: Doubles, aspect: float, rim: float) -> Bools:
    """(P, h, w) which points of cards at `poses` (P, 3), `column` (w,) across and `row` (h,) down from the middle, lie
    under the card at the pose of `upper` (P, 3) that goes with each.

    Seen from the upper card both of a point's coordinates are a sum of one part by column and one by row.
    """
    turn = poses[:, 2] - upper[:, 2]
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    gap = poses[:, :2] - upper[:, :2]
    c, s = np.cos(upper[:, 2]), np.sin(upper[:, 2])
    across, down = c * gap[:, 0] + s * gap[:, 1], c * gap[:, 1] - s * gap[:, 0]
    x = np.add(*_parts(across[:, None] + cos * column, -sin * row))
    y = np.add(*_parts(down[:, None] + sin * column, cos * row))
    return np.asarray((np.abs(x, out=x) < 0.5 + rim) & (np.abs(y, out=y) < 0.5 * aspect + rim))


def _parts(by_column: Doubles, by_row: Doubles) -> tuple[Floats, Floats]:
    return by_column[:, None, :].astype(np.float32), by_row[:, :, None].astype(np.float32)


def hidden(spots: Doubles, upper: Doubles, aspect: float, rim: float = RIM) -> Bools:
    """(...,) which table points (..., 2) lie under cards at poses `upper` (M, 3)."""
    out = np.zeros(spots.shape[:-1], dtype=bool)
    for x, y, turn in upper:
        local = np.abs((spots - [x, y]) @ rotation(turn))
        out |= (local[..., 0] < 0.5 + rim) & (local[..., 1] < 0.5 * aspect + rim)
    return out


def rotation(angle: float) -> Doubles:
    """(2, 2) rotation by `angle` radians clockwise (y down)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
