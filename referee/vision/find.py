"""Cards of any design in a photograph, without a deck: by their shape, their common size and the plane they lie in.

The journey: candidates from many cues -> the family of one size on one plane -> a search of that plane for cards that
touch -> of places over each other the best -> the plane once more, from all of them -> what is table is thrown out.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels, Pyramid, areas
from referee.vision.facebank import Floats
from referee.vision.find_agree import Family, distinct, families, misfit, oriented, side_evidence, weights
from referee.vision.find_quads import edge_strength, find_quads, refit, unlike_the_rim
from referee.vision.find_search import beside, search
from referee.vision.find_surface import Surface
from referee.vision.plane import Plane, fit_plane

LONG_SIDE = 1280
"""Long side in pixels of the picture in which cards are looked for."""
TRIED = 4
"""Families that are followed to the end."""
MOST = 350
"""Candidates kept, the best."""
EXPLAINED = 0.8
"""How well (0..1) a family explains the picture when no other need be tried."""
ROUNDS = 5
"""How often neighbours of found cards are looked for."""
SURE = 0.45
"""Score (0..1) from which on a place is a card."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """A card. corners: (4, 2) px of the photograph, clockwise, any first; confidence: 0..1."""

    corners: Doubles
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """What is known of the picture. image: (H, W, 3) uint8 BGR; strength: its edges; surface: what is table."""

    image: Pixels
    strength: Floats
    surface: Surface
    aspect: float

    @property
    def size(self) -> tuple[int, int]:
        return self.image.shape[1], self.image.shape[0]


def find_cards(image: Pixels, aspect: float) -> tuple[FoundCard, ...]:
    """Find the cards in a photograph (H, W, 3) uint8 BGR; aspect: long side of a card over the short one (>= 1)."""
    scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
    small = image
    if scale < 1:
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    strength, rarity = edge_strength(small), unlike_the_rim(small)
    scene = _Scene(small, strength, Surface.of(small, rarity), aspect)
    quads = find_quads(small, aspect, strength, rarity)
    evidence = side_evidence(strength, quads.corners)
    weight = weights(evidence, quads.votes) * (0.25 + 0.75 * scene.surface.stands_out(quads.corners))
    likely = np.argsort(-weight, kind="stable")[:MOST]
    quads, weight = quads.select(likely), weight[likely]
    best: tuple[float, Doubles, Doubles] | None = None
    for family in _likeliest(scene, quads.corners, weight):
        corners, score = _followed(scene, quads.corners[family.members], family)
        worth = _worth(scene, corners, score)
        if best is None or worth > 1.05 * best[0]:
            best = (worth, corners, score)
        if len(corners) > 2 and float(scene.surface.explained(corners).mean()) > EXPLAINED:
            break
    if best is None:
        return ()
    middle = 0.5 - 0.5 / scale  # pixel centres: a smaller picture is shifted by part of a pixel
    return tuple(
        FoundCard(card / scale + middle, float(np.clip(score, 0, 1)))
        for card, score in zip(best[1], best[2], strict=True)
    )


def _likeliest(scene: _Scene, corners: Doubles, weight: Doubles) -> list[Family]:
    """The families worth following, of sizes that differ."""
    found = families(corners, weight, scene.aspect, scene.size)
    found.sort(key=lambda family: -_worth(scene, corners[family.members], weight[family.members], 0.5))
    kept: list[Family] = []
    sizes: list[float] = []
    for family in found:
        middle = np.array([scene.size]) / 2
        size = float(np.log(family.plane.side_at(middle)[0]))
        if all(abs(size - other) > 0.08 for other in sizes):
            kept.append(family)
            sizes.append(size)
    return kept[:TRIED]


def _followed(scene: _Scene, members: Doubles, family: Family) -> tuple[Doubles, Doubles]:
    """All cards (N, 4, 2) on the family's plane and their scores (N,), best first."""
    plane = family.plane
    side = np.sqrt(areas(members) / scene.aspect)
    poses, _ = search(Pyramid.of(scene.image), plane, scene.surface.region(members), 0.5 * float(side.min()))
    searched = _laid(scene, plane, plane.outlines(poses))
    corners = np.concatenate([members, searched])
    known = np.arange(len(corners)) < len(members)
    score = _score(scene, corners, known)
    kept = distinct(corners, score, np.flatnonzero(score > SURE))
    for _ in range(ROUNDS):  # the plane once more from all cards, and what lies flush beside them
        before = len(kept)
        fitted = fit_plane(oriented(corners[kept], plane, scene.aspect), scene.aspect, scene.size)
        if fitted is not None:
            plane = fitted[0]
        flush = beside(plane.poses(oriented(corners[kept], plane, scene.aspect)), scene.aspect)
        fresh = _laid(scene, plane, np.concatenate([corners[kept], plane.outlines(flush)]))
        corners = np.concatenate([corners[kept], fresh])
        known = np.concatenate([known[kept], np.zeros(len(fresh), dtype=bool)])
        score = _score(scene, corners, known)
        kept = distinct(corners, score, np.flatnonzero(score > SURE))
        if len(kept) <= before:
            break
    corners = corners[kept]
    score = score[kept] * scene.surface.usual(corners)
    keep = (score > SURE) & scene.surface.cards(corners)
    return corners[keep], score[keep]


def _worth(scene: _Scene, corners: Doubles, score: Doubles, power: float = 0.6) -> float:
    """How well these cards explain the picture: beside each other and the table, nothing left over."""
    if not len(corners):
        return 0.0
    size = areas(corners) / (scene.size[0] * scene.size[1])
    return float((score * size**power * (0.25 + 0.75 * scene.surface.explained(corners) ** 2)).sum())


def _laid(scene: _Scene, plane: Plane, rough: Doubles) -> Doubles:
    """The quads fitted to the picture's edges, laid flat where that took them off the plane."""
    if not len(rough):
        return rough
    fine = refit(scene.strength, refit(scene.strength, rough, 0.05), 0.03)
    turned = oriented(fine, plane, scene.aspect)
    rigid = plane.outlines(plane.poses(turned))
    off = misfit(plane, fine) > 0.04
    fine[off] = rigid[off]
    return fine


def _score(scene: _Scene, corners: Doubles, known: NDArray[np.bool_]) -> Doubles:
    """(N,) in 0..1: the evidence of the four sides, the weakest counting most."""
    evidence = np.sort(side_evidence(scene.strength, corners), axis=1)
    score = 0.5 * evidence[:, 0] + 0.3 * evidence[:, 1] + 0.2 * evidence[:, 2:].mean(axis=1)
    return np.asarray(score + 0.12 * known)
