"""Cards keep their ids from table to table, wherever the camera stands."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.decks import Game
from referee.layouts import Layout, PlacedCard
from web.matches.alignment import aligned

SIDE = 60.0


def row(*faces: str) -> Layout:
    cards = tuple(PlacedCard(id=f"c{n}", face=face, x=SIDE * n, y=0.0) for n, face in enumerate(faces, 1))
    return Layout(game=Game.COLOURED_PATHS, cards=cards)


def seen_from(
    layout: Layout, turn: float, right: float, down: float, order: list[int]
) -> tuple[Layout, dict[str, str]]:
    """The same table from elsewhere, its cards named anew; and the old name of each new one."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    cards, names = [], {}
    for number, index in enumerate(order, 1):
        card = layout.cards[index]
        x, y = cos * card.x - sin * card.y + right, sin * card.x + cos * card.y + down
        names[f"c{number}"] = card.id
        cards.append(card.model_copy(update={"id": f"c{number}", "x": x, "y": y, "turn": card.turn + turn}))
    return layout.model_copy(update={"cards": tuple(cards)}), names


@settings(max_examples=60, deadline=None)
@given(
    st.floats(-180, 180),
    st.floats(-900, 900),
    st.floats(-900, 900),
    st.permutations(range(5)),
)
def test_every_card_is_known_again(turn: float, right: float, down: float, order: list[int]) -> None:
    before = row("path-01", "path-02", "path-03", "path-03", "path-04")
    after, names = seen_from(before, turn, right, down, order)
    found, ids = aligned(before, after, SIDE)
    assert ids == names
    for card in found.cards:
        old = before.by_id[card.id]
        assert math.hypot(card.x - old.x, card.y - old.y) < 0.01


def test_a_new_card_gets_a_new_id_and_a_gone_one_leaves_its_id_free() -> None:
    before = row("path-01", "path-02", "path-03")
    after = row("path-01", "path-02", "path-09", "path-03")
    found, ids = aligned(before, after.model_copy(update={"cards": (*after.cards[:2], after.cards[2])}), SIDE)
    assert ids == {"c1": "c1", "c2": "c2", "c3": "c4"}
    assert {card.id for card in found.cards} == {"c1", "c2", "c4"}


def test_the_first_table_keeps_its_ids() -> None:
    first = row("path-01")
    assert aligned(Layout(game=Game.COLOURED_PATHS, cards=()), first, SIDE) == (first, {"c1": "c1"})
