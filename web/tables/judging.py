"""A table as people left it, judged: by rules only, nothing is read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referee.certainty import CardReading as PlacedReading
from referee.certainty import TableReading, doubt_what_is_missing, rule_on
from referee.decks import Deck
from referee.explain import Sentence, explain
from referee.export import answer_of, numbering_of, sentences_of
from referee.followed import doubted
from referee.games import judge
from referee.layouts import Layout, PlacedCard
from referee.messages import Messages
from referee.numbering import Numbering, number
from referee.options import Options
from referee.pipeline import CheckedPhoto, SeenCard, edges_of, frame_of, lay_out
from referee.rulebook import DoubtReason
from referee.verdicts import Doubt, Ruling
from referee.vision.align import Doubles
from referee.vision.decode import Photo
from referee.vision.detect import Found
from referee.vision.fixed_table import TableTop
from referee.vision.plane import Plane, fit_plane
from referee.vision.quality import Suspect, Trouble
from referee.vision.read import TableView
from referee.vision.verify import Detections
from web.photos import NAME
from web.tables.reading import Corners, ReadCard, Reading
from web.tables.state import State, is_as_read, is_near


@dataclass(frozen=True, slots=True, eq=False)
class JudgedTable:
    """A table and what the referee says of it.

    by_hand: ids of the cards that people changed, added or confirmed. places: where perhaps a card lies, still open.
    checked: for a photograph, the form that the pipeline itself would give. outlines: where the cards are in a picture
    of which only the layout was kept, px.
    """

    deck: Deck
    layout: Layout
    ruling: Ruling
    numbering: Numbering
    by_hand: frozenset[str]
    places: tuple[ReadCard, ...] = ()
    checked: CheckedPhoto | None = None
    plane: Plane | None = None
    outlines: Mapping[str, Corners] = field(default_factory=dict)

    @property
    def seen(self) -> dict[str, Doubles]:
        """(4, 2) px the corners of each card in the picture; none of a table without one."""
        if self.checked is not None:
            return {card.id: card.corners for card in self.checked.cards}
        return {card: np.array(corners) for card, corners in self.outlines.items()}

    def sentences(self, messages: Messages) -> tuple[Sentence, ...]:
        """All that there is to say."""
        if self.checked is not None:
            return sentences_of(self.checked, messages)
        return explain(self.ruling, self.layout, self.deck, messages, self.numbering.cards, self.numbering.places)

    def answer(self, messages: Messages) -> dict[str, Any]:
        """The contract's answer."""
        if self.checked is not None:
            return answer_of(self.checked, messages)
        return self.ruling.to_dict([sentence.text for sentence in self.sentences(messages)])


def judge_table(reading: Reading | None, state: State, deck: Deck, options: Options) -> JudgedTable:
    """Judge a table as people left it. Raises LayoutError as `judge` does."""
    return _judge_laid(state, deck, options) if reading is None else _judge_read(reading, state, deck, options)


def _judge_laid(state: State, deck: Deck, options: Options) -> JudgedTable:
    cards = tuple(
        PlacedCard(id=card.id, face=card.face, x=card.x or 0.0, y=card.y or 0.0, turn=card.turn) for card in state.cards
    )
    order = tuple(card.id for card in cards) if state.ordered else None
    layout = Layout(game=deck.game, cards=cards, order=order)
    ruling = judge(layout, deck, options)
    return JudgedTable(deck, layout, ruling, number(ruling, layout), frozenset(layout.by_id))


def _judge_read(reading: Reading, state: State, deck: Deck, options: Options) -> JudgedTable:
    read = {card.id: card for card in reading.cards}
    by_hand = frozenset(card.id for card in state.cards if not is_as_read(card, reading))
    outlines = {
        card.id: card.corners if card.id in by_hand else read[card.id].corners
        for card in state.cards
        if card.corners is not None
    }
    places = tuple(
        card
        for card in reading.cards
        if not card.is_card
        and card.id not in state.dismissed
        and not any(is_near(card.corners, outlines[c]) for c in by_hand)
    )
    corners = np.array([*outlines.values(), *(place.corners for place in places)], dtype=float).reshape(-1, 4, 2)
    size = (reading.width, reading.height)
    plane = plane_of(reading, corners, deck)
    top = None if reading.top is None or reading.plane is None else reading.top.top()
    spots = positions(corners, plane, size, deck, top)
    seen: list[PlacedReading] = []
    told: list[SeenCard] = []
    for card, outline, spot in zip(state.cards, corners, spots, strict=False):
        placed = PlacedCard(id=card.id, face=card.face, x=float(spot[0]), y=float(spot[1]), turn=float(spot[2]))
        was = read.get(card.id)
        sure = card.id in by_hand or was is None
        alternatives = () if sure or was is None else tuple(a.to_alternative() for a in was.alternatives)
        seen.append(PlacedReading(placed, alternatives, _points(outline)))
        if sure or was is None:
            told.append(SeenCard(card.id, card.face, outline, 1.0, None, 1.0))
        else:
            told.append(SeenCard(card.id, card.face, outline, was.confidence, was.runner_up, was.margin))
    for place, spot in zip(places, spots[len(told) :], strict=True):
        moved = PlacedCard(id=place.id, face=place.face, x=float(spot[0]), y=float(spot[1]), turn=float(spot[2]))
        seen.append(PlacedReading(moved, tuple(a.to_alternative() for a in place.alternatives), place.corners))
    view = _view(reading, state, plane, top)
    table = TableReading(deck.game, tuple(seen), NAME, table=edges_of(view, deck))
    kept = tuple(s.card for s in seen if s.ranked[0].face is not None)
    layout = Layout(name=NAME, game=deck.game, cards=kept, table=table.table)
    ruling = doubt_what_is_missing(rule_on(table, deck, options), len(kept), frame_of(size))
    if reading.disputed:
        ruling = doubted(ruling, [Doubt(DoubtReason.READINGS_DIFFER, corners=frame_of(size))])
    checked = CheckedPhoto(
        Photo(NAME, np.empty((0, 0, 3), np.uint8), 1.0),
        deck,
        view,
        tuple(told),
        layout,
        ruling,
        dict(reading.seconds),
        table,
    )
    return JudgedTable(deck, layout, ruling, numbering_of(checked), by_hand, places, checked, plane)


def _points(outline: Doubles) -> Corners:
    return tuple((float(x), float(y)) for x, y in outline)


def _view(reading: Reading, state: State, plane: Plane | None, top: TableTop | None) -> TableView:
    """What is left of the reading to tell: advice about cards that were corrected is none any more."""
    dismissed = [card.corners for card in reading.cards if card.id in state.dismissed]
    settled = [c.corners for c in state.cards if c.corners is not None and not is_as_read(c, reading)]
    troubles = tuple(
        Trouble(t.kind, None if t.corners is None else np.array(t.corners))
        for t in reading.troubles
        if t.corners is None or not any(is_near(t.corners, other) for other in (*dismissed, *settled))
    )
    none = Detections.none()
    return TableView((reading.width, reading.height), plane, (), (), (), troubles, Found(none, None, none), top=top)


def plane_of(reading: Reading, corners: Doubles, deck: Deck) -> Plane | None:
    """The table's plane as it was read, else as the outlines (N, 4, 2) px that people gave tell it."""
    if reading.plane is not None:
        return reading.plane.plane()
    if not len(corners):
        return None
    aspect = deck.card_mm[1] / deck.card_mm[0]
    fitted = fit_plane(corners, aspect, (reading.width, reading.height), lens=False)
    if fitted is not None:
        return fitted[0]
    side = float(np.median(np.hypot(*(corners[:, 1] - corners[:, 0]).T)))
    return Plane(np.eye(3), np.zeros(2), side, 0.0, aspect, 0.0)


def positions(
    corners: Doubles, plane: Plane | None, size: tuple[int, int], deck: Deck, top: TableTop | None = None
) -> Doubles:
    """(N, 3) x, y in mm and turn in degrees of outlines (N, 4, 2) px; top: the measured table under them."""
    none = Detections.none()
    outlines = tuple(Suspect(outline, None, 0.0) for outline in corners)
    return lay_out(TableView(size, plane, (), (), outlines, (), Found(none, None, none), top=top), deck)
