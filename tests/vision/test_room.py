"""Whether one more card has room beside known ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.align import Pyramid
from referee.vision.room import room_beside
from referee.vision.seen_table import SeenTable
from tests.vision.wooden_table import table_with_hand

ON_TABLE = np.zeros(4, dtype=bool)


@pytest.mark.parametrize(("left", "right", "room"), [(755, 860, True), (755, 825, False), (785, 900, False)])
def test_a_card_has_no_room_where_table_shows(left: int, right: int, room: bool) -> None:
    """Something lies beside the card that ends at 750 (a card is 100 pixels wide): over the whole place, or in part."""
    pyramid, plane, cards = table_with_hand()
    photo = pyramid.levels[0].copy()
    cv2.rectangle(photo, (left, 430), (right, 570), (140, 170, 225), -1)
    seen = SeenTable.of(Pyramid.of(photo), plane, cards)
    cell = plane.poses(cards.corners[3:] + np.array([105.0, 0.0]))
    assert room_beside(plane, cell, cards, ON_TABLE, seen).tolist() == [room]


def test_where_a_known_card_looks_like_the_table_in_part_nobody_can_tell() -> None:
    pyramid, plane, cards = table_with_hand()
    photo = pyramid.levels[0].copy()
    photo[250:350, 270:350] = photo[650:750, 270:350]  # the first card: a plain face as brown as the table
    cv2.rectangle(photo, (755, 430), (825, 570), (140, 170, 225), -1)
    seen = SeenTable.of(Pyramid.of(photo), plane, cards)
    cell = plane.poses(cards.corners[3:] + np.array([105.0, 0.0]))
    assert room_beside(plane, cell, cards, ON_TABLE, seen).tolist() == [True]
