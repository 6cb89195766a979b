"""A card that is not found is called gone only where the picture shows that it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.drawing import Pixels
from referee.vision.align import Doubles, Pyramid
from referee.vision.facebank import face_bank
from referee.vision.revisit import may_still_lie, share_inside

SIDE = 160
BANK = face_bank(builtin_deck(Game.COLOURED_PATHS))
PLACE = np.array([[300.0, 200], [300 + SIDE, 200], [300 + SIDE, 200 + SIDE], [300, 200 + SIDE]])


def table(seed: int = 0) -> Pixels:
    """Grained wood."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (600, 800)).astype(np.float32), (0, 0), 12, sigmaY=1)
    return np.clip(np.array([70.0, 110, 150]) + grain[..., None] * 2, 0, 255).astype(np.uint8)


def with_card(picture: Pixels, face: str, off: int = 0) -> Pixels:
    card = cv2.resize(BANK.sources[BANK.face_ids.index(face)], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    out = picture.copy()
    out[200 + off : 200 + off + SIDE, 300 + off : 300 + off + SIDE] = card
    return out


def lies(picture: Pixels, face: str, place: Doubles = PLACE) -> bool:
    return may_still_lie(Pyramid.of(picture), BANK, place, {face})


@pytest.mark.parametrize("seed", range(6))
def test_bare_table_is_bare(seed: int) -> None:
    assert not any(lies(table(seed), face) for face in BANK.face_ids[:4])


@pytest.mark.parametrize("face", BANK.face_ids[:4])
def test_a_card_is_seen_even_if_it_was_pushed_or_is_half_hidden(face: str) -> None:
    assert lies(with_card(table(), face), face)
    assert lies(with_card(table(), face, off=12), face)
    assert lies(with_card(table(), face), face, np.roll(PLACE, 1, axis=0))  # turned
    hidden = with_card(table(), face)
    hidden[200 : 200 + SIDE // 2, 300 : 300 + SIDE] = (120, 150, 210)
    assert lies(hidden, face)


def test_glare_darkness_and_what_is_outside_the_picture_hide_everything() -> None:
    face = BANK.face_ids[0]
    glare = table()
    cv2.circle(glare, (380, 280), 30, (255, 255, 255), -1)
    assert lies(glare, face)
    assert lies(np.asarray(table() // 8, np.uint8), face)
    assert share_inside(PLACE - [380, 0], (800, 600)) == pytest.approx(0.5, abs=0.01)
    assert share_inside(PLACE, (800, 600)) == pytest.approx(1)
    assert share_inside(PLACE + 900, (800, 600)) == 0
