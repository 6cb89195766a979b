"""If It Fits: boxes with walls and toys, Starts, special toys, the players' cats, the Princess."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.proposal import SURE, Proposal
from referee.features.boxes import Floats, find_toys, floor_of, prepared, read_walls, side_profiles
from referee.features.cats import read_cats
from referee.features.colours import palette_of
from referee.features.words import find_words

Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]

WORD = 0.6
"""Belief from which on a word is Start."""
SPECIAL = 3
"""Toys of a special toy card (IF-SCORE)."""
SAME_FLOOR = 8.5
"""Difference in Lab within which two floors are one."""


def propose_boxes(pictures: Sequence[Pixels]) -> list[Proposal]:
    """A proposal for each face (h, w, 3) BGR."""
    cards = [prepared(picture) for picture in pictures]
    floors = [floor_of(card) for card in cards]
    boxes = _boxes(floors)
    walls = dict(
        zip(boxes, read_walls([side_profiles(cards[k]) for k in boxes], [floors[k] for k in boxes]), strict=True)
    )
    others = [k for k in range(len(cards)) if k not in walls]
    cats = dict(zip(others, read_cats([pictures[k] for k in others]), strict=True))
    out = []
    for k in range(len(cards)):
        out.append(_cat(cats[k]) if k in cats else _box(pictures[k], cards[k], floors[k], walls[k]))
    return out


def _boxes(floors: Sequence[Doubles]) -> list[int]:
    """Which cards are boxes: those of the floor that most cards have."""
    _, which = palette_of(np.array(floors), same=SAME_FLOOR, rarest=0.0)
    return [int(k) for k in np.flatnonzero(which == 0)]


def _box(picture: Pixels, card: Floats, floor: Doubles, walls: tuple[tuple[str, ...], float]) -> Proposal:
    words = find_words(picture)
    start = max((word.start for word in words), default=0.0)
    width = picture.shape[1]
    but = [tuple(v / width for v in word.box) for word in words if word.start > WORD]
    toys = find_toys(card, floor, but)
    kind = "start" if start > WORD else "toy" if toys.count >= SPECIAL else "box"
    kind_sure = start if kind == "start" else 1 - start
    named = {"kind": kind_sure, "walls": walls[1], "toys": toys.sure}
    sides = "".join(side[0] for side in walls[0]) or "open"
    name = f"{kind}-{sides}-{toys.count}" if kind == "box" else kind
    unsure = tuple(each for each, sure in named.items() if sure < SURE)
    return Proposal(name, kind, {"walls": list(walls[0]), "toys": toys.count}, min(named.values()), unsure)


def _cat(reading: tuple[str, str, bool, float]) -> Proposal:
    kind, player, asleep, sure = reading
    if kind == "princess":
        return Proposal("princess", "princess", {}, sure, () if sure >= SURE else ("kind",))
    name = f"cat-{player}{'-asleep' if asleep else ''}"
    return Proposal(
        name, "cat", {"player": player, "asleep": asleep}, sure, () if sure >= SURE else ("player", "asleep")
    )
