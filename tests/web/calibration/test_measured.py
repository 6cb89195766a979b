"""What was measured of a camera is found by its name, wherever photographs of it come in."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.table import fit_table
from referee.vision.profile import CameraProfile
from referee.vision.profile_files import plain_name, save, suiting
from tests.test_profile_check import DIST, PHOTO, bent
from tests.vision.test_fixed_table import DECK, MAT, ROW, seen, table
from tests.web.calibration.test_fixed_table import jpeg
from tests.web.conftest import made, refused, send_photo
from web.live.capture import Camera, Capture
from web.serving import ServingError, measured_of
from web.settings import Settings
from web.storage.database import Database
from web.storage.models import LiveTable


def lens_of(model: str, size: tuple[int, int]) -> CameraProfile:
    rows = ((700.0, 0.0, size[0] / 2), (0.0, 700.0, size[1] / 2), (0.0, 0.0, 1.0))
    return CameraProfile(model, size, rows, DIST, 0.1)


def turned_back(corners: np.ndarray, lens: CameraProfile) -> np.ndarray:
    """Corners (N, 4, 2) px of a bent picture -> of the straight one."""
    matrix = np.array(lens.camera_matrix)
    out = cv2.undistortPoints(corners.reshape(-1, 1, 2), matrix, np.array(lens.dist_coeffs), P=matrix)
    return np.asarray(out).reshape(-1, 4, 2)


def test_the_lens_is_chosen_by_exif_when_a_photograph_is_checked_or_a_deck_tried_out(
    client: FlaskClient, settings: Settings, tmp_path: Path
) -> None:
    path, _, lens = bent(tmp_path, "Maker One")
    straight, photo = PHOTO.read_bytes(), path.read_bytes()
    save(lens, settings.data / "profiles" / "one.json")
    true = made(send_photo(client, straight, "/api/check"), 200)
    where = np.array([card["corners"] for card in true["cards"]])
    answer = made(send_photo(client, photo, "/api/check"), 200)
    assert answer["verdict"] == true["verdict"]
    corners = np.array([card["corners"] for card in answer["cards"]])
    assert np.abs(turned_back(corners, lens) - where).max() < 4
    picture = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    nameless = jpeg(np.asarray(picture, np.uint8))
    for sent, fields in ((photo, {}), (nameless, {"camera": "Maker One"}), (nameless, {"profile": "one"})):
        tried = made(send_photo(client, sent, "/api/decks/cat-and-mouse/practice", **fields), 200)
        found = np.array([card["corners"] for card in tried["cards"]])
        near = np.abs(turned_back(found, lens)[:, None] - where[None]).max(axis=(2, 3)).min(axis=1)
        assert near.max() < 4
        assert tried["ready"]
    refused(send_photo(client, photo, "/api/decks/cat-and-mouse/practice", profile="none"), 404, "unknown-profile")


def test_a_live_table_takes_the_lens_of_its_camera(client: FlaskClient, settings: Settings) -> None:
    save(lens_of("HD Webcam", (1280, 720)), settings.data / "profiles" / "web.json")
    asked = {"game": "cat-and-mouse", "camera": "HD Webcam (046d:0825)", "size": [1920, 1080]}
    assert made(client.post("/api/live", json=asked))["measured"] == "camera"
    for other in ({"size": [1024, 768]}, {"camera": "Another"}, {"size": None}):
        assert made(client.post("/api/live", json=asked | other))["measured"] is None
    refused(client.post("/api/live", json=asked | {"size": [0, 720]}), 422, "bad-field")


def test_of_several_profiles_of_a_camera_the_one_of_the_same_size_is_taken(tmp_path: Path) -> None:
    for name, size in (("a", (1280, 720)), ("b", (1920, 1080)), ("c", (640, 480))):
        save(lens_of("HD Webcam", size), tmp_path / f"{name}.json")
    assert plain_name("HD Webcam (046d:0825)") == "HD Webcam"
    for asked, size in (
        ((1920, 1080), (1920, 1080)),
        ((2560, 1440), (1280, 720)),
        ((800, 600), (640, 480)),
    ):
        found = suiting(tmp_path, "HD Webcam", asked)
        assert found is not None
        assert found.size == size
    assert suiting(tmp_path, "HD Webcam", (500, 500)) is None


def test_the_services_own_camera_knows_its_table(tmp_path: Path) -> None:
    profile = fit_table(seen(table(())), None, MAT)
    save(profile, tmp_path / "profiles" / "desk.json")
    beyond = DECK.card_mm[0] / 2 - 12
    frame = jpeg(seen(table([(face, x - ROW[0][1] + beyond, y) for face, x, y in ROW])))
    database = Database(f"sqlite:///{tmp_path / 'file.sqlite3'}")
    database.upgrade()
    measured = measured_of(tmp_path / "profiles", "desk")
    watching = Capture(Camera(0), database, "if-it-fits", DECK, 30, "en", measured)
    for second in range(12):
        watching.look(frame, time.time() + second)
        with database.reading() as session:
            record = session.get(LiveTable, watching.live_id)
            assert record is not None
            log = record.log
        if log:
            break
    database.close()
    assert [line["outcome"] for line in log] == ["invalid"]
    assert any("edge" in text for text in log[0]["texts"])


def test_what_was_measured_of_the_services_own_camera_is_named_or_found(tmp_path: Path) -> None:
    lens = lens_of("HD Webcam", (1280, 720))
    save(lens, tmp_path / "lens.json")
    for asked in ("lens", str(tmp_path / "lens.json")):
        assert measured_of(tmp_path, asked)("whatever", (3, 4)) == lens
    assert measured_of(tmp_path, None)("HD Webcam", (1280, 720)) == lens
    assert measured_of(tmp_path, None)("", (1280, 720)) is None
    for asked in ("desk", str(tmp_path / "desk.json"), "../lens"):
        with pytest.raises(ServingError, match=r"no such profile; measured so far: lens\. Measure it"):
            measured_of(tmp_path, asked)


def test_that_a_measured_lens_does_not_suit_is_told(client: FlaskClient, settings: Settings) -> None:
    """A photograph of another shape by the camera: it is read as it is, and the verdict says so, kept or not."""
    save(lens_of("Maker One", (1600, 900)), settings.data / "profiles" / "one.json")
    photo = PHOTO.read_bytes()
    answer = made(send_photo(client, photo, "/api/check", camera="Maker One"), 200)
    assert "lens-unused" in [retake["reason"] for retake in answer["retake"]]
    kept = made(send_photo(client, photo, camera="Maker One"))
    shown = made(client.post("/api/tables", json={"game": "cat-and-mouse", "photo": kept["id"]}))
    assert any("it was not used here" in sentence["text"] for sentence in shown["sentences"])
    answer = made(send_photo(client, photo, "/api/check", camera="Maker Two"), 200)
    assert "lens-unused" not in [retake["reason"] for retake in answer["retake"]]
