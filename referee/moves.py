"""Sequences: the difference between two looks at one table is the move, and the rules on moves apply to it.

Cards keep their ids from look to look. What a player did is found by comparing places: cards that came into play,
cards that were moved, cards that are gone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
from referee.rulebook import Violation
from referee.verdicts import ExtraTurn, Fault, Ids, Move, PathsVerdict, RoutesVerdict, Ruling

MOVED_BY = 0.2
"""A card whose centre is this many sides away from where it was has been moved."""
TURNED_BY = 20.0
"""A card turned by this many degrees since the last look has been moved."""
MOST_ORDERS = 4
"""Up to so many cards laid between two looks, every order of laying is tried."""


@dataclass(frozen=True, slots=True)
class MoveRuling:
    """What was done between two looks, and whether the rules allow it.

    `cards` came into play, `moved` lie elsewhere than before, `removed` are gone. `ring` and `extra_turn` are of
    Multicoloured Paths only. `ruling` is of the table after the move, with what is known from before.
    """

    cards: Ids
    legal: bool
    faults: tuple[Fault, ...]
    ruling: Ruling
    moved: Ids = ()
    removed: Ids = ()
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
        if self.ring is not None:
            move["ring"] = self.ring
        if self.extra_turn is not None:
            move["extra_turn"] = [reason.value for reason in self.extra_turn]
        return move


def judge_sequence(
    looks: Iterable[Layout], deck: Deck, options: Options | None = None, limits: Limits | None = None
) -> Iterator[tuple[Ruling, MoveRuling | None]]:
    """Judge each look at a table; from the second on, with the move that led to it.

    A card laid against the rules is taken as removed until a later look shows it elsewhere.
    Raises LayoutError as `judge` does.
    """
    before: Layout | None = None
    refused: set[str] = set()
    ruling: Ruling | None = None
    for after in looks:
        if before is None or ruling is None:
            ruling = judge(after, deck, options, limits)
            yield ruling, None
        else:
            move = judge_move(before, after, deck, options, limits, refused, ruling)
            refused -= set(move.removed) | set(move.cards)
            refused |= set() if move.legal else {card for fault in move.faults for card in fault.cards[:1]}
            ruling = move.ruling
            yield ruling, move
        before = after


def judge_move(
    before: Layout,
    after: Layout,
    deck: Deck,
    options: Options | None = None,
    limits: Limits | None = None,
    refused: Collection[str] = (),
    ruling_before: Ruling | None = None,
) -> MoveRuling:
    """Judge what was done between two looks.

    `refused`: cards on the table that were laid against the rules before and count as taken back.
    `ruling_before`: what was ruled of the look before, if it was judged with still earlier knowledge.
    """
    options, limits = options or Options(), limits or Limits()
    if ruling_before is None:
        ruling_before = judge(before, deck, options, limits)
    if deck.game is Game.CAT_AND_MOUSE:
        return _judge_routes(before, after, deck, options, limits, ruling_before)
    ruling = judge(after, deck, options, limits)
    if deck.game is Game.COLOURED_PATHS:
        return _judge_paths(before, after, deck, limits, refused, ruling_before, ruling)
    return _judge_boxes(before, after, deck, limits, ruling)


def _changes(before: Layout, after: Layout, deck: Deck) -> tuple[list[str], list[str], list[str]]:
    """The ids that are new, that lie otherwise than before, and that are gone."""
    side = min(deck.card_mm)
    old, new = before.by_id, after.by_id
    added = sorted(new.keys() - old.keys(), key=id_order)
    gone = sorted(old.keys() - new.keys(), key=id_order)
    moved = [i for i in sorted(old.keys() & new.keys(), key=id_order) if _is_moved(old[i], new[i], side)]
    return added, moved, gone


def _is_moved(old: PlacedCard, new: PlacedCard, side: float) -> bool:
    far = math.hypot(old.x - new.x, old.y - new.y) > MOVED_BY * side
    return far or turn_between(old.turn, new.turn) > TURNED_BY or old.face != new.face


def _judge_routes(
    before: Layout, after: Layout, deck: Deck, options: Options, limits: Limits, ruling_before: Ruling
) -> MoveRuling:
    """Cat and Mouse: routes only grow at their ends; once a Finish lies there, nothing may be added."""
    added, moved, gone = _changes(before, after, deck)
    changed = {*added, *moved}
    laid: dict[str, str] = {}
    if isinstance(ruling_before.verdict, RoutesVerdict):
        for route in ruling_before.verdict.routes:
            for card, following in itertools.pairwise((route.start, *route.valid)):
                if not {card, following} & {*moved, *gone}:
                    laid[card] = following
    ruling = cat_and_mouse.judge(after, deck, options, limits, laid)
    faults = [f for f in ruling.faults if f.rule is not Violation.TWO_FINISHES and f.cards[0] in changed]
    finishes = [c.id for c in before.cards if deck.face(c.face).kind == "finish" and c.id not in {*moved, *gone}]
    if finishes:
        known = {fault.cards[0] for fault in faults}
        first = min(finishes, key=id_order)
        starts = {c.id for c in after.cards if deck.face(c.face).kind == "start"}
        faults += [Fault(Violation.AFTER_FINISH, (card, first)) for card in added if card not in known | starts]
    return MoveRuling(tuple(added), not faults, tuple(faults), ruling, tuple(moved), tuple(gone))


def _judge_paths(
    before: Layout,
    after: Layout,
    deck: Deck,
    limits: Limits,
    refused: Collection[str],
    ruling_before: Ruling,
    ruling: Ruling,
) -> MoveRuling:
    """Multicoloured Paths: each new card is judged against the cards that lay there by right."""
    added, moved, gone = _changes(before, after, deck)
    verdict = ruling_before.verdict
    in_layout = set(_largest(verdict.groups)) if isinstance(verdict, PathsVerdict) else set()
    # A card that lay apart (in a hand), or was refused, and now lies elsewhere has been laid.
    laid = [card for card in moved if card not in in_layout or card in refused]
    new = sorted([*added, *laid], key=id_order)
    base = [c for c in after.cards if c.id not in new and c.id not in refused]
    cards = sorted(base, key=lambda card: id_order(card.id))
    moves = _best_order(cards, [after.by_id[card] for card in new], deck, limits)
    apart = {m.card for m in moves if [f.rule for f in m.faults] == [Violation.APART]}
    if len(apart) < len(moves):  # something was laid on; what lies apart was drawn into a hand
        moves = [move for move in moves if move.card not in apart]
    faults = tuple(fault for move in moves for fault in move.faults)
    reasons = {reason for move in moves for reason in move.extra_turn}
    return MoveRuling(
        cards=tuple(move.card for move in moves),
        legal=not faults,
        faults=faults,
        ruling=ruling,
        moved=tuple(card for card in moved if card not in laid),
        removed=tuple(gone),
        ring=any(move.ring for move in moves),
        extra_turn=tuple(reason for reason in ExtraTurn if reason in reasons),
    )


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


def _judge_boxes(before: Layout, after: Layout, deck: Deck, limits: Limits, ruling: Ruling) -> MoveRuling:
    """If It Fits: one turn's cards, the cat on the new card and in a box it may enter, nothing moved."""
    added, changed, _ = _changes(before, after, deck)
    was, now = (_Play(layout, deck, limits) for layout in (before, after))
    played = sorted(now.in_play - (was.in_play - set(changed)), key=id_order)
    fresh = [card for card in played if card not in was.in_play]
    moved = [card for card in changed if card in was.in_play and card in now.in_play]
    removed = sorted(was.in_play - now.in_play, key=id_order)
    faults = [fault for fault in ruling.faults if set(fault.cards) & set(played)]
    replaced: set[str] = set()
    for card in (c for c in fresh if c in now.awake):
        if isinstance(deck.face(after.by_id[card].face), PrincessFace):
            victim = was.cat_at(after.by_id[card], among=removed)
            replaced.update(victim)
            if not victim:
                faults.append(Fault(Violation.PRINCESS_NOT_ON_CAT, (card,)))
        else:
            faults += now.cat_faults(card, fresh)
    apart = [c for c in added if c in now.boxes and c not in now.in_play]
    if apart and not fresh and was.boxes:
        faults += [Fault(Violation.BOX_NOT_JOINED, (card,)) for card in apart]
        fresh = apart
    if now.is_too_much(fresh):
        faults.append(Fault(Violation.TOO_MANY_CARDS, tuple(fresh)))
    disturbed = [card for card in (*moved, *removed) if card not in replaced]
    if disturbed:
        faults.append(Fault(Violation.CARDS_MOVED, tuple(disturbed)))
    return MoveRuling(tuple(fresh), not faults, tuple(faults), ruling, tuple(moved), tuple(removed))


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
        self.in_play = {self._ids[i] for i in {*layout_boxes, *touching, *table.laid_asleep}}

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

    def is_too_much(self, fresh: Iterable[str]) -> bool:
        """IF-TURN: one box card and perhaps one cat, or one sleeping cat. Start boxes are laid before the game."""
        indices = [self._index[card_id] for card_id in fresh]
        boxes = sum(i in self._table.boxes and self._table.box_face(i).kind != "start" for i in indices)
        awake = sum(i in self._table.awake for i in indices)
        asleep = sum(i in self._table.asleep for i in indices)
        return boxes > 1 or awake > 1 or asleep > 1 or (asleep > 0 and boxes + awake > 0)
