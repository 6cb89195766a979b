"""What could not be read, and what is wrong with the picture there: measured on the cards, not on the texture.

A picture is not refused for being dark or soft as such: if every card in it is read surely, it is good enough.
Advice is given for the cards and places that stay open.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.rulebook import RetakeReason as TroubleKind
from referee.vision.align import Doubles, Pyramid, areas
from referee.vision.covering import BLOWN, SUSPICIOUS, lain_upon
from referee.vision.detect import Found
from referee.vision.facebank import FaceBank
from referee.vision.patches import SURELY, card_patches
from referee.vision.peeking import half_under, peeking_cells
from referee.vision.plane import Plane
from referee.vision.recognise import SURE_MARGIN, CardReading
from referee.vision.room import print_under
from referee.vision.seen_table import SeenTable
from referee.vision.surroundings import crowded
from referee.vision.unclear import unclear_cells

SUSPECT_VISIBLE = 0.5
"""Share of a suspect that must show beside sure cards; what lies deeper is part of a pile (0..1)."""
SOFT = 0.030
"""Blur (Gaussian width) as a fraction of the card's side from which on a card is soft."""
SMALL = 56.0
"""Short side in pixels of the photograph below which a card is small."""
DARK = 60.0
"""Grey level (0..255) that the lightest tenth of a card must reach."""
BLOWN_SHARE = 0.35
"""Share of a card that may be blown before glare is blamed."""


@dataclass(frozen=True, slots=True, eq=False)
class Trouble:
    """Something wrong with the picture, at a place (corners (4, 2) px) or as a whole (None)."""

    kind: TroubleKind
    corners: Doubles | None


@dataclass(frozen=True, slots=True, eq=False)
class Suspect:
    """A place (corners (4, 2) px) where a card may lie; face: what it resembles most (None: nothing shows of it);
    score: how much (0..1)."""

    corners: Doubles
    face: int | None
    score: float


def suspects_of(pyramid: Pyramid, found: Found, bank: FaceBank) -> tuple[Suspect, ...]:
    """Places that resemble a card but not surely enough, and places beside cards that are hidden from view."""
    if found.plane is None or found.seen is None:
        return ()
    rejected = found.rejected
    under = lain_upon(bank, found.plane, rejected, found.cards)
    order = [i for i in np.argsort(-rejected.score, kind="stable") if rejected.score[i] >= SUSPICIOUS]
    suspects = [
        Suspect(rejected.corners[i], int(rejected.face[i]), float(rejected.score[i]))
        for i in order
        if rejected.visible[i] >= SUSPECT_VISIBLE or under[i]
    ]
    return (*suspects, *_unreadable(pyramid, found, found.plane, suspects, bank, found.seen))


def _unreadable(
    pyramid: Pyramid, found: Found, plane: Plane, known: list[Suspect], bank: FaceBank, seen: SeenTable
) -> list[Suspect]:
    """Places beside cards where something hides whether a card lies there, and patches anywhere that look like one."""
    on_top = bank.lies_on_others[found.cards.face]
    patches = card_patches(pyramid, plane, found.cards, shape=SURELY)
    halves = half_under(plane, found.cards, on_top, seen)
    cells = [
        unclear_cells(pyramid, plane, found.cards, on_top, seen),
        peeking_cells(plane, found.cards, on_top, seen),
        halves[print_under(pyramid, bank, plane, halves, found.cards, on_top)],
        patches,
    ]
    outlines = plane.outlines(np.concatenate(cells))
    centres = np.array([suspect.corners.mean(axis=0) for suspect in known]).reshape(-1, 2)
    out = []
    for corners in outlines:
        side = float(np.sqrt(abs(areas(corners[None])[0])))
        if not len(centres) or np.hypot(*(centres - corners.mean(axis=0)).T).min() > 0.5 * side:
            out.append(Suspect(corners, None, 0.0))
    return out


def piled_in(found: Found, bank: FaceBank) -> tuple[bool, ...]:
    """For each card found whether it may be the top of a pile."""
    if found.plane is None or found.seen is None:
        return (False,) * len(found.cards)
    on_top = bank.lies_on_others[found.cards.face]
    return tuple(bool(c) for c in crowded(found.plane, found.cards, on_top, found.seen))


def troubles_of(pyramid: Pyramid, cards: tuple[CardReading, ...], suspects: tuple[Suspect, ...]) -> tuple[Trouble, ...]:
    """Why cards stay open, the commonest reason first."""
    if not cards:
        return (*_whole_picture(pyramid), Trouble(TroubleKind.NO_CARDS, None))
    found: list[tuple[TroubleKind | None, Doubles]] = []
    for card in cards:
        if card.margin < SURE_MARGIN or cut_off(card.corners, pyramid.size):
            found.append((trouble_at(pyramid, card.corners, card.blur), card.corners))
    for suspect in suspects:
        kind = trouble_at(pyramid, suspect.corners, None)
        hidden = suspect.face is None and kind not in (TroubleKind.GLARE, TroubleKind.CUT_OFF)
        found.append((TroubleKind.COVERED if hidden else kind, suspect.corners))
    return tuple(Trouble(kind, corners) for kind, corners in found if kind is not None)


def trouble_at(pyramid: Pyramid, corners: Doubles, blur: float | None) -> TroubleKind | None:
    """The likeliest reason why the card at `corners` could not be read."""
    side = float(np.sqrt(abs(areas(corners[None])[0])))
    patch = pyramid.cut(corners[None], (32, 32))[0]
    if cut_off(corners, pyramid.size):
        return TroubleKind.CUT_OFF
    if float((patch.min(axis=2) >= BLOWN).mean()) > BLOWN_SHARE:
        return TroubleKind.GLARE
    if float(np.percentile(patch.max(axis=2), 90)) < DARK:
        return TroubleKind.TOO_DARK
    if side < 1.3 * SMALL:
        return TroubleKind.TOO_FAR
    if blur is not None and blur / side > SOFT / 2:
        return TroubleKind.BLURRED
    return None


def cut_off(corners: Doubles, size: tuple[int, int], slack: float = 0.02) -> bool:
    """Whether a card reaches over the picture's edge by more than `slack` of its side."""
    side = float(np.sqrt(abs(areas(corners[None])[0])))
    return bool((corners < -slack * side).any() or (corners > np.array(size) + slack * side).any())


def _whole_picture(pyramid: Pyramid) -> tuple[Trouble, ...]:
    """Dark or burnt out as a whole, measured on a small copy."""
    grey = pyramid.levels[-1].max(axis=2)
    if float(np.percentile(grey, 95)) < DARK:
        return (Trouble(TroubleKind.TOO_DARK, None),)
    if float((grey >= BLOWN).mean()) > 0.6:
        return (Trouble(TroubleKind.GLARE, None),)
    return ()
