"""Cards of any design in a photograph, without a deck: by their shape, their common size and the plane they lie in.

The journey: candidates from many cues -> the family of one size on one plane -> a search of that plane for cards that
touch -> of places over each other the best -> the plane once more, from all of them -> what is table is thrown out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, areas
from referee.vision.find_agree import (
    families,
    halved,
    halves_alike,
    oriented,
    seams,
    side_evidence,
    split,
    unlike_a_camera,
    weights,
)
from referee.vision.find_follow import Scene, followed, without_gaps
from referee.vision.find_lattice import lattices, likeliest, without_frills
from referee.vision.find_likely import likelihood, of_a_pattern
from referee.vision.find_paper import of_one_sheet
from referee.vision.find_printed import MANY, ROUND, Printed, look_like_cards, printed
from referee.vision.find_quads import (
    SMALLEST,
    Quads,
    closed_regions,
    edge_strength,
    find_quads,
    halves,
    quads_of_regions,
    unlike_the_rim,
)
from referee.vision.find_surface import Surface
from referee.vision.plane import Plane

LONG_SIDE = 1280
"""Long side in pixels of the picture in which cards are looked for."""
TRIED = 4
"""Families that are followed to the end."""
MOST = 350
"""Candidates kept, the best."""
EXPLAINED = 0.8
"""How well (0..1) a family explains the picture when no other need be tried."""
NO_CAMERA = (0.2, 0.45)
"""How unlike a camera's picture (see `unlike_a_camera`) a plane may be that a few, or many, agree on; a picture cut
out beside the middle is unlike one."""
SEAM = 0.3
"""Evidence of the weakest side from which on a card may be a block of smaller ones."""
LATTICES = 2
"""Lattices that are followed to the end, the likeliest."""
OF_THE_TABLE = 0.05
"""Share of a card that is not table, at least."""
MANY_APART, SPARSE, WHOLE = 20, 0.2, 0.6
"""More finds than these, covering less than this share of where they lie, over more than this share of the picture, are
the table's pattern."""
MANY_DOTS, DOTS = 9, (0.6, 16.0, 3.0, 3.0)
"""More finds than these, as sparse, that are alike are the small tiles of a floor: how much of each has not the colour
of its ground, at least, and by how much (Lab) the grounds differ, at most."""
PART_OF_A_THING = 0.72
"""Share of what lies beside the sides of cards that must be the table or another card."""
ONE_SIDE = 0.4
"""The same for each side where there are few."""
CLEAR = 0.5
"""Worth of a lattice from which on no other ways to part table and cards need be tried."""
SECOND_CHOICE = 0.35
"""Worth that a lattice must have which only such another way shows."""
FEW_SURE = 0.8
"""Score that each of one to three finds must have."""
LIKELY, LIKELY_PLAIN = 0.55, 0.4
"""How likely (0..1) more finds must be cards, see `likelihood`: anywhere, and where they lie in plain sight."""
GROWN = 2
"""So many times the cells of a lattice may be found without more being asked of them."""
UNLIKE = 0.5
"""Share of a card that is unlike the table where there are few."""
LOOKED_AT = 24
"""So many finds of a family are looked at closely."""
PLAIN, LEFT_OVER = 0.9, 0.3
"""Score of every card, and cards' areas of other things on the table, with which nothing else need be thought of."""
PLAIN_SIDE = 0.6
"""Evidence of the weakest side that most of the first finds must have for it."""
UNDIVIDED = 0.4
"""Evidence (0..1) that lines through the middles of cards must not have then."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """A card. corners: (4, 2) px of the photograph, clockwise, any first; confidence: 0..1."""

    corners: Doubles
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class _Hypothesis:
    """Cards of one size on one plane. scene: with what is table, then; members: (M, 4, 2) px; worth: 0..1, of the
    lattice they are cells of, 0 if of none; block: whether they form one full rectangle of touching cells.
    """

    scene: Scene
    plane: Plane
    members: Doubles
    worth: float
    block: bool


def find_cards(image: Pixels, aspect: float) -> tuple[FoundCard, ...]:
    """Find the cards in a photograph (H, W, 3) uint8 BGR; aspect: long side of a card over the short one (>= 1)."""
    scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
    small = image
    if scale < 1:
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    strength, rarity = edge_strength(small), unlike_the_rim(small)
    scene = Scene(small, strength, Surface.of(small, rarity), aspect)
    masks = list(closed_regions(rarity))
    plain = _at_a_glance(scene, image, [closed for closed, _ in masks])
    corners, score = _of_the_best(scene, image, masks) if plain is None else plain
    middle = 0.5 - 0.5 / scale  # pixel centres: a smaller picture is shifted by part of a pixel
    return tuple(
        FoundCard(card / scale + middle, float(confidence))
        for card, confidence in zip(corners, _confidence(score), strict=True)
    )


def _at_a_glance(scene: Scene, image: Pixels, regions: list[Pixels]) -> tuple[Doubles, Doubles] | None:
    """Cards (N, 4, 2) and scores (N,) where cards lie apart in plain sight and nothing else does; None elsewhere.

    regions: black and white pictures (H, W) of what is no table; image: the photograph itself.
    """
    for plane, members in _planes(scene, quads_of_regions(regions, scene.aspect, scene.strength))[:1]:
        if float(np.median(side_evidence(scene.strength, members).min(axis=1))) < PLAIN_SIDE:
            continue
        corners, score = followed(scene, members, plane, 0.0)
        if not len(corners) or score.min() < PLAIN:
            continue
        around = _around(scene, corners)
        sure = around.left_over < LEFT_OVER and _on_the_table(scene, corners, around)
        sure = sure and float(_lines(scene, corners).max()) < UNDIVIDED
        plain = _Hypothesis(scene, plane, members, 0.0, False)
        if sure and bool(_cards(scene, image, corners, score, plain, LIKELY_PLAIN).all()):
            return without_gaps(scene, corners), score
    return None


def _of_the_best(scene: Scene, image: Pixels, masks: list[tuple[Pixels, Pixels]]) -> tuple[Doubles, Doubles]:
    """Cards (N, 4, 2) and scores (N,) of the hypothesis that explains the picture best."""
    best: tuple[float, Doubles, Doubles] | None = None
    for each in _hypotheses(scene, masks):
        seen = each.scene
        corners, score = followed(seen, each.members, each.plane, each.worth)
        if not len(corners):
            continue
        keep = _cards(seen, image, corners, score, each)
        if not keep.any():
            continue
        corners, score = corners[keep], score[keep]
        if not each.worth and len(corners) < MANY and not keep.all():  # beside those that were left out
            keep = _cards(seen, image, corners, score, each)
            corners, score = corners[keep], score[keep]
            if not keep.any():
                continue
        worth = _worth(seen, corners, score)
        if best is None or worth > 1.05 * best[0]:
            best = (worth, without_gaps(seen, corners), score)
        sure = not each.worth or (each.worth > CLEAR and not each.block)
        if sure and len(corners) > 2 and float(seen.surface.explained(corners).mean()) > EXPLAINED:
            break
    return (np.empty((0, 4, 2)), np.empty(0)) if best is None else best[1:]


def _cards(
    scene: Scene, image: Pixels, corners: Doubles, score: Doubles, of: _Hypothesis, least: float = LIKELY
) -> NDArray[np.bool_]:
    """(N,) which finds with these scores (N,) are cards: of a few each must show it, of many it is all or none.

    image: the photograph (H, W, 3) itself; of: what was followed; least: how likely many must be, 0..1.
    """
    around, none = _around(scene, corners), np.zeros(len(corners), dtype=bool)
    if len(corners) >= MANY:
        seen = _looks(scene, image, corners)
        if not _likely(scene, corners, around, seen, of.worth > 0, least):
            return none
        step = -(-len(corners) // len(seen.marks))
        pattern = of_a_pattern(corners, scene.strength, scene.surface, seen, step)
        return _printed(scene, corners, seen, of.block, around) & ~pattern
    if not _on_the_table(scene, corners, around):
        return none
    keep = _printed(scene, corners, _looks(scene, image, corners), of.block, around)
    if not of.worth or len(corners) > GROWN * len(of.members):  # beyond what the outline explains
        keep &= _few_are_clear(scene, corners, score)
    return keep


def _hypotheses(scene: Scene, masks: list[tuple[Pixels, Pixels]]) -> Iterator[_Hypothesis]:
    """What may be the cards, the likeliest first. masks: from `closed_regions`."""
    masks = masks[::-1]
    shortest = max(12.0, SMALLEST * max(scene.size))
    regular = lattices(masks, scene.strength, scene.aspect, shortest)
    if not regular or regular[0].worth < CLEAR:
        more = [*halves(scene.image), *without_frills(masks)]
        least = max(SECOND_CHOICE, 1.5 * max((lattice.worth for lattice in regular), default=0.0))
        regular += lattices(more, scene.strength, scene.aspect, shortest, least)
    for lattice in likeliest(regular)[:LATTICES]:
        surface = Surface(scene.surface.lab, lattice.mask)
        yield _Hypothesis(replace(scene, surface=surface), lattice.plane, lattice.cells, lattice.worth, lattice.block)
    quads = find_quads(scene.image, scene.aspect, scene.strength, [closed for closed, _ in reversed(masks)])
    for plane, members in _planes(scene, quads):
        yield _Hypothesis(scene, plane, members, 0.0, False)


def _planes(scene: Scene, quads: Quads) -> list[tuple[Plane, Doubles]]:
    """The planes that these candidates suggest, with cards (M, 4, 2) on each, the likeliest first."""
    if not len(quads):
        return []
    evidence = side_evidence(scene.strength, quads.corners)
    weight = weights(evidence, quads.votes) * (0.25 + 0.75 * scene.surface.stands_out(quads.corners))
    likely = np.argsort(-weight, kind="stable")[:MOST]
    return _likeliest(scene, quads.corners[likely], weight[likely])


def _confidence(score: Doubles) -> Doubles:
    """(N,) how likely finds with these scores are cards: each by its own sides, by how good the best of all are, and
    less where there are few.

    A logistic fit to 1189 finds in 125 virtual photographs (`tests.benchmarks.finding`), those of one photograph
    weighing no more than eight; checked on 304 others (the README says how often it was right). One photograph's
    finds are mostly right or wrong together.
    """
    if not len(score):
        return np.empty(0)
    own = np.minimum(score, 1.0)
    few = float(len(score) < MANY)
    return np.asarray(1 / (1 + np.exp(3.16 + 0.86 * few - 6.31 * own - 0.56 * float(np.percentile(own, 80)))))


@dataclass(frozen=True, slots=True, eq=False)
class _Around:
    """What lies around finds. free: (N, 4) how much beside each side is the table or another find; left_over: area of
    other things on the table, in cards' areas.
    """

    free: Doubles
    left_over: float


def _around(scene: Scene, corners: Doubles) -> _Around:
    things = scene.surface.without_light(corners, scene.strength)
    return _Around(things.free(corners), things.unexplained(corners))


def _few_are_clear(scene: Scene, corners: Doubles, score: Doubles) -> NDArray[np.bool_]:
    """(N,) which of one to three finds show so well that they are cards and not chance."""
    return np.asarray((score > FEW_SURE) & (scene.surface.foreign(corners) > UNLIKE))


def _on_the_table(scene: Scene, corners: Doubles, around: _Around) -> bool:
    """Whether these lie on the table, beside it or each other, and are neither table nor parts of another thing."""
    other = float(np.median(scene.surface.foreign(corners))) > OF_THE_TABLE
    return other and float(around.free.mean()) > PART_OF_A_THING


def _likely(scene: Scene, corners: Doubles, around: _Around, seen: Printed, flush: bool, least: float) -> bool:
    """Whether four and more finds are cards rather than a pattern of the table or parts of other things. seen: how some
    of them look; flush: whether they are cells of a lattice; least: how likely, 0..1.
    """
    hull = cv2.contourArea(cv2.convexHull(corners.reshape(-1, 2).astype(np.float32)))
    if float(areas(corners).sum()) < SPARSE * hull:
        if len(corners) > MANY_APART and hull > WHOLE * scene.size[0] * scene.size[1]:
            return False  # a pattern all over the table
        alike = bool((seen.ground.std(axis=0) < DOTS[1:]).all()) and float(np.median(seen.marks)) > DOTS[0]
        if len(corners) > MANY_DOTS and alike:
            return False
    return likelihood(corners, scene.strength, scene.surface, around.free, around.left_over, seen, flush) > least


def _looks(scene: Scene, image: Pixels, corners: Doubles) -> Printed:
    """How these finds (N, 4, 2), or some of very many, look in the photograph (H, W, 3) itself."""
    some = corners[:: -(-len(corners) // LOOKED_AT)]
    scale = max(scene.size) / max(image.shape[:2])
    return printed(image, oriented(some, None, scene.aspect) / scale, scene.aspect)


def _printed(scene: Scene, corners: Doubles, seen: Printed, block: bool, around: _Around) -> NDArray[np.bool_]:
    """(N,) which finds look like cards. seen: how they look, from `_looks`.

    block: whether they touch and form one full rectangle, as the parts of a printed sheet do.
    """
    cards = look_like_cards(seen, block) & ~np.bool_(of_one_sheet(scene.surface, corners, seen))
    if len(corners) < MANY:  # a part of a sheet or of a book has a side that is not free, and sharp corners
        cards &= (around.free.min(axis=1) > ONE_SIDE) | (np.nan_to_num(seen.round) > ROUND)
    return cards if len(cards) == len(corners) else np.full(len(corners), cards.any())


def _likeliest(scene: Scene, corners: Doubles, weight: Doubles) -> list[tuple[Plane, Doubles]]:
    """The planes worth following, with cards (M, 4, 2) on each, of sizes that differ, the likeliest first."""
    found = []
    for family in families(corners, weight, scene.aspect, scene.size):
        if unlike_a_camera(family.plane) > NO_CAMERA[len(family.members) >= MANY]:
            continue
        members = corners[family.members]
        found.append((_worth(scene, members, weight[family.members], 0.5), family.plane, members))
        # A block of touching cards may have the shape of one card, with seams in it.
        blocks = [split(family.plane, members, parts) for parts in (2, 3)]
        if halves_alike(scene.aspect):
            blocks.append(halved(family.plane, members))
        for plane, smaller in blocks:
            if np.sqrt(np.median(areas(smaller))) < SMALLEST * max(scene.size):
                continue
            evidence = side_evidence(scene.strength, smaller)
            if float(np.median(evidence.min(axis=1))) > SEAM:
                found.append((_worth(scene, smaller, weights(evidence, np.full(len(smaller), 4)), 0.5), plane, smaller))
    found.sort(key=lambda each: -each[0])
    kept: list[tuple[Plane, Doubles]] = []
    sizes: list[float] = []
    for _, plane, members in found:
        size = float(np.log(plane.side_at(np.array([scene.size]) / 2)[0]))
        if all(abs(size - other) > 0.08 for other in sizes):
            kept.append((plane, members))
            sizes.append(size)
    return kept[:TRIED]


def _worth(scene: Scene, corners: Doubles, score: Doubles, power: float = 0.6) -> float:
    """How well these cards explain the picture: beside each other and the table, nothing left over."""
    if not len(corners):
        return 0.0
    size = np.maximum(areas(corners), 0.0) / (scene.size[0] * scene.size[1])
    seen = 0.25 + float(np.median(side_evidence(scene.strength, corners).min(axis=1)))  # half a card has a weak side
    return (
        seen
        * _whole(scene, corners)
        * float((score * size**power * (0.25 + 0.75 * scene.surface.explained(corners) ** 2)).sum())
    )


def _whole(scene: Scene, corners: Doubles) -> float:
    """How little (0..1) these cards look like blocks of smaller ones, by the lines through their middles."""
    lines = _lines(scene, corners)
    whole = 1 - 0.7 * float(np.clip((lines.min() - 0.3) / 0.3, 0, 1))  # or they are blocks of four
    if halves_alike(scene.aspect):
        whole = min(whole, 1 - 0.5 * float(np.clip((lines[1] - 0.5) / 0.3, 0, 1)))  # or of two
    return whole


def _lines(scene: Scene, corners: Doubles) -> Doubles:
    """(2,) usual evidence of lines through the middles of cards, as between smaller ones."""
    return np.asarray(np.median(seams(scene.strength, oriented(corners, None, scene.aspect)), axis=0))
