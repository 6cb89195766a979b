"""The first cards of a photograph, found before any plane is known, and the plane they agree on.

Only as many features and seeds are tried as that takes: once the plane stands, everything else is cheaper on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.vision.align import Aligner, Doubles, Pyramid, areas
from referee.vision.candidates import OTHER_SIZE
from referee.vision.layers import hidden
from referee.vision.plane import Plane, agreed_plane
from referee.vision.seeds import SEARCH_SIDE, FeatureBank, Features, Votes, seeds
from referee.vision.verify import IS_CARD, Detections, distinct, verify

SMALL_SIDE, LARGE_SIDE = 48, 80
"""Cards smaller than this in the search picture (px) make the search go on at twice its size; if all are larger than
the second, the features of a smaller picture do."""
GLANCE = 1448
"""Long side in pixels that the level of the photograph that is looked at first has at most."""
EVERY, GLANCED = 3, 24
"""Every how many-th feature of that votes, and how many seeds are tried. Measured on 60 photographs of seven looks:
this leads to enough cards in 76 % at a third of the cost, all features of a larger picture in 84 %."""
SEEDS = (48, 150)
"""How many seeds are tried if those do not lead to enough cards, and how many after that."""
ENOUGH_CARDS, ENOUGH_SHARE = 6, 0.75
"""Cards that must lie in one plane for it to be taken as the table, and their share of the cards found."""
CLEAR = 0.9
"""Share of the seeds that must lead to cards for a picture to be clear (0..1)."""
PLAIN_TRUST = 0.6
"""How much a likeness to a face counts of which only the frame is drawn (0..1)."""


@dataclass(frozen=True, slots=True, eq=False)
class FirstCards:
    """Cards found before any plane was known. plane: the one they agree on, None without; rejected: cards that do not
    lie in it; features: of the picture; confirmed: share of the seeds tried last that led to cards."""

    cards: Detections
    plane: Plane | None
    rejected: Detections
    features: Features
    confirmed: float = 0.0

    @property
    def found(self) -> Detections:
        """All of them, in that plane or not."""
        return self.cards.plus(self.rejected)

    @property
    def enough(self) -> bool:
        """Whether they may be taken as lying on the table."""
        return self.plane is not None and len(self.cards) >= max(ENOUGH_CARDS, ENOUGH_SHARE * len(self.found))

    @property
    def clear(self) -> bool:
        """Whether features are so plain here that more of them would lead to nothing new."""
        return self.enough and self.confirmed >= CLEAR


def first_cards(pyramid: Pyramid, aligner: Aligner, learnt: FeatureBank) -> FirstCards:
    """Cards that features of the picture lead to and that the faces confirm, and the plane they lie in.

    The seeds that most features agree on come first; once enough cards lie in one plane, the rest can wait for it.
    """
    aspect = aligner.bank.aspect
    first = FirstCards(Detections.none(), None, Detections.none(), Features.none())
    if not aligner.bank.has_upper:  # of cards on others the boxes under them are few and hard to see
        first = replace(first, features=glanced_features(pyramid))
        few = np.arange(0, len(first.features), EVERY)
        quads = seeds(first.features.votes(learnt, part=few), aspect, most=GLANCED)
        first = _more_cards(pyramid, aligner, quads, first)
        if first.enough and _smallest(first.found, pyramid) > LARGE_SIDE:
            return first
    first = replace(first, features=features_at(pyramid, SEARCH_SIDE))
    if not first.enough:
        votes = first.features.votes(learnt)
        tried = np.empty((0, 4, 2))
        for most in SEEDS:
            quads = _untried(seeds(votes, aspect, most=most), tried)
            tried = np.concatenate([tried, quads])
            first = _more_cards(pyramid, aligner, quads, first)
            if first.enough:
                break
    if max(pyramid.size) <= 1.3 * SEARCH_SIDE or _smallest(first.found, pyramid) >= SMALL_SIDE:
        return first
    first = replace(first, features=features_at(pyramid, 2 * SEARCH_SIDE))
    if first.enough:
        return first
    return _more_cards(pyramid, aligner, seeds(first.features.votes(learnt), aspect, most=SEEDS[-1]), first)


def _untried(quads: Doubles, tried: Doubles) -> Doubles:
    """Those quads (N, 4, 2) that are none of those `tried` (M, 4, 2)."""
    return np.asarray(quads[~(np.abs(quads[:, None] - tried[None]).max(axis=(2, 3)) < 1).any(axis=1)])


def _more_cards(pyramid: Pyramid, aligner: Aligner, quads: Doubles, first: FirstCards) -> FirstCards:
    """The cards known and those that quads (N, 4, 2) lead to, and the plane of all of them."""
    found = verify(pyramid, aligner, quads)
    good = found.select(found.score >= IS_CARD)
    confirmed = len(good) / max(len(quads), 1)
    cards = distinct(first.found.plus(good))
    trust = cards.score * (PLAIN_TRUST + (1 - PLAIN_TRUST) * aligner.bank.detail[cards.face])
    fitted = agreed_plane(cards.corners, trust, aligner.bank.aspect, pyramid.size)
    if fitted is None:
        return FirstCards(cards, None, Detections.none(), first.features, confirmed)
    plane, agree = fitted
    return FirstCards(cards.select(agree), plane, cards.select(~agree), first.features, confirmed)


def _smallest(cards: Detections, pyramid: Pyramid) -> float:
    """Side in pixels of the search picture of the smallest card; 0 without cards."""
    if not len(cards):
        return 0.0
    return float(np.sqrt(np.abs(areas(cards.corners))).min()) * SEARCH_SIDE / max(pyramid.size)


def glanced_features(pyramid: Pyramid) -> Features:
    """Features of the level of the photograph that is looked at first; coordinates in full-size pixels."""
    return features_at(pyramid, max(pyramid.smaller(GLANCE).size))


def features_at(pyramid: Pyramid, long_side: int) -> Features:
    """Features of the photograph scaled to `long_side` pixels; coordinates in full-size pixels."""
    width, height = pyramid.size
    grey = pyramid.grey(min(1.0, long_side / max(width, height)))
    features = Features.of(grey, 4000 * long_side // SEARCH_SIDE)
    return features.scaled(np.array([width, height]) / grey.shape[::-1])


def votes_on(first: FirstCards, learnt: FeatureBank, plane: Plane, cards: Detections) -> Votes:
    """Votes of the features beside known cards, for cards of the size that they have in this plane; none in a picture
    so clear that the look at every place finds as much."""
    features = first.features
    if first.clear:
        return Votes.together(())
    under = hidden(plane.table(features.points), plane.poses(cards.corners), plane.aspect, rim=0.0)
    open_ = np.flatnonzero(~under)
    if not len(open_):
        return Votes.together(())
    sides = plane.side_at(features.points[open_])
    limits = float(sides.min()) * np.exp(-OTHER_SIZE), float(sides.max()) * np.exp(OTHER_SIZE)
    return features.votes(learnt, limits, open_)
