"""Place and face of a half-hidden card, found together.

Of a card under another only a strip or two show. With a wrong face it comes to rest beside its true place, by the
width of a printed edge, and there the wrong face may even look right. So each likely face is aligned for itself, from
a few places around, and the pairs of face and place are compared.
"""

from __future__ import annotations

import numpy as np

from referee.vision.align import Aligner, Doubles, Pyramid
from referee.vision.facebank import FINE
from referee.vision.plane import Plane
from referee.vision.verify import WHOLE, Detections, Layers, face_scores

FACES = 8
"""How many faces are aligned for themselves."""
STEP = 0.07
"""How far around, in card sides, the alignment also starts: about the width of a printed edge."""
FAR = 0.3
"""The same for a card that shows wholly and yet fits poorly: it may lie across two true ones."""
RESTLESS, BETTER = 0.93, 0.04
"""Correlation below which a card that shows wholly is tried farther around, and how much better that must be."""
LEAST = 0.3
"""Score below which a candidate is not worth it (range 0..1)."""
_BLUR = 0.6


def place_jointly(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections, known: Detections, own: bool
) -> Detections:
    """Cards of which part is hidden by `known` ones, each with the pair of face and place that explains it best.

    own: `cards` are the known ones themselves.
    """
    layers = Layers.of(pyramid, aligner.bank, plane, known)
    shows = layers.hide(cards.corners, cards.face, FINE, _BLUR, own)
    if shows is None:
        return cards
    share = shows.sum(axis=(1, 2)) / aligner.bank.at(FINE, _BLUR).mask.sum()
    corners, face = cards.corners.copy(), cards.face.copy()
    score, visible = cards.score.copy(), cards.visible.copy()
    hidden, restless = share < WHOLE, own & (cards.score < RESTLESS)
    looked_at = (hidden | restless) & ~aligner.bank.lies_on_others[cards.face] & (cards.score > LEAST)
    for i in np.flatnonzero(looked_at):
        # A card that may lie wrong must not hide the place where it ought to lie.
        others = layers if hidden[i] or not own else layers.without(int(i))
        found = hypotheses(pyramid, aligner, plane, others, cards.corners[i], STEP if hidden[i] else FAR)
        if not len(found):
            continue
        best = int(found.evidence.argmax())
        if not hidden[i] and found.evidence[best] < cards.evidence[i] + BETTER:
            continue
        corners[i], face[i], score[i] = found.corners[best], found.face[best], found.score[best]
        visible[i] = found.visible[best]
    return Detections(corners, face, score, visible)


def hypotheses(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, layers: Layers, corners: Doubles, step: float
) -> Detections:
    """Every likely face of one card (4, 2), aligned for itself from starts `step` card sides around; the evidence
    tells which explains the picture best."""
    bank = aligner.bank
    pose = plane.poses(corners[None])[0]
    shifts = step * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    starts = np.column_stack([pose[:2] + shifts @ np.array([[cos, sin], [-sin, cos]]), np.full(len(shifts), pose[2])])
    quads = plane.outlines(starts)
    scores, _ = face_scores(pyramid, bank, quads, FINE, _BLUR, layers)
    flat = scores.reshape(len(starts), -1)
    top = np.argsort(-flat, axis=1, kind="stable")[:, :FACES]
    start = np.repeat(np.arange(len(starts)), FACES)
    turn, face = np.divmod(top.ravel(), len(bank.face_ids))
    rolled = np.stack([np.roll(quads[s], -bank.turns[t], axis=0) for s, t in zip(start, turn, strict=True)])
    shows = layers.hide(rolled, face, FINE, _BLUR)
    moved = aligner.refine(pyramid, rolled, face, FINE, _BLUR, "placed", 6, shows)
    moved = plane.outlines(plane.poses(moved))
    near = np.abs(plane.poses(moved)[:, :2] - pose[:2]).max(axis=1) < 3 * step
    moved, face = moved[near], face[near]
    if not len(moved):
        return Detections.none()
    scores, visible = face_scores(pyramid, bank, moved, FINE, _BLUR, layers)
    own = scores[np.arange(len(moved)), 0, face]
    return Detections(moved, face.astype(np.intp), own.astype(np.float32), visible)
