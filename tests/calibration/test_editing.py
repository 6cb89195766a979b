"""A deck from photographs is put right, and is whole at every moment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.cli import main
from calibration.enrol.crops import RIM, SHORT_SIDE
from calibration.enrol.editing import EditedDeck, composition
from calibration.enrol.folder import NewFace, write_deck
from calibration.enrol.naming import free_name, name_of
from calibration.errors import EnrolmentError
from referee.decks import Game, load_deck
from referee.errors import DeckError
from tests.features.pictures import picture

RIM_PX = round(RIM * SHORT_SIDE)


def card(face: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A squared-up card with its rim."""
    drawn = picture(Game.CAT_AND_MOUSE, face, SHORT_SIDE, 0.5)
    return np.asarray(
        cv2.copyMakeBorder(drawn, RIM_PX, RIM_PX, RIM_PX, RIM_PX, cv2.BORDER_CONSTANT, value=(60, 90, 120)), np.uint8
    )


def face(name: str, copies: list[str], **more: Any) -> NewFace:
    entry = {"id": name, "kind": "move", "count": len(copies), "arrows": ["up"], "points": 1, **more}
    inner = card(copies[0])[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    alpha = np.full(inner.shape[:2], 255, np.uint8)
    return NewFace(entry, np.dstack([inner, alpha]), tuple(card(each) for each in copies))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    faces = [
        face("up-1", ["up-1", "up-1", "left-2"], needs_review=True, unsure=["points"], confidence=0.3),
        face("up-2", ["up-2"], points=2),
        face("down-1", ["down-1"], arrows=["down"]),
    ]
    alike = {"alike": [["up-1", "up-2"]]}
    write_deck(tmp_path / "ours", Game.CAT_AND_MOUSE, "ours", (64, 64), 5.0, faces, alike)
    return tmp_path / "ours"


def pictures(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*.png")}


def test_a_correction_is_kept_and_nobody_needs_to_look_again(folder: Path) -> None:
    deck = EditedDeck(folder)
    assert deck.needs_review() == ["up-1"]
    deck.correct("up-1", arrows=["left", "right"], points=3, count=2)
    saved = deck.save().face("up-1").model_dump()
    assert (saved["arrows"], saved["points"], saved["count"]) == (("left", "right"), 3, 2)
    assert EditedDeck(folder).needs_review() == []


def test_another_kind_has_its_own_features(folder: Path) -> None:
    deck = EditedDeck(folder)
    deck.correct("up-1", kind="start")
    start = deck.save().face("up-1").model_dump()
    assert (start["arrows"], start["points"]) == ((), 0)
    deck.correct("up-1", kind="move")
    assert deck.save().face("up-1").model_dump()["arrows"] == ("up",)


@pytest.mark.parametrize("wrong", [{"arrows": ["up", "down", "left"]}, {"count": 0}, {"kind": "cat"}, {"points": -1}])
def test_what_cannot_be_is_refused_and_nothing_changes(folder: Path, wrong: dict[str, Any]) -> None:
    before = (folder / "deck.json").read_text("utf-8")
    deck = EditedDeck(folder)
    with pytest.raises(DeckError):
        deck.correct("up-1", **wrong)
    deck.save()
    assert json.loads((folder / "deck.json").read_text("utf-8")) == json.loads(before)


def test_a_wrong_card_is_split_off_and_joined_again(folder: Path) -> None:
    deck = EditedDeck(folder)
    fresh = deck.split("up-1", [3])
    loaded = deck.save()
    assert {each.id: each.count for each in loaded.faces} == {"up-1": 2, fresh: 1, "up-2": 1, "down-1": 1}
    assert deck.face(fresh)["needs_review"]
    assert len(pictures(folder)) == 4 + 5
    path = loaded.image_path(fresh)
    assert path is not None
    shown = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert shown is not None
    true = card("left-2")[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    assert np.abs(shown.astype(int) - true)[20:-20, 20:-20].mean() < 6
    assert deck.merge(["up-1", fresh]) == "up-1"
    loaded = deck.save()
    assert {each.id: each.count for each in loaded.faces} == {"up-1": 3, "up-2": 1, "down-1": 1}
    assert len(pictures(folder)) == 3 + 5


def test_changes_that_end_in_an_error_leave_no_pictures(folder: Path) -> None:
    before = pictures(folder)

    def change_and_fail() -> None:
        with EditedDeck(folder) as deck:
            deck.split("up-1", [3])
            assert pictures(folder) > before
            deck.face("nobody")

    with pytest.raises(EnrolmentError):
        change_and_fail()
    assert pictures(folder) == before
    assert len(load_deck(folder).faces) == 3


@pytest.mark.parametrize("cards", [[], [1, 2, 3], [7]])
def test_a_split_of_none_or_all_is_a_sentence(folder: Path, cards: list[int]) -> None:
    with pytest.raises(EnrolmentError, match="choose some"):
        EditedDeck(folder).split("up-1", cards)


def test_deleting_ends_before_the_last_face(folder: Path) -> None:
    deck = EditedDeck(folder)
    deck.delete("up-2")
    assert deck.content["alike"] == []
    deck.delete("down-1")
    with pytest.raises(EnrolmentError, match="needs a face"):
        deck.delete("up-1")
    assert len(deck.save().faces) == 1
    assert len(pictures(folder)) == 1 + 3


def test_faces_are_named_by_what_they_show_but_known_ones_stay(folder: Path) -> None:
    deck = EditedDeck(folder)
    deck.correct("up-1", arrows=["left"], points=2)
    deck.correct("up-2", arrows=["left"], points=2)
    deck.name_faces(["down-1"])
    assert [entry["id"] for entry in deck.faces] == ["left-2", "left-2-02", "down-1"]
    assert deck.content["alike"] == [["left-2", "left-2-02"]]
    deck.save()


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ({"kind": "move", "arrows": ["up", "left"], "points": 3}, "up+left-3"),
        ({"kind": "box", "walls": ["top", "left"], "toys": 1}, "box-tl-1"),
        ({"kind": "box", "walls": [], "toys": 0}, "box-open-0"),
        ({"kind": "cat", "player": "red", "asleep": True}, "cat-red-asleep"),
        ({"kind": "princess"}, "princess"),
    ],
)
def test_names(entry: dict[str, Any], name: str) -> None:
    assert name_of(entry) == name
    assert free_name(name, [name, f"{name}-02"]) == f"{name}-03"


def test_the_composition_counts_cats_once() -> None:
    faces = [
        {"kind": "cat", "asleep": False, "count": 5},
        {"kind": "cat", "asleep": True, "count": 5},
        {"kind": "box", "count": 70},
    ]
    told = {part["kind"]: (part["have"], part["usual"]) for part in composition(Game.IF_IT_FITS, faces)}
    assert told["cat"] == (5, 25)
    assert told["box"] == (70, 72)


def test_the_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["split", str(folder), "up-1", "3"]) == 0
    assert main(["merge", str(folder), "up-1", "up-1-02"]) == 0
    assert main(["confirm", str(folder)]) == 0
    assert "0 faces are still to be looked at" in capsys.readouterr().out
    assert main(["merge", str(folder), "up-1"]) == 2
    assert "two faces or more" in capsys.readouterr().err
    assert main(["confirm", str(folder), "nobody"]) == 2
    assert load_deck(folder).face("up-1").count == 3
