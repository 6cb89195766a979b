"""Random tables for each game, legal or with one known fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from referee.decks import Deck, Game
from referee.games import judge
from referee.layouts import Layout
from referee.rulebook import Violation
from referee.verdicts import Outcome
from samples.table import box_tables, cat_routes, path_tables
from samples.table.cat_routes import NoRoomError
from samples.table.truth import is_clear_cut

FAULTS: Mapping[Game, Mapping[str, frozenset[Violation]]] = MappingProxyType(
    {
        Game.CAT_AND_MOUSE: MappingProxyType(
            {
                "wrong-side": frozenset({Violation.WRONG_SIDE}),
                "diagonal": frozenset({Violation.NOT_BESIDE}),
                "gap": frozenset({Violation.NOT_BESIDE}),
                "both-arrows": frozenset({Violation.SECOND_ARROW}),
                "after-finish": frozenset({Violation.AFTER_FINISH}),
                "second-finish": frozenset({Violation.TWO_FINISHES}),
                "stray": frozenset({Violation.NO_ROUTE, Violation.NOT_BESIDE}),
                "after-trap": frozenset({Violation.AFTER_TRAP}),
            }
        ),
        Game.COLOURED_PATHS: MappingProxyType(
            {"mismatch": frozenset({Violation.MISMATCH}), "shoved": frozenset({Violation.SHOVED})}
        ),
        Game.IF_IT_FITS: MappingProxyType(
            {
                "cat-across-wall": frozenset({Violation.CAT_ACROSS_WALL}),
                "cat-astray": frozenset({Violation.CAT_NOT_ON_TWO_BOXES}),
                "box-long-to-short": frozenset({Violation.BOX_LONG_TO_SHORT}),
                "box-not-flush": frozenset({Violation.BOX_NOT_FLUSH}),
                "box-overlap": frozenset({Violation.BOX_OVERLAP}),
                "cat-overlap": frozenset({Violation.CAT_OVERLAP}),
            }
        ),
    }
)
"""The faults that can be asked for, by game, with the violations of which the judge names at least one."""
LEGAL: Mapping[Game, tuple[str, ...]] = MappingProxyType(
    {Game.CAT_AND_MOUSE: ("finish-first",), Game.COLOURED_PATHS: ("apart",), Game.IF_IT_FITS: ()}
)
"""Names of special tables that break no rule."""
_MAKERS: Mapping[Game, Callable[[Deck, np.random.Generator, str | None, str], Layout]] = MappingProxyType(
    {
        Game.CAT_AND_MOUSE: cat_routes.cat_layout,
        Game.COLOURED_PATHS: path_tables.path_layout,
        Game.IF_IT_FITS: box_tables.box_layout,
    }
)
_TRIES = 400


def random_layout(game: Game | str, deck: Deck, seed: int, fault: str | None = "any") -> tuple[Layout, str | None]:
    """A table of a game and the fault it was given (None: legal).

    `fault`: a name of `FAULTS[game]` or `LEGAL[game]`, None for a legal table, or "any": legal in two of five
    cases. The judge confirms the fault (or that there is none), also under somewhat tighter and looser
    limits. One seed, one table. Raises ValueError when the deck is of another game or the fault unknown.
    """
    game = Game(game)
    if deck.game is not game:
        raise ValueError(f"The deck is of {deck.game.value}; use one of {game.value}.")
    names = (*FAULTS[game], *LEGAL[game])
    if fault not in (None, "any", *names):
        raise ValueError(f'There is no fault called "{fault}"; use one of: {", ".join(names)}.')
    rng = np.random.default_rng([seed, list(Game).index(game), 5])
    if fault == "any":
        fault = None if rng.uniform() < 0.4 else str(names[int(rng.integers(len(names)))])
    for _ in range(_TRIES):
        try:
            layout = _MAKERS[game](deck, rng, fault, f"{game.value}-{seed}")
        except NoRoomError:
            continue
        if _is_as_wanted(layout, deck, fault):
            return layout, fault
    raise ValueError(f'No table with the fault "{fault}" can be laid with this deck; it has too few cards.')


def _is_as_wanted(layout: Layout, deck: Deck, fault: str | None) -> bool:
    ruling = judge(layout, deck)
    wanted = FAULTS[deck.game].get(fault, frozenset()) if fault else frozenset()
    if not wanted:
        return ruling.outcome is Outcome.VALID and is_clear_cut(layout, deck)
    named = {found.rule for found in ruling.faults}
    return ruling.outcome is Outcome.INVALID and bool(named & wanted) and is_clear_cut(layout, deck)
