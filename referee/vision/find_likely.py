"""How likely many finds of one size are cards: all that speaks for and against it, weighed together.

One weak side, one thing beside the cards or one card like the table is seldom a reason to take all for something else;
a pattern of the table, a printed sheet or a window has several of them at once.
"""

from __future__ import annotations

import numpy as np

from referee.vision.align import Doubles
from referee.vision.facebank import Floats
from referee.vision.find_agree import side_evidence
from referee.vision.find_printed import ROUND, Printed
from referee.vision.find_surface import Surface, colours_of_their_own

BASE = -7.45
SIDES, FREE, LEFT_OVER, FOREIGN, OWN, COUNT, CUT, BOLD, FLUSH = 3.1, 1.85, -0.84, 1.0, 1.0, 0.5, 1.75, 2.35, 0.45
"""Weights of a logistic fit, see `likelihood`."""
MOST = 3.0
"""Largest logarithm of a number of finds, or of other things, that counts."""
CLEARLY_CUT, CLEARLY_BOLD = 2.2 * ROUND, 0.3
"""How far corners are cut, and the share of bold marks, from which on more of it does not count."""
CLOSED = 0.15
"""Evidence that the weakest side has in most cards, at least."""


def likelihood(
    corners: Doubles, strength: Floats, surface: Surface, free: Doubles, left_over: float, seen: Printed, flush: bool
) -> float:
    """How likely (0..1) most of these quads (N, 4, 2) px are cards.

    strength: edges of the picture; free: (N, 4) how much beside each side is the table or another find; left_over: area
    of other things on the table, in cards' areas; seen: how these, or some of them, look; flush: whether they are cells
    of a lattice.

    A logistic fit to 194 sets of four and more finds, right and wrong, in 96 virtual photographs of cards and of none
    (`tests.benchmarks.finding`), 14 real ones of cards and 18 of none.
    """
    weakest = float(np.median(side_evidence(strength, corners).min(axis=1)))
    if weakest < CLOSED:
        return 0.0  # an outline by chance, and what was filled in
    seen = seen.shown()
    cut = seen.round[np.isfinite(seen.round)]
    speaks = (
        BASE
        + SIDES * weakest
        + FREE * float(np.median(free.min(axis=1)))
        + LEFT_OVER * min(float(np.log1p(left_over)), MOST)
        + FOREIGN * float(np.median(surface.foreign(corners)))
        + OWN * colours_of_their_own(surface.lab, corners)
        + COUNT * min(float(np.log(len(corners))), MOST)
        + CUT * float(np.clip(np.median(cut) / CLEARLY_CUT if len(cut) else 0.0, 0.0, 1.0))
        + BOLD * min(float(np.median(seen.bold)) / CLEARLY_BOLD, 1.0)
        + FLUSH * flush
    )
    return float(1 / (1 + np.exp(-speaks)))
