"""The geometric limits of the rule book: where "beside", "joined" and "across" begin and end.

All are fractions of a card's side, or degrees. They are a parameter of `judge` so that a table read
from a photo can be judged under slightly tighter and looser limits: a verdict that hangs on a hair is
not certain.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from referee.validation import Value

Fraction = Annotated[float, Field(ge=0, le=4)]
Degrees = Annotated[float, Field(gt=0, lt=90)]


class CatAndMouseLimits(Value):
    """CM-SIDE: the line between the centres leaves within `angle` degrees of the side, `near` to `far`
    sides away.

    pile: cards that cover each other by this share of a card's area are a pile, the heap. At 0.7 sides,
        the least distance of a neighbour, two straight cards share 0.3 of their area. (ours)
    quarter: from this turn against Start on, a card is turned by "a quarter or more", in degrees. (ours)
    """

    angle: Degrees = 30.0
    near: Fraction = 0.7
    far: Fraction = 1.6
    pile: Fraction = 0.32
    quarter: Degrees = 45.0


class ColouredPathsLimits(Value):
    """CP-EDGE: cards meet `near` to `far` sides apart along one axis, less than `aside` along the other.

    joined: up to here along the other axis they are joined, above it shoved.
    """

    near: Fraction = 0.8
    far: Fraction = 1.3
    aside: Fraction = 0.85
    joined: Fraction = 0.2


class IfItFitsLimits(Value):
    """IF-JOIN and IF-CAT; what the rule book leaves to hands and cameras is ours.

    flush: how far a neighbour's centre may be from its flush place, in card sides along each axis.
    across: how far a cat's centre may be from the middle of the joined side, in widths of a card.
    turn: how far a turn may be from a half turn (boxes) or a quarter (cats), in degrees. (ours)
    touch: a cat that covers less than this share of its area of a box card does not touch it. (ours)
    overlap: two cards that share up to this part of a card's area do not overlap yet. (ours)
    edge: a box card may reach over the table's edge by this many widths before it is off the table. (ours)
    """

    flush: Fraction = 0.3
    across: Fraction = 1 / 3
    turn: Degrees = 30.0
    touch: Fraction = 0.03
    overlap: Fraction = 0.15
    edge: Fraction = 0.05


class Limits(Value):
    """The limits of all three games."""

    cat_and_mouse: CatAndMouseLimits = CatAndMouseLimits()
    coloured_paths: ColouredPathsLimits = ColouredPathsLimits()
    if_it_fits: IfItFitsLimits = IfItFitsLimits()

    def loosened(self, sides: float, degrees: float) -> Limits:
        """The same limits, each a little more generous: by `sides` of a card and `degrees`; tighter if
        negative.
        """
        mouse, paths, boxes = self.cat_and_mouse, self.coloured_paths, self.if_it_fits
        return Limits(
            cat_and_mouse=CatAndMouseLimits(
                angle=mouse.angle + degrees,
                near=mouse.near - sides,
                far=mouse.far + sides,
                pile=mouse.pile + sides,
                quarter=mouse.quarter,  # whether a card is turned is mostly a note; the option judges it
            ),
            coloured_paths=ColouredPathsLimits(
                near=paths.near - sides,
                far=paths.far + sides,
                aside=paths.aside + sides,
                joined=paths.joined + sides,
            ),
            if_it_fits=IfItFitsLimits(
                flush=boxes.flush + sides,
                across=boxes.across + sides,
                turn=boxes.turn + degrees,
                touch=max(0.0, boxes.touch + sides / 2),
                overlap=max(0.0, boxes.overlap + sides),
                edge=max(0.0, boxes.edge + sides),
            ),
        )
