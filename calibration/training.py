"""Learns the readers of digits and of the words Start and Finish from fonts: run when the readers change.

    python -m calibration.training --fonts DIR [--only glyphs|words]

DIR holds any number of TrueType and OpenType fonts; only the learnt weights are kept, in `referee/features/`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from referee.decks import Game, builtin_deck
from referee.features import network
from referee.features.glyphs import fitted_glyph, glyph_candidates
from referee.features.words import FINISH_WORDS, START_WORDS, fitted_word, word_candidates

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

Draw = Callable[[Sequence[Path], int, int], tuple[Floats, NDArray[np.int64], list[str]]]

DIGITS = "0123456789"
LETTERS = "ABCEFGHJKLMNPRSTUVWXYadefghjkmnprtuwxyÄБГДЖЙЛПФЦШЩЫЭЮЯабвгджийклмнптфшщэюя&?!%+#*@$♥★"
"""Not what may stand for a digit: O, I, l, З, b, q."""
OTHER_WORDS = (
    "КАРТА", "КІТ", "КОТ", "МИША", "МЫШЬ", "БОНУС", "ХІД", "ХОД", "DECK", "CAT", "MOUSE", "BONUS", "STOP", "СТОП",
    "GAME", "ГРА", "ИГРА", "РІВЕНЬ", "LEVEL", "ОЧКИ", "БАЛИ", "POINTS", "ZZZ", "Zzz", "NEXT", "BACK", "FRAGILE",
    "ТЕНДІТНО", "ВГОРУ", "КОРОБКА", "TOYS", "BOX", "CARDS", "SHARK", "СТОРОЖ", "ФІГУРА", "SMART", "STAND", "FISH",
)  # fmt: skip


def main() -> None:
    """Draw the examples, learn, tell how often fonts that were kept back are read right, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fonts", type=Path, required=True)
    parser.add_argument("--only", choices=("glyphs", "words"))
    parser.add_argument("--out", type=Path, default=Path(network.__file__).parent)
    args = parser.parse_args()
    files = sorted(p for p in args.fonts.rglob("*") if p.suffix.lower() in (".ttf", ".otf"))
    families = sorted({file.stem.partition("-")[0].lower() for file in files})
    kept_back = set(families[::7])
    for name, draw in (("glyphs", glyph_examples), ("words", word_examples)):
        if args.only in (None, name):
            train = [f for f in files if f.stem.partition("-")[0].lower() not in kept_back]
            test = [f for f in files if f.stem.partition("-")[0].lower() in kept_back]
            learn(name, draw, train, test, args.out)


def learn(name: str, draw: Draw, train: list[Path], test: list[Path], out: Path) -> None:
    """Learn one reader and write `NAME.npz`."""
    pictures, labels, classes = draw(train, 60 if name == "glyphs" else 90, 1)
    checks, wanted, _ = draw(test, 10, 2)
    print(
        f"{name}: {len(pictures)} examples from {len(train)} fonts, {len(checks)} from {len(test)} others", flush=True
    )
    weights = descend(network.describe(pictures), labels, len(classes))
    reader = network.Network(tuple(classes), *weights)
    belief = reader(checks)
    guess = belief.argmax(axis=1)
    sure = belief.max(axis=1) > 0.9
    print(f"  right {np.mean(guess == wanted):.4f}; where sure {np.mean(guess[sure] == wanted[sure]):.4f}")
    for k, each in enumerate(classes):
        print(f"  {each}: {np.mean(guess[wanted == k] == k):.3f}", end="")
    print()
    names = ("mean", "scale", "hidden", "hidden_bias", "output", "output_bias")
    arrays: dict[str, NDArray[Any]] = {"classes": np.array(classes)}
    for key, value in zip(names, weights, strict=True):
        arrays[key] = value.astype(np.float16 if key in ("hidden", "output") else np.float32)
    np.savez_compressed(out / f"{name}.npz", allow_pickle=False, **arrays)


def descend(
    features: Floats, labels: NDArray[np.int64], classes: int, units: int = 96, rounds: int = 14
) -> tuple[Floats, ...]:
    """One hidden layer by Adam (D. Kingma, J. Ba, 2015) on the cross entropy, with dropout."""
    rng = np.random.default_rng(3)
    mean = features.mean(axis=0)
    scale = 1 / (features.std(axis=0) + 0.05)
    features = (features - mean) * scale
    shapes = [(features.shape[1], units), (units,), (units, classes), (classes,)]
    weights = [
        (rng.normal(0, 1, s) * np.sqrt(2 / s[0]) if len(s) == 2 else np.zeros(s)).astype(np.float32) for s in shapes
    ]
    first = [np.zeros_like(w) for w in weights]
    second = [np.zeros_like(w) for w in weights]
    step = 0
    for turn in range(rounds):
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * turn / rounds)) + 1e-5
        for batch in np.array_split(rng.permutation(len(features)), max(1, len(features) // 256)):
            x, y = features[batch], labels[batch]
            inner = np.maximum(x @ weights[0] + weights[1], 0)
            kept = (rng.uniform(size=inner.shape) > 0.25).astype(np.float32) / np.float32(0.75)
            dropped = inner * kept
            scores = dropped @ weights[2] + weights[3]
            scores -= scores.max(axis=1, keepdims=True)
            belief = np.exp(scores)
            belief /= belief.sum(axis=1, keepdims=True)
            belief[np.arange(len(y)), y] -= 1
            belief /= len(y)
            back = (belief @ weights[2].T) * kept * (inner > 0)
            slopes = [x.T @ back, back.sum(0), dropped.T @ belief, belief.sum(0)]
            step += 1
            for k, slope in enumerate(slopes):
                if slope.ndim == 2:
                    slope = slope + 2e-5 * weights[k]
                first[k] += 0.1 * (slope - first[k])
                second[k] += 0.001 * (np.square(slope) - second[k])
                weights[k] -= rate * (first[k] / (1 - 0.9**step)) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
    return tuple(np.asarray(each, np.float32) for each in (mean, scale, *weights))


def glyph_examples(files: Sequence[Path], each: int, seed: int) -> tuple[Floats, NDArray[np.int64], list[str]]:
    """Digits and Z in all fonts; among the others letters and chance shapes."""
    classes = [*DIGITS, "Z", "other"]
    rng = np.random.default_rng(seed)
    pictures: list[Floats] = []
    labels: list[int] = []
    for file in files:
        for _ in range(max(1, each // 10)):
            for label, text in enumerate([*DIGITS, "Z"]):
                ink = _ink(file, text, rng)
                picture = None if ink is None else fitted_glyph(_photographed(ink, rng, 20))
                if picture is not None:
                    pictures.append(picture)
                    labels.append(label)
            for _ in range(9):
                ink = _ink(file, LETTERS[int(rng.integers(len(LETTERS)))], rng) if rng.uniform() < 0.5 else _shape(rng)
                picture = None if ink is None else fitted_glyph(_photographed(ink, rng, 30))
                if picture is not None:
                    pictures.append(picture)
                    labels.append(len(classes) - 1)
    if seed == 1:
        art = [p for face in _faces("box", "start", "toy", "path") for p in glyph_candidates(face)[1]]
        art = [art[k] for k in rng.permutation(len(art))[: len(pictures) // 3]]
        pictures += art
        labels += [len(classes) - 1] * len(art)
    return np.stack(pictures), np.array(labels), classes


def _faces(*kinds: str) -> list[Pixels]:
    """Pictures of faces of our own decks: what is no digit and no word on them is to be told apart from those."""
    found = []
    for game in Game:
        deck = builtin_deck(game)
        for face in deck.faces:
            path = deck.image_path(face.id)
            if face.kind in kinds and path is not None and not (game is Game.CAT_AND_MOUSE and face.kind == "start"):
                picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
                assert picture is not None
                scale = 256 / min(picture.shape[:2])
                small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                found.append(np.asarray(cv2.GaussianBlur(small, (0, 0), 0.9), np.uint8))
    return found


def word_examples(files: Sequence[Path], each: int, seed: int) -> tuple[Floats, NDArray[np.int64], list[str]]:
    """Start and Finish in three languages; among the others words, single letters in a row, parts, chance shapes."""
    classes = ["start", "finish", "other"]
    rng = np.random.default_rng(seed)
    pictures: list[Floats] = []
    labels: list[int] = []
    for file in files:
        for _ in range(each):
            kind = int(rng.choice(3, p=[0.28, 0.28, 0.44]))
            if kind < 2:
                word = str(rng.choice((START_WORDS, FINISH_WORDS)[kind]))
            elif rng.uniform() < 0.4:
                word = str(rng.choice(OTHER_WORDS))
            else:
                word = "".join(
                    random.Random(int(rng.integers(1 << 30))).choices(
                        "АБВГДЕЖИКЛМНОПРСТУФХЦШЯABCDEFGHKLMNOPRSTUX", k=int(rng.integers(3, 9))
                    )
                )
            word = word if rng.uniform() < 0.7 else (word.capitalize() if rng.uniform() < 0.6 else word.lower())
            ink = _shape(rng) if kind == 2 and rng.uniform() < 0.25 else _ink(file, word, rng, turn=7)
            if ink is None:
                continue
            if kind == 2 and rng.uniform() < 0.2:  # a part of a word
                ink = ink[:, : int(ink.shape[1] * rng.uniform(0.4, 0.7))]
            picture = fitted_word(_photographed(ink, rng, 7))
            if picture is not None:
                pictures.append(picture)
                labels.append(kind)
    if seed == 1:
        art = [p for face in _faces("box", "toy", "path", "move", "cat") for p in word_candidates(face)[1]]
        art = [art[k] for k in rng.permutation(len(art))[: len(pictures) // 2]]
        pictures += art
        labels += [2] * len(art)
    return np.stack(pictures), np.array(labels), classes


def _ink(file: Path, text: str, rng: np.random.Generator, turn: float = 18) -> Floats | None:
    """The text in white on black (h, w) float32 0..1, or None where the font lacks a letter."""
    try:
        font = ImageFont.truetype(str(file), 64)
        missing = bytes(font.getmask("\uffff"))
        if any(bytes(font.getmask(sign)) == missing or font.getmask(sign).getbbox() is None for sign in set(text)):
            return None
        box = font.getbbox(text)
    except (OSError, ValueError):
        return None
    picture = Image.new("L", (int(box[2] - box[0]) + 60, int(box[3] - box[1]) + 60))
    stroke = int(rng.choice([0, 0, 0, 1, 2, 3])) if len(text) == 1 else int(rng.choice([0, 0, 1, 2]))
    ImageDraw.Draw(picture).text((30 - box[0], 30 - box[1]), text, 255, font, stroke_width=stroke)
    ink: Floats = np.asarray(np.asarray(picture, np.float32) / 255, np.float32)
    if not ink.sum() > 20:
        return None
    return _bent(ink, rng, turn)


def _bent(ink: Floats, rng: np.random.Generator, turn: float) -> Floats:
    """Turned, sheared and stretched a little."""
    angle = np.deg2rad(rng.normal(0, turn / 2))
    shear, stretch = rng.normal(0, 0.1), np.exp(rng.normal(0, 0.12))
    matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.array(
        [[stretch, shear], [0, 1 / stretch]]
    )
    height, width = ink.shape
    corners = matrix @ np.array([[0, width, width, 0], [0, 0, height, height]])
    low = corners.min(axis=1)
    size = np.ceil(corners.max(axis=1) - low).astype(int)
    return np.asarray(cv2.warpAffine(ink, np.column_stack([matrix, -low]), (int(size[0]), int(size[1]))), np.float32)


def _shape(rng: np.random.Generator) -> Floats:
    """A chance shape: a blob, an ellipse, a bar, a polygon, a ring, curves."""
    ink = np.zeros((120, 120), np.float32)
    kind = int(rng.integers(7))
    if kind == 0:
        noise = cv2.GaussianBlur(rng.normal(0, 1, (120, 120)).astype(np.float32), (0, 0), rng.uniform(4, 16))
        ink = (noise > np.quantile(noise, rng.uniform(0.5, 0.9))).astype(np.float32)
        count, parts, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
        if count > 1:
            ink = (parts == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())).astype(np.float32)
    elif kind in (1, 2):
        axes = tuple(int(v) for v in rng.uniform(8, 45, 2))
        turn = float(rng.uniform(0, 180))
        start, end = (0.0, 360.0) if rng.uniform() < 0.5 else tuple(np.sort(rng.uniform(0, 360, 2)))
        cv2.ellipse(ink, (60, 60), axes, turn, start, end, 1.0, -1 if kind == 1 else int(rng.integers(3, 14)))
    elif kind == 3:
        size = (rng.uniform(4, 100), rng.uniform(4, 100))
        cv2.fillPoly(ink, [cv2.boxPoints(((60, 60), size, rng.uniform(-40, 40))).astype(np.int32)], 1.0)
    elif kind == 4:
        cv2.fillPoly(ink, [rng.uniform(5, 115, (int(rng.integers(3, 8)), 2)).astype(np.int32)], 1.0)
    elif kind == 5:
        points = np.cumsum(rng.normal(0, 18, (int(rng.integers(3, 9)), 2)), axis=0) + 60
        cv2.polylines(ink, [points.astype(np.int32)], rng.uniform() < 0.3, 1.0, int(rng.integers(3, 16)))
    else:
        for _ in range(int(rng.integers(2, 6))):
            at = tuple(int(v) for v in rng.uniform(20, 100, 2))
            cv2.circle(ink, at, int(rng.uniform(4, 26)), float(rng.uniform() < 0.75), -1)
    return ink if ink.sum() > 20 else np.pad(np.ones((60, 30), np.float32), 20)


def _photographed(ink: Floats, rng: np.random.Generator, spread: float) -> Floats:
    """Small, blurred, noisy, the strokes thicker or thinner; sometimes with a bit of something beside it."""
    tall = float(np.exp(rng.uniform(np.log(11), np.log(44))))
    rows = np.flatnonzero(ink.max(axis=1) > 0.5)
    columns = np.flatnonzero(ink.max(axis=0) > 0.5)
    if not len(rows) or not len(columns):
        return ink
    ink = np.pad(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], 12)
    if rng.uniform() < 0.25:
        size = int(rng.integers(2, 6))
        change = cv2.dilate if rng.uniform() < 0.6 else cv2.erode
        ink = np.asarray(change(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))), np.float32)
    scale = tall / (ink.shape[0] - 24)
    size_px = (max(6, round(ink.shape[1] * scale)), max(6, round(ink.shape[0] * scale)))
    small = cv2.resize(ink, size_px, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, max(0.5, 0.045 * tall)))
    small = np.asarray(small + rng.normal(0, rng.uniform(0, 0.1), small.shape), np.float32)
    if rng.uniform() < 0.1:
        edge = int(rng.integers(4))
        small = np.rot90(small, edge).copy()
        small[: max(1, int(0.08 * len(small)))] = rng.uniform(0, 1)
        small = np.rot90(small, -edge)
    top = max(0.5, float(np.quantile(small, 1 - 1 / (spread + 1))))
    return np.asarray(np.clip(small / top, 0, 1), np.float32)


if __name__ == "__main__":
    main()
