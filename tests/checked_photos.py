"""Checked photographs without a camera: a drawn table laid into a plain picture, as if it had been read from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from referee.certainty import doubt_what_is_missing
from referee.decks import Deck
from referee.games import judge
from referee.layouts import Layout
from referee.pipeline import CheckedPhoto, SeenCard, frame_of
from referee.rulebook import RetakeReason
from referee.verdicts import Doubt, Outcome, Ruling
from referee.vision.align import Doubles
from referee.vision.decode import Photo
from referee.vision.detect import Found
from referee.vision.plane import card_corners
from referee.vision.quality import Trouble
from referee.vision.read import TableView
from referee.vision.verify import Detections

SIDE = 120.0
"""Of a card, pixels."""
GROUND = (90, 120, 150)
"""Colour of the table, BGR."""


def photographed(
    layout: Layout,
    deck: Deck,
    doubts: Sequence[Doubt] = (),
    troubles: Sequence[tuple[RetakeReason, Doubles | str | None]] = (),
    scale: float = 1.0,
) -> CheckedPhoto:
    """A table as seen from above. `troubles`: with a card's id, a place (4, 2) px, or the whole picture."""
    corners = corners_in_picture(layout, deck)
    extent = np.concatenate([*corners.values(), np.array([[300.0, 200.0]])]).max(axis=0) + SIDE
    pixels = np.full((int(extent[1]), int(extent[0]), 3), GROUND, np.uint8)
    size = (pixels.shape[1], pixels.shape[0])
    cards = tuple(SeenCard(c.id, c.face, corners[c.id], 0.9, None, 1.0) for c in layout.cards)
    blamed = tuple(Trouble(reason, corners[place] if isinstance(place, str) else place) for reason, place in troubles)
    view = TableView(size, None, (), (), (), blamed, Found(Detections.none(), None, Detections.none()))
    ruling = doubt_what_is_missing(judge(layout, deck), len(cards), frame_of(size))
    return CheckedPhoto(
        Photo("kitchen.jpg", pixels, scale), deck, view, cards, layout, _doubted(ruling, doubts), {"judge": 0.1}
    )


def _doubted(ruling: Ruling, doubts: Sequence[Doubt]) -> Ruling:
    if not doubts:
        return ruling
    doubtful = (*ruling.doubtful, *doubts)
    return dataclasses.replace(ruling, outcome=Outcome.UNDETERMINED, doubtful=doubtful)


def corners_in_picture(layout: Layout, deck: Deck) -> dict[str, Doubles]:
    """(4, 2) px for each card."""
    width, height = deck.card_mm
    if not layout.cards:
        return {}
    poses = np.array([[c.x / width, c.y / width, np.deg2rad(c.turn)] for c in layout.cards])
    corners = card_corners(poses, height / width) * SIDE
    corners -= corners.reshape(-1, 2).min(axis=0) - SIDE
    return {card.id: quad for card, quad in zip(layout.cards, corners, strict=True)}
