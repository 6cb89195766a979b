"""What is no deck of the game is refused with a sentence; what looks odd is told."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.cli import main
from calibration.enrol.doubts import LATTICE, doubts_about, lattice_of, refuse_nonsense
from calibration.enrol.proposal import Proposal
from calibration.errors import EnrolmentError
from referee.decks import Game, builtin_deck
from referee.layouts import Layout, PlacedCard
from samples.table.render import render
from tests.calibration.rows import scene_of
from tests.features.pictures import picture


def sure(name: str, confidence: float = 1.0) -> Proposal:
    return Proposal(name, "move", {"arrows": ["up"], "points": 1}, confidence)


@pytest.mark.parametrize(
    ("proposals", "copies", "code"),
    [
        ([sure("a")], [1], "one-card"),
        ([sure("a")], [9], "face-down"),
        ([sure(name, 0.1) for name in "abcdef"], [1] * 6, "other-game"),
    ],
)
def test_nonsense_is_refused(proposals: list[Proposal], copies: list[int], code: str) -> None:
    with pytest.raises(EnrolmentError) as refused:
        refuse_nonsense(Game.CAT_AND_MOUSE, proposals, copies)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("proposals", "copies"),
    [([sure("a"), sure("b")], [1, 1]), ([sure(name, 0.7) for name in "abcdef"], [1] * 6), ([sure("a")], [2])],
)
def test_small_and_hard_decks_are_not(proposals: list[Proposal], copies: list[int]) -> None:
    refuse_nonsense(Game.CAT_AND_MOUSE, proposals, copies)


def test_two_decks_mixed_are_told() -> None:
    cream = [picture(Game.CAT_AND_MOUSE, name, 256, 0.5) for name in ("up-1", "up-2", "left-1", "down-2")]
    dark = [np.asarray(each // 3, np.uint8) for each in cream]
    names = [sure(name) for name in ("up-1", "up-2", "left-1", "down-2")]
    assert doubts_about(Game.CAT_AND_MOUSE, [], cream + dark, names * 2) == ("two-decks",)
    assert doubts_about(Game.CAT_AND_MOUSE, [], cream, names) == ()


def test_a_screen_s_lattice_stands_out() -> None:
    cards = [picture(Game.CAT_AND_MOUSE, name, 256, 0.8) for name in ("up-1", "left-2", "right-3", "down-1", "start")]
    rng = np.random.default_rng(1)
    noisy = [np.clip(card + rng.normal(0, 3, card.shape), 0, 255).astype(np.uint8) for card in cards]
    y, x = np.mgrid[0:256, 0:256]
    lattice = 6 * np.cos(2 * np.pi * (0.31 * x + 0.05 * y))[..., None]
    shown = [np.clip(card + lattice, 0, 255).astype(np.uint8) for card in noisy]
    assert lattice_of(noisy) < LATTICE
    assert lattice_of(shown) > LATTICE


def photographed(faces: list[str], tmp_path: Path) -> str:
    cards = [PlacedCard(id=f"e{k}", face=name, x=76.0 * (k % 4), y=76.0 * (k // 4)) for k, name in enumerate(faces)]
    layout = Layout(name="deck", game=Game.CAT_AND_MOUSE, cards=tuple(cards))
    shown = render(layout, builtin_deck("cat-and-mouse"), scene_of("easy", 3, "tune"), 3)
    path = tmp_path / "deck.jpg"
    path.write_bytes(shown.jpeg)
    return str(path)


@pytest.mark.parametrize(
    ("faces", "game", "sentence"),
    [
        (["up-1"] * 8, "cat-and-mouse", "face down"),
        (
            ["up-1", "left-2", "start", "right-3", "up+left-2", "down-2", "up-3", "up-2"],
            "coloured-paths",
            "not look like",
        ),
    ],
)
def test_a_sentence_and_nothing_is_written(
    faces: list[str], game: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = photographed(faces, tmp_path)
    out = tmp_path / "ours"
    assert main(["enrol", photo, "--game", game, "--out", str(out)]) == 2
    told = capsys.readouterr()
    assert sentence in told.err
    assert len(told.err.strip().splitlines()) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["deck.jpg"]


def test_a_table_without_cards_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((600, 800, 3), (80, 120, 160), np.uint8))
    assert main(["enrol", str(path), "--game", "if-it-fits", "--out", str(tmp_path / "ours")]) == 2
    assert "no cards were found" in capsys.readouterr().err
