"""The words Start and Finish on a card, in Ukrainian, Russian and English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.features.glyphs import Blobs, blobs
from referee.features.network import load

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

START_WORDS = ("СТАРТ", "START")
FINISH_WORDS = ("ФІНІШ", "ФИНИШ", "FINISH")
WIDTH, HEIGHT = 98, 28
"""Pixels of the picture in which a word is read; both are stretched to fit."""
INSET = 3
TONES = 3.0
"""At so many tones a word must be seen."""
TALLEST = 0.28
"""Height of a word, as a fraction of the card's short side."""
SHAPES = (1.8, 9.0)
"""Least and greatest width of a word over its height."""


@dataclass(frozen=True, slots=True)
class Word:
    """start, finish: belief 0..1; box: (x, y, width, height) px of the card's picture."""

    start: float
    finish: float
    box: tuple[int, int, int, int]


def fitted_word(ink: Floats) -> Floats | None:
    """(28, 98) the ink (h, w) 0..1 stretched over the picture, or None if it is not of a word's shape."""
    rows = np.flatnonzero(ink.max(axis=1) > 0.5)
    columns = np.flatnonzero(ink.max(axis=0) > 0.5)
    if not len(rows) or not len(columns):
        return None
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if not SHAPES[0] < ink.shape[1] / ink.shape[0] < SHAPES[1]:
        return None
    shrinks = ink.shape[0] > HEIGHT
    size = (WIDTH - 2 * INSET, HEIGHT - 2 * INSET)
    word = cv2.resize(ink, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    return np.asarray(np.pad(word, INSET), np.float32)


def find_words(card: Pixels, layers: Sequence[Blobs] | None = None) -> list[Word]:
    """Every place on a card (H, W, 3) BGR that may hold one of the words, the likeliest first.

    layers: its `blobs`, if they are known already.
    """
    found, pictures = word_candidates(card, layers)
    if not found:
        return []
    belief = load("words")(np.stack(pictures))
    # A word that is there shows at many tones; what looks like one by chance does at one.
    boxes = np.array(found, np.float64)
    shown = np.minimum((_same_place(boxes) @ (belief[:, :2] > 0.5)) / TONES, 1.0)
    words = [Word(float(b[0] * s[0]), float(b[1] * s[1]), box) for b, s, box in zip(belief, shown, found, strict=True)]
    return sorted(words, key=lambda word: -max(word.start, word.finish))


def _same_place(boxes: Doubles) -> Doubles:
    """(N, N) 1 where two boxes (N, 4) x, y, width, height are about the same, else 0."""
    low, high = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    both = np.clip(np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None]), 0, None).prod(axis=2)
    area = boxes[:, 2:].prod(axis=1)
    return np.asarray(both > 0.6 * (area[:, None] + area[None] - both), np.float64)


def word_candidates(
    card: Pixels, layers: Sequence[Blobs] | None = None
) -> tuple[list[tuple[int, int, int, int]], list[Floats]]:
    """The places (x, y, width, height) px of a card (H, W, 3) BGR that may hold a word, and what is read there."""
    found, pictures = [], []
    for layer in blobs(card) if layers is None else layers:
        for members in _lines(layer):
            boxes = layer.boxes[members]
            x, y = boxes[:, 0].min(), boxes[:, 1].min()
            right, bottom = (boxes[:, 0] + boxes[:, 2]).max(), (boxes[:, 1] + boxes[:, 3]).max()
            chosen = np.zeros(len(layer.boxes), np.uint8)
            chosen[members] = 1
            inside = cv2.dilate(chosen[layer.labels[y:bottom, x:right]], np.ones((3, 3)))
            picture = fitted_word(layer.ink[y:bottom, x:right] * inside)
            if picture is not None:
                pictures.append(picture)
                found.append((int(x), int(y), int(right - x), int(bottom - y)))
    return found, pictures


def _lines(layer: Blobs) -> list[NDArray[np.intp]]:
    """Labels of four to eight blobs of like height side by side in a line, and of each single long blob."""
    boxes = layer.boxes
    names = layer.usable(TALLEST)
    names = names[np.argsort(boxes[names, 0], kind="stable")]
    lines = []
    for first in names:
        line = [first]
        for other in names:
            last = boxes[line[-1]]
            box = boxes[other]
            tall = float(boxes[line, 3].max())
            gap = box[0] - (last[0] + last[2])
            level = abs((box[1] + box[3] / 2) - (last[1] + last[3] / 2)) < 0.35 * tall
            alike = 0.6 < box[3] / boxes[line[0], 3] < 1.6
            if other not in line and level and alike and -0.15 * tall < gap < 0.6 * tall and box[0] > last[0]:
                line.append(other)
        if 4 <= len(line) <= 8:
            lines.append(np.array(line))
        elif boxes[first, 2] > SHAPES[0] * boxes[first, 3]:
            lines.append(np.array([first]))
    return lines
