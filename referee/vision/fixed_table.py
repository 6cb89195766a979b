"""The measured table under a fixed camera: where its edges are among the cards, and whether the camera was moved.

Where the cards lie to each other is told best by the cards themselves. What was measured tells how they lie to the
table: their plane is laid onto the table's by a turn and a shift, and does not fit if the camera was moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from referee.rulebook import RetakeReason as TroubleKind
from referee.vision.align import Doubles
from referee.vision.decode import Photo
from referee.vision.markers import find_mat
from referee.vision.plane import Plane
from referee.vision.profile import StraightPhoto, TableProfile, in_picture, to_millimetres
from referee.vision.quality import Trouble

MARK = "mat "
"""What the marks of a mat are called in a profile, before the number of the corner."""
MOVED = 0.004
"""By how much of the picture's long side a mark may move before the camera counts as moved."""
MARKS = 2
"""Marks of a mat that must be seen for its edges to be trusted."""
SIZE_OFF = 0.05
"""Part by which cards may be larger or smaller on the measured table than the deck says: decks are measured by hand."""
MISFIT = 0.03
"""How far a card's corners may be off where the measured table has them (median, card sides)."""


@dataclass(frozen=True, slots=True, eq=False)
class TableTop:
    """How the plane of the cards lies to the measured table, whose x runs along its top edge and y down.

    turn: radians, and shift: (2,) card sides, from the plane of the cards to the table. edges: (K, 2) the table's
    corners, card sides; none where they are not known.
    """

    turn: float
    shift: Doubles
    edges: Doubles

    def poses(self, poses: Doubles) -> Doubles:
        """Poses (N, 3) of x, y, turn on the plane of the cards -> on the table."""
        spots = poses[:, :2] @ _turning(self.turn).T + self.shift
        return np.column_stack([spots, poses[:, 2] + self.turn])


def table_top(
    photo: Photo, plane: Plane | None, corners: Doubles, card_mm: tuple[float, float]
) -> tuple[TableTop | None, tuple[Trouble, ...]]:
    """The measured table under the cards at corners (N, 4, 2) px, and what is wrong with it; None where none was
    measured, or the camera was moved."""
    if not isinstance(photo, StraightPhoto) or photo.table is None or plane is None or not len(corners):
        return None, ()
    own = plane.table(corners).reshape(-1, 2)
    scale, turn, shift, off = _laid_onto(own, to_millimetres(photo, photo.table, corners.reshape(-1, 2)))
    marks, moved = _marks(photo, photo.table)
    wrong_size = abs(scale / card_mm[0] - 1) > SIZE_OFF
    if wrong_size or off / scale > MISFIT or moved > MOVED:
        return None, (Trouble(TroubleKind.CAMERA_MOVED, None),)
    edges = np.array(photo.table.edges).reshape(-1, 2) / scale
    if len(edges) and marks < MARKS:
        return TableTop(turn, shift / scale, edges[:0]), (Trouble(TroubleKind.MARKS_COVERED, None),)
    return TableTop(turn, shift / scale, edges), ()


def _turning(turn: float) -> Doubles:
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def _laid_onto(own: Doubles, there: Doubles) -> tuple[float, float, Doubles, float]:
    """The similarity (scale, turn, shift (2,)) that brings points (N, 2) nearest to others (Umeyama 1991), and how far
    off the middle one then is."""
    middle, goal = own.mean(axis=0), there.mean(axis=0)
    spread = (there - goal).T @ (own - middle)
    turn = float(np.arctan2(spread[1, 0] - spread[0, 1], spread[0, 0] + spread[1, 1]))
    straight = (own - middle) @ _turning(turn).T
    scale = float((straight * (there - goal)).sum() / max(float(np.square(straight).sum()), 1e-12))
    shift = goal - scale * (_turning(turn) @ middle)
    off = float(np.median(np.hypot(*(scale * straight + goal - there).T)))
    return scale, turn, shift, off


def _marks(photo: StraightPhoto, table: TableProfile) -> tuple[int, float]:
    """How many marks of the mat are seen, and how far they have moved, as a part of the picture's long side."""
    known = {name: place for name, place in table.marks.items() if name.startswith(MARK)}
    if not known:
        return 0, 0.0
    seen = {f"{MARK}{corner}": quad[corner] for corner, quad in find_mat(photo.pixels).items()}
    return len(seen.keys() & known.keys()), _moved(seen, known, photo, table)


def _moved(
    seen: Mapping[str, Doubles], known: Mapping[str, tuple[float, float]], photo: StraightPhoto, table: TableProfile
) -> float:
    both = sorted(seen.keys() & known.keys())
    if not both:
        return 0.0
    then = in_picture(photo, table, np.array([known[name] for name in both]))
    apart = np.hypot(*(np.array([seen[name] for name in both]) - then).T)
    return float(np.median(apart) / max(photo.pixels.shape[:2]))
