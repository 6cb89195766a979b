"""Outlines of all cards from those that were found: one size, one plane, rows without gaps.

Cards that are enrolled are laid in rows, all of one size, on one table. So a frame in a card that was taken for
its edge is widened to the edge, a card found too small gets its full size, and the gaps in rows are looked at again.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.precise import precise
from referee.vision.find_agree import distinct, misfit, oriented, side_evidence
from referee.vision.find_quads import edge_strength, refit
from referee.vision.plane import Plane, card_corners, fit_plane

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

LONG_SIDE = 1280
"""Long side in pixels of the picture in which edges are looked at."""
WIDER = 1.3
"""How much wider than what was found the cards may be."""
APART = 4
"""Hundredths of a card by which a wider edge is another edge, and not the same one seen less sharply."""
EDGE = 0.4
"""Evidence of an edge that the usual card must have on its weakest side to be so wide."""
OFF = 0.025
"""How far a found card may be off one of the usual size, in card sides, and still be left as it is."""
REACH = 0.12
"""How far a card's place is sought, in card sides."""
BETWEEN, BEYOND = (0.55, 0.03), (0.7, 0.2)
"""Evidence of edges, as a part of the usual card's, and share of colours that are the cards' rather than the table's,
that a place must have to be a card: within the rows, and beyond their ends."""
FILLED = 0.8
"""What a rim inside in the cards' colours, and one outside in the table's, counts for a place against edges."""
POOR = 0.75
"""How well, as a part of what the best ones do, a card's outline must fit not to be laid anew."""
ASKEW = 7
"""Degrees by which an outline may lie askew."""
WORSE = 0.04
"""How much worse than the usual outline (see `_rating`) one may fit and be taken as it is."""
FAR, COARSE = 0.3, 0.03
"""How far such a card's place is sought, and the first step, in card sides."""
CONVINCING = 1.0
"""How well (see `_rating`) three quarters of the outlines must fit not to look for cards in another way."""
ROUNDS = 2
OBLONG = 1.05
"""Long side over short side from which on a card is no square."""
FEWEST = 4
"""Cards from which on a plane is trusted."""


def completed(image: Pixels, found: Doubles, aspect: float) -> Doubles:
    """The cards (M, 4, 2) px of a photograph (H, W, 3) BGR from those found (N, 4, 2); aspect: long side over short."""
    if len(found) < FEWEST:
        return found
    scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8) if scale < 1 else image
    strength = edge_strength(small)
    shift = 0.5 * scale - 0.5  # pixel centres
    cards = oriented(found * scale + shift, None, aspect)
    plane = _plane(cards, aspect, size)
    if plane is None:
        return found
    cards = _upright(plane, oriented(cards, plane, aspect))
    plane, cards = _widened(strength, plane, cards)
    for _ in range(ROUNDS):
        cards = _upright(plane, oriented(_of_one_size(strength, _cardness(small, cards), plane, cards), plane, aspect))
        plane = _plane(cards, aspect, size) or plane
    likeness = _cardness(small, cards)
    cards = np.concatenate([cards, _in_gaps(likeness, strength, plane, cards)])
    cards = _straightened(strength, likeness, plane, cards)
    kept = distinct(cards, _looked_up(likeness, _samples(cards, 0.06, 0.94)).mean(axis=1), np.arange(len(cards)))
    cards = cards[np.sort(kept)]
    return _on_their_edges(image, np.asarray((cards - shift) / scale), aspect)


def _upright(plane: Plane, cards: Doubles) -> Doubles:
    """Oblong cards that would lie across all others, as a piece of one does that was found, turned by a quarter."""
    if plane.aspect < OBLONG:
        return cards
    poses = plane.poses(cards)
    usual = 0.5 * np.angle(np.exp(2j * poses[:, 2]).sum())
    across = np.abs(np.angle(np.exp(2j * (poses[:, 2] - usual)))) > np.pi / 2
    turned = poses + np.array([0.0, 0.0, np.pi / 2])
    return np.where(across[:, None, None], plane.outlines(turned), cards)


def _on_their_edges(image: Pixels, cards: Doubles, aspect: float) -> Doubles:
    """The cards brought to the edges in the whole photograph, each a rigid one on the plane that all agree on."""
    size = (image.shape[1], image.shape[0])
    for _ in range(2):
        plane = _plane(oriented(cards, None, aspect), aspect, size)
        if plane is None:
            break
        cards = precise(image, oriented(cards, plane, aspect), plane)
    return cards


def better_of(image: Pixels, one: Doubles, two: Doubles) -> Doubles:
    """Of two sets of outlines (N, 4, 2) px in a photograph (H, W, 3) BGR the one whose cards fit the picture better."""
    if not len(one) or not len(two):
        return one if len(one) else two
    worth = []
    for cards in (one, two):
        size = np.sqrt([cv2.contourArea(card.astype(np.float32)) for card in cards])
        worth.append(float((np.clip(_fits(image, cards), 0, None) ** 2 * size).sum()))
    return two if worth[1] > worth[0] else one


def beside(cards: Doubles, others: Doubles) -> Doubles:
    """Those of the cards (N, 4, 2) that lie beside all of the others (M, 4, 2), not on one of them."""
    if not len(cards) or not len(others):
        return cards
    side = np.sqrt([cv2.contourArea(card.astype(np.float32)) for card in others])
    gaps = np.linalg.norm(cards.mean(axis=1)[:, None] - others.mean(axis=1)[None], axis=2)
    return np.asarray(cards[(gaps > 0.7 * side).all(axis=1)])


def convincing(image: Pixels, cards: Doubles) -> bool:
    """Whether outlines (N, 4, 2) px in a photograph (H, W, 3) BGR are surely cards, and not fewer than a few."""
    return len(cards) >= FEWEST and float(np.percentile(_fits(image, cards), 25)) > CONVINCING


def _fits(image: Pixels, cards: Doubles) -> Doubles:
    """(N,) as `_rating`, of outlines in the whole photograph."""
    scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8) if scale < 1 else image
    own = cards * scale + (0.5 * scale - 0.5)
    return _rating(edge_strength(small), _cardness(small, own), own)


def _plane(cards: Doubles, aspect: float, size: tuple[int, int]) -> Plane | None:
    """The plane of the cards that have the full size, found again from those alone."""
    fitted = fit_plane(cards, aspect, size)
    if fitted is None:
        return None
    plane = fitted[0]
    for _ in range(3):
        sides = _sides(plane, oriented(cards, plane, aspect))
        full = _full_size(sides.ravel())
        whole = np.abs(sides / full - 1).max(axis=1) < OFF
        plane = _resized(plane, full)
        if not FEWEST <= whole.sum() < len(cards):
            break
        again = fit_plane(oriented(cards, plane, aspect)[whole], aspect, size)
        if again is None:
            break
        plane = again[0]
    return plane


def _sides(plane: Plane, cards: Doubles) -> Doubles:
    """(N, 2) the width and the height of each card, each 1 if it is of the usual size."""
    flat = plane.table(cards)
    length = np.hypot(*np.moveaxis(np.roll(flat, -1, axis=1) - flat, 2, 0))
    return np.stack([(length[:, 0] + length[:, 2]) / 2, (length[:, 1] + length[:, 3]) / 2 / plane.aspect], axis=1)


def _full_size(sides: Doubles) -> float:
    """The largest length that several sides have: a card whose dark rim was lost in the table is found too small."""
    enough = max(3, 0.15 * len(sides))
    for length in np.sort(sides)[::-1]:
        near = np.abs(sides / length - 1) < 0.6 * OFF
        if near.sum() >= enough:
            return float(np.median(sides[near]))
    return float(np.median(sides))


def _resized(plane: Plane, factor: float) -> Plane:
    """The same plane with cards `factor` times as large."""
    return replace(plane, to_table=np.diag([1 / factor, 1 / factor, 1.0]) @ plane.to_table)


def _widened(strength: Floats, plane: Plane, cards: Doubles) -> tuple[Plane, Doubles]:
    """With cards as large as the outermost edge that most of them have, and that leaves them apart from each other."""
    poses = plane.poses(cards)
    usual = _sides(plane, cards).min(axis=1) > 1 - 2 * OFF
    if usual.sum() < FEWEST:
        return plane, cards
    chosen = poses[usual]
    factors = np.arange(1.0, max(1.02, min(WIDER, _room(poses, plane.aspect))), 0.01)
    evidence = np.array(
        [_usual_evidence(strength, _resized(plane, f).outlines(_rescaled(chosen, f))) for f in factors.tolist()]
    )
    best = 0
    for k in range(APART, len(factors) - 1):
        peak = evidence[k] >= evidence[k - 1] and evidence[k] >= evidence[k + 1] and evidence[k] > EDGE
        # An edge of its own, with something without an edge between it and the one that was found.
        if peak and evidence[best : k + 1].min() < 0.6 * evidence[k] and evidence[k] > 0.5 * evidence[0]:
            best = k
    if best == 0:
        return plane, cards
    wide = _resized(plane, float(factors[best]))
    return wide, refit(strength, wide.outlines(_rescaled(poses, float(factors[best]))), 0.03)


def _rescaled(poses: Doubles, factor: float) -> Doubles:
    out = poses.copy()
    out[:, :2] /= factor
    return out


def _usual_evidence(strength: Floats, corners: Doubles) -> float:
    """The second weakest side of the usual card: one side may lie in a shadow or at a neighbour."""
    return float(np.median(np.sort(side_evidence(strength, corners), axis=1)[:, 1]))


def _room(poses: Doubles, aspect: float) -> float:
    """How many times as large the cards may be before they overlap."""
    apart = poses[:, None, :2] - poses[None, :, :2]
    cos, sin = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
    along = np.abs(cos * apart[..., 0] + sin * apart[..., 1])
    across = np.abs(-sin * apart[..., 0] + cos * apart[..., 1]) / aspect
    gap = np.maximum(along, across)
    np.fill_diagonal(gap, np.inf)
    return float(np.percentile(gap.min(axis=1), 10)) + 0.01


def _of_one_size(strength: Floats, likeness: Floats, plane: Plane, cards: Doubles) -> Doubles:
    """Those that are not of the usual size, or whose sides are hardly edges, laid anew where most of them are."""
    flat = plane.table(cards)
    rigid = card_corners(plane.poses(cards), plane.aspect)
    off = np.hypot(*(flat - rigid).reshape(-1, 2).T).reshape(-1, 4).max(axis=1) > OFF
    rating = _rating(strength, likeness, cards)
    poor = rating < POOR * np.sort(rating)[-2]
    out = cards.copy()
    for k in np.flatnonzero(off | poor):
        pose = plane.poses(cards[k : k + 1])[0]
        out[k] = _best_place(strength, likeness, plane, pose, FAR if poor[k] else REACH)[0]
    fine = refit(strength, out, OFF)
    near = off & (misfit(plane, fine) < OFF)
    out[near] = fine[near]
    return out


def _straightened(strength: Floats, likeness: Floats, plane: Plane, cards: Doubles) -> Doubles:
    """Those that fit less well than the usual card turned and shifted a little, where that fits better: an outline
    that follows a shadow, or a neighbour's edge, lies askew though its size is right."""
    rating = _rating(strength, likeness, cards)
    out = cards.copy()
    turns, steps = np.deg2rad(np.arange(-ASKEW, ASKEW + 0.5)), np.linspace(-2 * OFF, 2 * OFF, 5)
    turn, dx, dy = (grid.ravel() for grid in np.meshgrid(turns, steps, steps, indexing="ij"))
    for k in np.flatnonzero(rating < np.median(rating) - WORSE):
        tried = plane.poses(cards[k : k + 1])[0] + np.stack([dx, dy, turn], axis=1)
        best = tried[int(_rating(strength, likeness, plane.outlines(tried)).argmax())]
        placed = _best_place(strength, likeness, plane, best, COARSE)[0][None]
        choices = np.concatenate([cards[k : k + 1], placed, refit(strength, placed, 0.6 * OFF)])
        out[k] = choices[int((_rating(strength, likeness, choices) - [0.0, 0.01, 0.01]).argmax())]
    return out


def _rating(strength: Floats, likeness: Floats, corners: Doubles, samples: int = 32) -> Doubles:
    """(N,) how well outlines fit: edges along all sides, the cards' colours within them and not outside; samples:
    places on each side that are looked at."""
    evidence = np.sort(side_evidence(strength, corners, samples), axis=1)
    filled = _rim(likeness, corners, 0.95) - _rim(likeness, corners, 1.06)
    return np.asarray(evidence @ np.array([0.3, 0.3, 0.2, 0.2]) + FILLED * filled)


def _best_place(
    strength: Floats, likeness: Floats, plane: Plane, pose: Doubles, reach: float = REACH
) -> tuple[Doubles, float]:
    """The outline (4, 2) near a pose with the most edges, filled to its rim with card, and its evidence of edges."""
    best = pose
    for span, count, samples in ((reach, round(2 * reach / COARSE) + 1, 10), (COARSE, 5, 16), (COARSE / 3, 5, 32)):
        steps = np.linspace(-span, span, count)
        turns = np.deg2rad([-3, 0, 3]) * span / reach
        dx, dy, turn = (grid.ravel() for grid in np.meshgrid(steps, steps, turns))
        tried = best + np.stack([dx, dy, turn], axis=1)
        rating = _rating(strength, likeness, plane.outlines(tried), samples) - 0.3 * np.hypot(dx, dy)
        best = tried[int(rating.argmax())]
    score = float(side_evidence(strength, plane.outlines(best[None])).mean())
    return plane.outlines(best[None])[0], score


def _in_gaps(likeness: Floats, strength: Floats, plane: Plane, cards: Doubles) -> Doubles:
    """Cards (K, 4, 2) in the gaps of rows and at their ends, where the picture has one."""
    poses = plane.poses(cards)
    turn = float(np.median((poses[:, 2] + np.pi / 4) % (np.pi / 2) - np.pi / 4))
    cos, sin = np.cos(turn), np.sin(turn)
    centres = poses[:, :2] @ np.array([[cos, -sin], [sin, cos]])
    pitch_x, pitch_y = _pitch(centres, 0, 1.0, plane.aspect), _pitch(centres, 1, plane.aspect, plane.aspect)
    if pitch_x is None or pitch_y is None:
        return cards[:0]
    spots: list[Doubles] = []
    for at in centres:
        for step in ((pitch_x, 0.0), (-pitch_x, 0.0), (0.0, pitch_y), (0.0, -pitch_y)):
            spot = at + step
            known = np.array([*centres, *spots])
            if np.hypot(*((known - spot) / (1.0, plane.aspect)).T).min() > 0.5:
                spots.append(spot)
    usual = float(np.median(np.sort(side_evidence(strength, cards), axis=1)[:, 1:].mean(axis=1)))
    new: list[Doubles] = []
    taken = [centres[k] for k in range(len(centres))]
    low, high = centres.min(axis=0) - 0.3, centres.max(axis=0) + 0.3
    # Where the rows say there is one first, then beyond their ends.
    for spot in sorted(spots, key=lambda s: bool(((s < low) | (s > high)).any())):
        if min(np.hypot(*((spot - other) / (1.0, plane.aspect))) for other in taken) < 0.6:
            continue
        beyond = bool(((spot < low) | (spot > high)).any())
        back = spot @ np.array([[cos, sin], [-sin, cos]])
        corners, evidence = _best_place(strength, likeness, plane, np.array([*back, turn]))
        if not _within(corners, likeness.shape[1], likeness.shape[0]):
            continue
        like = float(_looked_up(likeness, _samples(corners[None], 0.06, 0.94)).mean())
        if evidence > (BEYOND if beyond else BETWEEN)[0] * usual and like > (BEYOND if beyond else BETWEEN)[1]:
            new.append(corners)
            taken.append(plane.poses(corners[None])[0, :2] @ np.array([[cos, -sin], [sin, cos]]))
    return np.array(new) if new else cards[:0]


def _pitch(centres: Doubles, axis: int, least: float, aspect: float) -> float | None:
    """The usual step from a card to the next along an axis."""
    other = 1 - axis
    across = (1.0, aspect)[other]
    steps = []
    for at in centres:
        ahead = centres - at
        near = (
            (np.abs(ahead[:, other]) < 0.3 * across) & (ahead[:, axis] > 0.8 * least) & (ahead[:, axis] < 1.6 * least)
        )
        if near.any():
            steps.append(float(ahead[near, axis].min()))
    return float(np.median(steps)) if len(steps) >= 2 else None


def _within(corners: Doubles, width: int, height: int) -> bool:
    return bool((corners > 0).all() and (corners[:, 0] < width - 1).all() and (corners[:, 1] < height - 1).all())


def _rim(likeness: Floats, corners: Doubles, scale: float) -> Doubles:
    """(N,) how much the colours along outlines (N, 4, 2), made larger or smaller by `scale`, are the cards'."""
    middle = corners.mean(axis=1, keepdims=True)
    ring = (corners - middle) * scale + middle
    part = np.linspace(0.08, 0.92, 14)[None, None, :, None]
    sides = ring[:, :, None] * (1 - part) + np.roll(ring, -1, axis=1)[:, :, None] * part
    along = _looked_up(likeness, sides.reshape(len(corners), -1, 2)).reshape(len(corners), 4, -1).mean(axis=2)
    return np.asarray(0.5 * along.mean(axis=1) + 0.5 * (along.min(axis=1) if scale < 1 else along.mean(axis=1)))


def _looked_up(likeness: Floats, spots: Doubles) -> Doubles:
    """(N, M) the values at points (N, M, 2) px."""
    x = np.clip(spots[..., 0].round().astype(int), 0, likeness.shape[1] - 1)
    y = np.clip(spots[..., 1].round().astype(int), 0, likeness.shape[0] - 1)
    return np.asarray(likeness[y, x], np.float64)


def _cardness(image: Pixels, cards: Doubles) -> Floats:
    """(H, W) 0..1 how much each pixel's colour is found on the cards rather than on the table beside them."""
    height, width = image.shape[:2]
    inner = np.zeros((height, width), np.uint8)
    outer = np.zeros((height, width), np.uint8)
    near = np.zeros((height, width), np.uint8)
    for mask, scale in ((inner, 0.97), (outer, 1.1), (near, 1.9)):
        for card in cards:
            middle = card.mean(axis=0)
            cv2.fillConvexPoly(mask, np.round((card - middle) * scale + middle).astype(np.int32), 1)
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 0.8), cv2.COLOR_BGR2LAB)
    bins = (lab[..., 0] // 12, np.clip(lab[..., 1] // 6, 0, 42), np.clip(lab[..., 2] // 6, 0, 42))
    index = (bins[0].astype(np.int64) * 43 + bins[1]) * 43 + bins[2]
    shape = (22, 43, 43)

    def counted(mask: NDArray[np.bool_]) -> Floats:
        counts = np.bincount(index[mask], minlength=22 * 43 * 43).reshape(shape).astype(np.float32)
        for axis in range(3):  # colours close by count as well
            counts = 0.5 * counts + 0.25 * (np.roll(counts, 1, axis) + np.roll(counts, -1, axis))
        return np.asarray(counts / max(1.0, float(mask.sum())), np.float32)

    card, table = counted(inner > 0), counted((near > 0) & (outer == 0))
    share = (card + 1e-5) / (card + table + 2e-5)
    return np.asarray(cv2.GaussianBlur(share.ravel()[index], (0, 0), 1.0), np.float32)


def _samples(corners: Doubles, low: float, high: float) -> Doubles:
    """(N, 144, 2) points spread over quads (N, 4, 2), from `low` to `high` of their extent."""
    u, v = (g.reshape(-1, 1) for g in np.meshgrid(np.linspace(low, high, 12), np.linspace(low, high, 12)))
    c = corners[:, None]
    return np.asarray(
        c[..., 0, :] * (1 - u) * (1 - v)
        + c[..., 1, :] * u * (1 - v)
        + c[..., 2, :] * u * v
        + c[..., 3, :] * (1 - u) * v
    )
