"""The rules of the three games, one file or package a game, behind one function: `judge`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.decks import Deck, Game
from referee.games import cat_and_mouse, coloured_paths, if_it_fits
from referee.layouts import Layout, check_layout_suits_deck
from referee.limits import Limits
from referee.options import Options
from referee.verdicts import Ruling

Judge = Callable[[Layout, Deck, Options, Limits], Ruling]

JUDGES: Mapping[Game, Judge] = {
    Game.CAT_AND_MOUSE: cat_and_mouse.judge,
    Game.COLOURED_PATHS: coloured_paths.judge,
    Game.IF_IT_FITS: if_it_fits.judge,
}
"""Who judges which game."""


def judge(layout: Layout, deck: Deck, options: Options | None = None, limits: Limits | None = None) -> Ruling:
    """Judge one table by the rule book; the layout is taken as read, without doubts.

    Pure: the same input gives the same ruling, whatever the order of its cards, and is never changed.
    Raises LayoutError if the layout is of another game than the deck or shows a face that the deck lacks.
    """
    check_layout_suits_deck(layout, deck)
    return JUDGES[deck.game](layout, deck, options or Options(), limits or Limits())
