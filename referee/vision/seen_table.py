"""What the table of a photograph looks like, and which patches of it look like nothing else there.

Patches are described by colour (in a form that shadow does not change), lightness and grain, and compared with patches
of the same photograph's table: a patch that has hardly any like it elsewhere is *strange* (distance to the k-th
neighbour, Ramaswamy et al. 2000).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakKeyDictionary, ref

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pyramid
from referee.vision.layers import hidden
from referee.vision.plane import Bools, Plane, around, covered, view_from_above
from referee.vision.verify import Detections

GRAIN = 24
"""Pixels of a card's short side in the view that is compared."""
PATCH, RING_PATCH, FINE_PATCH = 0.4, 0.2, 0.12
"""Sides of the patches of a place, of the ring around a card and of what peeks out, in card units."""
SHADOW = 0.4
"""How much of a difference in lightness counts where a patch is darker than the table: shadows are common."""
FLOORS = (0.05, 0.05, 0.35, 0.04, 0.04, 0.12, 0.03)
"""Least spread of each measure that counts: two log ratios of colour, log lightness, their deviations, grain."""
STRANGE = 3.0
"""Distance to the table's patches, relative to their own, from which on a patch is strange."""
CLOSE = 0.1
"""How close to each other the spots are at which overlapping places are looked at, in card sides."""
BARE, STANDS_OUT, LEAST_LOOKED = 0.3, 0.9, 6
"""Share of strange spots of a place below which it is bare table and from which on it surely is none, and how many
spots must be seen. Measured on places that had seemed to be cards: all true ones reach 0.9, of 28 others 3 do 0.3."""
COVERED = 0.5
"""Share of strange spots of a place below which no card can lie under what is seen there. Measured on 64 places of
virtual tables: 0.59 at least where a card lay."""
EDGE_WIDTH, NEAR_RING = 0.12, 0.4
"""Across what an edge is measured, and how far around a spot beside a card it is looked for, in card units."""
MOST_PATCHES, ENOUGH_PATCHES = 900, 300
"""Patches of the table compared with, and how many of them tell what distance is usual."""
MOST_PIXELS = 1.5e6
"""Pixels of the view from above at most."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The table from above, cards and all. layers: (8, H, W) float32 log ratios of green and blue to red and log
    lightness, their squares, grain, and 1 where the picture has not ended; origin: (2,) table point of the first
    pixel; scale: pixels a card unit."""

    layers: NDArray[np.float32]
    origin: Doubles
    scale: float
    _measures: dict[int, tuple[NDArray[np.float16], NDArray[np.float32]]] = field(default_factory=dict)

    @classmethod
    def of(cls, pyramid: Pyramid, plane: Plane) -> View:
        """Of a photograph along a plane; kept as long as both are."""
        kept = _VIEWS.get(plane)
        if kept is not None and kept[0]() is pyramid:
            return kept[1]
        view = cls._of(pyramid, plane)
        _VIEWS[plane] = ref(pyramid), view
        return view

    @classmethod
    def _of(cls, pyramid: Pyramid, plane: Plane) -> View:
        picture, to_table = view_from_above(plane, pyramid, float(GRAIN), most_pixels=MOST_PIXELS)
        channels = cv2.split(picture)
        layers = np.empty((8, *picture.shape[:2]), np.float32)
        blue, green, red = (np.asarray(cv2.LUT(channel, _LOGS)) for channel in channels)
        layers[0], layers[1] = green - red, blue - red
        layers[2] = np.log(np.asarray(cv2.transform(picture.astype(np.float32), LIGHTNESS)) + 5)
        np.square(layers[:3], out=layers[3:6])
        layers[6] = np.abs(cv2.Laplacian(layers[2], cv2.CV_32F, ksize=3)) / 4
        # The outermost pixels are mixed with what lies beyond the picture.
        seen = (np.maximum.reduce(channels) > 0).astype(np.float32)
        layers[7] = cv2.erode(seen, np.ones((3, 3)), borderValue=0)
        return cls(layers, to_table[:, 2], float(1 / to_table[0, 0]))

    def measures(self, patch: int) -> tuple[NDArray[np.float16], NDArray[np.float32]]:
        """(7, H, W) measures of the patch (pixels) around each pixel, and (H, W) how much of it is in the picture."""
        if patch not in self._measures:
            self._measures[patch] = _measures(self.layers, patch)
        return self._measures[patch]


_VIEWS: WeakKeyDictionary[Plane, tuple[ref[Pyramid], View]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class SeenTable:
    """The table from above, and where known cards lie on it. taken: (H, W) 1 under cards."""

    view: View
    taken: NDArray[np.float32]
    _textures: dict[float, TableTexture | None] = field(default_factory=dict)

    @property
    def layers(self) -> NDArray[np.float32]:
        """(8, H, W); see `View`."""
        return self.view.layers

    @property
    def origin(self) -> Doubles:
        """(2,) the table point of the first pixel."""
        return self.view.origin

    @property
    def scale(self) -> float:
        """Pixels a card unit."""
        return self.view.scale

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
        """Beside known `cards`."""
        view = View.of(pyramid, plane)
        shape = view.layers.shape[1:]
        taken = covered(plane.poses(cards.corners), plane.aspect, shape, view.scale, view.origin)
        return cls(view, taken.astype(np.float32))


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
        measures, valid = seen.view.measures(patch)
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

    def strange(self, points: Doubles, on_cards: bool = False) -> Doubles:
        """(...,) 1 where the patches around table points (..., 2) have no like on the table, 0 where they have; NaN
        where one cannot tell, and on cards, unless asked for."""
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
        out[inside] = alike(patches, self.table, STRANGE * self.usual) < _nearest(self.table)
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
    known = plane.poses(cards.corners)
    for i, points in enumerate(_spots(plane, poses)):
        strange = texture.strange(points[~hidden(points, known, plane.aspect)], on_cards)
        looked = int((~np.isnan(strange)).sum())
        if looked >= LEAST_LOOKED:
            out[i] = np.nansum(strange) / looked
    return out


def _spots(plane: Plane, poses: Doubles) -> Doubles:
    """(N, 80, 2) where cards at poses (N, 3) are looked at."""
    column, row = np.meshgrid(np.linspace(-0.42, 0.42, 8), np.linspace(-0.42, 0.42, 10) * plane.aspect)
    return around(poses, np.stack([column, row], axis=-1).reshape(-1, 2))


def strange_shares(plane: Plane, poses: Doubles, seen: SeenTable) -> Doubles:
    """(N,) as `strange_share`, beside the cards of `seen`, at many places that overlap: the table is looked at once at
    each spot of a lattice through the first one."""
    texture = seen.texture(FINE_PATCH)
    if texture is None or not len(poses):
        return np.full(len(poses), np.nan)
    spots = _spots(plane, poses)
    node = np.round((spots - poses[0, :2]) / CLOSE).astype(np.int64)
    first, last = node.min(axis=(0, 1)), node.max(axis=(0, 1))
    width = int(last[0] - first[0] + 1)
    nodes, place = np.unique((node - first) @ [1, width], return_inverse=True)
    row, column = np.divmod(nodes, width)
    lattice = poses[0, :2] + (np.stack([column, row], axis=1) + first) * CLOSE
    strange = texture.strange(lattice)[place.reshape(spots.shape[:2])]
    looked = (~np.isnan(strange)).sum(axis=1)
    return np.where(looked >= LEAST_LOOKED, np.nansum(strange, axis=1) / np.maximum(looked, 1), np.nan)


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


def alike(points: Doubles, table: Doubles, within: float) -> NDArray[np.intp]:
    """(N,) how many of the table's patches are no further from each point than `within`."""
    lifted = np.column_stack([-2 * points, np.ones(len(points))]).astype(np.float32)
    patches = np.column_stack([table, (table**2).sum(axis=1)]).astype(np.float32)
    most = (within**2 - (points**2).sum(axis=1)).astype(np.float32)
    return np.asarray(np.count_nonzero(lifted @ patches.T <= most[:, None], axis=1))


def to_neighbour(points: Doubles, table: Doubles, nearest: int) -> Doubles:
    """(N,) distance of each point to its `nearest`-th neighbour among the table's patches."""
    points, table = points.astype(np.float32), table.astype(np.float32)
    gaps = (points**2).sum(axis=1)[:, None] + (table**2).sum(axis=1) - 2 * (points @ table.T)
    return np.asarray(np.sqrt(np.maximum(np.partition(gaps, nearest - 1, axis=1)[:, nearest - 1], 0)))
