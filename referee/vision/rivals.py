"""What else may lie where a card was read: rivals of a reading, plain faces, and cards half under their like.

Beside its neighbours a card may seem to lie wrong by the width of a printed edge, which it then shares with one,
and a plain face correlates with nothing. Faces and places are therefore compared by how well they explain the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.align import Aligner, Doubles, Pyramid, square_to_quads
from referee.vision.compare import compare
from referee.vision.correlate import correlations
from referee.vision.covering import lain_upon, overlaps
from referee.vision.facebank import COARSE, FINE, Bools, FaceBank, Floats, less_local_mean
from referee.vision.joint import BLUR, EXPLAINED, GAIN, STEP, explained, hypotheses, starts_around
from referee.vision.layers import LEAST_VISIBLE, PART_PRICE
from referee.vision.likeness import colour_scores
from referee.vision.places import Places
from referee.vision.plane import Plane, around
from referee.vision.recognise import READ, SHADE, SURE_DEVIATIONS, SURE_MARGIN, CardReading, laid_as_read, match_blur
from referee.vision.verify import Detections, Layers, face_scores

PRINTED_EDGES = (0.07, 0.1, 0.14)
"""How far from a card rivals of its reading lie: the widths of printed edges, in card sides."""
EVERY_EDGE = tuple(0.06 + 0.02 * k for k in range(8))
"""The same so close that one is nearly exact, to tell which cards are worth a search. Measured on 410 cards laid wrong
on purpose: 409 have a better rival there, 407 at the step of 0.07 alone; 17 of 462 right ones are searched, not 9."""
RIVALLED = 1.15
"""Factor by which every other face and place must explain a known card worse for it to be left alone. Measured: 97 of
100 cards that are read rightly, 1 of 30 that lie wrong."""
BEATEN = 1.03
"""The same factor below which it is not known what lies there."""
CONTESTED = 1.08
"""The same factor below which a face is not known. Measured on 32 photographs: of 9 wrong faces the best had 1.068, of
400 right ones 5 had less."""
WELL_EXPLAINED = 1.2
"""Error of a reading's colours, in units of the usual one, up to which a close look may tell it from a rival that is
nearly as good. Measured on the 44 photographs with rivals so near: 5 right ones 1.04 and less, 2 wrong ones 1.48."""
PLAINLY = 0.77
"""How well a plain face must explain what shows of it (0..1)."""
SHOVED = (0.3, 0.42, 0.54, 0.66, 0.78)
"""How far from a card another may lie half under it, in card sides."""
SHOVED_LEAST, SHOVED_TRIED, SHOVED_EXPLAINED, SHOVED_FITS = 0.35, 4, 0.8, 0.8
"""Evidence from which on such a place is searched, how many are, how well one must be explained there (0..1), and the
correlation of what shows (0..1)."""
SHOVED_TAKEN = 0.8
"""Share of such a place that cards on the table may cover. Measured: 0.5 of true ones, 0.98 and more of others."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Another reading of a card. face: index in the deck; turn: quarter turns clockwise from the card's own first
    corner; worse: by which factor it explains the picture worse than the face that was read (below 1: better)."""

    face: int
    turn: int
    worse: float


def replace_doubtful(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections, judged: Bools | None = None
) -> Detections:
    """Known cards, those (of the `judged` (N,), if given) placed and read anew that another face, or a place a
    printed edge away, explains as well.

    Beside others a card may seem to lie wrong by the width of a printed edge, which it then shares with its neighbour.
    """
    bank = aligner.bank
    layers = Layers.of(pyramid, bank, plane, cards)
    if layers.light is None:
        return cards
    templates = bank.at(FINE, BLUR)
    now = explained(
        pyramid,
        templates,
        layers.light,
        cards.corners,
        cards.face,
        layers.shows(cards.corners, cards.face, FINE, BLUR, own=True),
    )
    now -= PART_PRICE * (1 - cards.visible)
    out = cards
    for i in np.flatnonzero(_lower(bank, cards, judged)):
        others = layers.without(int(i))  # a card that may lie wrong must not hide the place where it ought to lie
        if now[i] >= EXPLAINED:
            rival = _nearest_rival(pyramid, plane, others, cards.corners[i], int(cards.face[i]), EVERY_EDGE)
            if rival.worse > RIVALLED:
                continue
        found = hypotheses(pyramid, aligner, plane, others, cards.corners[i], STEP)
        if len(found) and found.evidence[0] > now[i] + GAIN:
            out = out.replaced(int(i), found)
    return out


def unrivalled(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections, judged: Bools | None = None
) -> tuple[Detections, Detections]:
    """(Known cards that no other face or place near by explains as well, those of the `judged` (N,; None: all) that one
    does)."""
    bank = aligner.bank
    layers = Layers.of(pyramid, bank, plane, cards)
    keep = np.ones(len(cards), dtype=bool)
    for i in np.flatnonzero(_lower(bank, cards, judged)):
        rival = _nearest_rival(pyramid, plane, layers.without(int(i)), cards.corners[i], int(cards.face[i]))
        keep[i] = rival.worse > BEATEN
    return cards.select(keep), cards.select(~keep)


def _lower(bank: FaceBank, cards: Detections, judged: Bools | None) -> Bools:
    lower = ~bank.lies_on_others[cards.face]
    return np.asarray(lower if judged is None else lower & judged)


def plain_cards(pyramid: Pyramid, aligner: Aligner, plane: Plane, places: Detections, cards: Detections) -> Bools:
    """(N,) which places under cards that lie on others are explained so well by one face, and by no other, that it lies
    there unless it is table: a plain face correlates with nothing."""
    layers = Layers.of(pyramid, aligner.bank, plane, cards)
    if layers.light is None or not len(places):
        return np.zeros(len(places), dtype=bool)
    shows = layers.shows(places.corners, places.face, FINE, BLUR)
    score = explained(pyramid, aligner.bank.at(FINE, BLUR), layers.light, places.corners, places.face, shows)
    out = lain_upon(aligner.bank, plane, places, cards) & (score > PLAINLY) & (places.visible >= LEAST_VISIBLE)
    for i in np.flatnonzero(out):
        out[i] = _nearest_rival(pyramid, plane, layers, places.corners[i], int(places.face[i])).worse > RIVALLED
    return out


def under_their_like(
    pyramid: Pyramid, aligner: Aligner, plane: Plane, cards: Detections, where: Places | None = None
) -> Detections:
    """Places (of `where`, if given) where a card seems to lie half under another of its kind, which the search passes
    over as one card.

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
    if where is not None:
        starts = starts[where.touched_by(starts, plane.aspect)]
    if not len(starts):
        return Detections.none()
    quads = plane.outlines(starts)
    scores, visible = face_scores(pyramid, bank, quads, COARSE, BLUR, layers)
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
    templates = bank.at(FINE, BLUR)
    shows = layers.shows(found.corners[:1], found.face[:1], FINE, BLUR)
    fit = correlations(pyramid.cut(found.corners[:1], templates.size), templates, (0,), shows)[0, 0, found.face[0]]
    return found.select(np.arange(1 if fit >= SHOVED_FITS else 0))


def contested(
    pyramid: Pyramid,
    aligner: Aligner,
    plane: Plane | None,
    cards: Detections,
    readings: tuple[CardReading, ...],
    anew: Bools | None = None,
) -> tuple[CardReading, ...]:
    """The readings of the known `cards` (or only of those that are read `anew` (N,)), with the face (there or near by)
    that explains a picture nearly as well as the one read counted among what it may be.

    Faces are recognised where a card was found to lie; a half-hidden one that lies elsewhere as another face may be
    explained just as well, and then nobody knows.
    """
    bank = aligner.bank
    if plane is None or not bank.has_upper or (anew is not None and not anew.any()):
        return readings
    layers = Layers.of(pyramid, bank, plane, cards)
    out = list(readings)
    lower = ~bank.lies_on_others[cards.face]
    for i in np.flatnonzero(lower if anew is None else lower & anew):
        place = laid_as_read(cards.corners[i], out[i].corners, bank.turns)
        near = _Nearby.of(pyramid, plane, layers.without(int(i)), place)
        rival = near.rival(out[i].face)
        if rival.worse < CONTESTED and not _told_apart(pyramid, aligner, plane, near, out[i].face):
            out[i] = out[i].against(rival.face, rival.turn, (rival.worse - 1) / (CONTESTED - 1) * SURE_MARGIN)
    return tuple(out)


def _told_apart(pyramid: Pyramid, aligner: Aligner, plane: Plane, near: _Nearby, face: int) -> bool:
    """Whether a face explains a picture as well as the sure cards' faces do theirs, none of its rivals does so any
    better, and each is surely not what is seen where the two differ, once it has been laid where it fits best."""
    bank = aligner.bank
    ratio = near.worse_than(face)
    if near.own(face) > WELL_EXPLAINED or ratio.min() <= BEATEN:
        return False
    turn, rivals = np.nonzero(ratio.min(axis=0) < CONTESTED)
    start = ratio.argmin(axis=0)[turn, rivals]
    quads = np.stack([np.roll(near.quads[s], -bank.turns[t], axis=0) for s, t in zip(start, turn, strict=True)])
    hidden = near.layers.hide(quads, rivals, FINE, BLUR)
    moved = plane.outlines(plane.poses(aligner.refine(pyramid, quads, rivals, FINE, BLUR, "placed", 6, hidden)))
    # In the place itself nothing may differ but the drawing.
    quads = np.where((start > 0)[:, None, None], moved, quads)
    size = bank.at(READ).size
    here = near.quads[:1]
    shows = near.layers.shows(here, None, READ, BLUR)
    one = Detections(here, np.array([face]), np.ones(1, np.float32), np.ones(1, np.float32))
    blur = float(match_blur(pyramid, bank, one, shows)[0])
    patch = pyramid.cut(here, size)
    to_patch = np.linalg.inv(square_to_quads(here, size)) @ square_to_quads(quads, size)
    for rival, warp in zip(rivals.tolist(), to_patch, strict=True):
        drawn = cv2.warpPerspective(bank.picture(rival, READ, blur), warp, size)
        shared = cv2.warpPerspective(bank.mask(READ), warp, size, flags=cv2.INTER_NEAREST) * shows[0] * bank.mask(READ)
        pictures = np.stack([patch[0], bank.picture(face, READ, blur), drawn])
        seen, *both = less_local_mean(pictures, shared, SHADE)
        (told,) = compare(seen, both[0], both[1][None], shared, blur)
        if told.margin(SURE_DEVIATIONS) < SURE_MARGIN:
            return False
    return True


@dataclass(frozen=True, slots=True, eq=False)
class _Nearby:
    """How well all faces explain a picture at a place and around it. quads: (S, 4, 2) px, the place first; errors:
    (S, T, F) of the colours in units of the usual one, at each turn, None: nothing is told by colours."""

    layers: Layers
    quads: Doubles
    errors: Floats | None

    @classmethod
    def of(
        cls,
        pyramid: Pyramid,
        plane: Plane,
        layers: Layers,
        corners: Doubles,
        edges: tuple[float, ...] = PRINTED_EDGES,
    ) -> _Nearby:
        """Of a place (4, 2), and those as far off as `edges` are wide."""
        templates, turns = layers.bank.at(FINE, BLUR), layers.bank.turns
        quads = plane.outlines(starts_around(plane.poses(corners[None]), edges))
        if layers.light is None:
            return cls(layers, quads, None)
        shows = layers.shows(quads, None, FINE, BLUR)
        patches = pyramid.cut(quads, templates.size)
        return cls(layers, quads, -colour_scores(patches, shows, templates, turns, layers.light, quads))

    def own(self, face: int) -> float:
        """The error of a face at the place itself."""
        return float("inf") if self.errors is None else float(self.errors[0, 0, face])

    def worse_than(self, face: int) -> Floats:
        """(S, T, F) by which factor each explains the picture worse than a face does at the place itself."""
        if self.errors is None:
            return np.full((1, 1, len(self.layers.bank.face_ids)), np.inf, np.float32)
        ratio = self.errors / max(self.own(face), 1e-3)
        ratio[:, 0, face] = np.inf
        return np.asarray(ratio, dtype=np.float32)

    def rival(self, face: int) -> Rival:
        """The other face or place that explains a picture best."""
        ratio = self.worse_than(face)
        _, turn, other = np.unravel_index(int(ratio.argmin()), ratio.shape)
        return Rival(int(other), self.layers.bank.turns[int(turn)], float(ratio.min()))


def _nearest_rival(
    pyramid: Pyramid,
    plane: Plane,
    layers: Layers,
    corners: Doubles,
    face: int,
    edges: tuple[float, ...] = PRINTED_EDGES,
) -> Rival:
    """The other face or place, as far off as `edges` are wide, that explains a picture best; infinitely worse if
    nothing is told by colours."""
    return _Nearby.of(pyramid, plane, layers, corners, edges).rival(face)
