"""What is needed of a reading to follow its cards: which are likely there, where they lie, where to look again."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from referee.certainty import Alternative, CardReading, TableReading
from referee.decks import CatFace, Deck, PrincessFace
from referee.layouts import Layout, PlacedCard
from referee.moves import Standing
from referee.pipeline import CheckedPhoto, SeenCard
from referee.rulebook import DoubtReason
from referee.verdicts import Doubt, Outcome, Ruling
from referee.vision.align import Doubles, Pyramid
from referee.vision.facebank import face_bank
from referee.vision.revisit import is_hidden, may_still_lie, share_inside, unlike_table
from referee.vision.seen_table import SeenTable
from referee.vision.track import IN_PLACE, Cards, Registration

REMEMBERED, PERHAPS = 0.9, 0.5
"""Confidence told for a card that is covered but known, and for one that is not seen but perhaps still there."""
INSIDE = 0.8
"""Share of a card that must be in the picture for it to be called gone."""


def faces_of(seen: CardReading) -> frozenset[str]:
    """All that a card may be."""
    return frozenset(a.face for a in seen.ranked if a.face is not None)


def is_suspect(seen: CardReading) -> bool:
    """A place where likelier no card lies than one."""
    return seen.ranked[0].face is None


def likely_cards(reading: TableReading) -> list[CardReading]:
    """The cards of a reading that are likelier there than not."""
    return [seen for seen in reading.cards if not is_suspect(seen)]


def ids_of(reading: TableReading) -> frozenset[str]:
    """The ids of the cards that are likelier there than not."""
    return frozenset(seen.card.id for seen in likely_cards(reading))


def layout_of(reading: TableReading) -> Layout:
    """The likeliest table."""
    cards = []
    for seen in likely_cards(reading):
        best = seen.ranked[0]
        turn = seen.card.turn if best.turn is None else best.turn
        cards.append(seen.card.model_copy(update={"face": best.face, "turn": turn}))
    return Layout(name=reading.name, game=reading.game, cards=tuple(cards))


def pose_of(seen: CardReading, width: float) -> Doubles:
    """(3,) x, y in card sides and turn in radians; width: a card's short side in millimetres."""
    card = seen.card
    return np.array([card.x / width, card.y / width, np.deg2rad(card.turn)])


def placed_at(card: PlacedCard, pose: Doubles, width: float) -> PlacedCard:
    """The card at a pose (3,) in card sides and radians."""
    turn = float((np.rad2deg(pose[2]) + 180) % 360 - 180)
    return card.model_copy(update={"x": float(pose[0] * width), "y": float(pose[1] * width), "turn": turn})


def lies_on_others(seen: CardReading, deck: Deck) -> bool:
    """Whether a card is laid on others if it is what it likeliest is: an awake cat, the Princess."""
    faces = [deck.face(a.face) for a in seen.ranked if a.face is not None][:1]
    return any(isinstance(f, PrincessFace) or (isinstance(f, CatFace) and not f.asleep) for f in faces)


def trackable(seen: Sequence[CardReading], deck: Deck) -> Cards:
    """Readings as what can be followed from photograph to photograph."""
    width = deck.card_mm[0]
    return Cards(
        np.array([pose_of(card, width) for card in seen]).reshape(-1, 3),
        tuple(faces_of(card) for card in seen),
        np.ones(len(seen)),
        np.array([lies_on_others(card, deck) for card in seen], dtype=bool),
    )


def renamed(reading: TableReading, names: Mapping[str, str]) -> TableReading:
    """The reading with other ids; cards without a new one keep theirs."""
    cards = tuple(
        dataclasses.replace(seen, card=seen.card.model_copy(update={"id": names.get(seen.card.id, seen.card.id)}))
        for seen in reading.cards
    )
    return dataclasses.replace(reading, cards=cards)


def suspect_at(cards: Sequence[CardReading], place: PlacedCard, width: float) -> CardReading | None:
    """The suspect nearest to a place, if one is there."""

    def away(seen: CardReading) -> float:
        return float(np.hypot(seen.card.x - place.x, seen.card.y - place.y)) / width

    near = [seen for seen in cards if is_suspect(seen) and away(seen) < 0.7]
    return min(near, key=away, default=None)


def perhaps_there(known: CardReading) -> tuple[Alternative, ...]:
    """A card that lay here and is not seen: likelier still there than not."""
    return (
        *(Alternative(a.face, 0.6 * a.confidence, a.turn) for a in known.ranked if a.face is not None),
        Alternative(None, 0.2),
    )


def suspects_of(reading: TableReading, found: Registration, width: float) -> dict[str, Doubles]:
    """The places where perhaps a card lies, in the chapter's frame."""
    places = {seen.card.id: pose_of(seen, width) for seen in reading.cards if is_suspect(seen)}
    return {name: found.apply(pose[None])[0] for name, pose in places.items()}


def with_card(standing: Standing, name: str, card: PlacedCard) -> Standing:
    """The standing with a card that only perhaps lay there known by its id now."""
    if name not in standing.table.by_id:
        return standing
    cards = tuple(card if old.id == name else old for old in standing.table.cards)
    return dataclasses.replace(standing, table=standing.table.model_copy(update={"cards": cards}))


def with_another(standing: Standing, card: PlacedCard) -> Standing:
    """The standing with a card that was not seen but lay there."""
    if card.id in standing.table.by_id:
        return standing
    cards = (*standing.table.cards, card)
    return dataclasses.replace(standing, table=standing.table.model_copy(update={"cards": cards}))


def least_disturbed(
    standings: Sequence[Standing], table: Layout, listed: Collection[str], width: float
) -> list[Standing]:
    """Those earlier tables which fit this one with the fewest cards moved, taken away or come from nowhere.

    listed: the cards that were told of the earlier photograph, perhaps as doubtful. One that is seen again was there.
    """
    now = table.by_id

    def disturbed(standing: Standing) -> int:
        before = standing.table.by_id
        changed = sum(
            card.id not in now
            or card.face != now[card.id].face
            or math.hypot(card.x - now[card.id].x, card.y - now[card.id].y) > IN_PLACE * width
            for card in before.values()
        )
        return changed + sum(card in listed and card not in before for card in now)

    counts = [disturbed(standing) for standing in standings]
    return [standing for standing, count in zip(standings, counts, strict=True) if count == min(counts)]


def close_call(card: str, reading: TableReading) -> Doubt:
    """The doubt that a card lies just at a limit."""
    corners = next((seen.corners for seen in reading.cards if seen.card.id == card), None)
    return Doubt(DoubtReason.CLOSE_CALL, card, corners=corners)


def doubted(ruling: Ruling, doubts: Sequence[Doubt]) -> Ruling:
    """The ruling with further doubts; with any it is undetermined."""
    known = {(doubt.card, doubt.corners, doubt.reason) for doubt in ruling.doubtful}
    fresh = [doubt for doubt in doubts if (doubt.card, doubt.corners, doubt.reason) not in known]
    if not fresh:
        return ruling
    return dataclasses.replace(ruling, outcome=Outcome.UNDETERMINED, doubtful=(*ruling.doubtful, *fresh))


def carried(standing: Standing, registration: Registration, width: float) -> Standing:
    """A standing as if seen from another photograph."""
    table = _mapped(standing.table.cards, registration, width)
    rightful = _mapped(standing.rightful.values(), registration, width)
    return dataclasses.replace(
        standing,
        table=standing.table.model_copy(update={"cards": table}),
        rightful=dict(zip(standing.rightful, rightful, strict=True)),
    )


def _mapped(cards: Iterable[PlacedCard], registration: Registration, width: float) -> tuple[PlacedCard, ...]:
    cards = tuple(cards)
    if not cards:
        return ()
    poses = registration.apply(np.array([pose_of(CardReading(card), width) for card in cards]))
    return tuple(placed_at(card, pose, width) for card, pose in zip(cards, poses, strict=True))


def under_new_names(
    checked: CheckedPhoto, names: dict[str, str], reading: TableReading, ruling: Ruling, remembered: Sequence[str] = ()
) -> CheckedPhoto:
    """The checked photograph under its new names, settled readings and cards that are not seen included."""
    layout = layout_of(reading)
    by_id = layout.by_id
    cards = []
    for card in checked.cards:
        name = names.get(card.id, card.id)
        cards.append(dataclasses.replace(card, id=name, face=by_id[name].face if name in by_id else card.face))
    seen_now = {card.id for card in cards}
    for seen in likely_cards(reading):
        if seen.card.id not in seen_now and seen.corners is not None:
            confidence = REMEMBERED if seen.card.id in remembered else PERHAPS
            corners = np.array(seen.corners)
            cards.append(SeenCard(seen.card.id, by_id[seen.card.id].face, corners, confidence, None, 1.0))
    return dataclasses.replace(checked, cards=tuple(cards), layout=layout, ruling=ruling, reading=reading)


class Sight:
    """One photograph, to look again at single places in it."""

    def __init__(self, checked: CheckedPhoto, reading: TableReading, deck: Deck) -> None:
        self._checked = checked
        self._pyramid: Pyramid | None = None
        self._table: SeenTable | None = checked.view.found.seen
        self._deck = deck
        self._linear, self._shift, self._turn = np.eye(2), np.zeros(2), 0.0
        sure = [seen for seen in reading.cards if seen.corners is not None]
        plane = checked.view.plane
        if sure and plane is not None:
            # The layout's millimetres are the plane's units, turned and shifted: any card shows how.
            there = plane.poses(np.array([seen.corners for seen in sure]))
            here = np.array([pose_of(seen, deck.card_mm[0]) for seen in sure])
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

    def may_lie_at(self, corners: Doubles, faces: Collection[str], expected: bool = True) -> bool:
        """Whether a card that is not seen may lie there all the same: out of the picture, under a hand, or too much
        like what is there.

        expected: whether it ought to lie there; one that ought not is not looked for beyond the picture's edge.
        """
        view = self._checked.view
        if view.plane is None:
            return False
        if share_inside(corners, view.size) < INSIDE:
            return expected
        rejected = view.found.rejected.corners
        side = float(np.linalg.norm(corners[1] - corners[0]))
        if len(rejected) and float(np.hypot(*(rejected.mean(axis=1) - corners.mean(axis=0)).T).min()) < 0.3 * side:
            return True
        table = self._seen_table()
        if table is not None and is_hidden(view.plane, corners, view.found.cards, table):
            return True
        return may_still_lie(self._picture(), face_bank(self._deck), corners, faces)

    def unlike_table(self, corners: Doubles) -> float:
        """Which share of what shows of a place (4, 2) px, beside the cards that are seen there, is no table (0..1); NaN
        if nobody knows."""
        view, table = self._checked.view, self._seen_table()
        if view.plane is None or table is None or share_inside(corners, view.size) < INSIDE:
            return math.nan
        return unlike_table(view.plane, corners, view.found.cards, table)

    def _picture(self) -> Pyramid:
        if self._pyramid is None:
            self._pyramid = Pyramid.of(self._checked.photo.pixels)
        return self._pyramid

    def _seen_table(self) -> SeenTable | None:
        view = self._checked.view
        if self._table is None and view.plane is not None and len(view.found.cards):
            self._table = SeenTable.of(self._picture(), view.plane, view.found.cards)
        return self._table
