"""Photographs of one table, each taken after a move: cards keep their ids, and each move is judged.

Each photograph is read by itself first. Then its cards are followed from the earlier ones on the table plane
(`referee.vision.track`), and what was readable earlier helps, never what would be legal:

- a card in its place that cannot be read surely now, but was read surely before and may still be that, is that card;
- a card that now lies under others (a cat on two boxes) stays known;
- a card that is not seen is looked for where it lay: only where the picture clearly shows no such card is it gone;
  under a hand, or beyond the picture's edge, it is a doubt.

The move is the difference from the photograph before. If the table was not certain there, every table that it may have
shown is tried, but only those which fit this photograph with the fewest cards moved or taken away (that the table lies
still is assumed, that it is legal never). If they do not all give the same move, the move since the last certain
photograph is judged instead, with as many turns as may have been played; if that is not certain either, the move is
undetermined. `since` and `turns` say what was compared. After an unusable photograph two turns may have been played.
Where the cards cannot be followed at all, the move is undetermined and the comparison begins anew from that
photograph, unless a later one fits the earlier ones again. An answer once given is never changed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.certainty import (
    CardReading,
    TableReading,
    Tolerance,
    doubt_what_is_missing,
    meaning_of_move,
    plausible_tables,
    rule_on,
    rule_on_move,
)
from referee.decks import Deck
from referee.errors import InputError
from referee.followed import (
    Sight,
    carried,
    close_call,
    doubted,
    faces_of,
    ids_of,
    is_suspect,
    layout_of,
    least_disturbed,
    likely_cards,
    perhaps_there,
    placed_at,
    pose_of,
    renamed,
    suspect_at,
    suspects_of,
    trackable,
    under_new_names,
    with_another,
)
from referee.games import judge
from referee.layouts import Layout, id_order
from referee.limits import Limits
from referee.moves import MOVED_BY, MoveRuling, Standing, judge_next
from referee.options import Options
from referee.pipeline import CheckedPhoto, check_file, frame_of
from referee.remembered import STEADY_IF_REFUSED, Before, Chapter, Known
from referee.rulebook import DoubtReason
from referee.verdicts import Doubt, Ids, Outcome, Ruling
from referee.vision.align import Doubles
from referee.vision.quality import cut_off
from referee.vision.revisit import HIDDEN
from referee.vision.seen_table import COVERED
from referee.vision.track import IN_PLACE, Cards, Correspondence, Lost, Registration, follow, register

STILL_PLAUSIBLE = 0.3
"""Confidence that the known face must still have for an unsure reading to be settled by it (0..1)."""
MOVED_A_LITTLE, MOVED_MUCH = 0.7, 1.4
"""The move must be the same if cards count as moved from this part of MOVED_BY on, or this."""
MOST_EARLIER = 16
"""Up to so many plausible earlier tables are tried when none was certain yet."""


@dataclass(frozen=True, slots=True)
class MoveAnswer:
    """What is said of a move. ruling: None if the cards could not be followed, `lost` then says why.

    since: the photograph it was compared with (None: there is none); certain: whether the move is the same under all
    plausible readings; turns: how many turns may have been played in between.
    """

    ruling: MoveRuling | None
    certain: bool
    since: str | None
    turns: int = 1
    lost: Lost | None = None

    def to_dict(self) -> dict[str, Any]:
        """The contract's form; `legal` is null when the cards could not be followed."""
        move: dict[str, Any] = {"cards": [], "legal": None, "faults": []}
        if self.ruling is not None:
            move = self.ruling.to_dict()
        move |= {"certain": self.certain, "since": self.since, "turns": self.turns}
        if self.lost is not None:
            move["reason"] = self.lost.value
        return move


@dataclass(frozen=True, slots=True)
class Look:
    """The answer for one photograph of a sequence: `checked` with the ids kept and the move ruled on.

    remembered: cards that are not seen now, but known from an earlier photograph to lie there.
    """

    checked: CheckedPhoto
    move: MoveAnswer | None = None
    remembered: Ids = ()


class TableSequence:
    """One table, photograph after photograph. `look` for each in order; `skip` for one that cannot be used."""

    def __init__(self, deck: Deck, options: Options | None = None, limits: Limits | None = None) -> None:
        self._deck = deck
        self._options = options or Options()
        self._limits = limits or Limits()
        self._width = deck.card_mm[0]
        self._aspect = deck.card_mm[1] / deck.card_mm[0]
        self._chapters: list[Chapter] = []
        self._count = 0
        self._looks = 0

    @classmethod
    def from_standing(
        cls,
        standing: Standing,
        since: str,
        deck: Deck,
        options: Options | None = None,
        limits: Limits | None = None,
    ) -> TableSequence:
        """A sequence that goes on from a table which is known for certain, such as one that players confirmed.

        since: what that table is called. Cards keep the ids of `standing.table`, and places its origin.
        """
        sequence = cls(deck, options, limits)
        cards = standing.table.cards
        numbers = [int(card.id[1:]) for card in cards if card.id[:1] == "c" and card.id[1:].isdecimal()]
        sequence._count = max(numbers, default=0)
        sequence._looks = 1
        if cards:
            known = {}
            for card in cards:
                steady = STEADY_IF_REFUSED if card.id in standing.refused else 1.0
                seen = CardReading(card)
                known[card.id] = Known(seen, pose_of(seen, sequence._width), steady)
            before = Before((standing,), True, frozenset(known), since)
            sequence._chapters.append(Chapter(known, before))
        return sequence

    @property
    def standing(self) -> Standing | None:
        """How things stand after the last photograph by its likeliest reading, places being those of the first."""
        return self._chapters[-1].last.standings[0] if self._chapters else None

    def skip(self) -> None:
        """A photograph that cannot be used: a turn may have been played that nobody saw."""
        self._looks += 1
        for chapter in self._chapters:
            for before in (chapter.last, chapter.certain):
                if before is not None:
                    before.turns += 1

    def look(self, checked: CheckedPhoto) -> Look:
        """Judge the next photograph."""
        self.skip()
        if checked.reading is None:
            raise ValueError("a photograph of a sequence needs its reading")
        places = {s.card.id: f"{s.card.id}-{self._looks}" for s in checked.reading.cards if is_suspect(s)}
        reading = renamed(checked.reading, places)
        if not self._chapters:
            return self._begin(checked, reading, Lost.NOTHING_BEFORE if self._looks > 1 else None)
        seen = trackable(likely_cards(reading), self._deck)
        lost: Lost = Lost.NO_CARD_IN_BOTH
        for number, chapter in enumerate(self._chapters[:-3:-1]):
            found = register(chapter.cards(self._deck), seen, self._aspect)
            if isinstance(found, Registration):
                if number:  # the cards fit the earlier photographs again
                    self._chapters.remove(chapter)
                    self._chapters.append(chapter)
                return self._go_on(checked, reading, chapter, found, seen)
            lost = found if not number else lost
        return self._begin(checked, reading, lost)

    # --- a first photograph

    def _begin(self, checked: CheckedPhoto, reading: TableReading, lost: Lost | None) -> Look:
        """The first photograph, or one whose cards cannot be followed: its cards get ids of their own."""
        names = {seen.card.id: self._next_id() for seen in likely_cards(reading)}
        reading = renamed(reading, names)
        ruling = self._seen_enough(rule_on(reading, self._deck, self._options, self._limits), reading, checked)
        move = None
        if lost is not None:
            before = self._chapters[-1].last if self._chapters else None
            since, turns = (before.since, before.turns) if before else (None, 1)
            move = MoveAnswer(None, False, since, turns, lost)
        certain = ruling.outcome is not Outcome.UNDETERMINED
        if names:  # a photograph in which nothing was found starts nothing
            tables, complete = self._plausible(reading, certain)
            standings = tuple(
                Standing(table, judge(table, self._deck, self._options, self._limits)) for table in tables
            )
            known = {seen.card.id: Known(seen, pose_of(seen, self._width)) for seen in likely_cards(reading)}
            self._chapters.append(
                Chapter(known, Before(standings, complete, ids_of(reading), checked.photo.name, is_certain=certain))
            )
            self._chapters[-1].suspects = suspects_of(reading, Registration.identity(), self._width)
        if lost is not None:
            reason = DoubtReason.EARLIER_UNSURE if lost is Lost.NOTHING_BEFORE else DoubtReason.LOST_TRACK
            ruling = doubted(ruling, [Doubt(reason, corners=frame_of(checked.view.size))])
        return Look(under_new_names(checked, names, reading, ruling), move)

    def _plausible(self, reading: TableReading, certain: bool) -> tuple[list[Layout], bool]:
        """The tables from which the next move may have started, and whether these are all."""
        if certain:
            return [layout_of(reading)], True
        tables, complete = plausible_tables(reading, self._deck)
        return tables[:MOST_EARLIER], complete and len(tables) <= MOST_EARLIER

    def _next_id(self) -> str:
        self._count += 1
        return f"c{self._count}"

    # --- a later photograph

    def _go_on(
        self, checked: CheckedPhoto, reading: TableReading, chapter: Chapter, found: Registration, seen: Cards
    ) -> Look:
        ids = list(chapter.known)
        sight = Sight(checked, reading, self._deck)
        which = self._moved_indeed(
            chapter, follow(chapter.cards(self._deck), seen, found, self._aspect), found, seen, sight
        )
        sure = likely_cards(reading)
        names = {sure[now].card.id: ids[before] for before, now in (*which.in_place, *which.moved)}
        for now in which.new:
            names[sure[now].card.id] = self._old_id(chapter, found.apply(seen.poses[now][None])[0], sure[now])
        in_place = {ids[before] for before, _ in which.in_place}
        cards = [self._helped(card, chapter, in_place, checked) for card in renamed(reading, names).cards]
        remembered = self._unseen(chapter, which, found, sight, cards)
        reading = dataclasses.replace(reading, cards=tuple(cards))
        chapter.recognise_suspects(reading, found, self._width)
        ruling, move, before = self._judge(reading, checked, chapter, found)
        answer = MoveAnswer(move, ruling.outcome is not Outcome.UNDETERMINED, before.since, before.turns)
        chapter.remember(reading, found, move, remembered, self._width)
        self._settle(chapter, reading, checked, found, before, move, ruling)
        return Look(under_new_names(checked, names, reading, ruling, remembered), answer, tuple(remembered))

    def _moved_indeed(
        self, chapter: Chapter, which: Correspondence, found: Registration, seen: Cards, sight: Sight
    ) -> Correspondence:
        """A card seen elsewhere is the one that lay here only if that is seen not to lie here any more: under a hand it
        may, and then the other is a new one of the same face."""
        ids = list(chapter.known)
        stay = []
        for before, now in which.moved:
            card = chapter.known[ids[before]]
            away = found.apply(seen.poses[now][None])[0] - card.pose
            corners = sight.corners(found.inverse().apply(card.pose[None])[0] * [self._width, self._width, 1.0])
            expected = ids[before] not in chapter.last.standings[0].refused
            if np.hypot(*away[:2]) > IN_PLACE and sight.may_lie_at(corners, card.faces, expected):
                stay.append((before, now))
        if not stay:
            return which
        return dataclasses.replace(
            which,
            moved=tuple(pair for pair in which.moved if pair not in stay),
            missing=tuple(sorted((*which.missing, *(before for before, _ in stay)))),
            new=tuple(sorted((*which.new, *(now for _, now in stay)))),
        )

    def _old_id(self, chapter: Chapter, pose: Doubles, seen: CardReading) -> str:
        """A new card's id: that of a card of this face that was taken from this very place, if there was one."""
        for card_id, card in chapter.gone.items():
            near = np.hypot(*(card.pose[:2] - pose[:2])) < 0.3 and np.cos(card.pose[2] - pose[2]) > 0.9
            if near and card.faces == faces_of(seen):
                del chapter.gone[card_id]
                if not chapter.last.is_certain:  # rather was it not seen there than taken and put back
                    back = placed_at(card.reading.card, card.pose, self._width)
                    chapter.last.standings = tuple(with_another(s, back) for s in chapter.last.standings)
                return card_id
        return self._next_id()

    def _helped(self, seen: CardReading, chapter: Chapter, in_place: set[str], checked: CheckedPhoto) -> CardReading:
        """An unsure reading of a card that lies where it was read surely before."""
        known = chapter.known.get(seen.card.id)
        if known is None or seen.card.id not in in_place or not known.is_sure or len(seen.ranked) == 1:
            return seen
        (face,) = known.faces
        fitting = [a for a in seen.ranked if a.face == face and a.confidence >= STILL_PLAUSIBLE and a.turn is None]
        others = [a for a in seen.ranked if a.face is not None and a not in fitting]
        if not fitting:
            return seen
        nothing = [a for a in seen.ranked if a.face is None]
        if nothing and seen.corners is not None and cut_off(np.array(seen.corners), checked.view.size):
            nothing = []  # what is beyond the edge is known
        if nothing and not others:
            return seen
        card = seen.card.model_copy(update={"face": face})
        return CardReading(card, (fitting[0], *nothing) if nothing else (), seen.corners)

    def _unseen(
        self,
        chapter: Chapter,
        which: Correspondence,
        found: Registration,
        sight: Sight,
        cards: list[CardReading],
    ) -> list[str]:
        """Add to `cards` the known ones that are not seen but not surely gone; returns those that are covered."""
        ids = list(chapter.known)
        covered: list[str] = []
        for index in sorted((*which.covered, *which.missing)):
            known = chapter.known[ids[index]]
            pose = found.inverse().apply(known.pose[None])[0]
            corners = sight.corners(pose * [self._width, self._width, 1.0])
            place = placed_at(known.reading.card, pose, self._width)
            points = tuple((float(x), float(y)) for x, y in corners)
            shown = sight.unlike_table(corners) if index in which.covered else math.nan
            if shown < HIDDEN:  # what lay half under another card was taken from there
                continue
            if index in which.covered and not shown < COVERED:
                covered.append(ids[index])
                cards.append(CardReading(place, known.reading.alternatives, points))
                continue
            suspect = suspect_at(cards, place, self._width)
            if suspect is not None:
                cards.remove(suspect)
            expected = ids[index] not in chapter.last.standings[0].refused  # what was laid wrong is taken back
            if suspect is not None or index in which.covered or sight.may_lie_at(corners, known.faces, expected):
                cards.append(CardReading(place, perhaps_there(known.reading), points))
        return covered

    def _judge(
        self, reading: TableReading, checked: CheckedPhoto, chapter: Chapter, found: Registration
    ) -> tuple[Ruling, MoveRuling, Before]:
        """The ruling, the move, and what it was compared with."""
        ruling, move = self._compare(reading, checked, chapter.last, found)
        open_ = any(doubt.reason is DoubtReason.EARLIER_UNSURE for doubt in ruling.doubtful)
        if open_ and chapter.certain is not None:
            since_certain = self._compare(reading, checked, chapter.certain, found)
            if since_certain[0].outcome is not Outcome.UNDETERMINED:
                return (*since_certain, chapter.certain)
        return ruling, move, chapter.last

    def _compare(
        self, reading: TableReading, checked: CheckedPhoto, before: Before, found: Registration
    ) -> tuple[Ruling, MoveRuling]:
        back, table = found.inverse(), layout_of(reading)
        first, *others = least_disturbed(
            [carried(standing, back, self._width) for standing in before.standings], table, before.listed, self._width
        )

        def judged(table: Layout, limits: Limits, standing: Standing = first, moved_by: float = MOVED_BY) -> MoveRuling:
            return judge_next(standing, table, self._deck, self._options, limits, before.turns, moved_by)

        move = rule_on_move(reading, self._deck, judged, self._limits, Tolerance())
        doubts: list[Doubt] = []
        said = _said(move)
        for moved_by in (MOVED_A_LITTLE * MOVED_BY, MOVED_MUCH * MOVED_BY):
            other = judged(table, self._limits, moved_by=moved_by)
            if _said(other) != said:
                cards = sorted({*other.moved, *other.cards} ^ {*move.moved, *move.cards}, key=id_order)
                doubts += [close_call(card, reading) for card in cards or list(table.by_id)]
        if not before.is_complete or any(_said(judged(table, self._limits, other)) != said for other in others):
            doubts.append(Doubt(DoubtReason.EARLIER_UNSURE, corners=frame_of(checked.view.size)))
        ruling = self._seen_enough(move.ruling, reading, checked)
        if not move.legal and ruling.outcome is Outcome.VALID:
            ruling = dataclasses.replace(ruling, outcome=Outcome.INVALID)
        return doubted(ruling, doubts), move

    def _settle(
        self,
        chapter: Chapter,
        reading: TableReading,
        checked: CheckedPhoto,
        found: Registration,
        before: Before,
        move: MoveRuling,
        ruling: Ruling,
    ) -> None:
        """With what the next photograph is compared."""
        certain = all(doubt.reason is DoubtReason.EARLIER_UNSURE for doubt in ruling.doubtful)
        tables, complete = self._plausible(reading, certain)
        back = found.inverse()
        start = least_disturbed(
            [carried(standing, back, self._width) for standing in before.standings],
            tables[0],
            before.listed,
            self._width,
        )[0]
        standings = []
        for number, table in enumerate(tables):
            done = move
            if number or not certain:
                done = judge_next(start, table, self._deck, self._options, self._limits, before.turns)
            standings.append(carried(start.after(done, table), found, self._width))
        if certain:
            chapter.certain = None
        elif chapter.certain is None and chapter.last.is_certain:
            chapter.certain = chapter.last
        chapter.last = Before(tuple(standings), complete, ids_of(reading), checked.photo.name, is_certain=certain)

    def _seen_enough(self, ruling: Ruling, reading: TableReading, checked: CheckedPhoto) -> Ruling:
        return doubt_what_is_missing(ruling, len(layout_of(reading).cards), frame_of(checked.view.size))


def check_sequence(paths: Iterable[str], deck: Deck, options: Options | None = None) -> Iterator[Look | InputError]:
    """Check photographs of one table in the order in which they were taken.

    One that cannot be used is answered by its InputError (not raised); the others are answered all the same.
    """
    sequence = TableSequence(deck, options)
    before: CheckedPhoto | None = None
    for path in paths:
        try:
            before = check_file(path, deck, options, before)
            yield sequence.look(before)
        except InputError as error:
            sequence.skip()
            yield error


def _said(move: MoveRuling) -> object:
    """What a move's ruling says, leaving out what was merely nudged or lies apart."""
    legal, faults, _, ring, extra_turn = meaning_of_move(move)
    return legal, faults, frozenset(move.cards), ring, extra_turn
