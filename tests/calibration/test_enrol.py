"""From photographs on a virtual table to a deck that the referee loads."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cli import main
from calibration.enrol.crops import CARD_MM
from calibration.enrol.enrolment import found_cards, sorted_out
from referee.decks import Deck, Game, builtin_deck, load_deck
from referee.layouts import Layout, PlacedCard
from referee.vision.decode import decode
from samples.art.command import styled_deck
from samples.art.decks import write_deck
from samples.table.render import Photo, render
from tests.calibration.rows import scene_of


def shown(deck: Deck) -> Photo:
    """Ten cards of Cat and Mouse in two rows, one face twice."""
    faces = ["up-1", "left-2", "start", "right-3", "up-1", "down-2", "finish", "up+down-1", "up+left-2", "up-2"]
    cards = [
        PlacedCard(id=f"e{k}", face=face, x=76.0 * (k % 5), y=76.0 * (k // 5), turn=(k * 7) % 5 - 2.0)
        for k, face in enumerate(faces)
    ]
    layout = Layout(name="deck", game=Game.CAT_AND_MOUSE, cards=tuple(cards))
    return render(layout, deck, scene_of("easy", 3, "tune"), 3)


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    picture = shown(builtin_deck("cat-and-mouse"))
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


def test_two_decks_in_two_photographs_are_told_with_the_deck(photo: Path) -> None:
    size = CARD_MM[Game.CAT_AND_MOUSE]
    ours = found_cards([decode(photo.read_bytes(), photo.name)], size)
    write_deck(styled_deck("cat-and-mouse", "night"), photo.parent / "night")
    theirs = found_cards([decode(shown(load_deck(photo.parent / "night")).jpeg, "night.jpg")], size)
    assert sorted_out(ours, Game.CAT_AND_MOUSE, size).doubts == ()
    mixed = [*ours, *(replace(crop, photo=1) for crop in theirs)]
    assert sorted_out(mixed, Game.CAT_AND_MOUSE, size).doubts == ("two-decks",)


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
