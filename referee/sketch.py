"""The picture while it is being drawn: canvas, where the cards are in it, and labels of one size for all games."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee import drawing, texts
from referee.drawing import Colour, Doubles, Pixels
from referee.export import numbering_of, retakes_of
from referee.layouts import PlacedCard
from referee.messages import Messages
from referee.pipeline import CheckedPhoto
from referee.retake import Retake

LEAST_TEXT = 15.0
"""Smallest height of letters in pixels."""
LONG_SIDE = 2400
"""Long side in pixels above which the picture is made smaller, as far as `CARD_SIDE` allows."""
CARD_SIDE = 130.0
"""Side in pixels that a card must have for what is written on it; the picture is enlarged for it if need be."""
LONGEST_SIDE = 3600
"""Long side in pixels beyond which no picture is enlarged."""


class Sketch:
    """One picture. canvas: (H, W, 3) uint8 BGR, a copy of the photograph; quads: (4, 2) px in it by card id."""

    def __init__(self, checked: CheckedPhoto, messages: Messages) -> None:
        pixels = checked.photo.pixels
        self.scale = _scale(pixels.shape[:2], [card.corners for card in checked.cards])
        size = (round(pixels.shape[1] * self.scale), round(pixels.shape[0] * self.scale))
        self.canvas: Pixels = pixels.copy()
        if self.scale != 1.0:
            way = cv2.INTER_AREA if self.scale < 1.0 else cv2.INTER_CUBIC
            self.canvas = np.asarray(cv2.resize(pixels, size, interpolation=way), dtype=np.uint8)
        self.checked = checked
        self.ruling = checked.ruling
        self.messages = messages
        self.say = messages.text
        self.numbering = numbering_of(checked)
        self.retakes = retakes_of(checked)
        self.quads: dict[str, Doubles] = {card.id: card.corners * self.scale for card in checked.cards}

    def on_card(self, card: str, points: Doubles) -> Doubles:
        """Points (N, 2) on a card, (0, 0) its face's own top left and (1, 1) bottom right -> pixels (N, 2)."""
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        homography = cv2.getPerspectiveTransform(square, self.quads[card].astype(np.float32))
        return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], homography)[0])

    def seen(self, cards: Sequence[PlacedCard]) -> list[PlacedCard]:
        """Those of the cards that have a place in the picture."""
        return [card for card in cards if card.id in self.quads]

    def label(
        self,
        words: str,
        spot: Doubles,
        quad: Doubles,
        ink: Colour = drawing.BLACK,
        ground: Colour = drawing.WHITE,
        grow: float = 1.0,
    ) -> None:
        """Words on a plate, as large as suits a card at `quad` (4, 2) px."""
        size = max(grow * 0.17 * side_of(quad), LEAST_TEXT)
        rim = drawing.BLACK if ground in (drawing.WHITE, drawing.YELLOW) else drawing.WHITE
        drawing.label(self.canvas, words, spot, size, ink, ground, rim)

    def retake(self, retake: Retake) -> None:
        """A warning sign where the picture is to blame, in its middle if it is so as a whole."""
        words = self.say(texts.RETAKE_SIGNS[retake.reason])
        height, width = self.canvas.shape[:2]
        if retake.corners is None:
            size = max(width, height) / 30
            middle = np.array([width / 2, height / 2])
            drawing.warning_sign(self.canvas, middle - np.array([0, 2 * size]), 3 * size)
            drawing.label(self.canvas, words, middle + np.array([0, 0.6 * size]), size, drawing.BLACK, drawing.YELLOW)
            return
        quad = np.array(retake.corners) * self.scale
        size = max(0.3 * side_of(quad), 1.4 * LEAST_TEXT)
        limit = np.array([width, height]) - 0.7 * size
        spot = np.clip(spot_on(quad, 0.5, 0.5), 0.7 * size, limit)
        drawing.warning_sign(self.canvas, spot, size)
        self.label(words, spot + np.array([0, 0.95 * size]), quad, drawing.BLACK, drawing.YELLOW, grow=0.9)


def _scale(shape: tuple[int, ...], quads: list[Doubles]) -> float:
    """How much the photograph is made smaller or larger to be drawn into."""
    long_side = max(shape)
    scale = min(1.0, LONG_SIDE / long_side)
    if quads:
        scale = max(scale, min(CARD_SIDE / float(np.median([side_of(q) for q in quads])), LONGEST_SIDE / long_side))
    return scale


def side_of(quad: Doubles) -> float:
    """Mean length in pixels of a card's shorter pair of sides."""
    lengths = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(min(lengths[[0, 2]].mean(), lengths[[1, 3]].mean()))


def line_of(quad: Doubles) -> float:
    """Width of outlines for a card of this size."""
    return max(2.0, 0.035 * side_of(quad))


def shrunk(quad: Doubles, share: float) -> Doubles:
    """The quad (4, 2) made smaller (or larger) about its middle."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + share * (quad - middle))


def spot_on(quad: Doubles, across: float, down: float) -> Doubles:
    """A place on a card as people see it in the photo: (0, 0) is its upper left corner there."""
    order = np.roll(quad, -int(np.argmin(quad.sum(axis=1))), axis=0)
    top = order[0] + across * (order[1] - order[0])
    bottom = order[3] + across * (order[2] - order[3])
    return np.asarray(top + down * (bottom - top))
