"""What a sequence remembers of its table: the cards, where they lay, and what the next move is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.certainty import CardReading, TableReading
from referee.decks import Deck
from referee.followed import faces_of, lies_on_others, likely_cards, placed_at, pose_of, suspects_of, with_card
from referee.moves import MoveRuling, Standing
from referee.vision.align import Doubles
from referee.vision.track import Cards, Registration

STEADY_IF_REFUSED, STEADY_IF_NEW, STEADY_IF_UNSURE = 0.2, 0.6, 0.5
"""How much a card's place counts when the tables are laid on each other: who corrects a move moves these (0..1)."""
SUSPECTED_HERE = 0.6
"""Within so many sides of a place where perhaps a card lay, a new card may be that one."""


@dataclass(slots=True)
class Known:
    """A card as it is remembered. pose: (3,) card sides and radians, in the frame of its chapter."""

    reading: CardReading
    pose: Doubles
    steady: float = 1.0

    @property
    def faces(self) -> frozenset[str]:
        return faces_of(self.reading)

    @property
    def is_sure(self) -> bool:
        return len(self.reading.ranked) == 1


@dataclass(slots=True)
class Before:
    """What a move is compared with. standings: one, or all that are plausible (some, if not is_complete);
    listed: the cards that were told of the photograph, the doubtful ones as well."""

    standings: tuple[Standing, ...]
    is_complete: bool
    listed: frozenset[str]
    since: str
    turns: int = 0
    is_certain: bool = True


@dataclass(slots=True)
class Chapter:
    """Photographs whose cards could be followed; places are those of its first photograph.

    last: how things stood in its last photograph; certain: in the last certain one, if that was another.
    suspects: places (3,) of the last photograph where perhaps a card lies, by their ids.
    """

    known: dict[str, Known]
    last: Before
    certain: Before | None = None
    gone: dict[str, Known] = field(default_factory=dict)
    suspects: dict[str, Doubles] = field(default_factory=dict)

    def cards(self, deck: Deck) -> Cards:
        """The known cards, as they can be followed into another photograph."""
        known = self.known.values()
        return Cards(
            np.array([card.pose for card in known]).reshape(-1, 3),
            tuple(card.faces for card in known),
            np.array([card.steady for card in known]),
            np.array([lies_on_others(card.reading, deck) for card in known], dtype=bool),
        )

    def recognise_suspects(self, reading: TableReading, found: Registration, width: float) -> None:
        """A new card where perhaps one lay before is perhaps not new: those earlier tables get it under its id."""
        for seen in likely_cards(reading):
            if seen.card.id in self.known:
                continue
            pose = found.apply(pose_of(seen, width)[None])[0]
            for name, place in self.suspects.items():
                if np.hypot(*(place[:2] - pose[:2])) < SUSPECTED_HERE:
                    same = placed_at(seen.card, pose, width)
                    standings = [with_card(standing, name, same) for standing in self.last.standings]
                    self.last.standings = tuple(standings)

    def remember(
        self,
        reading: TableReading,
        found: Registration,
        move: MoveRuling,
        remembered: Sequence[str],
        width: float,
    ) -> None:
        """Take over what this photograph shows surely, and keep what it hides."""
        now = {seen.card.id: seen for seen in likely_cards(reading)}
        self.gone = {card_id: self.known.pop(card_id) for card_id in self.known.keys() - now.keys()}
        self.suspects = suspects_of(reading, found, width)
        refused = {card for fault in move.faults for card in fault.cards[:1]}
        for card_id, seen in now.items():
            before = self.known.get(card_id)
            if before is not None and (card_id in remembered or seen.ranked[-1].face is None):
                continue
            steady = STEADY_IF_REFUSED if card_id in refused else 1.0 if before else STEADY_IF_NEW
            pose = found.apply(pose_of(seen, width)[None])[0]
            if len(seen.ranked) > 1:
                steady = min(steady, STEADY_IF_UNSURE)
                if before is not None and before.is_sure and before.faces <= faces_of(seen):
                    seen = before.reading
            self.known[card_id] = Known(seen, pose, steady)
