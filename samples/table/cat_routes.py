"""Random Cat-and-Mouse tables: routes of one to four players, legal or with one known fault."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from referee.decks import ARROWS, ArrowFace, Deck
from referee.layouts import Layout, PlacedCard

Rng = np.random.Generator
Cell = tuple[int, int]
T = TypeVar("T")

STEPS: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Up, right, down, left, as `ARROWS`."""
FAULTS: tuple[str, ...] = (
    "wrong-side",
    "diagonal",
    "gap",
    "both-arrows",
    "after-finish",
    "second-finish",
    "stray",
    "after-trap",
)
"""Each breaks a rule; `finish-first` and `none` are legal."""


class NoRoomError(ValueError):
    """A random table did not work out; the caller tries again with fresh numbers."""


@dataclass(frozen=True)
class _Laid:
    face: ArrowFace
    cell: Cell
    quarters: int
    shift: tuple[float, float] = (0.0, 0.0)


def _arrows(face: ArrowFace, quarters: int) -> list[int]:
    """Directions 0-3 in which the arrows point as the card lies."""
    return [(ARROWS.index(a) + quarters) % 4 for a in face.arrows]


@dataclass
class _Heap:
    """The cards not yet on the table."""

    left: Counter[str]
    faces: dict[str, ArrowFace]

    @classmethod
    def of(cls, deck: Deck) -> _Heap:
        faces = {f.id: f for f in deck.faces if isinstance(f, ArrowFace)}
        return cls(Counter({f.id: f.count for f in faces.values()}), faces)

    def take(
        self,
        rng: Rng,
        kind: str,
        pointing: int | None = None,
        quarters: int = 0,
        two: bool | None = None,
        never: int | None = None,
    ) -> ArrowFace:
        """A random card of a kind, perhaps one that points to a side (and never to another) as turned."""
        fit = [
            f
            for f in self.faces.values()
            for _ in range(self.left[f.id])
            if f.kind == kind
            and (pointing is None or pointing in _arrows(f, quarters))
            and (never is None or never not in _arrows(f, quarters))
            and (two is None or (len(f.arrows) == 2) == two)
        ]
        if not fit:
            raise NoRoomError("no such card is left in the heap")
        face = fit[int(rng.integers(len(fit)))]
        self.left[face.id] -= 1
        return face


def _walk(rng: Rng, length: int, straight: float = 0.3) -> list[int]:
    """Directions of a path of `length` steps that never touches itself except end to end."""
    for _ in range(200):
        cell, taken, path = (0, 0), {(0, 0)}, []
        heading = int(rng.integers(4))
        for _ in range(length):
            options = [d for d in range(4) if _next(cell, d) not in taken]
            if not options:
                break
            if heading in options and rng.uniform() < straight:
                step = heading
            else:
                step = options[int(rng.integers(len(options)))]
            cell, heading = _next(cell, step), step
            taken.add(cell)
            path.append(step)
        if len(path) == length:
            return path
    raise NoRoomError("no path of that length")


def _next(cell: Cell, direction: int) -> Cell:
    return cell[0] + STEPS[direction][0], cell[1] + STEPS[direction][1]


def _route(rng: Rng, heap: _Heap, length: int, finished: bool, turned: float) -> list[_Laid]:
    """Start and `length` cards after it; the last is a Finish if wanted."""
    path = _walk(rng, length)
    cells = [(0, 0)]
    for step in path:
        cells.append(_next(cells[-1], step))
    laid = [_Laid(heap.take(rng, "start"), cells[0], _quarters(rng, turned))]
    for k in range(1, length + 1):
        quarters = _quarters(rng, turned)
        if k == length and finished:
            laid.append(_Laid(heap.take(rng, "finish"), cells[k], quarters))
            continue
        onward = path[k] if k < length else None
        # A second arrow must not point at a card of the route: that would be a fork.
        for _ in range(30):
            face = heap.take(rng, "move", onward, quarters)
            others = [a for a in _arrows(face, quarters) if a != onward]
            hits = [a for a in others if _next(cells[k], a) in cells[k + 1 :]]
            blocked = k == length and all(_next(cells[k], a) in cells for a in others)
            if not hits and not blocked:
                break
            heap.left[face.id] += 1
        else:
            raise NoRoomError("no card fits without a fork")
        laid.append(_Laid(face, cells[k], quarters))
    return laid


def _quarters(rng: Rng, turned: float) -> int:
    return int(rng.integers(1, 4)) if rng.uniform() < turned else 0


def _break(fault: str, route: list[_Laid], heap: _Heap, rng: Rng) -> list[_Laid]:
    """Put a fault into a route."""
    taken = {card.cell for card in route}
    moves = [k for k in range(1, len(route)) if route[k].face.kind == "move"]
    if fault == "after-finish":
        end = route[-1].cell
        free = [d for d in range(4) if _next(end, d) not in taken]
        step = _choose(free, rng)
        return [*route, _Laid(heap.take(rng, "move"), _next(end, step), 0)]
    if fault == "stray":
        far = (max(c[0] for c in taken) + 3, int(rng.integers(-1, 3)))
        return [*route, _Laid(heap.take(rng, "move"), far, 0)]
    if fault == "both-arrows":
        forks = []
        for k in moves[:-1]:
            for a in _arrows(route[k].face, route[k].quarters):
                spot = _next(route[k].cell, a)
                if spot not in taken:
                    forks.append(spot)
        return [*route, _Laid(heap.take(rng, "move"), _choose(forks, rng), 0)]
    if fault == "after-trap":
        last = route[-1]
        blocked = [d for d in range(4) if _next(last.cell, d) in taken]
        trap = heap.take(rng, "move", _choose(blocked, rng), 0, two=False)
        free = [d for d in range(4) if _next(last.cell, d) not in taken]
        return [
            *route[:-1],
            _Laid(trap, last.cell, 0),
            _Laid(heap.take(rng, "move"), _next(last.cell, _choose(free, rng)), 0),
        ]
    k = moves[int(rng.integers(1, len(moves)))] if len(moves) > 1 else moves[0]
    if fault == "gap":
        step = _direction(route[k - 1].cell, route[k].cell)
        by = rng.uniform(0.85, 1.6)
        moved = (STEPS[step][0] * by, STEPS[step][1] * by)
        return [*route[:k], *(replace(c, shift=moved) for c in route[k:])]
    if fault == "diagonal":
        step = _direction(route[k - 1].cell, route[k].cell)
        side = STEPS[(step + (1 if rng.uniform() < 0.5 else 3)) % 4]
        return [*route[:k], replace(route[k], shift=(side[0] * 0.97, side[1] * 0.97))]
    if fault == "wrong-side":
        before = route[k - 1]
        free = [
            d for d in range(4) if _next(before.cell, d) not in taken and d not in _arrows(before.face, before.quarters)
        ]
        spot = _next(before.cell, _choose(free, rng))
        return [*route[:k], replace(route[k], cell=spot)]
    raise ValueError(f'There is no fault called "{fault}"; use one of: {", ".join(FAULTS)}.')


def _choose(options: list[T], rng: Rng) -> T:
    if not options:
        raise NoRoomError("no place fits")
    return options[int(rng.integers(len(options)))]


def _direction(a: Cell, b: Cell) -> int:
    return STEPS.index((b[0] - a[0], b[1] - a[1]))


def cat_layout(deck: Deck, rng: Rng, fault: str | None, name: str = "") -> Layout:
    """A table with one to four routes. `fault`: None, one of `FAULTS`, or `finish-first` (legal).

    Raises NoRoomError when these random numbers lead nowhere.
    """
    heap = _Heap.of(deck)
    players = int(rng.choice([1, 1, 2, 2, 3, 4]))
    if fault == "second-finish":
        players = max(2, players)
    turned = float(rng.choice([0.0, 0.0, 0.5]))
    who = int(rng.integers(players))
    ending = int(rng.integers(players)) if rng.uniform() < 0.5 or fault == "after-finish" else -1
    if fault in {"second-finish", "after-finish", "finish-first"}:
        ending = who
    elif fault is not None and ending == who:
        ending = -1
    routes = []
    for player in range(players):
        length = int(rng.integers(1 if fault is None else 3, 11 if players < 3 else 8))
        finished = player == ending or (fault == "second-finish" and player == (who + 1) % players)
        if fault == "finish-first" and player == who:
            length = 1
        route = _route(rng, heap, length, finished, turned)
        if player == who and fault not in {None, "second-finish", "finish-first"}:
            assert fault is not None
            route = _break(fault, route, heap, rng)
        routes.append(route)
    return Layout(game=deck.game, name=name, cards=tuple(_spread(routes, deck, rng)))


def _spread(routes: list[list[_Laid]], deck: Deck, rng: Rng) -> list[PlacedCard]:
    """Set the routes on the table, each as its player sits, well apart from each other, not quite straight."""
    side = sum(deck.card_mm) / 2
    neat = rng.uniform(0.2, 1.0)
    pitch = side * rng.uniform(1.0, 1.09)
    boxes: list[tuple[float, float, float, float]] = []
    cards: list[PlacedCard] = []
    facing = rng.uniform() < 0.4
    for player, route in enumerate(routes):
        seat = math.radians((90 * player if facing else 0) + rng.normal(0, 5))
        local = []
        for card in route:
            x = (card.cell[0] + card.shift[0]) * pitch + rng.normal(0, 0.018 * side * neat)
            y = (card.cell[1] + card.shift[1]) * pitch + rng.normal(0, 0.018 * side * neat)
            px, py = x * math.cos(seat) - y * math.sin(seat), x * math.sin(seat) + y * math.cos(seat)
            local.append((px, py, 90.0 * card.quarters + math.degrees(seat) + rng.normal(0, 2.2 * neat)))
        x, y = _free_corner(local, boxes, side, rng)
        boxes.append(_bounds([(a + x, b + y) for a, b, _ in local], 0.5 * side))
        for number, (card, (a, b, turn)) in enumerate(zip(route, local, strict=True)):
            card_id = f"s{player}" if number == 0 else f"p{player}-{number}"
            cards.append(
                PlacedCard(
                    id=card_id, face=card.face.id, x=round(a + x, 2), y=round(b + y, 2), turn=round(turn % 360, 2)
                )
            )
    return cards


def _free_corner(
    local: list[tuple[float, float, float]], boxes: list[tuple[float, float, float, float]], side: float, rng: Rng
) -> tuple[float, float]:
    """Where to put a route so that it keeps clear of the others and the table stays small."""
    if not boxes:
        return 0.0, 0.0
    gap = side * rng.uniform(1.25, 2.0)
    whole = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    best, best_area = None, math.inf
    for _ in range(250):
        reach = 6 * side
        x = rng.uniform(whole[0] - reach, whole[2] + reach)
        y = rng.uniform(whole[1] - reach, whole[3] + reach)
        box = _bounds([(a + x, b + y) for a, b, _ in local], 0.5 * side)
        clear = all(
            box[0] > o[2] + gap or box[2] < o[0] - gap or box[1] > o[3] + gap or box[3] < o[1] - gap for o in boxes
        )
        wide = max(box[2], whole[2]) - min(box[0], whole[0])
        tall = max(box[3], whole[3]) - min(box[1], whole[1])
        if clear and wide * tall * (1 + 0.3 * abs(math.log(wide / tall))) < best_area:
            best, best_area = (x, y), wide * tall * (1 + 0.3 * abs(math.log(wide / tall)))
    if best is None:
        raise NoRoomError("the table is too full")
    return best


def _bounds(points: list[tuple[float, float]], margin: float) -> tuple[float, float, float, float]:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin
