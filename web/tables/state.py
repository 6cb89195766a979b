"""How people left a table: its cards as corrected or laid by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import Field, model_validator

from referee.decks import Deck
from referee.errors import LayoutError
from referee.layouts import Degrees, Millimetres
from referee.validation import Name, Value
from web.requests import whole
from web.tables.reading import Corners, Reading

_COUNTED = Field(ge=0, le=1000)
MOST_CARDS = 200
"""No table of these games holds more."""


class StateCard(Value):
    """A card: where it lies in the photograph (`corners`, px) or on a table laid by hand (`x`, `y`, `turn`).

    sure: somebody looked at it and says that it is read right.
    """

    id: Name
    face: Name
    corners: Corners | None = None
    x: Millimetres | None = None
    y: Millimetres | None = None
    turn: Degrees = 0.0
    sure: bool = False


class State(Value):
    """dismissed: ids of places that hold no card. counted: how many cards the players count on the table.
    ordered: the cards were laid in the order of the list, one a move. decided: the players looked at what is doubtful
    and let the verdict stand."""

    cards: Annotated[tuple[StateCard, ...], Field(max_length=MOST_CARDS)] = ()
    dismissed: Annotated[tuple[Name, ...], Field(max_length=MOST_CARDS)] = ()
    counted: Annotated[int, whole(_COUNTED), _COUNTED] | None = None
    ordered: bool = False
    decided: bool = False

    @model_validator(mode="after")
    def _ids_differ(self) -> Self:
        ids = [card.id for card in self.cards]
        if len(set(ids)) != len(ids):
            raise ValueError("each card needs an id of its own")
        return self


def initial(reading: Reading | None) -> State:
    """The state of a table on which nobody has corrected anything yet."""
    if reading is None:
        return State()
    cards = (StateCard(id=c.id, face=c.face, corners=c.corners) for c in reading.cards if c.is_card)
    return State(cards=tuple(cards))


def check_state(state: State, reading: Reading | None, deck: Deck) -> None:
    """Raises LayoutError if the deck lacks a face, or a card has no place."""
    for card in state.cards:
        if card.face not in deck:
            raise LayoutError("unknown-face", f'card "{card.id}": face "{card.face}" is not in the deck "{deck.name}".')
        if reading is not None and card.corners is None:
            raise LayoutError("layout-malformed", f'card "{card.id}": corners are missing.')
        if reading is not None and card.corners is not None and not is_convex(card.corners):
            raise LayoutError("bad-corners", f'card "{card.id}": these corners are no card; go round it clockwise.')
        if reading is None and (card.x is None or card.y is None):
            raise LayoutError("layout-malformed", f'card "{card.id}": x and y are missing.')


def is_convex(corners: Corners) -> bool:
    """Whether four corners go round a convex outline, clockwise as seen (y points down)."""
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) <= 1.0:
            return False
    return True


SAME_PLACE = 0.6
"""Pixels by which corners that came back from a page may differ from those that were read."""


def is_as_read(card: StateCard, reading: Reading) -> bool:
    """Whether nobody has changed or confirmed this card since it was read."""
    read = next((c for c in reading.cards if c.id == card.id and c.is_card), None)
    if read is None or card.sure or read.face != card.face or card.corners is None:
        return False
    pairs = zip(read.corners, card.corners, strict=True)
    return all(abs(a[0] - b[0]) <= SAME_PLACE and abs(a[1] - b[1]) <= SAME_PLACE for a, b in pairs)


def carried_over(old: State, old_reading: Reading, fresh: Reading) -> State:
    """The state of a fresh reading of the same photograph with all that people had corrected.

    A card that was changed or confirmed by hand takes the place of what is read there now; where a card was
    taken away, nothing is read again.
    """
    by_hand = [card for card in old.cards if not is_as_read(card, old_reading)]
    left = {card.id for card in old.cards}
    gone = [c for c in old_reading.cards if c.is_card and c.id not in left]
    blocked = [c.corners for c in by_hand if c.corners] + [c.corners for c in gone]
    kept = [
        StateCard(id=c.id, face=c.face, corners=c.corners)
        for c in fresh.cards
        if c.is_card and not any(is_near(c.corners, other) for other in blocked)
    ]
    taken = {card.id for card in fresh.cards}
    renamed = []
    for card in by_hand:
        here = next((c for c in fresh.cards if c.is_card and card.corners and is_near(c.corners, card.corners)), None)
        name = here.id if here else unused(taken, "h")
        taken.add(name)
        renamed.append(card.model_copy(update={"id": name, "sure": True}))
    old_places = [c.corners for c in old_reading.cards if not c.is_card and c.id in old.dismissed]
    dismissed = tuple(
        c.id for c in fresh.cards if not c.is_card and any(is_near(c.corners, place) for place in old_places)
    )
    return old.model_copy(update={"cards": (*kept, *renamed), "dismissed": dismissed, "decided": False})


def unused(taken: set[str], letter: str) -> str:
    """The first id of a letter and a number that is free."""
    number = 1
    while f"{letter}{number}" in taken:
        number += 1
    return f"{letter}{number}"


def is_near(one: Corners, other: Corners) -> bool:
    """Whether two outlines are of one card: their middles lie within half a card's side."""
    (ax, ay), (bx, by) = middle(one), middle(other)
    (px, py), (qx, qy) = one[0], one[1]
    side = ((px - qx) ** 2 + (py - qy) ** 2) ** 0.5
    return bool(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 < 0.5 * side)


def middle(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The middle of some points, as of the corners of an outline."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
