"""CM-DECK, IF-DECK: no face can lie on the table more often than the deck holds it. A check, never a
correction.
"""

from __future__ import annotations

from collections import defaultdict

from referee.decks import Deck
from referee.layouts import Layout, id_order
from referee.rulebook import NoteKind
from referee.verdicts import Note


def too_many_of_a_face(layout: Layout, deck: Deck, kind: NoteKind) -> tuple[Note, ...]:
    """A note for each face seen more often than the deck holds it; `number` is how many the deck holds."""
    seen: dict[str, list[str]] = defaultdict(list)
    for card in layout.cards:
        seen[card.face].append(card.id)
    return tuple(
        Note(kind, tuple(sorted(ids, key=id_order)), number=deck.face(face).count, name=face)
        for face, ids in sorted(seen.items())
        if len(ids) > deck.face(face).count
    )
