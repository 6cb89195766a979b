"""Which candidates are cards: those that are of one size and shape on one plane, with an edge along all four sides.

A book, a sheet of paper, a floor tile or a picture printed on a card may be a fine quad, but it has not the size that
the other cards have; where several sizes make a family, the family with the most evidence wins, and of two that lie
inside each other the outer one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, areas, shared_area
from referee.vision.facebank import Floats
from referee.vision.find_quads import profiles
from referee.vision.plane import Plane, fit_plane

HYPOTHESES = 40
"""How many candidates are tried as the one that shows the size and shape of all."""
ON_PLANE = 0.07
"""How far the corners of a card may be from where the plane wants them, in card sides."""
OVERLAP = 0.2
"""Share of a card's area that two cards may have in common before they are one place."""
SQUARE = 1.02
"""Cards less oblong than this are taken for squares."""
FOCAL = np.geomspace(1.0, 8.0, 19)
"""Focal lengths that are thought of, in half long sides of the picture: a wide lens to a cut-out of a long one."""
FAINT = 5.0
"""Edge strength (Lab units a pixel) at which an edge counts half."""


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Candidates of one size on one plane. members: (M,) indices, best first, none over another; score: evidence."""

    plane: Plane
    members: NDArray[np.intp]
    score: float


def side_evidence(strength: Floats, corners: Doubles, samples: int = 32) -> Doubles:
    """(N, 4) in 0..1: how much of each side has an edge, and one that stands out from what is beside it.

    samples: places on each side that are looked at.
    """
    if not len(corners):
        return np.empty((0, 4))
    values, _, _ = profiles(strength, corners, 0.08, samples=samples, steps=8, middle=0.8)
    soft = values / (values + FAINT)
    line = soft[..., 7:10].max(axis=-1).mean(axis=-1)
    beside = np.concatenate([soft[..., :5], soft[..., 12:]], axis=-1)
    ground = 0.5 * beside.mean(axis=(-1, -2)) + 0.5 * np.median(beside, axis=-1).mean(axis=-1)
    return np.asarray(np.clip((line - 0.9 * ground) / 0.6, 0, 1), dtype=np.float64)


def families(corners: Doubles, weight: Doubles, aspect: float, size: tuple[int, int], most: int = 16) -> list[Family]:
    """Families of candidates (N, 4, 2), best first.

    weight: (N,) how much each speaks for its family, 0 for none; size: (width, height) of the picture. Of two
    families with as much evidence the one of larger cards is better: what is printed on cards is smaller than they.
    """
    side = np.sqrt(np.maximum(areas(corners), 1.0)) / max(size)
    order = np.argsort(-weight, kind="stable")[:HYPOTHESES]
    rough = []
    together = excluding(corners)
    for seed in order:
        for turn in (0,) if aspect < SQUARE else (0, 1):
            if weight[seed] <= 0:
                continue
            alike = _alike(corners, int(seed), turn, aspect, size)
            members = distinct(corners, weight, np.flatnonzero(alike), together)
            rough.append((float((weight * side)[members].sum()), members))
    rough.sort(key=lambda pair: -pair[0])
    found: list[Family] = []
    sizes: list[float] = []
    for _, members in rough:  # the best of each size, so that small things in great number do not hide the cards
        size_of = float(np.log(np.median(side[members])))
        if any(abs(size_of - other) < 0.04 for other in sizes):
            continue
        sizes.append(size_of)
        family = _on_one_plane(corners, weight, side, members, aspect, size, together)
        if family is not None:
            found.append(family)
        if len(found) >= most:
            break
    found.sort(key=lambda family: -family.score)
    return found


def weights(evidence: Doubles, votes: NDArray[np.intp]) -> Doubles:
    """(N,) how much a candidate speaks for a family: its weakest side, and how many cues showed it."""
    weakest = np.sort(evidence, axis=1)
    return np.asarray((0.7 * weakest[:, 0] + 0.3 * weakest[:, 1]) * (0.4 + 0.6 * votes / (votes + 4)))


def _alike(corners: Doubles, seed: int, turn: int, aspect: float, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which quads look like the seed, were the picture without perspective but with the seed's slant."""
    quad = np.roll(corners[seed], turn, axis=0)
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2 / aspect
    straight = np.linalg.inv(np.stack([across, down], axis=1))
    flat = corners @ straight.T
    u = (flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]) / 2
    v = (flat[:, 3] - flat[:, 0] + flat[:, 2] - flat[:, 1]) / 2
    lu, lv = np.hypot(*u.T), np.hypot(*v.T)
    skew = np.abs((u * v).sum(axis=1)) / np.maximum(lu * lv, 1e-9)
    ratio = np.abs(np.log(lv / lu))
    grown = np.abs(np.log(lu * lv / aspect)) / 2
    distance = np.hypot(*(corners.mean(axis=1) - corners[seed].mean(axis=0)).T) / max(size)
    shape = np.abs(ratio - np.log(aspect))
    return np.asarray((skew < 0.12 + 0.2 * distance) & (shape < 0.1 + 0.2 * distance) & (grown < 0.06 + 0.5 * distance))


def _on_one_plane(
    corners: Doubles,
    weight: Doubles,
    side: Doubles,
    members: NDArray[np.intp],
    aspect: float,
    size: tuple[int, int],
    together: NDArray[np.bool_],
) -> Family | None:
    """The plane of these quads, and all the quads that lie on it."""
    plane = None
    for _ in range(3):
        turned = oriented(corners[members], plane, aspect)
        fitted = fit_plane(turned, aspect, size)
        if fitted is None:
            return None
        plane = fitted[0]
        error = misfit(plane, corners)
        on = np.flatnonzero((error < ON_PLANE) & (weight > 0))
        fresh = distinct(corners, weight, on, together)
        if not len(fresh):
            return None
        if set(fresh.tolist()) == set(members.tolist()):
            break
        members = fresh
    assert plane is not None
    return Family(plane, members, float((weight * side)[members].sum()))


def unlike_a_camera(plane: Plane) -> float:
    """How far from any camera's picture of a plane this map is: the larger of the log ratio of the lengths and the
    cosine of the angle that the table's axes then have, with the focal length that suits best.

    A rectangle of another shape is, on its own, the picture of a card on a slanted table; but rarely one that a camera
    with its middle in the middle of the picture would take (Zhang, PAMI 2000, equations 3 and 4).
    """
    back = np.linalg.inv(plane.to_table)
    lens = np.stack([FOCAL, FOCAL, np.ones_like(FOCAL)])
    one, two = back[:, :1] / lens, back[:, 1:2] / lens
    length_one, length_two = np.sqrt((one**2).sum(axis=0)), np.sqrt((two**2).sum(axis=0))
    angle = np.abs((one * two).sum(axis=0)) / (length_one * length_two)
    return float(np.maximum(np.abs(np.log(length_one / length_two)), angle).min())


def split(plane: Plane, corners: Doubles, parts: int) -> tuple[Plane, Doubles]:
    """Every card (N, 4, 2) as `parts` times `parts` smaller ones, and their plane."""
    smaller = replace(plane, to_table=np.diag([parts, parts, 1.0]) @ plane.to_table)
    poses = smaller.poses(oriented(corners, smaller, plane.aspect))
    steps = np.arange(parts) - (parts - 1) / 2
    x, y = (g.ravel() for g in np.meshgrid(steps, steps * plane.aspect))
    cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    places = np.stack([poses[:, :1] + cos * x - sin * y, poses[:, 1:2] + sin * x + cos * y], axis=-1).reshape(-1, 2)
    return smaller, smaller.outlines(np.concatenate([places, np.repeat(poses[:, 2:], parts * parts, axis=0)], axis=1))


def halved(plane: Plane, corners: Doubles) -> tuple[Plane, Doubles]:
    """Every card (N, 4, 2) as two, side by side and turned by a quarter, and their plane."""
    turned = oriented(corners, plane, plane.aspect)
    poses = plane.poses(turned)
    away = np.stack([-np.sin(poses[:, 2]), np.cos(poses[:, 2])], axis=1) * plane.aspect / 4
    smaller = replace(plane, to_table=np.diag([2 / plane.aspect, 2 / plane.aspect, 1.0]) @ plane.to_table)
    places = np.concatenate([poses[:, :2] - away, poses[:, :2] + away]) * 2 / plane.aspect
    heading = np.tile(poses[:, 2:] + np.pi / 2, (2, 1))
    return smaller, smaller.outlines(np.concatenate([places, heading], axis=1))


def halves_alike(aspect: float) -> bool:
    """Whether two such cards side by side have about the shape of one: A4 and A5, and most playing cards."""
    return bool(abs(np.log(aspect**2 / 2)) < 0.14)


def seams(strength: Floats, corners: Doubles) -> Doubles:
    """(N, 2) in 0..1: evidence for a line through the middle of each quad, from its first to its third side and from
    its second to its fourth, along both halves of it."""
    if not len(corners):
        return np.empty((0, 2))
    middle = (corners + np.roll(corners, -1, axis=1)) / 2
    out = []
    for k in (0, 1):
        halves = np.stack([corners[:, k], middle[:, k], middle[:, k + 2], corners[:, (k + 3) % 4]], axis=1)
        out.append(side_evidence(strength, halves)[:, 1])
    return np.stack(out, axis=1)


def oriented(corners: Doubles, plane: Plane | None, aspect: float) -> Doubles:
    """The quads (N, 4, 2) with their first side a short one: as the plane sees it, else as the picture shows it."""
    flat = corners if plane is None else plane.table(corners)
    sides = np.roll(flat, -1, axis=1) - flat
    length = np.hypot(sides[..., 0], sides[..., 1])
    turn = (length[:, 0] + length[:, 2] > length[:, 1] + length[:, 3]) & (aspect > 1.02)
    out = corners.copy()
    out[turn] = np.roll(out[turn], -1, axis=1)
    return out


def misfit(plane: Plane, corners: Doubles) -> Doubles:
    """(N,) largest distance of a quad's corner from a true card's, in card sides; infinite beyond the horizon."""
    turned = oriented(corners, plane, plane.aspect)
    flat = plane.table(turned)
    with np.errstate(invalid="ignore", over="ignore"):
        off = flat - plane.table(plane.outlines(plane.poses(turned)))
        error = np.hypot(off[..., 0], off[..., 1]).max(axis=1)
    return np.where(np.isfinite(error) & (areas(flat) > 0), error, np.inf)


def distinct(
    corners: Doubles, weight: Doubles, which: NDArray[np.intp], together: NDArray[np.bool_] | None = None
) -> NDArray[np.intp]:
    """Of quads over each other the weightiest: indices (M,), weightiest first.

    together: (N, N) of all the quads, from `excluding`, where it is known.
    """
    if not len(which):
        return np.empty(0, dtype=np.intp)
    order = which[np.argsort(-weight[which], kind="stable")]
    conflict = excluding(corners[order]) if together is None else together[np.ix_(order, order)]
    free = np.ones(len(order), dtype=bool)
    kept = []
    for i in range(len(order)):
        if free[i]:
            kept.append(order[i])
            free &= ~conflict[i]
    return np.array(kept, dtype=np.intp)


def excluding(corners: Doubles) -> NDArray[np.bool_]:
    """(N, N) which quads (N, 4, 2) are over each other, so that only one of the two is a card."""
    side = np.sqrt(np.maximum(areas(corners), 1e-9))
    centre = corners.mean(axis=1)
    apart = np.hypot(*(centre[:, None] - centre[None]).transpose(2, 0, 1))
    least, most = np.minimum(side[:, None], side[None]), np.maximum(side[:, None], side[None])
    over = apart < 0.3 * least  # surely; and further apart than this they may be
    for i, k in np.argwhere(np.triu((apart < 1.5 * most) & ~over, 1)):
        over[i, k] = over[k, i] = overlap(corners[i], corners[k], least[i, k] ** 2) > OVERLAP
    return np.asarray(over)


def overlap(one: Doubles, two: Doubles, least: float) -> float:
    """Share of the smaller quad's area, `least` px, that both have in common."""
    return shared_area(one, two) / max(least, 1e-9)
