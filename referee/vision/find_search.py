"""Cards that no cue shows as a region, such as those that touch: a search over the table seen from above.

On the plane every card is a rectangle of known size, so that a place, a turn and nothing else is to be found. For each
turn the edges along both directions are averaged over the length of a side; a card is where four such sides meet,
and its weakest side counts most.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, Pyramid
from referee.vision.facebank import Floats
from referee.vision.find_quads import edge_strength
from referee.vision.plane import Plane, view_from_above

SIDE = 44
"""Pixels of a card's short side in the view that is searched."""
TURNS = 6
"""Turns tried within a quarter: those along which most edges run."""
LEAST = 0.17
"""Evidence (0..1) from which on a place is a candidate."""
FAINT = 5.0
"""Edge strength (Lab units a pixel) at which an edge counts half."""
GLANCE = 10
"""Pixels of a card's short side in the view that shows which part of the table to search."""
MOST_PIXELS = 0.6e6
"""Pixels of the part that is searched; where it would take more, cards are shown smaller."""
PITCH = 1.015
"""Distance of touching cards, in card sides: a hair's breadth lies between them."""
MOST = 160
"""Candidates kept, the best."""


def search(pyramid: Pyramid, plane: Plane, region: Pixels, smallest: float) -> tuple[Doubles, Doubles]:
    """Poses (N, 3) on the table where four sides have edges, and their evidence (N,), best first.

    region: (H, W) uint8 of the photograph, not 0 where cards may lie; smallest: px, short side of a card in the
    photograph below which none is looked for.
    """
    glance, to_table = view_from_above(
        plane, Pyramid((np.repeat(region[..., None], 3, axis=2),)), GLANCE, smallest, MOST_PIXELS
    )
    rows, columns = np.flatnonzero(glance[..., 0].max(axis=1)), np.flatnonzero(glance[..., 0].max(axis=0))
    if not len(rows):
        return np.empty((0, 3)), np.empty(0)
    extent = np.array([columns[-1] - columns[0], rows[-1] - rows[0]]) * to_table[0, 0] + 1.0
    wanted = min(SIDE, float(np.sqrt(MOST_PIXELS / (extent[0] * extent[1]))))
    ratio = wanted * to_table[0, 0]
    view, to_table = view_from_above(plane, pyramid, wanted, smallest, 16 * MOST_PIXELS)
    side = 1 / to_table[0, 0]
    top, left = max(0, int((rows[0] - 2) * ratio)), max(0, int((columns[0] - 2) * ratio))
    view = view[top : int((rows[-1] + 3) * ratio), left : int((columns[-1] + 3) * ratio)]
    to_table = np.array(to_table)
    to_table[:, 2] += to_table[:, :2] @ np.array([left, top])
    strength = edge_strength(view)
    blank = cv2.erode((view.max(axis=2) > 0).astype(np.uint8), np.ones((5, 5), np.uint8))
    tensor = np.asarray(strength * blank[..., None], dtype=np.float32)
    poses, scores = [], []
    for turn in _likely_turns(tensor):
        for place, heading, score in _at_turn(tensor, turn, side, plane.aspect):
            poses.append(
                np.concatenate([place * to_table[0, 0] + to_table[:, 2], np.full((len(place), 1), heading)], 1)
            )
            scores.append(score)
    if not poses:
        return np.empty((0, 3)), np.empty(0)
    all_poses, all_scores = np.concatenate(poses), np.concatenate(scores)
    order = np.argsort(-all_scores, kind="stable")[: 4 * MOST]
    kept = _best_of_each_place(all_poses[order], plane.aspect)[:MOST]
    return all_poses[order][kept], all_scores[order][kept]


def beside(poses: Doubles, aspect: float) -> Doubles:
    """Poses (M, 3) of flush neighbours of cards at `poses` (N, 3), away from those cards."""
    if not len(poses):
        return poses
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    out = []
    for dx, dy in ((PITCH, 0.0), (-PITCH, 0.0), (0.0, PITCH * aspect), (0.0, -PITCH * aspect)):
        out.append(np.stack([poses[:, 0] + cos * dx - sin * dy, poses[:, 1] + sin * dx + cos * dy, poses[:, 2]], 1))
    fresh = np.concatenate(out)
    apart = np.hypot(*(fresh[:, None, :2] - poses[None, :, :2]).transpose(2, 0, 1)).min(axis=1)
    return np.asarray(fresh[apart > 0.6])


def flush_neighbours(poses: Doubles, aspect: float, weight: Doubles) -> Doubles:
    """(N,) on how many sides of a pose (N, 3) another lies flush, the heavier (N,) of them counting more."""
    if not len(poses):
        return np.empty(0)
    away = poses[None, :, :2] - poses[:, None, :2]
    cos, sin = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
    x = (cos * away[..., 0] + sin * away[..., 1]) / PITCH
    y = (-sin * away[..., 0] + cos * away[..., 1]) / (PITCH * aspect)
    half_turn = np.pi / 2 if aspect < 1.02 else np.pi
    turn = np.abs((poses[None, :, 2] - poses[:, None, 2] + half_turn / 2) % half_turn - half_turn / 2)
    total = np.zeros(len(poses))
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        near = (np.abs(x - dx) < 0.05) & (np.abs(y - dy) < 0.05) & (turn < 0.06)
        total += np.where(near, weight[None], 0.0).max(axis=1)
    return total


def _likely_turns(tensor: Floats) -> list[float]:
    """Turns in [0, pi / 2) along which most edges of the view run."""
    a, b, c = (tensor[..., i] for i in range(3))
    size = a + c
    angle = 0.5 * np.arctan2(2 * b, a - c) % (np.pi / 2)
    straight = np.sqrt((a - c) ** 2 + 4 * b * b) / (size + 1e-6)
    weight = straight * size / (size + FAINT**2)
    bins = np.minimum((angle / (np.pi / 2) * 90).astype(np.intp), 89)
    counts = np.bincount(bins.ravel(), weights=weight.ravel().astype(np.float64), minlength=90)
    ring = np.concatenate([counts[-6:], counts, counts[:6]])
    smooth = np.convolve(ring, np.exp(-0.5 * (np.arange(-4, 5) / 1.5) ** 2), mode="same")[6:-6]
    turns: list[int] = []
    for degree in np.argsort(-smooth, kind="stable"):
        if smooth[degree] < 0.25 * smooth.max() or len(turns) >= TURNS:
            break
        if all(min(abs(degree - other), 90 - abs(degree - other)) >= 4 for other in turns):
            turns.append(int(degree))
    return [np.deg2rad(degree + 0.5) for degree in turns]


def _at_turn(tensor: Floats, turn: float, side: float, aspect: float) -> list[tuple[Doubles, float, Doubles]]:
    """Peaks of the evidence for cards turned by `turn`: places (N, 2) px of the view, heading, evidence (N,)."""
    height, width = tensor.shape[:2]
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    reach = np.ceil(np.array([width * cos + height * sin, width * sin + height * cos])).astype(int) + 2
    middle, new_middle = np.array([width, height]) / 2 - 0.5, reach / 2 - 0.5
    back = np.array([[cos, -sin], [sin, cos]])  # turned picture -> view
    matrix = np.concatenate([back, (middle - back @ new_middle)[:, None]], axis=1)
    turned = cv2.warpAffine(
        tensor, matrix, (int(reach[0]), int(reach[1])), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    a, b, c = (turned[..., i] for i in range(3))
    along = cos * cos * a + 2 * sin * cos * b + sin * sin * c
    across = sin * sin * a - 2 * sin * cos * b + cos * cos * c
    upright, level = (np.sqrt(np.maximum(m, 0)) for m in (along, across))
    out = []
    for wide, high, heading in ((1.0, aspect, turn), (aspect, 1.0, turn + np.pi / 2))[: 1 if aspect < 1.02 else 2]:
        score = _evidence(upright, level, wide * side, high * side)
        peak = (score >= cv2.dilate(score, np.ones((9, 9), np.uint8))) & (score > LEAST)
        row, column = np.nonzero(peak)
        spot = np.stack([column, row], axis=1) @ back.T + matrix[:, 2]
        out.append((spot, heading, score[row, column].astype(np.float64)))
    return out


def _evidence(upright: Floats, level: Floats, wide: float, high: float) -> Floats:
    """(H, W) evidence for a card of wide x high pixels centred at each pixel, sides along the axes."""
    left_right = _sides(upright, high)
    top_bottom = np.ascontiguousarray(_sides(np.ascontiguousarray(level.T), wide).T)
    left, right = _shifted(left_right, -wide / 2, 0), _shifted(left_right, wide / 2, 0)
    top, bottom = _shifted(top_bottom, 0, -high / 2), _shifted(top_bottom, 0, high / 2)
    low_one, low_two = cv2.min(left, right), cv2.min(top, bottom)
    weakest = cv2.min(low_one, low_two)
    second = cv2.min(cv2.max(low_one, low_two), cv2.min(cv2.max(left, right), cv2.max(top, bottom)))
    total = left + right + top + bottom
    return np.asarray(0.4 * weakest + 0.2 * second + 0.1 * total, dtype=np.float32)


def _sides(strength: Floats, length: float) -> Floats:
    """(H, W) how much an upright side of this length through each pixel stands out from what is beside it."""
    soft = strength / (strength + FAINT)
    widest = cv2.dilate(soft, np.ones((1, 3), np.uint8))
    run = max(3, round(0.8 * length)) | 1
    line = cv2.blur(widest, (1, run), borderType=cv2.BORDER_CONSTANT)
    mean = cv2.blur(soft, (max(5, round(0.25 * length)) | 1, run), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(np.clip((line - mean) / 0.6, 0, 1), dtype=np.float32)


def _shifted(values: Floats, x: float, y: float) -> Floats:
    """The picture whose pixel (u, v) is `values` at (u + x, v + y), zero outside."""
    matrix = np.array([[1, 0, x], [0, 1, y]], dtype=np.float64)
    size = (values.shape[1], values.shape[0])
    return np.asarray(cv2.warpAffine(values, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP))


def _best_of_each_place(poses: Doubles, aspect: float) -> NDArray[np.intp]:
    """Indices of the poses (best first) that are no near copies of better ones."""
    kept: list[int] = []
    quarter = np.pi / 2 if aspect < 1.02 else np.pi
    for i in range(len(poses)):
        if kept:
            near = poses[kept]
            turn = np.abs((near[:, 2] - poses[i, 2] + quarter / 2) % quarter - quarter / 2)
            if bool(((np.hypot(*(near[:, :2] - poses[i, :2]).T) < 0.12) & (turn < 0.3)).any()):
                continue
        kept.append(i)
    return np.array(kept, dtype=np.intp)
