"""Place and face of a half-hidden card, found together.

Of a card under another only a strip or two show. With a wrong face it comes to rest beside its true place, by the
width of a printed edge, and there the wrong face may even look right. So each likely face is aligned for itself, from
a few places around, and the pairs of face and place are compared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Aligner, Doubles, Pyramid
from referee.vision.correlate import correlations
from referee.vision.covering import lain_upon, overlaps
from referee.vision.facebank import COARSE, FINE, Bools, FaceBank, Floats, Templates
from referee.vision.layers import LEAST_VISIBLE, PART_PRICE
from referee.vision.likeness import Light, colour_scores
from referee.vision.plane import Plane, around
from referee.vision.verify import WHOLE, Detections, Layers, distinct, face_scores, new_only, unlike

PAIRS, PLAIN_PAIRS, STARTS = 16, 6, 2
"""How many pairs of face and start are aligned, those that correlate best and those whose colours fit best, and from
how many starts each face at most."""
ROUNDS, FOLLOWED = 4, 3
"""How often the search goes on from the best places found so far, and from how many of them."""
EXPLAINED, GAIN = 0.68, 0.005
"""Evidence from which on a face explains the picture, so that the search ends, and how much a round must gain."""
ERROR_PRICE = 0.2
"""What the error of the colours costs, in units of the usual one."""
BEATEN = 1.03
"""The same factor below which it is not known what lies there."""
SHOVED = (0.3, 0.42, 0.54, 0.66, 0.78)
"""How far from a card another may lie half under it, in card sides."""
SHOVED_LEAST, SHOVED_TRIED, SHOVED_EXPLAINED, SHOVED_FITS = 0.35, 4, 0.8, 0.8
"""Evidence from which on such a place is searched, how many are, how well one must be explained there (0..1), and the
correlation of what shows (0..1)."""
SHOVED_TAKEN = 0.8
"""Share of such a place that cards on the table may cover. Measured: 0.5 of true ones, 0.98 and more of others."""
PLAINLY = 0.77
"""How well a plain face must explain what shows of it (0..1)."""
STEP = 0.07
"""How far around, in card sides, the alignment also starts: about the width of a printed edge."""
RIVALLED = 1.15
"""Factor by which every other face and place must explain a known card worse for it to be left alone. Measured: 97 of
100 cards that are read rightly, 1 of 30 that lie wrong."""
LEAST = 0.3
"""Score below which a candidate is not worth it (range 0..1)."""
WORTH_A_SEARCH, UNPLACED = 0.4, 8
"""Evidence of a coarsely aligned guess from which on its place is searched, and how many such places in a round."""
_BLUR = 0.6


def place_jointly(pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections, known: Detections) -> Detections:
    """Cards of which part is hidden by `known` ones, each with the pair of face and place that explains it best."""
    layers = Layers.of(pyramid, aligner.bank, plane, known)
    shows = layers.hide(cards.corners, cards.face, FINE, _BLUR)
    if shows is None:
        return cards
    share = shows.sum(axis=(1, 2)) / aligner.bank.at(FINE, _BLUR).mask.sum()
    hidden = (share < WHOLE) & ~aligner.bank.lies_on_others[cards.face] & (cards.score > LEAST)
    out = cards
    for i in np.flatnonzero(hidden):
        found = hypotheses(pyramid, aligner, plane, layers, cards.corners[i], STEP)
        if len(found):
            out = out.replaced(int(i), found)
    return out


def under_their_like(pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections) -> Detections:
    """Places where a card seems to lie half under another of its kind, which the search passes over as one card.

    They are no cards, only doubts: what shows must have a drawing of its own, for plain strips lie everywhere.
    """
    bank = aligner.bank
    lower = cards.select(~bank.lies_on_others[cards.face])
    layers = Layers.of(pyramid, bank, plane, cards)
    if layers.light is None or not len(lower):
        return Detections.none()
    steps = np.array([[a, b] for a in SHOVED for b in (-0.1, 0.0, 0.1)])
    shifts = np.concatenate([steps, -steps, steps[:, ::-1], -steps[:, ::-1]])
    poses = plane.poses(lower.corners)
    starts = np.column_stack([around(poses, shifts).reshape(-1, 2), np.repeat(poses[:, 2], len(shifts))])
    quads = plane.outlines(starts)
    scores, visible = face_scores(pyramid, bank, quads, COARSE, _BLUR, layers)
    best = scores.reshape(len(quads), -1).max(axis=1) - PART_PRICE * (1 - visible)
    best[(visible < LEAST_VISIBLE) | ~np.isfinite(quads).all(axis=(1, 2))] = -1
    found = Detections.none()
    kept: list[int] = []
    for i in np.argsort(-best, kind="stable"):
        if best[i] < SHOVED_LEAST or len(kept) == SHOVED_TRIED:
            break
        if kept and np.hypot(*(starts[kept, :2] - starts[i, :2]).T).min() < 0.3:
            continue
        kept.append(int(i))
        found = found.plus(_drawn(pyramid, bank, hypotheses(pyramid, aligner, plane, layers, quads[i], STEP), layers))
    # A place that known cards fill is a part of them.
    taken = overlaps(plane.poses(found.corners), poses, plane.aspect).sum(axis=1)
    return found.select(np.asarray(taken < SHOVED_TAKEN))


def _drawn(pyramid: Pyramid, bank: FaceBank, found: Detections, layers: Layers) -> Detections:
    """The first of `found`, if its face explains what shows of it and correlates with it as well."""
    if not len(found) or found.score[0] < SHOVED_EXPLAINED or found.visible[0] < LEAST_VISIBLE:
        return Detections.none()
    templates = bank.at(FINE, _BLUR)
    shows = layers.shows(found.corners[:1], found.face[:1], FINE, _BLUR)
    fit = correlations(pyramid.cut(found.corners[:1], templates.size), templates, (0,), shows)[0, 0, found.face[0]]
    return found.select(np.arange(1 if fit >= SHOVED_FITS else 0))


def unplaced(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, guesses: Detections, cards: Detections, placed: Detections
) -> Detections:
    """Of guesses of half-hidden cards those that explain places where nothing is known or `placed`, one in each place,
    the best few."""
    lower = guesses.select((guesses.visible < WHOLE) & ~aligner.bank.lies_on_others[guesses.face])
    if not len(lower):
        return lower
    layers = Layers.of(pyramid, aligner.bank, plane, cards)
    templates = aligner.bank.at(COARSE, _BLUR)
    hidden = layers.hide(lower.corners, lower.face, COARSE, _BLUR)
    moved = aligner.refine(pyramid, lower.corners, lower.face, COARSE, _BLUR, "placed", 5, hidden)
    moved = plane.outlines(plane.poses(moved))
    shows = layers.shows(moved, lower.face, COARSE, _BLUR)
    visible = (shows.sum(axis=(1, 2)) / templates.mask.sum()).astype(np.float32)
    score = explained(pyramid, templates, layers.light, moved, lower.face, shows)
    aligned = Detections(moved, lower.face, score, visible)
    aligned = aligned.select((aligned.evidence > WORTH_A_SEARCH) & (visible >= LEAST_VISIBLE))
    aligned = new_only(distinct(aligned, plane), cards.plus(placed), plane)
    return aligned.select(np.argsort(-aligned.evidence, kind="stable")[:UNPLACED])


def replace_doubtful(pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections) -> Detections:
    """Known cards, those placed and read anew that another face, or a place a printed edge away, explains as well.

    Beside others a card may seem to lie wrong by the width of a printed edge, which it then shares with its neighbour.
    """
    bank = aligner.bank
    layers = Layers.of(pyramid, bank, plane, cards)
    if layers.light is None:
        return cards
    templates = bank.at(FINE, _BLUR)
    now = explained(
        pyramid,
        templates,
        layers.light,
        cards.corners,
        cards.face,
        layers.shows(cards.corners, cards.face, FINE, _BLUR, own=True),
    )
    now -= PART_PRICE * (1 - cards.visible)
    out = cards
    for i in np.flatnonzero(~bank.lies_on_others[cards.face]):
        others = layers.without(int(i))  # a card that may lie wrong must not hide the place where it ought to lie
        if now[i] >= EXPLAINED and _rivalry(pyramid, plane, others, cards.corners[i], int(cards.face[i])) > RIVALLED:
            continue
        found = hypotheses(pyramid, aligner, plane, others, cards.corners[i], STEP)
        if len(found) and found.evidence[0] > now[i] + GAIN:
            out = out.replaced(int(i), found)
    return out


def unrivalled(pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections) -> tuple[Detections, Detections]:
    """(Known cards that no other face or place near by explains as well, those that one does)."""
    bank = aligner.bank
    layers = Layers.of(pyramid, bank, plane, cards)
    keep = np.ones(len(cards), dtype=bool)
    for i in np.flatnonzero(~bank.lies_on_others[cards.face]):
        keep[i] = _rivalry(pyramid, plane, layers.without(int(i)), cards.corners[i], int(cards.face[i])) > BEATEN
    return cards.select(keep), cards.select(~keep)


def plain_cards(pyramid: Pyramid, aligner: Aligner, plane: Plane, places: Detections, cards: Detections) -> Bools:
    """(N,) which places under cards that lie on others are explained so well by one face, and by no other, that it lies
    there unless it is table: a plain face correlates with nothing."""
    layers = Layers.of(pyramid, aligner.bank, plane, cards)
    if layers.light is None or not len(places):
        return np.zeros(len(places), dtype=bool)
    shows = layers.shows(places.corners, places.face, FINE, _BLUR)
    score = explained(pyramid, aligner.bank.at(FINE, _BLUR), layers.light, places.corners, places.face, shows)
    out = lain_upon(aligner.bank, plane, places, cards) & (score > PLAINLY) & (places.visible >= LEAST_VISIBLE)
    for i in np.flatnonzero(out):
        out[i] = _rivalry(pyramid, plane, layers, places.corners[i], int(places.face[i])) > RIVALLED
    return out


def _rivalry(pyramid: Pyramid, plane: Plane, layers: Layers, corners: Doubles, face: int) -> float:
    """By which factor the best other face or place near by explains a picture worse than `face` at `corners` does."""
    if layers.light is None:
        return np.inf
    templates = layers.bank.at(FINE, _BLUR)
    quads = plane.outlines(_starts(plane.poses(corners[None]), STEP))
    shows = layers.shows(quads, None, FINE, _BLUR)
    error = -colour_scores(pyramid.cut(quads, templates.size), shows, templates, layers.bank.turns, layers.light, quads)
    own = float(error[0, 0, face])
    error[:, 0, face] = np.inf
    return float(error.min()) / max(own, 1e-3)


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
    starts = _starts(poses, step)
    quads = plane.outlines(starts)
    scores, _ = face_scores(pyramid, bank, quads, FINE, _BLUR, layers)
    start, likely = _likely_pairs(scores.reshape(len(starts), -1), PAIRS)
    if layers.light is not None:
        patches, shows = pyramid.cut(quads, templates.size), layers.shows(quads, None, FINE, _BLUR)
        colours = colour_scores(patches, shows, templates, bank.turns, layers.light, quads)
        plain = _likely_pairs(colours.reshape(len(starts), -1), PLAIN_PAIRS)
        start, likely = np.concatenate([start, plain[0]]), np.concatenate([likely, plain[1]])
    turn, face = np.divmod(likely, len(bank.face_ids))
    rolled = np.stack([np.roll(quads[s], -bank.turns[t], axis=0) for s, t in zip(start, turn, strict=True)])
    hidden = layers.hide(rolled, face, FINE, _BLUR)
    moved = aligner.refine(pyramid, rolled, face, FINE, _BLUR, "placed", 6, hidden)
    moved = plane.outlines(plane.poses(moved))
    shows = layers.shows(moved, face, FINE, _BLUR)
    visible = (shows.sum(axis=(1, 2)) / templates.mask.sum()).astype(np.float32)
    score = explained(pyramid, templates, layers.light, moved, face, shows)
    return Detections(moved, face.astype(np.intp), score, visible)


def _starts(poses: Doubles, step: float) -> Doubles:
    """(5 N, 3) poses (N, 3) and those `step` card sides away to each side."""
    shifts = step * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
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
