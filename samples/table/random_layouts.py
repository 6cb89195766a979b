"""Random tables for each game, legal or with one known fault."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from referee.decks import Deck, Game
from referee.layouts import Layout
from samples.table import cat_routes
from samples.table.cat_routes import NoRoomError

FAULTS: Mapping[Game, tuple[str, ...]] = MappingProxyType({Game.CAT_AND_MOUSE: cat_routes.FAULTS})
"""The faults that can be asked for, by game."""
_TRIES = 200


def random_layout(game: Game | str, deck: Deck, seed: int, fault: str | None = "any") -> tuple[Layout, str | None]:
    """A table of a game and the fault it was given (None: legal, as far as it was meant).

    `fault`: a name of `FAULTS[game]`, None for a legal table, "any" for a legal one in two of five cases.
    One seed, one table. Raises ValueError when the deck is of another game or the fault unknown.
    """
    game = Game(game)
    if deck.game is not game:
        raise ValueError(f"The deck is of {deck.game.value}; use one of {game.value}.")
    rng = np.random.default_rng([seed, list(Game).index(game), 5])
    if fault == "any":
        names = FAULTS[game]
        fault = None if rng.uniform() < 0.4 else str(names[int(rng.integers(len(names)))])
    for _ in range(_TRIES):
        try:
            return cat_routes.cat_layout(deck, rng, fault, f"{game.value}-{seed}"), fault
        except NoRoomError:
            continue
    raise ValueError(f'No table with the fault "{fault}" can be laid with this deck; it has too few cards.')
