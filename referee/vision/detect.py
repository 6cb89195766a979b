"""From a photograph to the cards that surely lie in it: seeds, verified one by one, and the plane they share.

The order matters (measured): each seed is aligned to the deck's faces *before* any plane exists, since a plane
fitted to unverified seeds loses whole photographs; once the plane stands, a card has only three unknowns left and
the weaker evidence (few votes, the places beside a sure card) becomes usable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Aligner, Doubles, Pyramid, areas
from referee.vision.facebank import COARSE, FINE, FaceBank, Floats, normalise
from referee.vision.plane import Bools, Plane, fit_plane, view_from_above
from referee.vision.seeds import SEARCH_SIDE, Votes, cast_votes, feature_bank, seeds
from referee.vision.sweep import sweep

IS_CARD = 0.70
"""Normalised correlation with the best face above which a quad is a card of the deck (range 0..1)."""
MAYBE_CARD = 0.45
"""Below `IS_CARD` but above this, something is there that the deck may explain: looked at again, then doubtful."""
SAME_PLACE = 0.5
"""Two detections whose centres are nearer than this, in card sides, are one card."""
SMALL_SIDE = 48
"""Cards smaller than this in the search picture (px) make the search go on at twice its size."""
GROWTH_ROUNDS = 40
"""How often the search beside new cards may go on: as many cards as a long route has."""
ABOVE_SIDE = 64
"""Pixels of a card's short side when the table is seen from above."""
COVERED = 0.12
"""Share of a card's area under other cards from which on only the rest of it is compared (range 0..1)."""
LEAST_VISIBLE = 0.25
"""Share of a card that must show for it to be found (range 0..1)."""


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Cards found. corners: (N, 4, 2) px, from the face's own top left; face: (N,) index; score: (N,) correlation."""

    corners: Doubles
    face: NDArray[np.intp]
    score: Floats

    @classmethod
    def none(cls) -> Detections:
        return cls(np.empty((0, 4, 2)), np.empty(0, np.intp), np.empty(0, np.float32))

    def select(self, keep: Bools | NDArray[np.intp]) -> Detections:
        return Detections(self.corners[keep], self.face[keep], self.score[keep])

    def plus(self, other: Detections) -> Detections:
        return Detections(
            np.concatenate([self.corners, other.corners]),
            np.concatenate([self.face, other.face]),
            np.concatenate([self.score, other.score]),
        )

    def __len__(self) -> int:
        return len(self.score)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The sure cards, the plane they lie in (None without cards) and candidates that were not good enough."""

    cards: Detections
    plane: Plane | None
    rejected: Detections


def detect(pyramid: Pyramid, aligner: Aligner) -> Found:
    """Find all cards of the deck.

    pyramid: the photograph; aligner: of the deck. Corners of the result are pixels of the photograph.
    """
    bank = aligner.bank
    votes = votes_at(pyramid, bank, SEARCH_SIDE)
    cards = verify(pyramid, aligner, seeds(votes, bank.aspect))
    cards = distinct(cards.select(cards.score >= IS_CARD))
    if _too_small(cards, pyramid):
        votes = votes_at(pyramid, bank, 2 * SEARCH_SIDE)
        again = verify(pyramid, aligner, seeds(votes, bank.aspect))
        cards = distinct(cards.plus(again.select(again.score >= IS_CARD)))
    fitted = fit_plane(cards.corners, bank.aspect, pyramid.size)
    if fitted is None:
        return Found(Detections.none(), None, cards)
    plane, agree = fitted
    off_plane = cards.select(~agree)
    cards = cards.select(agree)
    rejected = off_plane
    cards, plane = settle(pyramid, aligner, cards, plane)
    candidates = np.concatenate([_voted(pyramid, bank, plane, cards), _beside(pyramid, aligner, plane, cards)])
    swept = False
    for _ in range(GROWTH_ROUNDS):
        fresh = distinct(place(pyramid, aligner, plane, candidates))
        fresh = uncovered(pyramid, bank, plane, _new_only(fresh, cards, plane), cards)
        good = fresh.score >= IS_CARD
        rejected = rejected.plus(fresh.select(~good & (fresh.score >= MAYBE_CARD)))
        if good.any():
            known = plane.poses(cards.corners)
            cards = cards.plus(fresh.select(good))
            cards, plane = settle(pyramid, aligner, cards, plane)
            candidates = _beside(pyramid, aligner, plane, cards, known)
        elif not swept:
            candidates = sweep(pyramid, bank, plane, plane.poses(cards.corners))
            swept = True
        else:
            break
    return Found(cards, plane, uncovered(pyramid, bank, plane, _new_only(distinct(rejected), cards, plane), cards))


def _too_small(cards: Detections, pyramid: Pyramid) -> bool:
    """Whether the picture has more to give than the search used: no card, or small ones."""
    if max(pyramid.size) <= 1.3 * SEARCH_SIDE:
        return False
    if not len(cards):
        return True
    side = np.sqrt(np.abs(areas(cards.corners))) * SEARCH_SIDE / max(pyramid.size)
    return bool(side.min() < SMALL_SIDE)


def votes_at(pyramid: Pyramid, bank: FaceBank, long_side: int) -> Votes:
    """Votes of the features of the photograph scaled to `long_side` pixels; coordinates in full-size pixels."""
    width, height = pyramid.size
    scale = min(1.0, long_side / max(width, height))
    level = int(np.clip(np.floor(np.log2(1 / scale)), 0, len(pyramid.levels) - 1))
    size = (round(width * scale), round(height * scale))
    grey = cv2.cvtColor(pyramid.levels[level], cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    votes = cast_votes(np.asarray(grey, dtype=np.uint8), feature_bank(bank), count=4000 * long_side // SEARCH_SIDE)
    grow = np.array([width / size[0], height / size[1]])
    shift = (grow - 1) / 2
    return replace(
        votes, centre=votes.centre * grow + shift, side=votes.side * grow[0], point=votes.point * grow + shift
    )


def best_faces(pyramid: Pyramid, bank: FaceBank, corners: Doubles, short_side: int, blur: float = 0.5) -> Detections:
    """For each quad (N, 4, 2) the face and the turn that correlate best; corners are rolled to the face's top left."""
    scores, steps = _turn_scores(pyramid, bank, corners, short_side, blur)
    flat = scores.reshape(len(corners), -1)
    best = flat.argmax(axis=1)
    turn = np.array(steps)[best // len(bank.face_ids)]
    rolled = np.stack([np.roll(q, -k, axis=0) for q, k in zip(corners, turn, strict=True)]) if len(corners) else corners
    score = flat.max(axis=1) if len(corners) else np.empty(0)
    return Detections(rolled, (best % len(bank.face_ids)).astype(np.intp), score.astype(np.float32))


def best_turns(pyramid: Pyramid, bank: FaceBank, corners: Doubles, short_side: int, blur: float) -> Detections:
    """For each quad the best face at each turn, where that is nearly as good as the best of all (three at most)."""
    scores, steps = _turn_scores(pyramid, bank, corners, short_side, blur)
    face, score = scores.argmax(axis=2), scores.max(axis=2)
    order = np.argsort(-score, axis=1)[:, :3]
    quad = np.repeat(np.arange(len(corners)), order.shape[1])
    turn = order.ravel()
    keep = (score[quad, turn] > 0.1) & (score[quad, turn] > score.max(axis=1)[quad] - 0.15)
    quad, turn = quad[keep], turn[keep]
    rolled = [np.roll(corners[q], -steps[t], axis=0) for q, t in zip(quad, turn, strict=True)]
    return Detections(
        np.array(rolled).reshape(-1, 4, 2), face[quad, turn].astype(np.intp), score[quad, turn].astype(np.float32)
    )


def _turn_scores(
    pyramid: Pyramid, bank: FaceBank, corners: Doubles, short_side: int, blur: float
) -> tuple[Floats, tuple[int, ...]]:
    """(N, T, F) correlations of each quad with each face at each possible turn, and the turns in quarters."""
    templates = bank.at(short_side, blur)
    patches = pyramid.cut(corners, templates.size)
    steps = (0, 1, 2, 3) if bank.is_square else (0, 2)
    turned = [normalise(np.rot90(patches, k, axes=(1, 2)), templates.mask) @ templates.vectors.T for k in steps]
    return np.stack(turned, axis=1), steps


def verify(pyramid: Pyramid, aligner: Aligner, corners: Doubles) -> Detections:
    """Align quads of unknown accuracy to the faces, with no plane yet; the score tells which are cards."""
    found = best_faces(pyramid, aligner.bank, corners, COARSE, 0.7)
    found = found.select(found.score > 0.1)
    for side, freedom, steps in ((COARSE, "affine", 6), (FINE, "affine", 5), (FINE, "homography", 4)):
        moved, _ = aligner.refine(pyramid, found.corners, found.face, side, 0.6, freedom, steps)
        found = best_faces(pyramid, aligner.bank, moved, side, 0.6)
        found = found.select((found.score > 0.3) & (areas(found.corners) > 15.0**2))
    return found


def place(pyramid: Pyramid, aligner: Aligner, plane: Plane, poses: Doubles) -> Detections:
    """Align poses (N, 3) on the table, by shift and turn only; returns detections with the plane's outlines.

    At few pixels a wrong turn may look best, so that up to three turns of each pose are followed.
    """
    if not len(poses):
        return Detections.none()
    found = best_turns(pyramid, aligner.bank, plane.outlines(poses), COARSE, 0.7)
    for side, steps in ((COARSE, 6), (FINE, 6)):
        moved, _ = aligner.refine(pyramid, found.corners, found.face, side, 0.6, "placed", steps)
        moved = plane.outlines(plane.poses(moved))
        found = best_faces(pyramid, aligner.bank, moved, side, 0.6)
        found = found.select(found.score > 0.25)
    return found


def settle(pyramid: Pyramid, aligner: Aligner, cards: Detections, plane: Plane) -> tuple[Detections, Plane]:
    """Refine every card freely, fit the plane to all, and lay the cards flat on it."""
    free, _ = aligner.refine(pyramid, cards.corners, cards.face, FINE, 0.5, "affine", 4)
    fitted = fit_plane(free, plane.aspect, pyramid.size)
    if fitted is not None and fitted[1].mean() > 0.6:
        plane = fitted[0]
    corners = plane.outlines(plane.poses(free))
    corners, _ = aligner.refine(pyramid, corners, cards.face, FINE, 0.5, "placed", 3)
    corners = plane.outlines(plane.poses(corners))
    found = best_faces(pyramid, aligner.bank, corners, FINE, 0.5)
    return found.select(found.score >= 0.5 * IS_CARD), plane


def distinct(cards: Detections) -> Detections:
    """Of detections in one place the one that correlates best."""
    order = np.argsort(-cards.score, kind="stable")
    centre = cards.corners.mean(axis=1)
    side = np.sqrt(np.abs(areas(cards.corners)))
    kept: list[int] = []
    for i in order:
        if kept:
            near = np.hypot(*(centre[kept] - centre[i]).T) / np.minimum(side[kept], side[i])
            if float(near.min()) < SAME_PLACE:
                continue
        kept.append(int(i))
    return cards.select(np.array(sorted(kept), dtype=np.intp))


def uncovered(pyramid: Pyramid, bank: FaceBank, plane: Plane, fresh: Detections, cards: Detections) -> Detections:
    """Detections scored by what shows of them beside `cards` that lie over them; those that hardly show are dropped.

    Cards of a deck look alike, so the picture half-way between two cards resembles a card as well; what is left of
    it when the cards are taken away does not.
    """
    if not len(fresh):
        return fresh
    templates = bank.at(FINE, 0.5)
    width, height = templates.size
    all_cards = np.concatenate([plane.poses(fresh.corners), plane.poses(cards.corners)])
    order = np.concatenate([fresh.score, cards.score + 1])
    column, row = np.meshgrid((np.arange(width) + 0.5) / width - 0.5, (np.arange(height) + 0.5) / height - 0.5)
    pixels = np.stack([column, row * plane.aspect], axis=-1)
    score = fresh.score.copy()
    for i in range(len(fresh)):
        x, y, turn = all_cards[i]
        rivals = all_cards[(order > order[i]) & (np.hypot(*(all_cards[:, :2] - [x, y]).T) < 1.5 * plane.aspect)]
        c, s = np.cos(turn), np.sin(turn)
        spots = pixels @ np.array([[c, s], [-s, c]]) + [x, y]
        shows = templates.mask.copy()
        for rx, ry, rturn in rivals:
            rc, rs = np.cos(rturn), np.sin(rturn)
            local = (spots - [rx, ry]) @ np.array([[rc, -rs], [rs, rc]])
            shows[(np.abs(local[..., 0]) < 0.5) & (np.abs(local[..., 1]) < 0.5 * plane.aspect)] = 0
        share = float(shows.sum() / templates.mask.sum())
        if share > 1 - COVERED:
            continue
        if share < LEAST_VISIBLE:
            score[i] = 0
            continue
        patch = normalise(pyramid.cut(fresh.corners[i : i + 1], templates.size), shows)
        score[i] = float((patch @ normalise(templates.images, shows).T).max())
    kept = fresh.score * 0 + score
    return Detections(fresh.corners, fresh.face, kept.astype(np.float32)).select(score >= MAYBE_CARD)


def _new_only(fresh: Detections, cards: Detections, plane: Plane) -> Detections:
    """Detections that are not where a card is already known."""
    if not len(fresh) or not len(cards):
        return fresh
    known, tried = plane.poses(cards.corners)[:, :2], plane.poses(fresh.corners)[:, :2]
    distance = np.hypot(*(tried[:, None] - known[None]).transpose(2, 0, 1)).min(axis=1)
    return fresh.select(distance >= SAME_PLACE)


def _voted(pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections) -> Doubles:
    """Poses (N, 3) that two features or more vote for on the table seen from above, away from known cards.

    Seen from above there is no tilt and the size of a card is known, so that few votes say much.
    """
    view, to_table = view_from_above(plane, pyramid, ABOVE_SIDE)
    votes = cast_votes(np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), dtype=np.uint8), feature_bank(bank))
    part = votes.select(np.abs(np.log(np.maximum(votes.side, 1) * to_table[0, 0])) < 0.3)
    spot = part.centre @ to_table[:, :2].T + to_table[:, 2]
    known = plane.poses(cards.corners)[:, :2]
    apart = np.hypot(*(spot[:, None] - known[None]).transpose(2, 0, 1)).min(axis=1, initial=9.0) >= SAME_PLACE
    spot, feature, direction = spot[apart], part.feature[apart], np.exp(1j * part.angle[apart])
    free = np.ones(len(spot), dtype=bool)
    near_count = _count_near(spot)
    poses = []
    for i in np.argsort(-near_count, kind="stable"):
        if near_count[i] < 2 or len(poses) >= 100:
            break
        if not free[i]:
            continue
        close = free & (np.hypot(*(spot - spot[i]).T) < 0.25) & ((direction * np.conj(direction[i])).real > 0.87)
        free[i] = False
        if len(np.unique(feature[close])) < 2:
            continue
        free &= ~close
        poses.append([*spot[close].mean(axis=0), float(np.angle(direction[close].mean()))])
    return np.array(poses).reshape(-1, 3)


def _count_near(spot: Doubles) -> NDArray[np.intp]:
    """How many other points share each point's cell of a quarter card."""
    cell = np.floor(spot / 0.3).astype(np.int64)
    key = cell[:, 0] * 1_000_003 + cell[:, 1]
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse], dtype=np.intp)


def _beside(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections, before: Doubles | None = None
) -> Doubles:
    """Poses (N, 3) beside sure cards, found by sliding every face over the places next to each card.

    The window reaches 0.4 of a card to every side, and a few angles are tried. Places beside the poses `before`
    (M, 3) have been looked at already.
    """
    bank = aligner.bank
    poses = plane.poses(cards.corners)
    if before is not None and len(before):
        gap = np.hypot(*(poses[:, None, :2] - before[None, :, :2]).transpose(2, 0, 1)).min(axis=1)
        poses, everywhere = poses[gap > 0.2], poses
    else:
        everywhere = poses
    wide, high = 1.05, 1.05 * bank.aspect
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    spots = []
    for dx, dy in ((wide, 0.0), (-wide, 0.0), (0.0, high), (0.0, -high)):
        spots.append(np.stack([poses[:, 0] + cos * dx - sin * dy, poses[:, 1] + sin * dx + cos * dy, poses[:, 2]], 1))
    cells = np.concatenate(spots)
    if not len(cells):
        return np.empty((0, 3))
    taken = np.hypot(*(cells[:, None, :2] - everywhere[None, :, :2]).transpose(2, 0, 1)).min(axis=1) < 0.7
    inside = _inside(plane.outlines(cells), pyramid.size)
    cells = cells[~taken & inside]
    kept: list[int] = []
    for i in range(len(cells)):
        if not kept or np.hypot(*(cells[kept, :2] - cells[i, :2]).T).min() > 0.3:
            kept.append(i)
    return slide(pyramid, aligner, plane, cells[kept])


def slide(pyramid: Pyramid, aligner: Aligner, plane: Plane, cells: Doubles, reach: float = 0.4) -> Doubles:
    """The best pose of any face near each of `cells` (N, 3), by normalised correlation at `COARSE` pixels a card."""
    if not len(cells):
        return np.empty((0, 3))
    bank = aligner.bank
    templates = bank.at(COARSE, 0.7)
    width, height = templates.size
    border = round(reach * COARSE)
    size = (width + 2 * border, height + 2 * border)
    angles = np.deg2rad([-12.0, -6.0, 0.0, 6.0, 12.0])
    tried = np.repeat(cells, len(angles), axis=0)
    tried[:, 2] += np.tile(angles, len(cells))
    grown = tried.copy()
    corners = _scaled_outlines(plane, grown, size[0] / width, size[1] / height)
    windows = pyramid.cut(corners, size)
    steps = (0, 1, 2, 3) if bank.is_square else (0, 2)
    vectors = np.concatenate(
        [normalise(np.rot90(templates.images, -k, axes=(1, 2)), np.rot90(templates.mask, -k)) for k in steps]
    )
    stride = 2
    offsets = range(0, 2 * border + 1, stride)
    out = []
    per_cell = len(angles)
    for i in range(len(cells)):
        block = windows[i * per_cell : (i + 1) * per_cell]
        patches = np.stack([block[:, y : y + height, x : x + width] for y in offsets for x in offsets], axis=1)
        scores = normalise(patches.reshape(-1, height, width, 3), templates.mask) @ vectors.T
        best = int(scores.max(axis=1).argmax())
        angle, spot = divmod(best, len(offsets) ** 2)
        row, column = divmod(spot, len(offsets))
        turn = int(scores[best].argmax()) // len(bank.face_ids)
        x, y, heading = tried[i * per_cell + angle]
        du, dv = (column * stride - border) / COARSE, (row * stride - border) / COARSE
        c, s = np.cos(heading), np.sin(heading)
        out.append([x + c * du - s * dv, y + s * du + c * dv, heading + steps[turn] * np.pi / 2])
    return np.array(out)


def _scaled_outlines(plane: Plane, poses: Doubles, wider: float, higher: float) -> Doubles:
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * [wider, higher * plane.aspect]
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turn = np.stack([np.stack([cos, -sin], 1), np.stack([sin, cos], 1)], 1)
    return plane.image(np.einsum("nij,kj->nki", turn, half) + poses[:, None, :2])


def _inside(corners: Doubles, size: tuple[int, int]) -> Bools:
    """Whether a quad's centre lies in the picture."""
    centre = corners.mean(axis=1)
    return np.asarray(((centre > 0) & (centre < np.array(size))).all(axis=1) & np.isfinite(corners).all(axis=(1, 2)))
