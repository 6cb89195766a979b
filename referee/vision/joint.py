"""Place and face of a half-hidden card, found together.

Of a card under another only a strip or two show. With a wrong face it comes to rest beside its true place, by the
width of a printed edge, and there the wrong face may even look right. So each likely face is aligned for itself, from
a few places around, and the pairs of face and place are compared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Aligner, Doubles, Pyramid
from referee.vision.facebank import FINE, Bools, Floats, Templates
from referee.vision.layers import PART_PRICE
from referee.vision.likeness import Light, colour_scores
from referee.vision.plane import Plane, around
from referee.vision.verify import WHOLE, Detections, Layers, face_scores, unlike

PAIRS, PLAIN_PAIRS, STARTS = 16, 6, 2
"""How many pairs of face and start are aligned, those that correlate best and those whose colours fit best, and from
how many starts each face at most."""
ROUNDS, FOLLOWED = 4, 3
"""How often the search goes on from the best places found so far, and from how many of them."""
EXPLAINED, GAIN = 0.68, 0.005
"""Evidence from which on a face explains the picture, so that the search ends, and how much a round must gain."""
ERROR_PRICE = 0.2
"""What the error of the colours costs, in units of the usual one."""
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

    own: `cards` are the known ones themselves; those that are explained well are left alone.
    """
    layers = Layers.of(pyramid, aligner.bank, plane, known)
    templates = aligner.bank.at(FINE, _BLUR)
    shows = layers.hide(cards.corners, cards.face, FINE, _BLUR, own)
    if shows is None:
        return cards
    share = shows.sum(axis=(1, 2)) / templates.mask.sum()
    now = explained(pyramid, templates, layers.light, cards.corners, cards.face, shows)
    now = now - PART_PRICE * (1 - share)
    hidden, restless = share < WHOLE, own & (cards.score < RESTLESS)
    looked_at = (hidden | restless) & ~aligner.bank.lies_on_others[cards.face]
    looked_at &= (now < EXPLAINED) if own else (cards.score > LEAST)
    corners, face = cards.corners.copy(), cards.face.copy()
    score, visible = cards.score.copy(), cards.visible.copy()
    for i in np.flatnonzero(looked_at):
        # A card that may lie wrong must not hide the place where it ought to lie.
        others = layers if hidden[i] or not own else layers.without(int(i))
        found = hypotheses(pyramid, aligner, plane, others, cards.corners[i], STEP if hidden[i] else FAR)
        if not len(found) or (not hidden[i] and found.evidence[0] < now[i] + BETTER):
            continue
        corners[i], face[i], score[i], visible[i] = (
            found.corners[0],
            found.face[0],
            found.score[0],
            found.visible[0],
        )
    return Detections(corners, face, score, visible)


def hypotheses(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, layers: Layers, corners: Doubles, step: float
) -> Detections:
    """Likely faces of one card (4, 2), each aligned for itself; the first explains the picture best.

    A first round starts `step` card sides around; where no face explains the picture, the best ones may have come to
    rest beside the true place, and the next round starts around those.
    """
    pose = plane.poses(corners[None])
    found = _aligned_around(pyramid, aligner, plane, layers, pose, step)
    found = found.select(_near(plane, found, pose[0], 3 * step))
    for _ in range(ROUNDS - 1):
        if not len(found) or found.evidence.max() >= EXPLAINED:
            break
        order = np.argsort(-found.evidence, kind="stable")
        best = unlike(found.select(order[:PAIRS]), plane)
        best = best.select(np.argsort(-best.evidence, kind="stable")[:FOLLOWED])
        more = _aligned_around(pyramid, aligner, plane, layers, plane.poses(best.corners), step)
        more = more.select(_near(plane, more, pose[0], 3 * step))
        better = len(more) > 0 and more.evidence.max() > found.evidence.max() + GAIN
        found = found.plus(more)
        if not better:
            break
    return found.select(np.argsort(-found.evidence, kind="stable"))


def _near(plane: Plane, found: Detections, pose: Doubles, most: float) -> Bools:
    return np.asarray(np.abs(plane.poses(found.corners)[:, :2] - pose[:2]).max(axis=1) < most)


def _aligned_around(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, layers: Layers, poses: Doubles, step: float
) -> Detections:
    """The likeliest pairs of face and start, `step` card sides around poses (N, 3), aligned; scored by how well they
    explain what is seen."""
    bank = aligner.bank
    templates = bank.at(FINE, _BLUR)
    shifts = step * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    starts = np.column_stack([around(poses, shifts).reshape(-1, 2), np.repeat(poses[:, 2], len(shifts))])
    quads = plane.outlines(starts)
    scores, _ = face_scores(pyramid, bank, quads, FINE, _BLUR, layers)
    start, likely = _likely_pairs(scores.reshape(len(starts), -1), PAIRS)
    if layers.light is not None:
        patches, shows = pyramid.cut(quads, templates.size), _shows(layers, templates, quads, None)
        colours = colour_scores(patches, shows, templates, bank.turns, layers.light, quads[0])
        plain = _likely_pairs(colours.reshape(len(starts), -1), PLAIN_PAIRS)
        start, likely = np.concatenate([start, plain[0]]), np.concatenate([likely, plain[1]])
    turn, face = np.divmod(likely, len(bank.face_ids))
    rolled = np.stack([np.roll(quads[s], -bank.turns[t], axis=0) for s, t in zip(start, turn, strict=True)])
    shows = layers.hide(rolled, face, FINE, _BLUR)
    moved = aligner.refine(pyramid, rolled, face, FINE, _BLUR, "placed", 6, shows)
    moved = plane.outlines(plane.poses(moved))
    shows = _shows(layers, templates, moved, face)
    visible = (shows.sum(axis=(1, 2)) / templates.mask.sum()).astype(np.float32)
    score = explained(pyramid, templates, layers.light, moved, face, shows)
    return Detections(moved, face.astype(np.intp), score, visible)


def _shows(layers: Layers, templates: Templates, quads: Doubles, face: NDArray[np.intp] | None) -> Floats:
    """(N, h, w) what shows of cards, all of the mask where nothing hides them."""
    shows = layers.hide(quads, face, templates.short_side, templates.blur)
    return np.repeat(templates.mask[None], len(quads), axis=0) if shows is None else np.asarray(shows)


def explained(
    pyramid: Pyramid,
    templates: Templates,
    light: Light | None,
    corners: Doubles,
    face: NDArray[np.intp],
    shows: Floats,
) -> Floats:
    """(N,) how well faces explain what shows at quads (N, 4, 2) in this light: 1 exactly. Unlike correlations, these can
    be compared between plain faces and rich ones."""
    if light is None:
        return np.zeros(len(corners), np.float32)
    error, _ = light.errors(pyramid.cut(corners, templates.size), templates.images[face], shows, corners)
    return np.asarray(1 - ERROR_PRICE * error / light.usual, dtype=np.float32)


def _likely_pairs(scores: Floats, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The best pairs (start, face) of scores (S, K), each face from `STARTS` starts at most."""
    count = min(STARTS, len(scores))
    start = np.argsort(-scores, axis=0, kind="stable")[:count]
    best = np.take_along_axis(scores, start, axis=0)
    order = np.argsort(-best, axis=None, kind="stable")[:most]
    row, face = np.unravel_index(order, best.shape)
    return start[row, face], face
