"""Cards of many makes for measuring `find`: card sets of others, photographs as cards, path tiles, symbols, our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.decks import Game, builtin_deck

Pixels = NDArray[np.uint8]
Rng = np.random.Generator
PER_MM = 6
"""Pixels a millimetre of faces that are made here."""
SHAPES = ((60, 60), (45, 45), (70, 70), (63, 88), (57, 88), (80, 120), (50, 100), (70, 100))
"""Millimetres of cards that are made here: 1:1, 5:7, 2:3, 1:2."""


@dataclass(frozen=True)
class Cards:
    """Cards of one size. size_mm: width, height; faces: (H, W, 3) uint8 BGR, upright; corner_mm: radius."""

    name: str
    size_mm: tuple[float, float]
    corner_mm: float
    faces: tuple[Pixels, ...]
    thickness_mm: float


def half(paths: list[Path], split: str) -> list[Path]:
    """The half of these that belongs to a split, `tune` or `held-back`."""
    return sorted(paths)[0 if split == "tune" else 1 :: 2]


def cards_of_a_set(art: Path, split: str, rng: Rng) -> Cards:
    """A card set of others."""
    sets = half([path for path in (art / "cards").iterdir() if path.is_dir()], split)
    folder = sets[rng.integers(len(sets))]
    width, height = (float(part) for part in folder.name.rsplit("@", 1)[1].split("x"))
    files = sorted(folder.glob("*.png"))
    chosen = rng.choice(len(files), min(len(files), 8), replace=False)
    faces = tuple(_on_white(files[i]) for i in chosen)
    return Cards(folder.name.split("@")[0], (width, height), float(rng.uniform(2.5, 5)), faces, 0.35)


def photographs_as_cards(art: Path, split: str, rng: Rng, square: bool | None = None) -> Cards:
    """Cut-outs of photographs: up to the edge, within a rim, or above some lines of text."""
    shapes = [shape for shape in SHAPES if square is None or (shape[0] == shape[1]) == square]
    width, height = shapes[rng.integers(len(shapes))]
    size = (width * PER_MM, height * PER_MM)
    photos = half(list((art / "photos").glob("*.jpg")), split)
    manner = ("bleed", "bleed", "rim", "rim", "text")[rng.integers(5)]
    rim = round(float(rng.uniform(0.03, 0.1)) * size[0])
    paper = _rim_colour(rng)
    faces = []
    for i in rng.choice(len(photos), 7, replace=False):
        picture = _cut_out(_read(photos[i]), size, rng)
        if manner != "bleed":
            low = size[1] - rim if manner == "rim" else round(size[1] * 0.62)
            inner = picture[rim:low, rim:-rim].copy()
            picture[:] = paper
            picture[rim:low, rim:-rim] = inner
            if manner == "text":
                for line in range(low + 14, size[1] - rim, 16):
                    end = rim + round((size[0] - 2 * rim) * float(rng.uniform(0.4, 1)))
                    cv2.line(picture, (rim + 6, line), (end, line), (60, 60, 60), 5)
        faces.append(picture)
    return Cards(f"photo-{manner}", (width, height), float(rng.choice([0, 1, 3, 5])), tuple(faces), 0.4)


def path_tiles(art: Path, split: str, rng: Rng) -> Cards:
    """Square tiles printed up to the edge whose roads, rivers and towns go on from tile to tile."""
    side = int(rng.choice([45, 55, 64]))
    size = side * PER_MM
    photos = half(list((art / "photos").glob("*.jpg")), split)
    texture = _cut_out(_read(photos[rng.integers(len(photos))]), (1400, 1400), rng).astype(np.float32)
    texture = texture - cv2.GaussianBlur(texture, (0, 0), 40)
    ground, town = _colour(rng), _colour(rng)
    road = tuple(int(v) for v in rng.integers(150, 245, 3))
    wide = int(size * rng.uniform(0.05, 0.12))
    strength = float(rng.uniform(0.1, 0.6))
    faces = []
    for _ in range(9):
        x, y = rng.integers(0, 1400 - size, 2)
        tile = np.clip(np.array(ground) + strength * texture[y : y + size, x : x + size], 0, 255).astype(np.uint8)
        middles = np.array([[size // 2, 0], [size, size // 2], [size // 2, size], [0, size // 2]])
        for end in rng.choice(4, int(rng.integers(0, 4)), replace=False):
            bend = (middles[end] + size // 2) // 2 + rng.integers(-size // 12, size // 12, 2)
            line = np.array([middles[end], bend, [size // 2, size // 2]])
            cv2.polylines(tile, [line], False, (60, 60, 60), wide + 6, cv2.LINE_AA)
            cv2.polylines(tile, [line], False, road, wide, cv2.LINE_AA)
        for end in rng.choice(4, int(rng.integers(0, 3)), replace=False):
            corner = np.array([[0, 0], [size, 0], [size, size], [0, size], [0, 0]])
            inner = middles[end] * 0.45 + size / 2 * 0.55 + rng.normal(0, size / 30, 2)
            shape = np.array([corner[end], inner, corner[end + 1]]).astype(np.int32)
            cv2.fillPoly(tile, [shape], town, cv2.LINE_AA)
            cv2.polylines(tile, [shape], False, (40, 60, 90), 9, cv2.LINE_AA)
            for _ in range(5):
                u, v = rng.dirichlet([1, 1, 1]), shape.astype(np.float64)
                spot = tuple(int(c) for c in u @ v)
                cv2.rectangle(tile, spot, (spot[0] + 18, spot[1] + 14), (50, 60, 190), -1)
        for _ in range(int(rng.integers(0, 4))):
            spot = tuple(int(v) for v in rng.integers(size // 6, size * 5 // 6, 2))
            cv2.circle(tile, spot, int(rng.integers(6, 16)), _colour(rng), -1, cv2.LINE_AA)
        faces.append(tile)
    return Cards("path-tiles", (side, side), float(rng.choice([0, 0.5, 1.5])), tuple(faces), float(rng.choice([1, 2])))


def symbols(art: Path, split: str, rng: Rng) -> Cards:
    """A few plain shapes or one large sign on white or coloured card, with or without a white rim."""
    del art, split
    width, height = SHAPES[rng.integers(len(SHAPES))]
    size = (width * PER_MM, height * PER_MM)
    coloured = rng.random() < 0.4
    outlined = rng.random() < 0.4
    rim = round(size[0] * 0.06) if rng.random() < 0.7 else 0
    faces = []
    for _ in range(8):
        face = np.full((size[1], size[0], 3), 250, np.uint8)
        ink = _colour(rng)
        if coloured:
            cv2.rectangle(face, (rim, rim), (size[0] - rim, size[1] - rim), ink, -1)
            cv2.ellipse(
                face, (size[0] // 2, size[1] // 2), (size[0] // 3, size[1] // 2 - 40), 25, 0, 360, (250,) * 3, -1
            )
        count = int(rng.integers(1, 4))
        for k in range(count):
            middle = (size[0] // 2, round(size[1] * (k + 1) / (count + 1)))
            reach = (size[0] // 3, round(size[1] / (2.8 * count + 1.6)))
            thick = 7 if outlined else -1
            if rng.random() < 0.5:
                cv2.ellipse(face, middle, reach, 0, 0, 360, ink, thick, cv2.LINE_AA)
            else:
                shape = np.array([[reach[0], 0], [0, reach[1]], [-reach[0], 0], [0, -reach[1]]]) + middle
                cv2.polylines(face, [shape], True, ink, 7, cv2.LINE_AA)
                if not outlined:
                    cv2.fillPoly(face, [shape], ink, cv2.LINE_AA)
        faces.append(face)
    return Cards("symbols", (width, height), float(rng.uniform(3, 6)), tuple(faces), 0.35)


def our_own(art: Path, split: str, rng: Rng) -> Cards:
    """Our own decks."""
    del art, split
    deck = builtin_deck(tuple(Game)[rng.integers(3)])
    assert deck.folder is not None
    images = [face.image for face in deck.faces if face.image]
    chosen = rng.choice(len(images), 8, replace=False)
    faces = tuple(_on_white(deck.folder / images[i]) for i in chosen)
    return Cards(deck.game.value, deck.card_mm, deck.corner_mm, faces, 0.4)


MAKES: dict[str, Callable[[Path, str, Rng], Cards]] = {
    "set": cards_of_a_set,
    "photo": photographs_as_cards,
    "square-photo": lambda art, split, rng: photographs_as_cards(art, split, rng, True),
    "oblong-photo": lambda art, split, rng: photographs_as_cards(art, split, rng, False),
    "tiles": path_tiles,
    "symbols": symbols,
    "ours": our_own,
}
"""Each make by its name."""


def _on_white(path: Path) -> Pixels:
    face = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    assert face is not None
    if face.ndim == 3 and face.shape[2] == 4:
        share = face[..., 3:].astype(np.float32) / 255
        face = (face[..., :3] * share + 250 * (1 - share)).astype(np.uint8)
    return np.asarray(face[..., :3], dtype=np.uint8)


def _read(path: Path) -> Pixels:
    picture = cv2.imread(str(path))
    assert picture is not None
    return np.asarray(picture, dtype=np.uint8)


def _cut_out(picture: Pixels, size: tuple[int, int], rng: Rng) -> Pixels:
    """A part of the picture of this shape, (height, width, 3)."""
    high, wide = picture.shape[:2]
    scale = min(wide / size[0], high / size[1]) * float(rng.uniform(0.5, 1))
    w, h = int(size[0] * scale), int(size[1] * scale)
    x, y = int(rng.integers(0, wide - w + 1)), int(rng.integers(0, high - h + 1))
    return np.asarray(cv2.resize(picture[y : y + h, x : x + w], size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _colour(rng: Rng) -> tuple[int, int, int]:
    hue = np.array([[[rng.integers(180), rng.integers(60, 230), rng.integers(70, 235)]]], dtype=np.uint8)
    blue, green, red = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def _rim_colour(rng: Rng) -> tuple[int, int, int]:
    return ((250, 250, 250), (215, 232, 240), (25, 25, 25), _colour(rng))[rng.integers(4)]
