"""CP-DEAL: cards before the players, counted on a table on which nothing is laid yet."""

from __future__ import annotations

import pytest

from referee.decks import Game
from referee.layouts import Layout, PlacedCard
from referee.match.coloured_paths import dealt_rightly, hands_before_play

SIDE = 60.0


def fanned(counts: tuple[int, ...], shove: float = 0.0) -> Layout:
    """A row of cards before each player, every second card shoved a little."""
    cards = [
        PlacedCard(id=f"p{row}c{i}", face="path-01", x=i * 1.4 * SIDE, y=row * 2.6 * SIDE + (i % 2) * shove, turn=0)
        for row, count in enumerate(counts)
        for i in range(count)
    ]
    return Layout(game=Game.COLOURED_PATHS, cards=tuple(cards))


@pytest.mark.parametrize("counts", [(6, 6), (5, 5, 5), (4, 4, 4, 4), (6, 5), (3,)])
@pytest.mark.parametrize("shove", [0.0, 20.0])
def test_hands_are_counted_row_by_row(counts: tuple[int, ...], shove: float) -> None:
    assert hands_before_play(fanned(counts, shove), SIDE) == counts


@pytest.mark.parametrize(
    ("hands", "right"),
    [
        ((6, 6), True),
        ((5, 5, 5), True),
        ((4, 4, 4, 4), True),
        ((6, 6, 6), False),
        ((6, 5), False),
        ((6,), False),
        ((), False),
    ],
)
def test_so_many_cards_for_so_many_players(hands: tuple[int, ...], right: bool) -> None:
    assert dealt_rightly(hands) is right
