"""Sequences: the difference between two looks at one table is the move, and the rules on moves apply to it.

Cards keep their ids from look to look. What a player did is found by comparing places: cards that came into play,
cards that were moved, cards that are gone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.decks import CatFace, Deck, Game, PrincessFace
from referee.games import cat_and_mouse, judge
from referee.games.box_table import BoxTable
from referee.games.coloured_paths import judge_move as judge_laid_path
from referee.games.geometry import turn_between
from referee.games.path_table import PathTable, find_meetings
from referee.layouts import Layout, PlacedCard, id_order
from referee.limits import Limits
from referee.options import Options
from referee.rulebook import NoteKind, Violation
from referee.verdicts import ExtraTurn, Fault, Ids, Move, PathsVerdict, RoutesVerdict, Ruling

MOVED_BY = 0.2
"""A card whose centre is this many sides away from where it was has been moved."""
TURNED_BY = 20.0
"""A card turned by this many degrees since the last look has been moved."""
MOST_ORDERS = 4
"""Up to so many cards laid between two looks, every order of laying is tried."""
ILLEGAL_TOGETHER = frozenset({Violation.TOO_MANY_CARDS, Violation.TWO_FINISHES})
"""Faults for which every card named is laid against the rules, not only the first."""


@dataclass(frozen=True, slots=True)
class MoveRuling:
    """What was done between two looks, and whether the rules allow it.

    `cards` came into play, `moved` lie elsewhere than before, `removed` are gone, `restored` were moved against the
    rules earlier and lie again where they belong. `ring` and `extra_turn` are of
    Multicoloured Paths only. `ruling` is of the table after the move, with what is known from before.
    """

    cards: Ids
    legal: bool
    faults: tuple[Fault, ...]
    ruling: Ruling
    moved: Ids = ()
    removed: Ids = ()
    restored: Ids = ()
    ring: bool | None = None
    extra_turn: tuple[ExtraTurn, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The contract's form of `move`."""
        move: dict[str, Any] = {
            "cards": list(self.cards),
            "legal": self.legal,
            "faults": [fault.to_dict() for fault in self.faults],
            "moved": list(self.moved),
            "removed": list(self.removed),
        }
        if self.restored:
            move["restored"] = list(self.restored)
        if self.ring is not None:
            move["ring"] = self.ring
        if self.extra_turn is not None:
            move["extra_turn"] = [reason.value for reason in self.extra_turn]
        return move


@dataclass(frozen=True, slots=True)
class Standing:
    """What counts of a table when the next move is judged.

    `table` is the last look and `ruling` what was ruled of it. `refused`: cards that lie there against the rules and
    count as taken back. `rightful`: where cards belong that were moved or taken away against the rules.
    """

    table: Layout
    ruling: Ruling
    refused: frozenset[str] = frozenset()
    rightful: Mapping[str, PlacedCard] = field(default_factory=dict)

    def after(self, move: MoveRuling, look: Layout) -> Standing:
        """How things stand after a move that led to `look`."""
        refused = self.refused - {*move.removed, *move.cards, *move.moved}
        rightful = {card: place for card, place in self.rightful.items() if card not in move.restored}
        for fault in move.faults:
            if fault.rule is Violation.CARDS_MOVED:
                for card in fault.cards:
                    if card in self.table.by_id:
                        rightful.setdefault(card, self.table.by_id[card])
            else:
                refused |= {*(fault.cards if fault.rule in ILLEGAL_TOGETHER else fault.cards[:1])}
        return Standing(look, move.ruling, frozenset(refused & look.by_id.keys()), rightful)


def judge_sequence(
    looks: Iterable[Layout], deck: Deck, options: Options | None = None, limits: Limits | None = None
) -> Iterator[tuple[Ruling, MoveRuling | None]]:
    """Judge each look at a table; from the second on, with the move that led to it.

    A card laid against the rules is taken as removed until a later look shows it elsewhere.
    Raises LayoutError as `judge` does.
    """
    standing: Standing | None = None
    for look in looks:
        if standing is None:
            standing = Standing(look, judge(look, deck, options, limits))
            yield standing.ruling, None
        else:
            move = judge_next(standing, look, deck, options, limits)
            standing = standing.after(move, look)
            yield move.ruling, move


def judge_move(
    before: Layout, after: Layout, deck: Deck, options: Options | None = None, limits: Limits | None = None
) -> MoveRuling:
    """Judge what was done between two looks at a table on which all lay by right."""
    return judge_next(Standing(before, judge(before, deck, options, limits)), after, deck, options, limits)


def judge_next(
    standing: Standing,
    after: Layout,
    deck: Deck,
    options: Options | None = None,
    limits: Limits | None = None,
    turns: int = 1,
    moved_by: float = MOVED_BY,
) -> MoveRuling:
    """Judge what was done since a look.

    `turns`: how many turns may have been played since (more than 1 when photographs between were of no use).
    `moved_by`: see MOVED_BY; a caller who wants to know how near a call is tries several.
    """
    options, limits = options or Options(), limits or Limits()
    changes = _changes(standing.table, after, deck, moved_by)
    if deck.game is Game.CAT_AND_MOUSE:
        return _judge_routes(standing, after, changes, deck, options, limits)
    ruling = judge(after, deck, options, limits)
    if deck.game is Game.COLOURED_PATHS:
        return _judge_paths(standing, after, changes, deck, limits, ruling)
    return _judge_boxes(standing, after, changes, deck, limits, ruling, turns, moved_by)


@dataclass(frozen=True, slots=True)
class _Changes:
    """The ids that are new, that lie otherwise than before, and that are gone."""

    added: list[str]
    moved: list[str]
    gone: list[str]


def _changes(before: Layout, after: Layout, deck: Deck, moved_by: float) -> _Changes:
    reach = moved_by * min(deck.card_mm)
    old, new = before.by_id, after.by_id
    return _Changes(
        added=sorted(new.keys() - old.keys(), key=id_order),
        moved=[i for i in sorted(old.keys() & new.keys(), key=id_order) if _is_moved(old[i], new[i], reach)],
        gone=sorted(old.keys() - new.keys(), key=id_order),
    )


def _is_moved(old: PlacedCard, new: PlacedCard, reach: float) -> bool:
    far = math.hypot(old.x - new.x, old.y - new.y) > reach
    return far or turn_between(old.turn, new.turn) > TURNED_BY or old.face != new.face


def _judge_routes(
    standing: Standing, after: Layout, changes: _Changes, deck: Deck, options: Options, limits: Limits
) -> MoveRuling:
    """Cat and Mouse: routes only grow at their ends; once a Finish lies there, nothing may be added."""
    before, moved = standing.table, changes.moved
    unsteady = {*moved, *changes.gone}
    laid: dict[str, str] = {}
    if isinstance(standing.ruling.verdict, RoutesVerdict):
        for route in standing.ruling.verdict.routes:
            for card, following in itertools.pairwise((route.start, *route.valid)):
                if not {card, following} & unsteady:
                    laid[card] = following
    ruling = cat_and_mouse.judge(after, deck, options, limits, laid)
    heap, heap_before = _heap(ruling), _heap(standing.ruling)
    # A card that was refused and now lies elsewhere has been laid anew; what lies on the heap was not laid.
    relaid = [card for card in moved if card in standing.refused or card in heap_before]
    new = [card for card in sorted([*changes.added, *relaid], key=id_order) if card not in heap]
    changed = {*new, *moved}
    faults = [f for f in ruling.faults if f.rule is not Violation.TWO_FINISHES and f.cards[0] in changed]
    finishes = [c.id for c in before.cards if deck.face(c.face).kind == "finish" and c.id not in unsteady]
    finishes = [card for card in finishes if card not in standing.refused and card not in heap_before]
    if finishes:
        known = {fault.cards[0] for fault in faults}
        first = min(finishes, key=id_order)
        starts = {c.id for c in after.cards if deck.face(c.face).kind == "start"}
        faults += [Fault(Violation.AFTER_FINISH, (card, first)) for card in new if card not in known | starts]
    return MoveRuling(
        tuple(new),
        not faults,
        tuple(faults),
        ruling,
        moved=tuple(card for card in moved if card not in relaid and card not in heap),
        removed=tuple(card for card in changes.gone if card not in heap_before),
    )


def _heap(ruling: Ruling) -> set[str]:
    return {card for note in ruling.notes if note.kind is NoteKind.HEAP for card in note.cards}


def _judge_paths(
    standing: Standing, after: Layout, changes: _Changes, deck: Deck, limits: Limits, ruling: Ruling
) -> MoveRuling:
    """Multicoloured Paths: each new card is judged against the cards that lay there by right.

    Cards of the layout that were moved are judged where they lie now, but earn nothing.
    """
    verdict, refused = standing.ruling.verdict, standing.refused
    in_layout = set(_largest(verdict.groups)) if isinstance(verdict, PathsVerdict) else set()
    # A card that lay apart (in a hand), or was refused, and now lies elsewhere has been laid.
    relaid = [card for card in changes.moved if card not in in_layout or card in refused]
    shoved = [card for card in changes.moved if card not in relaid]
    new = sorted([*changes.added, *relaid], key=id_order)
    base = sorted((c for c in after.cards if c.id not in {*new, *shoved, *refused}), key=lambda c: id_order(c.id))
    shifts = [m for m in _best_order(base, [after.by_id[card] for card in shoved], deck, limits) if not _is_apart(m)]
    base += [after.by_id[move.card] for move in shifts if move.legal]
    moves = _best_order(base, [after.by_id[card] for card in new], deck, limits)
    # A card of a hand that was only pushed aside is no move; if something was laid on, what lies apart was drawn.
    moves = [move for move in moves if not (_is_apart(move) and move.card in relaid and move.card not in refused)]
    if any(not _is_apart(move) for move in moves):
        moves = [move for move in moves if not _is_apart(move)]
    faults = tuple(fault for move in (*shifts, *moves) for fault in move.faults)
    reasons = {reason for move in moves for reason in move.extra_turn}
    return MoveRuling(
        cards=tuple(move.card for move in moves),
        legal=not faults,
        faults=faults,
        ruling=ruling,
        moved=tuple(shoved),
        removed=tuple(changes.gone),
        ring=any(move.ring for move in moves),
        extra_turn=tuple(reason for reason in ExtraTurn if reason in reasons),
    )


def _is_apart(move: Move) -> bool:
    return [fault.rule for fault in move.faults] == [Violation.APART]


def _largest(groups: Sequence[Ids]) -> Ids:
    return max(groups, key=len, default=())


def _best_order(base: Sequence[PlacedCard], new: Sequence[PlacedCard], deck: Deck, limits: Limits) -> list[Move]:
    """The moves in the order of laying that makes most of them right."""
    orders = itertools.permutations(new) if len(new) <= MOST_ORDERS else iter([tuple(new)])
    best: list[Move] = []
    for order in orders:
        cards = [*base, *order]
        meetings = find_meetings(cards, deck, limits.coloured_paths)
        table = PathTable(cards, deck)
        on_table = set(range(len(base)))
        table.join(meeting for meeting in meetings if {meeting.a, meeting.b} <= on_table)
        moves: list[Move] = []
        for i in range(len(base), len(cards)):
            met = [m for m in meetings if m.b == i and m.a in on_table]
            move = judge_laid_path(cards, table, i, met, first=not on_table)
            if move.legal:
                on_table.add(i)
            moves.append(move)
        if not best or sum(m.legal for m in moves) > sum(m.legal for m in best):
            best = moves
    return best


def _judge_boxes(
    standing: Standing,
    after: Layout,
    changes: _Changes,
    deck: Deck,
    limits: Limits,
    ruling: Ruling,
    turns: int,
    moved_by: float,
) -> MoveRuling:
    """If It Fits: one turn's cards, the cat on the new card and in a box it may enter, nothing moved."""
    was, now = (_Play(layout, deck, limits) for layout in (standing.table, after))
    reach = moved_by * min(deck.card_mm)
    restored = {
        card
        for card, place in standing.rightful.items()
        if card in after.by_id and not _is_moved(place, after.by_id[card], reach)
    }
    changed = [card for card in changes.moved if card not in restored]
    # A card that was refused and now lies elsewhere has been laid anew.
    relaid = {card for card in changed if card in standing.refused}
    # What was laid so that it is no part of the layout, but lies wrong, was laid all the same.
    wrong = {card for fault in ruling.faults for card in fault.cards}
    astray = ((set(changes.added) | relaid) & wrong) - now.in_play
    played = sorted((now.in_play | astray) - (was.in_play - set(changed)) - restored, key=id_order)
    fresh = [card for card in played if card not in was.in_play or card in relaid]
    moved = [card for card in changed if card in was.in_play and card not in relaid]
    removed = sorted(was.in_play - after.by_id.keys(), key=id_order)
    faults = [_new_first(fault, fresh) for fault in ruling.faults if set(fault.cards) & set(played)]
    replaced: set[str] = set()
    for card in (c for c in fresh if c in now.awake):
        if isinstance(deck.face(after.by_id[card].face), PrincessFace):
            victim = was.cat_at(after.by_id[card], among=[*removed, *(set(moved) - now.in_play)])
            replaced.update(victim)
            if not victim:
                faults.append(Fault(Violation.PRINCESS_NOT_ON_CAT, (card,)))
        else:
            faults += now.cat_faults(card, fresh)
    apart = [c for c in changes.added if c in now.boxes - now.in_play - astray - restored]
    if apart and not fresh and was.boxes:
        faults += [Fault(Violation.BOX_NOT_JOINED, (card,)) for card in apart]
        fresh = apart
    if now.is_too_much([card for card in fresh if card not in relaid], turns):
        faults.append(Fault(Violation.TOO_MANY_CARDS, tuple(fresh)))
    # What was laid against the rules is taken away by right.
    disturbed = [card for card in (*moved, *removed) if card not in replaced and card not in standing.refused]
    if disturbed:
        faults.append(Fault(Violation.CARDS_MOVED, tuple(disturbed)))
    return MoveRuling(
        tuple(fresh),
        not faults,
        tuple(faults),
        ruling,
        moved=tuple(moved),
        removed=tuple(removed),
        restored=tuple(sorted(restored, key=id_order)),
    )


def _new_first(fault: Fault, fresh: Collection[str]) -> Fault:
    """The fault with the cards just laid named first: it is they that were laid against the rules."""
    return Fault(fault.rule, tuple(sorted(fault.cards, key=lambda card: card not in fresh)))


class _Play:
    """If It Fits: which cards of a look are in play, as against hands and supplies."""

    def __init__(self, layout: Layout, deck: Deck, limits: Limits) -> None:
        cards = tuple(sorted(layout.cards, key=lambda card: id_order(card.id)))
        self._deck = deck
        self._table = table = BoxTable(cards, deck, limits.if_it_fits)
        self._ids = [card.id for card in cards]
        self._index = {card.id: i for i, card in enumerate(cards)}
        self.boxes = {self._ids[i] for i in table.boxes}
        self.awake = {self._ids[i] for i in table.awake}
        boxes = set(table.boxes)
        layout_boxes = {i for cluster in table.clusters if len(cluster) > 1 or len(boxes) == 1 for i in cluster}
        touching = {
            cat
            for cat in table.awake
            if any(b in boxes and table.overlap(cat, b) > limits.if_it_fits.touch for b in table.near[cat])
        }
        self.in_play: set[str] = {self._ids[i] for i in {*layout_boxes, *touching, *table.laid_asleep}}

    def cat_at(self, place: PlacedCard, among: Iterable[str]) -> set[str]:
        """The awake cat that lay where another card lies now: an empty set if there was none."""
        width = self._deck.card_mm[0]
        for card_id in among:
            card = self._table.cards[self._index[card_id]]
            here = math.hypot(card.x - place.x, card.y - place.y) <= width / 2
            if card_id in self.awake and here and isinstance(self._deck.face(card.face), CatFace):
                return {card_id}
        return set()

    def cat_faults(self, cat_id: str, fresh: Collection[str]) -> list[Fault]:
        """IF-CAT and IF-CAT-BOX for a cat just laid; where it lies at all is judged by the static rules."""
        table = self._table
        joint = table.joint_under(self._index[cat_id])
        if joint is None or joint.walled:
            return []
        faults: list[Fault] = []
        if not {self._ids[joint.a], self._ids[joint.b]} & set(fresh):
            faults.append(Fault(Violation.CAT_NOT_ON_NEW_BOX, (cat_id,)))
        box = set(next(group for group in table.box_groups if joint.a in group))
        owner = self._owner(self._index[cat_id])
        owners = {
            self._owner(cat)
            for cat in table.awake
            if cat != self._index[cat_id] and (under := table.joint_under(cat)) and under.a in box and not under.walled
        } - {None}
        if owners and owner not in owners:
            faults.append(Fault(Violation.CAT_IN_FOREIGN_BOX, (cat_id,)))
        return faults

    def _owner(self, cat: int) -> str | None:
        face = self._deck.face(self._table.cards[cat].face)
        return face.player if isinstance(face, CatFace) else None

    def is_too_much(self, fresh: Iterable[str], turns: int) -> bool:
        """IF-TURN: one box card and perhaps one cat, or one sleeping cat, a turn.

        Start boxes are laid before the game.
        """
        indices = [self._index[card_id] for card_id in fresh]
        boxes = sum(i in self._table.boxes and self._table.box_face(i).kind != "start" for i in indices)
        awake = sum(i in self._table.awake for i in indices)
        asleep = sum(i in self._table.asleep for i in indices)
        return boxes + asleep > turns or awake > turns or (awake > 0 and awake + asleep > turns)
