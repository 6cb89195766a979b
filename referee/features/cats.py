"""Cat cards: whose they are, awake or asleep, and the Princess; all of a deck are read together."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.features.colours import names_of, to_lab
from referee.features.glyphs import find_glyphs

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

WIDTH = 96
"""Pixels of a card's width when its colours are counted."""
HUES = 36
"""Steps of the circle of hues."""
DARK = 30.0
"""Lightness below which ink is black."""


def read_cats(pictures: Sequence[Pixels]) -> list[tuple[str, str, bool, float]]:
    """For each card (h, w, 3) BGR: `cat` or `princess`, its player's colour, whether asleep, how sure (0..1)."""
    if not pictures:
        return []
    labs = [
        to_lab(
            np.asarray(
                cv2.resize(p, (WIDTH, round(WIDTH * p.shape[0] / p.shape[1])), interpolation=cv2.INTER_AREA), np.uint8
            )
        )
        for p in pictures
    ]
    black = np.array([_black(lab) for lab in labs])
    own = _own_colours(labs)
    princess = _princess(own, black)
    own = {k: colour for k, colour in own.items() if k != princess}
    sleepy = [max((g.letter_z for g in find_glyphs(p)), default=0.0) for p in pictures]
    open_eyes = [_open_eyes(p) for p in pictures]
    pairs, loose = _pairs(own)
    names: dict[int, str] = {}
    groups = [list(pair) for pair in pairs] + [[k] for k in loose]
    chosen = names_of(np.array([np.mean([own[k] for k in group], axis=0) for group in groups])) if groups else []
    for group, name in zip(groups, chosen, strict=True):
        names.update(dict.fromkeys(group, name))
    out: list[tuple[str, str, bool, float]] = []
    asleep: dict[int, tuple[bool, float]] = {}
    for one, two in pairs:
        lean = (sleepy[one] - sleepy[two]) + 0.5 * (open_eyes[two] - open_eyes[one])
        asleep[one] = (lean > 0, min(1.0, abs(lean) * 2))
        asleep[two] = (lean <= 0, min(1.0, abs(lean) * 2))
    for k in loose:
        asleep[k] = (sleepy[k] > 0.5, abs(2 * sleepy[k] - 1) * 0.9)
    for k in range(len(pictures)):
        if k == princess:
            out.append(("princess", "", False, 0.9))
        else:
            out.append(("cat", names[k], *asleep[k]))
    return out


def _black(lab: Floats) -> float:
    """Share of the card's middle that is black."""
    height, width = lab.shape[:2]
    middle = lab[round(0.2 * height) : round(0.9 * height), round(0.15 * width) : round(0.85 * width)]
    chroma = np.hypot(middle[..., 1], middle[..., 2])
    return float(((middle[..., 0] < DARK) & (chroma < 16)).mean())


def _princess(own: dict[int, Doubles], black: Doubles) -> int:
    """The card of the black cat, or -1: cats come in pairs of one colour, she is left over, and she is black."""
    cards = list(own)
    if len(cards) < 3:
        return int(black.argmax()) if black.max(initial=0.0) > 0.12 and len(cards) % 2 else -1
    # As black as no other card: the ground of all sleeping cats may be dark.
    alone = np.array([np.abs(np.delete(black, k) - black[k]).min() if black[k] > 0.03 else 0.0 for k in cards])
    costs = [_unpaired({k: own[k] for k in cards if k != out}) - 150 * min(float(alone[out]), 0.3) for out in cards]
    best = int(np.argmin(costs))
    if black[best] < 0.03 or (len(cards) % 2 == 0 and _unpaired(own) < 40):
        return -1
    return cards[best]


def _unpaired(own: dict[int, Doubles]) -> float:
    """How far from each other in colour the pairs are, and those that have none."""
    pairs, loose = _pairs(own)
    return sum(_gap(own[a], own[b]) for a, b in pairs) + 30.0 * len(loose)


def _gap(one: Doubles, two: Doubles) -> float:
    return float(np.linalg.norm((one - two) * np.array([0.25, 1.0, 1.0])))


def _own_colours(labs: Sequence[Floats]) -> dict[int, Doubles]:
    """For each cat card the vivid colour that it has more of than the cat cards usually have: its player's."""
    hists = {}
    for k in range(len(labs)):
        flat = labs[k].reshape(-1, 3)
        chroma = np.hypot(flat[:, 1], flat[:, 2])
        hue = (np.arctan2(flat[:, 2], flat[:, 1]) / (2 * np.pi) % 1 * HUES).astype(int) % HUES
        hist = np.zeros(HUES)
        np.add.at(hist, hue, np.where(chroma > 18, np.minimum(chroma, 60), 0))
        hist = np.convolve(np.concatenate([hist[-2:], hist, hist[:2]]), [0.25, 0.5, 1, 0.5, 0.25], "valid")
        hists[k] = hist / len(flat)
    usual = np.median(np.array(list(hists.values())), axis=0) if len(labs) > 3 else np.zeros(HUES)
    out = {}
    for k in range(len(labs)):
        peak = int((hists[k] - usual).argmax())
        flat = labs[k].reshape(-1, 3)
        chroma = np.hypot(flat[:, 1], flat[:, 2])
        hue = np.arctan2(flat[:, 2], flat[:, 1]) / (2 * np.pi) % 1 * HUES
        near = (np.abs((hue - peak - 0.5 + HUES / 2) % HUES - HUES / 2) < 1.5) & (chroma > 18)
        mine = flat[near] if near.any() else flat
        strong = mine[np.hypot(mine[:, 1], mine[:, 2]) >= np.percentile(np.hypot(mine[:, 1], mine[:, 2]), 60)]
        out[k] = np.median(strong, axis=0).astype(np.float64)
    return out


def _pairs(own: dict[int, Doubles]) -> tuple[list[tuple[int, int]], list[int]]:
    """Cards of one colour two by two (awake and asleep), the most alike first, and those left over."""
    left = list(own)
    pairs = []
    while len(left) > 1:
        gaps = [(_gap(own[a], own[b]), a, b) for i, a in enumerate(left) for b in left[:i]]
        gap, a, b = min(gaps)
        if gap > 30:
            break
        pairs.append((min(a, b), max(a, b)))
        left = [k for k in left if k not in (a, b)]
    return pairs, left


def _open_eyes(picture: Pixels) -> float:
    """0..1: whether two dark dots in bright rings lie side by side in the card's middle."""
    width = 160
    grey = cv2.cvtColor(
        cv2.resize(picture, (width, round(width * picture.shape[0] / picture.shape[1]))), cv2.COLOR_BGR2GRAY
    )
    grey = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    best = 0.0
    for radius in (3, 4, 6, 8):
        dot = cv2.GaussianBlur(grey, (0, 0), radius * 0.5)
        ring = cv2.GaussianBlur(grey, (0, 0), radius * 1.4)
        answer = np.clip((ring - dot) / 60, 0, 1)
        mirrored = answer[:, ::-1]
        both = np.minimum(answer, cv2.dilate(np.ascontiguousarray(mirrored), np.ones((7, 7))))
        middle = both[round(0.2 * len(both)) : round(0.75 * len(both)), round(0.2 * width) : round(0.47 * width)]
        best = max(best, float(middle.max()))
    return best
