"""The first cards of a photograph, found before any plane is known, and the plane they agree on.

Only as many features and seeds are tried as that takes: once the plane stands, everything else is cheaper on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.align import Aligner, Doubles, Pyramid, areas
from referee.vision.candidates import OTHER_SIZE
from referee.vision.plane import Bools, Plane, agreed_plane
from referee.vision.seeds import SEARCH_SIDE, FeatureBank, Features, Votes, seeds
from referee.vision.verify import IS_CARD, Detections, distinct, verify

SMALL_SIDE = 48
"""Cards smaller than this in the search picture (px) make the search go on at twice its size."""
SEEDS = ((3, 24), (1, 48), (1, 150))
"""Every how many-th feature votes, and how many seeds are tried: at first, and if those do not lead to enough cards in
one plane. Measured on 60 photographs of seven looks: every third feature is enough for 81 %, all are for 84 %."""
ENOUGH_CARDS, ENOUGH_SHARE = 6, 0.75
"""Cards that must lie in one plane for it to be taken as the table, and their share of the cards found."""

MASK_SIDE = 640
"""Long side in pixels of the map of what is known already."""


@dataclass(frozen=True, slots=True, eq=False)
class FirstCards:
    """Cards found before any plane was known. plane: the one they agree on, None without; rejected: cards that do not
    lie in it; features: of the picture."""

    cards: Detections
    plane: Plane | None
    rejected: Detections
    features: Features

    @property
    def found(self) -> Detections:
        """All of them, in that plane or not."""
        return self.cards.plus(self.rejected)

    @property
    def enough(self) -> bool:
        """Whether they may be taken as lying on the table."""
        return self.plane is not None and len(self.cards) >= max(ENOUGH_CARDS, ENOUGH_SHARE * len(self.found))


def first_cards(pyramid: Pyramid, aligner: Aligner, learnt: FeatureBank) -> FirstCards:
    """Cards that features of the picture lead to and that the faces confirm, and the plane they lie in.

    The seeds that most features agree on come first; once enough cards lie in one plane, the rest can wait for it.
    """
    aspect = aligner.bank.aspect
    features = features_at(pyramid, SEARCH_SIDE)
    votes, voted = Votes.together(()), np.zeros(len(features), dtype=bool)
    first = FirstCards(Detections.none(), None, Detections.none(), features)
    tried = np.empty((0, 4, 2))
    for every, most in SEEDS:
        part = np.arange(0, len(features), every)
        part = part[~voted[part]]
        voted[part] = True
        votes = Votes.together((votes, features.votes(learnt, part=part)))
        quads = _fresh(seeds(votes, aspect, most=most), tried, first.found)
        tried = np.concatenate([tried, quads])
        first = _more_cards(pyramid, aligner, quads, first)
        if first.enough:
            break
    if not _too_small(first.found, pyramid):
        return first
    features = features_at(pyramid, 2 * SEARCH_SIDE)
    if first.enough:
        return FirstCards(first.cards, first.plane, first.rejected, features)
    quads = seeds(features.votes(learnt), aspect, most=SEEDS[-1][1])
    return _more_cards(pyramid, aligner, quads, FirstCards(first.cards, None, first.rejected, features))


def _fresh(quads: Doubles, tried: Doubles, known: Detections) -> Doubles:
    """Those quads (N, 4, 2) that are none of those `tried` (M, 4, 2) and do not lie on a known card."""
    side = np.sqrt(np.abs(areas(quads)))
    again = (np.abs(quads[:, None] - tried[None]).max(axis=(2, 3)) < 1).any(axis=1)
    centres = quads.mean(axis=1)[:, None] - known.corners.mean(axis=1)[None]
    return np.asarray(quads[~again & (np.hypot(*centres.transpose(2, 0, 1)).min(axis=1, initial=np.inf) > 0.3 * side)])


def _more_cards(pyramid: Pyramid, aligner: Aligner, quads: Doubles, first: FirstCards) -> FirstCards:
    """The cards known and those that quads (N, 4, 2) lead to, and the plane of all of them."""
    found = verify(pyramid, aligner, quads)
    cards = distinct(first.found.plus(found.select(found.score >= IS_CARD)))
    fitted = agreed_plane(cards.corners, cards.score.astype(np.float64), aligner.bank.aspect, pyramid.size)
    if fitted is None:
        return FirstCards(cards, None, Detections.none(), first.features)
    plane, agree = fitted
    return FirstCards(cards.select(agree), plane, cards.select(~agree), first.features)


def _too_small(cards: Detections, pyramid: Pyramid) -> bool:
    """Whether the picture has more to give than the search used: no card, or small ones."""
    if max(pyramid.size) <= 1.3 * SEARCH_SIDE:
        return False
    if not len(cards):
        return True
    side = np.sqrt(np.abs(areas(cards.corners))) * SEARCH_SIDE / max(pyramid.size)
    return bool(side.min() < SMALL_SIDE)


def features_at(pyramid: Pyramid, long_side: int) -> Features:
    """Features of the photograph scaled to `long_side` pixels; coordinates in full-size pixels."""
    width, height = pyramid.size
    grey = pyramid.grey(min(1.0, long_side / max(width, height)))
    features = Features.of(grey, 4000 * long_side // SEARCH_SIDE)
    return features.scaled(np.array([width, height]) / grey.shape[::-1])


def votes_on(features: Features, learnt: FeatureBank, plane: Plane, cards: Detections) -> Votes:
    """Votes of the features beside known cards, for cards of the size that they have in this plane."""
    open_ = np.flatnonzero(~_on_cards(plane, cards, features.points))
    if not len(open_):
        return Votes.together(())
    sides = plane.side_at(features.points[open_])
    limits = float(sides.min()) * np.exp(-OTHER_SIZE), float(sides.max()) * np.exp(OTHER_SIZE)
    return features.votes(learnt, limits, open_)


def _on_cards(plane: Plane, cards: Detections, points: Doubles) -> Bools:
    """(N,) which points (N, 2) of the picture lie on cards."""
    width, height = 2 * plane.middle
    scale = MASK_SIDE / max(width, height)
    mask = np.zeros((round(height * scale) + 1, round(width * scale) + 1), np.uint8)
    for corners in cards.corners:
        cv2.fillConvexPoly(mask, np.round(corners * scale).astype(np.int32), 1)
    spots = np.clip(np.round(points * scale).astype(np.intp), 0, np.array(mask.shape[::-1]) - 1)
    return np.asarray(mask[spots[:, 1], spots[:, 0]] > 0)
