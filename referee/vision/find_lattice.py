"""Cards that lie flush in a grid: the lattice of which the outline of all of them together consists.

Whatever is printed on them, touching cards of one size fill a region whose outline runs along the lines of a lattice.
Its two directions give the plane as a camera sees it; on the plane the places of the outline's sides are all
multiples of one length (the phase of each, at the right length, is the same), and where several lengths would do, the
seams inside the region decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, areas
from referee.vision.facebank import Floats
from referee.vision.find_agree import SQUARE, side_evidence
from referee.vision.find_outline import Frame, frame_of, is_quad, straight_sides
from referee.vision.find_quads import refit
from referee.vision.plane import Plane

REGIONS = 6
"""Regions that are looked at, the largest of each way to part table and things."""
UNEVEN = 0.13
"""How far (log) the ratio of the two periods may be from the cards' shape."""
COHERENT = 0.72
"""How well (0..1) the sides of the outline must fall on the lines of a lattice."""
PURE = 0.86
"""Share of the cells' area that must be on the right side: all of a card, or nothing of it."""
MOST_CELLS = 160
FINER = 1.1
"""How much more it must be worth for a lattice of smaller cells to be better than one of larger cells."""
GOOD = 0.35
"""Worth from which on no much smaller cells need be tried."""
LEAST = 0.3
"""Worth below which a lattice is none."""
BLOCK, FEW = 0.35, 8
"""The same where its cells are few, or form one full rectangle, as the panes of a window or the pages of a book do."""
OVER = 0.05
"""How far a card may go beyond the picture, in card sides."""
WEAKEST = 0.35
"""Evidence of nearly all seams of a block that has the shape of one card."""
GAP, SHUT, MOST_SHUT = 0.022, 0.3, 20
"""Half the width of a gap, in card sides, from which on cards are separate; share of a seam's two banks that must be no
table where they touch; per cent of the seams of which that need not hold."""
FRILL = 0.04
"""What is narrower than this fraction of the picture's long side may be left out."""
STEPS, EXACT, FAINT, SPEAKS = 0.8, (0.88, 0.93), 0.12, 0.45
"""Cells that fill less than this of the rectangle around them, with an outline explained so well (many cells, few) and
seams that show at least a little, count as if their seams had this evidence."""
MANY_STEPS = 6
WEAKER = 25
"""Per cent of the seams that show less than those that decide."""
DIVIDES = 0.04
"""How far from a whole number the ratio of two lattices' lengths may be for one to divide the other."""
PERIODS = 5
"""Lengths of which the seams are looked at."""
FEWEST = 4
"""Cells of one full rectangle, at least."""
CLEAR = 0.93
"""Share of the outline explained from which on other masks need not show the same region."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Cards flush in a grid. cells: (M, 4, 2) px; mask: (H, W) uint8, 0 where the table is; coherent, pure: 0..1, how
    well the outline falls on the lines, and each cell is wholly card or table; seams: 0..1, how well they show;
    weak: 0..1, evidence of the weaker ones;
    filled: share of the rectangle around all cells that they fill; block: whether they form one full
    rectangle, whose outline tells little; finer: whether it divides a coarser lattice that explains the outline too.
    """

    plane: Plane
    cells: Doubles
    mask: Pixels
    coherent: float
    pure: float
    seams: float
    weak: float
    filled: float
    block: bool
    finer: bool

    @property
    def worth(self) -> float:
        """0..1: how well it explains the outline, and the seams; an outline of many steps needs little of them, but it
        speaks for the coarsest lattice that explains it, not for those that divide that one.
        """
        fits = self.coherent**2 * self.pure**2
        exact = fits > EXACT[len(self.cells) < MANY_STEPS] and len(self.cells) >= FEWEST
        steps = self.filled < STEPS and exact and not self.finer and self.weak > FAINT
        return fits * max(self.seams, SPEAKS if steps else 0.0)


def lattices(
    masks: Sequence[tuple[Pixels, Pixels]], strength: Floats, aspect: float, shortest: float, least: float = LEAST
) -> list[Lattice]:
    """The lattices of regions of the masks (H, W) uint8, 255 where no table is, most likely first.

    masks: each with its gaps closed, and as it was, in which gaps between separate cards show.

    strength: edges of the picture; shortest: px, side of the smallest card that is looked for; least: what a lattice
    must be worth.
    """
    found: list[Lattice] = []
    for mask, raw, region, among in _regions(masks, shortest, found):
        size = (mask.shape[1], mask.shape[0])
        sides = straight_sides(region, size)
        frame = frame_of(sides, region, size)
        if frame is None:
            continue
        one = is_quad(region)
        if one and among > 1:
            continue  # several like it are cards themselves
        grids = []
        for plane, phases, coherent in _periods(frame, sides, aspect, size, shortest):
            grid = _grid(plane, phases, coherent, mask, region)
            if grid is not None:
                grids.append(grid)
        grids.sort(key=lambda grid: -grid.fits * _size(grid.cells) ** 0.5)
        best: Lattice | None = None
        coarsest: float | None = None
        for grid in sorted(grids[:PERIODS], key=lambda grid: -_size(grid.cells)):
            ratio = 1.0 if coarsest is None else coarsest / _size(grid.cells)
            finer = ratio > 1.5 and abs(ratio - round(ratio)) < DIVIDES * ratio
            if coarsest is None and grid.fits > EXACT[0]:
                coarsest = _size(grid.cells)
            if best is not None and best.worth > GOOD and _size(grid.cells) < 0.4 * _size(best.cells):
                break
            lattice = _lattice(grid, raw, strength, one, finer)
            if lattice is not None and (best is None or lattice.worth > FINER * best.worth):
                best = lattice
        if best is not None and best.worth > _least(best, least):
            found.append(best)
    return likeliest(found)


def _least(lattice: Lattice, least: float) -> float:
    """What a lattice must be worth: more where its cells are few or their outline tells little."""
    if lattice.block and len(lattice.cells) < FEWEST:
        return 1.0
    return max(least, BLOCK) if lattice.block or len(lattice.cells) < FEW else least


def likeliest(found: list[Lattice]) -> list[Lattice]:
    """The same, sorted: what explains most, and surely, first."""
    return sorted(found, key=lambda each: -each.worth * len(each.cells) ** 0.5 * _size(each.cells))


def _size(cells: Doubles) -> float:
    return float(np.sqrt(np.median(areas(cells))))


def without_frills(masks: Sequence[tuple[Pixels, Pixels]]) -> list[tuple[Pixels, Pixels]]:
    """Some of the masks without what is narrow, such as a cloth's flowers and a pen that touch the cards."""
    size = round(max(masks[0][0].shape) * FRILL) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    middle = len(masks) // 2
    return [
        (np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), dtype=np.uint8), raw)
        for mask, raw in masks[middle - 1 : middle + 2]
    ]


def _regions(
    masks: Sequence[tuple[Pixels, Pixels]], shortest: float, found: list[Lattice]
) -> Iterator[tuple[Pixels, Pixels, NDArray[np.int32], int]]:
    """Regions that may be touching cards: the mask of each alone, closed and raw, its outline (K, 2) px, and how
    many of the mask are nearly as large.
    """
    seen: list[tuple[float, ...]] = []
    for mask, raw in masks:
        height, width = mask.shape
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        sized = sorted(((float(cv2.contourArea(c)), c) for c in contours), key=lambda pair: -pair[0])[:REGIONS]
        among = sum(area > sized[0][0] / 2 for area, _ in sized)
        for area, contour in sized:
            if area < sized[0][0] / 3:
                break
            if area < 1.6 * shortest**2 or area > 0.8 * width * height:
                continue
            points = np.asarray(contour, dtype=np.int32).reshape(-1, 2)
            x, y, w, h = cv2.boundingRect(contour)
            key = (area**0.5, x, y, w, h)
            if any(all(abs(a - b) < 0.02 * area**0.5 for a, b in zip(key, other, strict=True)) for other in seen):
                continue
            before = len(found)
            alone = np.zeros_like(mask)
            cv2.drawContours(alone, [contour], -1, 255, cv2.FILLED)
            yield np.asarray(alone & mask, dtype=np.uint8), raw, points, among
            if len(found) > before and found[-1].coherent * found[-1].pure > CLEAR:
                seen.append(key)  # the same region of another mask need not be looked at


def _periods(
    frame: Frame, sides: Doubles, aspect: float, size: tuple[int, int], shortest: float
) -> Iterator[tuple[Plane, Doubles, float]]:
    """Planes with the cards' size on which the sides fall on the lines of a lattice; phases (2,) of the lattice, in
    card units; how well they do, 0..1.
    """
    scale = max(size) / 2
    to_table: Doubles = np.linalg.inv(frame.back).astype(np.float64)
    rough = Plane(to_table, np.array(size) / 2, scale, 0.0, aspect, 0.0)
    on_table = rough.table(sides)
    if not np.isfinite(on_table).all():
        return
    ends = [on_table[frame.of == k] for k in (0, 1)]
    place = [e[:, :, 1 - k].mean(axis=1) for k, e in enumerate(ends)]  # sides along x lie at one y
    weight = [np.abs(e[:, 1, k] - e[:, 0, k]) for k, e in enumerate(ends)]
    extent = [float(p.max() - p.min()) for p in place]  # of y, of x
    least = shortest / float(np.median(rough.side_at(sides.mean(axis=1))))
    most = 1.06 * max(extent)
    if least >= most:
        return
    grid = np.exp(np.arange(np.log(least), np.log(most), 0.004))
    wave = [np.exp(2j * np.pi * p[None] / grid[:, None]) @ w / w.sum() for p, w in zip(place, weight, strict=True)]
    share = [w.sum() / (weight[0].sum() + weight[1].sum()) for w in weight]
    for tall in (aspect,) if aspect < SQUARE else (aspect, 1 / aspect):
        # the period along x is `width`, along y `width * tall`
        shift = round(float(np.log(tall)) / 0.004)
        reach = int(UNEVEN / 0.004)
        power = np.abs(wave[0]), np.abs(wave[1])
        both, which = np.full(len(grid), -1.0), np.zeros(len(grid), dtype=np.intp)
        for extra in range(-reach, reach + 1):
            index = np.arange(len(grid)) + shift + extra
            inside = (index >= 0) & (index < len(grid))
            value = np.where(inside, share[1] * power[1] + share[0] * power[0][np.clip(index, 0, len(grid) - 1)], -1)
            value = value - 0.05 * (extra / reach) ** 2
            better = value > both
            both[better], which[better] = value[better], index[better]
        top = [i for i in range(len(grid)) if both[i] > COHERENT and both[i] == both[max(0, i - 6) : i + 7].max()]
        for i in top:
            width, height = grid[i], grid[which[i]]
            if extent[1] < 0.8 * width or extent[0] < 0.8 * height or extent[0] * extent[1] < 1.5 * width * height:
                continue
            # as card units with upright cards: x in widths, y in heights of a card
            upright = tall >= 1
            unit = np.array([1 / width, aspect / height]) if upright else np.array([aspect / width, 1 / height])
            plane = Plane(np.diag([*unit, 1.0]) @ to_table, rough.middle, scale, 0.0, aspect, 0.0)
            phases = np.array([np.angle(wave[1][i]), np.angle(wave[0][which[i]])]) / (2 * np.pi)
            yield plane, np.array([*phases, float(upright)]), float(both[i])


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """A lattice before anybody looked at its seams. taken: (rows, columns) where its cells (M, 4, 2) px are."""

    plane: Plane
    cells: Doubles
    taken: NDArray[np.bool_]
    upright: bool
    coherent: float
    pure: float

    @property
    def fits(self) -> float:
        return self.coherent**2 * self.pure**2


def _grid(plane: Plane, phases: Doubles, coherent: float, mask: Pixels, outline: NDArray[np.int32]) -> _Grid | None:
    """The cells of the lattice that the region fills."""
    upright = bool(phases[2])
    cell = np.array([1.0, plane.aspect]) if upright else np.array([plane.aspect, 1.0])
    table = plane.table(outline[:: max(1, len(outline) // 400)].astype(np.float64))
    low = np.floor((table.min(axis=0) / cell) - phases[:2] + 0.2).astype(int)
    high = np.ceil((table.max(axis=0) / cell) - phases[:2] - 0.2).astype(int)
    count = high - low
    if (count < 1).any() or count[0] * count[1] > 4 * MOST_CELLS:
        return None
    x, y = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
    middle = (np.stack([x.ravel(), y.ravel()], axis=1) + 0.5 + phases[:2]) * cell
    turn = np.full((len(middle), 1), 0.0 if upright else np.pi / 2)
    cells = plane.outlines(np.concatenate([middle, turn], axis=1))
    share = _filled(mask, cells)
    edge = np.array([mask.shape[1], mask.shape[0]]) - 1
    over = np.minimum(cells, edge - cells).min(axis=(1, 2)) < -OVER * _size(cells)
    share[over] = 0.0  # a card that the picture shows a part of tells nothing
    full = share > 0.55
    if not 2 <= full.sum() <= MOST_CELLS:
        return None
    pure = 1 - float(np.minimum(share, 1 - share)[share > 0.04].sum() / full.sum())
    if pure < PURE:
        return None
    return _Grid(plane, cells[full], full.reshape(count[1], count[0]), upright, coherent, pure)


def _lattice(grid: _Grid, raw: Pixels, strength: Floats, one: bool, finer: bool) -> Lattice | None:
    """The grid with its cells fitted to the edges, and what its seams show; None where they are gaps.

    one: whether the outline is that of one quad; finer: whether it divides another that explains the outline.
    """
    taken = grid.taken
    number = np.full(taken.shape, -1)
    number[taken] = np.arange(taken.sum())
    right, below = (1, 2) if grid.upright else (0, 1)
    pairs = [
        (one[(one >= 0) & (two >= 0)], two[(one >= 0) & (two >= 0)], out)
        for one, two, out in ((number[:, :-1], number[:, 1:], right), (number[:-1], number[1:], below))
    ]
    if _open(raw, grid.cells, pairs) < SHUT:
        return None
    cells = refit(strength, refit(strength, grid.cells, 0.05), 0.03)
    seams = _seams(strength, cells, pairs)
    inner = taken[np.ix_(taken.any(axis=1), taken.any(axis=0))]
    block = one or bool(inner.all())
    if block and inner.shape[0] == inner.shape[1] and float(np.percentile(seams, 15)) < WEAKEST:
        return None  # one card, and what is printed on it
    weak = float(np.percentile(seams, WEAKER))
    shown = 0.5 * (float(seams.mean()) + weak)  # lines of a print show along some seams, and not along most
    return Lattice(grid.plane, cells, raw, grid.coherent, grid.pure, shown, weak, float(inner.mean()), block, finer)


def _filled(mask: Pixels, cells: Doubles) -> Doubles:
    """(N,) share of each cell (N, 4, 2) that the mask covers."""
    places = (np.arange(9) + 0.5) / 9
    u, v = (g.reshape(-1, 1) for g in np.meshgrid(places, places))
    c = cells[:, None]
    spots = (
        c[..., 0, :] * (1 - u) * (1 - v)
        + c[..., 1, :] * u * (1 - v)
        + c[..., 2, :] * u * v
        + c[..., 3, :] * (1 - u) * v
    )
    x, y = spots[..., 0].round().astype(np.intp), spots[..., 1].round().astype(np.intp)
    inside = (x >= 0) & (y >= 0) & (x < mask.shape[1]) & (y < mask.shape[0])
    value = mask[np.clip(y, 0, mask.shape[0] - 1), np.clip(x, 0, mask.shape[1] - 1)] > 0
    return np.asarray((value & inside).mean(axis=1), dtype=np.float64)


_Pairs = list[tuple[NDArray[np.intp], NDArray[np.intp], int]]
"""Cells beside each other: the first of each pair, the second, and the side of the first that both share."""


def _open(raw: Pixels, cells: Doubles, pairs: _Pairs) -> float:
    """Share of the strips on both sides of nearly all seams that is not table; little where there are gaps."""
    places = (0.15 + 0.7 * (np.arange(12) + 0.5) / 12)[:, None]
    share = []
    for one, two, out in pairs:
        for which, side in ((one, out), (two, (out + 2) % 4)):
            middle = cells[which].mean(axis=1, keepdims=True)
            inner = middle + (cells[which] - middle) * (1 - 2 * GAP)
            start, end = inner[:, side, None], inner[:, (side + 1) % 4, None]
            spots = start * (1 - places) + end * places
            x = np.clip(spots[..., 0].round().astype(np.intp), 0, raw.shape[1] - 1)
            y = np.clip(spots[..., 1].round().astype(np.intp), 0, raw.shape[0] - 1)
            share.append((raw[y, x] > 0).mean(axis=1))
    every = np.concatenate(share)
    return float(np.percentile(every, MOST_SHUT)) if len(every) else 0.0


def _seams(strength: Floats, cells: Doubles, pairs: _Pairs) -> Doubles:
    """(S,) evidence of the sides that two cells share; (1,) of 0 where none do."""
    evidence = side_evidence(strength, cells)
    every = np.concatenate([0.5 * (evidence[one, out] + evidence[two, (out + 2) % 4]) for one, two, out in pairs])
    return every if len(every) else np.zeros(1)
