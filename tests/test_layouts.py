"""Layouts: read line by line, refused by name, written as text and read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.decks import Game
from referee.errors import LayoutError
from referee.games import judge
from referee.layouts import Layout, PlacedCard, id_order, parse_layout, read_layouts
from referee.notation import format_card, format_table, parse_card, parse_table
from tests.rules_tables import MOUSE, PATHS

CARD = {"id": "a", "face": "r1", "x": 0, "y": 1.5, "turn": 90}


def layout_data(*cards: Any, **fields: Any) -> dict[str, Any]:
    return {"name": "t", "game": "cat-and-mouse", "cards": list(cards)} | fields


def test_a_layout_is_read_and_written() -> None:
    data = layout_data(CARD | {"z": 1, "colour": "ignored"}, order=["a"], deck="mine", later=True)
    layout = parse_layout(data)
    assert layout.cards == (PlacedCard(id="a", face="r1", x=0, y=1.5, turn=90, z=1),)
    assert parse_layout(json.loads(json.dumps(layout.to_dict()))) == layout


MALFORMED = [
    ([], ["object"]),
    (layout_data() | {"game": "poker"}, ["game", "poker"]),
    ({"game": "cat-and-mouse"}, ["cards", "missing"]),
    (layout_data() | {"cards": {}}, ["cards"]),
    (layout_data("a"), ["card number 1"]),
    (layout_data({"id": "a"}), ['"a"', "face", "missing"]),
    (layout_data({k: v for k, v in CARD.items() if k != "id"}), ["card number 1", "id"]),
    (layout_data({k: v for k, v in CARD.items() if k != "x"}), ['"a"', "x", "missing"]),
    (layout_data(CARD | {"x": "0"}), ['"a"', "x"]),
    (layout_data(CARD | {"x": True}), ['"a"', "x", "true"]),
    (layout_data(CARD | {"y": None}), ['"a"', "y"]),
    (layout_data(CARD | {"y": float("nan")}), ['"a"', "y"]),
    (layout_data(CARD | {"turn": float("inf")}), ['"a"', "turn"]),
    (layout_data(CARD | {"x": 1e300}), ['"a"', "x"]),
    (layout_data(CARD | {"face": ""}), ['"a"', "face"]),
    (layout_data(CARD, CARD), ['"a"', "twice"]),
    (layout_data(CARD, order=["b"]), ["order", '"b"']),
    (layout_data(CARD, order=["a", "a"]), ["order", "twice"]),
    (layout_data(CARD, order=[]), ["order", '"a"']),
    (layout_data(CARD, order="a"), ["order"]),
    (layout_data(CARD, table=[[0, 0], [1, 1]]), ["table"]),
]


@pytest.mark.parametrize(("data", "named"), MALFORMED)
def test_a_malformed_layout_is_refused_by_name(data: object, named: list[str]) -> None:
    with pytest.raises(LayoutError) as caught:
        parse_layout(data, "table.json")
    for word in ["table.json", *named]:
        assert word in caught.value.message


def test_a_bad_line_does_not_spoil_the_others(tmp_path: Path) -> None:
    lines = [layout_data(CARD), "{", {"name": "bad", "game": "x"}, "", layout_data(name="last")]
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (tmp_path / "many.jsonl").write_text(text, encoding="utf-8")
    found = list(read_layouts(tmp_path / "many.jsonl"))
    assert [type(x) for x in found] == [Layout, LayoutError, LayoutError, Layout]
    assert [x.name for x in found] == ["t", "many:2", "bad", "last"]
    assert ":3:" in str(found[2])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"name": "\\ud800"}', "half a character"),
        ('{"name": ' + "1" * 5000 + "}", "digits"),
        ('{"name": ' + "[" * 100_000, "nested too deeply"),
        ('{"name": Infinity}', "Infinity"),
        ('{"name": "x"', "line 1"),
    ],
)
def test_why_a_line_is_not_json(line: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(line, encoding="utf-8")
    (found,) = read_layouts(tmp_path / "t.jsonl")
    assert isinstance(found, LayoutError)
    assert found.code == "layout-not-json"
    assert reason in found.message


def test_one_layout_a_json_file(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text("\ufeff" + json.dumps({k: v for k, v in layout_data(CARD).items() if k != "name"}, indent=1))
    assert [x.name for x in read_layouts(path)] == ["one"]
    for bad in (tmp_path / "none.json", tmp_path):
        assert [type(x) for x in read_layouts(bad)] == [LayoutError]
    path.write_bytes(b"\xff")
    assert [type(x) for x in read_layouts(path)] == [LayoutError]


def test_layout_and_deck_must_suit() -> None:
    layout = parse_layout(layout_data(CARD))
    with pytest.raises(LayoutError, match="cat-and-mouse"):
        judge(layout, PATHS)
    with pytest.raises(LayoutError, match=r'"a".*"zz"'):
        judge(parse_layout(layout_data(CARD | {"face": "zz"})), MOUSE)


def test_ids_are_ordered_as_people_count() -> None:
    assert sorted(["c10", "c2", "b", "c", "2", "10"], key=id_order) == ["2", "10", "b", "c", "c2", "c10"]


NAMES = st.text(min_size=1, max_size=8).filter(lambda text: not any(0xD800 <= ord(c) <= 0xDFFF for c in text))
NUMBERS = st.floats(-1e6, 1e6)
CARDS = st.builds(PlacedCard, id=NAMES, face=NAMES, x=NUMBERS, y=NUMBERS, turn=NUMBERS, z=st.none() | st.floats(-5, 5))


@given(CARDS)
def test_a_card_is_written_and_read_back(card: PlacedCard) -> None:
    assert parse_card(format_card(card)) == card


@given(st.lists(CARDS, unique_by=lambda card: card.id, max_size=5), st.text(max_size=5), st.booleans(), st.data())
def test_a_table_is_written_and_read_back(
    cards: list[PlacedCard], name: str, ordered: bool, data: st.DataObject
) -> None:
    if any(0xD800 <= ord(c) <= 0xDFFF for c in name):
        name = "x"
    order = tuple(data.draw(st.permutations([card.id for card in cards]))) if ordered else None
    deck = data.draw(st.none() | NAMES)
    layout = Layout(name=name, game=Game.COLOURED_PATHS, cards=tuple(cards), order=order, deck=deck)
    text = format_table(layout)
    assert "\n" not in text
    assert parse_table(text) == layout


def test_the_notation_is_short() -> None:
    table = 'cat-and-mouse "kitchen": s=S@0,0 c1=r1@0,-66.5/90 > s c1'
    layout = parse_table(table)
    assert format_table(layout) == table
    assert layout.by_id["c1"] == PlacedCard(id="c1", face="r1", x=0, y=-66.5, turn=90)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "poker: a=b@0,0",
        "cat-and-mouse a=b@0,0",
        "cat-and-mouse: a=b@0",
        "cat-and-mouse: a=b@0,0 what",
        "cat-and-mouse: a=b@0,0 a=b@0,0",
        "cat-and-mouse: a=b@0,0 > b",
        "cat-and-mouse: a=b@0,0 > a c=d@0,0 x",
        "cat-and-mouse: a=b@1..2,0",
        "cat-and-mouse: a=b@1e999,0",
    ],
)
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(LayoutError):
        parse_table(text)
