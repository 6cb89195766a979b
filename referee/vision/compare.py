"""Which of two faces does a picture show? Judged in the pixels in which the two differ, for many faces at once.

Faces of a deck may nearly coincide (a 1 and a 2 under the same arrow correlate .99), so that a whole-card correlation
hardly tells them apart. Here the picture is placed between two faces by least squares, each being allowed its best
small shift, and the spread over blocks of the picture tells how sure that is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.facebank import Floats

GAIN_PRIOR = 5.0
"""Variance (grey levels squared) below which a face says nothing about the local contrast."""
SURE_LEAD = 0.31
"""Distance of `place` from the half-way point from which on a reading is as sure as can be (0..0.5)."""
SHIFT = 3
"""Largest local shift in pixels that each face is allowed."""
NEAR_SHIFT = 1
"""Shifts up to this are tried first; only where the best of them is at the rim, all are."""
_DIFFERS = 0.03
"""Share of the strongest difference between two faces below which a pixel says nothing about which it is."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of two faces a picture shows. place: 0 exactly the first, 1 exactly the second, 0.5 half-way;
    deviation: standard deviation of `place`, from how far the parts of the picture disagree."""

    place: float
    deviation: float

    def margin(self, deviations: float) -> float:
        """1: surely the first, 0: cannot tell, -1: surely the second. Both counts: how near the picture is to one of
        the two, and how many standard `deviations` it is off the half-way point."""
        lead = 0.5 - self.place
        sure = min(abs(lead) / SURE_LEAD, abs(lead) / (deviations * max(self.deviation, 1e-3)), 1.0)
        return float(np.copysign(sure, lead))

    def reversed(self) -> Comparison:
        """The same with the two faces exchanged."""
        return Comparison(1.0 - self.place, self.deviation)


CANNOT_TELL = Comparison(0.5, 1.0)
"""Of two faces that do not differ where the card shows."""


def compare(patch: Floats, first: Floats, others: Floats, mask: Floats, blur: float = 1.0) -> list[Comparison]:
    """Place a picture between `first` and each of the `others`, judged where the two differ.

    patch, first: (h, w, 3); others: (K, h, w, 3); all without shade and equally blurred (`blur` pixels); mask: (h, w).
    In each channel the picture is written as gain * (first + t * (other - first)); t, shared by the channels, is found
    by least squares at the small shift at which either face fits best. Noise and dirt that resemble the difference in
    no way hardly move t; its deviation is taken over blocks of the picture (a grouped jackknife).
    """
    apart = others - first
    weights, boxes = _weights(apart, mask)
    told = [k for k, box in enumerate(boxes) if box is not None]
    out = [CANNOT_TELL] * len(others)
    if not told:
        return out
    pairs = _Pairs.of(patch, first, others[told], weights[told])
    shifts, gains = pairs.best(NEAR_SHIFT)
    far = [k for k, shift in enumerate(shifts) if np.abs(shift).max() == NEAR_SHIFT]
    if far:
        part = _Pairs.of(patch, first, others[told][far], weights[told][far])
        shifts[far], gains[far] = part.best(SHIFT)
    for k, (down, right), gain in zip(told, shifts, gains, strict=True):
        box = boxes[k]
        assert box is not None
        rows, columns = box
        seen = patch[rows.start + down : rows.stop + down, columns.start + right : columns.stop + right]
        out[k] = _placed(seen, first[box], apart[k][box], gain, weights[k][box], blur)
    return out


def _weights(apart: Floats, mask: Floats) -> tuple[Floats, list[tuple[slice, slice] | None]]:
    """(K, h, w) how much each pixel says, summing to 1, for differences (K, h, w, 3), and the box in which it says
    anything at all, away from the rim by the largest shift; None where there is none."""
    energy = np.einsum("khwc,khwc->khw", apart, apart) * mask
    out = np.zeros_like(energy)
    boxes: list[tuple[slice, slice] | None] = []
    height, width = mask.shape
    for k, strength in enumerate(energy):
        weight = cv2.GaussianBlur(strength, (0, 0), 1.5)
        strongest = float(weight.max())
        differs = weight > _DIFFERS * strongest
        ys, xs = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        boxes.append(None)
        if not len(ys) or strongest < 1.0:
            continue
        top, left = max(int(ys[0]), SHIFT), max(int(xs[0]), SHIFT)
        bottom, right = min(int(ys[-1]) + 1, height - SHIFT), min(int(xs[-1]) + 1, width - SHIFT)
        if bottom - top < 2 or right - left < 2:
            continue
        box = (slice(top, bottom), slice(left, right))
        inside = np.sqrt(weight[box]) * mask[box]
        out[k][box] = inside / max(float(inside.sum()), 1e-6)
        boxes[k] = box
    return out, boxes


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """A picture, one face and K others, ready to be shifted against each other (the rim of `SHIFT` pixels left out
    of the faces). picture: (3, h, w). weights: (K, n). faces: (3, 2K, n) weighted, `first` for each of the others and
    then the others. energy: (2, K, 3) of both faces under the weights."""

    picture: Floats
    weights: Floats
    faces: Floats
    energy: Floats

    @classmethod
    def of(cls, patch: Floats, first: Floats, others: Floats, weights: Floats) -> _Pairs:
        inner = slice(SHIFT, -SHIFT)
        count = len(others)
        weight = weights[:, inner, inner].reshape(count, -1)
        one = first[inner, inner].reshape(1, -1, 3).transpose(2, 0, 1)
        two = others[:, inner, inner].reshape(count, -1, 3).transpose(2, 0, 1)
        faces = np.concatenate([weight * one, weight * two], axis=1)
        energy = np.stack([weight @ (one[:, 0] ** 2).T, np.einsum("ckn,ckn->kc", faces[:, count:], two)])
        return cls(np.ascontiguousarray(patch.transpose(2, 0, 1)), weight, faces, energy)

    def best(self, most: int) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.intp]], Floats]:
        """(K, 2) the shift (down, right) of at most so many pixels at which either face fits best, and (K, 3) the gain
        of that face in each channel."""
        height, width = self.picture.shape[1:]
        span = 2 * most + 1
        low = SHIFT - most
        views = np.lib.stride_tricks.sliding_window_view(
            self.picture[:, low : height - low, low : width - low],
            (height - 2 * SHIFT, width - 2 * SHIFT),
            axis=(1, 2),
        ).reshape(3, span * span, -1)
        count = len(self.weights)
        # (shifts, K, 3) of the picture's energy and (2, shifts, K, 3) of its products with both faces
        own = np.matmul(views**2, self.weights.T).transpose(1, 2, 0)
        products = np.matmul(views, self.faces.transpose(0, 2, 1))
        both = np.stack([products[..., :count], products[..., count:]]).transpose(0, 2, 3, 1)
        wanted = self.energy[:, None]
        gain = np.clip(both / (wanted + GAIN_PRIOR), 0.15, 2.0)
        error = (own - 2 * gain * both + gain**2 * wanted).sum(axis=-1)
        at = error.transpose(2, 0, 1).reshape(count, -1).argmin(axis=1)
        face, shift = np.divmod(at, span * span)
        down, right = np.divmod(shift, span)
        return np.stack([down, right], axis=1) - most, np.asarray(gain[face, shift, np.arange(count)])


def _placed(seen: Floats, first: Floats, apart: Floats, gain: Floats, weight: Floats, blur: float) -> Comparison:
    """The picture's place (h, w, 3) between a face and another that differs from it by `apart`, with its deviation."""
    step_to = gain * apart
    along = np.einsum("hwc,hwc->hw", step_to, seen - gain * first) * weight
    length = np.einsum("hwc,hwc->hw", step_to, step_to) * weight
    step = max(5, round(1.5 * blur))
    rows, columns = np.arange(0, weight.shape[0], step), np.arange(0, weight.shape[1], step)
    pulls = np.add.reduceat(np.add.reduceat(along, rows, axis=0), columns, axis=1)
    blocks = np.add.reduceat(np.add.reduceat(length, rows, axis=0), columns, axis=1)
    total = max(float(blocks.sum()), 1e-9)
    place = float(pulls.sum()) / total
    deviation = float(np.sqrt(((pulls - place * blocks) ** 2).sum())) / total
    return Comparison(place, deviation)
