"""How much a candidate is worth when part of it is hidden: under other cards, a hand or a pen, or outside the picture.

Cards of a deck look alike, so the picture half-way between two cards resembles a card as well; what is left of it
when the sure cards are taken away does not. And a card under a pencil resembles its face badly as a whole, but
exactly where the pencil is not.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pyramid
from referee.vision.correlate import correlations
from referee.vision.facebank import FINE, Bools, FaceBank, Floats, Templates, normalise, planar
from referee.vision.layers import LEAST_VISIBLE, PART_PRICE, shown
from referee.vision.likeness import BRIGHTER, Light, likeliest
from referee.vision.plane import Plane
from referee.vision.verify import IS_CARD, MAYBE_CARD, Detections

COVERED = 0.12
"""Share of a card's area that must be hidden for only the rest of it to be compared (range 0..1)."""
TOUCHED = 0.005
"""Share of a card that neighbours must hide for them to be left out of the comparison (range 0..1)."""
LEAST_BESIDE_THINGS = 0.55
"""The same beside things that are no cards, which are only guessed from the misfit (range 0..1)."""
LEAST_UNCOVERED, WHOLLY = 0.28, 0.9
"""Share of a card's blocks that must fit its face for a hand to be thought to lie on the rest, and how much of it must
lie in the picture and beside known cards (range 0..1)."""
BLOCK, BLOCK_FITS, BLOCK_DETAIL = 8, 0.8, 0.3
"""Side of such a block in pixels, the correlation it must reach (0..1), and the least contrast of its face, relative to
the most detailed block, with which it says anything."""
FITS_BESIDE_THINGS = 0.86
"""Correlation that the rest of such a card must reach (range 0..1)."""
AS_USUAL = 1.5
"""Error of a candidate's colours, in units of the sure cards' own, up to which it is as they are. Measured: 95 of 100
true cards of seven looks."""
FOREIGN, FOREIGN_PLAIN = 2.2, 1.7
"""The same from which on it is no card of this deck in this light; the second for cards that others are laid on, with
nothing but their brightness free. Measured: 99 of 100 true cards, 9 of 10 false ones on cardboard-coloured wood."""
VEILED = 1.1
"""The same, with a veil and a shadow free, up to which such a card may be one all the same."""
STRONG = 0.93
"""Correlation from which on the shape alone tells that it is a card (range 0..1)."""
RICH, COLOURS_OFF = 0.6, 0.1
"""Detail of a face from which on such a shape tells whatever its colours, and what is taken off for these (0..1)."""
PLAIN = 0.5
"""Correlation that a card of the right colours must reach (range 0..1)."""
FRAME_PRICE = 0.2
"""By how much more a face must be met of which only the frame is drawn. Measured on 35 photographs: 449 of 455 true
cards that nothing lies on are, 66 of 108 false ones."""
SUSPICIOUS = 0.56
"""Score from which on something that is not good enough for a card is reported as perhaps one (0..1)."""
LEAST_PEEKING = 0.15
"""Share of a card that must show from under another for it to be reported as perhaps one (range 0..1)."""
EVIDENCE_RIM = 0.03
"""How far beside a known card its thickness and shadow may look like print of its neighbour, in short sides."""
BLOWN = 250
"""Grey level from which on a pixel has lost its colour to glare."""
_BLUR = 0.6


def weigh(pyramid: Pyramid, bank: FaceBank, plane: Plane, fresh: Detections, cards: Detections) -> Detections:
    """Score candidates by what shows of them beside `cards` and, best first, beside each other; set `visible`."""
    weighed = _weigh(pyramid, bank, plane, fresh, cards)
    if not len(weighed):
        return weighed
    poses = plane.poses(weighed.corners)
    rank = weighed.evidence + 10 * (bank.lies_on_others[weighed.face] & (weighed.score >= IS_CARD))
    taken = cards
    out = []
    for i in np.argsort(-rank, kind="stable"):
        one = weighed.select(np.array([i]))
        shared = overlaps(poses[i : i + 1], plane.poses(taken.corners[len(cards) :]), plane.aspect)[0]
        if one.score[0] >= MAYBE_CARD and (shared > 0.02).any():
            again = fresh.select(np.array([i]))
            again = Detections(one.corners, one.face, again.score, again.visible)
            one = _weigh(pyramid, bank, plane, again, taken)
        if one.score[0] >= IS_CARD:
            taken = taken.plus(one)
        out.append(one)
    back = np.argsort(np.argsort(-rank, kind="stable"))
    return Detections(
        np.concatenate([o.corners for o in out])[back],
        np.concatenate([o.face for o in out])[back],
        np.concatenate([o.score for o in out])[back],
        np.concatenate([o.visible for o in out])[back],
    )


def overlaps(poses: Doubles, others: Doubles, aspect: float) -> Doubles:
    """(N, M) which share of a card's area two cards have in common.

    `cv2.intersectConvexConvex` would take some cards that touch in a corner for one.
    """
    out = np.zeros((len(poses), len(others)))
    first, second = ([((x, y), (1.0, aspect), np.rad2deg(turn)) for x, y, turn in p] for p in (poses, others))
    near = np.hypot(*(poses[:, None, :2] - others[None, :, :2]).transpose(2, 0, 1)) < np.hypot(1, aspect)
    for i, j in np.argwhere(near):
        kind, points = cv2.rotatedRectangleIntersection(first[i], second[j])
        if kind != cv2.INTERSECT_NONE:
            out[i, j] = cv2.contourArea(cv2.convexHull(points)) / aspect
    return out


def _weigh(pyramid: Pyramid, bank: FaceBank, plane: Plane, fresh: Detections, cards: Detections) -> Detections:
    """Score candidates by what shows of them beside `cards` alone.

    Those that hardly show, or whose colours are not those of a card in this light, get the score 0.
    """
    if not len(fresh):
        return fresh
    templates = bank.at(FINE, _BLUR)
    light = _light(pyramid, bank, plane, templates, cards)
    seen = _Seen.of(pyramid, bank, plane, templates, fresh, cards)
    score, face = _by_what_shows(bank, templates, light, seen)
    pictures = templates.images[face]
    colours = _Colours.of(bank, templates, light, seen, face)
    partly = np.zeros(len(fresh), dtype=bool)
    misfits = (seen.share >= LEAST_VISIBLE) & (score > 0.35) & (score < FITS_BESIDE_THINGS) & (colours.off > AS_USUAL)
    for i in map(int, np.flatnonzero(misfits)):
        patch, shows = seen.patches[i], seen.shows[i]
        if seen.share[i] > WHOLLY:
            partly[i] = fitting_blocks(patch, pictures[i], shows) >= LEAST_UNCOVERED
        free = _fitting(patch, pictures[i], shows)
        left = float(free.sum() / templates.mask.sum())
        if left >= LEAST_BESIDE_THINGS and free.sum() < 0.97 * shows.sum():
            fit = _correlation(patch, pictures[i], free)
            if fit >= FITS_BESIDE_THINGS:
                score[i], seen.share[i] = max(score[i], IS_CARD, fit - 0.1), left
                if light is not None:
                    one = slice(i, i + 1)
                    patches, drawn = planar(seen.patches[one]), templates.planes[face[one]]
                    error, _ = light.errors(patches, drawn, free[None], fresh.corners[one])
                    colours.off[i] = error[0] / colours.usual[i]
    score = _by_colours(bank, seen, face, pictures, score, partly, colours)
    return Detections(fresh.corners, face, score.astype(np.float32), seen.share.astype(np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Candidates as they are seen. patches: (N, h, w, 3); shows: (N, h, w) 1 where nothing known hides them; share:
    (N,) how much that is; under: (N,) whether a card that is meant to lie on others lies on them."""

    fresh: Detections
    patches: Floats
    shows: Floats
    share: Floats
    under: Bools

    @classmethod
    def of(
        cls,
        pyramid: Pyramid,
        bank: FaceBank,
        plane: Plane,
        templates: Templates,
        fresh: Detections,
        cards: Detections,
    ) -> _Seen:
        shows = _shown(pyramid, bank, plane, templates, fresh, cards)
        share = shows.sum(axis=(1, 2)) / float(templates.mask.sum())
        patches = pyramid.cut(fresh.corners, templates.size)
        return cls(fresh, patches, shows, share, lain_upon(bank, plane, fresh, cards))


def _by_what_shows(
    bank: FaceBank, templates: Templates, light: Light | None, seen: _Seen
) -> tuple[Floats, NDArray[np.intp]]:
    """(N,) correlation of what shows of each candidate, less a price for what does not, and (N,) its face."""
    score, face, share = seen.fresh.score.copy(), seen.fresh.face.copy(), seen.share
    score[share < LEAST_VISIBLE] = 0
    for i in np.flatnonzero((share >= LEAST_VISIBLE) & (share <= 1 - TOUCHED)):
        patch, shows = seen.patches[i : i + 1], seen.shows[i : i + 1]
        scores = correlations(patch, templates, (0,), shows)
        if light is not None and bank.has_upper:
            judged, corners = ~bank.lies_on_others, seen.fresh.corners[i : i + 1]
            scores = likeliest(patch, shows, templates, scores, (0,), light, corners, judged)
        # The less shows, the better it must fit: a part resembles some part of some face by chance.
        price = PART_PRICE * (1 - share[i]) if share[i] <= 1 - COVERED else 0.0
        if not seen.under[i]:  # of a card under another, face and place have been found together
            face[i] = int(scores[0, 0].argmax())
        score[i] = float(scores[0, 0, face[i]]) - price
    return score, face


@dataclass(frozen=True, slots=True, eq=False)
class _Colours:
    """How far candidates are from their faces' colours in this light (1, where no light is known). usual: (N,) grey
    levels by which true cards are off; off: (N,) times as much, brightness, its fall and a veil being free; plain: (N,)
    the same with only the brightness free; bright: (N,) that brightness."""

    usual: Doubles
    off: Doubles
    plain: Doubles
    bright: Doubles

    @classmethod
    def of(
        cls, bank: FaceBank, templates: Templates, light: Light | None, seen: _Seen, face: NDArray[np.intp]
    ) -> _Colours:
        if light is None:
            return cls(*np.ones((4, len(face))))
        patches, drawn, corners = planar(seen.patches), templates.planes[face], seen.fresh.corners
        error, bright = light.errors(patches, drawn, seen.shows, corners)
        plain = light.plain_errors(patches, drawn, seen.shows, corners)
        usual = np.where(bank.lies_on_others[face], light.usual, light.usual_for(templates, face))
        return cls(usual, error / usual, plain / usual, bright.astype(np.float64))


def _by_colours(
    bank: FaceBank,
    seen: _Seen,
    face: NDArray[np.intp],
    pictures: Floats,
    score: Floats,
    partly: Bools,
    colours: _Colours,
) -> Floats:
    """(N,) the scores after the colours have been heard. partly: (N,) which may lie under a hand."""
    score, share, under = score.copy(), seen.share, seen.under
    # The plain rest of a card that another lies on correlates weakly however well it fits; its colours count for it.
    fits = (colours.off <= AS_USUAL) & (share >= LEAST_VISIBLE) & (score + PART_PRICE * (1 - share) >= PLAIN) & under
    score[fits] = np.maximum(score[fits], IS_CARD)
    # What shows of something under a card that lies on others is never passed over in silence.
    perhaps = under & (colours.off <= FOREIGN) & (share >= LEAST_PEEKING) & (seen.fresh.score >= MAYBE_CARD)
    perhaps &= (colours.bright > BRIGHTER[0] + 0.02) & (colours.bright < BRIGHTER[1] - 0.02)
    score[perhaps] = np.maximum(score[perhaps], SUSPICIOUS)
    # A weak likeness must at least have a card's colours in this light, unless glare has taken them.
    blown = (seen.patches.min(axis=3) >= BLOWN).mean(axis=(1, 2)) > 0.4
    lower = bank.has_upper & ~bank.lies_on_others[face]
    foreign = np.where(lower, colours.plain > FOREIGN_PLAIN, colours.off > FOREIGN) & (score < STRONG) & ~blown
    for i in map(int, np.flatnonzero(foreign & lower & (bank.detail[face] >= RICH))):
        likeness = _correlation(seen.patches[i], pictures[i], seen.shows[i])
        if likeness >= STRONG and share[i] >= LEAST_BESIDE_THINGS:
            foreign[i], score[i] = False, max(score[i], likeness - COLOURS_OFF)
    # A veil or a steep shadow may lie over a card; then it has a card's colours but for those.
    veiled = foreign & lower & (colours.off <= VEILED)
    # And a hand may lie over most of a card: what shows beside it fits the card's face.
    doubtful = veiled | (partly & ~lower)
    score[foreign] = np.where(doubtful, SUSPICIOUS, 0)[foreign]
    return score


def is_frame_only(bank: FaceBank, face: NDArray[np.intp], score: Floats) -> Bools:
    """(N,) which scores mean less than a card, since any rectangle is a little like a face of which only the frame is
    drawn."""
    return np.asarray(score < IS_CARD + FRAME_PRICE * (1 - bank.detail[face]))


def lain_upon(bank: FaceBank, plane: Plane, fresh: Detections, cards: Detections) -> Bools:
    """(N,) on which candidates a known card lies that is meant to lie on others."""
    upper = cards.select(bank.lies_on_others[cards.face])
    shared = overlaps(plane.poses(fresh.corners), plane.poses(upper.corners), plane.aspect)
    return np.asarray((shared > COVERED).any(axis=1) & ~bank.lies_on_others[fresh.face])


def _light(pyramid: Pyramid, bank: FaceBank, plane: Plane, templates: Templates, cards: Detections) -> Light | None:
    """The light by the cards that show best."""
    sure = cards.select((cards.score >= IS_CARD + 0.1) & (cards.visible >= 1 - COVERED))
    sure = sure if len(sure) else cards
    rank = bank.lies_on_others.astype(int)
    over = rank[cards.face][None, :] > rank[sure.face][:, None]
    shows = shown(pyramid.size, plane, templates, plane.poses(sure.corners), plane.poses(cards.corners), over)
    return Light.of(pyramid, templates, sure.corners, sure.face, shows)


def _shown(
    pyramid: Pyramid, bank: FaceBank, plane: Plane, templates: Templates, fresh: Detections, cards: Detections
) -> Floats:
    """(N, h, w) which pixels of each candidate are in the picture and under no known card."""
    rank = bank.lies_on_others.astype(int)
    over = rank[cards.face][None, :] >= rank[fresh.face][:, None]
    return shown(
        pyramid.size, plane, templates, plane.poses(fresh.corners), plane.poses(cards.corners), over, EVIDENCE_RIM
    )


def fitting_blocks(patch: Floats, template: Floats, shows: Floats) -> float:
    """Which share of the blocks of a face (h, w, 3) the picture follows, each for itself, so that neither shade nor a
    hand elsewhere on the card matters; of those that show and have some drawing in them."""
    rows, columns = shows.shape[0] // BLOCK, shows.shape[1] // BLOCK

    def blocks(picture: Floats) -> Floats:
        part = picture[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK, -1)
        flat = part.transpose(0, 2, 1, 3, 4).reshape(rows * columns, BLOCK * BLOCK, -1)
        return np.asarray(flat - flat.mean(axis=1, keepdims=True), dtype=np.float32).reshape(rows * columns, -1)

    seen, wanted = blocks(patch), blocks(template)
    visible = shows[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK).mean(axis=(1, 3)).ravel()
    detail = np.sqrt((wanted**2).sum(axis=1))
    tells = (visible > 0.75) & (detail > BLOCK_DETAIL * detail.max())
    if tells.sum() < 4:
        return 0.0
    fit = (seen * wanted).sum(axis=1) / np.maximum(detail * np.sqrt((seen**2).sum(axis=1)), 1.0)
    return float((fit[tells] > BLOCK_FITS).mean())


def _fitting(patch: Floats, template: Floats, shows: Floats) -> Floats:
    """(h, w) the pixels in which the picture follows the face, found by trimming the misfits again and again."""
    inside = shows > 0
    for _ in range(4):
        residual = np.zeros(inside.shape, np.float32)
        for channel in range(3):
            t, p = template[..., channel], patch[..., channel]
            tm, pm = t[inside].mean(), p[inside].mean()
            gain = ((t[inside] - tm) * (p[inside] - pm)).sum() / max(float(((t[inside] - tm) ** 2).sum()), 1e-3)
            residual = np.maximum(residual, np.abs(p - pm - np.clip(gain, 0.1, 2.0) * (t - tm)))
        typical = float(np.median(residual[shows > 0]))
        misfit = ((residual > max(3.0 * typical, 18.0)) & (shows > 0)).astype(np.uint8)
        specks_gone = cv2.morphologyEx(misfit, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        fresh = (shows > 0) & (cv2.dilate(specks_gone, np.ones((3, 3), np.uint8)) == 0)
        if fresh.sum() < 0.3 * (shows > 0).sum():
            break
        if (fresh == inside).all():
            break
        inside = fresh
    return inside.astype(np.float32)


def _correlation(patch: Floats, template: Floats, mask: Floats) -> float:
    return float(normalise(patch[None], mask)[0] @ normalise(template[None], mask)[0])
