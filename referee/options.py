"""House rules: what the published rules leave open, as named choices of a match. Defaults are the rule
book's.
"""

from __future__ import annotations

from typing import Literal

from referee.validation import Value


class CatAndMouseOptions(Value):
    """Choices in Cat and Mouse.

    upright: every card must lie the same way up as its Start card (CM-ARROW).
    first_finish: a Finish right after Start `counts`, or goes `back` into the heap (CM-FIRST-FINISH).
    """

    upright: bool = False
    first_finish: Literal["counts", "back"] = "counts"


class ColouredPathsOptions(Value):
    """Multicoloured Paths has no choices yet."""


class IfItFitsOptions(Value):
    """Choices in If It Fits.

    ties: leaders of a box with equally many cats `all` score in full, `none` scores, or they `split`
    the toys
        evenly and what is left over is lost (IF-SCORE).
    open_boxes: boxes that are still open score as well (IF-SCORE).
    asleep_closes: a sleeping cat at an open side closes it (IF-ASLEEP).
    """

    ties: Literal["all", "none", "split"] = "all"
    open_boxes: bool = False
    asleep_closes: bool = False


class Options(Value):
    """The choices of all three games."""

    cat_and_mouse: CatAndMouseOptions = CatAndMouseOptions()
    coloured_paths: ColouredPathsOptions = ColouredPathsOptions()
    if_it_fits: IfItFitsOptions = IfItFitsOptions()
