"""How likely many finds of one size are cards: all that speaks for and against it, weighed together.

One weak side, one thing beside the cards or one card like the table is seldom a reason to take all for something else;
a pattern of the table, a printed sheet or a window has several of them at once.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles
from referee.vision.facebank import Floats
from referee.vision.find_agree import side_evidence
from referee.vision.find_printed import ROUND, Printed
from referee.vision.find_surface import NEXT_TO, Surface, colours_of_their_own

BASE = -7.45
SIDES, FREE, LEFT_OVER, FOREIGN, OWN, COUNT, CUT, BOLD, FLUSH = 3.1, 1.85, -0.84, 1.0, 1.0, 0.5, 1.75, 2.35, 0.45
"""Weights of a logistic fit, see `likelihood`."""
MOST = 3.0
"""Largest logarithm of a number of finds, or of other things, that counts."""
CLEARLY_CUT, CLEARLY_BOLD = 2.2 * ROUND, 0.3
"""How far corners are cut, and the share of bold marks, from which on more of it does not count."""
CLOSED = 0.15
"""Evidence that the weakest side has in most cards, at least."""

LIKE_TABLE, UNLIKE_TABLE = 0.1, 0.4
"""Shares of foreign colour: less has a square of the table's pattern, more have the cards beside it."""
STEEP, BUSY = 8.0, 0.25
"""Edge strength (Lab units a pixel) of a pattern's lines, and the share of the table that has them, at least."""
ALIKE = 0.05
"""How far the shares of marks, and of bold marks, of a pattern's squares are apart (standard deviation), at most."""
FEWEST = 3
"""So many squares of a pattern are known as such."""


def likelihood(
    corners: Doubles, strength: Floats, surface: Surface, free: Doubles, left_over: float, seen: Printed, flush: bool
) -> float:
    """How likely (0..1) most of these quads (N, 4, 2) px are cards.

    strength: edges of the picture; free: (N, 4) how much beside each side is the table or another find; left_over: area
    of other things on the table, in cards' areas; seen: how these, or some of them, look; flush: whether they are cells
    of a lattice.

    A logistic fit to 194 sets of four and more finds, right and wrong, in 96 virtual photographs of cards and of none
    (`tests.benchmarks.finding`), 14 real ones of cards and 14 of none.
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


def of_a_pattern(corners: Doubles, strength: Floats, surface: Surface, seen: Printed, step: int) -> NDArray[np.bool_]:
    """(N,) which of these quads (N, 4, 2) px are squares of a patterned table cloth that lie beside cards.

    Squares of a pattern have sides as sharp as cards, but the table's colours, and all look alike. strength: edges of
    the picture; seen: how every `step`-th of them looks.
    """
    foreign = surface.foreign(corners)
    like = foreign < LIKE_TABLE
    some = like[::step]
    if some.sum() < FEWEST or (foreign > UNLIKE_TABLE).sum() <= FEWEST:
        return np.zeros(len(corners), dtype=bool)
    table = (surface.rare == 0).astype(np.uint8)
    for quad in corners[~like]:
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(table, (middle + NEXT_TO * (quad - middle)).round().astype(np.int32), 0)
    steep = strength[..., 0] + strength[..., 2] > STEEP**2
    busy = float(steep[table > 0].mean()) if table.any() else 0.0
    alike = max(float(seen.marks[some].std()), float(seen.bold[some].std())) < ALIKE
    return np.asarray(like & (busy > BUSY and alike))
