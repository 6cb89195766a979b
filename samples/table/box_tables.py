"""Random tables of If It Fits: boxes in a grid, cats across joined long sides, with one known fault."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from referee.decks import WALLS, BoxFace, CatFace, Deck, Face
from referee.layouts import Layout, PlacedCard
from samples.table.cat_routes import STEPS, Cell, NoRoomError

Rng = np.random.Generator
Spot = tuple[float, float]

FAULTS: tuple[str, ...] = (
    "cat-across-wall",
    "cat-astray",
    "box-long-to-short",
    "box-not-flush",
    "box-overlap",
    "cat-overlap",
)
"""Each breaks a rule."""


class _Table:
    """The grid as it grows; cells are (column, row), faces may be turned by a half."""

    def __init__(self, deck: Deck, rng: Rng) -> None:
        self.deck, self.rng = deck, rng
        self.left: Counter[str] = Counter({f.id: f.count for f in deck.faces})
        self.boxes: dict[Cell, tuple[BoxFace, int]] = {}
        self.cats: list[tuple[Cell, str]] = []

    def take(self, faces: list[Face]) -> Face:
        pool = [f for f in faces for _ in range(self.left[f.id])]
        if not pool:
            raise NoRoomError("no such card is left")
        face = pool[int(self.rng.integers(len(pool)))]
        self.left[face.id] -= 1
        return face

    def box(self, *kinds: str) -> BoxFace:
        face = self.take([f for f in self.deck.faces if f.kind in kinds])
        assert isinstance(face, BoxFace)
        return face

    def cat(self, asleep: bool = False) -> Face:
        cats: list[Face] = [f for f in self.deck.faces if isinstance(f, CatFace) and f.asleep == asleep]
        if not asleep and self.rng.uniform() < 0.12:
            cats = [f for f in self.deck.faces if f.kind == "princess"]
        face = self.take(cats)
        if isinstance(face, CatFace):
            # Awake and asleep are two sides of the same cards.
            for other in self.deck.faces:
                if isinstance(other, CatFace) and other.player == face.player and other.id != face.id:
                    self.left[other.id] -= 1
        return face

    def wall(self, cell: Cell, side: int) -> bool:
        """Whether the box in a cell has a wall on its side 0-3 (top, right, bottom, left) as it lies."""
        face, halves = self.boxes[cell]
        return WALLS[(side + 2 * halves) % 4] in face.walls

    def joints(self, wall: bool) -> list[Cell]:
        """Left cells of the pairs joined by a long side, with or without a wall between."""
        return [
            (c, r)
            for c, r in self.boxes
            if (c + 1, r) in self.boxes and (self.wall((c, r), 1) or self.wall((c + 1, r), 3)) == wall
        ]

    def free(self) -> list[Cell]:
        """Empty cells beside a box."""
        return sorted({(c + s[0], r + s[1]) for c, r in self.boxes for s in STEPS} - set(self.boxes))


def box_layout(deck: Deck, rng: Rng, fault: str | None, name: str = "") -> Layout:
    """A table of 4 to 14 boxes and up to five cats. `fault`: None or one of `FAULTS`.

    Raises NoRoomError when these random numbers lead nowhere.
    """
    table = _Table(deck, rng)
    starts = int(rng.integers(1, 4))
    for row in range(starts):
        table.boxes[0, row] = (table.box("start"), int(rng.integers(2)))
    compact = rng.uniform(0.1, 0.5)
    tidy = int(rng.choice([1, 4, 12]))
    for _ in range(int(rng.integers(3, 12))):
        free = table.free()
        middle = np.mean(list(table.boxes), axis=0)
        cell = min(free, key=lambda c: rng.uniform() + compact * math.hypot(c[0] - middle[0], (c[1] - middle[1]) * 1.4))
        kinds = ("toy",) if rng.uniform() < 0.05 else ("box",)
        table.boxes[cell] = _fitting(table, cell, kinds, tidy, rng)
    _seat_cats(table, int(rng.integers(0, 6)), rng)
    return Layout(game=deck.game, name=name, cards=tuple(_placed(table, fault, rng)))


def _fitting(table: _Table, cell: Cell, kinds: tuple[str, ...], tidy: int, rng: Rng) -> tuple[BoxFace, int]:
    """Of `tidy` drawn cards the one that best closes the box: open to its neighbours, walls outwards."""
    options = []
    for _ in range(tidy):
        face = table.box(*kinds)
        table.left[face.id] += 1
        for halves in (0, 1):
            table.boxes[cell] = (face, halves)
            score = 0
            for side, step in enumerate(STEPS):
                joined = (cell[0] + step[0], cell[1] + step[1]) in table.boxes
                score += table.wall(cell, side) != joined
            options.append((score + rng.uniform(), face, halves))
    _, face, halves = max(options, key=lambda option: option[0])
    table.left[face.id] -= 1
    return face, halves


def _seat_cats(table: _Table, count: int, rng: Rng) -> None:
    open_ = table.joints(wall=False)
    for index in rng.permutation(len(open_)):
        cell = open_[index]
        near = [other for other, _ in table.cats if other[1] == cell[1] and abs(other[0] - cell[0]) < 2]
        if not near and len(table.cats) < count:
            table.cats.append((cell, table.cat().id))


def _placed(table: _Table, fault: str | None, rng: Rng) -> list[PlacedCard]:
    w, h = table.deck.card_mm
    neat = rng.uniform(0.2, 1.0)
    pitch = (w * rng.uniform(1.0, 1.03), h * rng.uniform(1.0, 1.025))
    seat = rng.choice([0, 90, 180, 270]) + rng.normal(0, 4)

    def near(x: float, y: float, loose: float = 1.0) -> Spot:
        return x + rng.normal(0, 0.012 * w * neat * loose), y + rng.normal(0, 0.012 * w * neat * loose)

    rows: list[tuple[str, float, float, float, float]] = []
    for (column, row), (face, halves) in table.boxes.items():
        x, y = near(column * pitch[0], row * pitch[1])
        rows.append((face.id, x, y, 180.0 * halves + rng.normal(0, 1.2 * neat), 0.0))
    for (column, row), face_id in table.cats:
        x, y = near((column + 0.5) * pitch[0], row * pitch[1], 2.5)
        rows.append((face_id, x, y, rng.choice([90, 270]) + rng.normal(0, 3.5 * neat), 1.0))
    if fault is None and rng.uniform() < 0.3:
        rows += _supply(table, pitch, rng)
    if fault is not None:
        rows += _fault(table, fault, pitch, rng)
    angle = math.radians(seat)
    c, s = math.cos(angle), math.sin(angle)
    return [
        PlacedCard(
            id=f"c{k + 1}",
            face=face,
            x=round(x * c - y * s, 2),
            y=round(x * s + y * c, 2),
            turn=round((turn + seat) % 360, 2),
            z=z,
        )
        for k, (face, x, y, turn, z) in enumerate(rows)
    ]


def _supply(table: _Table, pitch: Spot, rng: Rng) -> list[tuple[str, float, float, float, float]]:
    """A cat or two lying ready beside the boxes."""
    bottom = max(r for _, r in table.boxes) * pitch[1] + pitch[1] * rng.uniform(1.3, 1.8)
    cats = []
    for k in range(int(rng.integers(1, 3))):
        cats.append((table.cat().id, k * pitch[0] * 1.3, bottom + rng.normal(0, 3), rng.normal(0, 8), 0.0))
    return cats


def _pick(options: list[Cell], rng: Rng) -> Cell:
    if not options:
        raise NoRoomError("no place fits")
    return options[int(rng.integers(len(options)))]


def _fault(table: _Table, fault: str, pitch: Spot, rng: Rng) -> list[tuple[str, float, float, float, float]]:
    """The one card that lies wrong: face, x, y, turn, z."""
    w, h = table.deck.card_mm
    seated = [cell for cell, _ in table.cats]
    if fault == "cat-across-wall":
        apart = [c for c in table.joints(wall=True) if not any(o[1] == c[1] and abs(o[0] - c[0]) < 2 for o in seated)]
        column, row = _pick(apart, rng)
        return [
            (table.cat().id, (column + 0.5) * pitch[0], row * pitch[1], rng.choice([90, 270]) + rng.normal(0, 2), 1.0)
        ]
    if fault == "cat-astray":
        bare = [c for c in table.boxes if not any(o[1] == c[1] and o[0] - c[0] in (0, -1) for o in seated)]
        column, row = _pick(bare, rng)
        off = rng.normal(0, 0.06, 2)
        turn = rng.choice([0.0, 180.0, 45.0])
        return [(table.cat().id, (column + off[0]) * pitch[0], (row + off[1]) * pitch[1], turn + rng.normal(0, 4), 1.0)]
    if fault == "cat-overlap":
        column, row = _pick(seated, rng)
        x = (column + 0.5 + rng.uniform(-0.2, 0.2)) * pitch[0]
        return [(table.cat().id, x, (row + rng.uniform(-0.1, 0.1)) * pitch[1], 90 + rng.normal(0, 8), 2.0)]
    clear = [
        (c, r, d)
        for c, r in table.boxes
        for d in (-1, 1)
        if all((c + d * k, r + j) not in table.boxes for k in (1, 2) for j in (-1, 0, 1))
    ]
    if not clear:
        raise NoRoomError("no free side")
    column, row, d = clear[int(rng.integers(len(clear)))]
    face = table.box("box").id
    x, y = column * pitch[0], row * pitch[1]
    if fault == "box-long-to-short":
        return [(face, x + d * (w + h) / 2 * 1.01, y + rng.normal(0, 3), 90 + rng.normal(0, 2), 0.0)]
    if fault == "box-not-flush":
        return [(face, x + d * w * 1.01, y + rng.choice([-1, 1]) * h * rng.uniform(0.4, 0.6), rng.normal(0, 2), 0.0)]
    if fault == "box-overlap":
        return [(face, x + d * w * rng.uniform(0.45, 0.7), y + rng.normal(0, 3), rng.normal(0, 4), 1.0)]
    raise ValueError(f'There is no fault called "{fault}"; use one of: {", ".join(FAULTS)}.')
