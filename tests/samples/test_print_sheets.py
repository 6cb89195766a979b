"""Every card once on the front, its back exactly behind it, nothing outside the paper."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.decks import builtin_deck, parse_deck
from referee.games import judge
from referee.layouts import Layout, PlacedCard
from referee.verdicts import Outcome
from samples.art.faces import BACK, PRINCESS_BACK
from samples.printing.examples import example_of
from samples.printing.sheets import (
    MARGIN,
    PAPERS,
    PrintCard,
    SheetError,
    cards_of,
    grid_for,
    sheets_for,
)

GAMES = ("cat-and-mouse", "coloured-paths", "if-it-fits")
NUMBER_OF_CARDS = {"cat-and-mouse": 70, "coloured-paths": 36, "if-it-fits": 110}
A_PAGE = {"cat-and-mouse": (3, 4), "coloured-paths": (3, 4), "if-it-fits": (3, 3)}


@pytest.mark.parametrize("game", GAMES)
def test_each_face_is_printed_as_often_as_the_deck_holds_it(game: str) -> None:
    deck = builtin_deck(game)
    cards = cards_of(deck)
    assert len(cards) == NUMBER_OF_CARDS[game]
    sides = Counter(side for card in cards for side in (card.front, card.back) if side not in (BACK, PRINCESS_BACK))
    assert sides == {face.id: face.count for face in deck.faces}


def test_a_sleeping_cat_is_the_back_of_the_same_cat_awake() -> None:
    backs = {card.front: card.back for card in cards_of(builtin_deck("if-it-fits")) if card.front.startswith("cat-")}
    assert backs == {f"cat-{colour}": f"cat-{colour}-asleep" for colour in ("red", "blue", "green", "yellow", "purple")}


def test_cats_without_a_partner_get_a_back() -> None:
    deck = parse_deck(
        {
            "game": "if-it-fits",
            "name": "few",
            "card_mm": [63, 88],
            "corner_mm": 4,
            "faces": [
                {"id": "snoring", "kind": "cat", "player": "red", "asleep": True, "count": 1},
                {"id": "red", "kind": "cat", "player": "red", "asleep": False, "count": 3},
                {"id": "blue-asleep", "kind": "cat", "player": "blue", "asleep": True, "count": 2},
                {"id": "black", "kind": "princess", "count": 1},
            ],
        }
    )
    assert cards_of(deck) == [
        PrintCard("black", PRINCESS_BACK),
        PrintCard("red", "snoring"),
        PrintCard("red", BACK),
        PrintCard("red", BACK),
        PrintCard("blue-asleep", BACK),
        PrintCard("blue-asleep", BACK),
    ]


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("game", GAMES)
def test_our_cards_fill_the_page(game: str, paper: str) -> None:
    grid = grid_for(PAPERS[paper], builtin_deck(game).card_mm)
    assert (grid.columns, grid.rows) == A_PAGE[game]


@given(
    paper=st.sampled_from(list(PAPERS.values())),
    card=st.tuples(st.floats(20, 190), st.floats(20, 260)),
    number=st.integers(1, 60),
)
def test_backs_lie_behind_their_fronts(paper: tuple[float, float], card: tuple[float, float], number: int) -> None:
    grid = grid_for(paper, card)
    cards = [PrintCard(f"front {index}", f"back {index}") for index in range(number)]
    sheets = sheets_for(cards, grid)
    assert [sheet.back for sheet in sheets] == [False, True] * (len(sheets) // 2)
    printed = []
    for front, back in zip(sheets[::2], sheets[1::2], strict=True):
        for slot, behind in zip(front.slots, back.slots, strict=True):
            # Turning the sheet around its long edge carries x to the paper's width minus x.
            assert behind.x + card[0] == pytest.approx(paper[0] - slot.x)
            assert behind.y == slot.y
            assert behind.picture == slot.picture.replace("front", "back")
            assert slot.x >= MARGIN - 1e-3
            assert slot.y >= MARGIN - 1e-3
            assert slot.x + card[0] <= paper[0] - MARGIN + 1e-3
            assert slot.y + card[1] <= paper[1] - MARGIN + 1e-3
            printed.append(slot.picture)
        corners = {(round(slot.x, 6), round(slot.y, 6)) for slot in front.slots}
        assert len(corners) == len(front.slots)
    assert printed == [card.front for card in cards]


def test_neighbours_share_their_cut() -> None:
    grid = grid_for(PAPERS["a4"], (64.0, 64.0))
    first = sheets_for([PrintCard("a", BACK), PrintCard("b", BACK)], grid)[0].slots
    assert first[1].x - first[0].x == 64
    assert {slot.x for slot in first} <= set(grid.vertical_cuts())
    assert grid.vertical_cuts()[-1] == pytest.approx(210 - grid.vertical_cuts()[0])


def test_a_card_larger_than_the_paper_is_refused_with_a_sentence() -> None:
    with pytest.raises(SheetError, match=r"a card of 210 x 88 mm does not fit .* choose larger paper"):
        grid_for(PAPERS["letter"], (210.0, 88.0))


@pytest.mark.parametrize("game", GAMES)
def test_the_example_on_the_rules_page_is_right(game: str) -> None:
    """The referee itself judges the example: no rule is broken in it."""
    deck = builtin_deck(game)
    width, height = deck.card_mm
    placed = example_of(deck)
    assert len(placed) >= 3
    cards = tuple(
        PlacedCard(id=f"c{index}", face=item.face, x=item.x * width, y=item.y * height, turn=item.turn)
        for index, item in enumerate(placed)
    )
    ruling = judge(Layout(name="example", game=deck.game, cards=cards), deck)
    assert ruling.outcome is Outcome.VALID


def test_a_deck_without_the_needed_faces_has_no_example() -> None:
    deck = parse_deck(
        {
            "game": "cat-and-mouse",
            "name": "few",
            "card_mm": [64, 64],
            "corner_mm": 4,
            "faces": [{"id": "up", "kind": "move", "arrows": ["up"], "points": 1, "count": 1}],
        }
    )
    assert example_of(deck) == ()
