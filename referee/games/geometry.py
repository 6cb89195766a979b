"""Where cards lie relative to each other: frames, overlaps, and a grid that finds neighbours in
constant time.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from referee.layouts import PlacedCard

Point = tuple[float, float]

EPSILON = 1e-7
"""What rounding may add to a length in card sides or an angle in degrees: a limit itself still counts."""


def offset_in_frame(card: PlacedCard, other: PlacedCard) -> Point:
    """The way from one card's centre to another's in the first card's own frame: (right, down),
    millimetres.
    """
    angle = math.radians(card.turn)
    dx, dy = other.x - card.x, other.y - card.y
    return (
        dx * math.cos(angle) + dy * math.sin(angle),
        -dx * math.sin(angle) + dy * math.cos(angle),
    )


def turn_between(a: float, b: float, period: float = 360.0) -> float:
    """The angle between two turns, where turns by `period` are the same: 0 to period / 2 degrees."""
    difference = math.fmod(a - b, period)
    if difference < 0:
        difference += period
    return min(difference, period - difference)


def corners(card: PlacedCard, width: float, height: float) -> list[Point]:
    """The corners of a card on the table, clockwise from the face's own top left."""
    return _outline(card.x, card.y, card.turn, width, height)


def _outline(x: float, y: float, turn: float, width: float, height: float) -> list[Point]:
    angle = math.radians(turn)
    cos, sin = math.cos(angle), math.sin(angle)
    half = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    return [(x + u * cos - v * sin, y + u * sin + v * cos) for u, v in half]


def overlap(a: PlacedCard, b: PlacedCard, width: float, height: float) -> float:
    """The share of a card's area that two cards of one size have in common, 0 to 1."""
    if math.hypot(a.x - b.x, a.y - b.y) >= math.hypot(width, height):
        return 0.0
    return _overlap((a.x, a.y, a.turn), (b.x, b.y, b.turn), width, height)


@lru_cache(maxsize=4096)
def _overlap(a: tuple[float, float, float], b: tuple[float, float, float], width: float, height: float) -> float:
    """As `overlap`, kept: many plausible readings of one table differ in a card or two."""
    first, second = (_outline(*pose, width, height) for pose in (a, b))
    return _area(_clip(first, second)) / (width * height)


def _area(polygon: Sequence[Point]) -> float:
    pairs = zip(polygon, [*polygon[1:], *polygon[:1]], strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2


def _clip(polygon: list[Point], clockwise: Sequence[Point]) -> list[Point]:
    """Sutherland and Hodgman's clipping of a polygon by a convex one (clockwise with y pointing down)."""
    for (ax, ay), (bx, by) in zip(clockwise, [*clockwise[1:], clockwise[0]], strict=True):
        inside = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in polygon]
        kept: list[Point] = []
        for i, (x, y) in enumerate(polygon):
            j = (i + 1) % len(polygon)
            if inside[i] >= 0:
                kept.append((x, y))
            if (inside[i] >= 0) != (inside[j] >= 0):
                t = inside[i] / (inside[i] - inside[j])
                kept.append((x + t * (polygon[j][0] - x), y + t * (polygon[j][1] - y)))
        polygon = kept
        if len(polygon) < 3:
            return []
    return polygon


class NeighbourGrid:
    """A hash grid over card centres. `reach` is the greatest distance that will be asked for,
    millimetres.
    """

    def __init__(self, cards: Sequence[PlacedCard], reach: float) -> None:
        self._cards = cards
        self._reach = reach
        self._cells: dict[tuple[int, int], list[int]] = defaultdict(list)
        for index, card in enumerate(cards):
            self._cells[self._cell(card)].append(index)

    def _cell(self, card: PlacedCard) -> tuple[int, int]:
        return math.floor(card.x / self._reach), math.floor(card.y / self._reach)

    def near(self, index: int) -> Iterator[int]:
        """The indices of the other cards whose centres are at most `reach` away."""
        card = self._cards[index]
        column, row = self._cell(card)
        for x in (column - 1, column, column + 1):
            for y in (row - 1, row, row + 1):
                for other in self._cells.get((x, y), ()):
                    if other == index:
                        continue
                    far = math.hypot(self._cards[other].x - card.x, self._cards[other].y - card.y)
                    if far <= self._reach:
                        yield other


def components(count: int, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The connected components of the graph on 0..count-1 with these edges, each sorted, in order of
    first.
    """
    parent = list(range(count))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in pairs:
        a, b = sorted((root(a), root(b)))
        parent[b] = a
    groups: dict[int, list[int]] = defaultdict(list)
    for i in range(count):
        groups[root(i)].append(i)
    return list(groups.values())
