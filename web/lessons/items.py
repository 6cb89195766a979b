"""A table with a question, and the answer that the referee gives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from referee.decks import Deck, Game
from referee.games import judge
from referee.layouts import Layout
from referee.match.coloured_paths import dealt_rightly, hands_before_play
from referee.match.problems import Problem
from referee.moves import MoveRuling, judge_move
from referee.numbering import Numbering
from referee.rulebook import NoteKind, RuleId
from referee.validation import Name, Value
from referee.verdicts import BoxesVerdict, Fault, PathsVerdict, Ruling
from web.lessons.places import Slot, places
from web.matches.records import replayed
from web.options import options_of
from web.requests import whole
from web.tables.judging import JudgedTable
from web.tables.reading import Corners
from web.tables.state import MOST_CARDS, middle
from web.tables.view import ALL_AT_FAULT


class Question(StrEnum):
    """What a class is asked; `web.texts` has the words."""

    FIRST_WRONG = "first-wrong"
    WHERE_NEXT = "where-next"
    IS_RIGHT = "is-right"
    POINTS = "points"
    CHANGES = "changes"
    CLOSED = "closed"
    EXTRA_TURN = "extra-turn"
    RING = "ring"
    DEALT = "dealt"


_SIDE = Field(ge=1, le=100_000)
NUMBERS = frozenset({Question.POINTS, Question.CHANGES, Question.CLOSED})
"""Questions that are answered by a number."""
NONE = "none"
YES, NO = "yes", "no"
IMPOSSIBLE = frozenset(
    {NoteKind.TOO_MANY_OF_FACE, NoteKind.TOO_MANY_PATH_CARDS, NoteKind.TOO_MANY_BOX_CARDS, NoteKind.TOO_MANY_CATS}
)
"""Notes of tables that no deck can give."""
SUITS: Mapping[Game, tuple[Question, ...]] = {
    Game.CAT_AND_MOUSE: (Question.FIRST_WRONG, Question.WHERE_NEXT, Question.POINTS, Question.IS_RIGHT),
    Game.COLOURED_PATHS: (
        Question.FIRST_WRONG,
        Question.WHERE_NEXT,
        Question.IS_RIGHT,
        Question.CHANGES,
        Question.EXTRA_TURN,
        Question.RING,
        Question.DEALT,
    ),
    Game.IF_IT_FITS: (
        Question.FIRST_WRONG,
        Question.WHERE_NEXT,
        Question.IS_RIGHT,
        Question.POINTS,
        Question.CLOSED,
    ),
}
PLAYERS = {Game.CAT_AND_MOUSE: ("A", "B"), Game.COLOURED_PATHS: ("A", "B"), Game.IF_IT_FITS: ("red", "blue")}
"""Who plays in the stories."""


class ItemPhoto(Value):
    """The photograph that a table was read from, kept with its lesson (`web.lessons.photos`).

    One of: id, of a photograph that is kept; image, a data URL, as files carry it; table, whose photograph is taken
    over. outlines: of the cards in it, px, by their ids.
    """

    id: Name | None = None
    image: Annotated[str, Field(max_length=6_000_000, pattern=r"^data:image/\w+;base64,")] | None = None
    table: Name | None = None
    width: Annotated[int, whole(_SIDE), _SIDE] | None = None
    height: Annotated[int, whole(_SIDE), _SIDE] | None = None
    outlines: Annotated[dict[Name, Corners], Field(max_length=MOST_CARDS)] = Field(default_factory=dict)


class Item(Value):
    """A table (`layout`) and a question about it.

    before: the table before the move that led to `layout`. events: a story of a match instead of a table. rule and
    keeps: which rule it shows, and whether it is kept. note: the teacher's own words. deck: its key; else built-in.
    """

    game: Game
    question: Question
    deck: Name | None = None
    layout: Layout | None = None
    before: Layout | None = None
    events: Annotated[tuple[dict[str, Any], ...], Field(max_length=40)] = ()
    options: dict[Name, str | bool] = Field(default_factory=dict)
    rule: RuleId | None = None
    keeps: bool | None = None
    note: Annotated[str, Field(max_length=500)] = ""
    photo: ItemPhoto | None = None
    next: Name | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """An item with all that the referee says of it. answers: every answer that is right. tried: the face that is to be
    laid next, if it is a certain one. hands: how many cards lie before each player, if that is asked."""

    item: Item
    deck: Deck
    answers: tuple[str, ...]
    judged: JudgedTable | None = None
    move: MoveRuling | None = None
    problems: tuple[Problem, ...] = ()
    slots: tuple[Slot, ...] = ()
    new: tuple[str, ...] = ()
    tried: str | None = None
    hands: tuple[int, ...] | None = None


def answered(item: Item, deck: Deck) -> Answered:
    """Ask the referee. Raises LayoutError if the table does not suit the deck, ApiError for a strange house rule."""
    options = options_of(item.game, item.options)
    if item.layout is None:
        state = replayed(item.game, PLAYERS[item.game], deck, options, None, item.events)
        return Answered(item, deck, (NO if state.problems else YES,), problems=state.problems)
    layout = item.layout
    ruling = judge(layout, deck, options)
    move = None if item.before is None else judge_move(item.before, layout, deck, options)
    outlines = {} if item.photo is None else item.photo.outlines
    numbering = Numbering(neutral_names(layout, outlines), {})
    judged = JudgedTable(deck, layout, ruling, numbering, frozenset(), outlines=outlines)
    tried = slots = None
    if item.question is Question.WHERE_NEXT:
        tried, slots = places(layout, item.before, deck, options, item.next)
    new = () if item.before is None else tuple(layout.by_id.keys() - item.before.by_id.keys())
    if item.question is Question.DEALT:
        hands = hands_before_play(layout, deck.card_mm[0])
        return Answered(item, deck, (YES if dealt_rightly(hands) else NO,), judged, hands=hands)
    answers = _answers(item.question, ruling, move, slots or ())
    return Answered(item, deck, answers, judged, move, slots=slots or (), new=tuple(sorted(new)), tried=tried)


def neutral_names(layout: Layout, outlines: Mapping[str, Corners]) -> dict[str, str]:
    """Cards numbered as one reads them in the picture, so that their names give nothing away."""
    seen = {card.id: middle(outlines[card.id]) for card in layout.cards if card.id in outlines}
    row = 30.0
    if len(seen) == len(layout.cards):
        sides = sorted(math.dist(outlines[card][0], outlines[card][1]) for card in seen)
        row = max(1.0, 0.5 * sides[len(sides) // 2]) if sides else row
    else:
        seen = {card.id: (card.x, card.y) for card in layout.cards}
    rows = sorted(seen.items(), key=lambda entry: (round(entry[1][1] / row), entry[1][0], entry[0]))
    return {card: str(number) for number, (card, _) in enumerate(rows, 1)}


def _answers(question: Question, ruling: Ruling, move: MoveRuling | None, slots: tuple[Slot, ...]) -> tuple[str, ...]:
    verdict = ruling.verdict
    if question is Question.WHERE_NEXT:
        return tuple(slot.name for slot in slots if slot.is_right) or (NONE,)
    if question is Question.FIRST_WRONG:
        faults = ruling.faults if move is None else move.faults or ruling.faults
        return _to_blame(faults[0]) if faults else (NONE,)
    if question is Question.POINTS:
        return (str(sum(line.points for line in ruling.scores)),)
    if question is Question.CHANGES and isinstance(verdict, PathsVerdict):
        return (str(verdict.longest_changes),)
    if question is Question.CLOSED and isinstance(verdict, BoxesVerdict):
        return (str(sum(box.closed for box in verdict.boxes)),)
    if question is Question.EXTRA_TURN:
        return (YES if move is not None and move.extra_turn else NO,)
    if question is Question.RING:
        rings = bool(move.ring) if move is not None else isinstance(verdict, PathsVerdict) and verdict.rings > 0
        return (YES if rings else NO,)
    impossible = any(note.kind in IMPOSSIBLE for note in ruling.notes)
    right = not ruling.faults and not impossible and (move is None or move.legal)
    return (YES if right else NO,)


def _to_blame(fault: Fault) -> tuple[str, ...]:
    return fault.cards if fault.rule in ALL_AT_FAULT or fault.rule.value == "too-many-cards" else fault.cards[:1]
