"""Where cards may lie: local features of the deck's art vote for card poses.

Each ORB feature of a face knows where the card's centre is, how large the card and which way up; each similar
feature in the photograph is therefore a vote for one pose (a generalised Hough transform: Ballard 1981, Lowe 2004).
Faces share much of their art, so a vote is for *a card of this deck*; which face it is, is decided later.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, areas
from referee.vision.facebank import FaceBank

BANK_SIZES = (48, 76, 120)
"""Short sides in pixels at which features of the faces are learnt: cards in the photo come in all sizes."""
MAX_DISTANCE = 60
"""Largest Hamming distance (of 256 bits) at which two features are alike."""
NEIGHBOURS = 2
"""How many of the deck's features each feature of the photo may vote for."""
SEARCH_SIDE = 1280
"""Long side in pixels of the picture in which features are looked for."""
_PATCH = 25


@dataclass(frozen=True, slots=True, eq=False)
class FeatureBank:
    """Features of all faces. place: (N, 2) card units from the centre; size: (N,) card units; angle: (N,) radians."""

    place: Doubles
    size: Doubles
    angle: Doubles
    descriptors: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Votes for card poses. centre: (V, 2) px; side: (V,) px; angle: (V,) radians clockwise; feature: (V,) which
    feature of the photo; point: (V, 2) px where it is; place: (V, 2) where it sits on the card, card units."""

    centre: Doubles
    side: Doubles
    angle: Doubles
    feature: NDArray[np.intp]
    point: Doubles
    place: Doubles

    def select(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> Votes:
        return Votes(
            self.centre[keep],
            self.side[keep],
            self.angle[keep],
            self.feature[keep],
            self.point[keep],
            self.place[keep],
        )

    def __len__(self) -> int:
        return len(self.side)


@lru_cache(maxsize=8)
def feature_bank(bank: FaceBank) -> FeatureBank:
    """The distinct features of a deck; those that many faces share are kept once."""
    rows: list[tuple[float, float, float, float]] = []
    found: list[NDArray[np.uint8]] = []
    for source in bank.sources:
        for side in BANK_SIZES:
            width, height = side, round(side * bank.aspect)
            pad = side // 3
            grey = cv2.cvtColor(cv2.resize(source, (width, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
            grey = cv2.copyMakeBorder(grey, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
            alpha = cv2.resize(bank.alpha, (width, height), interpolation=cv2.INTER_AREA)
            inside = cv2.copyMakeBorder(
                (alpha > 0.5).astype(np.uint8), pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0
            )
            keypoints, descriptors = _orb(300, 4).detectAndCompute(grey, inside)
            for keypoint, descriptor in zip(keypoints, descriptors if descriptors is not None else (), strict=True):
                rows.append(
                    (
                        (keypoint.pt[0] + 0.5 - pad - width / 2) / side,
                        (keypoint.pt[1] + 0.5 - pad - height / 2) / side,
                        keypoint.size / side,
                        np.deg2rad(keypoint.angle),
                    )
                )
                found.append(np.asarray(descriptor, dtype=np.uint8))
    if not rows:
        return FeatureBank(np.empty((0, 2)), np.empty(0), np.empty(0), np.empty((0, 32), np.uint8))
    table, distinct = np.array(rows), np.array(found)
    keep = _distinct(table, distinct)
    table = table[keep]
    return FeatureBank(table[:, :2], table[:, 2], table[:, 3], distinct[keep])


def _orb(count: int, levels: int) -> cv2.ORB:
    return cv2.ORB.create(count, 1.2, levels, edgeThreshold=_PATCH // 2 + 3, fastThreshold=6, patchSize=_PATCH)


def _distinct(table: Doubles, descriptors: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Indices of features that no earlier one equals in place, size and looks."""
    bits = np.unpackbits(descriptors, axis=1)
    kept: list[int] = []
    for i in range(len(table)):
        if kept:
            rows = np.array(kept)
            near = rows[
                (np.abs(table[rows, :2] - table[i, :2]).max(axis=1) < 0.03)
                & (np.abs(np.log(table[rows, 2] / table[i, 2])) < 0.15)
            ]
            if len(near) and int((bits[near] != bits[i]).sum(axis=1).min()) < 24:
                continue
        kept.append(i)
    return np.array(kept, dtype=np.intp)


def cast_votes(grey: NDArray[np.uint8], features: FeatureBank, count: int = 4000) -> Votes:
    """All votes of a grey picture (H, W); coordinates are of that picture."""
    keypoints, descriptors = _orb(count, 8).detectAndCompute(grey, None)
    if descriptors is None or not len(features.size):
        none = np.empty((0, 2))
        return Votes(none, np.empty(0), np.empty(0), np.empty(0, np.intp), none, none)
    matches = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(descriptors, features.descriptors, k=NEIGHBOURS)
    pairs = np.array(
        [(m.queryIdx, m.trainIdx) for row in matches for m in row if m.distance < MAX_DISTANCE], dtype=np.intp
    ).reshape(-1, 2)
    photo = np.array([(k.pt[0], k.pt[1], k.size, np.deg2rad(k.angle)) for k in keypoints])[pairs[:, 0]]
    learnt = pairs[:, 1]
    side = photo[:, 2] / features.size[learnt]
    angle = photo[:, 3] - features.angle[learnt]
    place = features.place[learnt]
    cos, sin = np.cos(angle), np.sin(angle)
    offset = np.stack([cos * place[:, 0] - sin * place[:, 1], sin * place[:, 0] + cos * place[:, 1]], axis=1)
    centre = photo[:, :2] - offset * side[:, None]
    return Votes(centre, side, (angle + np.pi) % (2 * np.pi) - np.pi, pairs[:, 0], photo[:, :2], place)


def seeds(votes: Votes, aspect: float, least: int = 4, most: int = 150) -> Doubles:
    """Quads (N, 4, 2) that at least `least` features agree on, most votes first.

    Votes whose centre, size and angle are close form a cluster; an affine map fitted to its features
    (RANSAC) gives the card's outline, tilt included.
    """
    clusters = _clusters(votes, least, most)
    half_w, half_h = 0.5, 0.5 * aspect
    outline = np.array([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]])
    quads = []
    for members in clusters:
        part = votes.select(members)
        side = float(np.median(part.side))
        affine = None
        if len(part) >= 6:
            affine, _ = cv2.estimateAffine2D(
                part.place,
                part.point,
                ransacReprojThreshold=max(1.5, 0.04 * side),
                maxIters=300,
                confidence=0.99,
            )
        if affine is None or not _plausible(np.asarray(affine, dtype=np.float64), side):
            angle = float(np.angle(np.exp(1j * part.angle).mean()))
            cos, sin = side * np.cos(angle), side * np.sin(angle)
            centre = np.median(part.centre, axis=0)
            affine = np.array([[cos, -sin, centre[0]], [sin, cos, centre[1]]])
        quads.append(outline @ affine[:, :2].T + affine[:, 2])
    found = np.array(quads).reshape(-1, 4, 2)
    return found[areas(found) > 0] if len(found) else found


def _plausible(affine: Doubles, side: float) -> bool:
    singular = np.linalg.svd(affine[:, :2], compute_uv=False)
    det = float(np.linalg.det(affine[:, :2]))
    return bool(det > 0 and 0.4 * side < singular[1] and singular[0] < 1.9 * side and singular[0] < 2.6 * singular[1])


def _clusters(votes: Votes, least: int, most: int) -> list[NDArray[np.intp]]:
    """Fullest cells of a coarse pose histogram first; each takes the free votes close to its mean pose."""
    if len(votes) == 0:
        return []
    band = np.floor(np.log2(np.maximum(votes.side, 4.0)) * 1.5).astype(np.int64)
    cell = np.floor(votes.centre / (2.0 ** (band / 1.5) * 0.35)[:, None]).astype(np.int64)
    turn = np.floor(votes.angle / (np.pi / 6)).astype(np.int64)
    key = ((band * 64 + turn + 32) * 20011 + cell[:, 0] + 5000) * 20011 + cell[:, 1] + 5000
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    members = np.split(np.argsort(inverse, kind="stable"), np.cumsum(counts)[:-1])
    direction = np.exp(1j * votes.angle)
    log_side = np.log(np.maximum(votes.side, 1e-3))
    free = np.ones(len(votes), dtype=bool)
    out: list[NDArray[np.intp]] = []
    for peak in np.argsort(-counts, kind="stable"):
        if counts[peak] < 2 or len(out) >= most:
            break
        group = members[peak][free[members[peak]]]
        if len(group) < 2:
            continue
        for _ in range(2):
            centre, side = votes.centre[group].mean(0), float(np.exp(log_side[group].mean()))
            heading = direction[group].mean()
            offset = votes.centre - centre
            close = (
                free
                & (offset[:, 0] ** 2 + offset[:, 1] ** 2 < (0.2 * side) ** 2)
                & (np.abs(log_side - np.log(side)) < 0.35)
                & ((direction * np.conj(heading)).real > 0.9 * abs(heading))
            )
            if not close.any():
                break
            group = np.flatnonzero(close)
        if len(np.unique(votes.feature[group])) >= least:
            out.append(group)
            free[group] = False
    return sorted(out, key=lambda g: -len(g))
