"""The photograph with the verdict drawn into it: what is right and worth what, what lies wrong, what is unsure.

For all games:
- A right card has a whole outline and its number. The card with which something goes wrong is vermillion and hatched
  or crossed out; a card that goes back has a bent arrow.
- What is unsure has a dashed outline and a question mark, and a warning sign where the picture is to blame.
- Cards that were added since the photograph before have corners drawn round them and a small flag.
- The heap and hands are left alone.

Each game adds its own: `annotate_routes`, `annotate_paths`, `annotate_boxes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from referee import drawing, texts
from referee.annotate_boxes import draw_boxes, label_boxes
from referee.annotate_paths import draw_paths
from referee.annotate_routes import draw_arrows, draw_points, route_colour
from referee.drawing import Colour, Pixels
from referee.messages import Messages
from referee.numbering import OF_THE_WHOLE
from referee.pipeline import CheckedPhoto
from referee.rulebook import NoteKind, Violation
from referee.sequence import MoveAnswer
from referee.sketch import LEAST_TEXT, LONG_SIDE, LONGEST_SIDE, Sketch, line_of, shrunk, side_of, spot_on
from referee.verdicts import BoxesVerdict, PathsVerdict, RoutesVerdict, Ruling

__all__ = ["LONGEST_SIDE", "LONG_SIDE", "annotate"]


def annotate(checked: CheckedPhoto, messages: Messages | None = None, move: MoveAnswer | None = None) -> Pixels:
    """A new picture (H, W, 3) uint8 BGR, upright, the photograph stays as it is.

    `messages`: the language of the few words in it (English by default). `move`: in a sequence, the move that led here.
    """
    sketch = Sketch(checked, messages or Messages())
    ruling, verdict = sketch.ruling, sketch.ruling.verdict
    standings = dict(_standings(ruling, sketch.numbering.cards))
    unsure = {doubt.card for doubt in ruling.doubtful if doubt.card is not None}
    drawn = [card for card in sketch.quads if card in sketch.numbering.cards]
    if any(doubt.reason in OF_THE_WHOLE for doubt in ruling.doubtful):
        standings, unsure, verdict = {}, set(drawn), None
    if isinstance(verdict, BoxesVerdict):
        draw_boxes(sketch, verdict)
    for card in drawn:
        _outline(sketch, card, standings.get(card, _PLAIN), card in unsure)
    places = [(np.array(corners) * sketch.scale, name) for corners, name in sketch.numbering.places.items()]
    for quad, _ in places:
        drawing.dashed(sketch.canvas, quad, drawing.YELLOW, line_of(quad), 0.12 * side_of(quad))
    if isinstance(verdict, RoutesVerdict):
        draw_arrows(sketch, verdict)
    if isinstance(verdict, PathsVerdict):
        draw_paths(sketch, verdict)
    for card in drawn:
        _name(sketch, card, standings.get(card, _PLAIN), card in unsure)
    for quad, name in places:
        sketch.label(name, spot_on(quad, 0.22, 0.17), quad, drawing.BLACK, drawing.YELLOW)
    if isinstance(verdict, RoutesVerdict):
        draw_points(sketch, verdict)
    if isinstance(verdict, BoxesVerdict):
        label_boxes(sketch, verdict)
    if move is not None and move.ruling is not None:
        for card in move.ruling.cards:
            if card in sketch.quads:
                _new(sketch, card)
    for retake in sketch.retakes:
        sketch.retake(retake)
    return sketch.canvas


@dataclass(frozen=True, slots=True)
class _Standing:
    """How a card stands: its colour, whether something went wrong with it first, whether the card as a whole is to
    blame, whether it goes back, whether nothing is to be said of it: it lies apart, or its box is framed."""

    colour: Colour = drawing.GREEN
    wrong: bool = False
    crossed: bool = False
    back: bool = False
    quiet: bool = False


_PLAIN = _Standing()


def _outline(sketch: Sketch, card: str, standing: _Standing, unsure: bool) -> None:
    quad = sketch.quads[card]
    line = line_of(quad)
    inner = shrunk(quad, 0.97)
    if standing.crossed:
        drawing.hatch(sketch.canvas, inner, standing.colour, max(1.0, 0.35 * line))
        drawing.cross(sketch.canvas, inner, standing.colour, 1.6 * line)
    if unsure:
        drawing.dashed(sketch.canvas, inner, drawing.YELLOW, 1.2 * line, 0.12 * side_of(quad))
    elif standing.quiet:
        drawing.polyline(sketch.canvas, inner, drawing.WHITE, 0.4 * line, closed=True)
    else:
        drawing.outline(sketch.canvas, inner, standing.colour, 1.5 * line if standing.wrong else line)


def _name(sketch: Sketch, card: str, standing: _Standing, unsure: bool) -> None:
    quad = sketch.quads[card]
    name, ground, ink = sketch.numbering.cards[card], standing.colour, drawing.WHITE
    if standing.quiet:
        ground, ink = drawing.WHITE, drawing.BLACK
    if unsure:
        name, ground, ink = f"{name} ?", drawing.YELLOW, drawing.BLACK
    sketch.label(name, spot_on(quad, 0.22, 0.17), quad, ink, ground)
    if standing.back:
        size = max(0.34 * side_of(quad), 1.5 * LEAST_TEXT)
        drawing.back_arrow(sketch.canvas, spot_on(quad, 0.8, 0.2), size, drawing.VERMILLION)


def _new(sketch: Sketch, card: str) -> None:
    """Corners round the card, and a flag."""
    quad = sketch.quads[card]
    outer = shrunk(quad, 1.13)
    for colour, width in ((drawing.BLACK, 2.6), (drawing.WHITE, 1.4)):
        for here, before, after in zip(outer, np.roll(outer, 1, axis=0), np.roll(outer, -1, axis=0), strict=True):
            bend = np.stack([here + 0.3 * (before - here), here, here + 0.3 * (after - here)])
            drawing.polyline(sketch.canvas, bend, colour, width * line_of(quad))
    sketch.label(sketch.say(texts.NEW_SIGN), spot_on(outer, 0.5, 1.0), quad, drawing.WHITE, drawing.BLACK, 0.9)


def _standings(ruling: Ruling, names: Mapping[str, str]) -> Iterator[tuple[str, _Standing]]:
    verdict = ruling.verdict
    routes: dict[str, int] = {}
    back: set[str] = set()
    aside = {card for note in ruling.notes if note.kind in _ASIDE for card in note.cards}
    if isinstance(verdict, RoutesVerdict):
        back = set(verdict.returned)
        for number, route in enumerate(verdict.routes):
            routes.update(dict.fromkeys((route.start, *route.valid), number))
    wrong = set(ruling.first_wrong)
    wrong |= {card for fault in ruling.faults if fault.rule in _ALL_AT_FAULT for card in fault.cards}
    # Where two path ends meet wrongly, or cards are shoved, the place is marked and the card stays to be seen.
    crossed = {
        card
        for fault in ruling.faults
        if fault.rule not in _MARKED_AT_THE_BORDER
        for card in (fault.cards if fault.rule in _ALL_AT_FAULT else fault.cards[:1])
    } & wrong
    if isinstance(verdict, BoxesVerdict):
        aside.update(names)
    for card in names:
        colour = route_colour(routes[card]) if card in routes else drawing.GREEN
        if card in wrong or card in back:
            colour = drawing.VERMILLION
        yield card, _Standing(colour, card in wrong, card in crossed, card in back, card in aside - wrong)


_ASIDE = (NoteKind.STRAYS, NoteKind.BOX_APART, NoteKind.SUPPLY)
"""Notes on cards that lie apart: hands and supplies."""
_MARKED_AT_THE_BORDER = (Violation.MISMATCH, Violation.SHOVED)
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
