"""What people corrected on a live table holds for as long as the camera reads the same there again."""

from __future__ import annotations

import dataclasses

from referee.certainty import CardReading, doubt_what_is_missing, rule_on
from referee.decks import Deck
from referee.layouts import Layout
from referee.options import Options
from referee.pipeline import CheckedPhoto, frame_of
from referee.validation import Name, Value
from web.tables.reading import Corners, Reading
from web.tables.state import State, is_near


class Correction(Value):
    """A card that was read as `read` and is `real`, or no card at all (None)."""

    corners: Corners
    read: Name
    real: Name | None


def corrections_of(reading: Reading, state: State) -> tuple[Correction, ...]:
    """What people made of a reading, as far as it can be known again: other faces, and cards that are none."""
    left = {card.id: card.face for card in state.cards}
    return tuple(
        Correction(corners=card.corners, read=card.face, real=left.get(card.id))
        for card in reading.cards
        if card.is_card and left.get(card.id) != card.face
    )


def merged(old: tuple[Correction, ...], new: tuple[Correction, ...]) -> tuple[Correction, ...]:
    """The newer one where two speak of one place."""
    kept = [c for c in old if not any(is_near(c.corners, other.corners) for other in new)]
    return (*kept, *new)


def corrected(checked: CheckedPhoto, corrections: tuple[Correction, ...], deck: Deck, options: Options) -> CheckedPhoto:
    """A fresh frame with the corrections that still hold; it is judged anew."""
    if checked.reading is None or not corrections:
        return checked
    wanted: dict[str, Correction] = {}
    for seen in checked.reading.cards:
        if seen.corners is None:
            continue
        corners = tuple((float(x), float(y)) for x, y in seen.corners)
        for correction in corrections:
            if correction.read == seen.card.face and is_near(correction.corners, corners):
                wanted[seen.card.id] = correction
    if not wanted:
        return checked
    readings: list[CardReading] = []
    for seen in checked.reading.cards:
        known = wanted.get(seen.card.id)
        if known is None:
            readings.append(seen)
        elif known.real is not None:
            readings.append(CardReading(seen.card.model_copy(update={"face": known.real}), (), seen.corners))
    real = {card: known.real for card, known in wanted.items()}
    cards = []
    for card in checked.cards:
        face = real.get(card.id, card.face)
        if face is not None:
            cards.append(dataclasses.replace(card, face=face, confidence=1.0 if card.id in real else card.confidence))
    table = dataclasses.replace(checked.reading, cards=tuple(readings))
    laid = tuple(r.card for r in readings if r.ranked[0].face is not None)
    layout = Layout(name=table.name, game=deck.game, cards=laid, table=table.table)
    ruling = doubt_what_is_missing(rule_on(table, deck, options), len(layout.cards), frame_of(checked.view.size))
    return dataclasses.replace(checked, cards=tuple(cards), layout=layout, ruling=ruling, reading=table)
