"""The light of each photograph taken out of its cards: uneven light within one, and differences between them.

Cards of one ground colour must be of one colour wherever they lie; so a smooth field of light is fitted to the colours
of the cards' grounds, each group of like grounds with a level of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.crops import Crop
from referee.vision.gamma import GAMMA, encoded, linear

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

SAME_GROUND = 0.16
"""Difference of log colours, less brightness, within which two grounds may be one."""
ONE_GROUND = 0.15
"""Difference of log light within which the grounds of two faces were printed alike."""
ONE_LEVEL, ONE_TINT = 0.22, 0.05
"""The same for grounds that differ in brightness only, as in a shadow, and what their colours may differ by then."""
SAME_LEVEL = 0.45
"""Difference of log brightness within which two grounds of one photograph may be one."""
SAME_INK = 0.1
"""Difference of log colours that is left to uneven light, and taken out card by card."""
SLANT_SIDE = 72
"""Pixels of a card's short side when the slant of its light is measured."""
SPREAD = 0.012
"""How far the ground must be spread over a card to tell its slant (least eigenvalue of the places' second moments;
0.083 if it were everywhere)."""
FEWEST = 6
"""Cards from which on the light's unevenness is estimated."""
WHITE = 248.0
"""To what the brightest ink of the deck is brought."""


def evened(crops: Sequence[Crop]) -> list[Floats]:
    """For each crop its rimmed picture (h, w, 3) float32 BGR in linear light, as if all lay in one even light."""
    grounds = np.array([_ground(crop) for crop in crops])
    out: list[Floats] = [linear(crop.rimmed) for crop in crops]
    for photo in {crop.photo for crop in crops}:
        here = [k for k, crop in enumerate(crops) if crop.photo == photo]
        centres = np.array([crops[k].corners.mean(axis=0) for k in here])
        middle, reach = centres.mean(axis=0), max(float(np.ptp(centres, axis=0).max()) / 2, 1.0)
        field, rest = _field(grounds[here], (centres - middle) / reach)
        for k, own in zip(here, rest, strict=True):
            height, width = out[k].shape[:2]
            rows, columns = np.mgrid[0:height:9j, 0:width:9j]
            matrix = cv2.getPerspectiveTransform(
                _rimmed_corners(crops[k], width, height), crops[k].corners.astype(np.float32)
            )
            points = np.stack([columns.ravel(), rows.ravel()], axis=1)[None].astype(np.float32)
            places = (cv2.perspectiveTransform(points, matrix)[0] - middle) / reach
            gain = np.exp(_terms(places) @ field + own).reshape(9, 9, 3).astype(np.float32)
            out[k] = out[k] / cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR)
    return _levelled(crops, out)


def _rimmed_corners(crop: Crop, width: int, height: int) -> Floats:
    rim = crop.rim_px - 0.5
    return np.array(
        [[rim, rim], [width - 1 - rim, rim], [width - 1 - rim, height - 1 - rim], [rim, height - 1 - rim]], np.float32
    )


def ground_of(picture: Pixels) -> Doubles:
    """(3,) log light of the commonest colour of a card (h, w, 3) BGR: the middle of what hardly differs from it."""
    small = cv2.resize(picture, (64, 64), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    colour = np.exp(_commonest(small))
    light = linear(np.asarray(small, np.uint8))
    for width in (0.25, 0.15, 0.1, 0.1):  # in log light, narrower and narrower
        off = np.abs(np.log(light + 1e-3) - np.log(colour)).max(axis=1)
        near = off < width
        if near.sum() < 40:
            break
        colour = np.median(light[near], axis=0) + 1e-3
    return np.asarray(np.log(colour), np.float64)


def on_one_ground(pictures: Sequence[Pixels]) -> list[Pixels]:
    """Faces (h, w, 3) BGR whose grounds hardly differ brought to the same one: they were printed so.

    The light that still slants over a face is taken out as well, as far as its ground slants otherwise than those of
    the faces like it: what all of them have was printed.
    """
    slants = np.array([_slant(picture) for picture in pictures]).reshape(-1, 3, 3)
    kinds = _kinds(slants[:, 0])
    out = list(pictures)
    for kind in range(int(kinds.max(initial=-1)) + 1):
        mine = np.flatnonzero(kinds == kind)
        middle = np.median(slants[mine], axis=0)
        for k in mine:
            off = middle - slants[k]
            level = float(off[0].mean())
            of_one_tint = abs(level) < ONE_LEVEL and np.abs(off[0] - level).max() < ONE_TINT
            if of_one_tint or np.abs(off[0]).max() < ONE_GROUND:
                gain = np.exp(_over_card(out[k].shape) @ np.clip(off, -ONE_LEVEL, ONE_LEVEL)).astype(np.float32)
                out[k] = encoded(linear(out[k]) * gain)
    return out


def _slant(picture: Pixels) -> Doubles:
    """(3, 3) the ground's log light in the middle of a card (h, w, 3) BGR as `ground_of`, and by how much it rises over
    the card's width and height; 0 where the ground shows in too small a part of the card to tell."""
    ground = ground_of(picture)
    height, width = (round(side * SLANT_SIDE / min(picture.shape[:2])) for side in picture.shape[:2])
    small = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    edge = round(0.06 * SLANT_SIDE)
    places = _over_card(small.shape)[edge:-edge, edge:-edge].reshape(-1, 3)
    off = np.log(linear(small)[edge:-edge, edge:-edge].reshape(-1, 3) + 1e-3) - ground
    fitted: Doubles = np.zeros((3, 3))
    for width_ in (0.2, 0.12, 0.08, 0.06):
        near = np.abs(off - places @ fitted).max(axis=1) < width_
        spread = places[near].T @ places[near] / len(places)
        if near.sum() < 40 or np.linalg.eigvalsh(spread)[0] < SPREAD:
            fitted[1:] = 0
            break
        fitted = np.asarray(np.linalg.solve(spread, places[near].T @ off[near] / len(places)), np.float64)
    fitted[0] += ground
    return fitted


def _over_card(shape: Sequence[int]) -> Doubles:
    """(h, w, 3) of each pixel of a card 1, and its place along the width and along the height, from -0.5 to 0.5."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float64)
    return np.stack([np.ones_like(x), (x + 0.5) / shape[1] - 0.5, (y + 0.5) / shape[0] - 0.5], axis=-1)


def _ground(crop: Crop) -> Doubles:
    return _commonest(cv2.resize(crop.card, (48, 48), interpolation=cv2.INTER_AREA).reshape(-1, 3))


def _commonest(small: NDArray[Any]) -> Doubles:
    """(3,) log light of the commonest colour among pixels (N, 3) BGR."""
    bins = (small // 24).astype(np.int64) @ np.array([1, 16, 256])
    counts = np.bincount(bins, minlength=4096).reshape(16, 16, 16).astype(np.float32)
    wide = cv2.blur(counts.reshape(16, 256), (1, 3), borderType=cv2.BORDER_CONSTANT).reshape(16, 16, 16)
    at = int((counts + wide).argmax())
    mode = np.array([at % 16, at // 16 % 16, at // 256]) * 24 + 12.0
    near = np.abs(small - mode).max(axis=1) < 30
    return np.asarray(np.log(linear(small[near]).mean(axis=0) + 1e-3), np.float64)


def _terms(places: Doubles) -> Doubles:
    x, y = places[:, 0], places[:, 1]
    return np.column_stack([x, y, x * x, x * y, y * y])


def _field(grounds: Doubles, places: Doubles) -> tuple[Doubles, Doubles]:
    """(5, 3) the log of the light over the photograph, as `_terms`, zero in its middle; robust (Huber's weights).

    And (N, 3) what each card's ground then still differs by from others of its colour, where that is little.
    """
    if len(grounds) < FEWEST:
        return np.zeros((5, 3)), np.zeros((len(grounds), 3))
    kinds = _kinds(grounds)
    design = _terms(places)
    count = kinds.max() + 1
    columns = np.column_stack([design, np.eye(count)[kinds]])
    calm = np.diag([0.3, 0.3, 1.5, 1.5, 1.5, *[1e-6] * count])
    weight: Doubles = np.ones(len(grounds))
    solution: Doubles = np.zeros((columns.shape[1], 3))
    for _ in range(12):
        left = columns.T @ (weight[:, None] * columns) + calm
        solution = np.asarray(np.linalg.solve(left, columns.T @ (weight[:, None] * grounds)), np.float64)
        miss = np.linalg.norm(grounds - columns @ solution, axis=1)
        weight = np.asarray(
            np.minimum(1.0, max(0.02, 1.5 * float(np.median(miss))) / np.maximum(miss, 1e-9)), np.float64
        )
    rest = grounds - columns @ solution
    many = np.bincount(kinds)[kinds] >= 3
    near = np.abs(rest).max(axis=1) < SAME_INK
    return np.asarray(solution[:5]), np.where((many & near)[:, None], rest, 0.0)


def _kinds(grounds: Doubles) -> NDArray[np.intp]:
    """(N,) which grounds are one colour: joined step by step to the nearest middle."""
    level = grounds.mean(axis=1)
    tint = grounds - level[:, None]
    kinds = np.full(len(grounds), -1)
    middles: list[tuple[Doubles, float]] = []
    for k in np.argsort(level):
        for name, (colour, bright) in enumerate(middles):
            if np.abs(tint[k] - colour).max() < SAME_GROUND and abs(level[k] - bright) < SAME_LEVEL:
                kinds[k] = name
                mine = kinds == name
                middles[name] = (tint[mine].mean(axis=0), float(level[mine].mean()))
                break
        else:
            kinds[k] = len(middles)
            middles.append((tint[k], float(level[k])))
    return kinds


def _levelled(crops: Sequence[Crop], pictures: list[Floats]) -> list[Floats]:
    """One exposure and one cast for all photographs, by the grounds that they share; the brightest ink to `WHITE`."""
    photos = sorted({crop.photo for crop in crops})
    rim = crops[0].rim_px if crops else 0
    inner = [picture[rim:-rim, rim:-rim] for picture in pictures]
    grounds = np.array([np.log(np.median(each.reshape(-1, 3), axis=0) + 1e-3) for each in inner])
    owner = np.array([photos.index(crop.photo) for crop in crops])
    shift = np.zeros((len(photos), 3))
    for number in range(1, len(photos)):
        mine, known = grounds[owner == number], grounds[owner < number] - shift[owner[owner < number]]
        # The shift under which most cards find a like one among those known: the densest of all differences.
        apart = (mine[:, None] - known[None]).reshape(-1, 3)
        apart = apart[np.abs(apart).max(axis=1) < 0.7]
        if len(apart):
            votes = np.exp(-np.square(apart[:, None] - apart[None]).sum(axis=2) / (2 * 0.06**2)).sum(axis=1)
            near = np.abs(apart - apart[votes.argmax()]).max(axis=1) < 0.12
            shift[number] = apart[near].mean(axis=0)
    brought = [each / np.exp(shift[owner[k]]).astype(np.float32) for k, each in enumerate(pictures)]
    tops = [float(np.percentile(each[rim:-rim:4, rim:-rim:4].max(axis=2), 97)) for each in brought]
    top = float(np.percentile(tops, 90)) if tops else 1.0
    factor = np.float32((WHITE / 255) ** GAMMA / max(top, 1e-3))
    return [each * factor for each in brought]
