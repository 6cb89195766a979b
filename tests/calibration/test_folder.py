"""A new deck is written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.enrol.folder import NewFace, write_deck
from referee.decks import Game, load_deck
from referee.errors import DeckError

PICTURE = np.full((64, 64, 4), 200, np.uint8)


def _face(name: str, **more: Any) -> NewFace:
    return NewFace({"id": name, "kind": "move", "count": 2, "arrows": ["up"], "points": 1, **more}, PICTURE)


def test_what_is_written_can_be_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "ours"
    write_deck(folder, Game.CAT_AND_MOUSE, "ours", (64, 64), 5.0, [_face("a", needs_review=True), _face("b", points=2)])
    deck = load_deck(folder)
    assert [face.id for face in deck.faces] == ["a", "b"]
    path = deck.image_path("a")
    assert path is not None
    assert path.is_file()
    assert [each.name for each in folder.parent.iterdir()] == ["ours"]


def test_an_old_deck_is_replaced_and_its_pictures_go(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    write_deck(folder, Game.CAT_AND_MOUSE, "ours", (64, 64), 5.0, [_face("a"), _face("b")])
    write_deck(folder, Game.CAT_AND_MOUSE, "again", (64, 64), 5.0, [_face("c")])
    assert load_deck(folder).name == "again"
    assert [each.name for each in (folder / "faces").iterdir()] == ["c.png"]
    assert [each.name for each in tmp_path.iterdir()] == ["ours"]


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("keep me")
    with pytest.raises(DeckError, match="other files"):
        write_deck(tmp_path, Game.CAT_AND_MOUSE, "ours", (64, 64), 5.0, [_face("a")])
    assert [each.name for each in tmp_path.iterdir()] == ["letter.txt"]


def test_a_deck_that_is_wrong_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(DeckError):
        write_deck(tmp_path / "ours", Game.CAT_AND_MOUSE, "ours", (64, 64), 5.0, [_face("a", arrows=["up", "up"])])
    assert list(tmp_path.iterdir()) == []
