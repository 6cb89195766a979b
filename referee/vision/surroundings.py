"""Is the place beside a card bare table? If not, something may lie there that could not be read.

A hand over a card, the rest of a pile under its top card, a card that glare has washed out: none of them can be
recognised, but all of them look unlike the table elsewhere. Patches are described by colour (in a
form that shadow does not change), lightness and grain, and compared with patches of the same photograph's table: a
patch that has hardly any like it elsewhere is *strange* (distance to the k-th neighbour, Ramaswamy et al. 2000).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pyramid
from referee.vision.covering import overlaps
from referee.vision.layers import hidden
from referee.vision.plane import Bools, Plane, around, covered, view_from_above
from referee.vision.verify import Detections

GRAIN = 24
"""Pixels of a card's short side in the view that is compared."""
PATCH, RING_PATCH, FINE_PATCH = 0.4, 0.2, 0.12
"""Sides of the patches of a place, of the ring around a card and of what peeks out, in card units."""
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
SHADOW = 0.4
"""How much of a difference in lightness counts where a patch is darker than the table: shadows are common."""
FLOORS = (0.05, 0.05, 0.35, 0.04, 0.04, 0.12, 0.03)
"""Least spread of each measure that counts: two log ratios of colour, log lightness, their deviations, grain."""
STRANGE = 3.0
"""Distance to the table's patches, relative to their own, from which on a patch is strange."""
OVERLAP = 0.07
"""Share of a card's area that two cards may share without being a pile (0..1)."""
BARE, STANDS_OUT, LEAST_LOOKED = 0.3, 0.9, 6
"""Share of strange spots of a place below which it is bare table and from which on it surely is none, and how many
spots must be seen. Measured on places that had seemed to be cards: all true ones reach 0.9, of 28 others 3 do 0.3."""
COVERED = 0.5
"""Share of strange spots of a place below which no card can lie under what is seen there. Measured on 64 places of
virtual tables: 0.59 at least where a card lay."""
EDGE_WIDTH, NEAR_RING = 0.12, 0.4
"""Across what an edge is measured, and how far around a spot beside a card it is looked for, in card units."""
ABRUPT, SURROUNDED = 0.62, 0.3
"""Share of a place's difference from the table that a step must reach for something to end there, and the share of its
surroundings that must show (0..1). Measured on 90 doubtful places: 0.73 at least where a card lay; lamplight and shadow
0.45 to 0.65."""
MOST_PATCHES, ENOUGH_PATCHES = 900, 300
"""Patches of the table compared with, and how many of them tell what distance is usual."""
MOST_PIXELS = 1.5e6
"""Pixels of the view from above at most."""


@dataclass(frozen=True, eq=False)
class SeenTable:
    """The table from above. layers: (8, H, W) float32 log ratios of green and blue to red and log lightness, their
    squares, grain, and 1 where the picture has not ended; taken: (H, W) 1 under cards; origin: (2,) table point of the
    first pixel; scale: pixels a card unit."""

    layers: NDArray[np.float32]
    taken: NDArray[np.float32]
    origin: Doubles
    scale: float
    _textures: dict[float, TableTexture | None] = field(default_factory=dict)

    def texture(self, patch_side: float) -> TableTexture | None:
        """What the table looks like in patches of one size (card units), learnt when first asked for."""
        if patch_side not in self._textures:
            self._textures[patch_side] = TableTexture.of(self, patch_side)
        return self._textures[patch_side]

    @cached_property
    def free(self) -> Bools:
        """(H, W) where neither a card nor its rim lies and the picture has not ended."""
        bare = (cv2.dilate(self.taken, np.ones((5, 5))) == 0) & (self.layers[7] > 0)
        return np.asarray(cv2.erode(bare.astype(np.uint8), np.ones((3, 3))) > 0)

    @cached_property
    def smooth(self) -> NDArray[np.float32]:
        """(H, W, 3) log ratios of colour and log lightness, each the mean of the `free` places near by; NaN without."""
        size = 2 * max(1, round(0.5 * EDGE_WIDTH * self.scale)) + 1
        weight = self.free.astype(np.float32)
        share = cv2.boxFilter(weight, cv2.CV_32F, (size, size))
        layers = self.layers[:3] * weight
        mean = cv2.boxFilter(cv2.merge(list(layers)), cv2.CV_32F, (size, size)) / np.maximum(share, 1e-3)[..., None]
        mean[share < 0.4] = np.nan
        return np.asarray(mean, dtype=np.float32)

    @cached_property
    def steps(self) -> NDArray[np.float32]:
        """(H, W, 3) by how much `smooth` changes across each place within `EDGE_WIDTH`, to the right or down."""
        reach = max(2, round(EDGE_WIDTH * self.scale))
        out = np.zeros_like(self.smooth)
        across = np.abs(self.smooth[:, 2 * reach :] - self.smooth[:, : -2 * reach])
        down = np.abs(self.smooth[2 * reach :] - self.smooth[: -2 * reach])
        out[:, reach:-reach] = np.nan_to_num(across, nan=0.0)
        out[reach:-reach] = np.maximum(out[reach:-reach], np.nan_to_num(down, nan=0.0))
        return out

    @classmethod
    def of(cls, pyramid: Pyramid, plane: Plane, cards: Detections) -> SeenTable:
        view, to_table = view_from_above(plane, pyramid, float(GRAIN), most_pixels=MOST_PIXELS)
        scale, origin = float(1 / to_table[0, 0]), to_table[:, 2]
        taken = covered(plane.poses(cards.corners), plane.aspect, view.shape, scale, origin).astype(np.float32)
        channels = cv2.split(view)
        layers = np.empty((8, *view.shape[:2]), np.float32)
        blue, green, red = (np.asarray(cv2.LUT(channel, _LOGS)) for channel in channels)
        layers[0], layers[1] = green - red, blue - red
        layers[2] = np.log(np.asarray(cv2.transform(view.astype(np.float32), LIGHTNESS)) + 5)
        np.square(layers[:3], out=layers[3:6])
        layers[6] = np.abs(cv2.Laplacian(layers[2], cv2.CV_32F, ksize=3)) / 4
        # The outermost pixels are mixed with what lies beyond the picture.
        seen = (np.maximum.reduce(channels) > 0).astype(np.float32)
        layers[7] = cv2.erode(seen, np.ones((3, 3)), borderValue=0)
        return cls(layers, taken, origin, scale)


_LOGS = np.log(np.arange(256, dtype=np.float32) + 5)
LIGHTNESS = np.array([[0.114, 0.587, 0.299]], np.float32)
"""Weights of blue, green and red in lightness (ITU-R BT.601)."""


@dataclass(frozen=True, slots=True, eq=False)
class TableTexture:
    """What the table of one photograph looks like, for patches of one size.

    measures: (7, H, W) of the patch around each pixel of the view from above; shown: (H, W) where the picture has not
    ended; usable: (H, W) where no card lies either; table: (N, 7) patches to compare with, each measure divided by its
    `spread` (7,) about `middle` (7,); usual: the distance to a neighbour that is usual; origin, scale: see `SeenTable`.
    """

    measures: NDArray[np.float16]
    shown: Bools
    usable: Bools
    table: Doubles
    middle: Doubles
    spread: Doubles
    usual: float
    origin: Doubles
    scale: float

    @classmethod
    def of(cls, seen: SeenTable, patch_side: float) -> TableTexture | None:
        """Learn the table around the cards; None where too little of it shows. patch_side: in card units."""
        patch = max(3, round(patch_side * seen.scale))
        measures, valid = _measures(seen.layers, patch)
        under_cards = cv2.boxFilter(seen.taken, cv2.CV_32F, (patch, patch))
        free = (under_cards < 0.02) & (valid > 0.98)
        step = max(2, patch // 2)
        table = measures[:, ::step, ::step][:, free[::step, ::step]].T.astype(np.float64)
        if len(table) < 40:
            return None
        table = table[:: -(-len(table) // MOST_PATCHES)]
        middle = np.median(table, axis=0)
        spread = np.maximum(1.48 * np.median(np.abs(table - middle), axis=0), FLOORS)
        table = (table - middle) / spread
        some = table[:: -(-len(table) // ENOUGH_PATCHES)]
        usual = max(float(np.median(to_neighbour(some, table, _nearest(table) + 1))), 0.35)
        shown = valid > 0.9
        return cls(measures, shown, shown & (under_cards < 0.03), table, middle, spread, usual, seen.origin, seen.scale)

    def strangeness(self, points: Doubles, on_cards: bool = False) -> Doubles:
        """(...,) how unlike the table the patches around table points (..., 2) are; NaN where one cannot tell, and on
        cards, unless asked for."""
        usable = self.shown if on_cards else self.usable
        pixels = np.round((points - self.origin) * self.scale).astype(int)
        height, width = usable.shape
        inside = ((pixels >= 0) & (pixels < [width, height])).all(axis=-1)
        column, row = np.clip(pixels[..., 0], 0, width - 1), np.clip(pixels[..., 1], 0, height - 1)
        inside &= usable[row, column]
        out = np.full(inside.shape, np.nan)
        if not inside.any():
            return out
        measured = self.measures[:, row[inside], column[inside]].T.astype(np.float64)
        patches = (measured - self.middle) / self.spread
        # Darker than the table counts less: that is mostly shadow.
        patches[:, 2] -= (1 - SHADOW) * np.minimum(patches[:, 2] - np.percentile(self.table[:, 2], 5), 0)
        out[inside] = to_neighbour(patches, self.table, _nearest(self.table)) / self.usual
        return out


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


def own_strange_share(plane: Plane, cards: Detections, upper: Detections, seen: SeenTable) -> Doubles:
    """(N,) as `strange_share`, of known `cards` themselves, as far as no `upper` ones lie on them."""
    return strange_share(plane, plane.poses(cards.corners), upper, seen, on_cards=True)


def strange_share(plane: Plane, poses: Doubles, cards: Detections, seen: SeenTable, on_cards: bool = False) -> Doubles:
    """(N,) which share of what shows of cards at poses (N, 3) beside known `cards` has no like on the table; NaN: too
    little shows. on_cards: places under known cards count as well, unless `cards` hide them."""
    out = np.full(len(poses), np.nan)
    texture = seen.texture(FINE_PATCH)
    if texture is None or not len(poses):
        return out
    column, row = np.meshgrid(np.linspace(-0.42, 0.42, 8), np.linspace(-0.42, 0.42, 10) * plane.aspect)
    known = plane.poses(cards.corners)
    for i, points in enumerate(around(poses, np.stack([column, row], axis=-1).reshape(-1, 2))):
        strangeness = texture.strangeness(points[~hidden(points, known, plane.aspect)], on_cards)
        looked = int((~np.isnan(strangeness)).sum())
        if looked >= LEAST_LOOKED:
            out[i] = (strangeness > STRANGE).sum() / looked
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
    strangeness = texture.strangeness(around(plane.poses(cards.corners), ring))
    looked = (~np.isnan(strangeness)).sum(axis=1)
    strange = strangeness > STRANGE
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
        strange = texture.strangeness(spots) > STRANGE
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


def _nearest(table: Doubles) -> int:
    return max(3, round(0.03 * len(table)))


def _measures(layers: NDArray[np.float32], patch: int) -> tuple[NDArray[np.float16], NDArray[np.float32]]:
    """(7, H, W) measures of the patch around each pixel, and (H, W) how much of it is in the picture."""
    out = np.empty((7, *layers.shape[1:]), np.float16)

    def mean(layer: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.boxFilter(layer, cv2.CV_32F, (patch, patch)), dtype=np.float32)

    for i in range(3):
        middle = mean(layers[i])
        out[i], out[3 + i] = middle, np.sqrt(np.maximum(mean(layers[3 + i]) - middle**2, 0))
    out[6] = mean(layers[6])
    return out, mean(layers[7])


def to_neighbour(points: Doubles, table: Doubles, nearest: int) -> Doubles:
    """(N,) distance of each point to its `nearest`-th neighbour among the table's patches."""
    points, table = points.astype(np.float32), table.astype(np.float32)
    gaps = (points**2).sum(axis=1)[:, None] + (table**2).sum(axis=1) - 2 * (points @ table.T)
    return np.asarray(np.sqrt(np.maximum(np.partition(gaps, nearest - 1, axis=1)[:, nearest - 1], 0)))
