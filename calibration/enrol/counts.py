"""How many of each face there are: as many as were laid out, unless one of each was laid out of a larger deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.decks import Game

USUAL: dict[Game, dict[str, int]] = {
    Game.CAT_AND_MOUSE: {"move": 62, "start": 4, "finish": 4},
    Game.COLOURED_PATHS: {},
    Game.IF_IT_FITS: {"box": 72, "start": 5, "toy": 3, "cat": 25, "princess": 5},
}
"""Cards of each kind in the shop's decks (rule book, first lines of each game); an owner's deck may differ."""
PLAYERS_CATS = 5
"""Cards of a player, each awake on one side and asleep on the other (IF-DECK)."""


def count_of_each(game: Game, kinds: Sequence[str], copies: Sequence[int]) -> tuple[list[int], bool]:
    """How many cards of each face, and whether that is a guess.

    Where no card was laid out twice, though the game's deck is larger, nobody counted: a face may then be there as
    often as the usual deck leaves room for, so that no second copy on a table is taken for a misreading.
    """
    usual = USUAL[game]
    faces = Counter(kinds)
    if not usual or max(copies, default=0) > 1 or len(copies) >= sum(usual.values()):
        return list(copies), False
    room = {
        kind: PLAYERS_CATS if kind == "cat" else max(1, usual.get(kind, 1) - (number - 1))
        for kind, number in faces.items()
    }
    return [room[kind] for kind in kinds], True


def unusual(game: Game, kinds: Sequence[str], counts: Sequence[int]) -> list[str]:
    """What differs from the usual composition, a sentence each; cat cards are counted by their awake side."""
    have: Counter[str] = Counter()
    for kind, count in zip(kinds, counts, strict=True):
        have[kind] += count
    have["cat"] = round(have["cat"] / 2)
    return [
        f"{have[kind]} cards are {kind}, usually there are {number}."
        for kind, number in USUAL[game].items()
        if have[kind] != number
    ]
