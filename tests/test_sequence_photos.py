"""`check --sequence` as a user runs it: photographs of one table from all sides, after each move."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main
from referee.decks import ArrowFace, Game, builtin_deck
from referee.layouts import Layout, PlacedCard
from samples.table.render import render
from samples.table.scene import random_scene
from samples.table.sequence import another_camera, nudged

SEED = 41
DECK = builtin_deck(Game.CAT_AND_MOUSE)
PITCH = 66.0


def face(*arrows: str) -> str:
    return next(f.id for f in DECK.faces if isinstance(f, ArrowFace) and f.kind == "move" and f.arrows == arrows)


def laid(*cards: tuple[str, str, int, int]) -> Layout:
    """Cards as (id, face, column, row)."""
    placed = [PlacedCard(id=name, face=kind, x=PITCH * x, y=PITCH * y) for name, kind, x, y in cards]
    return Layout(game=Game.CAT_AND_MOUSE, cards=tuple(placed))


START = next(f.id for f in DECK.faces if f.kind == "start")
ROUTE = [("s", START, 0, 0), ("a", face("right"), 1, 0), ("b", face("down"), 2, 0)]
LOOKS = [
    laid(*ROUTE),
    laid(*ROUTE, ("w", face("up"), 3, 0)),  # the arrow points down
    laid(*ROUTE, ("w", face("up"), 2, 1)),  # corrected
    laid(*ROUTE[:2], ("w", face("up"), 2, 1)),  # a card was taken away
]


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The looks, and a file that is no photograph between the first two."""
    folder = tmp_path_factory.mktemp("table")
    table = dataclasses.replace(random_scene("easy", SEED), heap="none", clutter=(), covers=(), size=(1600, 1200))
    paths = []
    for number, look in enumerate(LOOKS):
        scene = dataclasses.replace(another_camera(table, "easy", SEED, number), size=(1600, 1200))
        paths.append(folder / f"{number}.jpg")
        paths[-1].write_bytes(render(nudged(look, number), DECK, scene, SEED).jpeg)
    broken = folder / "broken.jpg"
    broken.write_bytes(b"no photograph")
    return [paths[0], broken, *paths[1:]]


def test_a_sequence_from_end_to_end(photos: list[Path], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    command = ["check", "--sequence", *map(str, photos), "--json", "--annotate", str(pictures)]
    assert main(command) == 2  # because of the broken file
    first, broken, wrong, corrected, taken = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert "move" not in first
    assert broken["error"]["code"]
    assert [answer["outcome"] for answer in (first, wrong, corrected)] == ["valid", "invalid", "valid"]

    def faces(answer: dict[str, Any]) -> dict[str, str]:
        return {card["id"]: card["face"] for card in answer["cards"]}

    kept = faces(first)
    (new,) = wrong["move"]["cards"]
    assert faces(wrong) == {**kept, new: face("up")}
    assert (wrong["move"]["legal"], wrong["move"]["certain"], wrong["move"]["turns"]) == (False, True, 2)
    assert [(f["rule"], f["cards"][0]) for f in wrong["move"]["faults"]] == [("wrong-side", new)]
    assert faces(corrected) == faces(wrong)
    assert (corrected["move"]["cards"], corrected["move"]["legal"], corrected["move"]["faults"]) == ([new], True, [])
    gone = next(card for card, kind in kept.items() if kind == face("down"))
    assert taken["move"]["removed"] == [gone]
    assert faces(taken).items() < faces(corrected).items()
    assert len(list(pictures.glob("*.jpg"))) == 4
