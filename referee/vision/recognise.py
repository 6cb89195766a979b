"""Which face a card shows, how sure that is, and what else it might be.

Whole-card correlation ranks the faces; faces that nearly coincide are told apart where they differ (see
`referee.vision.compare`), drawn as this card's own blur shows them (`referee.vision.transfer`). The *margin* of a
reading is how much better its face explains those pixels than the nearest rival does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.vision.align import Aligner, Doubles, Pyramid, areas
from referee.vision.compare import Comparison, compare
from referee.vision.correlate import correlations
from referee.vision.covering import overlaps
from referee.vision.facebank import FaceBank, Floats, contrast, less_local_mean, normalise_shown
from referee.vision.layers import shown
from referee.vision.plane import Bools, Plane
from referee.vision.transfer import Transfer
from referee.vision.verify import Detections, Layers

READ = 96
"""Pixels of a card's short side when faces are compared."""
BLURS = (0.6, 1.0, 1.5, 2.2, 3.2, 4.5, 6.3)
"""Gaussian widths (pixels at `READ`) that a photograph's blur is matched with."""
RIVALS = 5
"""How many other readings are compared in detail with the best."""
RIVAL_GAP = 0.35
"""Readings whose correlation is lower than the best by more than this are no rivals."""
SHADE = 9.0
"""Gaussian width in pixels at `READ` of what counts as shade rather than drawing."""
SURE_DEVIATIONS = 6.0
"""Standard deviations between a reading and the half-way point from which on it is as sure as can be. Measured on 800
cards of virtual tables that were hard to read, shrunk and blurred ones among them: the wrong ones stayed below 3.9,
where 4.8 is taken for certain."""
SURE_MARGIN = 0.8
"""Margin of a reading from which on its rivals are out (0..1)."""
NEAR = 0.05
"""Faces whose correlation with the picture is lower than the best by less than this are told apart by fine print."""
UNLIKE = 4.0
"""A face that leaves so many times more of a whole card unexplained than the best does is no rival."""
DECODINGS = ((1.06, 1.12, 1.18), (0.94, 0.88, 0.82))
"""What each channel (BGR) is multiplied by to read a card again: a little more light and warmer, less and cooler."""
_ALIKE = 0.15
"""Where near faces differ by more than this share of their greatest difference, the card's filter is not fitted."""
_LIKER = 0.005
"""By so much must another face correlate better for a card's outline to be fitted to that."""
RIM_SHARED = 0.15
"""Share of a card that a neighbour may overlap for that to be a rim (range 0..1)."""
_HALF = READ // 2
"""Pixels of a card's short side when its outline is refined and its faces are ranked."""


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

    def against(self, face: int, turn: int, margin: float) -> CardReading:
        """The same reading, with a rival counted that is no further off than `margin`."""
        best, *others = self.candidates
        known = next((c for c in others if (c.face, c.turn) == (face, turn)), None)
        rival = replace(known or Candidate(face, turn, best.score, margin), margin=margin)
        if known is not None and known.margin <= margin:
            return self
        rivals = sorted((rival, *(c for c in others if c is not known)), key=lambda c: c.margin)
        return replace(self, candidates=(replace(best, margin=min(best.margin, margin)), *rivals))


def laid_as_read(corners: Doubles, read: Doubles, turns: tuple[int, ...]) -> Doubles:
    """A card's outline on the table (4, 2), from the corner from which it was `read` (4, 2) at one of these quarter
    turns: the outline that was read was bent to the print."""
    turned = [np.roll(corners, -turn, axis=0) for turn in turns]
    return min(turned, key=lambda quad: float(np.abs(quad - read).max()))


def recognise(
    pyramid: Pyramid, aligner: Aligner, cards: Detections, plane: Plane | None, anew: Bools | None = None
) -> tuple[CardReading, ...]:
    """Read every detected card by what shows of it; anew: (N,) only these of them."""
    bank = aligner.bank
    if not len(cards) or plane is None:
        return ()
    cards = _faced(pyramid, bank, cards)
    layers = Layers.of(pyramid, bank, plane, cards)
    shows = _unshared(pyramid, bank, plane, cards, layers.hide(cards.corners, cards.face, READ, 0.6, own=True))
    whole = 0.0 if shows is None else float(shows.mean(axis=(1, 2)).max())
    if anew is not None:
        cards, shows = cards.select(anew), None if shows is None else shows[anew]
        if not len(cards):
            return ()
    blur = match_blur(pyramid, bank, cards, shows)
    corners = cards.corners.copy()
    half = (
        None
        if shows is None
        else np.stack([cv2.resize(s, bank.at(_HALF).size, interpolation=cv2.INTER_NEAREST) for s in shows])
    )
    for width in np.unique(blur):
        same = blur == width
        shown = None if half is None else half[same]
        corners[same] = aligner.refine(
            pyramid, corners[same], cards.face[same], _HALF, float(width) / 2, "affine", 5, shown
        )
    corners = _tame(corners, cards.corners)
    if shows is not None:  # the little that shows must not bend the rest
        part = shows.mean(axis=(1, 2)) < 0.9 * whole
        corners[part] = plane.outlines(plane.poses(corners[part]))
    size = (READ, round(READ * bank.aspect))
    mask = bank.mask(READ)
    patches = pyramid.cut(corners, size)
    sides = np.sqrt(np.abs(areas(corners)) / bank.aspect)
    scores = _scores(patches, bank, blur, half)
    out = []
    for i in range(len(cards)):
        shown = mask if shows is None else shows[i] * mask
        candidates = _steadied(patches[i], scores[i], bank, float(blur[i]), None if shows is None else shown)
        rolled = np.roll(corners[i], -candidates[0].turn, axis=0)
        share = float(shown.sum() / mask.sum())
        out.append(CardReading(rolled, candidates, float(blur[i] * sides[i]) / READ, share))
    return tuple(out)


def _unshared(pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections, shows: Floats | None) -> Floats | None:
    """What shows of the cards less the rims that two cards on the table share, since nobody knows which of them is on
    top. Faces that others are laid on differ by what is printed along their edges, and a neighbour's looks alike."""
    if not bank.has_upper:
        return shows
    poses = plane.poses(cards.corners)
    equals = bank.lies_on_others[cards.face]
    shared = overlaps(poses, poses, plane.aspect)
    rims = (shared > 0) & (shared < RIM_SHARED) & (equals[:, None] == equals[None, :])
    np.fill_diagonal(rims, False)
    if not rims.any():
        return shows
    free = shown(pyramid.size, plane, bank.at(READ, 0.6), poses, poses, rims)
    return free if shows is None else free * shows


def _faced(pyramid: Pyramid, bank: FaceBank, cards: Detections) -> Detections:
    """The cards, those that show wholly as the face that they are likest: an outline fitted to a wrong face lies off,
    so that neither face is like it."""
    templates = bank.at(_HALF, 0.6)
    patches = pyramid.cut(cards.corners, templates.size)
    scores = correlations(patches, templates, bank.turns)
    rows = np.arange(len(cards))
    turn, face = np.divmod(scores.reshape(len(cards), -1).argmax(axis=1), len(bank.face_ids))
    better = scores[rows, turn, face] > scores[rows, 0, cards.face] + _LIKER
    better &= cards.visible > 0.95
    if not better.any():
        return cards
    steps = np.where(better, np.array(bank.turns)[turn], 0)
    corners = np.stack([np.roll(quad, -step, axis=0) for quad, step in zip(cards.corners, steps, strict=True)])
    return replace(cards, corners=corners, face=np.where(better, face, cards.face))


def match_blur(pyramid: Pyramid, bank: FaceBank, cards: Detections, shows: Floats | None = None) -> Doubles:
    """(N,) the width of `BLURS` with which each card's face fits its picture best, where it shows."""
    patches = pyramid.cut(cards.corners, (READ, round(READ * bank.aspect)))
    mask = bank.mask(READ)
    masks = mask[None] if shows is None else shows * mask
    seen = normalise_shown(patches, masks)
    scores = np.empty((len(cards), len(BLURS)), np.float32)
    for i, face in enumerate(cards.face):
        for k, width in enumerate(BLURS):
            drawn = bank.picture(int(face), READ, width)
            # What is seen has no mean, so that only the length of what is drawn is missing for a correlation.
            length = bank.contrast(int(face), READ, width) if shows is None else contrast(drawn, masks[i])
            scores[i, k] = seen[i] @ drawn.ravel() / length
    return np.asarray(np.array(BLURS)[scores.argmax(axis=1)])


def _scores(patches: Floats, bank: FaceBank, blur: Doubles, shows: Floats | None) -> Floats:
    """(N, T, F) whole-card correlations of pictures (N, h, w, 3) at half of `READ`; shows: (N, h / 2, w / 2)."""
    out = np.empty((len(patches), len(bank.turns), len(bank.face_ids)), np.float32)
    small = np.stack(
        [cv2.resize(p, (_HALF, round(_HALF * bank.aspect)), interpolation=cv2.INTER_AREA) for p in patches]
    )
    for width in np.unique(blur):
        same = blur == width
        templates = bank.at(_HALF, float(width) / 2)
        out[same] = correlations(small[same], templates, bank.turns, None if shows is None else shows[same])
    return out


def _tame(fresh: Doubles, before: Doubles, most: float = 0.04) -> Doubles:
    """Keep the outlines given by the plane where the free fit ran away by more than `most` of a side."""
    side = np.linalg.norm(before[:, 1] - before[:, 0], axis=1)
    moved = np.abs(fresh - before).max(axis=(1, 2)) / side
    return np.where((moved > most)[:, None, None], before, fresh)


def _steadied(
    patch: Floats, scores: Floats, bank: FaceBank, blur: float, shown: Floats | None
) -> tuple[Candidate, ...]:
    """As `rank`; what is not as sure as can be is read again with other light, and counts as its least sure reading."""
    candidates = rank(patch, scores, bank, blur, shown)
    if candidates[0].margin >= 1.0:
        return candidates
    best = candidates[0].face, candidates[0].turn
    margins = {(c.face, c.turn): c.margin for c in candidates[1:]}
    for gains in DECODINGS:
        again = rank(np.clip(patch * np.array(gains, np.float32), 0, 255), scores, bank, blur, shown)
        place = {(c.face, c.turn): c.margin for c in again[1:]}
        if (again[0].face, again[0].turn) == best:
            found = place
        else:
            found = {(again[0].face, again[0].turn): -place.get(best, 1.0)}
        margins = {key: min(margin, found.get(key, margin)) for key, margin in margins.items()}
    rivals = sorted((replace(c, margin=margins[c.face, c.turn]) for c in candidates[1:]), key=lambda c: c.margin)
    return (replace(candidates[0], margin=min(margins.values())), *rivals)


def rank(patch: Floats, scores: Floats, bank: FaceBank, blur: float, shown: Floats | None) -> tuple[Candidate, ...]:
    """Candidates for one rectified card (h, w, 3), best first; scores: (T, F) whole-card correlations; blur: one of
    `BLURS`; shown: (h, w) where the card shows, None: all of it."""
    steps = bank.turns
    order = np.argsort(-scores.ravel(), kind="stable")
    count = len(bank.face_ids)
    top = [(int(o % count), int(o // count)) for o in order[: RIVALS + 1]]
    top = [t for t in top if scores[t[1], t[0]] > scores.max() - RIVAL_GAP]
    unlike = [1 - float(scores[turn, face]) ** 2 for face, turn in top]
    rivals = [i for i in range(len(top)) if unlike[i] <= UNLIKE * unlike[0]]
    mask = bank.mask(READ) if shown is None else shown
    champion, against = _told_apart(patch, bank, [top[i] for i in rivals], scores, blur, mask)
    margins = [1.0] * len(top)
    for i, comparison in against.items():
        margins[rivals[i]] = comparison.margin(SURE_DEVIATIONS)
    champion = rivals[champion]
    margins[champion] = min((m for i, m in enumerate(margins) if i != champion), default=1.0)
    found = [
        Candidate(face, steps[turn], float(scores[turn, face]), float(m))
        for (face, turn), m in zip(top, margins, strict=True)
    ]
    best = found.pop(champion)
    return (best, *sorted(found, key=lambda c: c.margin))


def _told_apart(
    patch: Floats, bank: FaceBank, top: list[tuple[int, int]], scores: Floats, blur: float, mask: Floats
) -> tuple[int, dict[int, Comparison]]:
    """Which of the readings `top` (face, index of the turn) a card's picture shows, and how the others compare with it.

    Faces that differ in fine print only are compared again as this card's own light and blur show them, unless it is
    plain already.
    """
    seen = less_local_mean(patch[None], mask, SHADE)[0]
    blurred = _pictures(bank, top, blur)
    pictures = less_local_mean(blurred, mask, SHADE)
    champion, against = _tournament(seen, pictures, mask, blur)
    correlation = [float(scores[turn, face]) for face, turn in top]
    near = [i for i in against if correlation[champion] - correlation[i] < NEAR]
    if all(against[i].margin(SURE_DEVIATIONS) == 1.0 for i in near):
        return champion, against
    sharp = _pictures(bank, top, BLURS[max(BLURS.index(blur) - 1, 0)])
    apart = np.abs(pictures[near] - pictures[champion]).max(axis=(0, 3))
    same = cv2.GaussianBlur(apart, (0, 0), 2) < _ALIKE * max(float(apart.max()), 1.0)
    step = max(1, round(blur / 2))
    transfer = Transfer.of(seen, blurred[champion], sharp[champion], mask * same, mask, SHADE, step)
    return _tournament(seen, transfer.pictures(sharp), mask, blur)


def _pictures(bank: FaceBank, top: list[tuple[int, int]], blur: float) -> Floats:
    """(K, h, w, 3) faces (face, index of the turn) as they would look, 0..255."""
    drawn = bank.pictures(np.array([face for face, _ in top]), READ, blur)
    return np.stack([np.rot90(d, -bank.turns[turn]) for d, (_, turn) in zip(drawn, top, strict=True)])


def _tournament(seen: Floats, pictures: Floats, mask: Floats, blur: float) -> tuple[int, dict[int, Comparison]]:
    """Which of the pictures (K, h, w, 3) each of the others loses to in turn, and how each compares with it."""
    champion = 0
    against: dict[int, Comparison] = {}
    known: dict[tuple[int, int], Comparison] = {}
    while True:
        rivals = [i for i in range(len(pictures)) if i != champion]
        fresh = [i for i in rivals if (champion, i) not in known]
        for i, result in zip(
            fresh, compare(seen, pictures[champion], pictures[fresh], mask, blur) if fresh else (), strict=True
        ):
            known[champion, i], known[i, champion] = result, result.reversed()
        against = {i: known[champion, i] for i in rivals}
        better = [i for i in rivals if i > champion and against[i].place > 0.5]
        if not better:
            return champion, against
        champion = better[0]
