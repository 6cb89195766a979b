"""A game of Cat and Mouse: four rounds, winning piles, totals (CM-SCORE, CM-END, CM-DECK)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, cast

from pydantic import AfterValidator, Field

from referee.decks import ArrowFace, Deck
from referee.errors import LayoutError
from referee.layouts import Layout
from referee.match.problems import Problem, leaders, unique
from referee.options import CatAndMouseOptions
from referee.rulebook import MatchProblem, NoteKind, RuleId, ScoreReason
from referee.validation import Name, Value
from referee.verdicts import Note, RoutesVerdict, Ruling, ScoreLine

ROUNDS = 4
"""CM-END: the game ends after so many rounds."""


class Settings(Value):
    """Who plays, by which house rules."""

    players: Annotated[tuple[Name, ...], Field(min_length=2, max_length=4), AfterValidator(unique)]
    options: CatAndMouseOptions = CatAndMouseOptions()


class RouteWon(Value):
    """The faces of the valid cards of one player's route, the Finish included."""

    player: Name
    faces: tuple[Name, ...]


class RoundPlayed(Value):
    """A round that the players have confirmed. `finish_seen`: a Finish lay on the table, rightly or not."""

    kind: Literal["round"] = "round"
    routes: tuple[RouteWon, ...]
    finish_seen: bool


@dataclass(frozen=True, slots=True)
class State:
    """Where the game stands. `piles` are the faces each player has won; `scores` add up to `totals`."""

    rounds: int
    totals: Mapping[str, int]
    piles: Mapping[str, tuple[str, ...]]
    scores: tuple[ScoreLine, ...]
    over: bool
    winners: tuple[str, ...]
    notes: tuple[Note, ...]
    problems: tuple[Problem, ...]


def round_from(ruling: Ruling, layout: Layout, deck: Deck, owners: Mapping[str, str]) -> RoundPlayed:
    """The round that a ruling shows; `owners` says whose each Start card is (by its id).

    Routes of Start cards without an owner are left out.
    """
    verdict = ruling.verdict
    if not isinstance(verdict, RoutesVerdict):
        raise LayoutError("wrong-game", "this ruling is not of a table of Cat and Mouse.")
    faces = {card.id: card.face for card in layout.cards}
    routes = tuple(
        RouteWon(player=owners[route.start], faces=tuple(faces[card] for card in route.valid))
        for route in verdict.routes
        if route.start in owners
    )
    goes_on = any(note.kind is NoteKind.ROUND_OPEN for note in ruling.notes)
    finish_seen = not goes_on and any(deck.face(face).kind == "finish" for face in faces.values())
    return RoundPlayed(routes=routes, finish_seen=finish_seen)


def replay(settings: Settings, deck: Deck, events: Iterable[RoundPlayed]) -> State:
    """Play the confirmed rounds in order. Raises LayoutError for a face that the deck lacks."""
    piles: dict[str, list[str]] = {player: [] for player in settings.players}
    scores: list[ScoreLine] = []
    problems: list[Problem] = []
    rounds = 0
    over = False
    for number, event in enumerate(events):
        stranger = next((route.player for route in event.routes if route.player not in piles), None)
        if over:
            problems.append(Problem(number, MatchProblem.GAME_OVER, RuleId.CM_END))
        elif stranger is not None:
            problems.append(Problem(number, MatchProblem.NO_SUCH_PLAYER, RuleId.CM_START, stranger))
        elif not event.finish_seen:
            problems.append(Problem(number, MatchProblem.ROUND_OPEN, RuleId.CM_SCORE))
        else:
            rounds += 1
            for route in event.routes:
                piles[route.player] += route.faces
                scores += [
                    ScoreLine(route.player, _face(deck, face).points, ScoreReason.CARD_IN_ROUTE, (face,))
                    for face in route.faces
                ]
            over = rounds == ROUNDS or _all_finishes_won(deck, piles)
    totals = dict.fromkeys(settings.players, 0)
    for line in scores:
        totals[line.who] += line.points
    return State(
        rounds=rounds,
        totals=totals,
        piles={player: tuple(faces) for player, faces in piles.items()},
        scores=tuple(scores),
        over=over,
        winners=leaders(totals) if over else (),
        notes=_deck_check(deck, piles),
        problems=tuple(problems),
    )


def _face(deck: Deck, face_id: str) -> ArrowFace:
    if face_id not in deck:
        raise LayoutError("unknown-face", f'face "{face_id}" is not in the deck "{deck.name}".')
    return cast(ArrowFace, deck.face(face_id))


def _all_finishes_won(deck: Deck, piles: Mapping[str, Iterable[str]]) -> bool:
    """Whether no Finish is left that could end another round."""
    won = sum(_face(deck, face).kind == "finish" for faces in piles.values() for face in faces)
    return won >= sum(face.count for face in deck.faces if face.kind == "finish")


def _deck_check(deck: Deck, piles: Mapping[str, Iterable[str]]) -> tuple[Note, ...]:
    """CM-DECK over the whole game: what is won is out of the heap."""
    won = Counter(face for faces in piles.values() for face in faces)
    return tuple(
        Note(NoteKind.TOO_MANY_OF_FACE, number=deck.face(face).count, name=face)
        for face, number in sorted(won.items())
        if number > deck.face(face).count
    )
