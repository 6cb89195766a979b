"""Multicoloured Paths: which cards meet, which ends are joined, and where the paths run.

A path end is a pair (card, end): the card by its index, the end 0-7 clockwise from the left end of the
top side. Each end belongs to one strand and to at most one join, so paths are chains or rings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from referee.decks import Deck, PathFace
from referee.games.geometry import EPSILON, NeighbourGrid, offset_in_frame
from referee.layouts import PlacedCard
from referee.limits import ColouredPathsLimits

End = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two cards that meet; `sides` are the facing sides (0 top, clockwise) of each, or None if they
    are shoved.
    """

    a: int
    b: int
    sides: tuple[int, int] | None

    def facing_ends(self) -> tuple[tuple[End, End], ...]:
        """The pairs of ends that face each other; none if the cards are shoved."""
        if self.sides is None:
            return ()
        mine, theirs = (2 * side for side in self.sides)
        # Both cards count clockwise, so along the common edge they count against each other.
        return (
            ((self.a, mine), (self.b, theirs + 1)),
            ((self.a, mine + 1), (self.b, theirs)),
        )


@dataclass(frozen=True, slots=True)
class Path:
    """A path as (card, end in, end out) for each strand along it. In a ring the last strand leads to
    the first.
    """

    strands: tuple[tuple[int, int, int], ...]
    ring: bool


def find_meetings(cards: Sequence[PlacedCard], deck: Deck, limits: ColouredPathsLimits) -> list[Meeting]:
    """All pairs of cards that meet (CP-EDGE), seen from the one that comes first in `cards`, in that
    order.
    """
    side = sum(deck.card_mm) / 2
    grid = NeighbourGrid(cards, side * (limits.far + limits.aside))
    meetings: list[Meeting] = []
    for a in range(len(cards)):
        for b in sorted(grid.near(a)):
            if a < b and (meeting := _meeting(cards, a, b, side, limits)):
                meetings.append(meeting)
    return meetings


def _meeting(cards: Sequence[PlacedCard], a: int, b: int, side: float, limits: ColouredPathsLimits) -> Meeting | None:
    right, down = (part / side for part in offset_in_frame(cards[a], cards[b]))
    along, aside = max(abs(right), abs(down)), min(abs(right), abs(down))
    if not limits.near - EPSILON <= along <= limits.far + EPSILON or aside >= limits.aside - EPSILON:
        return None
    if aside > limits.joined + EPSILON:
        return Meeting(a, b, None)
    sideways = abs(right) > abs(down)
    direction = (1 if right > 0 else 3) if sideways else (2 if down > 0 else 0)
    quarters = round((cards[b].turn - cards[a].turn) / 90)
    return Meeting(a, b, (direction, (direction + 2 - quarters) % 4))


class PathTable:
    """Cards with their joins. `cards` are known by index; not all of them need to be on the table yet."""

    def __init__(self, cards: Sequence[PlacedCard], deck: Deck) -> None:
        self.faces = [cast(PathFace, deck.face(card.face)) for card in cards]
        self._joined: dict[End, End] = {}

    def colour(self, end: End) -> str:
        """The colour of the path at an end."""
        return self.faces[end[0]].colour_at[end[1]]

    def matches(self, meeting: Meeting) -> list[tuple[End, End]]:
        """The facing ends of one colour: these are joins (CP-JOIN)."""
        return [(a, b) for a, b in meeting.facing_ends() if self.colour(a) == self.colour(b)]

    def is_mismatch(self, meeting: Meeting) -> bool:
        """Whether ends of different colours meet."""
        return any(self.colour(a) != self.colour(b) for a, b in meeting.facing_ends())

    def join(self, meetings: Iterable[Meeting]) -> None:
        """Join all facing ends of one colour."""
        for meeting in meetings:
            for a, b in self.matches(meeting):
                self._joined[a] = b
                self._joined[b] = a

    def path_through(self, end: End) -> Path:
        """The whole path that contains the strand of this end."""
        forward, ring = self._walk(end)
        if ring:
            return Path(tuple(forward), ring=True)
        # Walk back from the near end: the strand itself comes first again, the other way round.
        backward, _ = self._walk((end[0], self.faces[end[0]].other_end[end[1]]))
        before = [(card, leave, enter) for card, enter, leave in reversed(backward[1:])]
        return Path(tuple(before + forward), ring=False)

    def _walk(self, end: End) -> tuple[list[tuple[int, int, int]], bool]:
        """Enter a card at an end and follow the path; also whether it came back to where it began."""
        strands: list[tuple[int, int, int]] = []
        here: End | None = end
        while here is not None:
            card, enter = here
            leave = self.faces[card].other_end[enter]
            strands.append((card, enter, leave))
            here = self._joined.get((card, leave))
            if here == end:
                return strands, True
        return strands, False

    def paths(self, cards: Iterable[int]) -> Iterator[Path]:
        """Every path of these cards once, in the order of the cards and their ends."""
        seen: set[End] = set()
        for card in cards:
            for end in range(8):
                if (card, end) not in seen:
                    path = self.path_through((card, end))
                    for other, enter, leave in path.strands:
                        seen.update({(other, enter), (other, leave)})
                    yield path

    def changes(self, strands: Iterable[tuple[int, int, int]]) -> int:
        """How often the colour changes along these strands."""
        return sum(
            self.faces[card].colour_at[enter] != self.faces[card].colour_at[leave] for card, enter, leave in strands
        )
