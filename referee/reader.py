"""By what the cards of a deck are read: by the pictures of its faces, or by what is drawn on them alone."""

from __future__ import annotations

from collections.abc import Callable

from referee.decks import Deck
from referee.features.table import read_features
from referee.vision.decode import Photo
from referee.vision.read import Stopwatch, TableView, read_table

Reader = Callable[[Photo, Deck, Stopwatch, TableView | None], TableView]


def reader_of(deck: Deck) -> Reader:
    """The reader for a deck: its pictures are used where any face has one."""
    return read_table if any(face.image is not None for face in deck.faces) else read_features
