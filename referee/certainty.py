"""From doubtful readings to a ruling that is certain only if every plausible reading gives it.

A photograph leaves doubts: a card may be one face or another, or no card at all, and may lie a little
elsewhere. Here every plausible table is judged, under slightly tighter and looser limits too. If all
verdicts agree the doubts do not matter; if not, the ruling is *undetermined* and names only the cards
on which it hangs. The deck's counts may exclude a reading (CM-DECK, IF-DECK). That a layout would be
legal never makes a reading likelier.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.decks import Deck, Game
from referee.errors import LayoutError
from referee.games import judge
from referee.layouts import Layout, PlacedCard, id_order
from referee.limits import Limits
from referee.moves import MoveRuling
from referee.options import Options
from referee.rulebook import DoubtReason, NoteKind
from referee.verdicts import (
    BoxesVerdict,
    Doubt,
    Outcome,
    PathsVerdict,
    Point,
    RoutesVerdict,
    Ruling,
    Verdict,
)

MAX_READINGS = 64
"""How many tables are judged at most; more are not told apart, and the ruling is undetermined."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far off the places of cards may be: in card sides and in degrees. Both are 0 for exact layouts."""

    sides: float = 0.03
    degrees: float = 2.0


@dataclass(frozen=True, slots=True)
class Alternative:
    """What a card may be: a face, or None for no card of the deck; its `turn` if not that of the best
    reading.
    """

    face: str | None
    confidence: float
    turn: float | None = None


@dataclass(frozen=True, slots=True)
class CardReading:
    """A card as seen: where it lies with its likeliest face, and all that it may plausibly be.

    `alternatives` includes the likeliest, and may be empty for a sure card. If the likeliest is that
    this is no card (face None), the card is left out of the likeliest table. `corners`: in the photo,
    to point at it.
    """

    card: PlacedCard
    alternatives: tuple[Alternative, ...] = ()
    corners: tuple[Point, ...] | None = None

    @property
    def ranked(self) -> tuple[Alternative, ...]:
        """The alternatives, the likeliest first; equal ones by face, so that the order given is no matter."""
        if not self.alternatives:
            return (Alternative(self.card.face, 1.0),)
        return tuple(sorted(self.alternatives, key=lambda a: (-a.confidence, a.face is None, a.face or "")))


@dataclass(frozen=True, slots=True)
class TableReading:
    """A table as seen. `order` and `table` as in a layout."""

    game: Game
    cards: tuple[CardReading, ...]
    name: str = ""
    order: tuple[str, ...] | None = None
    table: tuple[Point, ...] | None = None


Choice = tuple[Alternative, ...]
"""One alternative for each card of a table."""
MoveJudge = Callable[[Layout, Limits], MoveRuling]
"""Judges the move that led to a table."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """What is ruled of one plausible table, and of the move that led to it if one is judged."""

    ruling: Ruling
    move: MoveRuling | None = None

    @property
    def meaning(self) -> object:
        return meaning_of(self.ruling), None if self.move is None else meaning_of_move(self.move)


def rule_on(
    reading: TableReading,
    deck: Deck,
    options: Options | None = None,
    limits: Limits | None = None,
    tolerance: Tolerance = Tolerance(),
) -> Ruling:
    """Judge a table that was read with doubts.

    The ruling's verdict is that of the likeliest reading that the deck allows. Raises LayoutError as
    `judge` does.
    """
    options, limits = options or Options(), limits or Limits()
    return _rule(reading, deck, limits, tolerance, lambda table, at: _Judged(judge(table, deck, options, at))).ruling


def rule_on_move(
    reading: TableReading,
    deck: Deck,
    judge_move: MoveJudge,
    limits: Limits | None = None,
    tolerance: Tolerance = Tolerance(),
) -> MoveRuling:
    """Judge a table that was read with doubts, and the move that led to it.

    The move is that of the likeliest reading; its `ruling` is undetermined if another plausible reading gives
    another verdict or another move.
    """

    def judged(table: Layout, at: Limits) -> _Judged:
        move = judge_move(table, at)
        return _Judged(move.ruling, move)

    best = _rule(reading, deck, limits or Limits(), tolerance, judged)
    if best.move is None:
        raise AssertionError("a move was judged")
    return dataclasses.replace(best.move, ruling=best.ruling)


def plausible_tables(reading: TableReading, deck: Deck) -> tuple[list[Layout], bool]:
    """The tables that a reading may be and that the deck allows, the likeliest first, and whether these are all."""
    choices, complete = _plausible(reading.cards, deck)
    allowed = [choice for choice in choices if not _over_count(choice, deck)]
    return [_layout(reading, choice) for choice in allowed or choices[:1]], complete


def _rule(
    reading: TableReading,
    deck: Deck,
    limits: Limits,
    tolerance: Tolerance,
    judged: Callable[[Layout, Limits], _Judged],
) -> _Judged:
    cards = tuple(sorted(reading.cards, key=lambda seen: id_order(seen.card.id)))
    reading = dataclasses.replace(reading, cards=cards)
    choices, complete = _plausible(cards, deck)
    allowed = [choice for choice in choices if not _over_count(choice, deck)]
    surplus = () if choices[0] in allowed else _surplus_doubts(cards, choices[0], deck)
    rulings = {choice: judged(_layout(reading, choice), limits) for choice in allowed or choices[:1]}
    best = next(iter(rulings.values()))
    doubts = [
        *best.ruling.doubtful,
        *surplus,
        *_unreviewed(cards, choices[0], deck),
        *_face_doubts(cards, rulings, complete),
        *_close_calls(reading, limits, tolerance, rulings, judged),
    ]
    doubtful = tuple({(doubt.card, doubt.corners): doubt for doubt in reversed(doubts)}.values())[::-1]
    outcome = Outcome.UNDETERMINED if doubtful else best.ruling.outcome
    return _Judged(dataclasses.replace(best.ruling, outcome=outcome, doubtful=doubtful), best.move)


def doubt_what_is_missing(ruling: Ruling, cards: int, frame: tuple[Point, ...]) -> Ruling:
    """A photo in which no card was found, or no Start, was more likely not read than of a table without: the ruling
    is then undetermined.

    cards: how many were found. frame: the corners of the photo, to point at.
    """
    if not cards:
        reason = DoubtReason.NOTHING_FOUND
    elif any(note.kind is NoteKind.NO_START for note in ruling.notes):
        reason = DoubtReason.NO_START
    else:
        return ruling
    doubtful = (Doubt(reason, corners=frame), *ruling.doubtful)
    notes = tuple(note for note in ruling.notes if note.kind is not NoteKind.NO_START)
    return dataclasses.replace(ruling, outcome=Outcome.UNDETERMINED, doubtful=doubtful, notes=notes)


def _layout(reading: TableReading, choice: Choice) -> Layout:
    cards: list[PlacedCard] = []
    for seen, alternative in zip(reading.cards, choice, strict=True):
        if alternative.face is None:
            continue
        turn = seen.card.turn if alternative.turn is None else alternative.turn
        cards.append(seen.card.model_copy(update={"face": alternative.face, "turn": turn}))
    on_table = {card.id for card in cards}
    order = None if reading.order is None else tuple(i for i in reading.order if i in on_table)
    return Layout(name=reading.name, game=reading.game, cards=tuple(cards), order=order, table=reading.table)


def _plausible(cards: Sequence[CardReading], deck: Deck) -> tuple[list[Choice], bool]:
    """The plausible readings of the table, the likeliest first, and whether these are all."""
    ranked = [_distinct(seen, deck) for seen in cards]
    size = math.prod(len(alternatives) for alternatives in ranked)
    if size <= MAX_READINGS:
        return sorted(itertools.product(*ranked), key=_unlikeliness), True
    # Too many: each doubt by itself, and then the likeliest of two at once.
    best = tuple(alternatives[0] for alternatives in ranked)
    single = [best, *_deviations(best, ranked)]
    if len(single) < MAX_READINGS:
        known = set(single)
        double = [c for one in single[1:] for c in _deviations(one, ranked) if c not in known]
        single += sorted(dict.fromkeys(double), key=_unlikeliness)[: MAX_READINGS - len(single)]
    return [best, *sorted(single[1:], key=_unlikeliness)[: MAX_READINGS - 1]], False


def _deviations(choice: Choice, ranked: Sequence[Sequence[Alternative]]) -> Iterator[Choice]:
    for i, alternatives in enumerate(ranked):
        for alternative in alternatives:
            if alternative != choice[i]:
                yield (*choice[:i], alternative, *choice[i + 1 :])


def _unlikeliness(choice: Choice) -> float:
    return -sum(math.log(max(alternative.confidence, 1e-9)) for alternative in choice)


def _distinct(seen: CardReading, deck: Deck) -> list[Alternative]:
    """The alternatives that differ for the rules; of those that do not, the likeliest."""
    kept: dict[object, Alternative] = {}
    for alternative in seen.ranked:
        meaning: object = None
        if alternative.face is not None:
            if alternative.face not in deck:
                raise LayoutError(
                    "unknown-face",
                    f'card "{seen.card.id}": face "{alternative.face}" is not in the deck "{deck.name}".',
                )
            face = deck.face(alternative.face)
            meaning = (alternative.turn, face.model_dump_json(exclude={"id", "image"}))
        kept.setdefault(meaning, alternative)
    return list(kept.values())


def _over_count(choice: Choice, deck: Deck) -> set[str]:
    """The faces that a reading shows more often than the deck holds them."""
    seen = Counter(alternative.face for alternative in choice if alternative.face is not None)
    return {face for face, number in seen.items() if number > deck.face(face).count}


def _surplus_doubts(cards: Sequence[CardReading], choice: Choice, deck: Deck) -> tuple[Doubt, ...]:
    """The cards of faces that the likeliest reading shows too often: one of them must be misread or
    foreign.
    """
    surplus = _over_count(choice, deck)
    return tuple(
        _doubt(seen, DoubtReason.TOO_MANY_OF_FACE)
        for seen, alternative in zip(cards, choice, strict=True)
        if alternative.face in surplus
    )


def _unreviewed(cards: Sequence[CardReading], choice: Choice, deck: Deck) -> tuple[Doubt, ...]:
    """The cards of faces that an enrolment only proposed: a verdict cannot rest on them."""
    return tuple(
        _doubt(seen, DoubtReason.FACE_UNREVIEWED)
        for seen, alternative in zip(cards, choice, strict=True)
        if alternative.face is not None and deck.face(alternative.face).needs_review
    )


def _doubt(seen: CardReading, reason: DoubtReason) -> Doubt:
    best = seen.ranked[0]
    return Doubt(
        reason=reason,
        card=None if best.face is None and seen.corners is not None else seen.card.id,
        alternatives=tuple(dict.fromkeys(a.face for a in seen.ranked if a.face is not None)),
        corners=seen.corners,
    )


def _face_doubts(cards: Sequence[CardReading], rulings: Mapping[Choice, _Judged], complete: bool) -> list[Doubt]:
    """The cards whose alternatives change the verdict when all other cards are left as they are."""
    answers = {choice: judged.meaning for choice, judged in rulings.items()}
    if complete and len(set(answers.values())) == 1:
        return []
    open_cards = [i for i in range(len(cards)) if len({choice[i] for choice in answers}) > 1]
    matters: list[int] = []
    for i in open_cards:
        by_rest: dict[Choice, set[object]] = {}
        for choice, answer in answers.items():
            by_rest.setdefault((*choice[:i], *choice[i + 1 :]), set()).add(answer)
        if any(len(found) > 1 for found in by_rest.values()):
            matters.append(i)
    if matters:
        return [_doubt(cards[i], _why(cards[i])) for i in matters]
    # Either too many readings to judge, or the deck's counts let cards change only together.
    return [_doubt(cards[i], DoubtReason.TOO_MANY_READINGS) for i in open_cards]


def _why(seen: CardReading) -> DoubtReason:
    no_card = any(alternative.face is None for alternative in seen.ranked)
    return DoubtReason.PERHAPS_NO_CARD if no_card else DoubtReason.FACE_UNSURE


def _close_calls(
    reading: TableReading,
    limits: Limits,
    tolerance: Tolerance,
    rulings: Mapping[Choice, _Judged],
    judged: Callable[[Layout, Limits], _Judged],
) -> list[Doubt]:
    """The cards whose verdict changes under slightly tighter or looser limits, in any plausible reading."""
    if not tolerance.sides and not tolerance.degrees:
        return []
    by_id = {seen.card.id: seen for seen in reading.cards}
    close: dict[str, Doubt] = {}
    for sign in (-1, 1):
        varied = limits.loosened(sign * tolerance.sides, sign * tolerance.degrees)
        for choice, ruling in rulings.items():
            other = judged(_layout(reading, choice), varied)
            if other.meaning != ruling.meaning:
                differing = [card for card in _differing(ruling, other) if card in by_id]
                for card_id in differing or by_id:
                    close.setdefault(card_id, _doubt(by_id[card_id], DoubtReason.CLOSE_CALL))
    return [close[card_id] for card_id in sorted(close, key=id_order)]


def meaning_of_move(move: MoveRuling) -> tuple[object, ...]:
    """What is said of a move: equal meanings are the same answer."""
    faults = frozenset((fault.rule, frozenset(fault.cards)) for fault in move.faults)
    changed = frozenset(move.cards), frozenset(move.moved), frozenset(move.removed), frozenset(move.restored)
    return move.legal, faults, changed, move.ring, move.extra_turn


def meaning_of(ruling: Ruling) -> object:
    """What a verdict says, without how it is explained: equal meanings are the same answer."""
    verdict = ruling.verdict
    if isinstance(verdict, RoutesVerdict):
        routes = tuple((r.start, r.valid, r.points, r.finished) for r in verdict.routes)
        return ruling.outcome, routes, verdict.returned
    if isinstance(verdict, PathsVerdict):
        moves = None if verdict.moves is None else tuple(_move_meaning(verdict))
        pairs = frozenset(map(frozenset, verdict.mismatches)), frozenset(map(frozenset, verdict.shifted))
        groups = frozenset(map(frozenset, verdict.groups))
        return ruling.outcome, pairs, verdict.rings, verdict.longest_changes, groups, moves
    return ruling.outcome, verdict


def _move_meaning(verdict: PathsVerdict) -> Iterator[object]:
    for move in verdict.moves or ():
        yield move.card, move.legal, move.ring, bool(move.extra_turn)


def _differing(one: _Judged, other: _Judged) -> list[str]:
    """The cards that two rulings of one table treat differently; of a route only where it first differs."""
    a, b = one.ruling.verdict, other.ruling.verdict
    found: set[str] = set()
    if meaning_of(one.ruling) == meaning_of(other.ruling) and one.move is not None and other.move is not None:
        found.update(card for _, card in _parts(one.move) ^ _parts(other.move))
    elif isinstance(a, RoutesVerdict) and isinstance(b, RoutesVerdict):
        for mine, theirs in zip(a.routes, b.routes, strict=True):
            pairs = itertools.zip_longest(mine.valid, theirs.valid)
            first = next(((m, t) for m, t in pairs if m != t), ())
            found.update(card for card in first if card is not None)
        found.update(_fault_cards(a, b) if not found else ())
    elif isinstance(a, PathsVerdict) and isinstance(b, PathsVerdict):
        found.update(*set(a.mismatches) ^ set(b.mismatches), *set(a.shifted) ^ set(b.shifted))
        if not found:
            found.update(*set(a.groups) ^ set(b.groups))
            changed = {move.card for move in {*(a.moves or ())} ^ {*(b.moves or ())}}
            found = changed & found or found | changed
    elif isinstance(a, BoxesVerdict) and isinstance(b, BoxesVerdict):
        found.update(_fault_cards(a, b))
        if not found:
            found.update(*({box.cards for box in a.boxes} ^ {box.cards for box in b.boxes}))
    return sorted(found, key=id_order) or _all_cards(one.ruling)


def _parts(move: MoveRuling) -> set[tuple[str, str]]:
    """What is said of which card."""
    parts = {(fault.rule.value, card) for fault in move.faults for card in fault.cards}
    for name, cards in (("laid", move.cards), ("moved", move.moved), ("back", move.restored), ("gone", move.removed)):
        parts |= {(name, card) for card in cards}
    if not parts or move.ring or move.extra_turn:
        parts |= {(f"{move.legal} {move.ring} {move.extra_turn}", card) for card in move.cards}
    return parts


def _fault_cards(a: Verdict, b: Verdict) -> set[str]:
    return {card for fault in set(a.faults) ^ set(b.faults) for card in fault.cards}


def _all_cards(ruling: Ruling) -> list[str]:
    """Rather too many cards to look at than none."""
    verdict = ruling.verdict
    if isinstance(verdict, RoutesVerdict):
        return [route.start for route in verdict.routes] or list(verdict.returned)
    if isinstance(verdict, PathsVerdict):
        return [card for group in verdict.groups for card in group]
    if isinstance(verdict, BoxesVerdict):
        return [card for box in verdict.boxes for card in box.cards]
    return []
