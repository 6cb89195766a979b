"""Sides of cards that lie near each other."""

from __future__ import annotations

import numpy as np

from referee.vision.align import Doubles, Pixels
from referee.vision.find_follow import Scene, inset, without_gaps
from referee.vision.find_quads import edge_strength, unlike_the_rim
from referee.vision.find_surface import Surface
from tests.vision.test_find import cloth, lay, quad


def scene(image: Pixels) -> Scene:
    return Scene(image, edge_strength(image), Surface.of(image, unlike_the_rim(image)), 1.0)


def row(gap: float) -> list[Doubles]:
    return [quad(150 + (100 + gap) * x, 250, 100, 100) for x in range(4)]


def test_a_side_on_the_next_cards_edge_comes_back_to_its_own() -> None:
    image, cards = cloth(), row(8.0)
    for card in cards:
        lay(image, card, rim=False)
    found = np.array(cards)
    found[:3, 1:3, 0] += 8.0  # to where the next card begins
    assert np.abs(without_gaps(scene(image), found) - np.array(cards)).max() < 1.5


def test_sides_of_touching_cards_and_at_the_table_stay() -> None:
    image, cards = cloth(), row(0.0)
    for card in cards:
        lay(image, card)
    found = np.array(cards)
    assert (without_gaps(scene(image), found) == found).all()
    assert without_gaps(scene(image), found[:0]).shape == (0, 4, 2)


def test_sides_are_moved_each_by_its_own_share() -> None:
    depth = np.array([[0.0, 0.1, 0.0, 0.2]])
    moved = inset(quad(100, 100, 100, 50)[None], depth)[0]
    assert moved.round(6).tolist() == [[70, 75], [140, 75], [140, 125], [70, 125]]
