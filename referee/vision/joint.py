"""Place and face of a half-hidden card, found together.

Of a card under another only a strip or two show. With a wrong face it comes to rest beside its true place, by the
width of a printed edge, and there the wrong face may even look right. So each likely face is aligned for itself, from
a few places around, and the pairs of face and place are compared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Aligner, Doubles, Pyramid
from referee.vision.candidates import cells_beside, those_in
from referee.vision.covering import overlaps
from referee.vision.facebank import COARSE, FINE, Bools, Floats, Templates, planar
from referee.vision.layers import LEAST_VISIBLE
from referee.vision.likeness import Light, colour_scores
from referee.vision.places import Places
from referee.vision.plane import Plane, around
from referee.vision.seen_table import STANDS_OUT, SeenTable, strange_share
from referee.vision.verify import HIDDEN, WHOLE, Detections, Layers, distinct, face_scores, new_only, unlike

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
LEAST = 0.33
"""Evidence below which a candidate is not worth it (range 0..1). Measured on 21 photographs of three looks, as the next
two: 105 true cards have 0.4 and more, a quarter of the 392 others less than 0.33."""
STRANGE_COLOURS = 2.8
"""Error of the colours, in units of the usual one, that some face must not exceed at one of the starts for alignment to
be worth it. Measured: true cards 2.4 at most, a quarter of the others more than 2.6."""
HOPEFUL = 0.5
"""Evidence that a first round must reach for another to follow. Measured: of 267 true cards one has less, of the others
a quarter."""
WORTH_A_SEARCH, UNPLACED = 0.4, 8
"""Evidence of a coarsely aligned guess from which on its place is searched, and how many such places in a round."""
BLUR = 0.6


def place_jointly(pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections, known: Detections) -> Detections:
    """Cards of which part is hidden by `known` ones, each with the pair of face and place that explains it best."""
    layers = Layers.of(pyramid, aligner.bank, plane, known)
    shows = layers.hide(cards.corners, cards.face, FINE, BLUR)
    if shows is None:
        return cards
    share = shows.sum(axis=(1, 2)) / aligner.bank.at(FINE, BLUR).mask.sum()
    hidden = (share < WHOLE) & (share >= LEAST_VISIBLE) & ~aligner.bank.lies_on_others[cards.face]
    hidden &= cards.evidence > LEAST
    out = cards
    for i in np.flatnonzero(hidden):
        found = hypotheses(pyramid, aligner, plane, layers, cards.corners[i], STEP)
        if len(found):
            out = out.replaced(int(i), found)
    return out


def unplaced(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, guesses: Detections, cards: Detections, placed: Detections
) -> Detections:
    """Of guesses of half-hidden cards those that explain places where nothing is known or `placed`, one in each place,
    the best few."""
    lower = guesses.select((guesses.visible < WHOLE) & ~aligner.bank.lies_on_others[guesses.face])
    if not len(lower):
        return lower
    layers = Layers.of(pyramid, aligner.bank, plane, cards)
    aligned = _aligned(pyramid, aligner, plane, layers, lower.corners, lower.face, COARSE, 5)
    aligned = aligned.select((aligned.evidence > WORTH_A_SEARCH) & (aligned.visible >= LEAST_VISIBLE))
    aligned = new_only(distinct(aligned, plane), cards.plus(placed), plane)
    return aligned.select(np.argsort(-aligned.evidence, kind="stable")[:UNPLACED])


def flush(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections, where: Places | None = None
) -> Detections:
    """Cards that lie straight beside known ones (in certain places only, if `where` is given), each with the pair of
    face and place that explains it best: where cards that lie on others hide them in part, or no table shows.

    What peeks out of such a card may look like part of another one half a card away, and a plain face like one a
    printed edge away; from there the search does not come back. Most cards are laid flush, so that it starts from where
    they would lie.
    """
    on_top = aligner.bank.lies_on_others[cards.face]
    cells = those_in(where, cells_beside(plane, cards.select(~on_top), pyramid.size, gap=0.01), plane.aspect)
    if not len(cells):
        return Detections.none()
    there = overlaps(cells, plane.poses(cards.corners[on_top]), plane.aspect).max(axis=1, initial=0.0) > HIDDEN
    there[~there] = strange_share(plane, cells[~there], cards, SeenTable.of(pyramid, plane, cards)) >= STANDS_OUT
    quads = plane.outlines(cells[there])
    layers = Layers.of(pyramid, aligner.bank, plane, cards)
    visible = layers.shows(quads, None, FINE, BLUR).sum(axis=(1, 2)) / aligner.bank.at(FINE, BLUR).mask.sum()
    out = Detections.none()
    for quad in quads[visible >= LEAST_VISIBLE]:
        found = hypotheses(pyramid, aligner, plane, layers, quad, STEP, enough=1.0)
        out = out.plus(found.select(np.arange(min(1, int((found.evidence > LEAST).sum())))))
    return distinct(out, plane)


def hypotheses(
    pyramid: Pyramid,
    aligner: Aligner,
    plane: Plane,
    layers: Layers,
    corners: Doubles,
    step: float,
    enough: float = EXPLAINED,
) -> Detections:
    """Likely faces of one card (4, 2), each aligned for itself; the first explains the picture best.

    A first round starts `step` card sides around; where no face explains the picture, the best ones may have come to
    rest beside the true place, and the next round starts around those. enough: evidence that ends the search.
    """
    pose = plane.poses(corners[None])
    found = _aligned_around(pyramid, aligner, plane, layers, pose, step)
    found = found.select(_near(plane, found, pose[0], 3 * step))
    for _ in range(ROUNDS - 1):
        if not len(found) or not HOPEFUL <= found.evidence.max() < enough:
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
    templates = bank.at(FINE, BLUR)
    starts = starts_around(poses, (step,))
    quads = plane.outlines(starts)
    plain: tuple[NDArray[np.intp], ...] = (np.empty(0, np.intp),) * 2
    if layers.light is not None:
        patches, shows = pyramid.cut(quads, templates.size), layers.shows(quads, None, FINE, BLUR)
        colours = colour_scores(patches, shows, templates, bank.turns, layers.light, quads)
        if colours.max() < -STRANGE_COLOURS:
            return Detections.none()
        plain = _likely_pairs(colours.reshape(len(starts), -1), PLAIN_PAIRS)
    scores, _ = face_scores(pyramid, bank, quads, FINE, BLUR, layers)
    rich = _likely_pairs(scores.reshape(len(starts), -1), PAIRS)
    start, likely = (np.concatenate(pair) for pair in zip(rich, plain, strict=True))
    turn, face = np.divmod(likely, len(bank.face_ids))
    rolled = np.stack([np.roll(quads[s], -bank.turns[t], axis=0) for s, t in zip(start, turn, strict=True)])
    return _aligned(pyramid, aligner, plane, layers, rolled, face.astype(np.intp), FINE, 6)


def _aligned(
    pyramid: Pyramid,
    aligner: Aligner,
    plane: Plane,
    layers: Layers,
    corners: Doubles,
    face: NDArray[np.intp],
    side: int,
    steps: int,
) -> Detections:
    """Quads (N, 4, 2) aligned to a face each by what shows of them, on the table; the score is `explained`."""
    templates = aligner.bank.at(side, BLUR)
    hidden = layers.hide(corners, face, side, BLUR)
    moved = aligner.refine(pyramid, corners, face, side, BLUR, "placed", steps, hidden)
    moved = plane.outlines(plane.poses(moved))
    shows = layers.shows(moved, face, side, BLUR)
    visible = (shows.sum(axis=(1, 2)) / templates.mask.sum()).astype(np.float32)
    return Detections(moved, face, explained(pyramid, templates, layers.light, moved, face, shows), visible)


def starts_around(poses: Doubles, steps: tuple[float, ...]) -> Doubles:
    """((4 S + 1) N, 3) poses (N, 3) and those each of S `steps` (card sides) away to each side."""
    aside = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    shifts = np.concatenate([np.zeros((1, 2)), *(step * aside for step in steps)])
    return np.column_stack([around(poses, shifts).reshape(-1, 2), np.repeat(poses[:, 2], len(shifts))])


def explained(
    pyramid: Pyramid,
    templates: Templates,
    light: Light | None,
    corners: Doubles,
    face: NDArray[np.intp],
    shows: Floats,
) -> Floats:
    """(N,) how well faces explain what shows at quads (N, 4, 2) in this light: 1 exactly.

    Unlike a correlation, this can be compared between plain faces and rich ones.
    """
    if light is None:
        return np.zeros(len(corners), np.float32)
    seen = planar(pyramid.cut(corners, templates.size))
    error, _ = light.errors(seen, templates.planes[face], shows, corners)
    return np.asarray(1 - ERROR_PRICE * error / light.usual, dtype=np.float32)


def _likely_pairs(scores: Floats, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The best pairs (start, face) of scores (S, K), each face from `STARTS` starts at most."""
    count = min(STARTS, len(scores))
    start = np.argsort(-scores, axis=0, kind="stable")[:count]
    best = np.take_along_axis(scores, start, axis=0)
    order = np.argsort(-best, axis=None, kind="stable")[:most]
    row, face = np.unravel_index(order, best.shape)
    return start[row, face], face
