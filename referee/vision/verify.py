"""Is there a card of the deck at this outline? Quads are aligned to the faces and scored by normalised correlation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Aligner, Doubles, Pyramid, areas
from referee.vision.correlate import correlations
from referee.vision.facebank import COARSE, FINE, FaceBank, Floats
from referee.vision.layers import PART_PRICE, shown
from referee.vision.likeness import BEST_ERROR, OFF_PRICE, Light, colour_scores, likeliest
from referee.vision.plane import Bools, Plane, fit_plane
from referee.vision.screen import FAINT, screen_of

IS_CARD = 0.70
"""Normalised correlation with the best face above which a quad is a card of the deck (range 0..1)."""
MAYBE_CARD = 0.45
"""Below `IS_CARD` but above this, something is there that the deck may explain: looked at again, then doubtful."""
HIDDEN = 0.1
"""Share of a card that must be hidden for it to be treated as partly hidden (range 0..1)."""
SAME_PLACE = 0.5
"""Two detections whose centres are nearer than this, in card sides, are one card."""
SAME_PLACE_ACROSS = 0.2
"""The same for cards that are longer than wide and lie across each other."""
ALIKE, ALIKE_TURN = 0.06, 0.1
"""Shift in card sides and turn in radians below which two guesses of one face come to rest in the same place."""
FOLLOWED_A_PLACE = 3
"""How many guesses are followed in one place."""
MOST_GUESSES = 120
"""How many guesses of pose and face are aligned."""
LEAST_WHOLE, LEAST_IN_PART = 0.4, 0.25
"""Correlation of an aligned guess from which on it is followed, and of one of which part is hidden. Measured: at the
true place 99 of 100 cards of ten looks reach 0.4."""
LEAST_GUESSED, LEAST_COARSE, LEAST_FINE = 0.4, 0.45, 0.5
"""The same where no card lies on others: of a guess, and at `FINE` when it has been aligned coarsely and then finely.
Measured on 166 photographs of seven looks: the likeliest guess of each of 573 cards that were found had 0.44, 0.63 and
0.70 or more, of those that were reported as doubtful 0.42, 0.41 and 0.51."""
LAYER_GAP = 0.05
"""Correlations of two faces of which one lies on others that are no further apart tell nothing at `FINE` pixels."""
SURE_ON_TOP = 0.6
"""Correlation from which on a card that lies on others is taken to hide them (range 0..1)."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
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

    def replaced(self, index: int, other: Detections) -> Detections:
        """The same with the first of `other` in the place of one of them."""
        rows = np.arange(len(self))
        rows[index] = len(self)
        return self.plus(other.select(np.array([0]))).select(rows)

    @property
    def evidence(self) -> Floats:
        """(N,) the score less a price for what is hidden: the less shows, the likelier it fits by chance."""
        return np.asarray(self.score - PART_PRICE * (1 - self.visible), dtype=np.float32)

    def __len__(self) -> int:
        return len(self.score)


def verify(pyramid: Pyramid, aligner: Aligner, corners: Doubles) -> Detections:
    """Align quads of unknown accuracy to the faces, with no plane yet; the score tells which are cards."""
    found = best_faces(pyramid, aligner.bank, corners, COARSE, 0.7)
    found = found.select(found.score > 0.1)
    for side, freedom, steps in ((COARSE, "affine", 6), (FINE, "affine", 5), (FINE, "homography", 4)):
        if not len(found):
            break
        moved = aligner.refine(pyramid, found.corners, found.face, side, 0.6, freedom, steps)
        found = best_faces(pyramid, aligner.bank, moved, side, 0.6)
        found = found.select((found.score > 0.3) & (areas(found.corners) > 15.0**2))
    return found


def place(pyramid: Pyramid, aligner: Aligner, plane: Plane, guesses: Detections, cards: Detections) -> Detections:
    """Align guesses, each with a face, on the table by shift and turn only; returns the plane's outlines.

    Known `cards` that lie on others hide what is under them.
    """
    found, bank = guesses, aligner.bank
    if not bank.has_upper:
        found = unlike(_worth_following(pyramid, bank, found, cards), plane)
    layers = Layers.of(pyramid, bank, plane, cards)
    # A guess that alignment has not made a card of at few pixels is not worth more of them.
    for side, judged, least in ((COARSE, COARSE if bank.has_upper else FINE, LEAST_COARSE), (FINE, FINE, LEAST_FINE)):
        if not len(found):
            break
        shows = layers.hide(found.corners, found.face, side, 0.6)
        moved = aligner.refine(pyramid, found.corners, found.face, side, 0.6, "placed", 6, shows)
        found = best_faces(pyramid, bank, plane.outlines(plane.poses(moved)), judged, 0.6, layers)
        if bank.has_upper:
            found = found.select(found.score > np.where(found.visible < 1, LEAST_IN_PART, LEAST_WHOLE))
        else:
            found = unlike(found.select(found.score > least), plane)
    return found


def _worth_following(pyramid: Pyramid, bank: FaceBank, guesses: Detections, cards: Detections) -> Detections:
    """The guesses that resemble a face enough for alignment to make cards of them and whose print is not too faint."""
    likely = guesses.select(guesses.score > LEAST_GUESSED)
    if not len(likely) or not len(cards):
        return likely
    screen = screen_of(bank)
    usual = np.median(screen.gains(pyramid, cards.corners, cards.face))
    return likely.select(np.asarray(screen.gains(pyramid, likely.corners, likely.face) > FAINT * usual))


def guess_faces(pyramid: Pyramid, bank: FaceBank, plane: Plane, poses: Doubles, cards: Detections) -> Detections:
    """The likeliest faces at poses (N, 3) on the table, those of the `MOST_GUESSES` likeliest poses.

    At few pixels a wrong turn may look best, so that up to three turns of each pose are followed.
    """
    if not len(poses):
        return Detections.none()
    found = best_turns(pyramid, bank, plane.outlines(poses), COARSE, 0.7, Layers.of(pyramid, bank, plane, cards))
    return found.select(np.sort(np.argsort(-found.evidence, kind="stable")[:MOST_GUESSES]))


def settle(pyramid: Pyramid, aligner: Aligner, cards: Detections, plane: Plane) -> tuple[Detections, Plane]:
    """Refine every card freely, fit the plane to those that show wholly, and lay all flat on it."""
    layers = Layers.of(pyramid, aligner.bank, plane, cards)
    shows = layers.hide(cards.corners, cards.face, FINE, 0.5, own=True)
    free = aligner.refine(pyramid, cards.corners, cards.face, FINE, 0.5, "affine", 4, shows)
    whole = (
        np.ones(len(cards), bool) if shows is None else shows.mean(axis=(1, 2)) > 0.9 * shows.mean(axis=(1, 2)).max()
    )
    if whole.sum() < 3:
        whole[:] = True
    fitted = fit_plane(free[whole], plane.aspect, pyramid.size)
    if fitted is not None and fitted[1].mean() > 0.6:
        plane = fitted[0]
    # Of a card of which little shows only the place on the table is known well.
    corners = plane.outlines(plane.poses(np.where(whole[:, None, None], free, cards.corners)))
    corners = aligner.refine(pyramid, corners, cards.face, FINE, 0.5, "placed", 4, shows)
    corners = plane.outlines(plane.poses(corners))
    found = best_faces(pyramid, aligner.bank, corners, FINE, 0.5, layers, own=True)
    found = _in_their_layers(aligner.bank, replace(cards, corners=corners), found)
    # A card that is hidden by something else keeps what was found out about its visible part.
    hidden = (cards.visible < 1 - HIDDEN) & (found.visible > 1 - HIDDEN)
    found = Detections(
        np.where(hidden[:, None, None], corners, found.corners),
        np.where(hidden, cards.face, found.face),
        np.where(hidden, cards.score, found.score),
        np.minimum(cards.visible, found.visible),
    )
    return found.select(found.score >= 0.5 * IS_CARD), plane


def _in_their_layers(bank: FaceBank, cards: Detections, found: Detections) -> Detections:
    """What was found of the same cards, each in the layer that it was in unless it is clearly liker to another face:
    two cats that differ by their eyes alone belong to different ones."""
    strange = bank.lies_on_others[cards.face] != bank.lies_on_others[found.face]
    strange &= found.score < cards.score + LAYER_GAP
    return Detections(
        np.where(strange[:, None, None], cards.corners, found.corners),
        np.where(strange, cards.face, found.face),
        np.where(strange, cards.score, found.score),
        np.where(strange, cards.visible, found.visible),
    )


WHOLE = 0.9
"""Share of a card that must show for it to count as wholly seen (range 0..1)."""
ON_TOP, OPEN, IN_PART = 10, 1, 0
"""Ranks of known cards: those laid on others; those that lie on the table and show wholly; others."""


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """What known cards hide of others, in decks that have cards to be laid on others.

    A card on top hides what is under it. Of two cards on the table that seem to overlap, the one that shows wholly is
    better known, and its pixels are no evidence for the other.
    """

    photo: tuple[int, int]
    bank: FaceBank
    plane: Plane
    poses: Doubles
    rank: NDArray[np.intp]
    light: Light | None

    @classmethod
    def of(cls, pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections) -> Layers:
        """Of known `cards`; worked out once, however many stages of a round ask for it."""
        kept = _KEPT.get(cards)
        if kept is not None and kept[0]() is pyramid and kept[1] is plane and kept[2].bank is bank:
            return kept[2]
        layers = cls._of(pyramid, bank, plane, cards)
        _KEPT[cards] = ref(pyramid), plane, layers
        return layers

    @classmethod
    def _of(cls, pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections) -> Layers:
        if not bank.has_upper:
            return cls(pyramid.size, bank, plane, np.empty((0, 3)), np.empty(0, np.intp), None)
        on_top = bank.lies_on_others[cards.face] & (cards.score >= SURE_ON_TOP)
        rank = np.where(on_top, ON_TOP, np.where((cards.visible >= WHOLE) & (cards.score >= IS_CARD), OPEN, IN_PART))
        layers = cls(pyramid.size, bank, plane, plane.poses(cards.corners), rank.astype(np.intp), None)
        sure = (cards.score >= IS_CARD + 0.1) & (rank != IN_PART)
        best = cards.select(sure if sure.any() else np.ones(len(cards), bool))
        templates = bank.at(FINE, 0.6)
        shows = layers.hide(cards.corners, cards.face, FINE, 0.6, own=True)
        shows = np.repeat(templates.mask[None], len(cards), axis=0) if shows is None else shows
        light = Light.of(pyramid, templates, best.corners, best.face, shows[sure if sure.any() else slice(None)])
        return replace(layers, light=light)

    def without(self, index: int) -> Layers:
        """The same without one of the known cards."""
        return replace(self, poses=np.delete(self.poses, index, axis=0), rank=np.delete(self.rank, index))

    def hide(
        self, corners: Doubles, face: NDArray[np.intp] | None, short_side: int, blur: float, own: bool = False
    ) -> Floats | None:
        """(N, h, w) what shows of cards; None if nothing is hidden. face: (N,), None: as cards that lie on the table.
        own: the cards are the known ones themselves, which do not hide their equals."""
        if not len(self.poses) or not len(corners):
            return None
        rank = np.full(len(corners), IN_PART) if face is None else ON_TOP * self.bank.lies_on_others[face]
        if own:
            rank = self.rank
        over = self.rank[None, :] > rank[:, None]
        templates = self.bank.at(short_side, blur)
        shows = shown(self.photo, self.plane, templates, self.plane.poses(corners), self.poses, over)
        return shows if float(shows.min(axis=0)[templates.mask > 0].min()) < 1 else None

    def shows(
        self, corners: Doubles, face: NDArray[np.intp] | None, short_side: int, blur: float, own: bool = False
    ) -> Floats:
        """As `hide`, but always (N, h, w): all of the card where nothing is hidden."""
        shown_ = self.hide(corners, face, short_side, blur, own)
        return np.repeat(self.bank.mask(short_side)[None], len(corners), axis=0) if shown_ is None else shown_


_KEPT: WeakKeyDictionary[Detections, tuple[ref[Pyramid], Plane, Layers]] = WeakKeyDictionary()
"""What known cards hide in which photograph, as long as they are known."""


def best_faces(
    pyramid: Pyramid,
    bank: FaceBank,
    corners: Doubles,
    short_side: int,
    blur: float = 0.5,
    layers: Layers | None = None,
    own: bool = False,
) -> Detections:
    """For each quad (N, 4, 2) the face and the turn that correlate best; corners are rolled to the face's top left."""
    if not len(corners):
        return Detections.none()
    scores, visible = face_scores(pyramid, bank, corners, short_side, blur, layers, own)
    flat = scores.reshape(len(corners), -1)
    best = flat.argmax(axis=1)
    turn = np.array(bank.turns)[best // len(bank.face_ids)]
    rolled = np.stack([np.roll(q, -k, axis=0) for q, k in zip(corners, turn, strict=True)])
    face = (best % len(bank.face_ids)).astype(np.intp)
    return Detections(
        rolled, face, flat.max(axis=1).astype(np.float32), np.where(bank.lies_on_others[face], 1, visible)
    )


def best_turns(
    pyramid: Pyramid, bank: FaceBank, corners: Doubles, short_side: int, blur: float, layers: Layers
) -> Detections:
    """For each quad the best face at each turn, where that is nearly as good as the best of all (three at most)."""
    scores, visible = face_scores(pyramid, bank, corners, short_side, blur, layers)
    face, score = scores.argmax(axis=2), scores.max(axis=2)
    order = np.argsort(-score, axis=1)[:, :3]
    quad = np.repeat(np.arange(len(corners)), order.shape[1])
    turn = order.ravel()
    keep = (score[quad, turn] > 0.1) & (score[quad, turn] > score.max(axis=1)[quad] - 0.15)
    quad, turn = quad[keep], turn[keep]
    rolled = [np.roll(corners[q], -bank.turns[t], axis=0) for q, t in zip(quad, turn, strict=True)]
    return Detections(
        np.array(rolled).reshape(-1, 4, 2), face[quad, turn].astype(np.intp), score[quad, turn], visible[quad]
    )


def face_scores(
    pyramid: Pyramid,
    bank: FaceBank,
    corners: Doubles,
    short_side: int,
    blur: float,
    layers: Layers | None,
    own: bool = False,
) -> tuple[Floats, Floats]:
    """(N, T, F) correlations of each quad with each face at each possible turn, and (N,) which share of it shows."""
    templates = bank.at(short_side, blur)
    patches = pyramid.cut(corners, templates.size)
    visible = np.ones(len(corners), np.float32)
    if layers is None or not bank.has_upper:
        return correlations(patches, templates, bank.turns), visible
    shows = layers.shows(corners, None, short_side, blur, own)
    visible = shows.sum(axis=(1, 2)) / templates.mask.sum()
    scores = np.empty((len(corners), len(bank.turns), len(bank.face_ids)), np.float32)
    part = visible < 1
    scores[~part] = correlations(patches[~part], templates, bank.turns)
    on_top = bank.lies_on_others
    scores[part] = correlations(patches[part], templates, bank.turns, shows[part])
    # A card on top is hidden by none: it is compared as a whole.
    if part.any():
        whole = correlations(patches[part], templates, bank.turns, faces=on_top)
        scores[np.ix_(part, np.arange(len(bank.turns)), on_top)] = whole
    if layers.light is not None and short_side <= COARSE:
        error = -colour_scores(patches, shows, templates, bank.turns, layers.light, corners)
        scores -= np.where(on_top, 0, OFF_PRICE * (np.maximum(error, BEST_ERROR) - 1)).astype(np.float32)
    elif layers.light is not None:
        scores = likeliest(patches, shows, templates, scores, bank.turns, layers.light, corners, ~on_top)
    return scores, visible.astype(np.float32)


def distinct(cards: Detections, plane: Plane | None = None) -> Detections:
    """Of detections in one place the one that correlates best. Without a plane, by their outlines in the picture."""
    if not len(cards):
        return cards
    poses = plane.poses(cards.corners) if plane else None
    order = np.argsort(-cards.evidence, kind="stable")
    centre = cards.corners.mean(axis=1)
    side = np.sqrt(np.abs(areas(cards.corners)))
    kept: list[int] = []
    for i in order:
        if kept:
            if poses is not None and plane is not None:
                same = same_place(poses[i : i + 1], poses[kept], plane.aspect)[0].any()
            else:
                near = np.hypot(*(centre[kept] - centre[i]).T) / np.minimum(side[kept], side[i])
                same = float(near.min()) < SAME_PLACE
            if same:
                continue
        kept.append(int(i))
    return cards.select(np.array(sorted(kept), dtype=np.intp))


def unlike(cards: Detections, plane: Plane) -> Detections:
    """Detections without those that a better one of the same face and nearly the same pose stands for, and at most
    `FOLLOWED_A_PLACE` in one place."""
    if len(cards) < 2:
        return cards
    order = np.argsort(-cards.evidence, kind="stable")
    poses, face = plane.poses(cards.corners)[order], cards.face[order]
    near = same_place(poses, poses, plane.aspect)
    offset = np.abs(poses[:, None] - poses[None])
    turned = np.abs((offset[..., 2] + np.pi) % (2 * np.pi) - np.pi)
    alike = (offset[..., :2].max(axis=2) < ALIKE) & (turned < ALIKE_TURN) & (face[:, None] == face[None])
    keep = np.ones(len(order), dtype=bool)
    for i in range(1, len(order)):
        before = keep[:i]
        keep[i] = not (alike[i, :i] & before).any() and (near[i, :i] & before).sum() < FOLLOWED_A_PLACE
    return cards.select(np.sort(order[keep]))


def new_only(fresh: Detections, cards: Detections, plane: Plane) -> Detections:
    """Detections that are not where a card is already known."""
    if not len(fresh) or not len(cards):
        return fresh
    taken = same_place(plane.poses(fresh.corners), plane.poses(cards.corners), plane.aspect).any(axis=1)
    return fresh.select(np.asarray(~taken, dtype=bool))


def same_place(poses: Doubles, others: Doubles, aspect: float) -> Bools:
    """(N, M) whether cards at two poses would be one: too near to each other to be two cards that both show.

    A long card across another one covers at most its middle, so that two centres may be nearer.
    """
    apart = np.hypot(*(poses[:, None, :2] - others[None, :, :2]).transpose(2, 0, 1))
    across = np.abs(np.sin(poses[:, None, 2] - others[None, :, 2])) > np.sqrt(0.5)
    limit = np.where(across & (aspect > 1.2), SAME_PLACE_ACROSS, SAME_PLACE)
    return np.asarray(apart < limit)
