"""The lens without a board: from photographs of many cards, whose sides are straight and which are all of one size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from referee.vision.decode import Photo
from referee.vision.find import find_cards
from referee.vision.find_agree import oriented
from referee.vision.plane import fit_plane
from referee.vision.profile import CameraProfile

Doubles = NDArray[np.float64]

FEWEST_HERE, FEWEST = 6, 12
"""Cards in one photograph, and in all, from which on the lens is estimated."""
FOCAL = 0.8
"""Focal length in long sides of the picture that is written down: that of a usual phone. Flat tables do not tell it,
and to straighten a picture it does not matter."""


@dataclass(frozen=True, slots=True)
class CardLens:
    """distortion: k1 of the division model (Fitzgibbon 2001), lengths in half long sides of the picture; cards: from
    how many it was estimated; size: (width, height) px of the photographs; residual: how far cards lie off, px."""

    distortion: float
    cards: int
    size: tuple[int, int]
    residual: float

    def profile(self, model: str) -> CameraProfile:
        """The same lens as a profile of a camera of this name: k1 and k2 that come nearest."""
        half, focal = max(self.size) / 2, FOCAL * max(self.size)
        seen = np.linspace(0.02, np.hypot(*self.size) / max(self.size), 60)  # half long sides, out to the corners
        straight = seen / (1 + self.distortion * seen**2)
        ray = straight * half / focal
        terms = np.stack([ray**2, ray**4], axis=1)
        k1, k2 = np.linalg.lstsq(terms * ray[:, None], seen * half / focal - ray, rcond=None)[0]
        middle = ((self.size[0] - 1) / 2, (self.size[1] - 1) / 2)
        rows = ((focal, 0.0, middle[0]), (0.0, focal, middle[1]), (0.0, 0.0, 1.0))
        return CameraProfile(model, self.size, rows, (float(k1), float(k2), 0.0, 0.0, 0.0), self.residual)


def lens_from_cards(photos: Sequence[Photo], aspect: float) -> CardLens:
    """The radial distortion that makes cards of one size with straight sides: the middle of the photographs', each
    weighed by its cards. aspect: long side over short. Photographs of another size than the first are left out.

    Raises CalibrationError where there are too few cards.
    """
    values, weights, off = [], [], []
    size = (photos[0].pixels.shape[1], photos[0].pixels.shape[0]) if photos else (0, 0)
    for photo in photos:
        if (photo.pixels.shape[1], photo.pixels.shape[0]) != size:
            continue
        cards = np.array([card.corners for card in find_cards(photo.pixels, aspect)]).reshape(-1, 4, 2)
        if len(cards) < FEWEST_HERE:
            continue
        fitted = fit_plane(oriented(cards, None, aspect), aspect, size)
        if fitted is None:
            continue
        plane, flat = fitted
        cards = oriented(cards, plane, aspect)[flat]
        values.append(plane.distortion)
        weights.append(len(cards))
        off.append(float(np.sqrt(np.square(plane.outlines(plane.poses(cards)) - cards).sum(axis=2).mean())))
    if sum(weights) < FEWEST:
        raise CalibrationError(
            "too-few-for-lens",
            "Too few cards were found; take photos of twelve cards or more, spread over the picture.",
        )
    order = np.argsort(values)
    share = np.cumsum(np.array(weights)[order]) / sum(weights)
    middle = order[int(np.searchsorted(share, 0.5))]
    return CardLens(float(values[middle]), int(sum(weights)), size, float(off[middle]))
