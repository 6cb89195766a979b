"""Photographs -> cards squared up: found, turned upright, with a little of the table around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.outlines import beside, better_of, completed, convincing
from calibration.enrol.plain import Foreground, plain_cards
from referee.decks import Game
from referee.features.rectified import rectified
from referee.vision.decode import Photo
from referee.vision.find import FoundCard, find_cards

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

SHORT_SIDE = 256
"""Pixels of a squared-up card's short side."""
RIM = 0.05
"""Of the table around a card, in short sides."""
FOUND_HERE = 0.8
"""Confidence of a card that was found by its colour or in a gap between others."""
CARD_MM: dict[Game, tuple[float, float]] = {
    Game.CAT_AND_MOUSE: (64.0, 64.0),
    Game.COLOURED_PATHS: (60.0, 60.0),
    Game.IF_IT_FITS: (63.0, 88.0),
}
"""Width and height of an upright card where nobody says otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """One card of one photograph.

    photo: its number; corners: (4, 2) px of the file, clockwise from the top left of the upright card;
    rimmed: (h, w, 3) uint8 BGR, the card with `RIM` of the table around it; confidence: 0..1 that it is a card.
    """

    photo: int
    corners: Doubles
    rimmed: Pixels
    confidence: float

    @property
    def rim_px(self) -> int:
        return round(RIM * SHORT_SIDE)

    @property
    def card(self) -> Pixels:
        """(h, w, 3) the card alone, its short side `SHORT_SIDE`."""
        rim = self.rim_px
        return self.rimmed[rim:-rim, rim:-rim]

    @property
    def side_px(self) -> float:
        """Length of the short side in the photograph."""
        return float(min(np.linalg.norm(self.corners[k] - self.corners[k - 1]) for k in range(4)))


def crops_of(photo: Photo, number: int, card_mm: tuple[float, float]) -> list[Crop]:
    """The cards of a photograph, from the top row down, each row from the left."""
    aspect = max(card_mm) / min(card_mm)
    cards: Sequence[FoundCard] = ()
    table = Foreground.of(photo.pixels)
    outlines = completed(photo.pixels, plain_cards(table, aspect), aspect)
    if not convincing(photo.pixels, outlines) or table.is_left_beside(outlines):
        cards = find_cards(photo.pixels, aspect)
        corners = np.array([card.corners for card in cards]).reshape(-1, 4, 2)
        others = completed(photo.pixels, corners, aspect)
        more = beside(others, outlines)
        best = better_of(photo.pixels, others, outlines)
        if 0 < len(more) < len(others):
            both = completed(photo.pixels, np.concatenate([outlines, more]), aspect)
            best = better_of(photo.pixels, both, best)
        outlines = best
    found = [(upright(corners, card_mm), _confidence(corners, cards)) for corners in outlines]
    crops = [
        Crop(number, corners / photo.scale, square_up(photo.pixels, corners, card_mm), confidence)
        for corners, confidence in found
    ]
    return in_rows(crops)


def _confidence(corners: Doubles, cards: Sequence[FoundCard]) -> float:
    """That of the found card in the same place, if `find_cards` was asked."""
    middle = corners.mean(axis=0)
    side = float(np.linalg.norm(corners[1] - corners[0]))
    near = [card.confidence for card in cards if np.linalg.norm(card.corners.mean(axis=0) - middle) < 0.3 * side]
    return max(near, default=FOUND_HERE)


def upright(corners: Doubles, card_mm: tuple[float, float]) -> Doubles:
    """The corners (4, 2), clockwise, from the one at which the card's top begins if it is laid upright.

    The top is the side that is nearest to the top of the picture; of an oblong card a short one.
    """
    best = 0
    oblong = card_mm[1] > 1.05 * card_mm[0]
    sides = [float(np.linalg.norm(corners[(k + 1) % 4] - corners[k])) for k in range(4)]
    rating = []
    for k in range(4):
        along = corners[(k + 1) % 4] - corners[k]
        level = float(along[0]) / max(float(np.linalg.norm(along)), 1e-9)
        is_long = sides[k] + sides[(k + 2) % 4] > sides[(k + 1) % 4] + sides[(k + 3) % 4]
        rating.append(level - (2.0 if oblong and is_long else 0.0))
    best = int(np.argmax(rating))
    return np.roll(corners, -best, axis=0)


def square_up(image: Pixels, corners: Doubles, card_mm: tuple[float, float]) -> Pixels:
    """The card with its rim as in `Crop`. corners: (4, 2) px of the image (H, W, 3)."""
    return rectified(image, corners, size_px(card_mm), round(RIM * SHORT_SIDE))


def size_px(card_mm: tuple[float, float]) -> tuple[int, int]:
    """Width and height of a squared-up card."""
    scale = SHORT_SIDE / min(card_mm)
    return round(card_mm[0] * scale), round(card_mm[1] * scale)


def in_rows(crops: list[Crop]) -> list[Crop]:
    """From the top row down, each row from the left; cards nearly level are one row."""
    left = sorted(crops, key=lambda crop: float(crop.corners[:, 1].mean()))
    rows: list[list[Crop]] = []
    for crop in left:
        level = float(crop.corners[:, 1].mean())
        if rows and level - float(np.mean([c.corners[:, 1].mean() for c in rows[-1]])) < 0.5 * crop.side_px:
            rows[-1].append(crop)
        else:
            rows.append([crop])
    return [crop for row in rows for crop in sorted(row, key=lambda each: float(each.corners[:, 0].mean()))]
