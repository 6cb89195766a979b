"""The strands of a path card: the colour at each of the eight ends, and which ends a strand joins.

From every end the cheapest ways over the card are found, in its own colour, without sharp turns (a strand dives under
another one straight on). Two ends are joined where their ways meet; of the 105 ways to join eight ends in pairs the
cheapest is taken, and the next one tells how sure that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.features.colours import to_lab

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

GRID = 60
"""Cells of the card's side over which ways are sought."""
WORK = 240
"""Pixels of the card's side."""
ENDS: tuple[tuple[float, float], ...] = (
    (1 / 3, 0), (2 / 3, 0), (1, 1 / 3), (1, 2 / 3), (2 / 3, 1), (1 / 3, 1), (0, 2 / 3), (0, 1 / 3),
)  # fmt: skip
"""Where the ends are, in card sides from the top left corner; 0-7 clockwise from the left end of the top side."""
MOVES: tuple[tuple[int, int], ...] = (
    (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (-1, 2), (-2, 2), (-2, 1),
    (-2, 0), (-2, -1), (-2, -2), (-1, -2), (0, -2), (1, -2), (2, -2), (2, -1),
)  # fmt: skip
"""Steps (x, y) in sixteen directions, clockwise from the right; one turn a step, so that no bend is sharper than a
circle of six cells."""
BEND, BEND_HIDDEN = 0.8, 1.5
"""Cost of turning by one direction on a strand's own colour, and where it cannot be seen: there it goes straight on."""
OTHER_STRAND, GROUND = 0.4, 4.0
"""Cost of a cell of another strand's colour, and of none, where one of its own costs at least `OWN`."""
OWN = 0.03
EDGES, OUTLINE = (0.0, 0.7), 2
"""How far the outline beside a strand counts as one (0..1), and its width in cells. Both ways to see a dive under an
outlined strand are tried, the clearer one is taken, and if they differ nothing is sure. Measured on 108 faces of three
looks: each way alone joins 88 rightly, three and two of the wrong ones unflagged; together 90, two."""
LEFT_OVER = 0.6
"""Cost of each cell of a strand's colour that no strand of that colour passes."""
CORE = 0.9
"""Share of one colour from which on a cell is the inside of a strand."""
BESIDE = 1.3
"""How much wider on each side than half a strand the piece of card is that a strand explains, in cells."""
CENTRE = 0.6
"""Cost of a cell at the edge of a strand of its own colour, more than in its middle."""
AGAIN = 2.5
"""Cost of turning in two steps one after the other, which is a sharp corner."""
GROUND_LIKE = 13.0
"""Difference in Lab up to which a colour is the ground's."""
UNEVEN = 0.05
"""Cost of each cell by which the halves of a strand differ in length."""
STEPS = 24
"""Most steps of half a strand."""
CENT, PACE, FAR = 2.0**-20, 2.0**-30, 2.0**20
"""What costs are rounded to, what a length counts beside them (so little that it never counts as a cost), and the cost
of what is not reached."""


@dataclass(frozen=True, slots=True, eq=False)
class StrandReading:
    """pairs: four pairs of ends; colours: (8,) the number of each end's colour in the palette; margin: what the next
    best way to join costs more; sure: (8,) how much nearer the colour is than the next, 0..1."""

    pairs: tuple[tuple[int, int], ...]
    colours: NDArray[np.intp]
    margin: float
    sure: Doubles


def ground_of(cards: Sequence[Pixels]) -> Doubles:
    """(3,) CIE Lab of the colour that the most of all cards (H, H, 3) BGR is of: what the strands lie on."""
    small = np.stack([np.asarray(cv2.resize(card, (48, 48), interpolation=cv2.INTER_AREA), np.uint8) for card in cards])
    pixels = to_lab(small.reshape(-1, 1, 3)).reshape(-1, 3)
    bins = np.floor(pixels / 7).astype(np.int64) + 32
    names = (bins[:, 0] * 64 + bins[:, 1]) * 64 + bins[:, 2]
    mode = pixels[names == np.bincount(names).argmax()].mean(axis=0)
    return np.asarray(pixels[np.linalg.norm(pixels - mode, axis=1) < 10].mean(axis=0), np.float64)


def end_colours(card: Pixels, ground: Doubles | None = None) -> Doubles:
    """(8, 3) the colour (CIE Lab) at each end of a card (H, H, 3) BGR: the commonest in a short piece of the strand.

    ground: (3,) what the strands lie on, which is then left out.
    """
    lab = to_lab(np.asarray(cv2.resize(card, (WORK, WORK), interpolation=cv2.INTER_AREA), np.uint8))
    out = []
    for x, y in ENDS:
        inward = np.array([0.5 - x, 0.5 - y])
        inward = np.sign(inward) * (np.abs(inward) > 0.4)
        across = inward[::-1]
        depth = np.linspace(0.03, 0.115, 12)
        wide = np.linspace(-0.03, 0.03, 9)
        spots = (
            np.array([x, y]) + depth[:, None, None] * inward[None, None] + wide[None, :, None] * across[None, None]
        ).reshape(-1, 2) * WORK
        pixels = lab[np.clip(spots[:, 1].astype(int), 0, WORK - 1), np.clip(spots[:, 0].astype(int), 0, WORK - 1)]
        if ground is not None:
            strand = np.linalg.norm(pixels - ground, axis=1) > GROUND_LIKE
            if strand.mean() > 0.25:
                pixels = pixels[strand]
        # Dots and dashes on a strand are fewer than its own pixels: the densest place among the samples.
        near = np.linalg.norm(pixels[:, None] - pixels[None], axis=2)
        votes = np.exp(-np.square(near / 12)).sum(axis=1)
        out.append(pixels[near[int(votes.argmax())] < 14].mean(axis=0))
    return np.asarray(out, np.float64)


def read_strands(
    card: Pixels, palette: Doubles, colours: Sequence[int] | None = None, ground: Doubles | None = None
) -> StrandReading:
    """Read an upright card (H, H, 3) BGR. palette: (K, 3) CIE Lab of the deck's strands.

    colours: the number of each end's colour, where it is already known; ground: as in `end_colours`.
    """
    lab = to_lab(np.asarray(cv2.resize(card, (WORK, WORK), interpolation=cv2.INTER_AREA), np.uint8))
    seen = end_colours(card, ground)
    weights = np.array([0.5, 1.0, 1.0])
    gap = np.linalg.norm((seen[:, None] - palette[None]) * weights, axis=2)
    order = np.sort(gap, axis=1)
    which = gap.argmin(axis=1) if colours is None else np.asarray(colours, np.intp)
    sure = np.clip(1 - order[:, 0] / np.maximum(order[:, 1], 1e-6), 0, 1) if len(palette) > 1 else np.ones(8)
    share = _shares(lab, palette)
    width = _width(share, which)
    readings = []
    for edge in EDGES:
        cost = _costs(share, which, edge)
        between, ways = _between(*_reach(cost), cost, width)
        readings.append(_matching(between, ways, share, which))
    pairs, margin = max(readings, key=lambda reading: reading[1])
    if any(set(other) != set(pairs) for other, _ in readings):
        margin = 0.0
    return StrandReading(pairs, np.asarray(which, np.intp), margin, np.asarray(sure))


def _shares(lab: Floats, palette: Doubles) -> Floats:
    """(K, GRID, GRID) how much of a cell is of each colour of the palette."""
    weights = np.array([0.5, 1.0, 1.0], np.float32)
    apart = np.stack([np.linalg.norm((lab - c.astype(np.float32)) * weights, axis=2) for c in palette])
    gaps = [float(np.linalg.norm((a - b) * weights)) for i, a in enumerate(palette) for b in palette[:i]]
    width = np.float32(max(7.0, 0.3 * min(gaps, default=40.0)))
    like = np.exp(-np.square(apart / width))
    small = np.stack([cv2.resize(each, (GRID, GRID), interpolation=cv2.INTER_AREA) for each in like])
    # Marks on a strand and its light edges leave holes: a cell counts as strand if most of it and around it is.
    wide = np.stack([cv2.GaussianBlur(each, (0, 0), 0.8) for each in small])
    peak = np.percentile(wide.reshape(len(wide), -1), 99, axis=1)[:, None, None]
    return np.asarray(np.clip(wide / np.maximum(0.6 * peak, 0.15), 0, 1), np.float32)


def _costs(share: Floats, which: NDArray[np.intp], edge: float) -> Floats:
    """(8, GRID, GRID) what a cell costs to a strand of each end's colour; edge: how far the outline of a strand counts
    as a strand (0..1)."""
    out = np.empty((8, GRID, GRID), np.float32)
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * OUTLINE + 1, 2 * OUTLINE + 1))
    outlined = edge * cv2.GaussianBlur(cv2.dilate(share.max(axis=0), around), (0, 0), 0.7)
    for end in range(8):
        own = share[which[end]]
        rest = np.delete(share, which[end], axis=0)
        other = np.maximum(outlined, rest.max(axis=0, initial=0.0))
        elsewhere = OTHER_STRAND * other + GROUND * (1 - other)
        middle = cv2.GaussianBlur(own, (0, 0), 1.8)
        middle = np.clip(middle / max(float(np.percentile(middle, 97)), 0.1), 0, 1)
        out[end] = (OWN + CENTRE * (1 - middle)) * own + elsewhere * (1 - own)
    return out


def _width(share: Floats, which: NDArray[np.intp]) -> float:
    """The usual width of a strand at its ends, in cells."""
    widths = []
    for end, (x, y) in enumerate(ENDS):
        own = share[which[end]]
        line = own[2 if y == 0 else GRID - 3] if y in (0, 1) else own[:, 2 if x == 0 else GRID - 3]
        at = round((x if y in (0, 1) else y) * GRID - 0.5)
        low = high = at
        while low > 0 and line[low - 1] > 0.5:
            low -= 1
        while high < GRID - 1 and line[high + 1] > 0.5:
            high += 1
        widths.append(high - low + 1)
    return float(np.clip(np.median(widths), 2, GRID / 5))


def _bends(cost: Floats) -> Floats:
    """(8, GRID, GRID) what turning by one direction costs."""
    hidden = np.clip((cost - OWN) / (OTHER_STRAND - OWN), 0, 1)
    return np.asarray(BEND + (BEND_HIDDEN - BEND) * hidden, np.float32)


def _reach(cost: Floats) -> tuple[Floats, Floats]:
    """What it costs each end to come to a cell in a direction, and how long the way is: two of (2, 8, 16, GRID, GRID).

    The first is of ways that went straight on in their last step, the second of ways that turned.
    """
    steps = np.stack([_way(each, float(np.hypot(*move))) for each, move in zip(_middles(cost), MOVES, strict=True)])
    bends = _way(_bends(cost), 0.0)
    ways = np.stack([_reach_of(end, steps[:, end], bends[end]) for end in range(len(ENDS))], axis=1)
    paid = np.floor(ways / CENT) * CENT
    return (
        np.where(ways < FAR / 2, paid, np.inf).astype(np.float32),
        np.where(ways < FAR / 2, (ways - paid) / PACE, 0.0).astype(np.float32),
    )


def _reach_of(end: int, steps: Doubles, bend: Doubles) -> Doubles:
    """(2, 16, GRID, GRID) as `_reach`, of one end, as `_way`. steps: (16, GRID, GRID); bend: (GRID, GRID)."""
    ways = np.full((2, 16, GRID, GRID), FAR)
    x, y = ENDS[end]
    column = min(GRID - 1, max(0, round(x * GRID - 0.5)))
    row = min(GRID - 1, max(0, round(y * GRID - 0.5)))
    inward = 4 if y == 0 else 8 if x == 1 else 12 if y == 1 else 0
    ahead = (int(np.sign(MOVES[inward][0])), int(np.sign(MOVES[inward][1])))
    for aside in (-1, 0, 1):
        for depth in (0, 1):
            r = row + ahead[1] * depth + aside * abs(ahead[0])
            c = column + ahead[0] * depth + aside * abs(ahead[1])
            ways[0, inward, r, c] = _way(0.1 * abs(aside) + OWN * depth, depth)
    again = _way(AGAIN, 0.0)
    furthest = max(abs(part) for move in MOVES for part in move)
    for number in range(STEPS):
        # Nothing lies further from the end yet than so many steps can bring it.
        near = 1 + furthest * (number + 1)
        box = np.s_[..., max(0, row - near) : row + near + 1, max(0, column - near) : column + near + 1]
        here, cost, turn = ways[box], steps[box], bend[box]
        before = here.copy()
        straight = np.minimum(before[0], before[1])
        turning = np.minimum(before[0], before[1] + again) + turn
        turned = np.minimum(np.roll(turning, 1, axis=0), np.roll(turning, -1, axis=0))
        for k, (dx, dy) in enumerate(MOVES):
            to, start = _cells(dx, dy, turn.shape), _cells(-dx, -dy, turn.shape)
            for state, come in ((0, straight), (1, turned)):
                reached = here[state, k][to]
                np.minimum(reached, come[k][start] + cost[k][to], out=reached)
        if np.array_equal(before, here):
            break
    return ways


def _way(cost: Floats | float, length: float) -> Doubles:
    """Cost and length of a way, or of a step, in one number: two such add up, and the cheaper one is the smaller."""
    return np.asarray(np.round(np.asarray(cost, np.float64) / CENT) * CENT + PACE * length, np.float64)


def _cells(dx: int, dy: int, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """The cells of a plane (H, W) that a step of (dx, dy) from within can reach."""
    rows, columns = shape
    return slice(max(0, dy), rows + min(0, dy)), slice(max(0, dx), columns + min(0, dx))


def _least(choices: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Cell by cell the cheapest of several (cost, length)."""
    cost, length = choices[0]
    for other, other_length in choices[1:]:
        better = other < cost
        cost = np.where(better, other, cost)
        length = np.where(better, other_length, length)
    return cost, length


def _middles(cost: Floats) -> list[Floats]:
    """For each direction (8, GRID, GRID) the cost of the step that ends in a cell."""
    return [_step_cost(cost, move) * np.float32(np.hypot(*move)) for move in MOVES]


def _step_cost(cost: Floats, move: tuple[int, int]) -> Floats:
    """(8, GRID, GRID) the mean cost on the way of a move that ends in each cell."""
    between = [(round(move[0] * part), round(move[1] * part)) for part in (0.5,)]
    ways = [_shifted(cost, dx, dy, GROUND) for dx, dy in between]
    return np.asarray((cost + sum(ways)) / (1 + len(ways)), np.float32)


def _shifted(planes: Floats, dx: int, dy: int, fill: float) -> Floats:
    """Planes (N, H, W) moved by (dx, dy), what comes in from outside being `fill`."""
    out = np.full_like(planes, fill)
    height, width = planes.shape[1:]
    out[:, max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)] = planes[
        :, max(0, -dy) : height + min(0, -dy), max(0, -dx) : width + min(0, -dx)
    ]
    return out


def _between(
    value: Floats, length: Floats, cost: Floats, width: float
) -> tuple[Doubles, dict[tuple[int, int], tuple[Floats, Floats]]]:
    """What the best strand between two ends costs (8, 8): ways that meet head on, of about one length; and for each
    pair (a, b) where its two halves pass (GRID, GRID) 0/1."""
    bend, middle = _bends(cost), _middles(cost)
    facing = [(k + 8) % 16 for k in range(16)]
    either, long = _least([(value[0], length[0]), (value[1], length[1])])
    out = np.full((8, 8), 1e6)
    passes = {}
    for a in range(8):
        for b in range(a + 1, 8):
            least, at = np.inf, (0, 0, 0, 0)
            for turn in (0, 1, -1):
                towards = [(k + turn) % 16 for k in facing]
                both = either[a] + either[b][towards] + abs(turn) * np.minimum(bend[a], bend[b])
                both = both + UNEVEN * np.abs(long[a] - long[b][towards])
                k, row, column = (int(v) for v in np.unravel_index(int(both.argmin()), both.shape))
                if both[k, row, column] < least:
                    least, at = float(both[k, row, column]), (k, towards[k], row, column)
            out[a, b] = out[b, a] = least
            halves = [
                _way_back(value[:, end], [m[end] for m in middle], bend[end], (direction, *at[2:]))
                for end, direction in ((a, at[0]), (b, at[1]))
            ]
            passes[a, b] = (_band(halves[0], width), _band(halves[1], width))
    return out, passes


def _way_back(value: Floats, middle: list[Floats], bend: Floats, at: tuple[int, int, int]) -> list[tuple[int, int]]:
    """The cells (x, y) on the way of an end to a direction, row and column, from there back."""
    k, row, column = at
    state = int(value[1, k, row, column] < value[0, k, row, column])
    way = [(column, row)]
    for _ in range(STEPS):
        row0, column0 = row - MOVES[k][1], column - MOVES[k][0]
        here = float(value[state, k, row, column])
        if not (0 <= row0 < GRID and 0 <= column0 < GRID) or not np.isfinite(here):
            break
        if state == 0:
            before = [(float(value[s, k, row0, column0]), k, s) for s in (0, 1)]
        else:
            turn = float(bend[row0, column0])
            before = [
                (float(value[s, (k + t) % 16, row0, column0]) + turn + AGAIN * s, (k + t) % 16, s)
                for s in (0, 1)
                for t in (-1, 1)
            ]
        best, direction, came = min(before)
        if best + float(middle[k][row, column]) > here + 1e-2:
            break  # here the way began
        k, row, column, state = direction, row0, column0, came
        way.append((column, row))
    return way


def _band(way: list[tuple[int, int]], width: float) -> Floats:
    """(GRID, GRID) 1 beside a way, to the card's side at its end."""
    mask = np.zeros((GRID, GRID), np.uint8)
    points = np.array(way, np.int32)
    if len(points) > 1:  # on to the side
        points = np.concatenate([points, points[-1:] + np.sign(points[-1:] - points[-2:-1]) * 2])
    cv2.polylines(mask, [points.reshape(-1, 1, 2)], False, 1, round(width + 2 * BESIDE))
    return mask.astype(np.float32)


def _matching(
    between: Doubles, passes: dict[tuple[int, int], tuple[Floats, Floats]], share: Floats, which: NDArray[np.intp]
) -> tuple[tuple[tuple[int, int], ...], float]:
    """The cheapest way to join all ends in pairs that leaves little unexplained, and what the next costs more."""
    ways = _ways()
    covers = {}
    for (a, b), (one, two) in passes.items():
        cover = np.zeros_like(share)
        cover[which[a]] = one
        cover[which[b]] = np.maximum(cover[which[b]], two)
        covers[a, b] = cover
    strand = np.where(share >= np.maximum(share.max(axis=0), CORE), share, 0)
    totals = []
    for way in ways:
        covered = np.maximum.reduce([covers[pair] for pair in way])
        totals.append(sum(between[a, b] for a, b in way) + LEFT_OVER * float((strand * (1 - covered)).sum()))
    order = np.argsort(totals, kind="stable")
    return ways[int(order[0])], float(totals[order[1]] - totals[order[0]])


@lru_cache(maxsize=1)
def _ways() -> tuple[tuple[tuple[int, int], ...], ...]:
    def rest(ends: tuple[int, ...]) -> list[tuple[tuple[int, int], ...]]:
        if not ends:
            return [()]
        first = ends[0]
        return [
            ((first, other), *more)
            for other in ends[1:]
            for more in rest(tuple(e for e in ends if e not in (first, other)))
        ]

    return tuple(rest(tuple(range(8))))
