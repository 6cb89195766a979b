"""`python -m calibration practice PHOTO... --deck DIR`: how well a new deck is recognised, before it is used.

Photograph a few cards of it as they lie in a game. Told are the cards that were read surely, those that were not and
what they were taken for otherwise.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.decks import Deck, load_deck
from referee.pipeline import SeenCard, check
from referee.vision.decode import Photo, read_photo_file
from referee.vision.profile import put_right
from referee.vision.profile_files import profile_for, usual_folder
from referee.vision.recognise import SURE_MARGIN

NOTHING = "No card of this deck was recognised. Are these its cards? Lay a few face up, come closer, and try again."
ENOUGH = 0.9
"""Share of the cards that must be read surely for a deck to be ready."""


@dataclass(frozen=True, slots=True)
class Practice:
    """cards, sure: how many; confused: pairs of face ids and how often; seen: how often each face; found: the cards
    themselves, with whether each is sure."""

    cards: int
    sure: int
    confused: tuple[tuple[str, str, int], ...]
    seen: dict[str, int]
    found: tuple[tuple[SeenCard, bool], ...] = ()

    @property
    def ready(self) -> bool:
        return self.cards > 0 and self.sure >= ENOUGH * self.cards


def practise(photos: Sequence[Photo], deck: Deck) -> Practice:
    """Read photographs of some cards of a deck."""
    sure = total = 0
    found: list[tuple[SeenCard, bool]] = []
    seen: Counter[str] = Counter()
    confused: Counter[tuple[str, str]] = Counter()
    for photo in photos:
        for card in check(photo, deck).cards:
            total += 1
            seen[card.face] += 1
            is_sure = card.margin >= SURE_MARGIN
            found.append((card, is_sure))
            if is_sure:
                sure += 1
            elif card.runner_up is not None:
                confused[card.face, card.runner_up] += 1
    pairs = tuple((one, other, number) for (one, other), number in confused.most_common())
    return Practice(total, sure, pairs, dict(seen), tuple(found))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration practice`."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--deck", type=Path, required=True, metavar="DIR")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="as in `referee check`")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def run(arguments: argparse.Namespace) -> int:
    """Say how well the deck is read; exit status 1 if it is not ready."""
    deck = load_deck(arguments.deck)
    photos = [(path, read_photo_file(path)) for path in arguments.photos]
    asked = arguments.profile or usual_folder()
    result = practise([put_right(photo, profile_for(asked, path, photo)) for path, photo in photos], deck)
    if arguments.json:
        confused = [{"face": a, "for": b, "times": n} for a, b, n in result.confused]
        print(json.dumps({"cards": result.cards, "sure": result.sure, "ready": result.ready, "confused": confused}))
    else:
        print(f"{result.sure} of {result.cards} cards read surely." if result.cards else NOTHING)
        for one, other, number in result.confused:
            print(f"  {one} might be {other} ({number} times)")
        if result.cards:
            print("The deck is ready." if result.ready else "Take better pictures of these faces, or more photos.")
    return 0 if result.ready else 1
