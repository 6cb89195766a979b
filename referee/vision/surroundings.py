"""Is the place beside a card bare table? If not, something may lie there that could not be read.

A hand over a card, the rest of a pile under its top card, a card that glare has washed out: none of them can be
recognised, but all of them look unlike the table elsewhere (see `referee.vision.seen_table`).
"""

from __future__ import annotations

import numpy as np

from referee.vision.align import Doubles
from referee.vision.covering import overlaps
from referee.vision.plane import Bools, Plane, around
from referee.vision.seen_table import FINE_PATCH, NEAR_RING, PATCH, RING_PATCH, SeenTable
from referee.vision.verify import Detections

RING = 0.74
"""How far from its middle the ring around a card is looked at, in card sides."""
CROWDED = 0.42
"""Share of strange patches in the ring around a card from which on it may be the top of a pile (0..1)."""
STRAIGHT, IN_LINE = np.deg2rad(3.0), 0.08
"""How far two cards may be turned and shoved against each other, in radians and card sides, to lie in one line."""
ALONE = 1.6
"""How far from every other card one lies by itself, in units of a card's long side."""
EDGE_SPOTS, BESIDE, PEEKING_RUN = 9, 0.15, 4
"""Spots looked at along each edge of a card and how far beside it, in card sides; and how many in a row must be strange
for something to peek out from under it. Measured on 122 photographs: so are 6 of 6 tops of heaps, and 7 of 17 cards
that lie by themselves on the table; those are asked about as well."""
OVERLAP = 0.07
"""Share of a card's area that two cards may share without being a pile (0..1)."""
ABRUPT, SURROUNDED = 0.62, 0.3
"""Share of a place's difference from the table that a step must reach for something to end there, and the share of its
surroundings that must show (0..1). Measured on 90 doubtful places: 0.73 at least where a card lay; lamplight and shadow
0.45 to 0.65."""


def fading(plane: Plane, places: Doubles, seen: SeenTable, within: float = 0.75) -> Bools:
    """(N,) whether places (N, 3) that look unlike the table fade into it, looked at up to `within` card sides around.

    Lamplight and soft shadow do, hands and cards end with an edge. Where too little table shows, nobody can tell, and
    it does not count as fading.
    """
    texture = seen.texture(PATCH)
    out = np.zeros(len(places), dtype=bool)
    if texture is None or not len(places):
        return out
    reach = np.linspace(-within, within, 17)
    column, row = np.meshgrid(reach, reach * plane.aspect)
    far = np.maximum(np.abs(column), np.abs(row) / plane.aspect).ravel() / within
    height, width = seen.free.shape
    for i, spots in enumerate(around(places, np.stack([column, row], axis=-1).reshape(-1, 2))):
        pixels = np.round((spots - seen.origin) * seen.scale).astype(int)
        inside = ((pixels >= 0) & (pixels < [width, height])).all(axis=1)
        x, y = np.clip(pixels[:, 0], 0, width - 1), np.clip(pixels[:, 1], 0, height - 1)
        free = inside & seen.free[y, x] & ~np.isnan(seen.smooth[y, x, 0])
        if free[far > 0.66].mean() < SURROUNDED or not free[far < 0.4].any():
            continue
        apart = np.abs(seen.smooth[y, x][free & (far < 0.4)].mean(axis=0) - texture.middle[:3])
        channel = int(np.argmax(apart / texture.spread[:3]))
        steepest = float(np.percentile(seen.steps[y, x, channel][free], 97))
        out[i] = steepest < ABRUPT * apart[channel]
    return out


def crowded(plane: Plane, cards: Detections, on_top: Bools, seen: SeenTable) -> Bools:
    """(N,) whether a card may be part of a pile: surrounded by things that are no table, or in part under another card
    of its kind. on_top: (N,) which cards are meant to lie on others; one that lies on known ones is on no pile. Two
    cards of a layout that were laid one over the other lie as straight as the rest of it."""
    poses = plane.poses(cards.corners)
    shared = overlaps(poses, poses, plane.aspect)
    rests = on_top & ((shared > OVERLAP) & ~on_top[None, :]).any(axis=1)
    in_line = _in_line(poses, plane.aspect)
    laid = _straight(poses, plane.aspect) & (in_line[:, None] | in_line[None, :])
    piled = (shared > OVERLAP) & (on_top[:, None] == on_top[None, :]) & ~laid & ~np.eye(len(cards), dtype=bool)
    amid = _amid_things(plane, cards, seen) & ~rests & ~in_line
    return np.asarray(amid | piled.any(axis=1) | _on_others(plane, cards, seen))


def _amid_things(plane: Plane, cards: Detections, seen: SeenTable) -> Bools:
    texture = seen.texture(RING_PATCH) if len(cards) else None
    if texture is None:
        return np.zeros(len(cards), dtype=bool)
    along = np.array([-0.4, -0.13, 0.13, 0.4])
    sides = [np.stack([along, np.full(4, sign * RING)], axis=1) for sign in (-1, 1)]
    ring = np.concatenate([*sides, *(side[:, ::-1] for side in sides)]) * [1, plane.aspect]
    seen_around = texture.strange(around(plane.poses(cards.corners), ring))
    looked = (~np.isnan(seen_around)).sum(axis=1)
    strange = seen_around > 0
    amid = (strange.sum(axis=1) >= 4) & (strange.sum(axis=1) >= CROWDED * looked)
    amid &= looked > len(ring) // 2  # with cards straight beside it on two sides it lies in a layout, not on a pile
    poses = plane.poses(cards.corners)
    for i in np.flatnonzero(amid):
        spots = around(poses[i : i + 1], ring[strange[i]])[0]
        fades = fading(plane, np.column_stack([spots, np.full(len(spots), poses[i, 2])]), seen, NEAR_RING)
        things = int((~fades).sum())
        amid[i] = things >= 4 and things >= CROWDED * looked[i]
    return np.asarray(amid)


def _in_line(poses: Doubles, aspect: float) -> Bools:
    """(N,) which cards lie straight beside another, edge along edge, as cards of a layout do and tops of piles do not:
    those are thrown down."""
    offset = poses[None, :, :2] - poses[:, None, :2]
    cos, sin = np.cos(poses[:, None, 2]), np.sin(poses[:, None, 2])
    across = np.abs(cos * offset[..., 0] + sin * offset[..., 1])
    down = np.abs(cos * offset[..., 1] - sin * offset[..., 0])
    beside = (np.abs(across - 1) < IN_LINE) & (down < IN_LINE)
    beside |= (np.abs(down - aspect) < IN_LINE) & (across < IN_LINE)
    return np.asarray((_straight(poses, aspect) & beside).any(axis=1))


def _straight(poses: Doubles, aspect: float) -> Bools:
    """(N, N) which two cards lie with their sides in the same directions."""
    apart = poses[None, :, 2] - poses[:, None, 2]
    if aspect > 1:
        return np.asarray(np.abs(np.sin(apart)) < STRAIGHT)
    return np.asarray(np.abs(np.sin(2 * apart)) < 2 * STRAIGHT)


def _on_others(plane: Plane, cards: Detections, seen: SeenTable) -> Bools:
    """(N,) from under which cards that lie by themselves something peeks out that is no table: the heap's next card.

    Along a stretch of the card's edge the table must be strange, and end with an edge where it is so.
    """
    out = np.zeros(len(cards), dtype=bool)
    texture = seen.texture(FINE_PATCH) if len(cards) else None
    if texture is None:
        return out
    poses = plane.poses(cards.corners)
    apart = np.hypot(*(poses[:, None, :2] - poses[None, :, :2]).transpose(2, 0, 1)) + 9 * np.eye(len(cards))
    along = (np.arange(EDGE_SPOTS) + 0.5) / EDGE_SPOTS - 0.5
    right, below = np.full(EDGE_SPOTS, 0.5 + BESIDE), np.full(EDGE_SPOTS, 0.5 * plane.aspect + BESIDE)
    edges = [(along, -below), (right, along * plane.aspect), (-along, below), (-right, -along * plane.aspect)]
    ring = np.concatenate([np.stack(edge, axis=1) for edge in edges])  # clockwise from the top left
    for i in np.flatnonzero(apart.min(axis=1) > ALONE * plane.aspect):
        spots = around(poses[i : i + 1], ring)[0]
        strange = texture.strange(spots) > 0
        if longest_run(strange) >= PEEKING_RUN:
            turned = np.column_stack([spots[strange], np.full(int(strange.sum()), poses[i, 2])])
            strange[strange] = ~fading(plane, turned, seen, NEAR_RING)
            out[i] = longest_run(strange) >= PEEKING_RUN
    return out


def longest_run(ring: Bools) -> int:
    """How many neighbours in a ring (N,) are true without a gap, at most."""
    if ring.all():
        return len(ring)
    gaps = np.flatnonzero(~ring)
    return int((np.diff(np.append(gaps, gaps[0] + len(ring))) - 1).max())
