"""`python -m referee find` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cli import main


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    image = np.full((400, 600, 3), (70, 110, 60), np.uint8)
    for x in (80, 240, 400):
        image[126:234, x + 6 : x + 114] = (225, 235, 240)
        cv2.rectangle(image, (x + 6, 126), (x + 113, 233), (225, 235, 240), 12, cv2.LINE_AA)  # its corners are round
        cv2.circle(image, (x + 60, 180), 20, (40, 60, 200), -1)
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), image)
    return path


def test_one_object_a_photo_and_the_status(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "none.jpg")
    assert main(["find", str(photo), missing, "--card", "1:1", "--json"]) == 2
    out, err = capsys.readouterr()
    found, refused = (json.loads(line) for line in out.splitlines())
    assert found["photo"] == str(photo)
    assert len(found["cards"]) == 3
    for card in found["cards"]:
        assert np.shape(card["corners"]) == (4, 2)
        assert 0 <= card["confidence"] <= 1
        across = np.roll(card["corners"], -1, axis=0) - np.array(card["corners"])
        following = np.roll(across, -1, axis=0)
        assert (across[:, 0] * following[:, 1] - across[:, 1] * following[:, 0] > 0).all()  # clockwise
    assert refused["photo"] == missing
    assert refused["error"]["code"] == "photo-missing"
    assert len(err.splitlines()) == 1


def test_for_people(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", str(photo), "--card", "1:1"]) == 0
    assert "3 cards found" in capsys.readouterr().out


@pytest.mark.parametrize("shape", ["1", "0:1", "a:b", "1:2:3", "nan:1", "1:9", "-1:1"])
def test_shapes_that_are_none(shape: str, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", str(photo), f"--card={shape}"]) == 2
    assert shape in capsys.readouterr().err
