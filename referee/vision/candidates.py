"""Where else cards may lie, once the table plane is known: by votes seen from above, and beside sure cards."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Aligner, Doubles, Pyramid
from referee.vision.facebank import COARSE, FaceBank, normalise
from referee.vision.plane import Bools, Plane, view_from_above
from referee.vision.seeds import cast_votes, feature_bank
from referee.vision.verify import SAME_PLACE, Detections

ABOVE_SIDE = 64
"""Pixels of a card's short side when the table is seen from above."""


def voted(pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections) -> Doubles:
    """Poses (N, 3) that two features or more vote for on the table seen from above, away from known cards.

    Seen from above there is no tilt and the size of a card is known, so that few votes say much.
    """
    view, to_table = view_from_above(plane, pyramid, ABOVE_SIDE)
    votes = cast_votes(np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), dtype=np.uint8), feature_bank(bank))
    part = votes.select(np.abs(np.log(np.maximum(votes.side, 1) * to_table[0, 0])) < 0.3)
    spot = part.centre @ to_table[:, :2].T + to_table[:, 2]
    known = plane.poses(cards.corners)[:, :2]
    apart = np.hypot(*(spot[:, None] - known[None]).transpose(2, 0, 1)).min(axis=1, initial=9.0) >= SAME_PLACE
    spot, feature, direction = spot[apart], part.feature[apart], np.exp(1j * part.angle[apart])
    free = np.ones(len(spot), dtype=bool)
    near_count = _count_near(spot)
    poses: list[list[float]] = []
    for i in np.argsort(-near_count, kind="stable"):
        if near_count[i] < 2 or len(poses) >= 100:
            break
        if not free[i]:
            continue
        close = free & (np.hypot(*(spot - spot[i]).T) < 0.25) & ((direction * np.conj(direction[i])).real > 0.87)
        free[i] = False
        if len(np.unique(feature[close])) < 2:
            continue
        free &= ~close
        poses.append([*spot[close].mean(axis=0), float(np.angle(direction[close].mean()))])
    return np.array(poses).reshape(-1, 3)


def _count_near(spot: Doubles) -> NDArray[np.intp]:
    """How many other points share each point's cell of a quarter card."""
    cell = np.floor(spot / 0.3).astype(np.int64)
    key = cell[:, 0] * 1_000_003 + cell[:, 1]
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse], dtype=np.intp)


def beside(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections, before: Doubles | None = None
) -> Doubles:
    """Poses (N, 3) beside sure cards, found by sliding every face over the places next to each card.

    The window reaches 0.4 of a card to every side, and a few angles are tried. Places beside the poses `before`
    (M, 3) have been looked at already.
    """
    cells = cells_beside(plane, cards, pyramid.size, before)
    return slide(pyramid, aligner, plane, cells)


def cells_beside(
    plane: Plane, cards: Detections, size: tuple[int, int], before: Doubles | None = None, beyond: bool = False
) -> Doubles:
    """Free poses (N, 3) straight beside cards, in the picture (size: width, height) at least in part, or, with
    `beyond`, also outside it. Cards at the poses `before` (M, 3) have been dealt with."""
    everywhere = poses = plane.poses(cards.corners)
    if before is not None and len(before):
        gap = np.hypot(*(poses[:, None, :2] - before[None, :, :2]).transpose(2, 0, 1)).min(axis=1)
        poses = poses[gap > 0.2]
    if not len(poses):
        return np.empty((0, 3))
    wide, high = 1.05, 1.05 * plane.aspect
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    cells = np.concatenate(
        [
            np.stack([poses[:, 0] + cos * dx - sin * dy, poses[:, 1] + sin * dx + cos * dy, poses[:, 2]], 1)
            for dx, dy in ((wide, 0.0), (-wide, 0.0), (0.0, high), (0.0, -high))
        ]
    )
    taken = np.hypot(*(cells[:, None, :2] - everywhere[None, :, :2]).transpose(2, 0, 1)).min(axis=1) < 0.7
    cells = cells[~taken & (beyond | _inside(plane.outlines(cells), size))]
    kept: list[int] = []
    for i in range(len(cells)):
        if not kept or np.hypot(*(cells[kept, :2] - cells[i, :2]).T).min() > 0.3:
            kept.append(i)
    return np.asarray(cells[kept])


def slide(pyramid: Pyramid, aligner: Aligner, plane: Plane, cells: Doubles, reach: float = 0.4) -> Doubles:
    """The best pose of any face near each of `cells` (N, 3), by normalised correlation at `COARSE` pixels a card."""
    if not len(cells):
        return np.empty((0, 3))
    bank = aligner.bank
    templates = bank.at(COARSE, 0.7)
    width, height = templates.size
    border = round(reach * COARSE)
    size = (width + 2 * border, height + 2 * border)
    angles = np.deg2rad([-12.0, -6.0, 0.0, 6.0, 12.0])
    tried = np.repeat(cells, len(angles), axis=0)
    tried[:, 2] += np.tile(angles, len(cells))
    grown = tried.copy()
    corners = _scaled_outlines(plane, grown, size[0] / width, size[1] / height)
    windows = pyramid.cut(corners, size)
    steps = (0, 1, 2, 3) if bank.is_square else (0, 2)
    vectors = np.concatenate(
        [normalise(np.rot90(templates.images, -k, axes=(1, 2)), np.rot90(templates.mask, -k)) for k in steps]
    )
    stride = 2
    offsets = range(0, 2 * border + 1, stride)
    out = []
    per_cell = len(angles)
    for i in range(len(cells)):
        block = windows[i * per_cell : (i + 1) * per_cell]
        patches = np.stack([block[:, y : y + height, x : x + width] for y in offsets for x in offsets], axis=1)
        scores = normalise(patches.reshape(-1, height, width, 3), templates.mask) @ vectors.T
        best = int(scores.max(axis=1).argmax())
        angle, spot = divmod(best, len(offsets) ** 2)
        row, column = divmod(spot, len(offsets))
        turn = int(scores[best].argmax()) // len(bank.face_ids)
        x, y, heading = tried[i * per_cell + angle]
        du, dv = (column * stride - border) / COARSE, (row * stride - border) / COARSE
        c, s = np.cos(heading), np.sin(heading)
        out.append([x + c * du - s * dv, y + s * du + c * dv, heading + steps[turn] * np.pi / 2])
    return np.array(out)


def _scaled_outlines(plane: Plane, poses: Doubles, wider: float, higher: float) -> Doubles:
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * [wider, higher * plane.aspect]
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turn = np.stack([np.stack([cos, -sin], 1), np.stack([sin, cos], 1)], 1)
    return plane.image(np.einsum("nij,kj->nki", turn, half) + poses[:, None, :2])


def _inside(corners: Doubles, size: tuple[int, int]) -> Bools:
    """Whether a good part of a quad lies in the picture: its centre, or nearly."""
    centre = corners.mean(axis=1)
    slack = 0.2 * np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)[:, None]
    within = ((centre > -slack) & (centre < np.array(size) + slack)).all(axis=1)
    return np.asarray(within & np.isfinite(corners).all(axis=(1, 2)))
