"""A game of If It Fits: turns, cats left, the last phase, the final points (IF-TURN, IF-PRINCESS, IF-END, IF-DECK)."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from referee.decks import BoxFace, CatFace, Deck
from referee.errors import LayoutError
from referee.games.if_it_fits import cats_of
from referee.layouts import Layout
from referee.match.lying import laid_cards
from referee.match.problems import Problem, after_in_turn, leaders, unique
from referee.options import IfItFitsOptions
from referee.rulebook import MatchProblem, RuleId
from referee.validation import Name, Value
from referee.verdicts import BoxesVerdict, Ruling


class Settings(Value):
    """Who plays, in the order of their turns, each by the colour of their cats.

    hand: how many box cards each player was dealt; None if that is not to be counted.
    """

    players: Annotated[tuple[Name, ...], Field(min_length=2, max_length=5), AfterValidator(unique)]
    options: IfItFitsOptions = IfItFitsOptions()
    hand: Annotated[int, Field(ge=1, le=20)] | None = None


class Turn(Value):
    """What a player did in a turn; what the referee said of the move.

    princess_replaces: whose cat the player's Princess took the place of.
    """

    kind: Literal["turn"] = "turn"
    player: Name
    box: bool = False
    cat: bool = False
    asleep: bool = False
    princess_replaces: Name | None = None
    legal: bool = True


class Found(Value):
    """The table as it lies, where a match is written down that was under way already: nobody's turn is used up.

    turn: who plays next. awake, asleep: the cats on the table; princesses: whose Princess has been laid. Hands and
    draw pile are not counted from then on.
    """

    kind: Literal["found"] = "found"
    turn: Name
    awake: tuple[tuple[Name, Annotated[int, Field(ge=0)]], ...] = ()
    asleep: tuple[tuple[Name, Annotated[int, Field(ge=0)]], ...] = ()
    princesses: tuple[Name, ...] = ()

    @property
    def named(self) -> frozenset[str]:
        """Everybody whom it speaks of."""
        cats = {player for player, number in (*self.awake, *self.asleep) if number}
        return frozenset({self.turn, *cats, *self.princesses})


class PileEmpty(Value):
    """The draw pile is empty; needed only where cards are not counted."""

    kind: Literal["pile-empty"] = "pile-empty"


class Scored(Value):
    """All hands are empty and the points are counted: the confirmed scores of the final table."""

    kind: Literal["scored"] = "scored"
    scores: tuple[tuple[Name, Annotated[int, Field(ge=0)]], ...]


Event = Annotated[Turn | Found | PileEmpty | Scored, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class State:
    """Where the game stands. `pile` and `hands` are None if cards are not counted."""

    players: tuple[str, ...]
    turn: str
    cats_left: Mapping[str, int]
    cats_awake: Mapping[str, int]
    princess_left: Mapping[str, int]
    pile: int | None
    hands: Mapping[str, int] | None
    last_phase: bool = False
    totals: Mapping[str, int] = dataclasses.field(default_factory=dict)
    over: bool = False
    winners: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def hands_empty(self) -> bool:
        """Whether nobody has a card left, so that the points are counted."""
        return self.hands is not None and not any(self.hands.values())


def scored_from(ruling: Ruling) -> Scored:
    """The final points that a ruling shows."""
    if not isinstance(ruling.verdict, BoxesVerdict):
        raise LayoutError("wrong-game", "this ruling is not of a table of If It Fits.")
    return Scored(scores=ruling.verdict.scores)


def found_from(ruling: Ruling, layout: Layout, deck: Deck, turn: str, princesses: Iterable[str] = ()) -> Found:
    """The cats that lie on a judged table; what lies beside it as supply is not counted."""
    faces = [deck.face(card.face) for card in laid_cards(ruling, layout)]
    cats = [face for face in faces if isinstance(face, CatFace)]
    awake = Counter(face.player for face in cats if not face.asleep)
    asleep = Counter(face.player for face in cats if face.asleep)
    return Found(
        turn=turn,
        awake=tuple(sorted(awake.items())),
        asleep=tuple(sorted(asleep.items())),
        princesses=tuple(princesses),
    )


def replay(settings: Settings, deck: Deck, events: Iterable[Turn | Found | PileEmpty | Scored]) -> State:
    """Play the events in order, the first player of the settings beginning."""
    players = settings.players
    boxes = sum(f.count for f in deck.faces if isinstance(f, BoxFace) and f.kind != "start")
    princesses = sum(face.count for face in deck.faces if face.kind == "princess")
    begun = state = State(
        players=players,
        turn=players[0],
        cats_left={player: cats_of(deck, player) for player in players},
        cats_awake=dict.fromkeys(players, 0),
        princess_left={player: int(i < princesses) for i, player in enumerate(players)},
        pile=None if settings.hand is None else max(0, boxes - settings.hand * len(players)),
        hands=None if settings.hand is None else dict.fromkeys(players, settings.hand),
    )
    for number, event in enumerate(events):
        problem = _problem(state, event)
        if problem is None:
            state = _taken_as_found(begun, state, event) if isinstance(event, Found) else _apply(state, event)
        else:
            player = _who(state, event)
            state = dataclasses.replace(state, problems=(*state.problems, Problem(number, *problem, player)))
    return state


def _who(state: State, event: Turn | Found | PileEmpty | Scored) -> str:
    """Whom a problem concerns."""
    if isinstance(event, Found):
        return next(iter(sorted(event.named - set(state.players))), "")
    return event.player if isinstance(event, Turn) else ""


def _problem(state: State, event: Turn | Found | PileEmpty | Scored) -> tuple[MatchProblem, RuleId] | None:
    """Why an event cannot happen now."""
    if state.over:
        return MatchProblem.GAME_OVER, RuleId.IF_END
    if isinstance(event, Scored):
        strange = any(player not in state.players for player, points in event.scores if points)
        return (MatchProblem.NO_SUCH_PLAYER, RuleId.IF_SCORE) if strange else None
    if isinstance(event, Found):
        return None if event.named <= set(state.players) else (MatchProblem.NO_SUCH_PLAYER, RuleId.IF_TURN)
    if isinstance(event, PileEmpty):
        return None
    if event.player not in state.players:
        return MatchProblem.NO_SUCH_PLAYER, RuleId.IF_TURN
    if event.player != state.turn:
        return MatchProblem.NOT_YOUR_TURN, RuleId.IF_TURN
    return _turn_problem(state, event)


def _turn_problem(state: State, event: Turn) -> tuple[MatchProblem, RuleId] | None:
    checks = (
        (not event.box and not event.asleep, MatchProblem.NOTHING_PLAYED, RuleId.IF_TURN),
        (event.box and event.asleep, MatchProblem.BOX_AND_SLEEPING_CAT, RuleId.IF_ASLEEP),
        (event.asleep and (event.cat or _has_princess(event)), MatchProblem.CAT_WITHOUT_BOX, RuleId.IF_TURN),
        (event.asleep and state.last_phase, MatchProblem.NO_SLEEPING_IN_LAST_PHASE, RuleId.IF_END),
        (
            (event.cat or event.asleep) and state.cats_left[event.player] == 0,
            MatchProblem.NO_CAT_LEFT,
            RuleId.IF_DECK,
        ),
        (
            _has_princess(event) and state.princess_left[event.player] == 0,
            MatchProblem.NO_PRINCESS_LEFT,
            RuleId.IF_PRINCESS,
        ),
        (_has_princess(event) and not _replaceable(state, event), MatchProblem.NO_CAT_TO_REPLACE, RuleId.IF_PRINCESS),
        (
            event.box and state.last_phase and state.hands is not None and state.hands[event.player] == 0,
            MatchProblem.HAND_EMPTY,
            RuleId.IF_END,
        ),
        (not event.legal, MatchProblem.ILLEGAL_MOVE, RuleId.IF_TURN),
    )
    return next(((problem, rule) for broken, problem, rule in checks if broken), None)


def _has_princess(event: Turn) -> bool:
    return event.princess_replaces is not None


def _replaceable(state: State, event: Turn) -> bool:
    owner = event.princess_replaces
    return owner is not None and owner != event.player and state.cats_awake.get(owner, 0) > 0


def _apply(state: State, event: Turn | PileEmpty | Scored) -> State:
    if isinstance(event, PileEmpty):
        return dataclasses.replace(state, last_phase=True, pile=None if state.pile is None else 0)
    if isinstance(event, Scored):
        totals = {**dict.fromkeys(state.players, 0), **{p: n for p, n in event.scores if p in state.players}}
        return dataclasses.replace(state, totals=totals, over=True, winners=leaders(totals), turn="")
    cats, awake, princess = dict(state.cats_left), dict(state.cats_awake), dict(state.princess_left)
    pile, hands = state.pile, None if state.hands is None else dict(state.hands)
    if event.box and hands is not None and pile is not None:
        hands[event.player] -= 1
        if pile > 0 and not state.last_phase:
            pile -= 1
            hands[event.player] += 1
    if event.cat or event.asleep:
        cats[event.player] -= 1
        awake[event.player] += int(event.cat)
    # IF-END: the last phase is decided before a cat goes back, and is never left again.
    last_phase = state.last_phase or pile == 0 or ((event.cat or event.asleep) and cats[event.player] == 0)
    if event.princess_replaces is not None:
        princess[event.player] -= 1
        awake[event.princess_replaces] -= 1
        cats[event.princess_replaces] += 1
    state = dataclasses.replace(
        state,
        cats_left=cats,
        cats_awake=awake,
        princess_left=princess,
        pile=pile,
        hands=hands,
        last_phase=last_phase,
    )
    return dataclasses.replace(state, turn=_next_turn(state))


def _taken_as_found(begun: State, state: State, event: Found) -> State:
    """begun: how the game stood at its beginning."""
    awake = {player: dict(event.awake).get(player, 0) for player in begun.players}
    asleep = dict(event.asleep)
    left = {player: max(0, cats - awake[player] - asleep.get(player, 0)) for player, cats in begun.cats_left.items()}
    return dataclasses.replace(
        begun,
        turn=event.turn,
        cats_left=left,
        cats_awake=awake,
        princess_left={p: number * (p not in event.princesses) for p, number in begun.princess_left.items()},
        pile=None,
        hands=None,
        last_phase=state.last_phase or not all(left.values()),
        problems=state.problems,
    )


def _next_turn(state: State) -> str:
    """Whose turn follows; in the last phase those without cards are passed over."""
    following = after_in_turn(state.players, state.turn)
    if state.last_phase and state.hands is not None and not state.hands_empty:
        while state.hands[following] == 0:
            following = after_in_turn(state.players, following)
    return following
