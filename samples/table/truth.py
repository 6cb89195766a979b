"""What is really on the table: the verdict of the layout, and how much of a card is inside the picture."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.decks import Deck
from referee.games import judge
from referee.layouts import Layout
from referee.limits import CatAndMouseLimits, ColouredPathsLimits, IfItFitsLimits, Limits

CLOSE = (
    Limits(
        cat_and_mouse=CatAndMouseLimits(angle=26, near=0.74, far=1.53, pile=0.36),
        coloured_paths=ColouredPathsLimits(near=0.84, far=1.25, aside=0.8, joined=0.16),
        if_it_fits=IfItFitsLimits(flush=0.26, across=0.29, turn=26, touch=0.05, overlap=0.12),
    ),
    Limits(
        cat_and_mouse=CatAndMouseLimits(angle=34, near=0.66, far=1.67, pile=0.28),
        coloured_paths=ColouredPathsLimits(near=0.76, far=1.35, aside=0.9, joined=0.24),
        if_it_fits=IfItFitsLimits(flush=0.34, across=0.37, turn=34, touch=0.015, overlap=0.18),
    ),
)
"""Tighter and looser limits: a sample's verdict must not hang on a hair."""


def polygon_inside(corners: npt.ArrayLike, size: tuple[int, int]) -> float:
    """The part 0..1 of a convex polygon (n, 2) px that lies within a picture of `size` (width, height)."""
    ring = np.asarray(corners, np.float32)
    width, height = size
    page = np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32)
    whole = cv2.contourArea(ring)
    area, _ = cv2.intersectConvexConvex(ring, page)
    return float(np.clip(area / max(whole, 1e-6), 0, 1))


def verdict_of(layout: Layout, deck: Deck) -> tuple[str, dict[str, Any] | None]:
    """Outcome and verdict of the layout as laid, in the exchanged form."""
    ruling = judge(layout, deck)
    return ruling.outcome.value, None if ruling.verdict is None else ruling.verdict.to_dict()


def is_clear_cut(layout: Layout, deck: Deck) -> bool:
    """Whether somewhat tighter or looser limits leave the verdict as it is."""
    verdict = verdict_of(layout, deck)
    for limits in CLOSE:
        ruling = judge(layout, deck, limits=limits)
        if (ruling.outcome.value, ruling.verdict.to_dict() if ruling.verdict else None) != verdict:
            return False
    return True
