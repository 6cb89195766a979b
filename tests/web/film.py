"""Films of a table as a camera above it sees it: cards laid one by one, a hand that passes, light that changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.decks import Deck

Picture = NDArray[np.uint8]

SIZE = (1280, 720)
CARD = 128
"""Of a card, pixels."""
RATE = 30
"""Frames a second: Chromium plays a file of JPEGs so fast."""
GRAINS = 3


@dataclass(frozen=True)
class Scene:
    """seconds; cards: (face, column, row, turn in degrees) in card sides; hand: where its tip goes from and to, px;
    light: from and to, 1 as usual."""

    seconds: float
    cards: tuple[tuple[str, float, float, float], ...] = ()
    hand: tuple[tuple[float, float], tuple[float, float]] | None = None
    light: tuple[float, float] = (1.0, 1.0)


class Filmed:
    """Draws scenes with the cards of a deck."""

    def __init__(self, deck: Deck, seed: int = 5) -> None:
        self._deck = deck
        rng = np.random.default_rng(seed)
        coarse = rng.normal(0, 9, (SIZE[1] // 8, SIZE[0] // 8)).astype(np.float32)
        grain = cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC)[..., None]
        self._table = np.array([105, 125, 85], np.float32) + grain
        self._grains = [rng.normal(0, 1.6, (SIZE[1], SIZE[0], 1)).astype(np.float32) for _ in range(GRAINS)]

    def frames(self, scenes: Iterable[Scene]) -> Iterator[Picture]:
        """(720, 1280, 3) BGR uint8, RATE a second."""
        number = 0
        for scene in scenes:
            still = self._laid(scene)
            count = round(scene.seconds * RATE)
            drawn: dict[int, Picture] = {}
            for i in range(count):
                number += 1
                share = i / max(1, count - 1)
                changes = scene.hand is not None or scene.light[0] != scene.light[1]
                key = i if changes else number % GRAINS
                if key not in drawn:
                    drawn[key] = self._frame(scene, still, share, number % GRAINS)
                yield drawn[key]

    def _frame(self, scene: Scene, still: NDArray[np.float32], share: float, grain: int) -> Picture:
        frame = still.copy()
        if scene.hand:
            (x0, y0), (x1, y1) = scene.hand
            _draw_hand(frame, (x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
        light = scene.light[0] + share * (scene.light[1] - scene.light[0])
        return np.asarray(np.clip(light * frame + self._grains[grain], 0, 255), dtype=np.uint8)

    def _laid(self, scene: Scene) -> NDArray[np.float32]:
        frame = self._table.copy()
        for face, column, row, turn in scene.cards:
            path = self._deck.image_path(face)
            assert path is not None
            image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
            assert image is not None
            height = round(CARD * self._deck.card_mm[1] / self._deck.card_mm[0])
            small = cv2.resize(image, (CARD, height), interpolation=cv2.INTER_AREA)
            if small.shape[2] == 3:
                small = np.dstack([small, np.full(small.shape[:2], 255, np.uint8)])
            middle = (220 + 1.04 * CARD * column, 220 + 1.04 * height * row)
            matrix = cv2.getRotationMatrix2D((CARD / 2, height / 2), -turn, 1.0)
            matrix[:, 2] += np.array(middle) - (CARD / 2, height / 2)
            laid = cv2.warpAffine(small, matrix, SIZE, flags=cv2.INTER_AREA)
            alpha = laid[..., 3:].astype(np.float32) / 255
            frame = frame * (1 - alpha) + laid[..., :3] * alpha
        return np.asarray(frame, dtype=np.float32)


def _draw_hand(frame: NDArray[np.float32], tip: tuple[float, float]) -> None:
    """An arm from the lower edge with a hand at its end."""
    x, y = round(tip[0]), round(tip[1])
    colour = (120.0, 150.0, 205.0)
    cv2.line(frame, (x + 90, SIZE[1] + 80), (x, y), colour, 95)
    cv2.circle(frame, (x, y), 75, colour, -1)


def as_mjpeg(frames: Iterable[Picture], file: Path, quality: int = 80) -> Path:
    """Write what Chromium takes as a fake camera: JPEGs one after another."""
    written: dict[int, tuple[Picture, bytes]] = {}
    with file.open("wb") as out:
        for frame in frames:
            known = written.get(id(frame))
            if known is None or known[0] is not frame:
                data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
                known = written[id(frame)] = (frame, data)
            out.write(known[1])
            if len(written) > 2 * GRAINS:
                written.pop(next(iter(written)))
    return file
