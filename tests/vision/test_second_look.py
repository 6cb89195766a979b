"""A second photograph of a table is read as if it were the first: the same cards, whatever has changed in between."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import pytest

from referee.decks import Deck, Game, builtin_deck
from referee.vision.align import Doubles, Pixels, Pyramid
from referee.vision.changes import changed_places
from referee.vision.decode import Photo
from referee.vision.facebank import face_bank
from referee.vision.plane import Plane
from referee.vision.read import TableView, aligner_for, read_table
from referee.vision.second_look import look_again

SIDE = 84.0
SIZE = (960, 720)
Card = tuple[str, float, float, float]
"""Face, x and y in card sides, turn in degrees."""
MOUSE: tuple[Card, ...] = (
    ("start", 1.5, 2, 0),
    ("right-1", 2.55, 2, 2),
    ("right-2", 3.6, 2.05, -1),
    ("down-1", 4.65, 2, 0),
    ("left-1", 4.7, 3.05, 1),
    ("finish", 8, 6, 20),
)
PATHS: tuple[Card, ...] = tuple((f"path-0{n}", 1.5 + n % 3, 2 + n // 3, 90 * (n % 4)) for n in range(1, 7))
BOXES: tuple[Card, ...] = (
    ("start-1", 2, 2, 0),
    ("box-tr-1", 3.02, 2, 0),
    ("start-2", 4.04, 2, 0),
    ("cat-red", 7, 5, 90),
    ("cat-blue", 8.5, 5, 90),
)
MORE: tuple[Card, ...] = (*BOXES, ("start-3", 2, 5.5, 0), ("start-4", 3.02, 5.5, 0))


def table(deck: Deck, cards: Sequence[Card], seed: int = 0, camera: Doubles | None = None, light: float = 1.0) -> Photo:
    """A photograph of cards on a green cloth; camera: homography (3, 3) of its pixels."""
    bank, plane = face_bank(deck), plane_of(deck)
    rng = np.random.default_rng(3)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (SIZE[1], SIZE[0])).astype(np.float32), (0, 0), 9, sigmaY=1)
    picture = np.clip(np.array([95.0, 120, 70]) + grain[..., None], 0, 255).astype(np.uint8)
    for face, x, y, turn in cards:
        source = bank.sources[bank.face_ids.index(face)]
        height, width = source.shape[:2]
        frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        outline = plane.outlines(np.array([[x, y, np.deg2rad(turn)]]))[0]
        warp = cv2.getPerspectiveTransform(frame, outline.astype(np.float32))
        cv2.warpPerspective(source, warp, SIZE, dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    if camera is not None:
        picture = cv2.warpPerspective(picture, camera, SIZE, borderMode=cv2.BORDER_REFLECT_101)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    lit = cv2.GaussianBlur(light * picture + noise, (0, 0), 0.7)
    return Photo("table", np.clip(lit, 0, 255).astype(np.uint8))


def plane_of(deck: Deck) -> Plane:
    aspect = deck.card_mm[1] / deck.card_mm[0]
    return Plane(np.diag([1 / SIDE, 1 / SIDE, 1.0]), np.zeros(2), 1.0, 0.0, aspect, 0.0)


def tilted(by: float) -> Doubles:
    """A camera a little elsewhere, by this part of the picture's width."""
    width, height = SIZE
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    off = by * width * np.array([[1, 0.5], [0.3, -0.6], [-0.8, 0.4], [0.2, 0.9]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, corners + off), dtype=np.float64)


def seen(view: TableView, deck: Deck) -> list[tuple[str, int, int, bool]]:
    """Each card with its place, to about a third of a card, and whether its face is sure."""
    middles = [card.corners.mean(axis=0) / (SIDE / 3) for card in view.cards]
    return sorted(
        (deck.faces[card.face].id, round(x), round(y), card.margin >= 0.8)
        for card, (x, y) in zip(view.cards, middles, strict=True)
    )


def without(cards: Sequence[Card], index: int) -> tuple[Card, ...]:
    return (*cards[:index], *cards[index + 1 :])


def instead(cards: Sequence[Card], index: int, card: Card) -> tuple[Card, ...]:
    return (*cards[:index], card, *cards[index + 1 :])


def other(cards: Sequence[Card], index: int, face: str = "", dx: float = 0, turn: float = 0) -> tuple[Card, ...]:
    """The cards, one of them with another face, pushed or turned."""
    old, x, y, heading = cards[index]
    return instead(cards, index, (face or old, x + dx, y, heading + turn))


CHANGES = {
    Game.CAT_AND_MOUSE: {
        "nothing": (MOUSE, MOUSE),
        "one laid": (without(MOUSE, 4), MOUSE),
        "one laid apart": (without(MOUSE, 5), MOUSE),
        "one taken away": (MOUSE, without(MOUSE, 3)),
        "one exchanged for its like": (MOUSE, other(MOUSE, 2, "right-3")),
        "one turned": (MOUSE, other(MOUSE, 1, turn=90)),
        "one pushed": (MOUSE, other(MOUSE, 5, dx=-1.5)),
    },
    Game.COLOURED_PATHS: {
        "nothing": (PATHS, PATHS),
        "one laid": (without(PATHS, 5), PATHS),
        "one taken away": (PATHS, without(PATHS, 0)),
        "one exchanged": (PATHS, other(PATHS, 2, "path-09")),
        "one turned": (PATHS, other(PATHS, 4, turn=90)),
    },
    Game.IF_IT_FITS: {
        "nothing": (BOXES, BOXES),
        "a box laid": (without(BOXES, 1), BOXES),
        "a cat laid on two boxes": (MORE, (*MORE, ("cat-green", 2.51, 2.1, 90))),
        "a cat taken away": (instead(BOXES, 4, ("cat-blue", 2.51, 2.1, 90)), without(BOXES, 4)),
        "a box exchanged": (BOXES, other(BOXES, 1, "box-tb-1")),
    },
}


@lru_cache
def read_first(game: Game, cards: tuple[Card, ...]) -> TableView:
    deck = builtin_deck(game)
    return read_table(table(deck, cards), deck)


@pytest.mark.parametrize("moved", [False, True], ids=["fixed", "moved"])
@pytest.mark.parametrize(("game", "change"), [(game, change) for game in Game for change in CHANGES[game]])
def test_what_is_read_does_not_depend_on_what_was_read_before(game: Game, change: str, moved: bool) -> None:
    deck = builtin_deck(game)
    before, after = CHANGES[game][change]
    first = read_first(game, before)
    assert len(first.cards) == len(before)
    photo = table(deck, after, 1, tilted(0.02) if moved else None, 0.9)
    assert first.memory is not None
    again = look_again(Pyramid.of(photo.pixels), aligner_for(deck), first.memory)
    assert again is not None, "the whole table was searched"
    second = read_table(photo, deck, before=first)
    if game is not Game.IF_IT_FITS or moved:  # a whole table of boxes takes long
        assert seen(second, deck) == seen(read_table(photo, deck), deck)
    assert sorted(deck.faces[card.face].id for card in second.cards) == sorted(face for face, *_ in after)


def test_an_unchanged_table_has_no_open_places_and_a_change_is_where_it_is() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    plane = plane_of(deck)
    first, dimmer, laid = (
        Pyramid.of(photo.pixels)
        for photo in (table(deck, MOUSE[:4]), table(deck, MOUSE[:4], 1, light=0.8), table(deck, MOUSE[:5], 2))
    )
    none = np.empty((0, 3))
    assert not changed_places((first, plane), (dimmer, plane), np.eye(3), none).mask.any()
    places = changed_places((first, plane), (laid, plane), np.eye(3), none)
    _, x, y, _ = MOUSE[4]
    rows, columns = np.nonzero(places.mask)
    spots = np.stack([columns, rows], axis=1) / places.scale + places.origin
    assert len(spots) > 0.5 * places.scale**2
    assert np.abs(spots - [x, y]).max() < 0.75


def test_table_that_comes_into_view_is_open_where_it_is_no_bare_table() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    plane = plane_of(deck)
    photo = table(deck, MOUSE).pixels
    part: Pixels = np.ascontiguousarray(photo[:, : SIZE[0] * 5 // 8])  # all but the last card
    places = changed_places((Pyramid.of(part), plane), (Pyramid.of(photo), plane), np.eye(3), np.empty((0, 3)))
    assert places.at(np.array([8.0, 6.0]))
    assert places.mask.mean() < 0.1


def test_another_table_is_searched_as_a_whole() -> None:
    deck = builtin_deck(Game.CAT_AND_MOUSE)
    first = read_table(table(deck, MOUSE), deck)
    away = tuple((face, x + 3, y + 2, turn) for face, x, y, turn in MOUSE[:3])
    photo = table(deck, away, 1)
    assert first.memory is not None
    assert look_again(Pyramid.of(photo.pixels), aligner_for(deck), first.memory) is None
    assert seen(read_table(photo, deck, before=first), deck) == seen(read_table(photo, deck), deck)


def test_a_picture_of_another_size_and_a_table_without_cards() -> None:
    deck = builtin_deck(Game.COLOURED_PATHS)
    first = read_table(table(deck, PATHS), deck)
    photo = table(deck, PATHS, 1)
    half = dataclasses.replace(photo, pixels=cv2.resize(photo.pixels, (720, 540), interpolation=cv2.INTER_AREA))
    assert len(read_table(half, deck, before=first).cards) == len(PATHS)
    empty = read_table(table(deck, ()), deck)
    assert empty.memory is None
    assert len(read_table(photo, deck, before=empty).cards) == len(PATHS)
    assert not read_table(table(deck, ()), deck, before=first).cards
