"""Which known cards look as they did in an earlier photograph of the table, so that they need not be read again.

Both pictures of a card, squared up, are laid on each other. What differs is measured against what differs between this
face and those of the deck most like it (or itself, turned): a card that was exchanged for its nearest like would show
far more. Light that rises or falls over the table or over a card, and a shift or a blur of about a pixel, are none.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, Pyramid, areas
from referee.vision.facebank import COARSE, DECKS_KEPT, FaceBank, normalise
from referee.vision.plane import Bools
from referee.vision.recognise import BLURS, READ

SMALLEST = 40.0
"""Short side in pixels that a card must have in both pictures."""
LIKEST = 6
"""How many of the deck's faces most like one are compared with it."""
SHARE = 0.35
"""Share of the least difference from another face from which on a card looks changed (0..1). On photographs of virtual
tables 732 cards exchanged for one of their three nearest likes had 0.51 at least; of those that lay still nearly all
had less than 0.3 if the camera stood still, three of four from all sides."""
SIDE = 72
"""Pixels of a card's short side when its pictures are compared."""
SPOT = 5
"""Side in pixels of the spots in which a difference is measured."""
RIM = 2
"""Pixels at the card's rim that are left out: there the table begins."""
MOST_PIXELS = 4000
"""How many pixels of the cards tell what has become of the light."""
SHADE = (0.7, 1.4)
"""Between which factors the light on one card may differ from that on the others, as compared with before."""
ROUGHLY, ABOUT_ALIKE = 16, 0.5
"""Pixels of a card's side, and their correlation from which on it is about alike (0..1)."""
OFF = 8.0
"""Grey levels from which on a pixel counts less for what the camera has made of the light."""


def look_unchanged(
    before: Pyramid,
    lain: Doubles,
    now: Pyramid,
    here: Doubles,
    bank: FaceBank,
    faces: NDArray[np.intp],
    blurs: Doubles,
) -> Bools:
    """(N,) which cards of these faces (N,) look as they did.

    lain: outlines (N, 4, 2) px in the earlier picture; here: the same in this one, each from the face's own top left;
    blurs: (N,) how blurred the cards were then, in pixels at `READ`.
    """
    out = np.zeros(len(lain), dtype=bool)
    short = np.sqrt(np.minimum(np.abs(areas(lain)), np.abs(areas(here))) / bank.aspect)
    asked = np.flatnonzero(short >= SMALLEST)
    if not len(asked):
        return out
    size = (SIDE, round(SIDE * bank.aspect))
    blur = np.clip(0.6 * SIDE / short[asked], 0.6, BLURS[-1])
    old = _blurred(before.cut_bytes(lain[asked], size), blur)
    new = _blurred(now.cut_bytes(here[asked], size), blur)
    mask = np.asarray(bank.mask(SIDE), np.uint8)
    curves = _light(old, new, mask > 0)
    apart = _differences(bank)
    for k, i in enumerate(asked):
        seen = np.asarray(cv2.LUT(old[k], curves), np.uint8)
        shade = sum(cv2.mean(new[k], mask)[:3]) / max(sum(cv2.mean(seen, mask)[:3]), 1.0)
        if SHADE[0] <= shade <= SHADE[1]:
            seen = np.asarray(cv2.convertScaleAbs(seen, alpha=shade), np.uint8)
            wide = float(np.hypot(blur[k], blurs[i] * SIDE / READ))
            width = next((b for b in BLURS if b >= wide), BLURS[-1])
            out[i] = difference(seen, new[k], mask) < SHARE * apart.least(int(faces[i]), width, seen)
    return out


def resemble(before: Pyramid, lain: Doubles, now: Pyramid, here: Doubles) -> bool:
    """Whether most cards at outlines `here` (N, 4, 2) px look about as at `lain` in the earlier picture: if not, the
    camera has moved."""
    size = (ROUGHLY, ROUGHLY)
    old, new = (normalise(p.cut(quads, size), np.ones(size, np.float32)) for p, quads in ((before, lain), (now, here)))
    return float(np.median(np.einsum("ij,ij->i", old, new))) > ABOUT_ALIKE


def _light(old: Pixels, new: Pixels, mask: Bools) -> NDArray[np.uint8]:
    """(1, 256, 3) what each grey level of each channel of the earlier pictures (N, h, w, 3) has become: one curve of
    the second degree, fitted to most pixels of all cards."""
    step = max(1, int(len(old) * mask.sum()) // MOST_PIXELS)
    spots = np.flatnonzero(mask)
    spots = spots[np.arange(0, len(old) * len(spots), step) % len(spots)]
    card = np.arange(len(spots)) * step // int(mask.sum())
    here, there = (p.reshape(len(p), -1, 3)[card, spots].astype(np.float64) for p in (old, new))
    levels = np.arange(256) / 255
    curves = np.empty((1, 256, 3), np.uint8)
    for channel in range(3):
        powers = (here[:, channel, None] / 255) ** [0, 1, 2]
        weight = np.ones(len(powers))
        for _ in range(4):
            weighed = powers * weight[:, None]
            curve = np.linalg.solve(weighed.T @ powers + 1e-3 * np.eye(3), weighed.T @ there[:, channel])
            weight = 1 / (1 + ((powers @ curve - there[:, channel]) / OFF) ** 2)
        curves[0, :, channel] = np.clip(curve[0] + levels * (curve[1] + levels * curve[2]), 0, 255).round()
    return curves


def difference(one: Pixels, other: Pixels, mask: NDArray[np.uint8]) -> float:
    """By how much two pictures (h, w, 3) of cards differ where they differ most, grey levels; mask: (h, w)."""
    around = np.ones((3, 3), np.uint8)
    off = cv2.max(cv2.subtract(one, cv2.dilate(other, around)), cv2.subtract(other, cv2.dilate(one, around)))
    off = cv2.max(
        off, cv2.max(cv2.subtract(cv2.erode(other, around), one), cv2.subtract(cv2.erode(one, around), other))
    )
    first, second, third = cv2.split(off)
    spots = cv2.boxFilter(cv2.max(cv2.max(first, second), third) * mask, cv2.CV_32F, (SPOT, SPOT))
    return float(spots[RIM:-RIM, RIM:-RIM].max())


def _blurred(patches: Pixels, widths: Doubles) -> Pixels:
    return np.stack([cv2.GaussianBlur(p, (0, 0), float(w)) for p, w in zip(patches, widths, strict=True)])


def _contrast(picture: Pixels, mask: NDArray[np.uint8]) -> float:
    return max(float(cv2.meanStdDev(picture, mask=mask)[1].mean()), 1.0)


@lru_cache(maxsize=DECKS_KEPT)
def _differences(bank: FaceBank) -> _Differences:
    return _Differences(bank)


class _Differences:
    """How much each face of a deck differs from the one most like it, worked out when first asked for."""

    def __init__(self, bank: FaceBank) -> None:
        self._bank = bank
        self._mask = np.asarray(bank.mask(SIDE), np.uint8)
        self._known: dict[tuple[int, float], tuple[float, float]] = {}

    def least(self, face: int, blur: float, seen: Pixels) -> float:
        """Grey levels by which the face most like this one would differ, in a picture as contrasty as `seen` (h, w, 3);
        blur: one of `BLURS`."""
        if (face, blur) not in self._known:
            self._known[face, blur] = self._least(face, blur)
        least, contrast = self._known[face, blur]
        return least * min(1.0, _contrast(seen, self._mask) / contrast)

    def _least(self, face: int, blur: float) -> tuple[float, float]:
        bank = self._bank
        templates = bank.at(COARSE, 0.6)
        alike = templates.turned(bank.turns) @ templates.vectors[face]
        alike[face] = -1.0
        own = self._drawn(face, blur)
        least = np.inf
        for n in np.argsort(-alike, kind="stable")[:LIKEST]:
            turn, other = divmod(int(n), len(bank.face_ids))
            if alike[n] > 0.9999 and turn:
                continue  # drawn so that it looks the same when turned
            drawn = np.ascontiguousarray(np.rot90(self._drawn(other, blur), -bank.turns[turn]))
            least = min(least, difference(own, drawn, self._mask))
        return float(least), _contrast(own, self._mask)

    def _drawn(self, face: int, blur: float) -> Pixels:
        return np.asarray(self._bank.drawn([face], SIDE, blur)[0].round(), np.uint8)
