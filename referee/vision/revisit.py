"""Does a card known from an earlier photograph still lie where it lay? Looked at before it is called gone."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from referee.vision.align import Doubles, Pyramid, areas, shared_area
from referee.vision.facebank import FINE, FaceBank, Floats
from referee.vision.plane import Plane
from referee.vision.seen_table import SeenTable, strange_share
from referee.vision.verify import Detections

STILL_THERE = 0.45
"""Correlation with the card's face from which on it may still lie there (0..1); bare table stays below 0.3."""
STANDS_OUT = 0.18
"""By so much the card must resemble the place more than the deck's typical face does for it to be a hint (0..1)."""
HINT = 0.2
"""Below this correlation it is no hint even so (0..1)."""
BLOWN, BLOWN_SHARE = 248, 0.03
"""Grey level from which on a pixel has lost its colour, and the share of such pixels that hides what lies there."""
DARK = 40.0
"""Grey level (0..255) that the lightest tenth of the place must reach for anything to be seen there."""
HIDDEN = 0.2
"""Share of a place that must be no bare table for a card to lie there unseen (0..1). Measured on virtual tables: 0.25
at least where a hand or a cup hid a card; where one had been taken away 12 of 15 places were below."""
_BLUR = 0.6
_MARGIN = 0.12
"""How far around its place the card is looked for, in card sides."""


def may_still_lie(pyramid: Pyramid, bank: FaceBank, corners: Doubles, faces: Collection[str]) -> bool:
    """Whether a card of one of these faces may lie at `corners` (4, 2) px although it was not found there.

    It is said to be gone only where the place can be seen, and resembles it no more than any card of the deck.
    """
    patch = _place(pyramid, bank, corners)
    if patch is None or _is_blank(patch):
        return True
    scores = np.array([_resembles(patch, bank, face) for face in bank.face_ids])
    best = max(float(scores[bank.face_ids.index(face)]) for face in faces)
    return best >= STILL_THERE or best >= max(HINT, float(np.median(scores)) + STANDS_OUT)


def is_hidden(plane: Plane, corners: Doubles, cards: Detections, seen: SeenTable) -> bool:
    """Whether so little of the table shows at a place (4, 2) px beside the known `cards` that one may lie there under
    what does: a hand, a cup, glare."""
    return unlike_table(plane, corners, cards, seen) >= HIDDEN  # not if nothing shows beside the cards: NaN


def unlike_table(plane: Plane, corners: Doubles, cards: Detections, seen: SeenTable) -> float:
    """Which share of what shows of a place (4, 2) px beside the known `cards` is no table (0..1); NaN if too little
    shows."""
    return float(strange_share(plane, plane.poses(corners[None]), cards, seen)[0])


def _is_blank(patch: Floats) -> bool:
    blown = float((patch.min(axis=2) >= BLOWN).mean())
    return blown > BLOWN_SHARE or float(np.percentile(patch.max(axis=2), 90)) < DARK


def _place(pyramid: Pyramid, bank: FaceBank, corners: Doubles) -> Floats | None:
    """The picture at a place and a little around it; None where there is none."""
    width, height = bank.at(FINE, _BLUR).size
    rim = round(_MARGIN * width)
    margin = rim / width
    across, down = (corners[1] - corners[0]) * margin, (corners[3] - corners[0]) * margin
    wide = corners + np.stack([-across - down, across - down, across + down, -across + down])
    if not np.isfinite(wide).all() or float(np.abs(wide).max()) > 4 * max(pyramid.size):
        return None
    return np.asarray(pyramid.cut(wide[None], (width + 2 * rim, height + 2 * rim))[0], dtype=np.float32)


def _resembles(patch: Floats, bank: FaceBank, face: str) -> float:
    """Best correlation of a face, turned any way that leaves its outline, with a place, -1..1."""
    image = bank.at(FINE, _BLUR).images[bank.face_ids.index(face)]
    turned = [np.ascontiguousarray(np.rot90(patch, turn)) for turn in bank.turns]
    scores = [cv2.matchTemplate(place, image, cv2.TM_CCOEFF_NORMED) for place in turned]
    return float(np.nan_to_num(scores, nan=-1.0, posinf=-1.0, neginf=-1.0).max())


def share_inside(corners: Doubles, size: tuple[int, int]) -> float:
    """Share of a quad (4, 2) px that lies within a picture of (width, height), 0..1."""
    width, height = map(float, size)
    frame = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    whole = abs(float(areas(corners[None])[0]))
    return float(np.clip(shared_area(corners, frame) / max(whole, 1e-6), 0, 1))
