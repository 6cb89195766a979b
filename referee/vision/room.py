"""Is there room for a card that was not read? What shows of its place tells.

A hand, a heap or a dark joint of the floor beside a card hides only part of the place where another may lie; the rest
shows table as it is. A card is laid straight beside its neighbour or a little shoved and turned, and it fills its
place: however it lay, all of it that shows would look unlike the table, as the known cards of this photograph do.
"""

from __future__ import annotations

import numpy as np

from referee.vision.align import Doubles, Pyramid
from referee.vision.correlate import correlations
from referee.vision.facebank import COARSE, FaceBank, Floats
from referee.vision.layers import LEAST_VISIBLE, shown
from referee.vision.plane import Bools, Plane, around
from referee.vision.seen_table import (
    COVERED,
    FINE_PATCH,
    STANDS_OUT,
    SeenTable,
    own_strange_share,
    strange_share,
    strange_shares,
)
from referee.vision.verify import Detections

SHOVED, BESIDE, TURNED = np.linspace(-0.45, 0.45, 10), (-0.04, 0.02, 0.08, 0.14), np.deg2rad((-6.0, 0.0, 6.0))
"""How a card may lie beside another: shoved along it and off it, in card sides, and turned, in radians."""
PLAINLY_LESS = 0.06
"""By how much less of a place than of every known card must look unlike the table for none to lie there, where all
known ones do so nearly wholly (`STANDS_OUT`) (0..1). Measured, at the best of these positions: the places of 51 missed
cards had at most 0.04 less than the least of the known ones, of 117 others two thirds had more, mostly 0.1 to 0.6.
Where a known card is like the table in part that says nothing: missed ones had up to 0.22 less."""
HALF_SHIFTS, HALF_TURNS = np.linspace(-0.24, 0.24, 7), np.deg2rad(np.arange(-45.0, 45.0, 5.0))
"""How a card may lie half under another: shifts in card sides and turns in radians about the middle of a side; all
quarter turns of these are compared."""
HALVES = 8
"""Of how many known cards the halves are compared with their faces."""
UNLIKE_PRINT = 0.1
"""By how much less than every half of a known card what shows must correlate with a face for it to be none of the deck.
Measured: the halves of 264 known cards had 0.74 or more, joints, shadows and foreign things 0.42 to 0.70."""


def room_beside(plane: Plane, cells: Doubles, cards: Detections, on_top: Bools, seen: SeenTable) -> Bools:
    """(N,) in which cells (N, 3) beside known `cards` one more may lie unread, by how much of it would look unlike the
    table. on_top: (M,) which of the known ones are meant to lie on others."""
    if seen.texture(FINE_PATCH) is None or not len(cells):
        return np.ones(len(cells), dtype=bool)
    known = plane.poses(cards.corners)
    out = ~(strange_share(plane, cells, cards, seen) < COVERED)
    own = own_strange_share(plane, cards.select(~on_top), cards.select(on_top), seen)
    least = float(own[~np.isnan(own)].min(initial=1.0))
    if np.isnan(own).all() or least < STANDS_OUT:
        return np.asarray(out)
    for i in np.flatnonzero(out):
        share = strange_shares(plane, np.concatenate([cells[i : i + 1], _positions(cells[i], known)]), seen)
        out[i] = np.isnan(share).all() or share[~np.isnan(share)].max() >= least - PLAINLY_LESS
    return np.asarray(out)


def _positions(cell: Doubles, known: Doubles) -> Doubles:
    """(K, 3) where a card may lie in a cell beside the nearest of the `known` ones (M, 3)."""
    nearest = known[np.hypot(*(known[:, :2] - cell[:2]).T).argmin()]
    off = (cell[:2] - nearest[:2]) / np.linalg.norm(cell[:2] - nearest[:2])
    along = np.array([-off[1], off[0]])
    shoved, beside, turned = (steps.ravel() for steps in np.meshgrid(SHOVED, BESIDE, TURNED))
    middles = cell[:2] + shoved[:, None] * along + beside[:, None] * off
    return np.column_stack([middles, cell[2] + turned])


def print_under(
    pyramid: Pyramid, bank: FaceBank, plane: Plane, cells: Doubles, cards: Detections, on_top: Bools
) -> Bools:
    """(N,) in which cells (N, 3) half under known `cards` the print of one more may show: what is seen there is like
    some face, or too like for the light of this photograph to tell. Where no half of a known card can be compared,
    nobody can tell, nor in decks with cards to be laid on others: their faces may be plain."""
    lower = np.flatnonzero(~on_top)
    out = np.ones(len(cells), dtype=bool)
    if not len(cells) or not len(lower) or bank.has_upper:
        return out
    known = plane.poses(cards.corners)
    usual = _likeness_of_halves(pyramid, bank, plane, known[lower[:: -(-len(lower) // HALVES)]], known[on_top])
    shifts = np.stack(np.meshgrid(HALF_SHIFTS, HALF_SHIFTS), axis=-1).reshape(-1, 2)
    for i, cell in enumerate(cells):
        spots = around(cell[None], shifts)[0]
        poses = np.column_stack([np.tile(spots, (len(HALF_TURNS), 1)), np.repeat(cell[2] + HALF_TURNS, len(spots))])
        like, visible = _likeness(pyramid, bank, plane, poses, known)
        out[i] = like[visible >= LEAST_VISIBLE].max(initial=-1.0) > usual - UNLIKE_PRINT
    return out


def _likeness_of_halves(pyramid: Pyramid, bank: FaceBank, plane: Plane, poses: Doubles, upper: Doubles) -> float:
    """The least correlation with a face that half of a known card (N, 3) has, as if another one lay over the rest; 0
    if none can be compared."""
    found = []
    for across, down in ((0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5)):
        over = np.column_stack([around(poses, np.array([[across, down * plane.aspect]]))[:, 0], poses[:, 2]])
        for pose, other in zip(poses, over, strict=True):
            like, visible = _likeness(pyramid, bank, plane, pose[None], np.concatenate([other[None], upper]))
            if visible[0] >= LEAST_VISIBLE:
                found.append(float(like[0]))
    return min(found, default=0.0)


def _likeness(pyramid: Pyramid, bank: FaceBank, plane: Plane, poses: Doubles, over: Doubles) -> tuple[Floats, Floats]:
    """(N,) correlation with the likest face of what shows of cards at poses (N, 3) under those `over` (M, 3), and which
    share of them that is."""
    templates = bank.at(COARSE, 0.7)
    shows = shown(pyramid.size, plane, templates, poses, over)
    patches = pyramid.cut(plane.outlines(poses), templates.size)
    scores = correlations(patches, templates, bank.turns, shows)
    visible = shows.sum(axis=(1, 2)) / templates.mask.sum()
    return scores.reshape(len(poses), -1).max(axis=1), np.asarray(visible, dtype=np.float32)
