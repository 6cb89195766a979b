"""Patches of the table as large as a card and of the cards' colours.

A card by itself that is blurred, small or pale gives the search no corners and little contrast, yet it is a patch of
other colour than the table with straight sides. The mixture of blue, green and red in which the known cards of the
photograph are told from its table (Fisher's linear discriminant, 1936) is cut between the two, in several places; what
is left in one piece of about a card's size is a place to look at, turned as its smallest rectangle is. A piece that is
very nearly such a rectangle, as no lamplight is, may be a card that glare has washed out, even if no face is seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.align import Doubles, Pyramid
from referee.vision.places import Places
from referee.vision.plane import Plane, card_corners, view_from_above
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
"""For a place to look at, and for one that must not be passed over. Measured: cards in glare fill 0.88 and more and are
stretched by 1.11, lamplight on the table fills up to 0.84 and is stretched by 1.27 and more."""
UNLIKE = 2.0
"""Distance of its colour from that of the known cards, in standard deviations, up to which it may be one."""
MOST = 24
"""Patches at most, the largest first."""


def card_patches(
    pyramid: Pyramid, plane: Plane, cards: Detections, where: Places | None = None, shape: Shape = ROUGHLY
) -> Doubles:
    """Poses (N, 3) of patches like a card in size and colour beside the known `cards`, in certain places if given."""
    view, to_table = view_from_above(plane, pyramid, float(PATCH_SCALE), most_pixels=1e6)
    scale, origin = float(1 / to_table[0, 0]), to_table[:, 2]
    known = np.zeros(view.shape[:2], np.uint8)
    for outline in card_corners(plane.poses(cards.corners), plane.aspect):
        cv2.fillConvexPoly(known, np.round((outline - origin) * scale).astype(np.int32), 1)
    valid = cv2.erode((view.max(axis=2) > 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    colours = cv2.blur(view, (3, 3)).astype(np.float32)
    rim = cv2.dilate(known, np.ones((3, 3), np.uint8)) > 0
    inside, outside = colours[(known > 0) & valid], colours[~rim & valid]
    if len(inside) < 100 or len(outside) < 100:
        return np.empty((0, 3))
    pooled = 0.5 * (np.cov(inside.T.astype(np.float64)) + np.cov(outside.T.astype(np.float64))) + 9 * np.eye(3)
    mixture = np.linalg.solve(pooled, inside.mean(axis=0) - outside.mean(axis=0))
    one, two = inside @ mixture, outside @ mixture
    if one.mean() - two.mean() < APART * np.sqrt(0.5 * (one.var() + two.var())):
        return np.empty((0, 3))
    card = scale * scale * plane.aspect
    metric = np.linalg.inv(np.cov(inside.T.astype(np.float64)) + 9 * np.eye(3))
    told = colours @ mixture
    found: list[tuple[float, float, float, float]] = []
    for cut in CUTS:
        like = (told > cut * one.mean() + (1 - cut) * two.mean()) & valid & ~rim
        closed = cv2.morphologyEx(like.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        opened = cv2.morphologyEx(closed * ~rim, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        pieces, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for piece in pieces:
            area = cv2.contourArea(piece) + 0.5 * len(piece)
            (centre, (width, height), turn) = cv2.minAreaRect(piece)
            stretched = max(width + 1, height + 1) / min(width + 1, height + 1) / plane.aspect
            if not shape.smallest * card < area < shape.largest * card:
                continue
            if area < shape.fills * (width + 1) * (height + 1) or not 1 / shape.stretched < stretched < shape.stretched:
                continue
            filled = cv2.drawContours(np.zeros(rim.shape, np.uint8), [piece], -1, 1, -1) > 0
            apart = colours[filled].mean(axis=0) - inside.mean(axis=0)
            if apart @ metric @ apart > UNLIKE**2:
                continue
            place = np.array(centre) / scale + origin
            angle = np.radians(turn) + (np.pi / 2 if plane.aspect > 1.02 and width > height else 0.0)
            if all(np.hypot(*(place - other[1:3])) > SAME for other in found):
                found.append((area, place[0], place[1], angle))
    found.sort(reverse=True)
    poses = np.array(found[:MOST]).reshape(-1, 4)[:, 1:]
    return poses if where is None else poses[where.at(poses[:, :2])]
