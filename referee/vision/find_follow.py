"""From some cards on a plane to all of them: those that touch, those that no cue shows, those without seams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, Pyramid, areas
from referee.vision.facebank import Floats
from referee.vision.find_agree import distinct, misfit, oriented, side_evidence
from referee.vision.find_quads import refit
from referee.vision.find_search import beside, flush_neighbours, search
from referee.vision.find_surface import Surface, like_the_clear_ones, unlike_the_rest
from referee.vision.plane import Plane, fit_plane

ROUNDS = 5
"""How often neighbours of found cards are looked for."""
FLUSH = 0.06
"""What a card flush beside a place adds to its score when it is weighed against places over it."""
FOREIGN = 0.5
"""Share of a card that is not table from which on the table can be told from cards."""
FILLED = 0.75
"""Share of what is usual among the cards that must not be table where a card is to lie without seams."""
OWN_SIDES = 0.5
"""Evidence of the weakest side of a card that has the table's colour."""
STRAY = 0.8
"""Share of what is usual in a lattice that must not be table where a card is to lie elsewhere."""
FILLS = 6
MOST_CARDS = 200
CLOSED = 0.3
"""Evidence that a side has at the edge of the cards, when it is one."""
STRAIGHT = 0.6
"""Share of the sides at the table that must be edges where places without seams are to be cards."""
MANY_FILL = 0.58
"""Score that the best fifth of many must have where all that is not table is cards."""
BARE, EDGED = 0.3, 0.25
"""Cells of a lattice whose sides at the table have less evidence than this share of what is usual there, if that is at
least so much, are no cards."""
GAPS = np.arange(0.008, 0.1, 0.008)
"""Depths within a side, in card sides, at which a gap beside the card is looked for."""
STARTS = 4
"""Among so many of the first of them a gap starts; before it is the blurred edge of the next card."""
IN_GAP, IN_CARD = 0.5, 0.3
"""Share of a strip along a side that is table in a gap, at least, and within the card, at most."""
SURE = 0.45
"""Score (0..1) from which on a place is a card."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What is known of the picture. image: (H, W, 3) uint8 BGR; strength: its edges; surface: what is table."""

    image: Pixels
    strength: Floats
    surface: Surface
    aspect: float

    @property
    def size(self) -> tuple[int, int]:
        return self.image.shape[1], self.image.shape[0]


def followed(scene: Scene, members: Doubles, plane: Plane, worth: float) -> tuple[Doubles, Doubles]:
    """All cards (N, 4, 2) on the plane and their scores (N,), best first.

    worth: of the lattice whose cells the members are, each of which is a card if the others are; else 0.
    """
    least = 0.5 + 0.5 * worth if worth else 0.0
    if worth:
        fitted = fit_plane(oriented(members, plane, scene.aspect), scene.aspect, scene.size)
        if fitted is not None:
            plane = fitted[0]
            members = laid(scene, plane, plane.outlines(plane.poses(oriented(members, plane, scene.aspect))))
    side = np.sqrt(areas(members) / scene.aspect)
    poses, _ = search(Pyramid.of(scene.image), plane, scene.surface.region(members), 0.5 * float(side.min()))
    searched = laid(scene, plane, plane.outlines(poses))
    corners = np.concatenate([members, searched])
    known = np.arange(len(corners)) < len(members)
    score = np.maximum(scored(scene, corners, known), least * known)
    kept = _kept(scene, plane, corners, score, known & (least > 0))
    if not len(kept) or score[kept].max() < MANY_FILL:
        return corners[:0], score[:0]
    kept = kept[~_bare(scene, corners[kept], known[kept] & (least > 0))]
    for _ in range(ROUNDS):  # the plane once more from all cards, and what lies flush beside them
        before = len(kept)
        fitted = fit_plane(oriented(corners[kept], plane, scene.aspect), scene.aspect, scene.size)
        if fitted is not None:
            plane = fitted[0]
        flush = beside(plane.poses(oriented(corners[kept], plane, scene.aspect)), scene.aspect)
        fresh = laid(scene, plane, np.concatenate([corners[kept], plane.outlines(flush)]))
        corners = np.concatenate([corners[kept], fresh])
        known = np.concatenate([known[kept], np.zeros(len(fresh), dtype=bool)])
        score = np.maximum(scored(scene, corners, known), least * known)
        kept = _kept(scene, plane, corners, score, known & (least > 0))
        if len(kept) <= before:
            break
    cells = (known & (least > 0))[kept]
    corners, score = _filled(scene, plane, corners[kept], score[kept])
    cells = np.concatenate([cells, np.zeros(len(corners), dtype=bool)])[: len(corners)]
    # A card of the table's colour has four sides of its own; a hole between cards has theirs.
    apart = scene.surface.beside_others(corners, 0.06).max(axis=1, initial=0.0) < 0.3
    own = cells | (apart & (side_evidence(scene.strength, corners).min(axis=1, initial=1.0) > OWN_SIDES))
    score = np.where(own, score, score * scene.surface.usual(corners))
    keep = (score > SURE) & (scene.surface.cards(corners) | own)
    corners, score, cells, own = corners[keep], score[keep], cells[keep], own[keep]
    foreign = scene.surface.foreign(corners)
    keep = unlike_the_rest(scene.surface.lab, corners, foreign)
    keep |= own & keep.any()  # unless all of them are a pattern of the table
    if cells.any():  # beside a lattice only what differs from the table as the lattice does
        keep = cells | (keep & (foreign > STRAY * float(np.median(foreign[cells]))))
    corners, score = corners[keep], score[keep]
    alike = like_the_clear_ones(corners, scene.surface, side_evidence(scene.strength, corners))
    return corners[alike], score[alike]


def _bare(scene: Scene, corners: Doubles, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(N,) which cells of a lattice have no edge where they end at the table, unlike the others: light on the table."""
    bare = np.zeros(len(corners), dtype=bool)
    evidence = side_evidence(scene.strength, corners)
    while (cells & ~bare).any():
        now = np.flatnonzero(cells & ~bare)
        free = scene.surface.beside_others(corners[now]) < 0.3
        shown = np.array([e[f].mean() if f.sum() > 1 else 1.0 for e, f in zip(evidence[now], free, strict=True)])
        usual = float(np.median(evidence[now][free])) if free.any() else 0.0
        fresh = shown < BARE * usual
        if usual < EDGED or not fresh.any():
            break
        bare[now[fresh]] = True
    return bare


def _kept(scene: Scene, plane: Plane, corners: Doubles, score: Doubles, cells: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The cards among places over each other: those with the best sides, and with other cards flush beside them;
    but first the cells of a lattice (N,)."""
    likely = np.flatnonzero(score > SURE)
    poses = plane.poses(oriented(corners[likely], plane, scene.aspect))
    rank = score.copy()
    rank[likely] += FLUSH * np.minimum(flush_neighbours(poses, scene.aspect, score[likely]), 3.0)
    return distinct(corners, rank + cells, likely)


def _filled(scene: Scene, plane: Plane, corners: Doubles, score: Doubles) -> tuple[Doubles, Doubles]:
    """With the places flush beside these cards that must be cards too, though the seams do not show.

    Whatever is not table is filled with cards, and then those are taken away again, from outside, that have a side
    at the table without an edge.
    """
    usual = float(np.median(scene.surface.foreign(corners))) if len(corners) else 0.0
    if usual < FOREIGN:
        return corners, score
    sure = len(corners)
    for _ in range(FILLS):
        poses = plane.poses(oriented(corners, plane, scene.aspect))
        fresh = laid(scene, plane, plane.outlines(beside(poses, scene.aspect)), 0.12, 0.07)
        fresh = fresh[scene.surface.foreign(fresh) > FILLED * usual]
        together = np.concatenate([corners, fresh])
        rank = np.concatenate([np.full(len(corners), 2.0), side_evidence(scene.strength, fresh).mean(axis=1)])
        kept = np.sort(distinct(together, rank, np.arange(len(together))))
        if len(kept) == len(corners) or len(kept) > MOST_CARDS:
            break
        corners = together[kept]
        fitted = fit_plane(oriented(corners, plane, scene.aspect), scene.aspect, scene.size)
        if fitted is not None:  # what was far from the known cards is known better now
            plane = fitted[0]
            corners[sure:] = laid(scene, plane, corners[sure:])
    filled = np.arange(len(corners)) >= sure
    evidence = side_evidence(scene.strength, corners)
    table = scene.surface.table_beside(corners)
    border = filled[:, None] & (table > 0.7)
    if border.any() and (evidence[border] > CLOSED).mean() < STRAIGHT:
        return corners[~filled], score  # whatever lies there has not the straight sides of cards
    keep = np.ones(len(corners), dtype=bool)
    while True:
        now = np.flatnonzero(keep)
        closed = np.maximum(evidence[now], scene.surface.beside_others(corners[now]))
        closed = np.maximum(closed, 0.5 * (1 - table[now]))
        bare = ((closed.min(axis=1) < 0.5 * CLOSED) | (closed.mean(axis=1) < 0.5)) & filled[now]
        if not bare.any():
            break
        keep[now[bare]] = False
    score = np.concatenate([score, SURE + 0.25 * closed[filled[now]].mean(axis=1)])
    return corners[keep], score


def laid(scene: Scene, plane: Plane, rough: Doubles, reach: float = 0.05, most: float = 0.04) -> Doubles:
    """The quads fitted to the picture's edges within `reach`, laid flat where that took them off the plane.

    reach, most: how far edges and a fitted quad's corners may be off, in card sides.
    """
    if not len(rough):
        return rough
    fine = refit(scene.strength, refit(scene.strength, rough, reach), 0.03)
    turned = oriented(fine, plane, scene.aspect)
    rigid = plane.outlines(plane.poses(turned))
    off = misfit(plane, fine) > most
    fine[off] = rigid[off]
    return fine


def without_gaps(scene: Scene, corners: Doubles) -> Doubles:
    """The cards (N, 4, 2) px with those sides moved inwards that lie on the next card's edge, beyond a gap."""
    if not len(corners):
        return corners
    table = np.stack([scene.surface.table_within(corners, depth) for depth in GAPS], axis=-1)  # (N, 4, depths)
    in_gap = table > IN_GAP
    last = len(GAPS) - 1 - in_gap[..., ::-1].argmax(axis=-1)
    gap = in_gap[..., :STARTS].any(axis=-1) & (table[..., -2:].max(axis=-1) < IN_CARD)
    gap &= scene.surface.beside_others(corners, 0.06) > IN_GAP
    moved = inset(corners, np.where(gap, GAPS[last] + GAPS[0], 0.0))
    return np.where(gap.any(axis=1)[:, None, None], refit(scene.strength, moved, 0.02), corners)


def inset(corners: Doubles, depth: Doubles) -> Doubles:
    """The quads (N, 4, 2) with each side moved inwards by `depth` (N, 4) of the distance to the opposite one."""
    out = corners.copy()
    for side in range(4):
        start, end, far, near = (corners[:, (side + k) % 4] for k in range(4))
        share = depth[:, side, None]
        out[:, side] += share * (near - start)
        out[:, (side + 1) % 4] += share * (far - end)
    return out


def scored(scene: Scene, corners: Doubles, known: NDArray[np.bool_]) -> Doubles:
    """(N,) in 0..1: the evidence of the four sides, the weakest counting most."""
    evidence = np.sort(side_evidence(scene.strength, corners), axis=1)
    score = 0.5 * evidence[:, 0] + 0.3 * evidence[:, 1] + 0.2 * evidence[:, 2:].mean(axis=1)
    return np.asarray(score + 0.12 * known)
