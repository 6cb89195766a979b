"""Box cards: on which sides there is a wall, and the toys in the box.

A wall is a strip along a side in a tone of its own; what the open sides of the same deck look like tells the two apart.
A toy is a filled thing in colours that the floor, its prints and its tapes do not have, and no rectangle (a label, a
tape, a rug). Both are rules of thumb over shape and colour; nothing here knows a certain deck's art.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.decks import WALLS, Wall
from referee.features.colours import to_lab

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

WIDTH = 192
"""Pixels of a card's width when it is read."""
DEPTHS = (0.012, 0.02, 0.028, 0.036, 0.044, 0.052)
"""How deep in from a side its strip is looked at, in card widths."""
MIDDLE = (0.2, 0.8)
"""The part of a side that is looked at, so that the next sides' walls are not seen."""
STRONG = 14.0
"""Difference in Lab from the floor that a wall has at least."""
FOREIGN = (9.0, 13.0, 19.0, 26.0, 34.0)
"""Differences in the colour plane (a, b) from the floor above which ink is taken for a thing and no print."""
DARKER, LIGHTER = 0.2, 0.08
"""What lightness counts in those differences against a and b: prints on the floor and tapes are of its hue."""
TOY_AREA = (0.0022, 0.085)
"""Area of a toy, as a fraction of the card's."""
PLATE = (0.01, 0.45)
"""Area of a thing that is no toy and within which none is looked for, as a fraction of the card's."""
TOY_LONGEST = 0.55
"""Longest side of a toy, in card widths."""
RECTANGLE = 0.97
"""Share of its bounding rectangle that a rectangle fills."""
PALE, PALER = 0.45, 14.0
"""Belief that something lighter than the floor, by so much (CIE L), is a toy if its shape may be one's:
it is asked about, for on some decks such are prints."""
ONE_OF_TWO, TWO_COLOURS, LEAST_PART = 0.65, 45.0, 30
"""Belief that something long whose ends differ so much in colour (a, b) is one toy; pixels that each end has."""
INSIDE = 0.075
"""What is left out along the sides, where walls are, in card widths."""


@dataclass(frozen=True, slots=True)
class Toys:
    """count; sure: 0..1; places: (x, y, width, height) in card widths."""

    count: int
    sure: float
    places: tuple[tuple[float, float, float, float], ...]


def prepared(card: Pixels) -> Floats:
    """(h, WIDTH, 3) CIE Lab of an upright card (H, W, 3) BGR."""
    height = round(WIDTH * card.shape[0] / card.shape[1])
    return to_lab(np.asarray(cv2.resize(card, (WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8))


def floor_of(card: Floats) -> Doubles:
    """(3,) Lab of the commonest colour of a card's inside. card: as `prepared`."""
    edge = round(0.12 * WIDTH)
    inside = card[edge:-edge, edge:-edge].reshape(-1, 3)
    bins = np.floor(inside / 6).astype(np.int64) + 32
    names = (bins[:, 0] * 64 + bins[:, 1]) * 64 + bins[:, 2]
    mode = inside[names == np.bincount(names).argmax()].mean(axis=0)
    near = np.linalg.norm(inside - mode, axis=1) < 9
    return np.asarray(inside[near].mean(axis=0), np.float64)


def side_profiles(card: Floats) -> Doubles:
    """(4, D, 3) the middle colours of strips along the top, right, bottom, left side. card: as `prepared`."""
    out = []
    for k in range(4):
        turned = np.rot90(card, k)  # brings right, bottom, left to the top in turn
        length = turned.shape[1]
        piece = turned[:, round(MIDDLE[0] * length) : round(MIDDLE[1] * length)]
        rows = [round(depth * WIDTH) for depth in DEPTHS]
        out.append([np.median(piece[row : row + 2].reshape(-1, 3), axis=0) for row in rows])
    return np.asarray(out, np.float64)


def read_walls(profiles: Sequence[Doubles], floors: Sequence[Doubles]) -> list[tuple[tuple[Wall, ...], float]]:
    """The walls of box cards of one deck, and how sure each is (0..1). profiles, floors: of each card.

    All sides of all cards are parted in two by what they look like against the floor; the part that differs more has
    the walls. A single card, or a deck in which all sides are alike, is judged by the strength of the strip alone.
    """
    if not profiles:
        return []
    against = np.stack([p - f for p, f in zip(profiles, floors, strict=True)])  # (N, 4, D, 3)
    sides = against.reshape(len(profiles) * 4, -1)
    strength = np.linalg.norm(against, axis=3)
    depth = np.sort(strength, axis=2)[..., 1:].mean(axis=2).ravel()  # one row may be worn or cut
    low, high = _two_middles(sides, depth)
    to_low, to_high = (np.linalg.norm(sides - m, axis=1) for m in (low, high))
    apart = float(np.linalg.norm(high - low)) / np.sqrt(len(DEPTHS))
    if apart < STRONG:
        walled = depth > 2 * STRONG
        sure = np.clip(np.abs(depth - 2 * STRONG) / STRONG, 0, 1) * 0.5
    else:
        walled = to_high < to_low
        sure = np.clip(np.abs(to_low - to_high) / (to_low + to_high + 1e-9) * 2, 0, 1)
    out: list[tuple[tuple[Wall, ...], float]] = []
    for card in range(len(profiles)):
        mine = walled[4 * card : 4 * card + 4]
        out.append(
            (
                tuple(w for w, there in zip(WALLS, mine, strict=True) if there),
                float(sure[4 * card : 4 * card + 4].min()),
            )
        )
    return out


def _two_middles(points: Doubles, strength: Doubles) -> tuple[Doubles, Doubles]:
    """The middles of the two parts of (N, D) points: first by strength, then nearest middles; the weaker part first."""
    order = np.sort(strength)
    within = [np.var(order[:k]) * k + np.var(order[k:]) * (len(order) - k) for k in range(1, len(order))]
    high = strength >= order[1 + int(np.argmin(within))]
    for _ in range(10):
        if high.all() or not high.any():
            break
        low_middle, high_middle = np.median(points[~high], axis=0), np.median(points[high], axis=0)
        again = np.linalg.norm(points - high_middle, axis=1) < np.linalg.norm(points - low_middle, axis=1)
        if np.array_equal(again, high):
            break
        high = again
    if high.all() or not high.any():
        middle = np.median(points, axis=0)
        return middle, middle
    pair = np.median(points[~high], axis=0), np.median(points[high], axis=0)
    return pair if strength[high].mean() > strength[~high].mean() else (pair[1], pair[0])


def find_toys(card: Floats, floor: Doubles, but: Sequence[tuple[float, float, float, float]] = ()) -> Toys:
    """The toys on a box card. card: as `prepared`; floor: its colour, as `floor_of`; but: places (x, y, width, height)
    in card widths that are something else, such as a word."""
    edge = round(INSIDE * WIDTH)
    colour = _apart_from(card, floor)
    colour[:edge], colour[-edge:], colour[:, :edge], colour[:, -edge:] = 0, 0, 0, 0
    for x, y, w, h in but:
        left, top = max(0, round((x - 0.02) * WIDTH)), max(0, round((y - 0.02) * WIDTH))
        colour[top : round((y + h + 0.02) * WIDTH), left : round((x + w + 0.02) * WIDTH)] = 0
    whole = card.shape[0] * card.shape[1]
    found = []
    plates: list[tuple[float, float, float, float]] = []  # what has prints of its own: labels, rugs, badges
    for limit in FOREIGN:
        mask = (cv2.GaussianBlur(colour, (0, 0), 0.8) > limit).astype(np.uint8)
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, disc), np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        for name in range(1, len(stats)):
            x, y, w, h, area = (int(v) for v in stats[name])
            if area < 0.5 * TOY_AREA[0] * whole:
                continue
            part = np.pad((labels[y : y + h, x : x + w] == name).astype(np.uint8), 2)
            outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            outline = max(outlines, key=cv2.contourArea)
            filled = np.zeros_like(part)
            cv2.drawContours(filled, [outline], -1, 1, cv2.FILLED)
            place = (x / WIDTH, y / WIDTH, w / WIDTH, h / WIDTH)
            inside = min(x, y) > edge and x + w < card.shape[1] - edge and y + h < card.shape[0] - edge
            belief = _toy_belief(card[y : y + h, x : x + w], filled[2:-2, 2:-2] > 0, outline, floor, whole)
            if any(not _apart(place, _wider(other, 0.04)) for other in but):
                belief *= 0.45  # what the word left of something
            area = float(filled.sum()) / whole
            if inside and belief < 0.5 and PLATE[0] < area < PLATE[1] and _solidity(outline) > 0.8:
                plates.append(place)
            found.append((belief, place))
    found = [(belief, place) for belief, place in found if not any(_within(place, plate) for plate in plates)]
    found += [(PALE, place) for place in _pale_things(card, floor, [*plates, *but])]
    found.sort(key=lambda each: -each[0])
    kept: list[tuple[float, tuple[float, float, float, float]]] = []
    for belief, place in found:
        if all(_apart(place, other) for _, other in kept):
            kept.append((belief, place))
    toys = tuple(place for belief, place in kept if belief > 0.5)
    return Toys(len(toys), min((abs(2 * belief - 1) for belief, _ in kept), default=1.0), toys)


def _pale_things(
    card: Floats, floor: Doubles, but: Sequence[tuple[float, float, float, float]]
) -> list[tuple[float, float, float, float]]:
    """Places of things as large as toys that are lighter than the floor and of its hue, and neither rectangles (labels,
    tapes) nor strokes: a white bone on grey. but: places where none is looked for."""
    edge = round(INSIDE * WIDTH)
    lighter = cv2.GaussianBlur(card[..., 0] - np.float32(floor[0]), (0, 0), 0.8)
    mask = (lighter > PALER).astype(np.uint8)
    mask[:edge], mask[-edge:], mask[:, :edge], mask[:, -edge:] = 0, 0, 0, 0
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for outline in outlines:
        x, y, w, h = cv2.boundingRect(outline)
        place = (x / WIDTH, y / WIDTH, w / WIDTH, h / WIDTH)
        filled = cv2.contourArea(outline)
        _, size, _ = cv2.minAreaRect(outline)
        share = filled / max(size[0] * size[1], 1.0)
        inside = min(x, y) > edge and x + w < card.shape[1] - edge and y + h < card.shape[0] - edge
        toy_sized = TOY_AREA[0] < filled / (card.shape[0] * card.shape[1]) < TOY_AREA[1] and max(size) < 0.3 * WIDTH
        if inside and toy_sized and 0.42 < share < 0.86 and all(_apart(place, other) for other in but):
            found.append(place)
    return found


def _of_two_colours(inside: Floats, spots: Doubles) -> bool:
    """Whether one end of a thing is of another colour than the other: two toys that touch, perhaps. inside: (N, 3) Lab,
    spots: (N, 2) px."""
    if len(inside) < 2 * LEAST_PART:
        return False
    own = spots - spots.mean(axis=0)
    along = own @ np.linalg.eigh(own.T @ own)[1][:, -1]
    ends = [
        np.median(inside[part], axis=0) for part in (along < np.percentile(along, 35), along > np.percentile(along, 65))
    ]
    return float(np.linalg.norm((ends[0] - ends[1])[1:])) > TWO_COLOURS


def _wider(place: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    return place[0] - by, place[1] - by, place[2] + 2 * by, place[3] + 2 * by


def _solidity(outline: NDArray[Any]) -> float:
    """How much of its convex hull an outline fills, 0..1."""
    return float(cv2.contourArea(outline) / max(cv2.contourArea(cv2.convexHull(outline)), 1.0))


def _within(place: tuple[float, float, float, float], plate: tuple[float, float, float, float]) -> bool:
    x, y = place[0] + place[2] / 2, place[1] + place[3] / 2
    middle = plate[0] < x < plate[0] + plate[2] and plate[1] < y < plate[1] + plate[3]
    return middle and place[2] * place[3] < 0.8 * plate[2] * plate[3]


def _apart(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return width <= 0 or height <= 0 or width * height < 0.2 * min(a[2] * a[3], b[2] * b[3])


def _apart_from(colours: Floats, floor: Doubles) -> Floats:
    """How far Lab colours (..., 3) are from the floor's."""
    gap = colours - floor.astype(np.float32)
    tone = np.where(gap[..., 0] < 0, DARKER, LIGHTER).astype(np.float32) * gap[..., 0]
    return np.asarray(np.sqrt(np.square(tone) + np.square(gap[..., 1:]).sum(axis=-1)), np.float32)


def _toy_belief(piece: Floats, filled: NDArray[np.bool_], outline: NDArray[Any], floor: Doubles, whole: int) -> float:
    """0..1 that a foreign thing is a toy. piece: (h, w, 3) Lab around it; filled: its inside."""
    area = float(filled.sum()) / whole
    _, size, _ = cv2.minAreaRect(outline)
    rectangular = float(filled.sum()) / max(size[0] * size[1], 1.0)
    longest = max(size) / WIDTH
    inside = piece[filled]
    solid = float((np.linalg.norm(inside - floor, axis=1) > FOREIGN[1]).mean())
    fits = 1.0
    fits *= _rise(area, 0.6 * TOY_AREA[0], 1.4 * TOY_AREA[0]) * (1 - _rise(area, 0.8 * TOY_AREA[1], 1.3 * TOY_AREA[1]))
    fits *= 1 - _rise(longest, 0.9 * TOY_LONGEST, 1.1 * TOY_LONGEST)
    fits *= _rise(solid, 0.45, 0.75)
    # A tape is of the floor's hue, or nearly.
    foreign = float(np.percentile(_apart_from(inside, floor), 85))
    fits *= _rise(foreign, 10.0, 12.0)
    fits *= _rise(rectangular, 0.33, 0.45)  # strokes and cracks
    # A rectangle is a label, a tape, a rug; of what is mostly black and white already what is nearly one.
    plain = (inside[:, 0] > 80) | (inside[:, 0] < 38)
    paper = float((plain & (np.hypot(inside[:, 1], inside[:, 2]) < 16)).mean())
    limit = RECTANGLE - 0.09 * _rise(paper, 0.35, 0.6)
    fits *= 1 - _rise(rectangular, limit - 0.04, limit + 0.04)
    if fits > ONE_OF_TWO and max(size) > 1.5 * min(size) and _of_two_colours(inside, np.argwhere(filled).astype(float)):
        return ONE_OF_TWO
    return float(fits)


def _rise(value: float, low: float, high: float) -> float:
    return float(np.clip((value - low) / (high - low), 0, 1))
