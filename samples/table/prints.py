"""Printed cards: a deck's pictures as ink on card, worn by play."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from referee.decks import Deck
from samples.table.canvas import Sheet
from samples.table.patterns import hsv, linear, noise
from samples.table.scene import Print

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

_LARGEST_PX = 640


class MissingPictureError(ValueError):
    """A face has no picture, so its card cannot be rendered."""


@dataclass
class Printer:
    """Prints the cards of one deck, all in the same run (so with the same inks)."""

    deck: Deck
    printing: Print
    _faces: dict[tuple[Path, int], Floats] = field(default_factory=dict)

    def card(self, face: str, texels: int, rng: Rng) -> Sheet:
        """A worn copy of a face; `texels` = wanted pixels along its shorter side."""
        texels = int(min(_LARGEST_PX, max(48, 16 * -(-texels // 16))))
        path = self.deck.image_path(face)
        if path is None:
            raise MissingPictureError(
                f'The face "{face}" of the deck "{self.deck.name}" has no picture; add one to render it.'
            )
        return self._sheet(self._worn(self._once(path, texels), rng))

    def back(self, rng: Rng) -> Sheet:
        """The back of a card: often the deck's own `back.png` if it has one, else a made-up design."""
        side = 220
        path = self.deck.folder / "back.png" if self.deck.folder else None
        if path is not None and rng.uniform() < 0.6 and path.is_file():
            return self._sheet(self._worn(self._once(path, side), rng))
        w, h = self.deck.card_mm
        colour = back_design(rng, (round(side * h / w), side))
        return self._sheet(self._worn(colour, rng))

    def _sheet(self, colour: Floats) -> Sheet:
        p = self.printing
        corner = self.deck.corner_mm
        return Sheet(
            colour, self.deck.card_mm, corner, thickness_mm=p.thickness_mm, gloss=p.gloss, shine=0.25 + 0.6 * p.gloss
        )

    def _once(self, path: Path, texels: int) -> Floats:
        key = (path, texels)
        if key not in self._faces:
            self._faces[key] = self._printed(path, texels)
        return self._faces[key]

    def _printed(self, path: Path, texels: int) -> Floats:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
        if picture is None:
            raise MissingPictureError(f"{path}: this picture cannot be opened; save it again as PNG.")
        if picture.ndim == 2:
            picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
        w, h = self.deck.card_mm
        short = min(w, h)
        size = (round(texels * w / short), round(texels * h / short))
        shade = linear(picture[..., :3].astype(np.float32) / 255)
        if picture.shape[2] == 4:
            alpha = np.asarray(picture[..., 3:], np.float32) / np.float32(255)
            shade = _fill(shade, alpha)
        mode = cv2.INTER_AREA if size[0] <= picture.shape[1] else cv2.INTER_CUBIC
        return self._inked(np.asarray(cv2.resize(shade, size, interpolation=mode), np.float32))

    def _inked(self, reflectance: Floats) -> Floats:
        p = self.printing
        coded = np.clip(reflectance, 0, 1) ** np.float32(1 / 2.2)
        lightness = coded @ np.array([0.114, 0.587, 0.299], np.float32)
        coded = lightness[..., None] + (coded - lightness[..., None]) * np.float32(p.saturation)
        coded = _turn_hue(np.asarray(coded, np.float32), p.hue_degrees)
        ink = np.clip(coded, 0, 1) ** np.float32(2.2 * p.gamma)
        paper = np.array(p.tint, np.float32) * np.float32(0.88 * p.white)
        return np.asarray(np.clip(p.black + ink * (paper - p.black), 0.004, 0.95), np.float32)

    def _worn(self, colour: Floats, rng: Rng) -> Floats:
        """Uneven ink, white rubbed edges and corners, a crease, dirt."""
        wear = self.printing.wear * rng.uniform(0.4, 1.3)
        rows, columns = colour.shape[:2]
        shape = (rows, columns)
        gain = 1 + 0.03 * noise(rng, shape, (rows / 2, columns / 2), 2) + rng.normal(0, 0.015)
        out = np.asarray(colour * gain[..., None], np.float32)
        per_mm = columns / self.deck.card_mm[0]
        if wear > 0.05 and per_mm > 0.8:
            down = np.minimum(np.arange(rows), np.arange(rows)[::-1])[:, None]
            across = np.minimum(np.arange(columns), np.arange(columns)[::-1])[None, :]
            edge = np.minimum(down, across) / per_mm
            corner = np.hypot(down, across) / per_mm
            rough = noise(rng, shape, (2.0 * per_mm, 2.0 * per_mm), 3)
            rub = np.clip(0.9 * wear * (0.5 + rough) - edge / 0.7, 0, 0.8)
            rub = np.maximum(
                rub, np.clip(1.3 * wear * (0.5 + rough) - (corner - self.deck.corner_mm * 0.4) / 2.5, 0, 1)
            )
            out += rub[..., None] * (np.float32(0.62) - out)
            if rng.uniform() < 0.25 * wear:
                _crease(out, rng)
            out *= 1 - 0.1 * wear * np.clip(noise(rng, shape, (rows / 3, columns / 3), 4), 0, 1)[..., None]
        return np.clip(out, 0.003, 0.95)


def _crease(colour: Floats, rng: Rng) -> None:
    rows, columns = colour.shape[:2]
    mask = np.zeros((rows, columns), np.float32)
    ends = [(int(rng.integers(columns)), int(rng.integers(rows))) for _ in range(2)]
    cv2.line(mask, ends[0], ends[1], 1.0, max(1, columns // 200), cv2.LINE_AA)
    colour += (mask * np.float32(0.5))[..., None] * (np.float32(0.7) - colour)


def _fill(shade: Floats, alpha: Floats) -> Floats:
    """Spread the colours at the outline into the transparent corners, so that no dark rim appears."""
    small = (max(8, shade.shape[1] // 8), max(8, shade.shape[0] // 8))
    weight = np.asarray(cv2.resize(alpha, small, interpolation=cv2.INTER_AREA), np.float32)
    spread = np.asarray(cv2.resize(shade * alpha, small, interpolation=cv2.INTER_AREA), np.float32)
    for _ in range(4):
        weight = np.asarray(cv2.GaussianBlur(weight, (0, 0), 1.5), np.float32) + np.float32(1e-6)
        spread = np.asarray(cv2.GaussianBlur(spread, (0, 0), 1.5), np.float32)
    mean = spread / weight[..., None]
    full = cv2.resize(mean, shade.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(shade * alpha + full * (1 - alpha), np.float32)


def _turn_hue(coded: Floats, degrees: float) -> Floats:
    """Turn BGR colours about the grey axis."""
    turn, _ = cv2.Rodrigues(np.full(3, np.deg2rad(degrees) / 3**0.5))
    return np.asarray(coded @ turn.T.astype(np.float32), np.float32)


def back_design(rng: Rng, shape: tuple[int, int]) -> Floats:
    """A card back (rows, columns, 3): stripes, dots, lozenges, paws or plain, perhaps with a white border."""
    rows, columns = shape
    out = np.empty((rows, columns, 3), np.float32)
    base = hsv(rng.uniform(), rng.uniform(0.2, 0.85), rng.uniform(0.2, 0.8))
    other = hsv(rng.uniform(), rng.uniform(0.1, 0.7), rng.uniform(0.4, 0.95)) if rng.uniform() < 0.5 else base * 1.6
    out[:] = base
    down, across = np.mgrid[0:rows, 0:columns].astype(np.float32)
    step = columns / rng.uniform(5, 14)
    kind = int(rng.integers(6))
    if kind == 0:
        out[((down + across) % step) < step * 0.4] = other
    elif kind == 1:
        out[np.hypot((down % step) - step / 2, (across % step) - step / 2) < step * 0.28] = other
    elif kind == 2:
        lattice = np.minimum(np.abs((down + across) % step - step / 2), np.abs((down - across) % step - step / 2))
        out[lattice < step * 0.12] = other
    elif kind == 3:
        cv2.circle(out, (columns // 2, rows // 2), columns // 4, other.tolist(), -1, cv2.LINE_AA)
        for k in range(4):
            x = int(columns * (0.26 + 0.16 * k))
            y = int(rows / 2 - columns * (0.3 if k in (1, 2) else 0.2))
            cv2.circle(out, (x, y), columns // 11, other.tolist(), -1, cv2.LINE_AA)
    elif kind == 4:
        out[((down // step + across // step) % 2) == 0] = other
    if rng.uniform() < 0.6:
        rim = int(columns * rng.uniform(0.03, 0.09))
        frame = np.ones((rows, columns), bool)
        frame[rim:-rim, rim:-rim] = False
        out[frame] = linear([0.9, 0.92, 0.93]) if rng.uniform() < 0.7 else other
    return np.clip(cv2.GaussianBlur(out, (0, 0), 0.6), 0.01, 0.9)
