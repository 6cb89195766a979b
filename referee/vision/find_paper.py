"""Parts of a sheet of paper that may be taken for cards: columns of print, pictures with captions, squares of a form.

What is printed on a sheet keeps away from its edges, but not from the lines that part it into equal places; cards are
alike along all of their sides.
"""

from __future__ import annotations

import numpy as np

from referee.vision.align import Doubles
from referee.vision.facebank import Floats
from referee.vision.find_printed import ROUND, Printed
from referee.vision.find_surface import Surface, along

DEPTHS = (0.03, 0.055)
"""How far within a card's sides, in card sides, it is looked for what is printed there."""
INK = 22.0
"""Difference (Lab units) from the colour along a card's sides from which on something is printed there."""
CROSSING = 0.12
"""How much more of the lines within a sheet is printed over than of its edges, at least."""
ONE_COLOUR = 14.0
"""How far (Lab units) the ground of most parts of a sheet is from one colour, at most."""
PALE = (0.6, 26.0)
"""Of paper: how light it is against the lightest in the picture, at least; its chroma (Lab units), at most."""
INNER = 2
"""So many sides must lie at another find."""


def of_one_sheet(surface: Surface, corners: Doubles, seen: Printed) -> bool:
    """Whether finds (N, 4, 2) are parts of sheets of paper. seen: how these, or some of them, look."""
    inner = surface.beside_others(corners, 0.06) > 0.5
    if inner.sum() < INNER or inner.all():
        return False
    cut = seen.round[np.isfinite(seen.round)]
    if len(cut) and float(np.median(cut)) > ROUND:
        return False
    usual = np.median(seen.ground, axis=0)
    off = float(np.median(np.abs(seen.ground - usual).max(axis=1)))
    lightest = float(np.percentile(surface.lab[..., 0], 99))
    pale = usual[0] > PALE[0] * lightest and float(np.hypot(*(usual[1:] - 128))) < PALE[1]
    if off > ONE_COLOUR or not pale:
        return False
    printed = _printed_over(surface.lab, corners)
    return bool(printed[inner].mean() > printed[~inner].mean() + CROSSING)


def _printed_over(lab: Floats, corners: Doubles) -> Doubles:
    """(N, 4) share of a strip within each side that has not the colour usual along the sides of its quad."""
    height, width = lab.shape[:2]
    spots = np.concatenate([along(corners, depth) for depth in DEPTHS], axis=2)
    x = np.clip(spots[..., 0].round().astype(np.intp), 0, width - 1)
    y = np.clip(spots[..., 1].round().astype(np.intp), 0, height - 1)
    values = lab[y, x]
    usual = np.median(values.reshape(len(corners), -1, 3), axis=1)[:, None, None]
    return np.asarray((np.abs(values - usual).max(axis=-1) > INK).mean(axis=-1), dtype=np.float64)
