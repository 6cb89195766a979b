"""What cards and places are called for people: the same numbers in the picture and in the sentences.

In Cat and Mouse the routes are 1, 2, 3, 4 and so are their Start cards; the right cards of a route follow as 1.1,
1.2 and so on. Cards that lie wrong or must be looked at, and are in no route, are letters: A, B, C. In the other
games the cards are numbered as one reads, in a sequence in the order in which they came. Places where perhaps a card
lies are ?1, ?2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import ascii_uppercase

from referee.layouts import Layout, id_order
from referee.rulebook import DoubtReason, NoteKind
from referee.verdicts import Point, RoutesVerdict, Ruling

Corners = tuple[Point, ...]

OF_THE_WHOLE = frozenset({DoubtReason.NOTHING_FOUND, DoubtReason.NO_START, DoubtReason.READINGS_DIFFER})
"""Doubts about the photo as a whole; no single place has to be marked."""
OF_THE_MOVE = frozenset({DoubtReason.LOST_TRACK, DoubtReason.EARLIER_UNSURE})
"""Doubts about what came before the photo; no place has to be marked either."""


_COUNTED = re.compile(r"c([1-9]\d*)")


@dataclass(frozen=True, slots=True)
class Numbering:
    """cards: the names of cards by their ids; places: the names of places without a sure card by their corners.

    Cards of the heap have no name: nothing is said of them.
    """

    cards: Mapping[str, str]
    places: Mapping[Corners, str]


def number(ruling: Ruling, layout: Layout, further: Iterable[Corners] = ()) -> Numbering:
    """Name the cards of a layout and the doubtful places of its ruling, and `further` places after them."""
    corners = [
        doubt.corners
        for doubt in ruling.doubtful
        if doubt.card is None and doubt.corners is not None and doubt.reason not in OF_THE_WHOLE | OF_THE_MOVE
    ]
    places = dict.fromkeys((*corners, *further))
    return Numbering(_cards(ruling, layout), {place: f"?{n}" for n, place in enumerate(places, 1)})


def _cards(ruling: Ruling, layout: Layout) -> dict[str, str]:
    ids = sorted(layout.by_id, key=id_order)
    if not isinstance(ruling.verdict, RoutesVerdict):
        counted = {card: _COUNTED.fullmatch(card) for card in ids}
        if all(counted.values()):  # in a sequence a card keeps its number
            return {card: match[1] for card, match in counted.items() if match}
        return {card: str(n) for n, card in enumerate(ids, 1)}
    names: dict[str, str] = {}
    for n, route in enumerate(ruling.verdict.routes, 1):
        names[route.start] = str(n)
        names.update((card, f"{n}.{place}") for place, card in enumerate(route.valid, 1))
    doubtful = {doubt.card for doubt in ruling.doubtful}
    heap = {card for note in ruling.notes if note.kind is NoteKind.HEAP for card in note.cards} - doubtful
    rest = [card for card in ids if card not in names and card not in heap]
    names.update((card, _letters(n)) for n, card in enumerate(rest))
    return names


def _letters(n: int) -> str:
    """A to Z, then AA, AB and so on."""
    head, last = divmod(n, len(ascii_uppercase))
    return ("" if not head else _letters(head - 1)) + ascii_uppercase[last]
