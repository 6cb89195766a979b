"""How well a deck is recognised is told before it is used; a photograph without the board measures no lens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.cli import main
from calibration.practice import Practice

ROOT = Path(__file__).resolve().parents[2]
PHOTO = str(ROOT / "samples" / "photos" / "cat-route-legal-kitchen.jpg")


def test_a_deck_that_is_recognised_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["practice", PHOTO, "--deck", str(ROOT / "samples" / "decks" / "cat-and-mouse"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ready"]
    assert answer["cards"] == answer["sure"] > 5


def test_another_deck_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["practice", PHOTO, "--deck", str(ROOT / "samples" / "decks" / "coloured-paths")]) == 1
    assert "No card of this deck was recognised" in capsys.readouterr().out


@pytest.mark.parametrize(("cards", "sure", "ready"), [(0, 0, False), (10, 8, False), (10, 9, True), (10, 10, True)])
def test_nine_of_ten_must_be_sure(cards: int, sure: int, ready: bool) -> None:
    assert Practice(cards, sure, (), {}).ready is ready


def test_a_photograph_of_cards_measures_no_lens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "lens.json"
    assert main(["camera", PHOTO, "--out", str(out)]) == 2
    assert "The board was found in 0 of 1 photos" in capsys.readouterr().err
    assert not out.exists()
    assert main(["table", PHOTO, "--out", str(out)]) == 2
    assert "board was not found" in capsys.readouterr().err
    assert not out.exists()
