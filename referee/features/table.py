"""One photograph of a deck without pictures: cards found by their shape, read by what is drawn on them.

Nothing of the deck's art is known, so there is less to be sure by: a card under another is open, and so is every place
where the picture is unlike the table and no card was found.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.decks import Deck
from referee.features.reading import Likeness, read_cards
from referee.features.rectified import rectified
from referee.vision.align import Doubles, Pixels, Pyramid
from referee.vision.covering import overlaps
from referee.vision.decode import Photo
from referee.vision.detect import Found
from referee.vision.find import FoundCard, find_cards
from referee.vision.find_agree import oriented
from referee.vision.find_quads import unlike_the_rim
from referee.vision.find_surface import Surface
from referee.vision.plane import Bools, Plane, agreed_plane
from referee.vision.quality import Suspect, troubles_of
from referee.vision.read import Stopwatch, TableView
from referee.vision.recognise import SURE_MARGIN, Candidate, CardReading
from referee.vision.verify import Detections

SHORT_SIDE = 256
"""Pixels of a squared-up card's short side."""
SURELY_A_CARD = 0.5
"""Confidence below which what was found may be no card."""
OVERLAP = 0.04
"""Share of a card under another from which on what it shows is not certain."""
DAMPED = 0.5
"""Power of a rival's share of belief: the readers are surer of themselves than they are right (of cards laid by
somebody else, wrong readings reached 0.93 without it, 0.74 with it)."""
MOST_RIVALS = 12
"""Other readings of a card that are kept."""
PART = 0.2
"""Share of a card's area that shows somewhere in other colours than the table's for a card to be suspected there."""
NARROW = 0.45
"""What is narrower than this, in card sides, is a rim or a shadow."""
GROWN = 1.08
"""How much larger than a card what lies around it counts as its own."""
LONG_SIDE = 1280
"""Long side in pixels of the picture in which is looked for such places."""


def read_features(
    photo: Photo, deck: Deck, watch: Stopwatch | None = None, before: TableView | None = None
) -> TableView:
    """As `read_table`, for a deck whose faces have no pictures. `before` is of no use here."""
    del before
    watch = watch or Stopwatch()
    pyramid = Pyramid.of(photo.pixels)
    watch.lap("pyramid")
    aspect = max(deck.card_mm) / min(deck.card_mm)
    cards = find_cards(photo.pixels, aspect)
    plane, corners, flat = _plane_of(cards, aspect, pyramid.size)
    watch.lap("find")
    readings, open_ = ((), ()) if plane is None else _readings(photo.pixels, deck, plane, corners, cards, flat)
    watch.lap("recognise")
    suspects = () if plane is None else _suspects(photo.pixels, plane, corners)
    troubles = troubles_of(pyramid, readings, suspects)
    watch.lap("doubt")
    found = Found(_detections(readings), plane, Detections.none())
    return TableView(pyramid.size, plane, readings, open_, suspects, troubles, found)


def _plane_of(cards: Sequence[FoundCard], aspect: float, size: tuple[int, int]) -> tuple[Plane | None, Doubles, Bools]:
    """The plane of the cards, their corners (N, 4, 2), a short side first, and which of them lie in it."""
    corners = oriented(np.array([card.corners for card in cards]).reshape(-1, 4, 2), None, aspect)
    fitted = agreed_plane(corners, np.array([card.confidence for card in cards]), aspect, size)
    if fitted is None:
        return None, corners, np.zeros(len(cards), bool)
    return fitted[0], oriented(corners, fitted[0], aspect), fitted[1]


def _readings(
    image: Pixels, deck: Deck, plane: Plane, corners: Doubles, cards: Sequence[FoundCard], flat: Bools
) -> tuple[tuple[CardReading, ...], tuple[bool, ...]]:
    """What each card shows, and whether it may be no card of the deck at all; flat: (N,) which lie in the plane."""
    size = (SHORT_SIDE, round(SHORT_SIDE * plane.aspect))
    likely = read_cards([rectified(image, quad, size) for quad in corners], deck)
    under = _under_others(plane, corners)
    faces = {face.id: number for number, face in enumerate(deck.faces)}
    out, foreign = [], []
    for quad, each, card, hidden, in_plane in zip(corners, likely, cards, under, flat, strict=True):
        doubtful = card.confidence < SURELY_A_CARD or not bool(in_plane)
        open_ = hidden > OVERLAP or doubtful
        reading = _reading(quad, each, faces, card.confidence, 1 - float(hidden), open_)
        out.append(reading)
        foreign.append(doubtful or _fits_nothing(each, reading))
    return tuple(out), tuple(foreign)


def _fits_nothing(likely: Sequence[Likeness], reading: CardReading) -> bool:
    """Whether a card is like so many faces that it is like none: a back, or a card of another game."""
    return len(likely) > MOST_RIVALS + 1 and all(c.margin < SURE_MARGIN for c in reading.candidates)


def _reading(
    quad: Doubles, likely: Sequence[Likeness], faces: dict[str, int], score: float, visible: float, open_: bool
) -> CardReading:
    """A card with all that it may be; the margin of a rival is how much less it is believed (0..1), damped."""
    best = likely[0]
    rivals = [
        Candidate(
            faces[each.face],
            (each.turn - best.turn) % 4,
            score * each.belief,
            0.0 if open_ else 1 - (each.belief / max(best.belief, 1e-9)) ** DAMPED,
        )
        for each in likely[1 : MOST_RIVALS + 1]
    ]
    nearest = min((rival.margin for rival in rivals), default=0.0 if open_ else 1.0)
    first = Candidate(faces[best.face], 0, score, nearest)
    return CardReading(np.roll(quad, -best.turn, axis=0), (first, *rivals), 1.0, visible)


def _under_others(plane: Plane, corners: Doubles) -> Doubles:
    """(N,) share of each card that another one shares, whichever lies on top."""
    poses = plane.poses(corners)
    share = overlaps(poses, poses, plane.aspect)
    np.fill_diagonal(share, 0)
    return np.asarray(share.sum(axis=1))


def _suspects(image: Pixels, plane: Plane, corners: Doubles) -> tuple[Suspect, ...]:
    """Places where something as large as a good part of a card lies on the table that was not read."""
    scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    strange = (Surface.of(small, unlike_the_rim(small)).rare > 0).astype(np.uint8)
    middle = corners.mean(axis=1, keepdims=True)
    for quad in (corners - middle) * GROWN + middle:
        cv2.fillConvexPoly(strange, np.round(quad * scale).astype(np.int32), 0)
    side = float(np.median(plane.side_at(corners.mean(axis=1)))) * scale
    width = max(3, round(NARROW * side))
    strange = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((width, width), np.uint8)), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=4)
    found = []
    for x, y, w, h, area in stats[1:].tolist():
        if area > PART * side * side * plane.aspect:
            place = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float64) / scale
            found.append(Suspect(place, None, 0.0))
    return tuple(found)


def _detections(readings: Sequence[CardReading]) -> Detections:
    if not readings:
        return Detections.none()
    faces: NDArray[np.intp] = np.array([reading.face for reading in readings], np.intp)
    scores = np.array([reading.score for reading in readings], np.float32)
    visible = np.array([reading.visible for reading in readings], np.float32)
    return Detections(np.array([reading.corners for reading in readings]), faces, scores, visible)
