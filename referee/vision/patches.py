"""Patches of the table as large as a card and of the cards' colours.

A card by itself that is blurred, small or pale gives the search no corners and little contrast, yet it is a patch of
other colour than the table with straight sides. The mixture of blue, green and red in which the known cards of the
photograph are told from its table (Fisher's linear discriminant, 1936) is cut between the two, in several places; what
is left in one piece of about a card's size is a place to look at, turned as its smallest rectangle is. A piece that is
very nearly such a rectangle, as no lamplight is, may be a card that glare has washed out, even if no face is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, Pyramid
from referee.vision.facebank import Floats
from referee.vision.places import Places
from referee.vision.plane import Bools, Plane, covered, view_from_above
from referee.vision.verify import Detections

PATCH_SCALE = 16
"""Pixels of a card's short side in the view from above."""
APART = 1.6
"""Distance between the colours of cards and table, in standard deviations, from which on they tell cards."""
CUTS = (0.5, 0.65, 0.8, 0.35)
"""Where colours between the table's (0) and the cards' (1) are cut; lamplight may be nearer to the cards."""
SAME = 0.5
"""Distance in card sides below which two patches are one."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a patch may look like. smallest, largest: area in cards; fills: share of its smallest rectangle (0..1);
    stretched: by how much longer or shorter than a card that is."""

    smallest: float
    largest: float
    fills: float
    stretched: float


ROUGHLY, SURELY = Shape(0.45, 1.6, 0.7, 1.5), Shape(0.75, 1.35, 0.86, 1.25)
"""For a place to look at, and for one that must not be passed over. Measured on 170 photographs, seven looks of
cards: the second finds 9 cards that nothing else had, and one thing that is none; of the first, 16 and 34 are left."""
UNLIKE = 2.0
"""Distance of its colour from that of the known cards, in standard deviations, up to which it may be one."""
LEAST, QUIET = 100, 9.0
"""Pixels of cards and of table that must show, and the least variance of colour (grey levels squared) of both."""
MOST = 24
"""Patches at most, the largest first."""


def card_patches(
    pyramid: Pyramid, plane: Plane, cards: Detections, where: Places | None = None, shape: Shape = ROUGHLY
) -> Doubles:
    """Poses (N, 3) of patches like a card in size and colour beside the known `cards`, in certain places if given."""
    view, to_table = view_from_above(plane, pyramid, float(PATCH_SCALE), most_pixels=1e6)
    scale, origin = float(1 / to_table[0, 0]), to_table[:, 2]
    known = covered(plane.poses(cards.corners), plane.aspect, view.shape, scale, origin)
    told = _Told.of(view, known)
    if told is None:
        return np.empty((0, 3))
    card = scale * scale * plane.aspect
    found: list[tuple[float, float, float, float]] = []
    for piece in (piece for cut in CUTS for piece in told.pieces(cut)):
        area = cv2.contourArea(piece) + 0.5 * len(piece)
        (centre, (width, height), turn) = cv2.minAreaRect(piece)
        stretched = max(width + 1, height + 1) / min(width + 1, height + 1) / plane.aspect
        fits = shape.smallest * card < area < shape.largest * card and area >= shape.fills * (width + 1) * (height + 1)
        if not fits or not 1 / shape.stretched < stretched < shape.stretched or told.unlike(piece) > UNLIKE:
            continue
        place = np.array(centre) / scale + origin
        angle = np.radians(turn) + (np.pi / 2 if plane.aspect > 1.02 and width > height else 0.0)
        if all(np.hypot(*(place - other[1:3])) > SAME for other in found):
            found.append((area, place[0], place[1], angle))
    found.sort(reverse=True)
    poses = np.array(found[:MOST]).reshape(-1, 4)[:, 1:]
    return poses if where is None else poses[where.at(poses[:, :2])]


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """A table from above by how like the cards it is. likeness: (H, W) 0 as the table, 1 as the cards; free: (H, W)
    where it shows, away from known cards; colours: (H, W, 3); middle (3,) and metric (3, 3): of the cards' colours."""

    likeness: Doubles
    free: Bools
    colours: Floats
    middle: Doubles
    metric: Doubles

    @classmethod
    def of(cls, view: Pixels, known: Bools) -> _Told | None:
        """Of a view (H, W, 3) with cards at `known` (H, W); None if colours do not tell cards from the table."""
        colours = np.asarray(cv2.blur(view, (3, 3)), np.float32)
        valid = cv2.erode((view.max(axis=2) > 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        rim = cv2.dilate(known.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        inside, outside = colours[known & valid], colours[~rim & valid]
        if len(inside) < LEAST or len(outside) < LEAST:
            return None
        own = np.cov(inside.T.astype(np.float64))
        pooled = 0.5 * (own + np.cov(outside.T.astype(np.float64))) + QUIET * np.eye(3)
        middle = np.asarray(inside.mean(axis=0), np.float64)
        mixture = np.linalg.solve(pooled, middle - outside.mean(axis=0))
        one, two = inside @ mixture, outside @ mixture
        apart = one.mean() - two.mean()
        if apart < APART * np.sqrt(0.5 * (one.var() + two.var())):
            return None
        metric = np.asarray(np.linalg.inv(own + QUIET * np.eye(3)), np.float64)
        return cls(np.asarray((colours @ mixture - two.mean()) / apart), valid & ~rim, colours, middle, metric)

    def pieces(self, cut: float) -> Sequence[NDArray[np.int32]]:
        """Outlines of the patches that are liker the cards than `cut`."""
        like = ((self.likeness > cut) & self.free).astype(np.uint8)
        closed = cv2.morphologyEx(like, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)) * self.free
        opened = cv2.morphologyEx(closed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        found, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        return [np.asarray(piece, np.int32) for piece in found]

    def unlike(self, piece: NDArray[np.int32]) -> float:
        """Distance of a patch's colour from that of the cards, in standard deviations."""
        filled = cv2.drawContours(np.zeros(self.free.shape, np.uint8), [piece], -1, 1, -1) > 0
        apart = self.colours[filled].mean(axis=0) - self.middle
        return float(np.sqrt(apart @ self.metric @ apart))
