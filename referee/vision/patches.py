"""Patches of the table as large as a card and of the cards' colours.

A card by itself that is blurred, small or pale gives the search no corners and little contrast, yet it is a patch of
other colour than the table with straight sides. The mixture of blue, green and red in which the known cards of the
photograph are told from its table (Fisher's linear discriminant, 1936) is cut half-way between the two; what is left
in one piece of about a card's size is a place to look at, turned as its smallest rectangle is.
"""

from __future__ import annotations

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
SMALLEST, LARGEST = 0.45, 1.6
"""Area of a patch that may be a card, in cards."""
FILLS, STRETCHED = 0.7, 1.5
"""Share of its smallest rectangle that such a patch fills (0..1), and by how much longer that may be than a card."""
UNLIKE = 2.0
"""Distance of its colour from that of the known cards, in standard deviations, up to which it may be one."""
MOST = 24
"""Patches at most, the largest first."""


def card_patches(pyramid: Pyramid, plane: Plane, cards: Detections, where: Places | None = None) -> Doubles:
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
    like = ((colours @ mixture > 0.5 * (one.mean() + two.mean())) & valid & ~rim).astype(np.uint8)
    like = cv2.morphologyEx(like, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    like = cv2.morphologyEx(like * ~rim, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    pieces, _ = cv2.findContours(like, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    card = scale * scale * plane.aspect
    metric = np.linalg.inv(np.cov(inside.T.astype(np.float64)) + 9 * np.eye(3))
    found = []
    for piece in pieces:
        area = cv2.contourArea(piece) + 0.5 * len(piece)
        (centre, (width, height), turn) = cv2.minAreaRect(piece)
        stretched = max(width + 1, height + 1) / min(width + 1, height + 1) / plane.aspect
        if not SMALLEST * card < area < LARGEST * card or area < FILLS * (width + 1) * (height + 1):
            continue
        filled = cv2.drawContours(np.zeros(like.shape, np.uint8), [piece], -1, 1, -1) > 0
        apart = colours[filled].mean(axis=0) - inside.mean(axis=0)
        if not 1 / STRETCHED < stretched < STRETCHED or apart @ metric @ apart > UNLIKE**2:
            continue
        angle = np.radians(turn) + (np.pi / 2 if plane.aspect > 1.02 and width > height else 0.0)
        found.append((area, *(np.array(centre) / scale + origin), angle))
    found.sort(reverse=True)
    poses = np.array(found[:MOST]).reshape(-1, 4)[:, 1:]
    return poses if where is None else poses[where.at(poses[:, :2])]
