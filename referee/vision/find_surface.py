"""What is table and what lies on it: a card differs from the table, a floor tile or a hole between cards does not."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, areas
from referee.vision.facebank import Floats
from referee.vision.find_quads import table_limit

STEP = 5.0
"""Difference (Lab units) between the two banks of a side from which on it is a step and no mere line."""


FEW = 4
"""So many finds at least are compared with the rest of the picture."""
LIKE_THE_TABLE = 0.65
"""Share of the usual part unlike the rest of the picture below which a find is table."""
OF_THE_RIM = 0.4
"""Share not of the rim's colours below which finds may be a pattern of the table."""
OWN = 0.86
"""Share of most cards that is unlike the rest of the picture; of a pattern that goes on beside them it is less."""
CLEAR, FEW_CLEAR = (0.9, 0.6), 3
"""Share that has not the table's colours and evidence of the weakest side of cards beyond doubt; so many must be."""
DIMMER, MOSTLY = 0.4, 0.75
"""Shares of what is usual among those: steps or sides below the first are no card's that has less foreign colour than
the second."""
MUCH = 3.0
"""So many times as common as elsewhere is a colour that is a find's own."""
BESIDE = (0.12, 0.2)
"""How far from a card, in card sides, its shadow and the blur of its edge are left behind."""
BEYOND = 0.04
"""Share of the rim of the picture from which on what lies along it goes on beyond."""
GROWN, NARROW = 1.16, 0.25
"""How much larger than a card what belongs to it may be, its shadow too; and how wide other things are at least."""
NEXT_TO = 1.12
"""How much larger than a card what touches it is, the blur of its edge too."""
SOFT, SOFT_SHARE = 2.6, 0.25
"""Steepness (Lab units a pixel) below which more than this share of the edge of light on the table is; things have
steeper ones nearly all around."""
BURNT = 250
"""Level of all three colours from which on a pixel tells nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """lab: (H, W, 3) float32 in Lab; rare: (H, W) uint8, 255 where the colour is not the table's."""

    lab: Floats
    rare: Pixels

    @classmethod
    def of(cls, image: Pixels, rarity: Floats) -> Surface:
        lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
        least = table_limit(rarity)
        burnt = image.min(axis=2) > BURNT  # a lamp's reflection may lie on anything
        rare = ((rarity > least) | burnt).astype(np.uint8) * np.uint8(255)
        return cls(lab, np.asarray(rare, dtype=np.uint8))

    def within_the_rim(self) -> Surface:
        """The same, but what goes on beyond the picture is table: another table, a shadow, a carpet's pattern."""
        _, labels, _, _ = cv2.connectedComponentsWithStats(self.rare, connectivity=4)
        rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
        beyond = np.bincount(rim, minlength=int(labels.max()) + 1) > BEYOND * len(rim)
        return Surface(self.lab, np.where(beyond[labels], 0, self.rare).astype(np.uint8))

    def without_light(self, corners: Doubles, strength: Floats) -> Surface:
        """The same as `within_the_rim`, but what has soft edges where it is not at one of these cards (N, 4, 2) is
        table: a lamp's reflection, a shadow. strength: edges of the picture, from `edge_strength`.
        """
        things = self.within_the_rim()
        cover = np.zeros_like(things.rare)
        for quad in corners:
            middle = quad.mean(axis=0)
            cv2.fillConvexPoly(cover, (middle + NEXT_TO * (quad - middle)).round().astype(np.int32), 255)
        apart = np.where(cover > 0, 0, things.rare).astype(np.uint8)
        apart = np.asarray(cv2.morphologyEx(apart, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), dtype=np.uint8)
        count, labels, _, _ = cv2.connectedComponentsWithStats(apart, connectivity=4)
        edge = (apart > 0) & (cv2.erode(apart, np.ones((3, 3), np.uint8)) == 0)
        edge &= cv2.dilate(cover, np.ones((9, 9), np.uint8)) == 0
        steep = np.sqrt(np.maximum(strength[..., 0] + strength[..., 2], 0.0))
        of, size = labels[edge], cv2.dilate(steep, np.ones((3, 3), np.uint8))[edge]
        soft = np.bincount(of[size < SOFT], minlength=count) > SOFT_SHARE * np.bincount(of, minlength=count)
        soft[0] = False
        rare = np.where(soft[labels], 0, things.rare)
        return Surface(self.lab, np.asarray(rare, dtype=np.uint8))

    def free(self, corners: Doubles) -> Doubles:
        """(N, 4) share of what lies beside each side of these quads that is the table or another of them, and no
        thing."""
        if not len(corners):
            return np.empty((0, 4))
        free = [np.maximum(self.table_beside(corners, (d, d)), self.beside_others(corners, d)) for d in BESIDE]
        return np.asarray(np.mean(free, axis=0))

    def unexplained(self, corners: Doubles) -> float:
        """Area of what is neither table nor one of these cards (N, 4, 2), in cards' areas; what is narrow left out."""
        size = float(np.median(areas(corners)))
        rest = self.rare.copy()
        for quad in corners:
            middle = quad.mean(axis=0)
            cv2.fillConvexPoly(rest, (middle + GROWN * (quad - middle)).round().astype(np.int32), 0)
        width = max(3, round(NARROW * size**0.5))
        wide = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((width, width), np.uint8))
        return float(cv2.countNonZero(wide)) / size

    def foreign(self, corners: Doubles) -> Doubles:
        """(N,) share of each quad's inside whose colour is not the table's."""
        places = (np.arange(12) + 0.5) / 12
        u, v = np.meshgrid(places, places)
        u, v = u.reshape(-1, 1), v.reshape(-1, 1)
        c = corners[:, None]
        spots = (
            c[..., 0, :] * (1 - u) * (1 - v)
            + c[..., 1, :] * u * (1 - v)
            + c[..., 2, :] * u * v
            + c[..., 3, :] * (1 - u) * v
        )
        height, width = self.rare.shape
        x = np.clip(spots[..., 0].round().astype(np.intp), 0, width - 1)
        y = np.clip(spots[..., 1].round().astype(np.intp), 0, height - 1)
        return np.asarray((self.rare[y, x] > 0).mean(axis=1), dtype=np.float64) if len(corners) else np.empty(0)

    def table_beside(self, corners: Doubles, depths: tuple[float, float] = (0.05, 0.1)) -> Doubles:
        """(N, 4) share of two strips outside each side whose colour is the table's; outside the picture is none.

        depths: how far outside, in card sides.
        """
        if not len(corners):
            return np.empty((0, 4))
        share = np.zeros((len(corners), 4))
        for depth in depths:
            spots = along(corners, -depth)
            x, y = spots[..., 0].round().astype(np.intp), spots[..., 1].round().astype(np.intp)
            height, width = self.rare.shape
            inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
            table = self.rare[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] == 0
            share += (table & inside).mean(axis=2) / 2
        return share

    def table_within(self, corners: Doubles, depth: float) -> Doubles:
        """(N, 4) share of the strip `depth` of a side within each side whose colour is the table's."""
        spots = along(corners, depth)
        height, width = self.rare.shape
        x = np.clip(spots[..., 0].round().astype(np.intp), 0, width - 1)
        y = np.clip(spots[..., 1].round().astype(np.intp), 0, height - 1)
        return np.asarray((self.rare[y, x] == 0).mean(axis=2), dtype=np.float64)

    def stands_out(self, corners: Doubles) -> Doubles:
        """(N,) in 0..1: how much a quad is filled with what is not table, and has table beside it on some side."""
        beside = np.sort(self.table_beside(corners), axis=1)
        return np.asarray(self.foreign(corners) * (0.3 + 0.7 * beside[:, 2:].mean(axis=1)))

    def explained(self, corners: Doubles) -> Doubles:
        """(N,) in 0..1: as `stands_out`, but a side at another of these quads is as good as one at the table."""
        if not len(corners):
            return np.empty(0)
        beside = self.table_beside(corners)
        good = np.maximum(beside, self.beside_others(corners))
        return np.asarray(self.foreign(corners) * good.mean(axis=1))

    def beside_others(self, corners: Doubles, depth: float = 0.12) -> Doubles:
        """(N, 4) share of the strip `depth` of a side outside each side that another of these quads covers."""
        cover = np.zeros(self.rare.shape, np.uint8)
        for quad in corners:
            cv2.fillConvexPoly(cover, quad.round().astype(np.int32), 1)
        spots = along(corners, -depth)
        height, width = self.rare.shape
        x = np.clip(spots[..., 0].round().astype(np.intp), 0, width - 1)
        y = np.clip(spots[..., 1].round().astype(np.intp), 0, height - 1)
        return np.asarray(cover[y, x].mean(axis=2), dtype=np.float64)

    def steps(self, corners: Doubles) -> Doubles:
        """(N, 4) how much the inside of each side differs from the outside beside it, Lab units."""
        if not len(corners):
            return np.empty((0, 4))
        return np.asarray(np.sqrt(((self._bank(corners, 0.06) - self._bank(corners, -0.06)) ** 2).sum(axis=-1)))

    def _bank(self, corners: Doubles, depth: float) -> Doubles:
        """(N, 4, 3) mean colour along each side, `depth` of a side within it."""
        spots = along(corners, depth).astype(np.float32)
        flat = spots.reshape(len(corners), -1, 2)
        taken = cv2.remap(
            self.lab,
            np.ascontiguousarray(flat[..., 0]),
            np.ascontiguousarray(flat[..., 1]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(taken.reshape(*spots.shape[:3], 3).mean(axis=2), dtype=np.float64)

    def region(self, members: Doubles) -> Pixels:
        """(H, W) uint8 where cards may lie: what is not table, and around the known cards (N, 4, 2)."""
        mask = cv2.morphologyEx(self.rare, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
        for quad in members:
            middle = quad.mean(axis=0)
            cv2.fillConvexPoly(mask, (middle + 3.2 * (quad - middle)).round().astype(np.int32), 255)
        return np.asarray(mask, dtype=np.uint8)

    def usual(self, corners: Doubles) -> Doubles:
        """(N,) in 0.6..1: low for quads that look more like the table than most of these do."""
        foreign = self.foreign(corners)
        if not len(corners) or float(np.median(foreign)) < 0.5:
            return np.ones(len(corners))
        return np.asarray(0.6 + 0.4 * np.minimum(foreign / float(np.median(foreign)), 1.0))

    def cards(self, corners: Doubles) -> NDArray[np.bool_]:
        """(N,) which of these are no part of the table."""
        foreign, steps = self.foreign(corners), self.steps(corners)
        keep = np.ones(len(corners), dtype=bool)
        if not len(corners):
            return keep
        usual = float(np.median(foreign))
        if usual > 0.2:
            # A card of the table's colour in other light still has a clear step to the table beside it; a hole
            # between cards has no table beside it.
            apart = (np.sort(steps, axis=1)[:, 1] > 4 * STEP) & (np.median(self.table_beside(corners), axis=1) > 0.5)
            keep &= (foreign > 0.3 * usual) | apart
        while keep.any():  # peeled from outside: tiles beside tiles have no step anywhere
            now = np.flatnonzero(keep)
            free = self.beside_others(corners[now]) < 0.3
            step = np.array([np.median(s[f]) if f.any() else np.inf for s, f in zip(steps[now], free, strict=True)])
            bare = step < STEP
            if not bare.any():
                break
            keep[now[bare]] = False
        return keep


def unlike_the_rest(lab: Floats, corners: Doubles, foreign: Doubles) -> NDArray[np.bool_]:
    """(N,) which quads (N, 4, 2) have other colours than what lies outside all of them, as most of them have.

    A hole between cards and a square of the tablecloth have the colours of the table, which the rim of the picture
    need not show. lab: (H, W, 3) float32 in Lab; foreign: (N,) share of each that has not the rim's colours.
    """
    keep = np.ones(len(corners), dtype=bool)
    if len(corners) < FEW:
        return keep
    small = cv2.resize(lab, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    cells = (small / np.array([8, 6, 6], dtype=np.float32)).astype(np.intp)
    index = (cells[..., 0] * 43 + cells[..., 1]) * 43 + cells[..., 2]
    owner = np.full(index.shape, -1, dtype=np.int32)
    for i, quad in enumerate(corners):
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(owner, ((middle + 0.92 * (quad - middle)) / 2).round().astype(np.int32), i)
    pattern = float(np.median(foreign)) < OF_THE_RIM
    for _ in range(3):
        inside = (owner >= 0) & np.append(keep, False)[owner]
        if not inside.any() or inside.mean() > 0.9:
            break
        counts = [np.bincount(index[where], minlength=33 * 43 * 43).astype(np.float64) for where in (inside, ~inside)]
        within, without = (cv2.GaussianBlur(c.reshape(33, 43 * 43), (1, 3), 0).ravel() / c.sum() for c in counts)
        own = (within > without)[index]
        size = np.maximum(np.bincount(owner[owner >= 0], minlength=len(corners)), 1)
        share = np.bincount(owner[owner >= 0], weights=own[owner >= 0], minlength=len(corners)) / size
        usual = float(np.percentile(share[keep], 75))
        fresh = keep & (share > LIKE_THE_TABLE * usual)
        if fresh.sum() == keep.sum():
            if pattern and float(np.median(share[keep])) < OWN:
                return np.zeros(len(corners), dtype=bool)
            break
        keep = fresh
    return keep


def colours_of_their_own(lab: Floats, corners: Doubles) -> float:
    """Share (0..1) of most of these quads (N, 4, 2) whose colours are rare beside and beyond all of them.

    The squares of a cloth's pattern go on where none was found, cut off by the rim of the picture or hidden.
    lab: (H, W, 3) float32 in Lab.
    """
    small = cv2.resize(lab, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    cells = (small / np.array([8, 6, 6], dtype=np.float32)).astype(np.intp)
    index = (cells[..., 0] * 43 + cells[..., 1]) * 43 + cells[..., 2]
    owner, beside = np.full(index.shape, -1, dtype=np.int32), np.zeros(index.shape, np.uint8)
    for i, quad in enumerate(corners):
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(owner, ((middle + 0.92 * (quad - middle)) / 2).round().astype(np.int32), i)
        cv2.fillConvexPoly(beside, ((middle + GROWN * (quad - middle)) / 2).round().astype(np.int32), 1)
    inside, outside = owner >= 0, beside == 0
    if not inside.any() or not outside.any():
        return 1.0
    counts = [np.bincount(index[where], minlength=33 * 43 * 43).astype(np.float64) for where in (inside, outside)]
    within, without = (cv2.GaussianBlur(c.reshape(33, 43 * 43), (1, 3), 0).ravel() / c.sum() for c in counts)
    rare = (within > MUCH * without)[index]
    size = np.maximum(np.bincount(owner[inside], minlength=len(corners)), 1)
    return float(np.median(np.bincount(owner[inside], weights=rare[inside], minlength=len(corners)) / size))


def like_the_clear_ones(corners: Doubles, surface: Surface, evidence: Doubles) -> NDArray[np.bool_]:
    """(N,) which of these quads (N, 4, 2) may be cards beside those that are so beyond doubt.

    Where some cards are wholly unlike the table and have four clear sides, a square of the tablecloth that has their
    size has neither their colours nor such steps beside it. evidence: (N, 4) of the sides, 0..1.
    """
    foreign, weakest = surface.foreign(corners), evidence.min(axis=1, initial=1.0)
    clear = (foreign > CLEAR[0]) & (weakest > CLEAR[1])
    if clear.sum() < FEW_CLEAR:
        return np.ones(len(corners), dtype=bool)
    step = np.median(surface.steps(corners), axis=1)
    faint = (step < DIMMER * np.median(step[clear])) | (weakest < DIMMER * np.median(weakest[clear]))
    return np.asarray(~(faint & (foreign < MOSTLY * np.median(foreign[clear]))))


def along(corners: Doubles, depth: float) -> Doubles:
    """(N, 4, 24, 2) px: places along each side, `depth` of a side within it (outside if negative)."""
    middle = corners.mean(axis=1, keepdims=True)
    inner = middle + (corners - middle) * (1 - 2 * depth)
    following = np.roll(inner, -1, axis=1)
    places = 0.12 + 0.76 * (np.arange(24) + 0.5)[:, None] / 24
    return np.asarray(inner[:, :, None] * (1 - places) + following[:, :, None] * places)
