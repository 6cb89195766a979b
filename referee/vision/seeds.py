"""Where cards may lie: local features of the deck's art vote for card poses.

Each ORB feature of a face knows where the card's centre is, how large the card and which way up; each similar
feature in the photograph is therefore a vote for one pose (a generalised Hough transform: Ballard 1981, Lowe 2004).
Faces share much of their art, so a vote is for *a card of this deck*; which face it is, is decided later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision import deck_cache
from referee.vision.align import Doubles, areas
from referee.vision.facebank import DECKS_KEPT, FaceBank

BANK_SIZES = (48, 76, 120)
"""Short sides in pixels at which features of the faces are learnt: cards in the photo come in all sizes."""
MAX_DISTANCE = 60
"""Largest Hamming distance (of 256 bits) at which two features are alike."""
NEIGHBOURS = 2
"""How many of the deck's features each feature of the photo may vote for."""
SAME_SPOT, SAME_SIZE, SAME_LOOKS = 0.05, 0.2, 40
"""Up to where learnt features count as one: card units, natural logarithm of the sizes' ratio, Hamming distance."""
MOST_FEATURES = 3000
"""How many learnt features are kept, those first that most others equal. Measured: 13 000 find no more cards."""
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

    @classmethod
    def together(cls, parts: Sequence[Votes]) -> Votes:
        """The votes of several parts of a picture, in one."""
        none = np.empty((0, 2))
        every = [cls(none, np.empty(0), np.empty(0), np.empty(0, np.intp), none, none), *parts]
        names = ("centre", "side", "angle", "feature", "point", "place")
        return cls(*(np.concatenate([getattr(part, name) for part in every]) for name in names))

    def __len__(self) -> int:
        return len(self.side)


@lru_cache(maxsize=DECKS_KEPT)
def feature_bank(bank: FaceBank) -> FeatureBank:
    """The distinct features of a deck; those that many faces share are kept once."""
    rules = (BANK_SIZES, SAME_SPOT, SAME_SIZE, SAME_LOOKS, MOST_FEATURES, _PATCH)
    key = deck_cache.key_of(("features", repr(rules), bank.key))
    kept = deck_cache.load(key, {"table": (np.float64, (None, 4)), "descriptors": (np.uint8, (None, 32))})
    if kept is None or len(kept["table"]) != len(kept["descriptors"]):
        kept = _learn(bank)
        deck_cache.store(key, kept)
    table = np.asarray(kept["table"], np.float64)
    return FeatureBank(table[:, :2], table[:, 2], table[:, 3], np.asarray(kept["descriptors"], np.uint8))


def _learn(bank: FaceBank) -> deck_cache.Arrays:
    """table: (N, 4) x, y, size in card units and angle, and descriptors: (N, 32) of the features of a deck."""
    tables, found = [np.empty((0, 4))], [np.empty((0, 32), np.uint8)]
    for source in bank.sources:
        for side in BANK_SIZES:
            table, descriptors = _features_of(source, bank, side)
            tables.append(table)
            found.append(descriptors)
    table, descriptors = np.concatenate(tables), np.concatenate(found)
    keep = _distinct(tables, found)
    return {"table": table[keep], "descriptors": descriptors[keep]}


def _features_of(source: NDArray[np.uint8], bank: FaceBank, side: int) -> tuple[Doubles, NDArray[np.uint8]]:
    """Features of a face drawn `side` pixels wide: (N, 4) x, y, size in card units and angle, and descriptors."""
    width, height = side, round(side * bank.aspect)
    pad = side // 3
    grey = cv2.cvtColor(cv2.resize(source, (width, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    grey = cv2.copyMakeBorder(grey, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    alpha = cv2.resize(bank.alpha, (width, height), interpolation=cv2.INTER_AREA)
    inside = cv2.copyMakeBorder((alpha > 0.5).astype(np.uint8), pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    keypoints, descriptors = _orb(300, 4).detectAndCompute(grey, inside)
    if descriptors is None:
        return np.empty((0, 4)), np.empty((0, 32), np.uint8)
    points = np.array([(k.pt[0], k.pt[1], k.size, k.angle) for k in keypoints])
    points[:, :2] += 0.5 - pad - np.array([width / 2, height / 2])
    points[:, :3] /= side
    points[:, 3] = np.deg2rad(points[:, 3])
    return points, np.asarray(descriptors, dtype=np.uint8)


def _orb(count: int, levels: int) -> cv2.ORB:
    return cv2.ORB.create(count, 1.2, levels, edgeThreshold=_PATCH // 2 + 3, fastThreshold=6, patchSize=_PATCH)


def _distinct(tables: list[Doubles], found: list[NDArray[np.uint8]]) -> NDArray[np.intp]:
    """Indices of the features to keep: of those that agree in place, size and looks the first, and of all of these
    the `MOST_FEATURES` that most others agree with (then a like number from each face and size)."""
    table, words = np.empty((0, 4)), np.empty((0, 4), np.uint64)
    index, support, number = (np.empty(0, np.intp) for _ in range(3))
    start = 0
    for fresh, descriptors in zip(tables, found, strict=True):
        bits = np.ascontiguousarray(descriptors).view(np.uint64)
        mine, theirs = _alike(fresh, bits, table, words)
        np.add.at(support, theirs, 1)
        new = np.ones(len(fresh), dtype=bool)
        new[mine] = False
        # Among themselves: an earlier one that stays stands for the later ones.
        for later, earlier in zip(*_alike(fresh, bits, fresh, bits), strict=True):
            if earlier < later and new[earlier]:
                new[later] = False
        table, words = np.concatenate([table, fresh[new]]), np.concatenate([words, bits[new]])
        index = np.concatenate([index, start + np.flatnonzero(new)])
        count = int(new.sum())
        support = np.concatenate([support, np.ones(count, np.intp)])
        number = np.concatenate([number, np.arange(count)])
        start += len(fresh)
    return np.sort(index[np.lexsort((number, -support))[:MOST_FEATURES]])


def _alike(
    first: Doubles, bits: NDArray[np.uint64], second: Doubles, words: NDArray[np.uint64]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of features (N, 4) and (M, 4) with descriptors (N, 4) and (M, 4) that are the same to the eye."""
    mine, theirs = np.nonzero(np.abs(first[:, None, 0] - second[None, :, 0]) < SAME_SPOT)
    near = np.abs(first[mine, 1] - second[theirs, 1]) < SAME_SPOT
    mine, theirs = mine[near], theirs[near]
    near = np.abs(np.log(first[mine, 2] / second[theirs, 2])) < SAME_SIZE
    mine, theirs = mine[near], theirs[near]
    near = np.bitwise_count(bits[mine] ^ words[theirs]).sum(axis=1) < SAME_LOOKS
    return mine[near], theirs[near]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Local features of a photograph. points: (N, 2) px; sizes: (N,) px; angles: (N,) radians; descriptors: (N, 32)."""

    points: Doubles
    sizes: Doubles
    angles: Doubles
    descriptors: NDArray[np.uint8]

    @classmethod
    def none(cls) -> Features:
        return cls(np.empty((0, 2)), np.empty(0), np.empty(0), np.empty((0, 32), np.uint8))

    @classmethod
    def of(
        cls, grey: NDArray[np.uint8], count: int = 4000, where: NDArray[np.uint8] | None = None, levels: int = 8
    ) -> Features:
        """The strongest `count` features of a grey picture (H, W), where `where` (H, W) is not 0.

        levels: of sizes in which they are looked for.
        """
        keypoints, descriptors = _orb(count, levels).detectAndCompute(grey, where)
        if descriptors is None:
            return cls.none()
        points = np.array(cv2.KeyPoint.convert(keypoints), dtype=np.float64).reshape(-1, 2)
        sizes, angles = np.array([(k.size, k.angle) for k in keypoints]).T
        return cls(points, sizes, np.deg2rad(angles), np.asarray(descriptors, dtype=np.uint8))

    def scaled(self, grow: Doubles, first: Doubles | float = 0.0) -> Features:
        """The same in a picture `grow` (2,) times as large, of which this one is a part that begins at `first` (2,)."""
        return replace(self, points=(self.points + 0.5 + first) * grow - 0.5, sizes=self.sizes * grow[0])

    def votes(
        self, learnt: FeatureBank, sides: tuple[float, float] | None = None, part: NDArray[np.intp] | None = None
    ) -> Votes:
        """The votes of all features, or those of a `part` (indices).

        sides: the least and the greatest short side in pixels that cards have there, where that is known: features that
        would mean another size are not even compared.
        """
        chosen = np.arange(len(self)) if part is None else part
        if not len(chosen) or not len(learnt.size):
            return Votes.together(())
        pairs = _matches(self.descriptors[chosen], self.sizes[chosen], learnt, sides)
        feature, like = chosen[pairs[:, 0]], pairs[:, 1]
        side = self.sizes[feature] / learnt.size[like]
        angle = self.angles[feature] - learnt.angle[like]
        place, point = learnt.place[like], self.points[feature]
        cos, sin = np.cos(angle), np.sin(angle)
        offset = np.stack([cos * place[:, 0] - sin * place[:, 1], sin * place[:, 0] + cos * place[:, 1]], axis=1)
        centre = point - offset * side[:, None]
        return Votes(centre, side, (angle + np.pi) % (2 * np.pi) - np.pi, feature, point, place)

    def __len__(self) -> int:
        return len(self.sizes)


def _matches(
    descriptors: NDArray[np.uint8], sizes: Doubles, features: FeatureBank, sides: tuple[float, float] | None
) -> NDArray[np.intp]:
    """(M, 2) pairs (feature of the photo, learnt feature): the `NEIGHBOURS` nearest of each that are alike. sizes: (N,)
    pixels of the photo's features, of which there are only a few different ones."""
    everything = np.arange(len(sizes)), np.arange(len(features.size))
    groups = [everything]
    if sides is not None:
        levels = np.round(np.log(sizes), 2)
        groups = []
        for level in np.unique(levels):
            mine = np.flatnonzero(levels == level)
            meant = sizes[mine[0]] / features.size
            groups.append((mine, np.flatnonzero((meant > sides[0]) & (meant < sides[1]))))
    pairs = [np.empty((0, 2), np.intp)]
    for mine, theirs in groups:
        nearest = min(NEIGHBOURS, len(theirs))
        if not nearest:
            continue
        distance, index = cv2.batchDistance(
            descriptors[mine], features.descriptors[theirs], cv2.CV_32S, normType=cv2.NORM_HAMMING, K=nearest
        )
        row, column = np.nonzero(distance < MAX_DISTANCE)
        pairs.append(np.stack([mine[row], theirs[index[row, column]]], axis=1))
    return np.concatenate(pairs)


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
    by_x = np.argsort(votes.centre[:, 0], kind="stable")  # so that the votes near a place are a short stretch
    centre, side, feature = votes.centre[by_x], votes.side[by_x], votes.feature[by_x]
    turn_of = votes.angle[by_x]
    band = np.floor(np.log2(np.maximum(side, 4.0)) * 1.5).astype(np.int64)
    cell = np.floor(centre / (2.0 ** (band / 1.5) * 0.35)[:, None]).astype(np.int64)
    turn = np.floor(turn_of / (np.pi / 6)).astype(np.int64)
    key = ((band * 64 + turn + 32) * 20011 + cell[:, 0] + 5000) * 20011 + cell[:, 1] + 5000
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    members = np.split(np.argsort(inverse, kind="stable"), np.cumsum(counts)[:-1])
    direction = np.exp(1j * turn_of)
    log_side = np.log(np.maximum(side, 1e-3))
    free = np.ones(len(votes), dtype=bool)
    out: list[NDArray[np.intp]] = []
    for peak in np.argsort(-counts, kind="stable"):
        if counts[peak] < 2 or len(out) >= most:
            break
        group = members[peak][free[members[peak]]]
        if len(group) < 2:
            continue
        for _ in range(2):
            middle, size = centre[group].mean(0), float(np.exp(log_side[group].mean()))
            heading = direction[group].mean()
            reach = 0.2 * size
            low, high = np.searchsorted(centre[:, 0], [middle[0] - reach, middle[0] + reach])
            part = slice(low, high)
            offset = centre[part] - middle
            close = (
                free[part]
                & (offset[:, 0] ** 2 + offset[:, 1] ** 2 < reach**2)
                & (np.abs(log_side[part] - np.log(size)) < 0.35)
                & ((direction[part] * np.conj(heading)).real > 0.9 * abs(heading))
            )
            if not close.any():
                break
            group = low + np.flatnonzero(close)
        if len(np.unique(feature[group])) >= least:
            out.append(group)
            free[group] = False
    return [by_x[group] for group in sorted(out, key=lambda g: -len(g))]
