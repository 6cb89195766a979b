"""Which cards are copies of one face: compared where they differ most, so that one digit or one wall is enough.

Uneven light and a place that is a pixel off are allowed for; two cards are one face if no part of them differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.crops import RIM, SHORT_SIDE
from referee.vision.gamma import GAMMA

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Members = tuple[int, ...]

SIDE = 104
"""Pixels of a card's short side when it is compared."""
REACH = 1
"""Pixels that a part may be off."""
PART = 0.22
"""Part of the variance within a window by which copies may differ."""
EDGE, CORNER = 0.015, 0.13
"""What is left out of a card at its sides, and the radius at its corners, in short sides."""
BRIGHT = 0.85
"""Linear light of a card's brightest colours when it is compared."""
MOST_GAIN, GAINS_APART, MOST_HAZE = 1.8, 1.15, 0.12
"""What the light on two copies may differ by: its strength, the strengths of its colours, and haze from a lamp."""
COARSE = 26.0
"""Difference in Lab of a large part of two cards from which on they are plainly two faces."""
PLAINLY = 1.0
"""Difference below which two cards are joined at once."""
APART = 1.15
"""Difference of mean pictures from which on they are two faces."""
CLEARLY = 4.0
"""Difference as they lie from which on two cards are two faces, and are not laid over each other."""
FEW = 5
"""Steps by which the place of a card over another is made better in the end."""
DOUBTFUL = 4.0
"""Difference up to which it is measured both ways."""


@dataclass(frozen=True, slots=True)
class Look:
    """window: pixels of the part in which a difference is measured; noise: difference in Lab that copies may have
    anywhere in it; counts: what the difference found so is multiplied by; alone: how many times as large as nearly all
    others a slight difference must be to stand out (0: not asked)."""

    window: int
    noise: float
    counts: float
    alone: float = 0.0


SLIGHT, QUIET, STANDS_OUT = 1.6, 0.4, 1.35
"""Below which a difference is slight, below which nearly all must be for two pictures without grain, and what a slight
one that stands alone counts more in such."""
LOOKS = (Look(11, 7.0, 1.0), Look(7, 5.0, 0.75, 2.7))
"""A thin digit is seen in small parts only, in which uneven light and grain count more."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """names: (N,) the number of each card's face, from 0; apart: (F, F) how much faces differ, `APART` being little."""

    names: NDArray[np.intp]
    apart: Doubles


def grouped(pictures: Sequence[Floats]) -> Grouping:
    """Which cards are one face. pictures: of each its rimmed picture in even linear light, see `light.evened`.

    Cards that are plainly alike are joined first; then the groups' mean pictures, with less noise, are compared.
    """
    rim = round(RIM * SHORT_SIDE)
    cards = [_prepared(each[rim:-rim, rim:-rim]) for each in pictures]
    members: list[tuple[int, ...]] = [(k,) for k in range(len(cards))]
    apart = _differences(cards, members, {})
    names = joined(apart, PLAINLY)
    while True:
        known = {(a, b): apart[i, j] for i, a in enumerate(members) for j, b in enumerate(members)}
        count = int(names.max(initial=-1)) + 1
        members = [tuple(int(k) for k in np.flatnonzero(names == name)) for name in range(count)]
        apart = _differences([_mean([cards[k] for k in each]) for each in members], members, known)
        again = joined(apart, APART)
        if again.max(initial=-1) + 1 == count:
            return Grouping(names, apart)
        names = again[names]


def _differences(
    pictures: Sequence[Floats], members: Sequence[Members], known: Mapping[tuple[Members, Members], float]
) -> Doubles:
    """(N, N) how much pictures differ where they differ most; infinite where it is plain. members: the cards of which
    each is the mean; known: what was measured already."""
    out = np.full((len(pictures), len(pictures)), np.inf)
    np.fill_diagonal(out, 0.0)
    coarse = [_coarse(picture) for picture in pictures]
    for i in range(len(pictures)):
        for j in range(i + 1, len(pictures)):
            pair = (members[i], members[j])
            if pair in known:
                out[i, j] = out[j, i] = known[pair]
            elif np.sqrt(np.square(coarse[i] - coarse[j]).sum(axis=1)).max() < COARSE:
                out[i, j] = out[j, i] = _apart(pictures[i], pictures[j])
    return out


def _apart(one: Floats, two: Floats) -> float:
    """How much two pictures differ where they differ most."""
    as_they_lie = _difference(one, two, 0)
    if as_they_lie >= CLEARLY:  # laying them over each other takes ten times as long and would not make them one
        return as_they_lie
    apart = _difference(one, _aligned(one, two), REACH)
    if APART <= apart < DOUBTFUL:  # laid over each other the other way round it may succeed
        apart = min(apart, _difference(two, _aligned(two, one), REACH))
    return apart


def joined(apart: Doubles, limit: float) -> NDArray[np.intp]:
    """(N,) the number of each card's group: joined from the most alike up, by the middle difference of two groups."""
    groups = [[k] for k in range(len(apart))]
    between = apart.copy()
    np.fill_diagonal(between, np.inf)
    while len(groups) > 1:
        a, b = sorted(np.unravel_index(int(between.argmin()), between.shape))
        if between[a, b] >= limit:
            break
        groups[a] += groups.pop(b)
        between = np.delete(np.delete(between, b, axis=0), b, axis=1)
        for other, members in enumerate(groups):
            if other != a:
                between[a, other] = between[other, a] = np.median(apart[np.ix_(groups[a], members)])
    names = np.zeros(len(apart), np.intp)
    for name, members in enumerate(sorted(groups, key=min)):
        names[members] = name
    return names


def _mean(cards: Sequence[Floats]) -> Floats:
    """The middle of cards laid over the first, pixel by pixel."""
    laid = [cards[0], *(_in_one_light(cards[0], _aligned(cards[0], other)) for other in cards[1:])]
    return np.asarray(np.median(np.stack(laid), axis=0) if len(laid) > 2 else np.mean(laid, axis=0), np.float32)


def _prepared(light: Floats) -> Floats:
    """(h, w, 3) float32 linear light, the short side `SIDE`, its brightest colours at one level."""
    width, height = light.shape[1], light.shape[0]
    scale = SIDE / min(width, height)
    small = cv2.resize(light, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    edge = round(0.1 * SIDE)
    top = float(np.percentile(small[edge:-edge, edge:-edge].max(axis=2), 95))
    return np.asarray(small * np.float32(BRIGHT / max(top, 1e-3)), np.float32)


def _lab(light: Floats) -> Floats:
    """Linear light to CIE Lab."""
    bgr = np.power(np.clip(light, 0, 1.2), np.float32(1 / GAMMA))
    return np.asarray(cv2.cvtColor(np.asarray(bgr, np.float32), cv2.COLOR_BGR2LAB), np.float32)


def _in_one_light(one: Floats, two: Floats) -> Floats:
    """The second card's light brought to the first's: a gain for each colour, and haze, fitted to what agrees.

    Both laid over each other, linear light. The gains may differ little from each other, so that the same drawing in
    another colour stays another face.
    """
    edge = round(0.08 * SIDE)
    a = one[edge:-edge:3, edge:-edge:3].reshape(-1, 3).astype(np.float64)
    b = two[edge:-edge:3, edge:-edge:3].reshape(-1, 3).astype(np.float64)
    weight = np.ones(len(a))
    gain, haze = np.ones(3), np.zeros(3)
    for _ in range(4):
        total = weight.sum()
        mean_a, mean_b = weight @ a / total, weight @ b / total
        spread = weight @ np.square(b - mean_b) / total + 1e-5
        gain = np.clip((weight @ ((a - mean_a) * (b - mean_b)) / total + 1e-5) / spread, 1 / MOST_GAIN, MOST_GAIN)
        gain = np.clip(gain, np.median(gain) / GAINS_APART, np.median(gain) * GAINS_APART)
        haze = np.clip(mean_a - gain * mean_b, -MOST_HAZE, MOST_HAZE)
        miss = np.abs(a - gain * b - haze).max(axis=1)
        weight = 1 / (1 + np.square(miss / max(0.02, 1.5 * float(np.median(miss)))))
    return np.asarray(two * gain + haze, np.float32)


def _coarse(card: Floats) -> Floats:
    """(24, 3) a few pixels of the card, each colour without its mean."""
    small = cv2.resize(_lab(card), (5, 5), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    small[:, 0] -= small[:, 0].mean()
    return np.asarray(small, np.float32)


def _difference(one: Floats, two: Floats, reach: int) -> float:
    """How much two pictures differ where they differ most, a part of the second being up to `reach` pixels off."""
    shifted = _lab(_in_one_light(one, two))
    one = _lab(one)
    height, width = one.shape[:2]
    # Light that changes slowly is no difference; colour that does is one.
    slow = _smooth(one - shifted)
    slow[..., 0] = np.clip(slow[..., 0], -12, 12)
    slow[..., 1:] = np.clip(slow[..., 1:], -5, 5)
    shifted = shifted + slow
    padded = cv2.copyMakeBorder(shifted, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    least = {look: np.full((height, width), np.inf, np.float32) for look in LOOKS}
    for dy in range(2 * reach + 1):
        for dx in range(2 * reach + 1):
            off = _squares(one - padded[dy : dy + height, dx : dx + width])
            for look in LOOKS:
                np.minimum(least[look], cv2.boxFilter(off, -1, (look.window, look.window)), out=least[look])
    found = 0.0
    for look in LOOKS:
        # An edge a fraction of a pixel off, or less sharp, differs by part of its own contrast.
        busy = np.maximum(_contrast(one, look.window), _contrast(shifted, look.window))
        allowed = look.noise**2 + PART * busy
        part = least[look] / allowed * _inner(height, width, look.window)
        most = float(np.sqrt(part.max()))
        usual = float(np.sqrt(np.percentile(part, 90)))
        if look.alone and usual < QUIET and look.alone * usual < most < SLIGHT:
            most *= STANDS_OUT
        found = max(found, look.counts * most)
    return found


def _squares(picture: Floats) -> Floats:
    """(h, w) the sum over the channels of the squares of a picture (h, w, 3)."""
    return np.asarray(cv2.transform(cv2.multiply(picture, picture), np.ones((1, 3), np.float32)), np.float32)


def _smooth(picture: Floats) -> Floats:
    """A picture (h, w, 3) as what changes slowly over it; of every eighth pixel, as nothing else is left."""
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (-(-width // 8), -(-height // 8)), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), SIDE / 24.0)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


@lru_cache(maxsize=4)
def _inner(height: int, width: int, window: int) -> Floats:
    """(h, w) 1 where a window sees nothing but the card, whose corners are round; else 0."""
    edge, radius = round(EDGE * SIDE), round(CORNER * SIDE)
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (edge, edge + radius), (width - 1 - edge, height - 1 - edge - radius), 1, cv2.FILLED)
    cv2.rectangle(mask, (edge + radius, edge), (width - 1 - edge - radius, height - 1 - edge), 1, cv2.FILLED)
    for x in (edge + radius, width - 1 - edge - radius):
        for y in (edge + radius, height - 1 - edge - radius):
            cv2.circle(mask, (x, y), radius, 1, cv2.FILLED)
    half = window // 2
    seen = cv2.copyMakeBorder(mask, half, half, half, half, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(cv2.erode(seen, np.ones((window, window)))[half:-half, half:-half], np.float32)


def _contrast(card: Floats, window: int) -> Floats:
    """(h, w) the variance of the colours within a window."""
    mean = cv2.boxFilter(card, -1, (window, window))
    square = cv2.boxFilter(_squares(card), -1, (window, window))
    return np.asarray(square - _squares(np.asarray(mean, np.float32)), np.float32)


def _aligned(one: Floats, two: Floats) -> Floats:
    """The second card laid over the first by the affine map of the best correlation (Evangelidis, Psarakis 2008)."""
    a = cv2.GaussianBlur(np.sqrt(np.abs(one)).sum(axis=2) * 100, (0, 0), 1.2)
    b = cv2.GaussianBlur(np.sqrt(np.abs(two)).sum(axis=2) * 100, (0, 0), 1.2)
    matrix: Floats = np.eye(2, 3, dtype=np.float32)
    try:
        for scale, rounds in ((0.5, 25), (1.0, FEW)):  # roughly in small pictures, then a little better
            size = (round(a.shape[1] * scale), round(a.shape[0] * scale))
            small = [cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (a, b)]
            criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, rounds, 1e-3)
            start = np.asarray(matrix * np.array([1, 1, scale], np.float32), np.float32)
            found = cv2.findTransformECC(small[0], small[1], start, cv2.MOTION_AFFINE, criteria)[1]
            matrix = np.asarray(np.asarray(found, np.float32) / np.array([1, 1, scale], np.float32), np.float32)
    except cv2.error:  # it does not converge where the two have nothing in common
        return two
    if np.abs(matrix - np.eye(2, 3)).max() > 6 or np.abs(matrix[:, :2] - np.eye(2)).max() > 0.06:
        return two
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (two.shape[1], two.shape[0])
    return np.asarray(cv2.warpAffine(two, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)
