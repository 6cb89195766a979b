"""A game of Multicoloured Paths: hands, bank, whose turn it is, extra turns, rings (CP-DEAL to CP-END)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from referee.decks import Deck
from referee.games.geometry import components
from referee.layouts import Layout
from referee.match.lying import laid_cards
from referee.match.problems import Problem, after_in_turn, unique
from referee.moves import MoveRuling
from referee.rulebook import MatchProblem, RuleId
from referee.validation import Name, Value
from referee.verdicts import ExtraTurn, Move, Ruling

HANDS = {2: 6, 3: 5, 4: 4}
"""CP-DEAL: players -> cards dealt to each."""


APART = 1.8
"""Cards before one player lie nearer to each other than this, in card sides; those of two players do not."""


class Settings(Value):
    """Who plays, in the order of their turns."""

    players: Annotated[tuple[Name, ...], Field(min_length=2, max_length=4), AfterValidator(unique)]


class Found(Value):
    """The table as it lies, where a match is written down that was under way already: nobody's turn is used up.

    turn: who plays next; hands: how many cards everybody has; laid: how many lie on the table.
    """

    kind: Literal["found"] = "found"
    turn: Name
    hands: tuple[tuple[Name, Annotated[int, Field(ge=1, le=40)]], ...]
    laid: Annotated[int, Field(ge=0)]


class Laid(Value):
    """A player laid a card; what the referee said of the move."""

    kind: Literal["laid"] = "laid"
    player: Name
    legal: bool = True
    ring: bool = False
    extra_turn: tuple[ExtraTurn, ...] = ()


class Drew(Value):
    """A player who had no move took a card from the bank."""

    kind: Literal["drew"] = "drew"
    player: Name


class Passed(Value):
    """A player who still has no move lets the turn pass."""

    kind: Literal["passed"] = "passed"
    player: Name


Event = Annotated[Found | Laid | Drew | Passed, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class State:
    """Where the game stands.

    `turn` is who plays now (nobody when the game is over), `drew` whether they have drawn in this turn, `losing_turn`
    who must sit out their next turn because a ring was closed while the bank was empty. `stuck`: the bank is empty
    and everybody has passed in a row; the rules do not say how such a game ends.
    """

    players: tuple[str, ...]
    hands: Mapping[str, int]
    bank: int
    turn: str
    drew: bool = False
    losing_turn: tuple[str, ...] = ()
    passed_in_row: int = 0
    winner: str | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self.winner is not None

    @property
    def stuck(self) -> bool:
        """Whether nobody can move any more."""
        return not self.over and self.bank == 0 and self.passed_in_row >= len(self.players)


def hands_before_play(layout: Layout, side: float) -> tuple[int, ...]:
    """How many cards lie before each player on a table on which nothing has been laid yet (CP-DEAL), from the upper
    left on. side: of a card, millimetres."""
    cards = sorted(layout.cards, key=lambda card: (card.y, card.x))
    near = [
        (i, j)
        for (i, a), (j, b) in combinations(enumerate(cards), 2)
        if math.hypot(a.x - b.x, a.y - b.y) < APART * side
    ]
    return tuple(len(hand) for hand in components(len(cards), near))


def dealt_rightly(hands: Sequence[int]) -> bool:
    """CP-DEAL: whether so many players are dealt so many cards."""
    return len(hands) in HANDS and set(hands) == {HANDS[len(hands)]}


def found_from(ruling: Ruling, layout: Layout, turn: str, hands: Mapping[str, int]) -> Found:
    """The cards that lie on a judged table; what lies apart, as cards in hand face up do, is not counted as laid."""
    return Found(turn=turn, hands=tuple(hands.items()), laid=len(laid_cards(ruling, layout)))


def laid_from(player: str, move: Move | MoveRuling) -> Laid:
    """The event of a judged move."""
    return Laid(
        player=player,
        legal=move.legal,
        ring=bool(move.ring),
        extra_turn=() if move.extra_turn is None else move.extra_turn,
    )


def replay(settings: Settings, deck: Deck, events: Iterable[Found | Laid | Drew | Passed]) -> State:
    """Play the events in order, the first player of the settings beginning."""
    players = settings.players
    each = HANDS[len(players)]
    cards = sum(face.count for face in deck.faces)
    bank = max(0, cards - each * len(players))
    state = State(players, dict.fromkeys(players, each), bank, players[0])
    for number, event in enumerate(events):
        problem = _problem(state, event)
        if problem is not None:
            found = Problem(number, *problem, event.turn if isinstance(event, Found) else event.player)
            state = dataclasses.replace(state, problems=(*state.problems, found))
        elif isinstance(event, Found):
            hands = dict(event.hands)
            bank = max(0, cards - event.laid - sum(hands.values()))
            state = State(players, hands, bank, event.turn, problems=state.problems)
        else:
            state = _apply(state, event)
    return state


_NOBODY = (MatchProblem.NO_SUCH_PLAYER, RuleId.CP_DEAL)


def _problem(state: State, event: Found | Laid | Drew | Passed) -> tuple[MatchProblem, RuleId] | None:
    """Why an event cannot happen now."""
    if isinstance(event, Found):
        told = event.turn in state.players and set(dict(event.hands)) == set(state.players)
        return (MatchProblem.GAME_OVER, RuleId.CP_END) if state.over else None if told else _NOBODY
    if event.player not in state.hands:
        return _NOBODY
    if state.over:
        return MatchProblem.GAME_OVER, RuleId.CP_END
    if event.player != state.turn:
        return MatchProblem.NOT_YOUR_TURN, RuleId.CP_NO_MOVE
    if isinstance(event, Laid):
        return None if event.legal else (MatchProblem.ILLEGAL_MOVE, RuleId.CP_TWO)
    if isinstance(event, Drew):
        if state.drew:
            return MatchProblem.ALREADY_DREW, RuleId.CP_NO_MOVE
        return (MatchProblem.BANK_EMPTY, RuleId.CP_NO_MOVE) if state.bank == 0 else None
    return (MatchProblem.DRAW_FIRST, RuleId.CP_NO_MOVE) if state.bank > 0 and not state.drew else None


def _apply(state: State, event: Laid | Drew | Passed) -> State:
    hands = dict(state.hands)
    if isinstance(event, Drew):
        hands[event.player] += 1
        return dataclasses.replace(state, hands=hands, bank=state.bank - 1, drew=True)
    if isinstance(event, Passed):
        return _pass_on(dataclasses.replace(state, passed_in_row=state.passed_in_row + 1))
    hands[event.player] -= 1
    state = dataclasses.replace(state, hands=hands, passed_in_row=0)
    if hands[event.player] == 0:
        return dataclasses.replace(state, winner=event.player, turn="", drew=False)
    if event.ring:
        state = _ring(state)
    if event.extra_turn:
        return dataclasses.replace(state, drew=False)
    return _pass_on(state)


def _ring(state: State) -> State:
    """CP-RING: the next player takes a card; if there is none, loses the turn."""
    following = after_in_turn(state.players, state.turn)
    if state.bank == 0:
        return dataclasses.replace(state, losing_turn=(*state.losing_turn, following))
    hands = {**state.hands, following: state.hands[following] + 1}
    return dataclasses.replace(state, hands=hands, bank=state.bank - 1)


def _pass_on(state: State) -> State:
    """The turn passes, over those who lose theirs."""
    following = after_in_turn(state.players, state.turn)
    waiting = list(state.losing_turn)
    while following in waiting:
        waiting.remove(following)
        following = after_in_turn(state.players, following)
    return dataclasses.replace(state, turn=following, drew=False, losing_turn=tuple(waiting))
