"""Decks without pictures are checked: what is drawn decides, what cannot be told stays open."""

from __future__ import annotations

import cv2
import numpy as np

from referee.decks import Deck, Game, builtin_deck
from referee.features.rectified import rectified
from referee.features.table import read_features
from referee.layouts import Layout, PlacedCard
from referee.pipeline import check
from referee.reader import reader_of
from referee.rulebook import DoubtReason
from referee.verdicts import Outcome
from referee.vision.decode import Photo, decode
from referee.vision.read import read_table
from referee.vision.recognise import SURE_MARGIN
from samples.table.render import render
from tests.calibration.rows import scene_of


def without_pictures(game: Game) -> Deck:
    deck = builtin_deck(game)
    faces = tuple(face.model_copy(update={"image": None}) for face in deck.faces)
    return deck.model_copy(update={"faces": faces, "folder": None})


def photographed(game: Game, faces: list[str], seed: int = 3) -> tuple[Photo, Layout]:
    deck = builtin_deck(game)
    side = deck.card_mm[0] * 1.12
    cards = [PlacedCard(id=f"e{k}", face=face, x=side * (k % 3), y=side * (k // 3)) for k, face in enumerate(faces)]
    layout = Layout(name="t", game=game, cards=tuple(cards))
    return decode(render(layout, deck, scene_of("easy", seed, "tune"), seed).jpeg, "t"), layout


def test_the_reader_is_chosen_by_the_deck() -> None:
    assert reader_of(builtin_deck(Game.CAT_AND_MOUSE)) is read_table
    assert reader_of(without_pictures(Game.CAT_AND_MOUSE)) is read_features


def test_paths_are_read_and_judged_without_pictures() -> None:
    deck = without_pictures(Game.COLOURED_PATHS)
    names = [face.id for face in deck.faces[:6]]
    photo, layout = photographed(Game.COLOURED_PATHS, names)
    checked = check(photo, deck)
    assert sorted(card.face for card in checked.cards) == sorted(card.face for card in layout.cards)
    assert all(card.margin >= SURE_MARGIN for card in checked.cards)
    known = check(photo, builtin_deck(Game.COLOURED_PATHS)).ruling
    assert checked.ruling.outcome is known.outcome is not Outcome.UNDETERMINED


def test_a_card_face_down_is_asked_about() -> None:
    """The bank lies face down by rule; its back is like every face a little, and like none."""
    deck = without_pictures(Game.COLOURED_PATHS)
    photo, layout = photographed(Game.COLOURED_PATHS, [face.id for face in deck.faces[:7]], seed=7)
    (place,) = (card.corners for card in check(photo, deck).cards if card.face == layout.cards[-1].face)
    back = np.full((300, 300, 3), (170, 120, 70), np.uint8)
    for x in range(30, 300, 48):
        for y in range(30, 300, 48):
            cv2.circle(back, (x, y), 12, (240, 240, 240), -1)
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [300, 0], [300, 300], [0, 300]], np.float32), place.astype(np.float32)
    )
    size = (photo.pixels.shape[1], photo.pixels.shape[0])
    pixels = photo.pixels.copy()
    cv2.warpPerspective(back, matrix, size, dst=pixels, borderMode=cv2.BORDER_TRANSPARENT)
    checked = check(Photo("t", pixels), deck)
    (doubt,) = checked.ruling.doubtful
    assert doubt.reason is DoubtReason.PERHAPS_NO_CARD
    assert checked.ruling.outcome is Outcome.UNDETERMINED


def test_a_table_without_cards_is_not_judged() -> None:
    empty = Photo("t", np.full((600, 800, 3), (80, 120, 160), np.uint8))
    checked = check(empty, without_pictures(Game.CAT_AND_MOUSE))
    assert checked.cards == ()
    assert checked.ruling.outcome is Outcome.UNDETERMINED


def test_squaring_up_keeps_the_card_where_it_is() -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    picture[100:200, 150:250] = 200
    card = rectified(picture, np.array([[150, 100], [250, 100], [250, 200], [150, 200]], float) - 0.5, (256, 256))
    assert card.shape == (256, 256, 3)
    assert card[6:-6, 6:-6].min() > 190
