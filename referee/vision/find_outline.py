"""The outline of a region: its straight sides, and the plane on which they run along two directions at right angles."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles

STRAIGHT = 0.012
"""How far a region's outline may stray from its straight sides, in square roots of its area."""
SHORTEST = 0.045
"""Sides of a region shorter than this, in square roots of its area, tell nothing."""
ALONG = 0.12
"""Angle (radians) between a side and its direction up to which it belongs to that direction."""
APART = np.deg2rad(35)
"""Least angle between the two directions in the picture."""
FOCAL = np.geomspace(1.0, 8.0, 19)
"""Focal lengths that are thought of, in half long sides of the picture."""
USUAL_FOCAL = 1.6
SLANTED = 0.3
"""Largest cosine of the angle between the two directions on the table, with the focal length that suits best."""


def straight_sides(outline: NDArray[np.int32], within: tuple[int, int]) -> Doubles:
    """The straight sides (S, 2, 2) px of an outline (K, 2), each fitted to the outline's points along it; those along
    the rim of the picture, `within` (width, height), are none.
    """
    size = float(np.sqrt(max(cv2.contourArea(outline), 1.0)))
    polygon = cv2.approxPolyDP(outline, STRAIGHT * size, True).reshape(-1, 2)
    index = {tuple(p): i for i, p in enumerate(outline.tolist())}
    stops = sorted(index[tuple(p)] for p in polygon.tolist())
    sides = []
    for start, end in zip(stops, [*stops[1:], stops[0] + len(outline)], strict=True):
        piece = outline[np.arange(start, end + 1) % len(outline)].astype(np.float64)
        if np.hypot(*(piece[-1] - piece[0])) < SHORTEST * size or len(piece) < 8:
            continue
        cut = max(1, len(piece) // 8)
        piece = piece[cut:-cut]
        if np.minimum(piece, np.array(within) - 1 - piece).min(axis=1).mean() < 3:
            continue
        vx, vy, px, py = (float(v) for v in cv2.fitLine(piece.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)[:, 0])
        along = np.array([vx, vy])
        reach = (piece - [px, py]) @ along
        middle = np.array([px, py])
        stretch = 1.3  # what was cut off at the ends
        half, centre = (reach.max() - reach.min()) / 2 * stretch, (reach.max() + reach.min()) / 2
        sides.append([middle + along * (centre - half), middle + along * (centre + half)])
    return np.array(sides, dtype=np.float64).reshape(-1, 2, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A plane of unknown scale. back: (3, 3) from the table to normalised image points; of: (S,) the direction of each
    side, 0 along the table's x, 1 along its y, -1 along neither; weight: (S,).
    """

    back: Doubles
    of: NDArray[np.intp]
    weight: Doubles


def frame_of(sides: Doubles, outline: NDArray[np.int32], size: tuple[int, int]) -> Frame | None:
    """The plane whose two axes most sides run along, as a camera may see it."""
    if len(sides) < 4:
        return None
    scale = max(size) / 2
    flat = (sides - np.array(size) / 2) / scale
    run = flat[:, 1] - flat[:, 0]
    length = np.hypot(*run.T)
    middle = flat.mean(axis=1)
    angle = np.arctan2(run[:, 1], run[:, 0]) % np.pi
    first = _commonest(angle, length, np.ones(len(angle), dtype=bool))
    second = None if first is None else _commonest(angle, length, _between(angle, first) > APART)
    if first is None or second is None:
        return None
    starts = [first, second]
    ways = np.array([[np.cos(a), np.sin(a), 0.0] for a in starts])
    of = np.full(len(sides), -1)
    for reach in (0.3, 0.2, ALONG, ALONG):
        off = np.stack([_off(way, middle, angle) for way in ways], axis=1)
        of = np.where(np.abs(off).min(axis=1) < reach, np.abs(off).argmin(axis=1), -1)
        if not all((of == k).sum() >= 2 for k in (0, 1)):
            return None
        ways = np.array([_fitted(ways[k], middle[of == k], angle[of == k], length[of == k]) for k in (0, 1)])
    if length[of >= 0].sum() < 0.6 * length.sum():
        return None
    lens = np.stack([FOCAL, FOCAL, np.ones_like(FOCAL)])
    seen = [ways[k][:, None] / lens for k in (0, 1)]
    far = [np.sqrt((s**2).sum(axis=0)) for s in seen]
    cosine = np.abs((seen[0] * seen[1]).sum(axis=0)) / (far[0] * far[1])
    best = int((cosine + 0.05 * np.abs(np.log(FOCAL / USUAL_FOCAL))).argmin())
    if cosine[best] > SLANTED:
        return None
    centre = (outline.mean(axis=0) - np.array(size) / 2) / scale
    back = np.stack([ways[0] / far[0][best], ways[1] / far[1][best], np.array([*centre, 1.0])], axis=1)
    if np.linalg.det(back) < 0:
        back[:, 1] *= -1
    return Frame(back, of, length)


def _commonest(angle: Doubles, weight: Doubles, of: NDArray[np.bool_]) -> float | None:
    """The angle (mod pi) along which most of these sides run."""
    if not of.any():
        return None
    near = np.exp(-0.5 * (_between(angle[of][:, None], angle[of][None]) / 0.1) ** 2) @ weight[of]
    return float(angle[of][int(near.argmax())])


def _between(one: Doubles, two: Doubles | float) -> Doubles:
    """Angles between directions that have no sense, 0..pi / 2."""
    return np.asarray(np.abs((one - two + np.pi / 2) % np.pi - np.pi / 2))


def _off(way: Doubles, middle: Doubles, angle: Doubles) -> Doubles:
    """(S,) signed angle of sides with these middles (S, 2) and angles (S,) to lines through a vanishing point (3,)."""
    towards = way[:2] - way[2] * middle
    return np.asarray((angle - np.arctan2(towards[:, 1], towards[:, 0]) + np.pi / 2) % np.pi - np.pi / 2)


def _fitted(way: Doubles, middle: Doubles, angle: Doubles, weight: Doubles) -> Doubles:
    """The vanishing point (3,), of a unit direction and how near it is, through which these sides point best."""
    theta, near = float(np.arctan2(way[1], way[0])), float(way[2] / np.hypot(way[0], way[1]))
    sure = weight / weight.sum() / 0.02**2
    x, y = middle.T
    for _ in range(8):
        cos, sin = float(np.cos(theta)), float(np.sin(theta))
        across, down = cos - near * x, sin - near * y
        far = across**2 + down**2 + 1e-12
        off = (angle - np.arctan2(down, across) + np.pi / 2) % np.pi - np.pi / 2
        by_theta, by_near = -(across * cos + down * sin) / far, (across * y - down * x) / far
        w = sure / np.sqrt(1 + (off / 0.04) ** 2) ** 2
        tt, tn, nn = (w * by_theta**2).sum(), (w * by_theta * by_near).sum(), (w * by_near**2).sum() + 1.0
        rt, rn = -(w * by_theta * off).sum(), -(w * by_near * off).sum() - near
        det = tt * nn - tn**2
        if det <= 0:
            break
        turn, move = (nn * rt - tn * rn) / det, (tt * rn - tn * rt) / det
        theta, near = theta + min(max(turn, -0.2), 0.2), near + min(max(move, -0.3), 0.3)
        if abs(turn) < 1e-7 and abs(move) < 1e-7:
            break
    return np.array([np.cos(theta), np.sin(theta), near])


def is_quad(outline: NDArray[np.int32]) -> bool:
    """Whether the outline (K, 2) is that of one quad."""
    quad = cv2.approxPolyN(cv2.convexHull(outline), 4, ensure_convex=True).reshape(-1, 2)
    return bool(len(quad) == 4 and cv2.contourArea(outline) > 0.93 * cv2.contourArea(quad))
