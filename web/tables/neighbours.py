"""Places beside cards: where a neighbour would lie, and whether something lies there already."""

from __future__ import annotations

import math
from collections.abc import Iterable

from referee.decks import Deck
from referee.layouts import PlacedCard

GAP = 1.04
"""How far apart neighbours lie, in card sides: cards on a table do not quite touch."""
TAKEN = 0.6
"""A place is taken by a card whose centre is so near, in card sides."""


def beside(card: PlacedCard, side: int, deck: Deck) -> PlacedCard:
    """The card as it would lie beside where it lies: side 0 is the top of its face, then clockwise."""
    width, height = deck.card_mm
    across, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
    angle = math.radians(card.turn)
    right, below = GAP * width * across, GAP * height * down
    x = card.x + right * math.cos(angle) - below * math.sin(angle)
    y = card.y + right * math.sin(angle) + below * math.cos(angle)
    return card.model_copy(update={"x": x, "y": y})


def is_taken(place: PlacedCard, cards: Iterable[PlacedCard], deck: Deck) -> bool:
    """Whether one of the cards lies so near that no other one has room there."""
    reach = TAKEN * min(deck.card_mm)
    return any(math.hypot(card.x - place.x, card.y - place.y) < reach for card in cards)
