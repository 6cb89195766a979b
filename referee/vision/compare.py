"""Which of two faces does a picture show? Judged in the pixels in which the two differ.

Faces of a deck may nearly coincide (a 1 and a 2 under the same arrow correlate .99), so that a whole-card correlation
hardly tells them apart. Here the picture is placed between two faces by least squares, along with the fraction of a
pixel by which it lies off. How sure that is comes from two sources, pooled as variances are: how far the parts of the
picture disagree (Huber's sandwich, by blocks; few blocks, so a noisy figure), and how often what is unexplained on
the rest of the card looks like the difference by chance (the matched filter's noise).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.facebank import Floats

GAIN_PRIOR = 5.0
"""Variance (grey levels squared) below which a face says nothing about the local contrast."""
SHIFT_PRIOR = 25.0
"""Variance (grey levels squared) that a face must have for a pixel of shift to be believed."""
SURE_LEAD = 0.31
"""Distance of `place` from the half-way point from which on a reading is as sure as can be (0..0.5)."""
RIM = 3
"""Pixels at the rim of a picture that are not compared: a card's outline is not known better."""
CHANCE = 12.0
"""The chance noise counts as much as so many blocks of a picture."""
_DIFFERS = 0.03
"""Share of the strongest difference between two faces below which a pixel says nothing about which it is."""
_NEARLY_SAME = 0.02
"""Share of the greatest weight below which two faces are the same in a pixel."""
_QUIETEST = 0.4
"""Noise of a channel, as a share of the mean of all, below which it counts no more."""
_LARGE = 2500
"""Pixels of a difference from which on every second one in each direction is enough."""
_MOST_OF_CARD = 0.25
"""A difference larger than this share of a card leaves no room to look for chance likenesses, and needs none."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of two faces a picture shows. place: 0 exactly the first, 1 exactly the second, 0.5 half-way;
    deviation: standard deviation of `place`."""

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
    In each channel the picture is written as gain * (first + t * (other - first) + shift); t and the shift, shared by
    the channels, are found by least squares, in which a channel counts by how little of it is unexplained. Noise and
    dirt that resemble the difference in no way hardly move t.
    """
    apart = others - first
    gain = np.einsum("hwc,hwc,hw->c", patch, first, mask) / np.maximum(
        np.einsum("hwc,hwc,hw->c", first, first, mask), 1e-6
    )
    left = (patch - gain * first) * mask[:, :, None]
    noise = np.sqrt(np.einsum("hwc,hwc->c", left, left) / max(float(mask.sum()), 1.0))
    quiet = (noise.mean() + 1e-3) / (np.maximum(noise, _QUIETEST * noise.mean()) + 1e-3)
    patch, first, others, apart, left = (pixels * quiet for pixels in (patch, first, others, apart, left))
    out = []
    for k, (weight, box) in enumerate(_weights(apart, mask)):
        if box is None:
            out.append(CANNOT_TELL)
            continue
        inside = weight[box]
        every = 2 if inside.size > _LARGE else 1
        few = tuple(slice(side.start, side.stop, every) for side in box)
        seen, one, two, counted = patch[few], first[few], others[k][few], weight[few] / weight[few].sum()
        scale = min(_fit(seen, one, counted), _fit(seen, two, counted), key=lambda fit: fit[1])[0]
        placed, blocks = _placed(seen, one, apart[k][few], scale, counted, max(5, round(1.5 * blur)) // every)
        chance = _chance(left, apart[k][box] * gain, inside, mask * (weight < _NEARLY_SAME * weight.max()))
        if chance is not None:
            pooled = (blocks * placed.deviation**2 + CHANCE * chance**2) / (blocks + CHANCE)
            placed = Comparison(placed.place, float(np.sqrt(pooled)))
        out.append(placed)
    return out


def _weights(apart: Floats, mask: Floats) -> list[tuple[Floats, tuple[slice, slice] | None]]:
    """For each of the differences (K, h, w, 3): (h, w) how much each pixel says, summing to 1, and the box in which it
    says anything at all, away from the rim; None where there is none."""
    energy = np.einsum("khwc,khwc->khw", apart, apart) * mask
    out: list[tuple[Floats, tuple[slice, slice] | None]] = []
    height, width = mask.shape
    for strength in energy:
        weight = np.asarray(cv2.GaussianBlur(strength, (0, 0), 1.5), np.float32)
        strongest = float(weight.max())
        differs = weight > _DIFFERS * strongest
        ys, xs = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        box = None
        if len(ys) and strongest >= 1.0:
            top, left = max(int(ys[0]), RIM), max(int(xs[0]), RIM)
            bottom, right = min(int(ys[-1]) + 1, height - RIM), min(int(xs[-1]) + 1, width - RIM)
            if bottom - top >= 2 and right - left >= 2:
                box = (slice(top, bottom), slice(left, right))
        told = np.zeros_like(weight)
        if box is not None:
            inside = np.sqrt(weight[box]) * mask[box]
            total = float(inside.sum())
            if total > 0:
                told[box] = inside / total
            else:  # they differ beside what shows only
                box = None
        out.append((told, box))
    return out


def _fit(patch: Floats, face: Floats, weight: Floats) -> tuple[Floats, float]:
    """The gain of a face in each channel, held to what light does, and the error that it leaves."""
    wanted = np.einsum("hwc,hwc,hw->c", face, face, weight)
    both = np.einsum("hwc,hwc,hw->c", patch, face, weight)
    gain = np.clip(both / (wanted + GAIN_PRIOR), 0.15, 2.0)
    return np.asarray(gain, np.float32), float((gain**2 * wanted - 2 * gain * both).sum())


def _placed(
    seen: Floats, first: Floats, apart: Floats, gain: Floats, weight: Floats, step: int
) -> tuple[Comparison, float]:
    """The picture's place (h, w, 3) between a face and another that differs from it by `apart`, with its deviation, and
    how many blocks of `step` pixels that rests on (as far as they count alike)."""
    middle = first + 0.5 * apart
    slopes = np.gradient(middle, axis=(0, 1))
    terms = np.stack([apart, *slopes, seen / gain - first], axis=-1) * gain[:, None]
    terms *= np.sqrt(weight)[:, :, None, None]
    rows, columns = (-(-size // step) for size in weight.shape)
    whole = np.zeros((rows * step, columns * step, 3, 4), np.float32)
    whole[: weight.shape[0], : weight.shape[1]] = terms
    blocks = whole.reshape(rows, step, columns, -1).transpose(0, 2, 1, 3).reshape(rows * columns, -1, 4)
    products = (blocks.transpose(0, 2, 1) @ blocks)[:, :3].astype(np.float64)
    total = products.sum(axis=0)
    inverse = np.linalg.inv(total[:, :3] + np.diag([1e-9, SHIFT_PRIOR, SHIFT_PRIOR]))
    found = inverse @ total[:, 3]
    pulls = (products[:, :, 3] - products[:, :, :3] @ found) @ inverse[0]
    counts = float(products[:, 0, 0].sum() ** 2 / max(float((products[:, 0, 0] ** 2).sum()), 1e-12))
    return Comparison(float(found[0]), float(np.sqrt((pulls**2).sum()))), counts


def _chance(left: Floats, apart: Floats, weight: Floats, same: Floats) -> float | None:
    """Root mean square of the place that a difference (h, w, 3) with its weight (h, w) would be given by what is left
    unexplained (H, W, 3) elsewhere on the card, where the two faces are the `same` (H, W). None: too little to tell."""
    if weight.size > _MOST_OF_CARD * same.size:
        return None
    pattern = apart * weight[:, :, None]
    pattern /= max(float(np.einsum("hwc,hwc->", pattern, apart)), 1e-9)
    rest = left * same[:, :, None]
    answers = sum(
        cv2.matchTemplate(np.ascontiguousarray(rest[:, :, c]), np.ascontiguousarray(pattern[:, :, c]), cv2.TM_CCORR)
        for c in range(3)
    )
    share = cv2.matchTemplate(same.astype(np.float32), (weight / weight.sum()).astype(np.float32), cv2.TM_CCORR)
    enough = share > 0.6
    if enough.sum() < 20:
        return None
    return float(np.sqrt((np.asarray(answers)[enough] ** 2 / share[enough]).mean()))
