"""If It Fits: which box cards are joined, which of them are one box, and which cards touch or overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import cast

from referee.decks import WALLS, BoxFace, CatFace, Deck, PrincessFace
from referee.games.geometry import (
    EPSILON,
    NeighbourGrid,
    components,
    corners,
    offset_in_frame,
    overlap,
    turn_between,
)
from referee.layouts import PlacedCard
from referee.limits import IfItFitsLimits

TOP, RIGHT, BOTTOM, LEFT = range(4)
"""The sides of an upright card; left and right are the long ones."""


class Contact(Enum):
    """How two cards that touch along a side, but not flush, lie to each other."""

    SHOVED = "shoved"
    LONG_TO_SHORT = "long to short"


@dataclass(frozen=True, slots=True)
class BoxJoint:
    """Two box cards side by side, flush; `sides` are the facing sides of each in its own frame."""

    a: int
    b: int
    sides: tuple[int, int]
    walled: bool

    @property
    def is_long(self) -> bool:
        """Whether the long sides are joined: a cat can lie there."""
        return self.sides[0] in (LEFT, RIGHT)


@dataclass(frozen=True)
class BoxTable:
    """The cards by index (in the order of their ids), sorted by what they are."""

    cards: Sequence[PlacedCard]
    deck: Deck
    limits: IfItFitsLimits
    near: Sequence[Sequence[int]] = field(init=False)

    def __post_init__(self) -> None:
        width, height = self.deck.card_mm
        # The farthest that matters: a neighbour at the short side, gaping and shoved as far as still counts.
        reach = max(math.hypot((1 + self.limits.flush) * height, _ASIDE * width), math.hypot(width, height))
        grid = NeighbourGrid(self.cards, reach)
        object.__setattr__(self, "near", [sorted(grid.near(i)) for i in range(len(self.cards))])

    @cached_property
    def boxes(self) -> list[int]:
        """The box, start and toy cards."""
        return [i for i, card in enumerate(self.cards) if isinstance(self.deck.face(card.face), BoxFace)]

    @cached_property
    def asleep(self) -> list[int]:
        """The sleeping cats."""
        faces = (self.deck.face(card.face) for card in self.cards)
        return [i for i, face in enumerate(faces) if isinstance(face, CatFace) and face.asleep]

    @cached_property
    def awake(self) -> list[int]:
        """The awake cats and the Princesses: cards that lie across."""
        faces = (self.deck.face(card.face) for card in self.cards)
        return [
            i
            for i, face in enumerate(faces)
            if isinstance(face, PrincessFace) or (isinstance(face, CatFace) and not face.asleep)
        ]

    def box_face(self, index: int) -> BoxFace:
        """The face of a box card."""
        return cast(BoxFace, self.deck.face(self.cards[index].face))

    def has_wall(self, index: int, side: int) -> bool:
        """Whether a box card has a wall on a side of its own frame."""
        return WALLS[side] in self.box_face(index).walls

    def overlap(self, a: int, b: int) -> float:
        """The share of a card's area that two cards have in common, the same wherever on the table they lie."""
        return round(overlap(self.cards[a], self.cards[b], *self.deck.card_mm), 7)

    def flush_side(self, a: int, b: int) -> tuple[int, float] | None:
        """The side of card a at which card b lies flush, and how far off in card sides; None if it
        does not.
        """
        if turn_between(self.cards[a].turn, self.cards[b].turn, 180) > self.limits.turn + EPSILON:
            return None
        right, down = self._offset(a, b)
        for side, (u, v) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            off = max(abs(right - u), abs(down - v))
            if off <= self.limits.flush + EPSILON:
                return side, round(off, 6)
        return None

    def _offset(self, a: int, b: int) -> tuple[float, float]:
        width, height = self.deck.card_mm
        right, down = offset_in_frame(self.cards[a], self.cards[b])
        return right / width, down / height

    @cached_property
    def joints(self) -> list[BoxJoint]:
        """The flush pairs of box cards; at each side of a card the nearest one counts."""
        best: dict[tuple[int, int], tuple[float, int]] = {}
        boxes = set(self.boxes)
        for a in self.boxes:
            for b in self.near[a]:
                if b in boxes and (found := self.flush_side(a, b)):
                    side, off = found
                    best[a, side] = min(best.get((a, side), (math.inf, 0)), (off, b))
        joints: list[BoxJoint] = []
        for (a, side), (_, b) in sorted(best.items()):
            other_side = self._facing_side(a, b, side)
            if a < b and best.get((b, other_side), (0.0, -1))[1] == a:
                walled = self.has_wall(a, side) or self.has_wall(b, other_side)
                joints.append(BoxJoint(a, b, (side, other_side), walled))
        return joints

    def _facing_side(self, a: int, b: int, side: int) -> int:
        half_turns = round((self.cards[b].turn - self.cards[a].turn) / 180)
        return (side + 2 - 2 * half_turns) % 4

    @cached_property
    def joined_sides(self) -> dict[tuple[int, int], int]:
        """(card, side of it) -> the box card joined there."""
        sides: dict[tuple[int, int], int] = {}
        for joint in self.joints:
            sides[joint.a, joint.sides[0]] = joint.b
            sides[joint.b, joint.sides[1]] = joint.a
        return sides

    @cached_property
    def box_groups(self) -> list[list[int]]:
        """The boxes: sets of box cards whose facing sides are open (IF-BOX), in order of their first
        cards.
        """
        place = {index: i for i, index in enumerate(self.boxes)}
        pairs = [(place[joint.a], place[joint.b]) for joint in self.joints if not joint.walled]
        return [[self.boxes[i] for i in group] for group in components(len(self.boxes), pairs)]

    @cached_property
    def clusters(self) -> list[list[int]]:
        """The sets of joined box cards, walls or not; the largest first."""
        place = {index: i for i, index in enumerate(self.boxes)}
        pairs = [(place[joint.a], place[joint.b]) for joint in self.joints]
        groups = [[self.boxes[i] for i in group] for group in components(len(self.boxes), pairs)]
        return sorted(groups, key=lambda group: (-len(group), group))

    @cached_property
    def laid_asleep(self) -> dict[int, list[tuple[int, int]]]:
        """The sleeping cats that are part of the layout -> the sides of box cards at which they lie flush.

        A cat may also lie flush at another sleeping cat; it has then no side of a box card.
        """
        boxes = set(self.boxes)
        laid: dict[int, list[tuple[int, int]]] = {}
        for cat in self.asleep:
            sides = [(b, found[0]) for b in self.near[cat] if b in boxes and (found := self.flush_side(b, cat))]
            if sides:
                laid[cat] = sides
        waiting = [cat for cat in self.asleep if cat not in laid]
        reached = list(laid)
        while reached:
            beside = [c for c in waiting if any(r in self.near[c] and self.flush_side(r, c) for r in reached)]
            laid.update((cat, []) for cat in beside)
            waiting = [cat for cat in waiting if cat not in beside]
            reached = beside
        return laid

    def is_closed(self, group: Sequence[int], asleep_closes: bool) -> bool:
        """IF-BOX: whether no side of a box is left open."""
        slept_at = {side for sides in self.laid_asleep.values() for side in sides} if asleep_closes else set()
        return all(
            self.has_wall(i, side) or (i, side) in self.joined_sides or (i, side) in slept_at
            for i in group
            for side in range(4)
        )

    def joint_under(self, cat: int) -> BoxJoint | None:
        """The joined long sides that a cat lies across (IF-CAT), walled or not; None if it lies across
        none.
        """
        width = self.deck.card_mm[0]
        best: tuple[float, BoxJoint] | None = None
        around = set(self.near[cat])
        for joint in self._long_joints_near(around):
            a, b = self.cards[joint.a], self.cards[joint.b]
            x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
            off = math.hypot(self.cards[cat].x - x, self.cards[cat].y - y) / width
            askew = 90 - turn_between(self.cards[cat].turn, a.turn, 180)
            if (
                off <= self.limits.across + EPSILON
                and askew <= self.limits.turn + EPSILON
                and (best is None or round(off, 6) < best[0])
            ):
                best = (round(off, 6), joint)
        return best[1] if best else None

    def _long_joints_near(self, around: set[int]) -> list[BoxJoint]:
        found = {joint for i in around for joint in self._long_joints_of.get(i, ())}
        return sorted(found, key=lambda joint: (joint.a, joint.b))

    @cached_property
    def _long_joints_of(self) -> dict[int, list[BoxJoint]]:
        of: dict[int, list[BoxJoint]] = {}
        for joint in self.joints:
            if joint.is_long:
                of.setdefault(joint.a, []).append(joint)
                of.setdefault(joint.b, []).append(joint)
        return of

    def contact(self, a: int, b: int) -> Contact | None:
        """How two cards that are not flush touch along their sides; None if they do not, or only at
        corners.
        """
        width, height = self.deck.card_mm
        right, down = self._offset(a, b)
        if turn_between(self.cards[a].turn, self.cards[b].turn, 180) <= self.limits.turn + EPSILON:
            for along, aside in ((abs(right), abs(down)), (abs(down), abs(right))):
                if abs(along - 1) <= self.limits.flush + EPSILON and aside < _ASIDE - EPSILON:
                    return Contact.SHOVED
            return None
        half = (width + height) / 2
        right, down = abs(right) * width, abs(down) * height
        for along, aside in ((right, down), (down, right)):
            near = abs(along - half) <= self.limits.flush * width + EPSILON
            if near and aside < half - (1 - _ASIDE) * width - EPSILON:
                square = turn_between(self.cards[a].turn, self.cards[b].turn, 180) >= 90 - self.limits.turn - EPSILON
                return Contact.LONG_TO_SHORT if square else Contact.SHOVED
        return None

    def beyond_edge(self, index: int, table: Sequence[tuple[float, float]]) -> bool:
        """IF-TABLE: whether a card reaches over an edge of the table, a convex polygon."""
        width, height = self.deck.card_mm
        centre_x = sum(x for x, _ in table) / len(table)
        centre_y = sum(y for _, y in table) / len(table)
        for (ax, ay), (bx, by) in zip(table, [*table[1:], table[0]], strict=True):
            length = math.hypot(bx - ax, by - ay)
            if length == 0:
                continue
            normal = ((ay - by) / length, (bx - ax) / length)
            inward = 1 if (centre_x - ax) * normal[0] + (centre_y - ay) * normal[1] >= 0 else -1
            for x, y in corners(self.cards[index], width, height):
                inside = inward * ((x - ax) * normal[0] + (y - ay) * normal[1])
                if inside < -self.limits.edge * width:
                    return True
        return False


_ASIDE = 0.85
"""As in CP-EDGE: cards shoved by more than this share of a side meet at a corner, not along the side."""
