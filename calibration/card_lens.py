"""The lens without a board: from photographs of many cards, whose sides are straight and which are all of one size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.alike import unlike_most
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
    how many it was estimated; size: (width, height) px of the photographs; residual: how far cards lie off, px;
    left_out: for each photograph why it was not used, "" where it was."""

    distortion: float
    cards: int
    size: tuple[int, int]
    residual: float
    left_out: tuple[str, ...] = ()

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


def lens_from_cards(photos: Sequence[Photo], aspect: float, models: Sequence[str] | None = None) -> CardLens:
    """The radial distortion that makes cards of one size with straight sides: the middle of the photographs', each
    weighed by its cards. aspect: long side over short; models: the cameras' names. Photographs of another size or
    camera than most are left out, and those of too few cards.

    Raises CalibrationError where there are too few cards.
    """
    sizes = [(photo.pixels.shape[1], photo.pixels.shape[0]) for photo in photos]
    names = [""] * len(photos) if models is None else models
    told = [_told_by(photo, aspect) for photo in photos]
    left_out = [each if isinstance(each, str) else "" for each in told]
    useful = [number for number, why in enumerate(left_out) if not why]
    unlike = unlike_most([sizes[number] for number in useful], [names[number] for number in useful])
    for number, why in zip(useful, unlike, strict=True):
        left_out[number] = why
    found = [each for each, why in zip(told, left_out, strict=True) if isinstance(each, _Told) and not why]
    cards = sum(each.cards for each in found)
    if cards < FEWEST:
        reasons = "".join(f" {photo.name}: {why}." for photo, why in zip(photos, left_out, strict=True) if why)
        raise CalibrationError(
            "too-few-for-lens",
            f"Too few cards were found; take photos of twelve cards or more, spread over the picture.{reasons}",
        )
    found.sort(key=lambda each: each.distortion)
    share = np.cumsum([each.cards for each in found]) / cards
    middle = found[int(np.searchsorted(share, 0.5))]
    size = next(size for size, why in zip(sizes, left_out, strict=True) if not why)
    return CardLens(middle.distortion, cards, size, middle.residual, tuple(left_out))


@dataclass(frozen=True, slots=True)
class _Told:
    """What one photograph tells, see `CardLens`."""

    distortion: float
    cards: int
    residual: float


def _told_by(photo: Photo, aspect: float) -> _Told | str:
    """What the cards of a photograph tell, or why nothing."""
    cards = np.array([card.corners for card in find_cards(photo.pixels, aspect)]).reshape(-1, 4, 2)
    if len(cards) < FEWEST_HERE:
        return f"it shows only {len(cards)} cards of this shape, {FEWEST_HERE} are needed"
    fitted = fit_plane(oriented(cards, None, aspect), aspect, (photo.pixels.shape[1], photo.pixels.shape[0]))
    if fitted is None:
        return "its cards do not lie in one plane"
    plane, flat = fitted
    cards = oriented(cards, plane, aspect)[flat]
    off = np.sqrt(np.square(plane.outlines(plane.poses(cards)) - cards).sum(axis=2).mean())
    return _Told(float(plane.distortion), len(cards), float(off))
