"""One photograph, from pixels to readings: the vision half's journey, a line a step."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from referee.decks import Deck
from referee.vision.align import Aligner, Pyramid
from referee.vision.decode import Photo
from referee.vision.detect import Found, detect
from referee.vision.facebank import DECKS_KEPT, FaceBank, face_bank
from referee.vision.fixed_table import TableTop
from referee.vision.memory import Memory
from referee.vision.plane import Plane
from referee.vision.quality import Suspect, Trouble, piled_in, suspects_of, troubles_of
from referee.vision.recognise import CardReading, recognise
from referee.vision.rivals import contested
from referee.vision.second_look import look_again


@dataclass(slots=True)
class Stopwatch:
    """Seconds a stage, in the order of the journey."""

    seconds: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=time.perf_counter)

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._last
        self._last = now


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """What the photograph shows. plane: None when no card was found. cards: the readings. piled: which of them
    may be the top of a pile. suspects: places where a
    card may lie that could not be read. troubles: what is wrong with the picture. found: intermediates, to draw.
    memory: for the next photograph of the same table. top: the measured table under a fixed camera."""

    size: tuple[int, int]
    plane: Plane | None
    cards: tuple[CardReading, ...]
    piled: tuple[bool, ...]
    suspects: tuple[Suspect, ...]
    troubles: tuple[Trouble, ...]
    found: Found
    memory: Memory | None = None
    top: TableTop | None = None


def aligner_for(deck: Deck) -> Aligner:
    """The aligner of a deck, kept for the next photo. Raises DeckError if a face has no readable image."""
    return _aligner_of(face_bank(deck))


@lru_cache(maxsize=DECKS_KEPT)
def _aligner_of(bank: FaceBank) -> Aligner:
    return Aligner(bank)


def read_table(photo: Photo, deck: Deck, watch: Stopwatch | None = None, before: TableView | None = None) -> TableView:
    """Read a decoded photograph of cards of `deck`.

    before: an earlier photograph of the same table, so that only what has changed is searched for; the cards read
    are the same without. Raises DeckError if the deck's images cannot be used.
    """
    watch = watch or Stopwatch()
    aligner = aligner_for(deck)
    watch.lap("deck")
    pyramid = Pyramid.of_photo(photo)
    watch.lap("pyramid")
    memory = None if before is None else before.memory
    again = None if memory is None else look_again(pyramid, aligner, memory)
    found = detect(pyramid, aligner) if again is None else again.found
    watch.lap("find")
    kept = {} if again is None or memory is None else again.readings(memory)
    anew = np.array([i not in kept for i in range(len(found.cards))], dtype=bool)
    fresh = iter(recognise(pyramid, aligner, found.cards, found.plane, anew))
    cards = tuple(kept[i] if i in kept else next(fresh) for i in range(len(found.cards)))
    cards = contested(pyramid, aligner, found.plane, found.cards, cards, anew)
    watch.lap("recognise")
    if again is None or memory is None:
        suspects, piled = suspects_of(pyramid, found, aligner.bank), piled_in(found, aligner.bank)
    else:
        suspects, piled = again.doubts(pyramid, aligner.bank, memory)
    troubles = troubles_of(pyramid, cards, suspects)
    watch.lap("doubt")
    if again is None or again.memory is None:
        opened = None if again is None else again.opened
        memory = Memory.of(pyramid, found, cards, piled, suspects, opened)
    return TableView(pyramid.size, found.plane, cards, piled, suspects, troubles, found, memory)
