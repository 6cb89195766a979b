"""What is drawn into a photograph, and what is not."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from referee import drawing
from referee.annotate import LONG_SIDE, LONGEST_SIDE, annotate
from referee.annotate_boxes import BOX_COLOURS, FILL
from referee.drawing import Colour, Doubles, Pixels
from referee.messages import LANGUAGES, Messages
from referee.moves import judge_move
from referee.pipeline import CheckedPhoto
from referee.rulebook import DoubtReason, RetakeReason
from referee.sequence import MoveAnswer
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


def at(
    checked: CheckedPhoto, picture: Pixels, cards: tuple[str, ...], across: float = 0.0, down: float = 0.0
) -> Pixels:
    """(N, 3) the pixels around the point between cards, shifted by parts of a card's side."""
    scale = len(picture) / len(checked.photo.pixels)
    quads = [card.corners * scale for card in checked.cards if card.id in cards]
    side = float(np.linalg.norm(quads[0][1] - quads[0][0]))
    x, y = np.mean([quad.mean(axis=0) for quad in quads], axis=0) + side * np.array([across, down])
    half = round(0.05 * side)
    return picture[round(y) - half : round(y) + half + 1, round(x) - half : round(x) + half + 1].reshape(-1, 3)


def test_ends_that_meet_are_marked_by_shape_where_they_meet() -> None:
    # Each side has ends at a third and two thirds, a sixth of a side from its middle.
    checked = photographed(draw("a=red b=red c=blue", PATHS, pitch=1.0), PATHS)
    picture = drawn(checked)
    for down in (-1 / 6, 1 / 6):
        right = at(checked, picture, ("a", "b"), 0, down)
        assert share(right, drawing.WHITE) > 0.2
        assert share(right, drawing.BLACK) > 0.1
        wrong = at(checked, picture, ("b", "c"), 0, down)
        assert share(wrong, drawing.VERMILLION) > 0.3
    assert share(inside(picture, checked, "a", 0.1, 0.9), drawing.VERMILLION) == 0
    for card in ("b", "c"):  # both are to blame; their paths stay to be seen
        assert share(inside(picture, checked, card), drawing.VERMILLION) > 0.05
        assert share(inside(picture, checked, card, 0.4, 0.6), drawing.VERMILLION) == 0


def test_cards_shoved_along_each_other_have_a_double_arrow_between_them() -> None:
    checked = photographed(draw("a=red b=red+0,0.4", PATHS, pitch=1.0), PATHS)
    picture = drawn(checked)
    for down in (-0.15, 0.15):
        assert share(at(checked, picture, ("a", "b"), 0, down), drawing.VERMILLION) > 0.3


def test_the_path_with_most_changes_is_traced_and_its_changes_are_counted() -> None:
    changing = photographed(draw("a=half b=flah c=half", PATHS, pitch=1.0), PATHS)
    plain = photographed(draw("a=red b=red c=red", PATHS, pitch=1.0), PATHS)
    # The strand from 7 to 2 runs through each card at a third of its height.
    for checked, traced in ((changing, True), (plain, False)):
        spot = at(checked, drawn(checked), ("b",), 0.3, -1 / 6)
        assert (share(spot, drawing.WHITE) > 0.2) is traced
        assert (share(spot, drawing.BLACK) > 0.2) is traced


def test_a_ring_is_dotted_and_named() -> None:
    checked = photographed(draw("a=arcs b=arcs\nc=arcs d=arcs", PATHS, pitch=1.0), PATHS)
    picture = drawn(checked)
    assert share(picture.reshape(-1, 3), drawing.YELLOW) > 0
    assert share(picture.reshape(-1, 3), drawing.PURPLE) > 0


def test_hands_beside_the_layout_are_left_alone() -> None:
    checked = photographed(draw("a=red b=red . . h=blue", PATHS, pitch=1.0), PATHS)
    picture = drawn(checked)
    assert share(inside(picture, checked, "a"), drawing.GREEN) > 0.03
    assert share(inside(picture, checked, "h"), drawing.GREEN) == 0


def test_closed_boxes_are_filled_and_open_ones_hatched() -> None:
    checked = photographed(draw("a=tbl2 b=trb1 . c=o1 d=tr0", BOXES, pitch=1.0), BOXES)
    picture = drawn(checked)
    ground = np.array(GROUND)
    closed = inside(picture, checked, "a", 0.2, 0.8)
    blue, green, red = np.rint((1 - FILL) * ground + FILL * np.array(BOX_COLOURS[0])).astype(int).tolist()
    assert share(closed, (blue, green, red)) > 0.3
    assert share(closed, GROUND) == 0
    assert share(inside(picture, checked, "c", 0.2, 0.8), GROUND) > 0.2
    # Walls are black on white, gaps have dots.
    assert share(inside(picture, checked, "a"), drawing.BLACK) > 0.05
    assert share(inside(picture, checked, "a", 0.1, 0.9), drawing.VERMILLION) == 0
    assert share(inside(picture, checked, "c"), drawing.VERMILLION) > 0.005


def test_cats_are_left_free_of_the_colour_of_their_box() -> None:
    checked = photographed(with_cats(draw("a=tbl2 b=trb1", BOXES, pitch=1.0), BOXES, "k=red:a|b"), BOXES)
    picture = drawn(checked)
    assert share(at(checked, picture, ("k",), 0.2, 0.0), GROUND) > 0.5


def test_what_is_new_in_a_sequence_has_corners_round_it() -> None:
    before, after = draw("a=red b=red", PATHS), draw("a=red b=red c=red", PATHS)
    checked = photographed(after, PATHS)
    move = MoveAnswer(judge_move(before, after, PATHS), certain=True, since="kitchen.jpg")
    one, other = annotate(checked), annotate(checked, move=move)
    scale = len(one) / len(checked.photo.pixels)
    changed = np.argwhere(np.abs(one.astype(int) - other).sum(axis=2) > 0)[:, ::-1]
    assert len(changed)
    quads = {card.id: card.corners * scale for card in checked.cards}
    distance = {card: float(np.abs(changed.mean(axis=0) - quad.mean(axis=0)).max()) for card, quad in quads.items()}
    assert min(distance, key=lambda card: distance[card]) == "c"
    assert not np.array_equal(at(checked, one, ("c",), -0.56, -0.56), at(checked, other, ("c",), -0.56, -0.56))


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
