"""How a card's picture came from its face: a tone curve and one small linear filter, fitted to the card itself.

Too much or too little light bends the tones, glare lifts one side, and white paper is cut off where the sensor is full;
out of focus, a shaken hand, the camera's sharpening, resampling and the last fraction of a pixel all act as one
convolution (the point spread function). A gain and a Gaussian of the right width leave errors at every edge that are
as large as the difference between two small numerals. The curve and the filter that best turn the drawn face into the
picture, by ridge regression over the whole card, leave little but noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.facebank import Floats, less_local_mean

REACH = 2
"""Taps of the filter on each side of the middle one, in each direction."""
RIDGE = 0.003
"""Pull of the filter towards none at all, as a share of the mean energy of a tap."""
CURVE_RIDGE = 1e-3
"""Pull of the curve towards a straight line, as a share of the mean energy of a term."""


@dataclass(frozen=True, slots=True, eq=False)
class Transfer:
    """curve: (5, 3) weights of `_curved` in each channel; kernel: (2 REACH + 1, 2 REACH + 1), its taps `step` pixels
    apart; mask: (h, w) where the card shows; shade: Gaussian width of the local mean that is taken off."""

    curve: Floats
    kernel: Floats
    step: int
    mask: Floats
    shade: float

    @classmethod
    def of(
        cls, seen: Floats, blurred: Floats, sharp: Floats, weight: Floats, mask: Floats, shade: float, step: int
    ) -> Transfer:
        """Fit what lies between a face and its picture.

        seen: (h, w, 3) the picture less its local mean; blurred, sharp: (h, w, 3) the face, 0..255, drawn as blurred as
        the picture and less so; weight: (h, w) what counts, 0..1.
        """
        terms = less_local_mean(_curved(blurred), mask, shade)
        curve = np.stack([_curve(terms[..., c], seen[..., c], weight) for c in range(3)], axis=1)
        toned = less_local_mean(_toned(sharp, curve)[None], mask, shade)[0]
        return cls(curve, point_spread(seen, toned, weight, step), step, mask, shade)

    def pictures(self, sharp: Floats) -> Floats:
        """(N, h, w, 3) faces, drawn as sharply as the one fitted, as they would look here, less their local mean."""
        toned = less_local_mean(np.stack([_toned(face, self.curve) for face in sharp]), self.mask, self.shade)
        reach = len(self.kernel) // 2 * self.step
        whole = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        whole[:: self.step, :: self.step] = self.kernel
        filtered = [cv2.filter2D(face, -1, whole, borderType=cv2.BORDER_REPLICATE) for face in toned]
        return np.stack(filtered) * self.mask[None, :, :, None]


def _curved(face: Floats) -> Floats:
    """(5, h, w, 3) the terms that a picture's tones are made of: the face (0..255), its square and cube, and the face
    growing to the right and downwards."""
    height, width = face.shape[:2]
    middle = face / 128 - 1
    square = 64 * middle * middle
    right = np.linspace(-1, 1, width, dtype=np.float32)[None, :, None]
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, None, None]
    return np.stack([face, square, square * middle, face * right, face * down]).astype(np.float32)


def _toned(face: Floats, curve: Floats) -> Floats:
    return np.asarray(np.einsum("thwc,tc->hwc", _curved(face), curve), np.float32)


def _curve(terms: Floats, seen: Floats, weight: Floats) -> Floats:
    """(5,) the weights with which terms (5, h, w) make up one channel (h, w)."""
    table = terms.reshape(len(terms), -1)
    counted = table * weight.ravel()
    product = (counted @ table.T).astype(np.float64)
    pull = np.full(len(terms), CURVE_RIDGE * max(float(np.trace(product)) / len(terms), 1e-6))
    pull[0] /= 100  # a straight line is no departure
    return np.asarray(np.linalg.solve(product + np.diag(pull), counted @ seen.ravel()), np.float32)


def point_spread(seen: Floats, drawn: Floats, weight: Floats, step: int) -> Floats:
    """(2 REACH + 1, 2 REACH + 1) the filter, its taps `step` pixels apart, that turns `drawn` (h, w, 3) into `seen`.

    Both without shade; weight: (h, w) what counts, 0..1. Each channel has its own gain, which is not part of the
    filter.
    """
    rim = REACH * step + 1
    inner = slice(rim, -rim, 2), slice(rim, -rim)  # every second row tells enough
    offsets = range(-REACH * step, REACH * step + 1, step)
    height, width = weight.shape
    root = np.sqrt(weight[inner])[:, :, None]
    target = (seen[inner] * root).reshape(-1, 3)
    taps = np.stack(
        [
            (drawn[rim + down : height - rim + down : 2, rim + along : width - rim + along] * root).reshape(-1, 3)
            for down in offsets
            for along in offsets
        ]
    )
    middle = taps[len(taps) // 2]
    gain = np.clip((target * middle).sum(axis=0) / np.maximum((middle**2).sum(axis=0), 1e-6), 0.05, 4.0)
    table = (taps * gain).reshape(len(taps), -1)
    product = (table @ table.T).astype(np.float64)
    ridge = RIDGE * max(float(np.trace(product)) / len(taps), 1e-6)
    wanted = (table @ target.ravel()).astype(np.float64)
    wanted[len(taps) // 2] += ridge
    filtered = np.linalg.solve(product + ridge * np.eye(len(taps)), wanted)
    return np.asarray(filtered.reshape(2 * REACH + 1, -1), dtype=np.float32)
