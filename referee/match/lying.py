"""Which cards of a table belong to the match, and which only lie beside it."""

from __future__ import annotations

from referee.layouts import Layout, PlacedCard
from referee.rulebook import NoteKind
from referee.verdicts import Ruling

BESIDE = frozenset({NoteKind.STRAYS, NoteKind.SUPPLY})
"""Notes on cards that have not been laid: apart from the layout, as hands face up are (CP-JOIN), or on no box, as cats
still to be laid are (IF-CAT)."""


def laid_cards(ruling: Ruling, layout: Layout) -> tuple[PlacedCard, ...]:
    """The cards of a judged layout without those that lie beside it."""
    beside = {card for note in ruling.notes if note.kind in BESIDE for card in note.cards}
    return tuple(card for card in layout.cards if card.id not in beside)
