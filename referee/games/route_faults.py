"""Cat and Mouse: the table as a graph of sides, and why each card outside the routes goes back to the
heap.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.decks import ARROWS, ArrowFace
from referee.games.geometry import turn_between
from referee.layouts import PlacedCard
from referee.rulebook import Violation
from referee.verdicts import Fault

SIDES = range(4)
"""Directions in a card's own frame: 0 up, 1 right, 2 down, 3 left."""


@dataclass(frozen=True, slots=True)
class RouteTable:
    """The cards of a table by index (in the order of their ids) and how they lie to each other.

    `beside[i]`: side of card i -> the nearest card there. `near[i]`: cards that lie close, whether
    beside or not. `next_card`: the chosen routes, each card -> the one that follows.
    `on_route`: the cards of all routes, Starts included.
    """

    cards: tuple[PlacedCard, ...]
    faces: tuple[ArrowFace, ...]
    side: float
    beside: tuple[Mapping[int, int], ...]
    near: tuple[tuple[int, ...], ...]
    heap: frozenset[int]
    starts: tuple[int, ...]
    upright: bool
    first_finish_counts: bool
    quarter: float
    next_card: Mapping[int, int] = field(default_factory=dict)
    on_route: frozenset[int] = frozenset()

    def with_chains(self, next_card: Mapping[int, int]) -> RouteTable:
        """The same table with its routes chosen."""
        on_route = frozenset(self.starts) | frozenset(next_card.values())
        return dataclasses.replace(self, next_card=dict(next_card), on_route=on_route)

    def chain(self, start: int) -> list[int]:
        """The valid cards after a Start, in order."""
        chain: list[int] = []
        while (start := self.next_card.get(start, -1)) >= 0:
            chain.append(start)
        return chain

    def ways(self, index: int) -> tuple[int, ...]:
        """The sides at which a route may go on: a card's arrows as the deck lists them, all four of a
        Start.
        """
        face = self.faces[index]
        if face.kind == "start":
            return tuple(SIDES)
        return tuple(ARROWS.index(arrow) for arrow in face.arrows)

    def may_follow(self, index: int) -> list[int]:
        """The cards that the rules allow after a card, wherever the route came from; by its arrows in order.

        With the option *upright* two cards follow each other only if both lie the way one and the same
        Start does.
        """
        if index in self.heap:
            return []
        after: list[int] = []
        for way in self.ways(index):
            other = self.beside[index].get(way)
            if other is None or self.faces[other].kind == "start":
                continue
            if self.upright and not self._lie_alike(index, other):
                continue
            first = self.faces[index].kind == "start"
            if first and self.faces[other].kind == "finish" and not self.first_finish_counts:
                continue
            after.append(other)
        return after

    def is_turned(self, index: int, against: int) -> bool:
        """Whether a card is turned by a quarter or more against another."""
        return turn_between(self.cards[index].turn, self.cards[against].turn) > self.quarter

    def _lie_alike(self, a: int, b: int) -> bool:
        starts = (a,) if self.faces[a].kind == "start" else self.starts
        return any(not self.is_turned(a, start) and not self.is_turned(b, start) for start in starts)

    def is_trapped(self, index: int) -> bool:
        """CM-TRAP: whether every arrow of a card points to a place already taken by another card of a
        route.
        """
        ways = self.ways(index)
        return bool(ways) and all(self.beside[index].get(way) in self.on_route for way in ways)


def explain_returned(table: RouteTable) -> tuple[list[int], list[Fault]]:
    """The cards that go back to the heap (indices), each with the fault that says why.

    First come cards that lie at a card of a route, with those that follow them (CM-ERROR); then, for a
    route end where none lies, the card next to it, with its followers. The rest belongs to no route.
    """
    returned = [i for i in range(len(table.cards)) if i not in table.on_route and i not in table.heap]
    faults: dict[int, Fault] = {}
    for index in returned:
        fault = _at_a_route(table, index)
        if fault is not None:
            faults[index] = fault
    _explain_followers(table, faults)
    _explain_gaps(table, faults)
    _explain_followers(table, faults)
    for index in returned:
        faults.setdefault(index, Fault(Violation.NO_ROUTE, (table.cards[index].id,)))
    # What went wrong first is told first.
    later = (Violation.AFTER_ERROR, Violation.NO_ROUTE)
    return returned, [faults[i] for i in sorted(returned, key=lambda i: (faults[i].rule in later, i))]


def _at_a_route(table: RouteTable, index: int) -> Fault | None:
    """Why a card that lies at a card of a route is not part of it, or None if it lies at none."""
    found: list[tuple[int, float, int, Violation]] = []
    for other in table.near[index]:
        if other not in table.on_route:
            continue
        violation = _violation(table, index, other)
        if violation is not None:
            found.append((_WEIGHT[violation], round(_gap(table, index, other), 6), other, violation))
    if not found:
        return None
    _, _, other, violation = min(found)
    return _fault(table, violation, index, other)


def _explain_gaps(table: RouteTable, faults: dict[int, Fault]) -> None:
    """Where a route ends and nothing lies at its end, the next card is not beside it (CM-SIDE).

    The next card is the nearest one to which no other open card points: the first of what was laid on
    from there.
    """
    blamed = {fault.cards[1] for fault in faults.values()}
    for end in sorted(table.on_route):
        if end in table.next_card or table.faces[end].kind == "finish" or table.cards[end].id in blamed:
            continue
        open_cards = [i for i in table.near[end] if i not in table.on_route and i not in faults]
        pointed_at = {table.beside[i].get(way) for i in open_cards for way in table.ways(i)}
        if open_cards:
            nearest = min(open_cards, key=lambda i: (i in pointed_at, round(_gap(table, i, end), 6), i))
            faults[nearest] = _fault(table, Violation.NOT_BESIDE, nearest, end)


def _explain_followers(table: RouteTable, faults: dict[int, Fault]) -> None:
    """Cards that lie at a wrong card follow an error (CM-ERROR): best where its arrow points, else
    anywhere.
    """
    explained = sorted(faults)
    while explained:
        reached: dict[int, tuple[bool, float, int]] = {}
        for wrong in explained:
            pointed_at = {table.beside[wrong].get(way) for way in table.ways(wrong)}
            for other in table.near[wrong]:
                if other not in faults and other not in table.on_route and _touching(table, wrong, other):
                    rank = (other not in pointed_at, round(_gap(table, other, wrong), 6), wrong)
                    reached[other] = min(reached.get(other, rank), rank)
        for other, (_, _, wrong) in reached.items():
            faults[other] = _fault(table, Violation.AFTER_ERROR, other, wrong)
        explained = sorted(reached)


_WEIGHT = {
    violation: weight
    for weight, violation in enumerate(
        (
            Violation.TURNED,
            Violation.FINISH_FIRST,
            Violation.AFTER_FINISH,
            Violation.SECOND_ARROW,
            Violation.AFTER_TRAP,
            Violation.WRONG_SIDE,
            Violation.SECOND_FIRST_CARD,
        )
    )
}
"""Which explanation is taken when several fit: the more particular first."""


def _violation(table: RouteTable, index: int, other: int) -> Violation | None:
    """What is wrong with a card as a follower of a card of a route."""
    face = table.faces[other]
    last = other not in table.next_card
    sides = [way for way, card in table.beside[other].items() if card == index]
    at_arrow = any(way in table.ways(other) for way in sides)
    if face.kind == "finish":
        return Violation.AFTER_FINISH if sides or _touching(table, other, index) else None
    if at_arrow and last:
        # The place is right, so it is an option that forbids the card.
        if table.faces[index].kind == "finish" and face.kind == "start" and not table.first_finish_counts:
            return Violation.FINISH_FIRST
        return Violation.TURNED if table.upright else None
    if at_arrow:
        return Violation.SECOND_FIRST_CARD if face.kind == "start" else Violation.SECOND_ARROW
    if not last:
        return None
    if table.is_trapped(other) and (sides or _touching(table, other, index)):
        return Violation.AFTER_TRAP
    return Violation.WRONG_SIDE if sides else None


def _touching(table: RouteTable, a: int, b: int) -> bool:
    """Whether a child would say that two cards lie beside each other, corner to corner included."""
    return _gap(table, a, b) <= _TOUCH


_TOUCH = 1.7
"""Corner to corner two squares are 1.41 sides apart; as much slack as CM-SIDE gives along a side."""


def _gap(table: RouteTable, a: int, b: int) -> float:
    """The distance between two cards' centres in card sides."""
    return math.hypot(table.cards[a].x - table.cards[b].x, table.cards[a].y - table.cards[b].y) / table.side


def _fault(table: RouteTable, violation: Violation, index: int, other: int) -> Fault:
    return Fault(violation, (table.cards[index].id, table.cards[other].id))
