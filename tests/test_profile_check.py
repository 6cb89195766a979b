"""`check --profile`: a bent picture is read straight, and the corners told are those of the file."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from referee.cli import main
from referee.vision.profile import CameraProfile
from referee.vision.profile_files import save

PHOTO = Path(__file__).resolve().parents[1] / "samples" / "photos" / "cat-after-finish-cloth.jpg"
DIST = (-0.2, 0.05, 0.0, 0.0, 0.0)


def bent(tmp_path: Path, model: str) -> tuple[Path, Path, CameraProfile]:
    """The sample photograph as a lens with distortion would have taken it, and that lens's profile."""
    straight = cv2.imread(str(PHOTO), cv2.IMREAD_COLOR)
    assert straight is not None
    height, width = straight.shape[:2]
    focal = 0.9 * width
    rows = ((focal, 0.0, width / 2), (0.0, focal, height / 2), (0.0, 0.0, 1.0))
    lens = CameraProfile(model, (width, height), rows, DIST, 0.1)
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    points = np.stack([x.ravel(), y.ravel()], axis=1).reshape(-1, 1, 2)
    there = cv2.undistortPoints(points, np.array(rows), np.array(DIST), P=np.array(rows))
    maps = np.asarray(there, np.float32).reshape(height, width, 2)
    picture = cv2.remap(straight, maps[..., 0], maps[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    exif = Image.Exif()
    maker, _, name = model.partition(" ")
    exif[271], exif[272] = maker, name
    path = tmp_path / "bent.jpg"
    Image.fromarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)).save(path, quality=95, exif=exif)
    (tmp_path / "profiles").mkdir()
    save(lens, tmp_path / "profiles" / "lens.json")
    return path, tmp_path / "profiles", lens


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    main(["check", *arguments, "--json"])
    return dict(json.loads(capsys.readouterr().out))


def test_a_bent_picture_is_read_straight(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, profiles, lens = bent(tmp_path, "Maker One")
    true = answer(capsys, str(PHOTO))
    for profile in (profiles / "lens.json", profiles):  # by name, and by the camera that EXIF names
        got = answer(capsys, str(path), "--profile", str(profile))
        assert got.get("outcome") == true["outcome"], got
        assert got["verdict"] == true["verdict"]
        corners = np.array([card["corners"] for card in true["cards"]])  # type: ignore[attr-defined]
        seen = np.array([card["corners"] for card in got["cards"]])  # type: ignore[attr-defined]
        rays = cv2.undistortPoints(
            seen.reshape(-1, 1, 2), np.array(lens.camera_matrix), np.array(DIST), P=np.array(lens.camera_matrix)
        )
        assert np.abs(np.asarray(rays).reshape(-1, 4, 2) - corners).max() < 4
        assert np.abs(seen - corners).max() > 10


def test_a_file_that_is_no_profile_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "x.json"
    wrong.write_text("{}", encoding="utf-8")
    assert main(["check", str(PHOTO), "--profile", str(wrong), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "profile-malformed"
    assert main(["check", str(PHOTO), "--profile", str(tmp_path / "none.json"), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "profile-missing"
