"""The arrows of a card, by shape: blobs, blue ones first, compared with a bank of drawn arrows of many proportions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.decks import ARROWS, Arrow
from referee.features.colours import to_lab

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]

WORK = 160
"""Pixels of the card's side when arrows are looked for."""
SIDE = 32
"""Pixels of the picture in which a blob is compared."""
LEVELS = 12
"""Tones at which the card is cut into blobs."""
SMALLEST, LARGEST = 0.012, 0.5
"""Area of an arrow, as a fraction of the card's."""
ALIKE = 0.72
"""Overlap (intersection over union) with a drawn arrow from which on a blob is one."""
LIKE_TRIANGLE = 0.84
"""The same for a bare triangle, which more things look like."""
OUTSIDE = 0.12
"""How far, in card sides, a bare triangle must lie to the side that it points to."""
CLEAR = 0.03
"""How much more like an arrow of one direction than of any other a blob must be."""
OTHER_COLOUR = 0.08
"""What an arrow that is not blue must have more."""


@dataclass(frozen=True, slots=True)
class ArrowReading:
    """arrows: in the order up, right, down, left; score: overlap 0..1 with the drawn arrow; second: with the best of
    other directions; box: x, y, width, height in card sides; bare: a triangle without a shaft."""

    arrows: tuple[Arrow, ...]
    score: float
    second: float
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    bare: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Bank:
    """shapes: (M, SIDE * SIDE) 0/1; sets: the directions of each, as an index into `choices`; bare: no shaft."""

    shapes: Floats
    area: Floats
    sets: NDArray[np.intp]
    bare: NDArray[np.bool_]
    choices: tuple[tuple[Arrow, ...], ...]


def read_arrows(card: Pixels) -> ArrowReading:
    """The arrows of an upright card (H, W, 3) BGR; no arrows if nothing on it looks like one.

    A blue blob is asked for first (CM: "large blue arrows"); an arrow of another colour must look more like one.
    """
    small = cv2.resize(card, (WORK, WORK), interpolation=cv2.INTER_AREA)
    lab = to_lab(np.asarray(small, np.uint8))
    calm = cv2.GaussianBlur(cv2.medianBlur(lab[..., 2], 5), (0, 0), 1.0)  # without grain
    blue = _best([*_candidates(-lab[..., 2]), *_candidates(-calm)], ALIKE, LIKE_TRIANGLE)
    if blue.arrows:
        return blue
    others = [_candidates(sign * lab[..., k]) for k, sign in ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1))]
    other = _best([c for each in others for c in each], ALIKE + OTHER_COLOUR, 1.0)
    return other if other.arrows else ArrowReading((), max(blue.score, other.score - OTHER_COLOUR), 0.0)


def _best(found: list[ArrowReading], alike: float, like_triangle: float) -> ArrowReading:
    """The arrows of the blob that is most like one, or of two that lie apart."""
    found.sort(key=lambda each: -each.score)
    kept: list[ArrowReading] = []
    for each in found:
        enough = like_triangle if each.bare else alike
        if each.score < enough or each.score - each.second < CLEAR:
            continue
        if all(_apart(each.box, other.box) and not set(each.arrows) & set(other.arrows) for other in kept):
            kept.append(each)
    if not kept:
        return ArrowReading((), found[0].score if found else 0.0, 0.0)
    arrows: list[Arrow] = []
    used: list[ArrowReading] = []
    for each in kept:
        strong = each.score > kept[0].score - 0.12
        if strong and len(arrows) + len(each.arrows) <= 2 and (not used or each.bare == used[0].bare):
            arrows += each.arrows
            used.append(each)
    return ArrowReading(
        tuple(a for a in ARROWS if a in arrows),
        min(each.score for each in used),
        max(each.second for each in used),
        used[0].box,
        used[0].bare,
    )


def _candidates(plane: NDArray[Any]) -> list[ArrowReading]:
    """What every blob above some tone of (WORK, WORK) is most like."""
    bank = _bank()
    low, high = np.percentile(plane, [0.5, 99.5])
    if high - low < 8:
        return []
    masks, boxes = [], []
    for tone in np.linspace(low, high, LEVELS + 2)[1:-1]:
        _, labels, stats, _ = cv2.connectedComponentsWithStats((plane > tone).astype(np.uint8), connectivity=4)
        for name in range(1, len(stats)):
            x, y, w, h, area = (int(v) for v in stats[name])
            if area < 0.004 * WORK * WORK or min(w, h) < 0.08 * WORK or max(w, h) < 0.12 * WORK:
                continue
            if max(w, h) > 0.99 * WORK:
                continue
            part = np.pad((labels[y : y + h, x : x + w] == name).astype(np.uint8), 2)
            outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            filled = np.zeros_like(part)
            cv2.drawContours(filled, outlines, -1, 1, cv2.FILLED)
            if not SMALLEST < filled.sum() / (WORK * WORK) < LARGEST:
                continue
            masks.append(_fitted(filled[2:-2, 2:-2].astype(np.float32)).ravel())
            boxes.append((x / WORK, y / WORK, w / WORK, h / WORK))
    if not masks:
        return []
    blobs = np.stack(masks)
    both = blobs @ bank.shapes.T
    overlap = both / (blobs.sum(axis=1)[:, None] + bank.area[None] - both)
    found = []
    for row, box in zip(overlap, boxes, strict=True):
        by_set = np.full(2 * len(bank.choices), -1.0)
        np.maximum.at(by_set, bank.sets + len(bank.choices) * bank.bare, row)
        for at in np.argsort(-by_set)[:1]:
            choice, bare = at % len(bank.choices), at >= len(bank.choices)
            arrows = bank.choices[choice]
            if bare and not _outward(box, arrows[0]):
                continue
            others = [by_set[k] for k in range(len(by_set)) if k % len(bank.choices) != choice]
            found.append(ArrowReading(arrows, float(by_set[at]), float(max(others)), box, bool(bare)))
    return found


def _outward(box: tuple[float, float, float, float], arrow: Arrow) -> bool:
    away = np.array([box[0] + box[2] / 2 - 0.5, box[1] + box[3] / 2 - 0.5])
    towards = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}[arrow]
    return float(away @ np.array(towards)) > OUTSIDE


def _apart(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return width <= 0 or height <= 0 or width * height < 0.2 * min(a[2] * a[3], b[2] * b[3])


def _fitted(mask: Floats) -> Floats:
    """(SIDE, SIDE) the mask (h, w) 0/1, its shape kept, in the middle."""
    scale = SIDE / max(mask.shape)
    size = (max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale)))
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    out = np.zeros((SIDE, SIDE), np.float32)
    top, left = (SIDE - size[1]) // 2, (SIDE - size[0]) // 2
    out[top : top + size[1], left : left + size[0]] = small
    return out


@lru_cache(maxsize=1)
def _bank() -> _Bank:
    choices: list[tuple[Arrow, ...]] = [(a,) for a in ARROWS]
    choices += [(ARROWS[i], ARROWS[j]) for i in range(4) for j in range(i + 1, 4)]
    shapes, sets, bare = [], [], []

    def add(polygons: list[Doubles], arrows: tuple[Arrow, ...], without_shaft: bool = False) -> None:
        for turn in range(4):
            angle = np.pi / 2 * turn
            matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            turned = sorted((ARROWS[(ARROWS.index(a) + turn) % 4] for a in arrows), key=ARROWS.index)
            shapes.append(_drawn([p @ matrix.T for p in polygons]))
            sets.append(choices.index(tuple(turned)))
            bare.append(without_shaft)

    for length in (0.4, 0.5, 0.6, 0.75, 0.9):
        add([_head(length)], ("up",), True)
        for shaft, tail in product((0.22, 0.35, 0.48, 0.6, 0.72), (0.35, 0.6, 0.9, 1.3, 1.8, 2.5)):
            add([_head(length), _bar(shaft, length, length + tail)], ("up",))
            add([_head(length), _bar(shaft, length, length + tail, 0.5)], ("up",))
            straight = [_head(length), _bar(shaft, length, length + tail)]
            add([*straight, *(_mirrored(p, 2 * length + tail) for p in straight)], ("up", "down"))
            for ratio in (0.8, 1.0, 1.25):
                arm, other = length + tail, length + tail * ratio
                up = [_head(length), _bar(shaft, length, arm)]
                # The same arrow lying: its tip to the right, at the height where the first one ends.
                corner = np.array([other - shaft / 2, arm - shaft / 2])
                lying = (_head(length), _bar(shaft, length, other))
                side = [np.column_stack([-p[:, 1], p[:, 0]]) + corner for p in lying]
                add([*up, *side], ("up", "right"))
    stack = np.stack(shapes).reshape(len(shapes), -1)
    return _Bank(stack, stack.sum(axis=1), np.array(sets), np.array(bare), tuple(choices))


def _head(length: float) -> Doubles:
    """A triangle of width 1, its tip at the origin, pointing up (y points down)."""
    return np.array([[0, 0], [0.5, length], [-0.5, length]])


def _bar(width: float, top: float, bottom: float, taper: float = 1.0) -> Doubles:
    half = width / 2
    return np.array([[-half, top - 0.02], [half, top - 0.02], [half * taper, bottom], [-half * taper, bottom]])


def _mirrored(polygon: Doubles, height: float) -> Doubles:
    return np.column_stack([polygon[:, 0], height - polygon[:, 1]])


def _drawn(polygons: list[Doubles]) -> Floats:
    """(SIDE, SIDE) the union of the polygons, fitted."""
    points = np.concatenate(polygons)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = (SIDE * 4 - 1) / float((high - low).max())
    size = np.ceil((high - low) * scale).astype(int) + 1
    mask = np.zeros((int(size[1]), int(size[0])), np.uint8)
    for polygon in polygons:
        cv2.fillPoly(mask, [np.round((polygon - low) * scale).astype(np.int32)], 1)
    return (_fitted(mask.astype(np.float32)) > 0.5).astype(np.float32)
