"""The same table in two photographs: which card of one is which card of the other.

Each photograph gives the cards' places on the table plane, but with its own origin and direction, since the camera
moved. One card of one face in both gives both; every such pair is a hypothesis, and the one under which most cards
lie where they lay wins (RANSAC with the smallest possible sample, Fischler and Bolles 1981; here all samples are
tried). If another, different hypothesis explains the table about as well, or hardly any card lies where it lay, the
answer is none. What the rules allow is no argument here.

Places are in card sides (the short side is 1), turns in radians clockwise.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles
from referee.vision.covering import overlaps
from referee.vision.plane import card_corners

IN_PLACE = 0.45
"""A card within this many sides of where it lay is in its place, perhaps nudged."""
SAME_TURN = np.deg2rad(25.0)
"""A card turned by less than this is in its place."""
FIRST_GATE, GATE_GROWTH = 0.35, 0.05
"""How far off a card may be under a hypothesis from one card: in sides, and by how much more a side of distance."""
STRETCH = 0.08
"""By how much the scales of two photographs' planes may differ: both are known from the cards."""
LEAST_LEAD = 0.75
"""By so much the best hypothesis must lead before the next one; a steady card in place counts 1 + EXPLAINED."""
EXPLAINED = 0.5
"""What a card seen now that lies where one lay adds, besides how steady that one is, to a hypothesis."""
LEAST_SHARE = 0.5
"""Share of the cards that both photographs show which must lie where they lay."""
MOST_HYPOTHESES = 4000
COVERED, BURIED = 0.35, 0.8
"""Share of a card's area that must lie under cards that are laid on others, or under its like, for it to be covered."""
FEW_FOR_AFFINE = 6
"""From so many cards on the small errors of both planes are taken out as well."""

Bools = NDArray[np.bool_]
Pairs = tuple[tuple[int, int], ...]


class Lost(StrEnum):
    """Why two photographs cannot be compared."""

    NOTHING_BEFORE = "nothing-before"
    NO_CARD_IN_BOTH = "no-card-in-both"
    TOO_FEW_IN_PLACE = "too-few-in-place"
    TWO_WAYS = "two-ways"


@dataclass(frozen=True, slots=True, eq=False)
class Cards:
    """Cards on a table plane. poses: (N, 3) x, y, turn; faces: what each may be; steady: (N,) how unlikely each is to
    have been moved (0..1); on_top: (N,) which lie on others, so that those cannot cover them."""

    poses: Doubles
    faces: tuple[frozenset[str], ...]
    steady: Doubles
    on_top: Bools

    def __len__(self) -> int:
        return len(self.faces)

    @property
    def sure(self) -> Bools:
        """(N,) which faces are certain."""
        return np.array([len(faces) == 1 for faces in self.faces], dtype=bool)


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """How the later photograph's table lies on the earlier one's. linear: (2, 2), shift: (2,), turn: radians;
    residual: root mean square distance of the cards in place, card sides."""

    linear: Doubles
    shift: Doubles
    turn: float
    residual: float

    def apply(self, poses: Doubles) -> Doubles:
        """Poses (N, 3) of the later photograph -> of the earlier one."""
        return np.column_stack([poses[:, :2] @ self.linear.T + self.shift, poses[:, 2] + self.turn])

    def inverse(self) -> Registration:
        """From the earlier photograph to the later one."""
        back = np.linalg.inv(self.linear)
        return Registration(np.asarray(back), np.asarray(-back @ self.shift), -self.turn, self.residual)

    @classmethod
    def identity(cls) -> Registration:
        """Of a photograph with itself."""
        return cls(np.eye(2), np.zeros(2), 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Correspondence:
    """Which card is which, as (index before, index now). in_place: lie where they lay; moved: lie elsewhere or turned;
    covered: cards of before that lie under others now; missing: that are not seen; new: that were not there."""

    in_place: Pairs
    moved: Pairs
    covered: tuple[int, ...]
    missing: tuple[int, ...]
    new: tuple[int, ...]


def register(known: Cards, seen: Cards, aspect: float) -> Registration | Lost:
    """Lay the cards seen now on the cards known from before; aspect: the cards' height over width."""
    same = _same_face(known, seen)
    sure = same & known.sure[:, None] & seen.sure[None, :]
    if not sure.any():
        return Lost.NO_CARD_IN_BOTH
    ranked: list[tuple[float, Registration, Pairs]] = []
    for rough in _hypotheses(known, seen, sure):
        registration, pairs = _refined(known, seen, same, rough, aspect)
        support = float(sum(known.steady[i] + EXPLAINED for i, _ in pairs))
        ranked.append((support, registration, pairs))
    ranked.sort(key=lambda entry: (-entry[0], entry[1].residual))
    best, registration, pairs = ranked[0]
    common = sum(min(_count(known, face), _count(seen, face)) for face in {f for fs in known.faces for f in fs})
    if len(pairs) < LEAST_SHARE * common:
        return Lost.TOO_FEW_IN_PLACE
    rivals = [support for support, _, others in ranked if _is_different(pairs, others)]
    if rivals and best - max(rivals) < LEAST_LEAD:
        return Lost.TWO_WAYS
    return registration


def _count(cards: Cards, face: str) -> int:
    return sum(faces == {face} for faces in cards.faces)


def _same_face(known: Cards, seen: Cards) -> Bools:
    return np.array([[bool(a & b) for b in seen.faces] for a in known.faces], dtype=bool).reshape(len(known), len(seen))


def _hypotheses(known: Cards, seen: Cards, sure: Bools) -> list[Registration]:
    """From each pair of one face, the dozen under which most cards lie about where they lay."""
    before, now = np.nonzero(sure)
    if len(before) > MOST_HYPOTHESES:
        keep = np.linspace(0, len(before) - 1, MOST_HYPOTHESES).astype(int)
        before, now = before[keep], now[keep]
    turn = known.poses[before, 2] - seen.poses[now, 2]
    linear = _rotations(turn)
    shift = known.poses[before, :2] - np.einsum("hij,hj->hi", linear, seen.poses[now, :2])
    support = np.empty(len(turn))
    turned = _wrap(known.poses[:, None, 2] - seen.poses[None, :, 2])
    for h in range(len(turn)):
        apart = seen.poses[:, :2] @ linear[h].T + shift[h]
        off = np.hypot(*(known.poses[:, None, :2] - apart[None]).transpose(2, 0, 1))
        gate = FIRST_GATE + GATE_GROWTH * np.hypot(*(known.poses[:, :2] - known.poses[before[h], :2]).T)
        fits = sure & (off < gate[:, None]) & (np.abs(_wrap(turned - turn[h])) < SAME_TURN)
        support[h] = min((fits.any(axis=1) * known.steady).sum(), fits.any(axis=0).sum())
    order = np.argsort(-support, kind="stable")
    found: list[Registration] = []
    middle = seen.poses[:, :2].mean(axis=0)
    for h in order:
        rough = Registration(linear[h], shift[h], float(turn[h]), 0.0)
        if all(_apart(rough, other, middle) > 0.5 for other in found):
            found.append(rough)
        if len(found) == 12:
            break
    return found


def _rotations(turn: Doubles) -> Doubles:
    cos, sin = np.cos(turn), np.sin(turn)
    return np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)


def _wrap(angle: Doubles) -> Doubles:
    return np.asarray((angle + np.pi) % (2 * np.pi) - np.pi)


def _apart(one: Registration, other: Registration, middle: Doubles) -> float:
    """How much two registrations differ: in sides at the middle of the cards, a radian counting as three."""
    here, there = (r.linear @ middle + r.shift for r in (one, other))
    return float(np.hypot(*(here - there)) + 3 * abs(_wrap(np.array(one.turn - other.turn))))


def _refined(known: Cards, seen: Cards, same: Bools, start: Registration, aspect: float) -> tuple[Registration, Pairs]:
    """Fitted to all cards that lie where they lay, again and again under a narrower gate."""
    now = start
    for round_, gate in enumerate((0.8, 0.6, IN_PLACE, IN_PLACE, IN_PLACE)):
        pairs = _in_place(known.poses, now.apply(seen.poses), same, gate)
        if not pairs:
            return start, ()
        now = _fit(known, seen, pairs, now, aspect, free=round_ >= 3)
    pairs = _in_place(known.poses, now.apply(seen.poses), same, IN_PLACE)
    return (now, pairs) if pairs else (start, ())


def _in_place(known: Doubles, seen: Doubles, same: Bools, gate: float) -> Pairs:
    """Each card with the nearest of its face that lies where it lay."""
    off = np.hypot(*(known[:, None, :2] - seen[None, :, :2]).transpose(2, 0, 1))
    turned = np.abs(_wrap(known[:, None, 2] - seen[None, :, 2]))
    return nearest_pairs(off, same & (off < gate) & (turned < SAME_TURN))


def nearest_pairs(off: Doubles, allowed: Bools) -> Pairs:
    """Pairs (row, column) that are allowed, the nearest first, each row and column once."""
    rows, columns = np.nonzero(allowed)
    taken: set[tuple[str, int]] = set()
    pairs: list[tuple[int, int]] = []
    for n in np.argsort(off[rows, columns], kind="stable"):
        row, column = int(rows[n]), int(columns[n])
        if not {("row", row), ("column", column)} & taken:
            taken |= {("row", row), ("column", column)}
            pairs.append((row, column))
    return tuple(sorted(pairs))


def _fit(known: Cards, seen: Cards, pairs: Pairs, start: Registration, aspect: float, free: bool) -> Registration:
    """Least squares over the corners of the cards in place: a similarity and, with many cards, an affine map.

    Weighted from the start by how well each card fits, so that one that was pushed does not draw the table with it.
    """
    i, j = (np.array(side) for side in zip(*pairs, strict=True))
    target = card_corners(known.poses[i], aspect)
    source = card_corners(seen.poses[j], aspect)
    linear, shift = start.linear, start.shift
    for _ in range(5):
        off = np.sqrt(((source @ linear.T + shift - target) ** 2).sum(axis=2).mean(axis=1))
        weight = 1 / (1 + (off / max(0.03, 1.5 * float(np.median(off)))) ** 4)
        linear, shift = _similarity(source, target, weight)
        if free and len(i) >= FEW_FOR_AFFINE:
            linear, shift = _affine(source, target, weight, linear, shift)
    turn = float(np.arctan2(linear[1, 0] - linear[0, 1], linear[0, 0] + linear[1, 1]))
    return Registration(linear, shift, turn, float(np.sqrt((off**2 * weight).sum() / weight.sum())))


def _similarity(source: Doubles, target: Doubles, weight: Doubles) -> tuple[Doubles, Doubles]:
    """Turn, scale and shift of points (N, 4, 2) onto others, weights (N,) (Umeyama 1991)."""
    share = (weight / weight.sum())[:, None, None]
    here, there = (share * source).mean(axis=1).sum(axis=0), (share * target).mean(axis=1).sum(axis=0)
    a, b = source - here, target - there
    dot = float((share * a * b).sum())
    cross = float((share[..., 0] * (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])).sum())
    turn = np.arctan2(cross, dot)
    scale = float(np.clip(np.hypot(dot, cross) / float((share * a**2).sum()), 1 - STRETCH, 1 + STRETCH))
    linear = scale * _rotations(np.array(turn))
    return np.asarray(linear), np.asarray(there - linear @ here)


def _affine(
    source: Doubles, target: Doubles, weight: Doubles, linear: Doubles, shift: Doubles
) -> tuple[Doubles, Doubles]:
    """The affine map near a similarity: both planes were fitted to few cards and are a little oblique."""
    moved = (source @ linear.T + shift).reshape(-1, 2)
    middle = moved.mean(axis=0)
    root = np.sqrt(np.repeat(weight, 4))[:, None]
    rows = np.column_stack([moved - middle, np.ones(len(moved))]) * root
    rest = (target.reshape(-1, 2) - moved) * root
    # A strain of STRETCH costs as much as a quarter of a side at one corner.
    ridge = np.diag([(0.25 / STRETCH) ** 2, (0.25 / STRETCH) ** 2, 1e-9])
    solution = np.linalg.solve(rows.T @ rows + ridge, rows.T @ rest)
    strain = solution[:2].T
    return np.asarray(linear + strain @ linear), np.asarray(shift + strain @ (shift - middle) + solution[2])


def _is_different(pairs: Collection[tuple[int, int]], others: Collection[tuple[int, int]]) -> bool:
    """Whether another hypothesis says something else of the cards, not the same a little less well."""
    return bool(others) and len(set(pairs) & set(others)) < 0.5 * min(len(pairs), len(others))


def follow(known: Cards, seen: Cards, registration: Registration, aspect: float) -> Correspondence:
    """Say of each card where it is now. A card that lies under others is covered, not gone."""
    here = registration.apply(seen.poses)
    same = _same_face(known, seen)
    in_place = _in_place(known.poses, here, same, IN_PLACE)
    off = np.hypot(*(known.poses[:, None, :2] - here[None, :, :2]).transpose(2, 0, 1))
    left, free = _left(len(known), in_place, 0), _left(len(seen), in_place, 1)
    # Turned where it lies, before anything that went further.
    turned = _chosen(off, same & (off < IN_PLACE), left, free)
    left, free = left - {i for i, _ in turned}, free - {j for _, j in turned}
    covered = {i for i in left if _is_covered(known, i, here, seen.on_top, aspect)}
    left -= covered
    sure = same & known.sure[:, None] & seen.sure[None, :]
    gone_elsewhere = _chosen(off, sure, left, free)
    left, free = left - {i for i, _ in gone_elsewhere}, free - {j for _, j in gone_elsewhere}
    moved = tuple(sorted((*turned, *gone_elsewhere)))
    return Correspondence(in_place, moved, tuple(sorted(covered)), tuple(sorted(left)), tuple(sorted(free)))


def _is_covered(known: Cards, i: int, here: Doubles, on_top: Bools, aspect: float) -> bool:
    """Whether a known card lies under cards at `here` (N, 3), of which some (N,) are laid on others."""
    if known.on_top[i]:  # what it lay on cannot have covered it
        return _cover(known.poses[i], here[on_top], aspect) >= BURIED
    return _cover(known.poses[i], here[on_top], aspect) >= COVERED or _cover(known.poses[i], here, aspect) >= BURIED


def _left(count: int, pairs: Pairs, side: int) -> set[int]:
    return set(range(count)) - {pair[side] for pair in pairs}


def _chosen(off: Doubles, allowed: Bools, rows: set[int], columns: set[int]) -> Pairs:
    keep = np.zeros_like(allowed)
    if rows and columns:
        keep[np.ix_(sorted(rows), sorted(columns))] = True
    return nearest_pairs(off, allowed & keep)


def _cover(pose: Doubles, others: Doubles, aspect: float) -> float:
    """The share of a card at `pose` (3,) that lies under cards at `others` (N, 3), 0..1.

    A card in the very same place has taken its place rather than covered it.
    """
    near = others[np.hypot(*(others[:, :2] - pose[:2]).T) < 1.0 + aspect]
    for other in near:
        half_turns = abs(float(np.sin(other[2] - pose[2])))
        if np.hypot(*(other[:2] - pose[:2])) < 0.3 and (half_turns < 0.5 or aspect < 1.1):
            return 0.0
    return min(1.0, float(overlaps(pose[None], near, aspect).sum()))
