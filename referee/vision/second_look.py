"""A second photograph of the same table: the known cards are verified where they lay, the search is for what changed.

Nothing is believed because it was read before. Each known card is aligned and compared with all faces of the deck like
any other candidate; one that does not hold there is searched for again, and so is every place that looks different, was
not in the picture, or was open the last time. Where too little holds, the whole table is searched as if it were new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Aligner, Doubles, Pyramid, apply
from referee.vision.changes import changed_places, grown
from referee.vision.covering import SUSPICIOUS, weigh
from referee.vision.detect import Found, search_on
from referee.vision.facebank import COARSE, FINE, FaceBank
from referee.vision.memory import Memory
from referee.vision.movement import Marks, common_places, followed_plane, rescaled
from referee.vision.places import Places
from referee.vision.plane import Bools, Plane, card_corners, covered
from referee.vision.quality import Suspect, piled_in, suspects_of
from referee.vision.recognise import CardReading
from referee.vision.seeds import SEARCH_SIDE, Features, Votes, feature_bank
from referee.vision.track import Pairs, nearest_pairs
from referee.vision.unchanged import look_unchanged, resemble
from referee.vision.verify import (
    IS_CARD,
    MAYBE_CARD,
    SAME_PLACE,
    WHOLE,
    Detections,
    Layers,
    best_faces,
    distinct,
    same_place,
    settle,
)

STANDS_STILL = 0.02
"""How far cards may seem to have moved, in card sides, by a camera that stands still."""
AGREES = 0.1
"""How far places of two tables laid on each other may be apart, in card sides."""
MAY_BE_GONE = 0.3
"""Share of the known cards in the picture (one at least) that may not lie where they lay; else nothing is believed."""
RESEMBLES = 0.45
"""Correlation with a face, coarsely, from which on a known card may still lie there (0..1)."""
INSIDE = 0.5
"""Share of a card that must lie in the picture for it to be expected there."""
CARD = 64
"""Pixels of a card's short side at which features are looked for, its size being known."""
OCTAVES = 5
"""Sizes of features looked for, each 1.2 times the one before."""
RIM = 24
"""Pixels around the places searched that features of theirs may need."""
SAME = 0.1
"""Share of the place of a known card that does not hold any more from which on the place has changed (0..1)."""
AROUND = 2.0
"""How far around a card a change may make a pile of it or of a pile a card, in its own size."""
MOST_OPEN = 0.5
"""Share of the table in view from which on it is searched as a whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """What a second look found. opened: the places that were searched because they had changed. kept: (N,) for each
    card found the known one which it is if it looks as it did, -1: it is to be read. places: where else than on those
    anything may have changed, None: nowhere; there doubts are weighed anew. to_before: homography (3, 3) of the tables.
    memory: to be kept, None: a new one."""

    found: Found
    opened: Places | None
    kept: NDArray[np.intp]
    places: Places | None
    to_before: Doubles
    memory: Memory | None = None

    def readings(self, memory: Memory) -> dict[int, CardReading]:
        """By their numbers among the cards found, the readings of those that look as they did."""
        corners = self.found.cards.corners
        return {i: memory.reading_at(int(known), corners[i]) for i, known in enumerate(self.kept) if known >= 0}

    def doubts(self, pyramid: Pyramid, bank: FaceBank, memory: Memory) -> tuple[tuple[Suspect, ...], tuple[bool, ...]]:
        """The suspects, and for each card whether it may be the top of a pile: where nothing has changed as before."""
        plane = self.found.plane
        if plane is None:
            return (), ()
        poses = _carried(self.to_before, memory.suspect_poses())
        lain = [
            replace(suspect, corners=corners)
            for suspect, corners in zip(memory.suspects, plane.outlines(poses), strict=True)
        ]
        piled = [known >= 0 and memory.piled[known] for known in self.kept]
        if self.places is None:
            return tuple(lain), tuple(piled)
        changed = self.places.touched_by(poses, plane.aspect)
        found = suspects_of(pyramid, self.found, bank)
        there = plane.poses(np.array([suspect.corners for suspect in found]).reshape(-1, 4, 2))
        new = self.places.touched_by(there, plane.aspect)
        suspects = [suspect for suspect, gone in zip(lain, changed, strict=True) if not gone]
        suspects += [suspect for suspect, fresh in zip(found, new, strict=True) if fresh]
        near = self.places.touched_by(plane.poses(self.found.cards.corners), plane.aspect, AROUND) | (self.kept < 0)
        piled = [now if fresh else was for now, fresh, was in zip(piled_in(self.found, bank), near, piled, strict=True)]
        return tuple(suspects), tuple(piled)


def look_again(pyramid: Pyramid, aligner: Aligner, memory: Memory) -> Again | None:
    """What lies on the table now, and which places were searched; None if the whole table has to be searched.

    Corners of the result are pixels of the photograph, as of `detect`.
    """
    same = _all_the_same(pyramid, aligner.bank, memory)
    if same is not None:
        return same
    held = _held(pyramid, aligner, memory)
    if held is None:
        return None
    plane, cards = held.plane, held.cards
    known = _carried(held.to_before, memory.cards.poses)
    here = plane.poses(cards.corners)
    places = changed_places((memory.picture, memory.plane), (pyramid, plane), held.to_before, here)
    mask = places.mask.copy()
    bank = aligner.bank
    if not bank.has_upper:  # nothing lies on cards that could be found there
        mask &= ~_under(places, here, plane.aspect)
    failed = ~same_place(known, here, plane.aspect).any(axis=1)
    failed &= _share_inside(plane.outlines(known), pyramid.size) >= INSIDE
    for pose in known[failed]:
        place = _under(places, pose[None], plane.aspect)
        if mask[place].mean() > SAME:  # else it shows what it showed, and that alone is judged again
            mask |= place
    rejected = memory.rejected.at(plane.outlines(_carried(held.to_before, memory.rejected.poses)))
    if held.moved:  # from here it may be seen better
        mask |= _under(places, plane.poses(rejected.corners), plane.aspect)
    if memory.opened is not None:
        explained = grown(_under(places, here, plane.aspect), places.scale)
        mask |= _open_before(places, held.to_before, memory.opened) & ~explained
    if mask.mean() > MOST_OPEN:
        return None
    where = replace(places, mask=grown(mask, places.scale))
    inside = _share_inside(rejected.corners, pyramid.size) >= INSIDE
    rejected = rejected.select(inside & ~where.touched_by(plane.poses(rejected.corners), plane.aspect))
    if not mask.any() and not failed.any():
        found = Found(cards, plane, rejected)
        return Again(found, None, _kept(pyramid, bank, plane, cards, memory, known), None, held.to_before)
    before = memory.cards.at(plane.outlines(known))
    rejected = rejected.plus(before.select(failed))
    if len(rejected):  # what they resemble now; of those half hidden that is weighed by what shows
        layers = Layers.of(pyramid, bank, plane, cards)
        now = best_faces(pyramid, bank, rejected.corners, FINE, 0.6, layers)
        rejected = rejected.select(now.visible < WHOLE).plus(now.select(now.visible >= WHOLE))
        rejected = rejected.select(rejected.score >= MAYBE_CARD)
    expected = _share_inside(before.corners, pyramid.size) >= INSIDE
    votes = votes_in(pyramid, bank, plane, where)
    found = search_on(pyramid, aligner, plane, cards, rejected, votes, where, before.select(expected))
    if held.moved and (found.rejected.score >= SUSPICIOUS).any():
        return None  # seen from elsewhere, the whole may tell more than its parts
    if found.plane is None:
        return None
    opened = replace(places, mask=mask & _looked_new(places, memory, held.to_before))
    return Again(found, opened, _kept(pyramid, bank, found.plane, found.cards, memory, known), where, held.to_before)


def _all_the_same(pyramid: Pyramid, bank: FaceBank, memory: Memory) -> Again | None:
    """If the camera stands still and nothing has changed at all, what was found before; else None."""
    factor = memory.factor(pyramid)
    if factor is None:
        return None
    plane = rescaled(memory.plane, factor)
    lain, here = memory.plane.outlines(memory.cards.poses), plane.outlines(memory.cards.poses)
    for some in (slice(0, 2), slice(2, None)):  # mostly two cards show already that it is not so
        asked = memory.cards.face[some], memory.blurs[some]
        if not look_unchanged(memory.picture, lain[some], pyramid, here[some], bank, *asked).all():
            return None
    places = changed_places((memory.picture, memory.plane), (pyramid, plane), np.eye(3), memory.cards.poses)
    if places.mask.any():
        return None
    rejected = memory.rejected.at(plane.outlines(memory.rejected.poses))
    found = Found(memory.cards.at(here), plane, rejected)
    return Again(found, None, np.arange(len(lain)), None, np.eye(3), memory)


def _kept(
    pyramid: Pyramid, bank: FaceBank, plane: Plane, cards: Detections, memory: Memory, known: Doubles
) -> NDArray[np.intp]:
    """(N,) which of the known cards each card is that looks as it did, -1: none. known: (M, 3) where they lay."""
    out = np.full(len(cards), -1)
    poses = plane.poses(cards.corners)
    off = np.hypot(*(poses[:, None, :2] - known[None, :, :2]).transpose(2, 0, 1))
    alike = (cards.face[:, None] == memory.cards.face[None]) & (np.cos(poses[:, None, 2] - known[None, :, 2]) > 0.9)
    pairs = np.array(nearest_pairs(off, alike & (off < SAME_PLACE)), np.intp).reshape(-1, 2)
    lain = memory.plane.outlines(memory.cards.poses)[pairs[:, 1]]
    same = look_unchanged(
        memory.picture,
        lain,
        pyramid,
        cards.corners[pairs[:, 0]],
        bank,
        cards.face[pairs[:, 0]],
        memory.blurs[pairs[:, 1]],
    )
    out[pairs[same, 0]] = pairs[same, 1]
    return out


def _looked_new(places: Places, memory: Memory, to_before: Doubles) -> Bools:
    """(H, W) places that were not already searched the last time."""
    if memory.opened is None:
        return np.ones_like(places.mask)
    return ~_open_before(places, to_before, memory.opened)


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """Known cards that lie where they lay, the plane they lie in now, the way back to the earlier table (3, 3), and
    whether the camera moved."""

    cards: Detections
    plane: Plane
    to_before: Doubles
    moved: bool


def _held(pyramid: Pyramid, aligner: Aligner, memory: Memory) -> _Held | None:
    """A camera that stands still, or nearly, is tried first; it costs least."""
    factor = memory.factor(pyramid)
    found, plane = None, rescaled(memory.plane, factor or 1.0)
    lain = memory.plane.outlines(memory.cards.poses)
    if factor is not None and resemble(memory.picture, lain, pyramid, plane.outlines(memory.cards.poses)):
        found = _verified(pyramid, aligner, memory, plane)
        if found is not None and _shift(found[0], plane, memory) < STANDS_STILL:
            grid = np.stack(np.meshgrid(*(np.linspace(0.1, 0.9, 5) * n for n in pyramid.size)), -1).reshape(-1, 2)
            back = memory.plane.table((grid + 0.5) / factor - 0.5)
            return _Held(*found, _homography(found[1].table(grid), back), moved=False)
    before, now = common_places(memory.marks, Marks.of(pyramid))
    followed = followed_plane(memory.plane, before, now, pyramid.size)
    again = None if followed is None else _verified(pyramid, aligner, memory, followed)
    if followed is not None and again is not None and (found is None or len(again[0]) >= len(found[0])):
        found, plane = again, followed
    if found is None:
        return None
    cards, fitted = found
    pairs = _pairs(cards, plane, memory)
    here = card_corners(fitted.poses(cards.corners), fitted.aspect)[[i for i, _ in pairs]].reshape(-1, 2)
    there = card_corners(memory.cards.poses, fitted.aspect)[[j for _, j in pairs]].reshape(-1, 2)
    return _Held(cards, fitted, _laid_over(here, there, fitted.table(now), memory.plane.table(before)), moved=True)


def _pairs(cards: Detections, plane: Plane, memory: Memory) -> Pairs:
    """Cards and the known ones which they are, as the table is seen with the earlier `plane`."""
    poses, others = plane.poses(cards.corners), memory.cards.poses
    off = np.hypot(*(poses[:, None, :2] - others[None, :, :2]).transpose(2, 0, 1))
    return nearest_pairs(off, (off < SAME_PLACE) & (np.cos(poses[:, None, 2] - others[None, :, 2]) > 0.8))


def _shift(cards: Detections, plane: Plane, memory: Memory) -> float:
    """How far cards seem to have moved, in card sides: most of them have not, it is the camera."""
    poses = plane.poses(cards.corners)
    off = [np.hypot(*(poses[i, :2] - memory.cards.poses[j, :2])) for i, j in _pairs(cards, plane, memory)]
    return float(np.median(off)) if off else 0.0


def _laid_over(corners: Doubles, before: Doubles, places: Doubles, places_before: Doubles) -> Doubles:
    """(3, 3) homography between two tables by the corners of cards that lie still; places (K, 2) that look alike, of
    which many are mistaken, hold it where there are no cards."""
    if len(corners) < 8:
        return _homography(np.concatenate([corners, places]), np.concatenate([before, places_before]))
    start = _homography(corners, before)
    off = np.hypot(*(apply(start, places) - places_before).T)
    alike = off < AGREES
    return _homography(np.concatenate([corners, places[alike]]), np.concatenate([before, places_before[alike]]))


def _homography(source: Doubles, target: Doubles) -> Doubles:
    near = np.isfinite(source).all(axis=1) & np.isfinite(target).all(axis=1)
    matrix, _ = cv2.findHomography(source[near], target[near], cv2.RANSAC, AGREES, maxIters=1500, confidence=0.995)
    return np.eye(3) if matrix is None else np.asarray(matrix, dtype=np.float64)


def _verified(pyramid: Pyramid, aligner: Aligner, memory: Memory, plane: Plane) -> tuple[Detections, Plane] | None:
    """The known cards that lie where they lay, compared anew with all faces, and the plane fitted to them."""
    bank = aligner.bank
    outlines = plane.outlines(memory.cards.poses)
    expected = np.isfinite(outlines).all(axis=(1, 2)) & (_share_inside(outlines, pyramid.size) >= INSIDE)
    known = memory.cards.at(outlines).select(expected)
    if not len(known):
        return None
    layers = Layers.of(pyramid, bank, plane, known)
    shows = layers.hide(known.corners, known.face, COARSE, 0.6, own=True)
    moved = aligner.refine(pyramid, known.corners, known.face, COARSE, 0.6, "placed", 6, shows)
    found = best_faces(pyramid, bank, plane.outlines(plane.poses(moved)), COARSE, 0.6, layers, own=True)
    still = found.score >= RESEMBLES
    if len(known) - still.sum() > max(1, MAY_BE_GONE * len(known)):
        return None
    cards, fitted = settle(pyramid, aligner, distinct(found.select(still), plane), plane)
    sure = cards.score >= IS_CARD
    for i in np.flatnonzero(~sure & bank.has_upper & ~bank.lies_on_others[cards.face]):
        others = cards.select(np.arange(len(cards)) != i)
        sure[i] = weigh(pyramid, bank, fitted, cards.select(np.array([i])), others).score[0] >= IS_CARD
    if not sure.any() or len(known) - sure.sum() > max(1, MAY_BE_GONE * len(known)):
        return None
    return cards.select(sure), fitted


def _carried(to_before: Doubles, poses: Doubles) -> Doubles:
    """Poses (N, 3) of the earlier table on that of now."""
    back = np.asarray(np.linalg.inv(to_before), dtype=np.float64)
    here = apply(back, poses[:, :2])
    ahead = apply(back, poses[:, :2] + 0.1 * np.stack([np.cos(poses[:, 2]), np.sin(poses[:, 2])], axis=1)) - here
    return np.column_stack([here, np.arctan2(ahead[:, 1], ahead[:, 0])])


def _under(places: Places, poses: Doubles, aspect: float) -> Bools:
    """(H, W) which places lie under cards at poses (N, 3)."""
    return covered(poses, aspect, places.mask.shape, places.scale, places.origin)


def _open_before(places: Places, to_before: Doubles, opened: Places) -> Bools:
    """(H, W) which places were open in the earlier picture."""
    height, width = places.mask.shape
    spots = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1) / places.scale + places.origin
    return opened.at(apply(to_before, spots))


def _share_inside(outlines: Doubles, size: tuple[int, int]) -> Doubles:
    """(N,) about which share of quads (N, 4, 2) lies in a picture of `size` (width, height)."""
    across = np.linspace(0.1, 0.9, 4)
    left = outlines[:, None, 0] + across[:, None] * (outlines[:, None, 3] - outlines[:, None, 0])
    right = outlines[:, None, 1] + across[:, None] * (outlines[:, None, 2] - outlines[:, None, 1])
    spots = left[:, :, None] + across[:, None] * (right - left)[:, :, None]
    return np.asarray(((spots >= 0) & (spots <= np.array(size))).all(axis=-1).mean(axis=(1, 2)))


def votes_in(pyramid: Pyramid, bank: FaceBank, plane: Plane, where: Places) -> Votes:
    """Votes of the features of the photograph in certain places; coordinates in full-size pixels."""
    width, height = pyramid.size
    sides = plane.side_at(np.array([[0.0, 0.0], [width, 0], [0, height], [width, height]]))
    scale = min(1.0, CARD / float(sides.mean()), 2 * SEARCH_SIDE / max(width, height))
    grey = pyramid.grey(scale)
    size = (grey.shape[1], grey.shape[0])
    open_ = _in_picture(plane, where, scale, size)
    rows, columns = np.flatnonzero(open_.any(axis=1)), np.flatnonzero(open_.any(axis=0))
    if not len(rows):
        return Votes.together(())
    first = np.maximum(np.array([columns[0], rows[0]]) - RIM, 0)
    last = np.minimum(np.array([columns[-1], rows[-1]]) + RIM + 1, size)
    part = (slice(first[1], last[1]), slice(first[0], last[0]))
    count = int(np.clip(8000 * open_.sum() / SEARCH_SIDE**2, 300, 4000))
    limits = (0.75 * float(sides.min()), 1.33 * float(sides.max()))
    features = Features.of(np.ascontiguousarray(grey[part]), count, open_[part], OCTAVES)
    features = features.scaled(np.array([width, height]) / size, first)
    return features.votes(feature_bank(bank), limits)


def _in_picture(plane: Plane, where: Places, scale: float, size: tuple[int, int]) -> NDArray[np.uint8]:
    """(H, W) 1 where certain places are in the picture at `scale`, of this `size`; the lens is left out of account."""
    to_table = np.array([[1 / where.scale, 0, where.origin[0]], [0, 1 / where.scale, where.origin[1]], [0, 0, 1]])
    unit = plane.scale * scale
    to_pixels = np.array([[unit, 0, plane.middle[0] * scale], [0, unit, plane.middle[1] * scale], [0, 0, 1]])
    matrix = to_pixels @ np.linalg.inv(plane.to_table) @ to_table
    return np.asarray(cv2.warpPerspective(where.mask.astype(np.uint8), matrix, size, flags=cv2.INTER_NEAREST))
