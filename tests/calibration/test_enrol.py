"""From photographs on a virtual table to a deck that the referee loads."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cli import main
from referee.decks import Game, builtin_deck, load_deck
from referee.layouts import Layout, PlacedCard
from samples.table.render import render
from tests.calibration.rows import scene_of


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten cards of Cat and Mouse in two rows, one face twice."""
    faces = ["up-1", "left-2", "start", "right-3", "up-1", "down-2", "finish", "up+down-1", "up+left-2", "up-2"]
    cards = [
        PlacedCard(id=f"e{k}", face=face, x=76.0 * (k % 5), y=76.0 * (k // 5), turn=(k * 7) % 5 - 2.0)
        for k, face in enumerate(faces)
    ]
    layout = Layout(name="deck", game=Game.CAT_AND_MOUSE, cards=tuple(cards))
    picture = render(layout, builtin_deck("cat-and-mouse"), scene_of("easy", 3, "tune"), 3)
    path = tmp_path_factory.mktemp("photos") / "deck.jpg"
    path.write_bytes(picture.jpeg)
    path.with_suffix(".json").write_text(json.dumps(picture.truth), encoding="utf-8")
    return path


def test_a_deck_from_one_photograph(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "ours"
    assert main(["enrol", str(photo), "--game", "cat-and-mouse", "--out", str(out), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["photo"] == str(photo)
    assert len(lines[0]["cards"]) == 10
    assert lines[1]["deck"] == str(out)
    assert lines[1]["faces"] == 9
    deck = load_deck(out)
    assert {face.id for face in deck.faces} == {
        "up-1", "up-2", "left-2", "right-3", "down-2", "up+down-1", "up+left-2", "start", "finish",
    }  # fmt: skip
    assert {face.id: face.count for face in deck.faces}["up-1"] == 2
    listed = [card["face"] for card in lines[0]["cards"]]
    assert listed == [
        "up-1",
        "left-2",
        "start",
        "right-3",
        "up-1",
        "down-2",
        "finish",
        "up+down-1",
        "up+left-2",
        "up-2",
    ]


def test_no_cards_is_a_sentence_and_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((600, 800, 3), (80, 120, 160), np.uint8))
    out = tmp_path / "ours"
    assert main(["enrol", str(path), "--game", "cat-and-mouse", "--out", str(out)]) == 2
    assert "no cards were found" in capsys.readouterr().err
    assert not out.exists()


def test_a_card_size_that_is_none_is_told(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["enrol", str(photo), "--game", "if-it-fits", "--out", str(tmp_path / "x"), "--card-mm", "wide"]
    assert main(arguments) == 2
    assert "millimetres" in capsys.readouterr().err
