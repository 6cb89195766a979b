"""Multicoloured Paths in the picture: what meets rightly and wrongly, the path with most changes, and the rings.

- Ends that meet in one colour: a black and white dot on the border. Ends that do not: a vermillion cross.
- Cards shoved along each other: a double arrow along the border.
- The longest path runs as a white line with black rims, its changes of colour numbered; a ring as a dotted one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee import drawing, texts
from referee.drawing import Doubles
from referee.games.path_table import Path, PathTable, find_meetings
from referee.limits import Limits
from referee.sketch import Sketch, line_of, side_of
from referee.verdicts import PathsVerdict

INWARDS = np.array([[0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]])
"""The way into a card from its top, right, bottom and left side."""


def draw_paths(sketch: Sketch, verdict: PathsVerdict) -> None:
    """Draw the joins, the faults, the longest path and the rings of the layout as it lies."""
    layout = sketch.checked.layout
    cards = sketch.seen(layout.cards)
    meetings = find_meetings(cards, sketch.checked.deck, Limits().coloured_paths)
    table = PathTable(cards, sketch.checked.deck)
    main = set(sorted(verdict.groups, key=len)[-1]) if verdict.groups else set()
    if verdict.longest_path:  # of several largest groups, the one that was judged
        main = set(next(group for group in verdict.groups if verdict.longest_path[0] in group))
    inside = [m for m in meetings if cards[m.a].id in main and cards[m.b].id in main]
    table.join(inside)
    ids = [card.id for card in cards]
    paths = list(table.paths([i for i, card in enumerate(ids) if card in main]))
    longest = max(paths, key=lambda path: table.changes(path.strands), default=None)
    for path in paths:
        if path.ring and path is not longest:
            _trace(sketch, ids, path, dotted=True)
    if longest is not None and table.changes(longest.strands):
        _trace(sketch, ids, longest, dotted=False)
    for meeting in meetings:
        a, b = ids[meeting.a], ids[meeting.b]
        if meeting.sides is None:
            if (a, b) in verdict.shifted or (b, a) in verdict.shifted:
                _shoved(sketch, a, b)
            continue
        if a in main:
            for (_, end), (_, other) in meeting.facing_ends():
                right = table.colour((meeting.a, end)) == table.colour((meeting.b, other))
                _joint(sketch, (a, end), (b, other), right)
    if longest is not None and table.changes(longest.strands):
        _number_changes(sketch, ids, table, longest)
    for path in paths:
        if path.ring:
            card, enter, leave = path.strands[0]
            spot = sketch.on_card(ids[card], strand_curve(enter, leave))[12]
            sketch.label(sketch.say(texts.RING_SIGN), spot, sketch.quads[ids[card]], drawing.WHITE, drawing.PURPLE, 0.8)


def end_at(end: int) -> Doubles:
    """(2,) where a path end lies on its card, (0, 0) to (1, 1)."""
    side, second = divmod(end, 2)
    along = (1 + second) / 3
    return np.array([[along, 0.0], [1.0, along], [1 - along, 1.0], [0.0, 1 - along]][side])


def strand_curve(enter: int, leave: int) -> Doubles:
    """(25, 2) a strand's curve on its card, (0, 0) to (1, 1): straight into the card at both ends."""
    start, stop = end_at(enter), end_at(leave)
    reach = 0.45 * max(0.5, float(np.hypot(*(stop - start))))
    knots = np.stack([start, start + reach * INWARDS[enter // 2], stop + reach * INWARDS[leave // 2], stop])
    t = np.linspace(0, 1, 25)[:, None]
    weights = np.concatenate([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], axis=1)
    return np.asarray(weights @ knots)


def _trace(sketch: Sketch, ids: Sequence[str], path: Path, dotted: bool) -> None:
    curves = [(ids[card], sketch.on_card(ids[card], strand_curve(enter, leave))) for card, enter, leave in path.strands]
    for rim in (True, False):
        for card, curve in curves:
            width = max(2.5, 0.05 * side_of(sketch.quads[card]))
            if rim:
                drawing.polyline(sketch.canvas, curve, drawing.BLACK, 1.9 * width)
            elif not dotted:
                drawing.polyline(sketch.canvas, curve, drawing.WHITE, width)
            else:
                for start in range(0, 24, 4):
                    drawing.polyline(sketch.canvas, curve[start : start + 3], drawing.YELLOW, width)


def _number_changes(sketch: Sketch, ids: Sequence[str], table: PathTable, path: Path) -> None:
    """Count the changes of colour along the path where they are."""
    number = 0
    for card, enter, leave in path.strands:
        if table.colour((card, enter)) != table.colour((card, leave)):
            number += 1
            quad = sketch.quads[ids[card]]
            spot = sketch.on_card(ids[card], strand_curve(enter, leave))[12]
            sketch.label(str(number), spot, quad, drawing.BLACK, drawing.WHITE, 0.8)


def _joint(sketch: Sketch, one: tuple[str, int], other: tuple[str, int], right: bool) -> None:
    spots = [sketch.on_card(card, end_at(end)[None])[0] for card, end in (one, other)]
    middle = (spots[0] + spots[1]) / 2
    quad = sketch.quads[one[0]]
    if right:
        drawing.dot(sketch.canvas, middle, max(3.0, 0.045 * side_of(quad)), drawing.WHITE)
        return
    size = max(6.0, 0.11 * side_of(quad))
    box = middle + size * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    drawing.cross(sketch.canvas, box, drawing.VERMILLION, 1.5 * line_of(quad))


def _shoved(sketch: Sketch, a: str, b: str) -> None:
    """A double arrow along the border of two cards that do not lie flush."""
    here, there = sketch.quads[a].mean(axis=0), sketch.quads[b].mean(axis=0)
    sides = sketch.quads[a] - np.roll(sketch.quads[a], 1, axis=0)
    towards = (there - here) / max(float(np.hypot(*(there - here))), 1e-6)
    along = min(sides, key=lambda side: abs(float(side @ towards)) / float(np.hypot(*side)))
    middle, half = (here + there) / 2, 0.3 * along
    width = 0.07 * side_of(sketch.quads[a])
    drawing.arrow(sketch.canvas, middle, middle + half, drawing.VERMILLION, width)
    drawing.arrow(sketch.canvas, middle, middle - half, drawing.VERMILLION, width)
