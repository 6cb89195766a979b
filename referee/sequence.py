"""Photographs of one table, each taken after a move: cards keep their ids, and each move is judged.

Each photograph is read by itself first. Then its cards are followed from the earlier ones on the table plane
(`referee.vision.track`), and what was readable earlier helps, never what would be legal:

- a card in its place that cannot be read surely now, but was read surely before and may still be that, is that card;
- a card that now lies under others (a cat on two boxes) stays known;
- a card that is not seen is looked for where it lay: only where the picture clearly shows no such card is it gone;
  under a hand, or beyond the picture's edge, it is a doubt.

The move is the difference from the last photograph of which the table was certain (from the latest one, if none was
yet; the move is then certain only if every plausible earlier table gives the same). A photograph that is not certain
changes nothing for later ones but what is remembered of its sure cards; so a move may span several photographs, and
the rules on moves then allow as many turns. Where the cards cannot be followed at all, the move is undetermined and
the comparison begins anew from that photograph, unless a later one fits the earlier ones again. An answer once given
is never changed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referee.certainty import (
    Alternative,
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
from referee.games import judge
from referee.layouts import Layout, PlacedCard, id_order
from referee.limits import Limits
from referee.moves import MOVED_BY, MoveRuling, Standing, judge_next
from referee.options import Options
from referee.pipeline import CheckedPhoto, SeenCard, check_file, frame_of
from referee.rulebook import DoubtReason
from referee.verdicts import Doubt, Ids, Outcome, Ruling
from referee.vision.align import Doubles, Pyramid
from referee.vision.facebank import face_bank
from referee.vision.quality import cut_off
from referee.vision.revisit import STILL_THERE, likeness, share_inside
from referee.vision.track import Cards, Correspondence, Lost, Registration, follow, register

STEADY_IF_REFUSED, STEADY_IF_NEW, STEADY_IF_UNSURE = 0.2, 0.6, 0.5
"""How much a card's place counts when the tables are laid on each other: who corrects a move moves these (0..1)."""
STILL_PLAUSIBLE = 0.3
"""Confidence that the known face must still have for an unsure reading to be settled by it (0..1)."""
MOVED_A_LITTLE, MOVED_MUCH = 0.7, 1.4
"""The move must be the same if cards count as moved from this part of MOVED_BY on, or this."""
MOST_EARLIER = 16
"""Up to so many plausible earlier tables are tried when none was certain yet."""
REMEMBERED, PERHAPS = 0.9, 0.5
"""Confidence told for a card that is covered but known, and for one that is not seen but perhaps still there."""
INSIDE = 0.8
"""Share of a card that must be in the picture for it to be called gone."""


@dataclass(frozen=True, slots=True)
class MoveAnswer:
    """What is said of a move. ruling: None if the cards could not be followed, `lost` then says why.

    since: the photograph it was compared with; certain: whether the move is the same under all plausible readings;
    turns: how many turns may have been played in between.
    """

    ruling: MoveRuling | None
    certain: bool
    since: str
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


@dataclass(slots=True)
class _Known:
    """A card as it is remembered. pose: (3,) card sides and radians, in the frame of its chapter."""

    reading: CardReading
    pose: Doubles
    steady: float = 1.0

    @property
    def faces(self) -> frozenset[str]:
        return _faces(self.reading)

    @property
    def is_sure(self) -> bool:
        return len(self.reading.ranked) == 1


@dataclass(slots=True)
class _Chapter:
    """Photographs whose cards could be followed; places are those of its first photograph.

    standings: of the last certain table, or of the plausible ones if none was certain yet; is_complete: of all these.
    """

    known: dict[str, _Known]
    standings: tuple[Standing, ...]
    is_sure: bool
    is_complete: bool
    since: str
    gone: dict[str, _Known] = field(default_factory=dict)
    turns: int = 0


class TableSequence:
    """One table, photograph after photograph. `look` for each in order; `skip` for one that cannot be used."""

    def __init__(self, deck: Deck, options: Options | None = None, limits: Limits | None = None) -> None:
        self._deck = deck
        self._options = options or Options()
        self._limits = limits or Limits()
        self._width = deck.card_mm[0]
        self._aspect = deck.card_mm[1] / deck.card_mm[0]
        self._chapters: list[_Chapter] = []
        self._count = 0

    def skip(self) -> None:
        """A photograph that cannot be used: a turn may have been played that nobody saw."""
        for chapter in self._chapters:
            chapter.turns += 1

    def look(self, checked: CheckedPhoto) -> Look:
        """Judge the next photograph."""
        self.skip()
        if checked.reading is None:
            raise ValueError("a photograph of a sequence needs its reading")
        if not self._chapters:
            return self._begin(checked, checked.reading, None)
        seen = _cards(_certain_ones(checked.reading), self._width)
        lost: Lost = Lost.NO_CARD_IN_BOTH
        for number, chapter in enumerate(self._chapters[:-3:-1]):
            found = register(self._cards_of(chapter), seen, self._aspect)
            if isinstance(found, Registration):
                if number:  # the cards fit the earlier photographs again
                    self._chapters.remove(chapter)
                    self._chapters.append(chapter)
                return self._go_on(checked, checked.reading, chapter, found, seen)
            lost = found if not number else lost
        return self._begin(checked, checked.reading, lost)

    # --- a first photograph

    def _begin(self, checked: CheckedPhoto, reading: TableReading, lost: Lost | None) -> Look:
        """The first photograph, or one whose cards cannot be followed: its cards get ids of their own."""
        names = {seen.card.id: self._next_id() for seen in _certain_ones(reading)}
        reading = _renamed(reading, names)
        ruling = self._seen_enough(rule_on(reading, self._deck, self._options, self._limits), reading, checked)
        move = None
        if lost is not None:
            chapter = self._chapters[-1]
            move = MoveAnswer(None, False, chapter.since, chapter.turns, lost)
        certain = ruling.outcome is not Outcome.UNDETERMINED
        if names:  # a photograph in which nothing was found starts nothing
            tables, complete = self._plausible(reading, certain)
            standings = tuple(
                Standing(table, judge(table, self._deck, self._options, self._limits)) for table in tables
            )
            known = {seen.card.id: _Known(seen, _pose(seen, self._width)) for seen in _certain_ones(reading)}
            self._chapters.append(_Chapter(known, standings, certain, complete, checked.photo.name))
        if lost is not None:
            ruling = _doubted(ruling, [Doubt(DoubtReason.LOST_TRACK, corners=frame_of(checked.view.size))])
        return Look(_with(checked, names, reading, ruling), move)

    def _plausible(self, reading: TableReading, certain: bool) -> tuple[list[Layout], bool]:
        """The tables from which the next move may have started, and whether these are all."""
        if certain:
            return [_layout_of(reading)], True
        tables, complete = plausible_tables(reading, self._deck)
        return tables[:MOST_EARLIER], complete and len(tables) <= MOST_EARLIER

    def _next_id(self) -> str:
        self._count += 1
        return f"c{self._count}"

    # --- a later photograph

    def _go_on(
        self, checked: CheckedPhoto, reading: TableReading, chapter: _Chapter, found: Registration, seen: Cards
    ) -> Look:
        ids = list(chapter.known)
        which = follow(self._cards_of(chapter), seen, found, self._aspect)
        sure = _certain_ones(reading)
        names = {sure[now].card.id: ids[before] for before, now in (*which.in_place, *which.moved)}
        for now in which.new:
            names[sure[now].card.id] = self._old_id(chapter, found.apply(seen.poses[now][None])[0], sure[now])
        in_place = {ids[before] for before, _ in which.in_place}
        cards = [self._helped(card, chapter, in_place, checked) for card in _renamed(reading, names).cards]
        sight = _Sight(checked, reading, self._deck)
        remembered = self._unseen(chapter, which, found, sight, cards)
        reading = dataclasses.replace(reading, cards=tuple(cards))
        ruling, move = self._judge(reading, checked, chapter, found)
        known_before = set(chapter.known)
        self._remember(chapter, reading, found, move, known_before, remembered)
        answer = MoveAnswer(move, ruling.outcome is not Outcome.UNDETERMINED, chapter.since, chapter.turns)
        self._settle(chapter, reading, checked, found, move, ruling)
        return Look(_with(checked, names, reading, ruling, remembered), answer, tuple(remembered))

    def _old_id(self, chapter: _Chapter, pose: Doubles, seen: CardReading) -> str:
        """A new card's id: that of a card of this face that was taken from this very place, if there was one."""
        for card_id, card in chapter.gone.items():
            near = np.hypot(*(card.pose[:2] - pose[:2])) < 0.3 and np.cos(card.pose[2] - pose[2]) > 0.9
            if near and card.faces == _faces(seen):
                del chapter.gone[card_id]
                return card_id
        return self._next_id()

    def _helped(self, seen: CardReading, chapter: _Chapter, in_place: set[str], checked: CheckedPhoto) -> CardReading:
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
        chapter: _Chapter,
        which: Correspondence,
        found: Registration,
        sight: _Sight,
        cards: list[CardReading],
    ) -> list[str]:
        """Add to `cards` the known ones that are not seen but not surely gone; returns those that are covered."""
        ids = list(chapter.known)
        covered: list[str] = []
        for index in sorted((*which.covered, *which.missing)):
            known = chapter.known[ids[index]]
            pose = found.inverse().apply(known.pose[None])[0]
            corners = sight.corners(pose * [self._width, self._width, 1.0])
            place = _placed(known.reading.card, pose, self._width)
            points = tuple((float(x), float(y)) for x, y in corners)
            if index in which.covered:
                covered.append(ids[index])
                cards.append(CardReading(place, known.reading.alternatives, points))
                continue
            suspect = _suspect_at(cards, place, self._width)
            if suspect is not None:
                cards.remove(suspect)
            if suspect is not None or sight.may_lie_at(corners, known.faces):
                cards.append(CardReading(place, _perhaps(known.reading), points))
        return covered

    def _judge(
        self, reading: TableReading, checked: CheckedPhoto, chapter: _Chapter, found: Registration
    ) -> tuple[Ruling, MoveRuling]:
        back = found.inverse()
        first, *others = (self._carried(standing, back) for standing in chapter.standings)

        def judged(table: Layout, limits: Limits, standing: Standing = first, moved_by: float = MOVED_BY) -> MoveRuling:
            return judge_next(standing, table, self._deck, self._options, limits, chapter.turns, moved_by)

        move = rule_on_move(reading, self._deck, judged, self._limits, Tolerance())
        table = _layout_of(reading)
        doubts: list[Doubt] = []
        said = _said(move)
        for moved_by in (MOVED_A_LITTLE * MOVED_BY, MOVED_MUCH * MOVED_BY):
            other = judged(table, self._limits, moved_by=moved_by)
            if _said(other) != said:
                cards = sorted({*other.moved, *other.cards} ^ {*move.moved, *move.cards}, key=id_order)
                doubts += [_close(card, reading) for card in cards or list(table.by_id)]
        if not chapter.is_complete or any(_said(judged(table, self._limits, earlier)) != said for earlier in others):
            doubts.append(Doubt(DoubtReason.EARLIER_UNSURE, corners=frame_of(checked.view.size)))
        ruling = self._seen_enough(move.ruling, reading, checked)
        if not move.legal and ruling.outcome is Outcome.VALID:
            ruling = dataclasses.replace(ruling, outcome=Outcome.INVALID)
        return _doubted(ruling, doubts), move

    def _carried(self, standing: Standing, registration: Registration) -> Standing:
        """A standing as if seen from another photograph."""
        table = self._mapped(standing.table.cards, registration)
        rightful = self._mapped(standing.rightful.values(), registration)
        return dataclasses.replace(
            standing,
            table=standing.table.model_copy(update={"cards": table}),
            rightful=dict(zip(standing.rightful, rightful, strict=True)),
        )

    def _mapped(self, cards: Iterable[PlacedCard], registration: Registration) -> tuple[PlacedCard, ...]:
        cards = tuple(cards)
        if not cards:
            return ()
        poses = np.array([_pose(CardReading(card), self._width) for card in cards])
        return tuple(
            _placed(card, pose, self._width) for card, pose in zip(cards, registration.apply(poses), strict=True)
        )

    def _remember(
        self,
        chapter: _Chapter,
        reading: TableReading,
        found: Registration,
        move: MoveRuling,
        known_before: set[str],
        remembered: Sequence[str],
    ) -> None:
        """Take over what this photograph shows surely, and keep what it hides."""
        chapter.gone = {}
        now = {seen.card.id: seen for seen in reading.cards if not _is_suspect(seen)}
        for card_id in known_before - now.keys():
            chapter.gone[card_id] = chapter.known.pop(card_id)
        refused = {card for fault in move.faults for card in fault.cards[:1]}
        for card_id, seen in now.items():
            before = chapter.known.get(card_id)
            steady = STEADY_IF_REFUSED if card_id in refused else 1.0 if before else STEADY_IF_NEW
            if card_id in remembered or (before is not None and seen.ranked[-1].face is None):
                continue
            pose = found.apply(_pose(seen, self._width)[None])[0]
            unsure = len(seen.ranked) > 1
            if unsure and before is not None and before.is_sure and before.faces <= _faces(seen):
                seen = before.reading
            chapter.known[card_id] = _Known(seen, pose, min(steady, STEADY_IF_UNSURE) if unsure else steady)

    def _settle(
        self,
        chapter: _Chapter,
        reading: TableReading,
        checked: CheckedPhoto,
        found: Registration,
        move: MoveRuling,
        ruling: Ruling,
    ) -> None:
        """From which table the next photograph is looked at."""
        table_doubts = [d for d in ruling.doubtful if d.reason is not DoubtReason.EARLIER_UNSURE]
        if table_doubts and chapter.is_sure:
            return
        tables, chapter.is_complete = self._plausible(reading, certain=not table_doubts)
        back = found.inverse()
        standings = []
        for table in tables:
            standing = self._carried(chapter.standings[0], back)
            done = move
            if len(tables) > 1:
                done = judge_next(standing, table, self._deck, self._options, self._limits, chapter.turns)
            standings.append(self._carried(standing.after(done, table), found))
        chapter.standings = tuple(standings)
        chapter.is_sure = not table_doubts
        chapter.since = checked.photo.name
        chapter.turns = 0

    def _seen_enough(self, ruling: Ruling, reading: TableReading, checked: CheckedPhoto) -> Ruling:
        return doubt_what_is_missing(ruling, len(_layout_of(reading).cards), frame_of(checked.view.size))

    def _cards_of(self, chapter: _Chapter) -> Cards:
        known = chapter.known.values()
        return Cards(
            np.array([card.pose for card in known]).reshape(-1, 3),
            tuple(card.faces for card in known),
            np.array([card.steady for card in known]),
        )


class _Sight:
    """One photograph, to look again at single places in it."""

    def __init__(self, checked: CheckedPhoto, reading: TableReading, deck: Deck) -> None:
        self._checked = checked
        self._pyramid: Pyramid | None = None
        self._deck = deck
        self._linear, self._shift, self._turn = np.eye(2), np.zeros(2), 0.0
        sure = [seen for seen in reading.cards if seen.corners is not None]
        plane = checked.view.plane
        if sure and plane is not None:
            # The layout's millimetres are the plane's units, turned and shifted: any card shows how.
            there = plane.poses(np.array([seen.corners for seen in sure]))
            here = np.array([_pose(seen, deck.card_mm[0]) for seen in sure])
            self._turn = float(np.angle(np.exp(1j * (there[:, 2] - here[:, 2])).sum()))
            cos, sin = np.cos(self._turn), np.sin(self._turn)
            self._linear = np.array([[cos, -sin], [sin, cos]])
            self._shift = np.median(there[:, :2] - here[:, :2] @ self._linear.T, axis=0)

    def corners(self, pose_mm: Doubles) -> Doubles:
        """(4, 2) px of a card at x, y (mm) and turn (radians) of the layout."""
        plane = self._checked.view.plane
        if plane is None:
            return np.zeros((4, 2))
        place = self._linear @ pose_mm[:2] / self._deck.card_mm[0] + self._shift
        return np.asarray(plane.outlines(np.array([[*place, pose_mm[2] + self._turn]]))[0])

    def may_lie_at(self, corners: Doubles, faces: Iterable[str]) -> bool:
        """Whether a card that is not seen may lie there all the same: out of the picture, or too much like it."""
        view = self._checked.view
        if view.plane is None:
            return False
        if share_inside(corners, view.size) < INSIDE:
            return True
        rejected = view.found.rejected.corners
        side = float(np.linalg.norm(corners[1] - corners[0]))
        if len(rejected) and float(np.hypot(*(rejected.mean(axis=1) - corners.mean(axis=0)).T).min()) < 0.3 * side:
            return True
        if self._pyramid is None:
            self._pyramid = Pyramid.of(self._checked.photo.pixels)
        bank = face_bank(self._deck)
        return any(likeness(self._pyramid, bank, corners, face) >= STILL_THERE for face in faces)


def check_sequence(paths: Iterable[str], deck: Deck, options: Options | None = None) -> Iterator[Look | InputError]:
    """Check photographs of one table in the order in which they were taken.

    One that cannot be used is answered by its InputError (not raised); the others are answered all the same.
    """
    sequence = TableSequence(deck, options)
    for path in paths:
        try:
            yield sequence.look(check_file(path, deck, options))
        except InputError as error:
            sequence.skip()
            yield error


def _said(move: MoveRuling) -> object:
    """What a move's ruling says, leaving out what was merely nudged or lies apart."""
    legal, faults, _, ring, extra_turn = meaning_of_move(move)
    return legal, faults, frozenset(move.cards), ring, extra_turn


def _faces(seen: CardReading) -> frozenset[str]:
    return frozenset(a.face for a in seen.ranked if a.face is not None)


def _is_suspect(seen: CardReading) -> bool:
    """A place where likelier no card lies than one."""
    return seen.ranked[0].face is None


def _certain_ones(reading: TableReading) -> list[CardReading]:
    """The cards of a reading that are likelier there than not."""
    return [seen for seen in reading.cards if not _is_suspect(seen)]


def _layout_of(reading: TableReading) -> Layout:
    cards = []
    for seen in _certain_ones(reading):
        best = seen.ranked[0]
        turn = seen.card.turn if best.turn is None else best.turn
        cards.append(seen.card.model_copy(update={"face": best.face, "turn": turn}))
    return Layout(name=reading.name, game=reading.game, cards=tuple(cards))


def _pose(seen: CardReading, width: float) -> Doubles:
    card = seen.card
    return np.array([card.x / width, card.y / width, np.deg2rad(card.turn)])


def _placed(card: PlacedCard, pose: Doubles, width: float) -> PlacedCard:
    turn = float((np.rad2deg(pose[2]) + 180) % 360 - 180)
    return card.model_copy(update={"x": float(pose[0] * width), "y": float(pose[1] * width), "turn": turn})


def _cards(seen: Sequence[CardReading], width: float) -> Cards:
    return Cards(
        np.array([_pose(card, width) for card in seen]).reshape(-1, 3),
        tuple(_faces(card) for card in seen),
        np.ones(len(seen)),
    )


def _renamed(reading: TableReading, names: dict[str, str]) -> TableReading:
    cards = tuple(
        dataclasses.replace(seen, card=seen.card.model_copy(update={"id": names.get(seen.card.id, seen.card.id)}))
        for seen in reading.cards
    )
    return dataclasses.replace(reading, cards=cards)


def _suspect_at(cards: Sequence[CardReading], place: PlacedCard, width: float) -> CardReading | None:
    """The suspect nearest to a place, if one is there."""

    def away(seen: CardReading) -> float:
        return float(np.hypot(seen.card.x - place.x, seen.card.y - place.y)) / width

    near = [seen for seen in cards if _is_suspect(seen) and away(seen) < 0.5]
    return min(near, key=away, default=None)


def _perhaps(known: CardReading) -> tuple[Alternative, ...]:
    """A card that lay here and is not seen: likelier still there than not."""
    return (
        *(Alternative(a.face, 0.6 * a.confidence, a.turn) for a in known.ranked if a.face is not None),
        Alternative(None, 0.2),
    )


def _close(card: str, reading: TableReading) -> Doubt:
    corners = next((seen.corners for seen in reading.cards if seen.card.id == card), None)
    return Doubt(DoubtReason.CLOSE_CALL, card, corners=corners)


def _doubted(ruling: Ruling, doubts: Sequence[Doubt]) -> Ruling:
    known = {(doubt.card, doubt.corners, doubt.reason) for doubt in ruling.doubtful}
    fresh = [doubt for doubt in doubts if (doubt.card, doubt.corners, doubt.reason) not in known]
    if not fresh:
        return ruling
    return dataclasses.replace(ruling, outcome=Outcome.UNDETERMINED, doubtful=(*ruling.doubtful, *fresh))


def _with(
    checked: CheckedPhoto, names: dict[str, str], reading: TableReading, ruling: Ruling, remembered: Sequence[str] = ()
) -> CheckedPhoto:
    """The checked photograph under its new names, settled readings and cards that are not seen included."""
    layout = _layout_of(reading)
    by_id = layout.by_id
    cards = []
    for card in checked.cards:
        name = names.get(card.id, card.id)
        cards.append(dataclasses.replace(card, id=name, face=by_id[name].face if name in by_id else card.face))
    seen_now = {card.id for card in cards}
    for seen in _certain_ones(reading):
        if seen.card.id not in seen_now and seen.corners is not None:
            confidence = REMEMBERED if seen.card.id in remembered else PERHAPS
            corners = np.array(seen.corners)
            cards.append(SeenCard(seen.card.id, by_id[seen.card.id].face, corners, confidence, None, 1.0))
    return dataclasses.replace(checked, cards=tuple(cards), layout=layout, ruling=ruling, reading=reading)
