"""Which face a card shows, how sure that is, and what else it might be.

Whole-card correlation ranks the faces; faces that nearly coincide (a 1 and a 2 under the same arrow correlate .99)
are told apart where they differ: the picture is compared with both faces, equally blurred, in the pixels that
separate them, each face being allowed its best small shift. The *margin* of a reading is how much better its face
explains those pixels than the nearest rival does.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.align import Aligner, Doubles, Pyramid, areas
from referee.vision.correlate import correlations
from referee.vision.facebank import FaceBank, Floats, Templates, normalise
from referee.vision.plane import Plane
from referee.vision.verify import Detections, Layers

READ = 96
"""Pixels of a card's short side when faces are compared."""
BLURS = (0.6, 1.0, 1.5, 2.2, 3.2, 4.5, 6.3)
"""Gaussian widths (pixels at `READ`) that a photograph's blur is matched with."""
RIVALS = 5
"""How many other readings are compared in detail with the best."""
RIVAL_GAP = 0.35
"""Readings whose correlation is lower than the best by more than this are no rivals."""
GAIN_PRIOR = 5.0
"""Variance (grey levels squared) below which a face says nothing about the local contrast."""
SHADE = 9.0
"""Gaussian width in pixels at `READ` of what counts as shade rather than drawing."""
SURE_DEVIATIONS, SURE_DEVIATIONS_SOFT = 5.0, 11.0
"""Standard deviations between a reading and the half-way point from which on it is as sure as can be; the second for
soft and small cards, whose fine print may be wrong as a whole. Measured: see the README's figures."""
SURE_LEAD = 0.31
"""Distance of `place` from the half-way point from which on a reading is as sure as can be (0..0.5)."""
SOFT = 0.030
"""Blur (Gaussian width) as a fraction of the card's side from which on a card is soft."""
SMALL = 56.0
"""Short side in pixels of the photograph below which a card is small."""
_SHIFT = 3
"""Largest local shift in pixels at `READ` that each face is allowed."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible reading of a card. face: index in the deck; turn: quarter turns clockwise from the outline's own
    first corner; score: correlation of the whole card; margin: how much worse (0..1; negative: better) it explains
    the pixels in which it differs from the best reading."""

    face: int
    turn: int
    score: float
    margin: float


@dataclass(frozen=True, slots=True, eq=False)
class CardReading:
    """corners: (4, 2) px from the best face's own top left; candidates: the best first (its margin is the nearest
    rival's); blur: Gaussian width in pixels of the photograph; visible: share of the card not hidden (0..1)."""

    corners: Doubles
    candidates: tuple[Candidate, ...]
    blur: float
    visible: float = 1.0

    @property
    def face(self) -> int:
        return self.candidates[0].face

    @property
    def margin(self) -> float:
        return self.candidates[0].margin

    @property
    def score(self) -> float:
        return self.candidates[0].score


def recognise(pyramid: Pyramid, aligner: Aligner, cards: Detections, plane: Plane | None) -> tuple[CardReading, ...]:
    """Read every detected card by what shows of it."""
    bank = aligner.bank
    if not len(cards) or plane is None:
        return ()
    layers = Layers.of(pyramid, bank, plane, cards)
    shows = layers.hide(cards.corners, cards.face, READ, 0.6, own=True)
    blur = match_blur(pyramid, bank, cards, shows)
    corners = cards.corners.copy()
    half = None if shows is None else np.ascontiguousarray(shows[:, ::2, ::2])
    for width in np.unique(blur):
        same = blur == width
        corners[same] = aligner.refine(
            pyramid,
            corners[same],
            cards.face[same],
            READ // 2,
            float(width) / 2,
            "affine",
            5,
            None if half is None else half[same],
        )
    corners = _tame(corners, cards.corners)
    if shows is not None:  # the little that shows must not bend the rest
        part = shows.mean(axis=(1, 2)) < 0.9 * shows.mean(axis=(1, 2)).max()
        corners[part] = plane.outlines(plane.poses(corners[part]))
    patches = pyramid.cut(corners, bank.at(READ, BLURS[0]).size)
    sides = np.sqrt(np.abs(areas(corners)) / bank.aspect)
    out = []
    for i in range(len(cards)):
        templates = bank.at(READ, float(blur[i]))
        mask = templates.mask if shows is None else shows[i] * templates.mask
        hard = blur[i] / READ > SOFT or sides[i] < SMALL
        deviations = SURE_DEVIATIONS_SOFT if hard else SURE_DEVIATIONS
        candidates = rank(patches[i], templates, bank, float(blur[i]), deviations, mask)
        rolled = np.roll(corners[i], -candidates[0].turn, axis=0)
        share = float(mask.sum() / templates.mask.sum())
        out.append(CardReading(rolled, candidates, float(blur[i] * sides[i]) / READ, share))
    return tuple(out)


def match_blur(pyramid: Pyramid, bank: FaceBank, cards: Detections, shows: Floats | None = None) -> Doubles:
    """(N,) the width of `BLURS` with which each card's face fits its picture best, where it shows."""
    patches = pyramid.cut(cards.corners, bank.at(READ, BLURS[0]).size)
    scores = []
    for width in BLURS:
        templates = bank.at(READ, width)
        mask = templates.mask if shows is None else None
        if mask is not None:
            scores.append(np.einsum("nk,nk->n", normalise(patches, mask), templates.vectors[cards.face]))
            continue
        assert shows is not None
        each = [
            float(
                normalise(patches[i : i + 1], shows[i] * templates.mask)[0]
                @ normalise(templates.images[cards.face[i]][None], shows[i] * templates.mask)[0]
            )
            for i in range(len(cards))
        ]
        scores.append(np.array(each))
    return np.asarray(np.array(BLURS)[np.stack(scores).argmax(axis=0)])


def _tame(fresh: Doubles, before: Doubles, most: float = 0.04) -> Doubles:
    """Keep the outlines given by the plane where the free fit ran away by more than `most` of a side."""
    side = np.linalg.norm(before[:, 1] - before[:, 0], axis=1)
    moved = np.abs(fresh - before).max(axis=(1, 2)) / side
    return np.where((moved > most)[:, None, None], before, fresh)


def rank(
    patch: Floats, templates: Templates, bank: FaceBank, blur: float, deviations: float, mask: Floats
) -> tuple[Candidate, ...]:
    """Candidates for one rectified card (h, w, 3), best first; blur: pixels at `READ`; deviations: see `Comparison`;
    mask: (h, w) where the card shows."""
    steps = bank.turns
    scores = correlations(patch[None], templates, steps, mask[None])[0]
    order = np.argsort(-scores.ravel(), kind="stable")
    count = len(bank.face_ids)
    top = [(int(o % count), int(o // count)) for o in order[: RIVALS + 1]]
    top = [t for t in top if scores[t[1], t[0]] > scores.max() - RIVAL_GAP]
    drawn = [np.rot90(templates.images[face], -steps[turn]) for face, turn in top]
    shown, *pictures = without_shade(np.stack([patch, *drawn]), mask)
    champion = 0
    for challenger in range(1, len(top)):
        if compare(shown, pictures[champion], pictures[challenger], mask, blur).place > 0.5:
            champion = challenger
    margins = [
        compare(shown, pictures[champion], picture, mask, blur).margin(deviations) if i != champion else 1.0
        for i, picture in enumerate(pictures)
    ]
    rivals = [m for i, m in enumerate(margins) if i != champion]
    margins[champion] = min(rivals, default=1.0)
    found = [
        Candidate(face, steps[turn], float(scores[turn, face]), float(m))
        for (face, turn), m in zip(top, margins, strict=True)
    ]
    best = found.pop(champion)
    return (best, *sorted(found, key=lambda c: c.margin))


def without_shade(pictures: Floats, mask: Floats) -> Floats:
    """Pictures (N, h, w, 3) less their local mean: shadow, haze and a tint of the light vanish, drawing stays."""
    share = cv2.GaussianBlur(mask, (0, 0), SHADE)
    out = np.empty_like(pictures)
    for i, picture in enumerate(pictures):
        smooth = cv2.GaussianBlur(picture * mask[:, :, None], (0, 0), SHADE) / np.maximum(share, 1e-3)[:, :, None]
        out[i] = (picture - smooth) * mask[:, :, None]
    return out


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of two faces a picture shows. place: 0 exactly the first, 1 exactly the second, 0.5 half-way;
    deviation: standard deviation of `place`, from how far the parts of the picture disagree."""

    place: float
    deviation: float

    def margin(self, deviations: float) -> float:
        """1: surely the first, 0: cannot tell, -1: surely the second. Both counts: how near the picture is to one of
        the two, and how many standard `deviations` it is off the half-way point."""
        lead = 0.5 - self.place
        sure = min(abs(lead) / SURE_LEAD, abs(lead) / (deviations * max(self.deviation, 1e-3)), 1.0)
        return float(np.copysign(sure, lead))


def compare(patch: Floats, first: Floats, second: Floats, mask: Floats, blur: float = 1.0) -> Comparison:
    """Place a picture between two faces, judged where they differ.

    All pictures (h, w, 3), without shade and equally blurred (`blur` pixels); mask (h, w). In each channel the
    picture is written as gain * (first + t * (second - first)); t, shared by the channels, is found by least
    squares at the small shift at which either face fits best. Noise and dirt that resemble the difference in no
    way hardly move t; its deviation is taken over blocks of the picture (a grouped jackknife).
    """
    apart = second - first
    energy = (apart**2).sum(axis=2) * mask
    weight = cv2.GaussianBlur(energy, (0, 0), 1.5)
    ys, xs = np.nonzero(weight > 0.03 * float(weight.max()))
    if not len(ys) or float(weight.max()) < 1.0:
        return Comparison(0.5, 1.0)
    top, left = max(int(ys.min()), _SHIFT), max(int(xs.min()), _SHIFT)
    bottom = min(int(ys.max()) + 1, patch.shape[0] - _SHIFT)
    right = min(int(xs.max()) + 1, patch.shape[1] - _SHIFT)
    if bottom - top < 2 or right - left < 2:
        return Comparison(0.5, 1.0)
    box = (slice(top, bottom), slice(left, right))
    w = (np.sqrt(weight) * mask)[box]
    w = w / max(float(w.sum()), 1e-6)
    a, d = first[box], apart[box]
    window = patch[top - _SHIFT : bottom + _SHIFT, left - _SHIFT : right + _SHIFT]
    count = 2 * _SHIFT + 1
    flat_a, flat_d = a.reshape(-1, 3) * w.reshape(-1, 1), d.reshape(-1, 3) * w.reshape(-1, 1)
    views = [window[u : u + w.shape[0], v : v + w.shape[1]].reshape(-1, 3) for u in range(count) for v in range(count)]
    pp = np.stack([np.einsum("kc,kc,k->c", view, view, w.ravel()) for view in views])
    pa = np.stack([np.einsum("kc,kc->c", view, flat_a) for view in views])
    pd = np.stack([np.einsum("kc,kc->c", view, flat_d) for view in views])
    aa, ad, dd = (np.einsum("kc,kc->c", x, y.reshape(-1, 3)) for x, y in ((flat_a, a), (flat_a, d), (flat_d, d)))
    best: tuple[float, int, Floats] = (np.inf, 0, aa)
    for t in (0.0, 1.0):
        wanted = aa + 2 * t * ad + t * t * dd
        gain = np.clip((pa + t * pd) / (wanted + GAIN_PRIOR), 0.15, 2.0)
        error = (pp - 2 * gain * (pa + t * pd) + gain**2 * wanted).sum(axis=1)
        at = int(error.argmin())
        if float(error[at]) < best[0]:
            best = (float(error[at]), at, gain[at])
    _, at, gain = best
    rest = views[at].reshape(*w.shape, 3) - gain * a
    pull = (gain * d * rest).sum(axis=2) * w
    pushes = ((gain * d) ** 2).sum(axis=2) * w
    step = max(5, round(1.5 * blur))
    edges_y, edges_x = np.arange(0, w.shape[0], step), np.arange(0, w.shape[1], step)
    pulls = np.add.reduceat(np.add.reduceat(pull, edges_y, axis=0), edges_x, axis=1)
    blocks = np.add.reduceat(np.add.reduceat(pushes, edges_y, axis=0), edges_x, axis=1)
    total = max(float(blocks.sum()), 1e-9)
    place = float(pulls.sum()) / total
    deviation = float(np.sqrt(((pulls - place * blocks) ** 2).sum())) / total
    return Comparison(place, deviation)
