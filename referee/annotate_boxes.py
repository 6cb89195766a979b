"""If It Fits in the picture: each box in a colour with a letter, its walls, toys, cats and who leads.

- A box is framed in its colour, and each of its cards has the box's letter, since colours are few. A closed box is
  filled, an open one only hatched. Cats are left free of it.
- Walls are thick black lines with a white rim; a gap in the box is a vermillion dotted line.
- On each box: its letter, the number of toys, the cats, and the leader with the points.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee import drawing, texts
from referee.decks import WALLS, BoxFace
from referee.drawing import Colour, Doubles
from referee.explain import Explainer
from referee.games.box_table import BoxTable
from referee.layouts import id_order
from referee.limits import Limits
from referee.rulebook import NoteKind
from referee.sketch import LEAST_TEXT, Sketch, line_of, shrunk, side_of, spot_on
from referee.verdicts import Box, BoxesVerdict

BOX_COLOURS: tuple[Colour, ...] = (
    drawing.SKY,
    drawing.ORANGE,
    drawing.GREEN,
    drawing.PURPLE,
    drawing.BLUE,
    drawing.YELLOW,
)
"""In the order of the boxes; a seventh starts again. Their letters differ as well."""
FILL = 0.38
"""How much of the colour covers a closed box (0..1)."""


def draw_boxes(sketch: Sketch, verdict: BoxesVerdict) -> None:
    """Fill and hatch the boxes and draw their walls; cards of hands that lie apart are left alone."""
    boxes = _in_play(sketch, verdict)
    walls = _Walls(sketch)
    before = sketch.canvas.copy()
    for number, box in boxes:
        colour = BOX_COLOURS[number % len(BOX_COLOURS)]
        quads = [sketch.quads[card] for card in box.cards if card in sketch.quads]
        if box.closed:
            drawing.tint(sketch.canvas, quads, colour, FILL)
        else:
            for quad in quads:
                drawing.hatch(sketch.canvas, shrunk(quad, 0.96), colour, max(1.5, 0.5 * line_of(quad)), 9)
    for number, box in boxes:
        quads = [sketch.quads[card] for card in box.cards if card in sketch.quads]
        if quads:
            drawing.frame(sketch.canvas, quads, BOX_COLOURS[number % len(BOX_COLOURS)], 1.3 * line_of(quads[0]))
    for _, box in boxes:
        for card in box.cards:
            walls.draw(card)
    for cat in _cats(sketch):
        drawing.put_back(sketch.canvas, before, cat)


def label_boxes(sketch: Sketch, verdict: BoxesVerdict) -> None:
    """Write on each box what is in it and who leads."""
    explainer = Explainer(sketch.checked.layout, sketch.checked.deck, sketch.messages, {}, {})
    for number, box in _in_play(sketch, verdict):
        quads = [sketch.quads[card] for card in box.cards if card in sketch.quads]
        if not quads:
            continue
        colour = BOX_COLOURS[number % len(BOX_COLOURS)]
        for quad in quads:
            sketch.label(_letter(number), spot_on(quad, 0.84, 0.86), quad, drawing.BLACK, colour, 0.85)
        quad = _roomiest(sketch, quads)
        lines = [f"{_letter(number)}: {sketch.say(texts.TOYS, box.toys)}"]
        if box.cats:
            lines.append(", ".join(f"{explainer.player(player)} {count}" for player, count in box.cats))
        if box.winners:
            players = ", ".join(explainer.player(player) for player in box.winners)
            lines.append(f"{players} +{box.points}")
        elif not box.closed:
            lines.append(sketch.say(texts.OPEN_SIGN))
        wide = max(drawing.text_size(line, 100)[0] for line in lines) / 100
        size = max(min(0.14 * side_of(quad), 0.86 * side_of(quad) / wide), LEAST_TEXT)
        drawing.plate(sketch.canvas, lines, spot_on(quad, 0.5, 0.52), size, drawing.BLACK, drawing.WHITE, colour)


def _in_play(sketch: Sketch, verdict: BoxesVerdict) -> list[tuple[int, Box]]:
    apart = {card for note in sketch.ruling.notes if note.kind is NoteKind.BOX_APART for card in note.cards}
    return list(enumerate(box for box in verdict.boxes if not set(box.cards) <= apart))


def _cats(sketch: Sketch) -> list[Doubles]:
    """The cards that are no boxes, (4, 2) px each."""
    deck = sketch.checked.deck
    cards = sketch.seen(sketch.checked.layout.cards)
    return [sketch.quads[card.id] for card in cards if not isinstance(deck.face(card.face), BoxFace)]


def _letter(number: int) -> str:
    return chr(ord("A") + number % 26) + ("" if number < 26 else str(number // 26))


def _roomiest(sketch: Sketch, quads: Sequence[Doubles]) -> Doubles:
    """The card of a box that is farthest from the cats, to write on."""
    cats = [cat.mean(axis=0) for cat in _cats(sketch)]
    middle = np.mean([quad.mean(axis=0) for quad in quads], axis=0)

    def room(quad: Doubles) -> float:
        centre = quad.mean(axis=0)
        near = min((float(np.hypot(*(centre - cat))) for cat in cats), default=np.inf)
        return min(near, 0.8 * side_of(quad)) - 0.1 * float(np.hypot(*(centre - middle)))

    return max(quads, key=room)


class _Walls:
    """The walls and gaps of the box cards."""

    def __init__(self, sketch: Sketch) -> None:
        self._sketch = sketch
        layout = sketch.checked.layout
        cards = sorted(layout.cards, key=lambda card: id_order(card.id))
        self._table = BoxTable(cards, sketch.checked.deck, Limits().if_it_fits)
        self._index = {card.id: i for i, card in enumerate(cards)}
        self._faces = {card.id: sketch.checked.deck.face(card.face) for card in cards}

    def draw(self, card: str) -> None:
        face = self._faces.get(card)
        if card not in self._sketch.quads or not isinstance(face, BoxFace):
            return
        width = line_of(self._sketch.quads[card])
        for side, wall in enumerate(WALLS):
            ends = self._sketch.on_card(card, _SIDES[side])
            if wall in face.walls:
                drawing.polyline(self._sketch.canvas, ends, drawing.WHITE, 2.2 * width)
                drawing.polyline(self._sketch.canvas, ends, drawing.BLACK, 1.3 * width)
            elif (self._index[card], side) not in self._table.joined_sides:
                drawing.dotted(self._sketch.canvas, ends, drawing.VERMILLION, 1.2 * width)


_INSET = 0.09
_SIDES = [
    np.array([[_INSET, _INSET], [1 - _INSET, _INSET]]),
    np.array([[1 - _INSET, _INSET], [1 - _INSET, 1 - _INSET]]),
    np.array([[1 - _INSET, 1 - _INSET], [_INSET, 1 - _INSET]]),
    np.array([[_INSET, 1 - _INSET], [_INSET, _INSET]]),
]
"""The sides of a card, a little inside it, as `referee.decks.WALLS`."""
