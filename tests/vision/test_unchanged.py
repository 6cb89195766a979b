"""Which known cards look as they did."""

from __future__ import annotations

import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.vision.align import Pyramid
from referee.vision.facebank import face_bank
from referee.vision.unchanged import look_unchanged, resemble
from tests.vision.test_second_look import MOUSE, other, plane_of, table, tilted

DECK = builtin_deck(Game.CAT_AND_MOUSE)
BANK = face_bank(DECK)
LAIN = plane_of(DECK).outlines(np.array([[x, y, np.deg2rad(turn)] for _, x, y, turn in MOUSE]))
FACES = np.array([BANK.face_ids.index(face) for face, *_ in MOUSE])
BLURS = np.full(len(MOUSE), 1.0)


@pytest.mark.parametrize("light", [0.8, 1.0, 1.15])
def test_cards_that_lie_still_look_unchanged_in_other_light(light: float) -> None:
    before, now = Pyramid.of(table(DECK, MOUSE).pixels), Pyramid.of(table(DECK, MOUSE, 1, light=light).pixels)
    assert look_unchanged(before, LAIN, now, LAIN, BANK, FACES, BLURS).all()


@pytest.mark.parametrize(("face", "turn"), [("right-3", 0.0), ("", 180.0), ("", 90.0)])
def test_a_card_exchanged_for_its_like_or_turned_has_changed(face: str, turn: float) -> None:
    before = Pyramid.of(table(DECK, MOUSE).pixels)
    now = Pyramid.of(table(DECK, other(MOUSE, 2, face, turn=turn), 1, light=0.9).pixels)
    same = look_unchanged(before, LAIN, now, LAIN, BANK, FACES, BLURS)
    assert same.tolist() == [True, True, False, True, True, True]


def test_small_cards_are_read_again() -> None:
    picture = Pyramid.of(table(DECK, MOUSE).pixels)
    small = Pyramid.of(np.ascontiguousarray(table(DECK, MOUSE).pixels[::3, ::3]))
    assert not look_unchanged(picture, LAIN, small, LAIN / 3, BANK, FACES, BLURS).any()


def test_a_camera_that_moved_is_noticed() -> None:
    before = Pyramid.of(table(DECK, MOUSE).pixels)
    assert resemble(before, LAIN, Pyramid.of(table(DECK, MOUSE, 1).pixels), LAIN)
    assert not resemble(before, LAIN, Pyramid.of(table(DECK, MOUSE, 1, tilted(0.08)).pixels), LAIN)
