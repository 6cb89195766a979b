"""Cards keep their ids from table to table, though the camera moved: the new table is laid over the old one.

The turn and shift are voted for by cards of one face: each pair proposes the motion that takes the new card to the old
one, and the motion under which most cards find a partner of their face is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from referee.games.geometry import turn_between
from referee.layouts import Layout, PlacedCard, id_order

NEAR = 0.35
"""A card that comes to lie so near to an old one, in card sides, is that card."""
TURNED = 25.0
"""And not turned against it by more, in degrees."""
MOST_PAIRS = 4000
"""So many proposals are tried at most."""

Motion = tuple[float, float, float]
"""Degrees clockwise about the origin, and then millimetres right and down."""


def aligned(before: Layout, after: Layout, side: float) -> tuple[Layout, dict[str, str]]:
    """`after` in the coordinates of `before`, with its ids where a card lay there already; new ids for the others.

    Returns the layout, and the new id of each card by its id in `after`.
    """
    if not before.cards:
        return after, {card.id: card.id for card in after.cards}
    pairs = [(a, b) for a in after.cards for b in before.cards if a.face == b.face][:MOST_PAIRS]
    best: tuple[int, float, Motion] = (0, 0.0, (0.0, 0.0, 0.0))
    for new, old in pairs:
        motion = _motion(new, old)
        partners = list(_partners(before.cards, [_moved(card, motion) for card in after.cards], side))
        error = sum(distance for _, _, distance in partners)
        if (len(partners), -error) > (best[0], -best[1]):
            best = (len(partners), error, motion)
    moved = [_moved(card, best[2]) for card in after.cards]
    names = {new.id: old.id for new, old, _ in _partners(before.cards, moved, side)}
    taken = {card.id for card in before.cards}
    cards = []
    for card in sorted(moved, key=lambda card: id_order(card.id)):
        name = names.setdefault(card.id, _free(taken))
        taken.add(name)
        cards.append(card.model_copy(update={"id": name}))
    return after.model_copy(update={"cards": tuple(cards), "order": None}), names


def _motion(new: PlacedCard, old: PlacedCard) -> Motion:
    turn = old.turn - new.turn
    x, y = _turned(new.x, new.y, turn)
    return turn, old.x - x, old.y - y


def _turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return cos * x - sin * y, sin * x + cos * y


def _moved(card: PlacedCard, motion: Motion) -> PlacedCard:
    turn, right, down = motion
    x, y = _turned(card.x, card.y, turn)
    return card.model_copy(update={"x": x + right, "y": y + down, "turn": (card.turn + turn + 180) % 360 - 180})


def _partners(
    old: Iterable[PlacedCard], new: list[PlacedCard], side: float
) -> Iterator[tuple[PlacedCard, PlacedCard, float]]:
    """Pairs of a new and an old card of one face at one place, with how far apart they lie in card sides."""
    left = list(new)
    for card in old:
        near = [
            (math.hypot(c.x - card.x, c.y - card.y) / side, c.id, c)
            for c in left
            if c.face == card.face and turn_between(c.turn, card.turn) <= TURNED
        ]
        if near and min(near)[0] <= NEAR:
            distance, _, found = min(near)
            left.remove(found)
            yield found, card, distance


def _free(taken: set[str]) -> str:
    number = 1
    while f"c{number}" in taken:
        number += 1
    return f"c{number}"
