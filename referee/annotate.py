"""The photograph with the verdict drawn into it: routes, numbers, points, what lies wrong and what is unsure.

- A right card has a whole outline and its number along the route (1.1, 1.2 ...); arrows lead from card to card;
  the points of each card and, at the Start, their sum are written on it.
- The card with which something goes wrong is hatched and crossed out; every other card that goes back has a bent
  arrow. Their outlines are vermillion.
- What is unsure has a dashed outline and a question mark, and a warning sign where the picture is to blame.
- The heap is left alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from referee import drawing, texts
from referee.decks import ArrowFace
from referee.drawing import Colour, Doubles, Pixels
from referee.export import numbering_of, retakes_of
from referee.messages import Messages
from referee.numbering import OF_THE_WHOLE
from referee.pipeline import CheckedPhoto
from referee.retake import Retake
from referee.rulebook import Violation
from referee.sequence import MoveAnswer
from referee.verdicts import Route, RoutesVerdict, Ruling

ROUTE_COLOURS: tuple[Colour, ...] = (drawing.BLUE, drawing.GREEN, drawing.PURPLE, drawing.SKY)
"""In the order of the routes; a fifth starts again. Their numbers differ as well."""
LEAST_TEXT = 15.0
"""Smallest height of letters in pixels."""
LONG_SIDE = 2400
"""Long side in pixels above which the picture is made smaller, as far as `CARD_SIDE` allows."""
CARD_SIDE = 130.0
"""Side in pixels that a card must have for what is written on it; the picture is enlarged for it if need be."""
LONGEST_SIDE = 3600
"""Long side in pixels beyond which no picture is enlarged."""


def annotate(checked: CheckedPhoto, messages: Messages | None = None, move: MoveAnswer | None = None) -> Pixels:  # noqa: ARG001
    """A new picture (H, W, 3) uint8 BGR, upright, the photograph stays as it is.

    `messages`: the language of the few words in it (English by default).
    """
    return _Annotation(checked, messages or Messages()).draw()


@dataclass(frozen=True, slots=True)
class _Standing:
    """How a card stands: the number of its route (None without), whether something went wrong with it first,
    whether it goes back."""

    route: int | None
    wrong: bool
    back: bool


class _Annotation:
    """One picture while it is being drawn."""

    def __init__(self, checked: CheckedPhoto, messages: Messages) -> None:
        pixels = checked.photo.pixels
        self._scale = _scale(pixels.shape[:2], [card.corners for card in checked.cards])
        size = (round(pixels.shape[1] * self._scale), round(pixels.shape[0] * self._scale))
        self._canvas: Pixels = pixels.copy()
        if self._scale != 1.0:
            way = cv2.INTER_AREA if self._scale < 1.0 else cv2.INTER_CUBIC
            self._canvas = np.asarray(cv2.resize(pixels, size, interpolation=way), dtype=np.uint8)
        self._checked = checked
        self._say = messages.text
        self._numbering = numbering_of(checked)
        self._retakes = retakes_of(checked)
        self._quads: dict[str, Doubles] = {card.id: card.corners * self._scale for card in checked.cards}
        self._blamed = {retake.card for retake in self._retakes}

    def draw(self) -> Pixels:
        ruling = self._checked.ruling
        standings = dict(_standings(ruling, self._numbering.cards))
        unsure = {doubt.card for doubt in ruling.doubtful if doubt.card is not None}
        drawn = [card for card in self._quads if card in self._numbering.cards]
        if any(doubt.reason in OF_THE_WHOLE for doubt in ruling.doubtful):
            standings, unsure = {}, set(drawn)
        for card in drawn:
            self._outline(card, standings.get(card, _Standing(None, False, False)), card in unsure)
        places = [(np.array(corners) * self._scale, name) for corners, name in self._numbering.places.items()]
        for quad, _ in places:
            drawing.dashed(self._canvas, quad, drawing.YELLOW, _line(quad), 0.12 * _side(quad))
        if isinstance(ruling.verdict, RoutesVerdict):
            for number, route in enumerate(ruling.verdict.routes):
                self._arrows(route, _route_colour(number))
        for card in drawn:
            self._name(card, standings.get(card, _Standing(None, False, False)), card in unsure)
        for quad, name in places:
            self._label(name, _spot(quad, 0.22, 0.17), quad, drawing.BLACK, drawing.YELLOW)
        if isinstance(ruling.verdict, RoutesVerdict):
            for number, route in enumerate(ruling.verdict.routes):
                self._points(route, _route_colour(number))
        for retake in self._retakes:
            self._retake(retake)
        return self._canvas

    def _outline(self, card: str, standing: _Standing, unsure: bool) -> None:
        quad = self._quads[card]
        line = _line(quad)
        inner = _shrunk(quad, 0.97)
        colour = _route_colour(standing.route)
        if standing.wrong or standing.back:
            colour = drawing.VERMILLION
        if standing.wrong:
            drawing.hatch(self._canvas, inner, colour, max(1.0, 0.35 * line))
            drawing.cross(self._canvas, inner, colour, 1.6 * line)
        if unsure:
            drawing.dashed(self._canvas, inner, drawing.YELLOW, 1.2 * line, 0.12 * _side(quad))
        else:
            drawing.outline(self._canvas, inner, colour, line)

    def _arrows(self, route: Route, colour: Colour) -> None:
        """An arrow over each border between a card of the route and the next."""
        quads = [self._quads[card] for card in (route.start, *route.valid) if card in self._quads]
        for here, there in itertools.pairwise(quads):
            start, end = here.mean(axis=0), there.mean(axis=0)
            drawing.arrow(
                self._canvas, start + 0.33 * (end - start), start + 0.72 * (end - start), colour, 0.1 * _side(here)
            )

    def _name(self, card: str, standing: _Standing, unsure: bool) -> None:
        quad = self._quads[card]
        name = self._numbering.cards[card]
        ground, ink = _route_colour(standing.route), drawing.WHITE
        if standing.wrong or standing.back:
            ground = drawing.VERMILLION
        if unsure:
            name, ground, ink = f"{name} ?", drawing.YELLOW, drawing.BLACK
        self._label(name, _spot(quad, 0.22, 0.17), quad, ink, ground)
        if standing.back:
            size = max(0.34 * _side(quad), 1.5 * LEAST_TEXT)
            drawing.back_arrow(self._canvas, _spot(quad, 0.8, 0.2), size, drawing.VERMILLION)

    def _points(self, route: Route, colour: Colour) -> None:
        """The points of each right card, and their sum below the middle of the Start."""
        faces = {card.id: card.face for card in self._checked.layout.cards}
        for card in route.valid:
            face = self._checked.deck.face(faces[card])
            if card in self._quads and card not in self._blamed and isinstance(face, ArrowFace):
                quad = self._quads[card]
                self._label(f"+{face.points}", _spot(quad, 0.8, 0.84), quad, drawing.BLACK, drawing.WHITE)
        if route.start in self._quads:
            quad = self._quads[route.start]
            words = self._say(texts.POINTS, route.points)
            self._label(words, _spot(quad, 0.5, 0.84), quad, drawing.WHITE, colour, grow=1.15)

    def _retake(self, retake: Retake) -> None:
        words = self._say(texts.RETAKE_SIGNS[retake.reason])
        height, width = self._canvas.shape[:2]
        if retake.corners is None:
            size = max(width, height) / 30
            middle = np.array([width / 2, height / 2])
            drawing.warning_sign(self._canvas, middle - np.array([0, 2 * size]), 3 * size)
            drawing.label(self._canvas, words, middle + np.array([0, 0.6 * size]), size, drawing.BLACK, drawing.YELLOW)
            return
        quad = np.array(retake.corners) * self._scale
        size = max(0.3 * _side(quad), 1.4 * LEAST_TEXT)
        limit = np.array([width, height]) - 0.7 * size
        spot = np.clip(_spot(quad, 0.5, 0.5), 0.7 * size, limit)
        drawing.warning_sign(self._canvas, spot, size)
        self._label(words, spot + np.array([0, 0.95 * size]), quad, drawing.BLACK, drawing.YELLOW, grow=0.9)

    def _label(self, words: str, spot: Doubles, quad: Doubles, ink: Colour, ground: Colour, grow: float = 1.0) -> None:
        size = max(grow * 0.17 * _side(quad), LEAST_TEXT)
        rim = drawing.BLACK if ground in (drawing.WHITE, drawing.YELLOW) else drawing.WHITE
        drawing.label(self._canvas, words, spot, size, ink, ground, rim)


def _standings(ruling: Ruling, names: Mapping[str, str]) -> Iterator[tuple[str, _Standing]]:
    verdict = ruling.verdict
    routes: dict[str, int] = {}
    back: set[str] = set()
    if isinstance(verdict, RoutesVerdict):
        back = set(verdict.returned)
        for number, route in enumerate(verdict.routes):
            routes.update(dict.fromkeys((route.start, *route.valid), number))
    wrong = set(ruling.first_wrong)
    wrong |= {card for fault in ruling.faults if fault.rule in _ALL_AT_FAULT for card in fault.cards}
    for card in names:
        yield card, _Standing(routes.get(card), card in wrong, card in back)


_ALL_AT_FAULT = (
    Violation.TWO_FINISHES,
    Violation.MISMATCH,
    Violation.SHOVED,
    Violation.BOX_LONG_TO_SHORT,
    Violation.BOX_NOT_FLUSH,
    Violation.BOX_OVERLAP,
    Violation.START_BY_LONG_SIDE,
)
"""Faults in which no card is more to blame than the others."""


def _route_colour(number: int | None) -> Colour:
    return drawing.GREEN if number is None else ROUTE_COLOURS[number % len(ROUTE_COLOURS)]


def _scale(shape: tuple[int, ...], quads: list[Doubles]) -> float:
    """How much the photograph is made smaller or larger to be drawn into."""
    long_side = max(shape)
    scale = min(1.0, LONG_SIDE / long_side)
    if quads:
        scale = max(scale, min(CARD_SIDE / float(np.median([_side(q) for q in quads])), LONGEST_SIDE / long_side))
    return scale


def _side(quad: Doubles) -> float:
    """Mean length in pixels of a card's shorter pair of sides."""
    lengths = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(min(lengths[[0, 2]].mean(), lengths[[1, 3]].mean()))


def _line(quad: Doubles) -> float:
    """Width of outlines for a card of this size."""
    return max(2.0, 0.035 * _side(quad))


def _shrunk(quad: Doubles, share: float) -> Doubles:
    middle = quad.mean(axis=0)
    return np.asarray(middle + share * (quad - middle))


def _spot(quad: Doubles, across: float, down: float) -> Doubles:
    """A place on a card as people see it in the photo: (0, 0) is its upper left corner there."""
    order = np.roll(quad, -int(np.argmin(quad.sum(axis=1))), axis=0)
    top = order[0] + across * (order[1] - order[0])
    bottom = order[3] + across * (order[2] - order[3])
    return np.asarray(top + down * (bottom - top))
