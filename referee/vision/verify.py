"""Is there a card of the deck at this outline? Quads are aligned to the faces and scored by normalised correlation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Aligner, Doubles, Pyramid, areas
from referee.vision.facebank import COARSE, FINE, FaceBank, Floats, normalise
from referee.vision.plane import Bools, Plane, fit_plane

IS_CARD = 0.70
"""Normalised correlation with the best face above which a quad is a card of the deck (range 0..1)."""
MAYBE_CARD = 0.45
"""Below `IS_CARD` but above this, something is there that the deck may explain: looked at again, then doubtful."""
HIDDEN = 0.1
"""Share of a card that must be hidden for it to be treated as partly hidden (range 0..1)."""
SAME_PLACE = 0.5
"""Two detections whose centres are nearer than this, in card sides, are one card."""


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Cards found. corners: (N, 4, 2) px, from the face's own top left; face: (N,) index; score: (N,) correlation;
    visible: (N,) share of the card that shows (0..1)."""

    corners: Doubles
    face: NDArray[np.intp]
    score: Floats
    visible: Floats

    @classmethod
    def none(cls) -> Detections:
        return cls(np.empty((0, 4, 2)), np.empty(0, np.intp), np.empty(0, np.float32), np.empty(0, np.float32))

    def select(self, keep: Bools | NDArray[np.intp]) -> Detections:
        return Detections(self.corners[keep], self.face[keep], self.score[keep], self.visible[keep])

    def plus(self, other: Detections) -> Detections:
        return Detections(
            np.concatenate([self.corners, other.corners]),
            np.concatenate([self.face, other.face]),
            np.concatenate([self.score, other.score]),
            np.concatenate([self.visible, other.visible]),
        )

    def __len__(self) -> int:
        return len(self.score)


def verify(pyramid: Pyramid, aligner: Aligner, corners: Doubles) -> Detections:
    """Align quads of unknown accuracy to the faces, with no plane yet; the score tells which are cards."""
    found = best_faces(pyramid, aligner.bank, corners, COARSE, 0.7)
    found = found.select(found.score > 0.1)
    for side, freedom, steps in ((COARSE, "affine", 6), (FINE, "affine", 5), (FINE, "homography", 4)):
        if not len(found):
            break
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
    # A card that is partly hidden keeps what was found out about its visible part.
    hidden = cards.visible < 1 - HIDDEN
    found = Detections(
        np.where(hidden[:, None, None], corners, found.corners),
        np.where(hidden, cards.face, found.face),
        np.where(hidden, cards.score, found.score),
        cards.visible,
    )
    return found.select(found.score >= 0.5 * IS_CARD), plane


def best_faces(pyramid: Pyramid, bank: FaceBank, corners: Doubles, short_side: int, blur: float = 0.5) -> Detections:
    """For each quad (N, 4, 2) the face and the turn that correlate best; corners are rolled to the face's top left."""
    if not len(corners):
        return Detections.none()
    scores, steps = _turn_scores(pyramid, bank, corners, short_side, blur)
    flat = scores.reshape(len(corners), -1)
    best = flat.argmax(axis=1)
    turn = np.array(steps)[best // len(bank.face_ids)]
    rolled = np.stack([np.roll(q, -k, axis=0) for q, k in zip(corners, turn, strict=True)])
    score = flat.max(axis=1)
    return Detections(
        rolled, (best % len(bank.face_ids)).astype(np.intp), score.astype(np.float32), np.ones(len(rolled), np.float32)
    )


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
        np.array(rolled).reshape(-1, 4, 2),
        face[quad, turn].astype(np.intp),
        score[quad, turn].astype(np.float32),
        np.ones(len(quad), np.float32),
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


def new_only(fresh: Detections, cards: Detections, plane: Plane) -> Detections:
    """Detections that are not where a card is already known."""
    if not len(fresh) or not len(cards):
        return fresh
    known, tried = plane.poses(cards.corners)[:, :2], plane.poses(fresh.corners)[:, :2]
    distance = np.hypot(*(tried[:, None] - known[None]).transpose(2, 0, 1)).min(axis=1)
    return fresh.select(distance >= SAME_PLACE)
