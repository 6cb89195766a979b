"""A small classifier of little pictures: oriented gradients and the picture itself, one hidden layer.

The weights are learnt from words and digits in many fonts by `calibration/training.py` and kept as numbers only.
Histograms of oriented gradients after N. Dalal, B. Triggs, CVPR 2005.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BINS = 8
"""Directions of gradients, over the full circle."""
CELL = 7
"""Pixels of a cell's side."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """classes: a name for each output. Weights: (D, H), (H,), (H, C), (C,); mean, scale: (D,) of the features."""

    classes: tuple[str, ...]
    mean: Floats
    scale: Floats
    hidden: Floats
    hidden_bias: Floats
    output: Floats
    output_bias: Floats

    def __call__(self, pictures: Floats) -> Floats:
        """(N, C) the share of belief in each class. pictures: (N, h, w) float32 0..1, 1 being ink."""
        if not len(pictures):
            return np.zeros((0, len(self.classes)), np.float32)
        features = (describe(pictures) - self.mean) * self.scale
        inner = np.maximum(features @ self.hidden + self.hidden_bias, 0)
        scores = inner @ self.output + self.output_bias
        scores -= scores.max(axis=1, keepdims=True)
        belief = np.exp(scores)
        return np.asarray(belief / belief.sum(axis=1, keepdims=True), np.float32)


@lru_cache(maxsize=4)
def load(name: str) -> Network:
    """The network kept beside this module as `NAME.npz`."""
    with np.load(Path(__file__).parent / f"{name}.npz", allow_pickle=False) as data:
        arrays = {key: np.asarray(data[key], np.float32) for key in data.files if key != "classes"}
        return Network(classes=tuple(str(each) for each in data["classes"]), **arrays)


def describe(pictures: Floats) -> Floats:
    """(N, D) features of (N, h, w) pictures: gradients gathered in cells by direction, and the picture at a third."""
    height, width = pictures.shape[1:]
    rows, columns = -(-height // CELL), -(-width // CELL)
    dx = np.zeros_like(pictures)
    dy = np.zeros_like(pictures)
    dx[:, :, 1:-1] = pictures[:, :, 2:] - pictures[:, :, :-2]
    dy[:, 1:-1] = pictures[:, 2:] - pictures[:, :-2]
    size = np.hypot(dx, dy)
    place = (np.arctan2(dy, dx) / (2 * np.pi) % 1.0) * BINS
    low = np.floor(place).astype(np.int32)
    part = place - low
    cells = np.empty((len(pictures), rows, columns, BINS), np.float32)
    padded = np.zeros((len(pictures), rows * CELL, columns * CELL), np.float32)
    for direction in range(BINS):
        share = np.where(low % BINS == direction, 1 - part, 0) + np.where((low + 1) % BINS == direction, part, 0)
        padded[:, :height, :width] = size * share
        cells[..., direction] = padded.reshape(len(pictures), rows, CELL, columns, CELL).mean(axis=(2, 4))
    # Each cell against its neighbourhood, so that faint ink counts like dark ink.
    energy = np.stack([cv2.blur(np.ascontiguousarray(each), (3, 3)) for each in np.square(cells).sum(axis=3)])
    cells /= np.sqrt(energy + 1e-4)[..., None]
    small = np.stack([cv2.resize(each, (width // 3, height // 3), interpolation=cv2.INTER_AREA) for each in pictures])
    return np.concatenate([cells.reshape(len(pictures), -1), small.reshape(len(pictures), -1)], axis=1)
