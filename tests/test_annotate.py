"""What is drawn into a photograph, and what is not."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from referee import drawing
from referee.annotate import LONG_SIDE, LONGEST_SIDE, annotate
from referee.drawing import Colour, Doubles, Pixels
from referee.messages import LANGUAGES, Messages
from referee.pipeline import CheckedPhoto
from referee.rulebook import DoubtReason, RetakeReason
from referee.verdicts import Doubt
from tests.checked_photos import GROUND, photographed
from tests.rules_tables import BOXES, MOUSE, PATHS, draw, with_cats


def drawn(checked: CheckedPhoto) -> Pixels:
    """The annotated picture at the photograph's size, checked not to have touched the photograph."""
    before = checked.photo.pixels.copy()
    picture = annotate(checked, Messages("uk"))
    assert np.array_equal(checked.photo.pixels, before)
    assert not np.shares_memory(picture, checked.photo.pixels)
    return picture


def inside(picture: Pixels, checked: CheckedPhoto, card: str, low: float = 0.0, high: float = 1.0) -> Pixels:
    """The upright box of an upright card in the picture, or its middle part, as (N, 3)."""
    quad = next(c.corners for c in checked.cards if c.id == card) * (len(picture) / len(checked.photo.pixels))
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    x = np.rint(left + (right - left) * np.array([low, high])).astype(int)
    y = np.rint(top + (bottom - top) * np.array([low, high])).astype(int)
    return picture[y[0] : y[1], x[0] : x[1]].reshape(-1, 3)


def share(pixels: Pixels, colour: Colour) -> float:
    return float((np.abs(pixels.astype(int) - colour).max(axis=1) <= 8).mean())


def test_right_and_wrong_cards_differ_in_colour_and_in_shape() -> None:
    checked = photographed(draw("s=S a=r1 b=u2 w=r1 . . z=u1", MOUSE), MOUSE)
    picture = drawn(checked)
    for card in ("s", "a", "b"):
        assert share(inside(picture, checked, card), drawing.BLUE) > 0.05
        assert share(inside(picture, checked, card), drawing.VERMILLION) == 0
    for card in ("w", "z"):
        assert share(inside(picture, checked, card), drawing.BLUE) == 0
        assert share(inside(picture, checked, card), drawing.VERMILLION) > 0.05
    # The cross goes through the middle of the card with which it went wrong, and of no other.
    assert share(inside(picture, checked, "w", 0.4, 0.6), drawing.VERMILLION) > 0.3
    assert share(inside(picture, checked, "z", 0.4, 0.6), drawing.VERMILLION) == 0


def test_arrows_lead_over_the_borders_of_a_route() -> None:
    checked = photographed(draw("s=S a=r1 b=u2", MOUSE), MOUSE)
    picture = drawn(checked)
    corners = {card.id: card.corners * (len(picture) / len(checked.photo.pixels)) for card in checked.cards}
    for here, there in (("s", "a"), ("a", "b")):
        x, y = (corners[here].mean(axis=0) + corners[there].mean(axis=0)) / 2
        assert share(picture[round(y), round(x)][None], drawing.BLUE) == 1


def test_each_route_has_a_colour_of_its_own() -> None:
    checked = photographed(draw("s=S a=r1\n. .\n. .\nt=S b=r1", MOUSE), MOUSE)
    picture = drawn(checked)
    assert share(inside(picture, checked, "a"), drawing.BLUE) > 0.02
    assert share(inside(picture, checked, "b"), drawing.GREEN) > 0.02
    assert share(inside(picture, checked, "b"), drawing.BLUE) == 0


def test_what_is_unsure_is_dashed() -> None:
    place = ((40.0, 30.0), (100.0, 30.0), (100.0, 90.0), (40.0, 90.0))
    doubts = (
        Doubt(DoubtReason.FACE_UNSURE, "b", ("u2", "u3")),
        Doubt(DoubtReason.PERHAPS_NO_CARD, None, ("u1",), place),
    )
    table = draw("s=S a=r1 b=u2", MOUSE)
    checked = photographed(table, MOUSE, doubts)
    picture = drawn(checked)
    assert share(inside(picture, checked, "b"), drawing.YELLOW) > 0.03
    assert share(inside(picture, checked, "a"), drawing.YELLOW) == 0
    grow = len(picture) / len(checked.photo.pixels)
    edge = picture[round(30 * grow), round(42 * grow) : round(98 * grow)]
    assert share(edge, drawing.YELLOW) > 0.2
    assert share(edge, drawing.BLACK) > 0.08


def test_without_a_start_no_card_is_called_right_or_wrong() -> None:
    checked = photographed(draw("a=r1 b=u2", MOUSE), MOUSE)
    picture = drawn(checked)
    for card in ("a", "b"):
        pixels = inside(picture, checked, card)
        assert share(pixels, drawing.YELLOW) > 0.03
        assert share(pixels, drawing.VERMILLION) == share(pixels, drawing.GREEN) == 0


def test_the_heap_and_the_rest_of_the_table_are_left_alone() -> None:
    table = draw("s=S a=r1 b=u2 . . . x=r1 y=u1/30+-0.8,0", MOUSE)
    checked = photographed(table, MOUSE)
    picture = drawn(checked)
    assert {n.kind.value for n in checked.ruling.notes} >= {"heap"}
    for card in ("x", "y"):
        assert share(inside(picture, checked, card), GROUND) == 1
    assert (picture[: len(picture) // 8] == GROUND).all()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", RetakeReason)
def test_every_reason_to_take_the_photo_again_has_a_sign(reason: RetakeReason, language: str) -> None:
    checked = photographed(draw("", MOUSE), MOUSE, troubles=[(reason, None)])
    picture = annotate(checked, Messages(language))
    middle = picture[len(picture) // 4 : -len(picture) // 4].reshape(-1, 3)
    assert share(middle, drawing.YELLOW) > 0.01


def test_a_sign_stands_on_the_card_that_is_cut_off() -> None:
    checked = photographed(draw("s=S a=r1 b=u2", MOUSE), MOUSE, troubles=[(RetakeReason.CUT_OFF, "a")])
    picture = drawn(checked)
    assert share(inside(picture, checked, "a"), drawing.YELLOW) > 0.02
    assert share(inside(picture, checked, "b"), drawing.YELLOW) == 0


def test_other_games_are_drawn_by_their_outlines_and_faults() -> None:
    paths = photographed(draw("a=red b=blue c=blue", PATHS), PATHS)
    picture = drawn(paths)
    assert share(inside(picture, paths, "a", 0.4, 0.6), drawing.VERMILLION) > 0.2
    assert share(inside(picture, paths, "b", 0.4, 0.6), drawing.VERMILLION) > 0.2
    assert share(inside(picture, paths, "c"), drawing.VERMILLION) == 0
    assert share(inside(picture, paths, "c"), drawing.GREEN) > 0.03
    boxes = photographed(with_cats(draw("a=tbl2 b=trb1", BOXES, pitch=1.0), BOXES, "k=red:a|b"), BOXES)
    assert share(drawn(boxes).reshape(-1, 3), drawing.GREEN) > 0.01


def test_large_photos_are_made_smaller_and_small_cards_larger() -> None:
    table = draw("s=S a=r1 b=u2", MOUSE)
    checked = photographed(table, MOUSE)
    assert annotate(checked).shape != checked.photo.pixels.shape  # cards of 120 pixels become 130
    large = _scaled(checked, 9.0)
    assert max(annotate(large).shape) == LONG_SIDE
    tiny = _scaled(checked, 0.1)
    assert max(annotate(tiny).shape) <= LONGEST_SIDE
    assert max(annotate(tiny).shape) > max(tiny.photo.pixels.shape)


def _scaled(checked: CheckedPhoto, factor: float) -> CheckedPhoto:
    height, width = (round(n * factor) for n in checked.photo.pixels.shape[:2])
    photo = dataclasses.replace(checked.photo, pixels=np.zeros((height, width, 3), np.uint8))
    cards = tuple(dataclasses.replace(card, corners=card.corners * factor) for card in checked.cards)
    return dataclasses.replace(checked, photo=photo, cards=cards)


@pytest.mark.parametrize("words", ["Картка їґє «Старт»", "points"])
def test_letters_of_every_language_are_drawn_and_stay_in_the_picture(words: str) -> None:
    def written(text: str, spot: tuple[float, float]) -> Pixels:
        canvas = np.full((120, 700, 3), 128, np.uint8)
        drawing.label(canvas, text, np.array(spot), 40.0)
        return canvas

    assert not np.array_equal(written(words, (350.0, 60.0)), written("?" * len(words), (350.0, 60.0)))
    beyond: Doubles = np.array([(written(words, spot) != 128).sum() for spot in ((-50.0, -50.0), (350.0, 60.0))])
    assert beyond[0] == pytest.approx(beyond[1], rel=0.05)
