"""Multicoloured Paths: the strands of each face."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.proposal import SURE, Proposal
from referee.features.colours import distance_of_colours, names_of, palette_of
from referee.features.strands import end_colours, ground_of, read_strands

Pixels = NDArray[np.uint8]

CLEAR = 9.0
"""What the next best way to join the ends must cost more for the joins to be quite sure."""


def propose_paths(pictures: Sequence[Pixels]) -> list[Proposal]:
    """A proposal for each face (h, w, 3) BGR; the colours are those that all ends of the deck fall into."""
    ground = ground_of(pictures)
    ends = np.array([end_colours(picture, ground) for picture in pictures])
    palette, which = palette_of(ends.reshape(-1, 3), distance_of_colours(ends.reshape(-1, 3)))
    which = which.reshape(-1, 8)
    names = names_of(palette)
    out = []
    for number, picture in enumerate(pictures):
        reading = read_strands(picture, palette, [int(k) for k in which[number]], ground)
        strands = [[[a, b], [names[which[number][a]], names[which[number][b]]]] for a, b in reading.pairs]
        colours_sure = float(np.clip(reading.sure.min() / 0.5, 0, 1))
        joins_sure = float(np.clip(reading.margin / CLEAR, 0, 1))
        confidence = min(colours_sure, joins_sure)
        unsure = ("strands",) if confidence < SURE else ()
        out.append(Proposal("path", "path", {"strands": strands}, confidence, unsure))
    return out
