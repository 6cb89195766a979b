"""Cards of a deck without pictures are told by their features, however they lie."""

from __future__ import annotations

import numpy as np

from referee.decks import Deck, Game
from referee.features.reading import read_cards
from tests.features.pictures import deck_of, picture


def _bare(game: Game) -> Deck:
    """The deck as somebody typed it, without pictures."""
    deck = deck_of(game)
    return deck.model_copy(
        update={"faces": tuple(f.model_copy(update={"image": None}) for f in deck.faces), "folder": None}
    )


def test_movement_cards_however_they_lie() -> None:
    laid = [("up-1", 0), ("left-3", 1), ("up+right-2", 2), ("down-2", 3), ("start", 1), ("finish", 0)]
    cards = [np.ascontiguousarray(np.rot90(picture(Game.CAT_AND_MOUSE, face), -turn)) for face, turn in laid]
    read = read_cards(cards, _bare(Game.CAT_AND_MOUSE))
    assert [(each[0].face, each[0].turn) for each in read] == laid
    assert all(abs(sum(likeness.belief for likeness in each) - 1) < 1e-9 for each in read)


def test_a_card_of_which_nothing_can_be_read_is_not_surely_one_with_an_arrow() -> None:
    """A Start whose word is not seen shows neither an arrow nor a value."""
    deck = _bare(Game.CAT_AND_MOUSE)
    (read,) = read_cards([np.full((220, 220, 3), 200, np.uint8)], deck)
    assert sum(each.belief for each in read if deck.face(each.face).kind == "move") < 0.9


def test_path_cards_however_they_lie() -> None:
    deck = _bare(Game.COLOURED_PATHS)
    laid = [(face.id, k % 4) for k, face in enumerate(deck.faces[::4])]
    cards = [np.ascontiguousarray(np.rot90(picture(Game.COLOURED_PATHS, face), -turn)) for face, turn in laid]
    read = read_cards(cards, deck)
    right = [(each[0].face, each[0].turn) == want for each, want in zip(read, laid, strict=True)]
    assert sum(right) >= len(right) - 1


def test_boxes_and_cats_are_told_by_walls_toys_and_colours() -> None:
    deck = _bare(Game.IF_IT_FITS)
    wanted = ["box-t-1", "box-trl-0", "box-rl-2", "box-open-0", "box-tb-1", "cat-red", "cat-red-asleep", "cat-blue"]
    wanted += ["cat-blue-asleep", "box-tr-2", "box-tl-0", "box-r-1", "box-trb-2", "box-open-2"]
    read = read_cards([picture(Game.IF_IT_FITS, face) for face in wanted], deck)
    for each, face in zip(read, wanted, strict=True):
        best = deck.face(each[0].face)
        true = deck.face(face)
        # Faces with the same features cannot be told apart without pictures.
        same = {k: v for k, v in best.model_dump().items() if k in ("walls", "toys", "player", "asleep")}
        assert each[0].turn == 0 or best.kind == "box"
        if each[0].turn == 0:
            assert same == {k: v for k, v in true.model_dump().items() if k in same}
