"""Copies of one face laid over each other to one picture, and how round the cards' corners are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.crops import RIM, SHORT_SIDE, Crop
from referee.features.colours import to_lab
from referee.vision.gamma import encoded, linear

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

MOST_COPIES = 9
"""Copies that are laid over each other, the sharpest."""
FAMILY = 3.0
"""Difference up to which two faces differ but in a detail, see `groups`."""
CALM, CALM_REACH = 10.0, 3
"""Differences of so many deviations of the noise are smoothed away, over so many pixels."""
MIXED = 3
"""Pixels along a card's sides in which card and table may mix."""
MOST_OFF = 0.015
"""How far the outlines of two cards may be off each other at a corner, in short sides."""
ROUNDEST = 0.14
"""Largest radius of a corner, in short sides."""


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """picture: (h, w, 3) uint8 BGR, the short side `SHORT_SIDE`; copies: numbers of the crops it was made of."""

    picture: Pixels
    copies: tuple[int, ...]


def fuse(lights: Sequence[Floats], copies: Sequence[int]) -> Fused:
    """One picture of a face from its copies. lights: of every crop its rimmed picture in even linear light."""
    rim = round(RIM * SHORT_SIDE)
    ranked = sorted(copies, key=lambda k: -_sharpness(lights[k][rim:-rim, rim:-rim]))
    first = _tones(lights[ranked[0]])
    laid = [lights[ranked[0]]]
    for other in ranked[1:MOST_COPIES]:
        moved = _laid_over(first, lights[other])
        if moved is not None:
            laid.append(moved)
    stack = np.stack(laid)
    light = np.median(stack, axis=0) if len(laid) > 2 else stack.mean(axis=0)
    return Fused(_cleaned(encoded(light[rim:-rim, rim:-rim].astype(np.float32))), tuple(copies))


def _cleaned(picture: Pixels) -> Pixels:
    """A card (h, w, 3) without its noise, and without the table that shines into the pixels along its sides."""
    tones = picture.mean(axis=2, dtype=np.float32)
    # Of white noise of deviation 1 the Laplacian has sqrt(20); its median is little moved by what is drawn.
    noise = float(np.median(np.abs(cv2.Laplacian(tones, cv2.CV_32F)))) / 0.6745 / np.sqrt(20)
    calm = cv2.bilateralFilter(picture, 2 * CALM_REACH + 1, CALM * noise, CALM_REACH / 2) if noise > 0 else picture
    inner = calm[MIXED:-MIXED, MIXED:-MIXED]
    return np.asarray(cv2.copyMakeBorder(inner, MIXED, MIXED, MIXED, MIXED, cv2.BORDER_REPLICATE), np.uint8)


def harmonised(faces: Sequence[Fused], apart: Doubles) -> list[Fused]:
    """Faces that are alike but for a detail brought to one place, so that nothing but the detail differs.

    apart: (F, F) how much they differ, see `groups.Grouping`.
    """
    out = list(faces)
    left = set(range(len(faces)))
    while left:
        first = max(left, key=lambda k: (int((apart[k, list(left)] < FAMILY).sum()), len(faces[k].copies), -k))
        family = [k for k in sorted(left) if apart[first, k] < FAMILY]
        left -= {first, *family}
        light = linear(faces[first].picture)
        tones = _tones(light)
        for k in family:
            moved = None if k == first else _laid_over(tones, linear(faces[k].picture))
            if moved is not None:
                out[k] = Fused(encoded(moved), faces[k].copies)
    return out


def _sharpness(light: Floats) -> float:
    grey = encoded(light).mean(axis=2).astype(np.float32)
    return float(np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 1.5), cv2.CV_32F)).mean())


def _tones(light: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(encoded(light).sum(axis=2).astype(np.float32), (0, 0), 1.6), np.float32)


def _laid_over(first: Floats, light: Floats) -> Floats | None:
    """The picture moved onto the first one (its tones), or None if that does not succeed."""
    matrix: Floats = np.eye(2, 3, dtype=np.float32)
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)
    try:
        found = cv2.findTransformECC(first, _tones(light), matrix, cv2.MOTION_AFFINE, criteria)
        matrix = np.asarray(found[1], np.float32)
    except cv2.error:  # it does not converge
        return None
    size = (light.shape[1], light.shape[0])
    corners = np.array([[0, 0, 1], [size[0], 0, 1], [size[0], size[1], 1], [0, size[1], 1]], np.float32)
    if np.abs(corners @ matrix.T - corners[:, :2]).max() > MOST_OFF * SHORT_SIDE:
        return None  # outlines are never so far off: it was drawn to something else
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(light, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)


def corner_radius(crops: Sequence[Crop]) -> float:
    """How round the corners are, in short sides: how far in along the diagonals the table ends, over all cards."""
    found = []
    for crop in crops:
        rim = crop.rim_px
        picture = to_lab(crop.rimmed)
        height, width = picture.shape[:2]
        for right in (False, True):
            for low in (False, True):
                corner = np.array([width - 1 - rim if right else rim, height - 1 - rim if low else rim], float)
                inward = np.array([-1.0 if right else 1.0, -1.0 if low else 1.0])
                depth = np.arange(-0.5 * rim, 0.12 * SHORT_SIDE, 0.5)
                spots = np.round(corner + depth[:, None] * inward).astype(int)
                line = picture[spots[:, 1], spots[:, 0]]
                outside = line[depth < -0.2 * rim].mean(axis=0)
                inside = line[depth > 0.08 * SHORT_SIDE].mean(axis=0)
                step = inside - outside
                if np.linalg.norm(step) < 15:
                    continue
                share = (line - outside) @ step / float(step @ step)
                beyond = np.flatnonzero(share > 0.5)
                if len(beyond):
                    found.append(depth[beyond[0]] / SHORT_SIDE)
    if len(found) < 8:
        return 0.0
    # The corner of a square of side r is (r - r / sqrt 2) away from its arc, in each axis.
    return float(np.clip(np.median(found) / (1 - np.sqrt(0.5)), 0, ROUNDEST))


def cut_out(picture: Pixels, radius: float) -> Pixels:
    """(h, w, 4) BGRA, transparent outside corners rounded by `radius` (short sides)."""
    height, width = picture.shape[:2]
    fine = 4
    r = round(radius * min(width, height) * fine)
    mask = np.zeros((height * fine, width * fine), np.uint8)
    cv2.rectangle(mask, (0, r), (width * fine, height * fine - r), 255, cv2.FILLED)
    cv2.rectangle(mask, (r, 0), (width * fine - r, height * fine), 255, cv2.FILLED)
    for x in (r, width * fine - 1 - r):
        for y in (r, height * fine - 1 - r):
            cv2.circle(mask, (x, y), r, 255, cv2.FILLED)
    alpha = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(np.dstack([picture, alpha]), np.uint8)
