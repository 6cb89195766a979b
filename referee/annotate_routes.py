"""Cat and Mouse in the picture: arrows from card to card of a route, the points of each and their sum at the Start."""

from __future__ import annotations

import itertools

from referee import drawing, texts
from referee.decks import ArrowFace
from referee.drawing import Colour
from referee.sketch import Sketch, side_of, spot_on
from referee.verdicts import Route, RoutesVerdict

ROUTE_COLOURS: tuple[Colour, ...] = (drawing.BLUE, drawing.GREEN, drawing.PURPLE, drawing.SKY)
"""In the order of the routes; a fifth starts again. Their numbers differ as well."""


def route_colour(number: int) -> Colour:
    """The colour of a route by its place in the verdict."""
    return ROUTE_COLOURS[number % len(ROUTE_COLOURS)]


def draw_arrows(sketch: Sketch, verdict: RoutesVerdict) -> None:
    """An arrow over each border between a card of a route and the next."""
    for number, route in enumerate(verdict.routes):
        quads = [sketch.quads[card] for card in (route.start, *route.valid) if card in sketch.quads]
        for here, there in itertools.pairwise(quads):
            start, end = here.mean(axis=0), there.mean(axis=0)
            ends = start + 0.33 * (end - start), start + 0.72 * (end - start)
            drawing.arrow(sketch.canvas, *ends, route_colour(number), 0.1 * side_of(here))


def draw_points(sketch: Sketch, verdict: RoutesVerdict) -> None:
    """The points of each right card, and their sum below the middle of the Start."""
    for number, route in enumerate(verdict.routes):
        _points(sketch, route, route_colour(number))


def _points(sketch: Sketch, route: Route, colour: Colour) -> None:
    faces = {card.id: card.face for card in sketch.checked.layout.cards}
    blamed = {retake.card for retake in sketch.retakes}
    for card in route.valid:
        face = sketch.checked.deck.face(faces[card])
        if card in sketch.quads and card not in blamed and isinstance(face, ArrowFace):
            quad = sketch.quads[card]
            sketch.label(f"+{face.points}", spot_on(quad, 0.8, 0.84), quad)
    if route.start in sketch.quads:
        quad = sketch.quads[route.start]
        words = sketch.say(texts.POINTS, route.points)
        sketch.label(words, spot_on(quad, 0.5, 0.84), quad, drawing.WHITE, colour, grow=1.15)
