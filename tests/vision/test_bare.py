"""Where nothing but table shows no card is looked for."""

from __future__ import annotations

import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.vision.align import Pyramid
from referee.vision.bare import BareTable, bare_table
from referee.vision.facebank import face_bank
from referee.vision.places import Places
from tests.vision.wooden_table import table_with_hand


@pytest.fixture(scope="module")
def table() -> BareTable:
    pyramid, plane, cards = table_with_hand()
    return BareTable.of(pyramid, face_bank(builtin_deck(Game.IF_IT_FITS)), plane, cards)


def test_a_guess_on_wood_is_put_off_and_one_on_a_hand_is_not(table: BareTable) -> None:
    wood, hand = table.plane.table(np.array([[400.0, 650], [850, 250]]))
    assert table.at(np.array([[*wood, 0.0], [*hand, 0.0]])).tolist() == [True, False]


def test_a_cell_is_bare_if_all_of_it_is(table: BareTable) -> None:
    assert table.told
    wood, beside = table.plane.table(np.array([[400.0, 650], [740, 250]]))
    assert table.in_cells(np.array([[*wood, 0.0], [*beside, 0.0]])).tolist() == [True, False]


def test_beside_a_card_like_the_table_nothing_is_told_for_good() -> None:
    pyramid, plane, cards = table_with_hand()
    photo = pyramid.levels[0].copy()
    photo[250:350, 270:370] = photo[650:750, 270:370]
    table = BareTable.of(Pyramid.of(photo), face_bank(builtin_deck(Game.IF_IT_FITS)), plane, cards)
    assert not table.told
    wood = plane.table(np.array([[400.0, 650]]))
    assert not table.in_cells(np.array([[*wood[0], 0.0]])).any()


def test_not_looked_at_where_it_saves_nothing() -> None:
    pyramid, plane, cards = table_with_hand()
    somewhere = Places(np.ones((4, 4), bool), np.zeros(2), 1.0)
    assert bare_table(pyramid, face_bank(builtin_deck(Game.CAT_AND_MOUSE)), plane, cards, None) is None
    assert bare_table(pyramid, face_bank(builtin_deck(Game.IF_IT_FITS)), plane, cards, somewhere) is None
