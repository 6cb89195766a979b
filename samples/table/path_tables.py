"""Random tables of Multicoloured Paths: cards grown one by one so that all ends meet their own colour."""

from __future__ import annotations

import math

import numpy as np

from referee.decks import Deck, PathFace
from referee.layouts import Layout, PlacedCard
from samples.table.cat_routes import STEPS, Cell, NoRoomError

Rng = np.random.Generator
Grid = dict[Cell, tuple[PathFace, int]]

FAULTS: tuple[str, ...] = ("mismatch", "shoved")
"""Each breaks a rule; `apart` (cards that lie by themselves) is legal."""


def _end(face: PathFace, quarters: int, end: int) -> str:
    """Colour at an end (0-7 clockwise from the left of the top side) of a card turned by quarters."""
    return face.colour_at[(end - 2 * quarters) % 8]


def _meets(face: PathFace, quarters: int, side: int, other: PathFace, turned: int) -> int:
    """How many of the two ends of a side meet their own colour on the neighbour across it."""
    return sum(_end(face, quarters, 2 * side + k) == _end(other, turned, (2 * side + 5 - k) % 8) for k in (0, 1))


def _around(grid: Grid, cell: Cell) -> list[tuple[int, tuple[PathFace, int]]]:
    found = []
    for side, step in enumerate(STEPS):
        other = grid.get((cell[0] + step[0], cell[1] + step[1]))
        if other is not None:
            found.append((side, other))
    return found


def _grow(deck: Deck, count: int, rng: Rng, wrong_at: int | None) -> list[tuple[Cell, PathFace, int]]:
    """Cards in the order they were laid; number `wrong_at` is laid with a mismatch."""
    faces = [f for f in deck.faces if isinstance(f, PathFace) for _ in range(f.count)]
    pool = [faces[k] for k in rng.permutation(len(faces))]
    grid: Grid = {(0, 0): (pool.pop(), int(rng.integers(4)))}
    laid = [((0, 0), *grid[0, 0])]
    compact = rng.uniform(0, 1)
    while len(laid) < count:
        free = {(c[0] + s[0], c[1] + s[1]) for c in grid for s in STEPS} - set(grid)
        cells = sorted(free, key=lambda c: rng.uniform() - compact * len(_around(grid, c)))
        for cell in cells:
            wanted = _fitting(grid, cell, pool, wrong=len(laid) == wrong_at, rng=rng)
            if wanted is not None:
                face, quarters = wanted
                pool.remove(face)
                grid[cell] = (face, quarters)
                laid.append((cell, face, quarters))
                break
        else:
            raise NoRoomError("no card fits anywhere")
    return laid


def _fitting(grid: Grid, cell: Cell, pool: list[PathFace], wrong: bool, rng: Rng) -> tuple[PathFace, int] | None:
    around = _around(grid, cell)
    for face in (pool[k] for k in rng.permutation(len(pool))):
        for quarters in rng.permutation(4).tolist():
            joins = [_meets(face, quarters, side, *other) for side, other in around]
            if wrong and min(joins) < 2 and sum(joins) >= 1:
                return face, int(quarters)
            if not wrong and min(joins) == 2:
                return face, int(quarters)
    return None


def path_layout(deck: Deck, rng: Rng, fault: str | None, name: str = "") -> Layout:
    """A table of 3 to 16 cards. `fault`: None, one of `FAULTS`, or `apart` (legal).

    Raises NoRoomError when these random numbers lead nowhere.
    """
    count = int(rng.integers(3, 17))
    wrong_at = int(rng.integers(1, count)) if fault == "mismatch" else None
    laid = _grow(deck, count, rng, wrong_at)
    side = deck.card_mm[0]
    neat = rng.uniform(0.2, 1.0)
    pitch = side * rng.uniform(1.0, 1.035)
    seat = math.radians(rng.choice([0, 90, 180, 270]) + rng.normal(0, 4))
    shoved = None
    if fault == "shoved":
        grid = {cell: (face, quarters) for cell, face, quarters in laid}
        single = [k for k, (cell, _, _) in enumerate(laid) if k and len(_around(grid, cell)) == 1]
        if not single:
            raise NoRoomError("no card can be shoved alone")
        shoved = single[int(rng.integers(len(single)))]
    cards = []
    for k, (cell, face, quarters) in enumerate(laid):
        x, y = cell[0] * pitch, cell[1] * pitch
        if k == shoved:
            around = _around({c: (f, q) for c, f, q in laid}, cell)
            along = STEPS[(around[0][0] + 1) % 4]
            by = side * rng.uniform(0.32, 0.6) * rng.choice([-1, 1])
            x, y = x + along[0] * by, y + along[1] * by
        x, y = (v + rng.normal(0, 0.012 * side * neat) for v in (x, y))
        cards.append((face, x, y, 90.0 * quarters + rng.normal(0, 1.6 * neat)))
    if fault == "apart" or (fault is None and rng.uniform() < 0.25):
        cards += _apart(deck, laid, cards, rng)
    placed = []
    for k, (face, x, y, turn) in enumerate(cards):
        px, py = x * math.cos(seat) - y * math.sin(seat), x * math.sin(seat) + y * math.cos(seat)
        placed.append(
            PlacedCard(
                id=f"c{k + 1}",
                face=face.id,
                x=round(px, 2),
                y=round(py, 2),
                turn=round((turn + math.degrees(seat)) % 360, 2),
            )
        )
    return Layout(game=deck.game, name=name, cards=tuple(placed))


def _apart(
    deck: Deck,
    laid: list[tuple[Cell, PathFace, int]],
    cards: list[tuple[PathFace, float, float, float]],
    rng: Rng,
) -> list[tuple[PathFace, float, float, float]]:
    """One to four cards in a row at the rim of the table: somebody's hand."""
    used = [face.id for _, face, _ in laid]
    rest = [f for f in deck.faces if isinstance(f, PathFace) and used.count(f.id) < f.count]
    side = deck.card_mm[0]
    bottom = max(y for _, _, y, _ in cards) + side * rng.uniform(1.8, 2.6)
    left = min(x for _, x, _, _ in cards) + rng.uniform(-1, 2) * side
    hand = []
    for k, index in enumerate(rng.permutation(len(rest))[: int(rng.integers(1, 5))]):
        x = left + k * side * rng.uniform(1.45, 1.6)
        hand.append((rest[index], x, bottom + rng.normal(0, 3), 90.0 * int(rng.integers(4)) + rng.normal(0, 5)))
    return hand
