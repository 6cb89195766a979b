"""Digits on a card, in any usual font: blobs of one tone that look like a digit to a classifier learnt from fonts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.features.colours import to_lab
from referee.features.network import load

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

SIDE = 28
"""Pixels of the picture in which a glyph is read; its shape is kept."""
INSET = 2
LEVELS = 14
"""Tones at which a card is cut into blobs, for each channel."""
CALM = 0.7
"""Pixels by which a card is blurred before it is cut into blobs."""
SHORTEST, TALLEST = 0.06, 0.45
"""Heights of a glyph, as a fraction of the card's short side."""


@dataclass(frozen=True, slots=True, eq=False)
class Blobs:
    """The connected parts above or below one tone.

    labels: (H, W) int32; ink: (H, W) 0..1, 1 well inside; boxes: (K, 5) x, y, width, height, area px, by label.
    """

    labels: NDArray[np.int32]
    ink: Floats
    boxes: NDArray[np.int32]

    def usable(self, tallest: float) -> NDArray[np.intp]:
        """The labels of those that have a glyph's size; tallest: in short sides of the card."""
        short = min(self.ink.shape)
        boxes = self.boxes
        found = (boxes[:, 3] > SHORTEST * short) & (boxes[:, 3] < tallest * short)
        found &= (boxes[:, 2] < 1.0 * short) & (boxes[:, 4] > 0.08 * boxes[:, 2] * boxes[:, 3])
        found[0] = False
        return np.flatnonzero(found)

    def turned(self, quarters: int) -> Blobs:
        """The same of the card turned counterclockwise by quarters, as `np.rot90` does."""
        boxes, (height, width) = self.boxes.copy(), self.ink.shape
        for _ in range(quarters % 4):
            x, y, w, h = boxes[:, :4].T
            boxes[:, :4] = np.stack([y, width - x - w, h, w], axis=1)
            height, width = width, height
        return Blobs(np.rot90(self.labels, quarters), np.rot90(self.ink, quarters), boxes)


@dataclass(frozen=True, slots=True)
class Glyph:
    """belief: for each class of the reader; centre, height: in card widths; box: x, y, width, height px."""

    belief: tuple[float, ...]
    centre: tuple[float, float]
    height: float
    box: tuple[int, int, int, int]

    @property
    def digit(self) -> int:
        return int(np.argmax(self.belief[:10]))

    @property
    def digit_belief(self) -> float:
        return max(self.belief[:10])

    @property
    def letter_z(self) -> float:
        return self.belief[10]


def fitted_glyph(ink: Floats) -> Floats | None:
    """(28, 28) the ink (h, w) 0..1 cut to its extent, its shape kept, in the middle; None if there is none."""
    rows = np.flatnonzero(ink.max(axis=1) > 0.5)
    columns = np.flatnonzero(ink.max(axis=0) > 0.5)
    if not len(rows) or not len(columns):
        return None
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = (SIDE - 2 * INSET) / max(ink.shape)
    size = (max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale)))
    glyph = cv2.resize(ink, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    left, top = (SIDE - size[0]) // 2, (SIDE - size[1]) // 2
    return np.asarray(
        cv2.copyMakeBorder(glyph, top, SIDE - size[1] - top, left, SIDE - size[0] - left, cv2.BORDER_CONSTANT, value=0),
        np.float32,
    )


def blobs(card: Pixels) -> list[Blobs]:
    """Cut a card (H, W, 3) BGR at many tones of lightness and of both opponent colours, each way round."""
    lab = to_lab(card)
    found = []
    for channel in range(3):
        plane = np.ascontiguousarray(lab[..., channel])
        low, high = np.percentile(plane, [1, 99])
        if high - low < 12:
            continue
        soft = max(6.0, 0.12 * float(high - low))
        calm = cv2.GaussianBlur(plane, (0, 0), CALM)  # grain would make thousands of specks
        for tone in np.linspace(low, high, LEVELS + 2)[1:-1]:
            for sign in (1, -1):
                above = sign * (plane - np.float32(tone))
                mask = (calm > tone if sign > 0 else calm < tone).astype(np.uint8)
                _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
                ink = np.asarray(np.clip(0.5 + above / soft, 0, 1), np.float32)
                layer = Blobs(np.asarray(labels, np.int32), ink, np.asarray(stats[:, :5], np.int32))
                if len(layer.usable(1.0)) or len(layer.turned(1).usable(1.0)):
                    found.append(layer)
    return found


def find_glyphs(card: Pixels, layers: Sequence[Blobs] | None = None) -> list[Glyph]:
    """Every blob of a card (H, W, 3) BGR that may be a digit or a Z, the likeliest first, each place once.

    layers: its `blobs`, if they are known already.
    """
    width = card.shape[1]
    boxes, pictures = glyph_candidates(card, layers)
    if not boxes:
        return []
    belief = load("glyphs")(np.stack(pictures))
    rank = 1 - belief[:, -1]
    kept: list[Glyph] = []
    for at in np.argsort(-rank, kind="stable"):
        x, y, w, h = boxes[at]
        if rank[at] < 0.05:
            break
        centre = ((x + w / 2) / width, (y + h / 2) / width)
        if all(_overlap(boxes[at], other.box) < 0.5 for other in kept):
            kept.append(Glyph(tuple(float(b) for b in belief[at]), centre, h / width, (x, y, w, h)))
    return kept


def glyph_candidates(
    card: Pixels, layers: Sequence[Blobs] | None = None
) -> tuple[list[tuple[int, int, int, int]], list[Floats]]:
    """The places (x, y, width, height) px of a card (H, W, 3) BGR that may hold a glyph, and what is read there."""
    height, width = card.shape[:2]
    short = min(height, width)
    boxes, pictures = [], []
    for layer in blobs(card) if layers is None else layers:
        for name in layer.usable(TALLEST):
            x, y, w, h, _ = (int(v) for v in layer.boxes[name])
            if w > 1.3 * h or w < 0.12 * h or min(x, y, width - x - w, height - y - h) < 0.01 * short:
                continue
            around = np.s_[max(0, y - 1) : y + h + 1, max(0, x - 1) : x + w + 1]
            inside = cv2.dilate((layer.labels[around] == name).astype(np.uint8), np.ones((3, 3), np.uint8))
            picture = fitted_glyph(layer.ink[around] * inside)
            if picture is not None:
                boxes.append((x, y, w, h))
                pictures.append(picture)
    return boxes, pictures


def _overlap(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> float:
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / min(a[2] * a[3], b[2] * b[3])
