"""`python -m referee check` as a user runs it, on a sample photograph."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.cli import main
from referee.commands.check import picture_files, stage_folders
from referee.errors import InputError
from referee.pipeline import CheckedPhoto
from tests.checked_photos import photographed
from tests.rules_tables import MOUSE, draw

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "photos"
PHOTO = SAMPLES / "cat-after-finish-cloth.jpg"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.jpg"
    path.write_bytes(PHOTO.read_bytes()[:5000])
    return path


def answers(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def told(verdict: dict[str, Any], faces: dict[str, str]) -> object:
    """A verdict by faces instead of ids, which are anybody's choice."""
    routes = [
        ([faces[card] for card in route["valid"]], route["points"], route["finished"]) for route in verdict["routes"]
    ]
    faults = [(fault["rule"], [faces[card] for card in fault["cards"]]) for fault in verdict["faults"]]
    return sorted(routes), [faces[card] for card in verdict["returned"]], faults


def test_a_sample_photograph_from_end_to_end(tmp_path: Path, broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The whole journey once: JSON, a broken photo in its place, the annotated picture, a picture a stage."""
    good = tmp_path / "стіл.jpg"
    shutil.copy(PHOTO, good)
    pictures, stages = tmp_path / "pictures", tmp_path / "stages"
    pictures.mkdir()
    command = ["check", str(broken), str(good), "--json", "--annotate", str(pictures), "--debug", str(stages)]
    assert main(command) == 2
    out, err = capsys.readouterr()
    refused, answer = answers(out)
    assert refused["photo"] == str(broken)
    assert set(refused) == {"photo", "error"}
    assert refused["error"]["code"] == "photo-broken"
    assert err == f"referee: {refused['error']['message']}\n"

    truth = json.loads(PHOTO.with_suffix(".json").read_text(encoding="utf-8"))
    assert (answer["photo"], answer["game"], answer["outcome"]) == (str(good), "cat-and-mouse", truth["outcome"])
    faces = {card["id"]: card["face"] for card in truth["cards"]}
    read = {card["id"]: card["face"] for card in answer["cards"]}
    assert told(answer["verdict"], read) == told(truth["verdict"], faces)
    for card in answer["cards"]:
        assert np.array(card["corners"]).shape == (4, 2)
        assert 0 <= card["confidence"] <= 1

    picture = cv2.imdecode(np.frombuffer((pictures / "стіл-checked.jpg").read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert sorted(path.name for path in pictures.iterdir()) == ["стіл-checked.jpg"]
    assert sorted(path.stem for path in (stages / "стіл-checked").iterdir()) == [
        "1-search",
        "2-verified",
        "3-above",
        "4-cards",
        "5-table",
        "6-verdict",
    ]


@pytest.fixture
def no_vision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Photographs whose names are drawings of tables."""

    def check_file(path: str, *_: object, **__: object) -> CheckedPhoto:
        if path.endswith(".txt"):
            raise InputError("photo-format", f"{path}: this is not a photo.")
        return photographed(draw(path, MOUSE), MOUSE)

    monkeypatch.setattr("referee.commands.check.check_file", check_file)


RIGHT, WRONG, UNSURE = "s=S a=r1 f=F", "s=S a=r1 w=u1 x=r1", "a=r1"


@pytest.mark.usefixtures("no_vision")
@pytest.mark.parametrize(
    ("photos", "status"),
    [([RIGHT], 0), ([RIGHT, WRONG], 0), ([RIGHT, UNSURE], 1), ([UNSURE, "a.txt", RIGHT], 2)],
)
def test_exit_statuses(photos: list[str], status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *photos, "--json"]) == status
    found = answers(capsys.readouterr().out)
    assert len(found) == len(photos)
    assert ["error" in answer for answer in found] == [photo.endswith(".txt") for photo in photos]


@pytest.mark.usefixtures("no_vision")
def test_texts_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", WRONG]) == 0
    assert capsys.readouterr().out.splitlines() == [
        WRONG,
        "  Something lies wrong.",
        "  Cards found: 4.",
        "  • Start 1: 2 cards are right, 2 points.",
        "  ✗ Card A (arrow right, 1 point) lies on the wrong side. Put the card back into the heap. Look",
        "    where the arrow points: card 1.2 (arrow up, 1 point). [CM-ARROW]",
        "  · No Finish lies on the table yet: the round goes on, and the points count when it ends.",
        "",
        "  The rules:",
        "    CM-ARROW        Each next card lies on the side that the arrow of the card before points to.",
    ]
    for language, word in (("uk", "Правила:"), ("ru", "Правила:")):
        assert main(["check", WRONG, "--lang", language]) == 0
        assert word in capsys.readouterr().out


@pytest.mark.usefixtures("no_vision")
def test_pictures_that_cannot_be_written_are_told_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none").touch()
    for wrong in ("picture.gif", "picture", str(tmp_path / "none" / "picture.jpg")):
        assert main(["check", RIGHT, "--annotate", wrong]) == 2
        out, err = capsys.readouterr()
        assert (out, wrong in err) == ("", True)
    file = tmp_path / "file.txt"
    file.touch()
    assert main(["check", RIGHT, "--debug", str(file), "--json"]) == 2
    (answer,) = answers(capsys.readouterr().out)
    assert answer["error"]["code"] == "cannot-write"


def test_where_pictures_go(tmp_path: Path) -> None:
    file = tmp_path / "out.png"
    assert list(picture_files(None, ["a.jpg", "b.jpg"])) == [None, None]
    assert list(picture_files(file, ["a.jpg"])) == [file]
    assert list(picture_files(file, ["a.jpg", "b.jpg"])) == [tmp_path / "out-1.png", tmp_path / "out-2.png"]
    assert list(picture_files(tmp_path, ["x/a.jpg", "y/a.heic"])) == [
        tmp_path / "a-checked.jpg",
        tmp_path / "a-checked-2.jpg",
    ]
    assert list(stage_folders(tmp_path, ["a.jpg"])) == [tmp_path]
    assert list(stage_folders(tmp_path, ["a.jpg", "b.jpg"])) == [tmp_path / "a-checked", tmp_path / "b-checked"]
