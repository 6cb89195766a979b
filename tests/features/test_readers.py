"""What is drawn on a card is read from its picture alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.decks import ArrowFace, BoxFace, Game, PathFace
from referee.features.arrows import read_arrows
from referee.features.boxes import find_toys, floor_of, prepared, read_walls, side_profiles
from referee.features.cats import read_cats
from referee.features.colours import name_of, names_of, palette_of
from referee.features.glyphs import find_glyphs
from referee.features.strands import end_colours, read_strands
from referee.features.words import find_words
from tests.features.pictures import Pixels, deck_of, picture

MOVES = [f for f in deck_of(Game.CAT_AND_MOUSE).faces if isinstance(f, ArrowFace) and f.kind == "move"]
BOXES = [f for f in deck_of(Game.IF_IT_FITS).faces if isinstance(f, BoxFace)]
PATHS = [f for f in deck_of(Game.COLOURED_PATHS).faces if isinstance(f, PathFace)]


@pytest.mark.parametrize("face", MOVES, ids=lambda face: face.id)
def test_arrows_point_where_they_point(face: ArrowFace) -> None:
    reading = read_arrows(picture(Game.CAT_AND_MOUSE, face.id))
    assert set(reading.arrows) == set(face.arrows)
    assert reading.score > reading.second


def test_a_turned_card_has_turned_arrows() -> None:
    card = np.ascontiguousarray(np.rot90(picture(Game.CAT_AND_MOUSE, "up+right-1")))  # a quarter to the left
    assert set(read_arrows(card).arrows) == {"left", "up"}


@pytest.mark.parametrize("colour", [(160, 90, 20), (200, 160, 90)])
def test_arrows_of_other_blues_and_a_card_without_any(colour: tuple[int, int, int]) -> None:
    card = np.full((200, 200, 3), (225, 240, 245), np.uint8)
    assert read_arrows(card).arrows == ()
    points = np.array([[100, 20], [140, 70], [115, 70], [115, 170], [85, 170], [85, 70], [60, 70]])
    cv2.fillPoly(card, [points.astype(np.int32)], colour)
    assert read_arrows(card).arrows == ("up",)


def test_values_are_read_on_every_movement_card() -> None:
    for face in MOVES[::4]:
        best = max(find_glyphs(picture(Game.CAT_AND_MOUSE, face.id)), key=lambda glyph: glyph.digit_belief)
        assert best.digit == face.points, face.id
        assert best.digit_belief > 0.8


@pytest.mark.parametrize("font", [cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX])
def test_digits_of_fonts_that_were_never_learnt(font: int) -> None:
    right = 0
    for digit in range(10):
        card = np.full((200, 200, 3), (90, 220, 250), np.uint8)
        cv2.putText(card, str(digit), (80, 130), font, 2.2, (30, 20, 20), 4, cv2.LINE_AA)
        glyphs = find_glyphs(np.asarray(cv2.GaussianBlur(card, (0, 0), 1.0), np.uint8))
        right += bool(glyphs) and max(glyphs, key=lambda glyph: glyph.digit_belief).digit == digit
    assert right >= 9


def test_start_and_finish_are_read_and_nothing_else_is() -> None:
    start = find_words(picture(Game.CAT_AND_MOUSE, "start"))[0]
    finish = find_words(picture(Game.CAT_AND_MOUSE, "finish"))[0]
    assert start.start > 0.9 > start.finish
    assert finish.finish > 0.9 > finish.start
    for face in MOVES[::5]:
        assert all(max(w.start, w.finish) < 0.6 for w in find_words(picture(Game.CAT_AND_MOUSE, face.id))), face.id


def test_walls_of_all_boxes_and_the_toys_in_them() -> None:
    cards = [prepared(picture(Game.IF_IT_FITS, face.id)) for face in BOXES]
    floors = [floor_of(card) for card in cards]
    walls = read_walls([side_profiles(card) for card in cards], floors)
    assert [set(sides) for sides, _ in walls] == [set(face.walls) for face in BOXES]
    toys = [find_toys(card, floor).count for card, floor in zip(cards, floors, strict=True)]
    assert toys == [face.toys for face in BOXES]


def test_a_tape_and_a_label_are_no_toys() -> None:
    card = np.full((280, 200, 3), (120, 170, 205), np.uint8)
    cv2.rectangle(card, (90, 0), (110, 279), (160, 205, 230), cv2.FILLED)
    cv2.rectangle(card, (30, 60), (75, 85), (250, 250, 250), cv2.FILLED)
    assert find_toys(prepared(card), floor_of(prepared(card))).count == 0
    cv2.circle(card, (140, 200), 14, (60, 60, 220), cv2.FILLED)
    assert find_toys(prepared(card), floor_of(prepared(card))).count == 1


def test_a_pale_bone_on_grey_is_asked_about_and_a_pale_label_is_not() -> None:
    card = np.full((280, 200, 3), (130, 142, 150), np.uint8)
    cv2.rectangle(card, (30, 60), (75, 85), (250, 250, 250), cv2.FILLED)
    assert find_toys(prepared(card), floor_of(prepared(card))).sure > 0.6
    cv2.rectangle(card, (120, 195), (160, 205), (235, 240, 245), cv2.FILLED)
    for x in (120, 160):
        for y in (193, 207):
            cv2.circle(card, (x, y), 9, (235, 240, 245), cv2.FILLED)
    assert find_toys(prepared(card), floor_of(prepared(card))).sure < 0.6  # a toy, a print or a light spot


def test_two_toys_that_touch_are_asked_about() -> None:
    card = np.full((280, 200, 3), (120, 170, 205), np.uint8)
    cv2.circle(card, (60, 200), 14, (60, 60, 220), cv2.FILLED)
    alone = find_toys(prepared(card), floor_of(prepared(card)))
    assert (alone.count, alone.sure > 0.6) == (1, True)
    cv2.circle(card, (86, 200), 14, (210, 80, 60), cv2.FILLED)
    assert find_toys(prepared(card), floor_of(prepared(card))).sure < 0.6


def test_cats_have_their_players_colours_and_are_awake_or_asleep() -> None:
    cats = [face for face in deck_of(Game.IF_IT_FITS).faces if face.kind in ("cat", "princess")]
    read = read_cats([picture(Game.IF_IT_FITS, face.id) for face in cats])
    for face, (kind, player, asleep, _) in zip(cats, read, strict=True):
        assert kind == face.kind
        if kind == "cat":
            assert (player, asleep) == (face.player, face.asleep), face.id  # type: ignore[attr-defined]


def test_every_end_of_every_path_has_its_colour() -> None:
    ends = np.array([end_colours(picture(Game.COLOURED_PATHS, face.id)) for face in PATHS])
    palette, which = palette_of(ends.reshape(-1, 3))
    names = names_of(palette)
    read = [[names[k] for k in row] for row in which.reshape(-1, 8)]
    assert read == [list(face.colour_at) for face in PATHS]


def test_strands_are_followed_over_most_cards() -> None:
    faces = PATHS[::3]
    ends = np.array([end_colours(picture(Game.COLOURED_PATHS, face.id)) for face in PATHS])
    palette, _ = palette_of(ends.reshape(-1, 3))
    right = unsure = 0
    for face in faces:
        reading = read_strands(picture(Game.COLOURED_PATHS, face.id), palette)
        same = {frozenset(pair) for pair in reading.pairs} == {frozenset(pair) for pair, _ in face.strands}
        right += same
        unsure += not same and reading.margin < 4
    assert right >= 0.75 * len(faces)
    assert right + unsure >= len(faces) - 1


@pytest.mark.parametrize(
    ("bgr", "name"),
    [((40, 40, 200), "red"), ((200, 80, 30), "blue"), ((60, 150, 40), "green"), ((60, 205, 245), "yellow")],
)
def test_colours_have_the_names_that_people_use(bgr: tuple[int, int, int], name: str) -> None:
    pixel: Pixels = np.full((1, 1, 3), bgr, np.uint8)
    lab = cv2.cvtColor(pixel.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[0, 0]
    assert name_of(lab) == name
