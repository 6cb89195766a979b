"""Lens, table and light measured through the API."""

from __future__ import annotations

import io
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from numpy.typing import NDArray
from PIL import Image

from referee.vision.profile import CameraProfile, straightened_whole
from referee.vision.profile_files import save
from tests.calibration.test_camera import DIST, MATRIX
from tests.web.calibration.conftest import FACES, board_frames, rows_of
from tests.web.conftest import made, photo_bytes, refused, send_photo
from web.settings import Settings

Pixels = NDArray[np.uint8]


@pytest.fixture(scope="module")
def frames() -> list[bytes]:
    return board_frames()


def test_a_lens_is_measured_with_advice_on_the_way(client: FlaskClient, frames: list[bytes]) -> None:
    lens = made(client.post("/api/cameras/lenses"))["id"]
    url = f"/api/cameras/lenses/{lens}"
    refused(client.post(f"{url}/profile", json={"name": "Camera"}), 422, "too-few-boards")
    empty = cv2.imencode(".jpg", np.full((600, 800, 3), 120, np.uint8))[1].tobytes()
    look = made(send_photo(client, empty, f"{url}/frames"), 200)
    assert (look["found"], look["advice"], look["enough"]) == (False, "show", False)
    kept = 0
    for frame in frames:
        look = made(send_photo(client, frame, f"{url}/frames"), 200)
        kept += look["kept"]
        assert look["views"] == kept
        assert len(look["covered"]) == 4
    assert kept >= 6
    again = made(send_photo(client, frames[-1], f"{url}/frames"), 200)
    assert not again["kept"]
    result = made(client.post(f"{url}/profile", json={"name": "Наша камера"}))
    assert result["profile"] == "nasha-kamera"
    assert result["before"].startswith("data:image/jpeg;base64,")
    assert result["error"] < 1.5
    profile = client.get("/api/cameras/profiles/nasha-kamera").get_json()
    assert profile["model"] == "Наша камера"
    assert profile["camera_matrix"][0][0] == pytest.approx(MATRIX[0, 0], rel=0.05)
    assert profile["dist_coeffs"][0] == pytest.approx(DIST[0], abs=0.08)
    assert client.delete(url).status_code == 204
    refused(send_photo(client, frames[0], f"{url}/frames"), 404, "unknown-measuring")
    assert client.delete("/api/cameras/profiles/nasha-kamera").status_code == 204
    assert client.get("/api/cameras/profiles").get_json() == {"profiles": []}


def test_frames_of_another_size_are_told(client: FlaskClient, frames: list[bytes]) -> None:
    lens = made(client.post("/api/cameras/lenses"))["id"]
    made(send_photo(client, frames[4], f"/api/cameras/lenses/{lens}/frames"), 200)
    picture = cv2.imdecode(np.frombuffer(frames[5], np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    other = cv2.imencode(".jpg", cv2.resize(picture, (1200, 900)))[1].tobytes()
    refused(send_photo(client, other, f"/api/cameras/lenses/{lens}/frames"), 409, "other-size")


def test_the_table_and_whether_the_camera_was_moved(client: FlaskClient, frames: list[bytes]) -> None:
    refused(send_photo(client, photo_bytes("cat-route-legal-kitchen"), "/api/cameras/tables"), 422, "no-board")
    picture: Any = cv2.imdecode(np.frombuffer(frames[4], np.uint8), cv2.IMREAD_COLOR)
    straight = cv2.imencode(".jpg", cv2.undistort(picture, MATRIX, DIST))[1].tobytes()
    result = made(send_photo(client, straight, "/api/cameras/tables", name="Classroom"))
    assert result["residual_mm"] < 1
    assert result["after"].startswith("data:image/jpeg")
    url = f"/api/cameras/tables/{result['profile']}/check"
    assert made(send_photo(client, straight, url), 200)["moved"] is False
    moved = cv2.imencode(".jpg", np.roll(cv2.undistort(picture, MATRIX, DIST), 12, axis=1))[1].tobytes()
    assert made(send_photo(client, moved, url), 200)["moved"] is True
    refused(send_photo(client, straight, "/api/cameras/tables", width="wide", height="3"), 422, "bad-mat")
    refused(send_photo(client, straight, "/api/cameras/tables/none/check"), 404, "unknown-profile")


def test_the_light_by_known_cards(client: FlaskClient) -> None:
    photo = photo_bytes("cat-route-legal-kitchen")
    result = made(send_photo(client, photo, "/api/cameras/lights", deck="cat-and-mouse"))
    assert result["off_after"] < result["off_before"]
    assert client.get("/api/cameras/profiles").get_json()["profiles"][0]["kind"] == "colour"


def test_a_lens_without_the_board(client: FlaskClient) -> None:
    cards = rows_of(tuple(FACES[k % len(FACES)] for k in range(16)))
    result = made(send_photo(client, cards, "/api/cameras/cards", shape="1:1", camera="Maker One"))
    assert result["cards"] >= 14
    assert result["after"].startswith("data:image/jpeg")
    profiles = client.get("/api/cameras/profiles").get_json()["profiles"]
    assert [(each["name"], each["model"]) for each in profiles] == [("maker-one", "Maker One")]
    few = photo_bytes("cat-wrong-side-tablecloth")
    refused(send_photo(client, few, "/api/cameras/cards"), 422, "too-few-for-lens")
    refused(send_photo(client, cards, "/api/cameras/cards", shape="flat"), 422, "bad-card")


def test_the_board_and_the_marks_of_a_mat_are_printed_in_true_size(client: FlaskClient) -> None:
    data = client.get("/api/cameras/board.pdf").get_data()
    assert data.count(b"/Type /Page") - data.count(b"/Type /Pages") == 2
    assert data.startswith(b"%PDF")
    assert b"595.2" in data or b"595.3" in data  # A4 in points


def exif_photo(picture: Pixels, maker: str, model: str) -> bytes:
    exif = Image.Exif()
    exif[271], exif[272] = maker, model
    out = io.BytesIO()
    Image.fromarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)).save(out, "JPEG", quality=95, exif=exif)
    return out.getvalue()


def test_photographs_of_a_measured_camera_are_kept_straight(client: FlaskClient, settings: Settings) -> None:
    size = (800, 600)
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in MATRIX)
    lens = CameraProfile("Maker One", size, rows, (-0.3, 0.1, 0.0, 0.0, 0.0), 0.1)
    save(lens, settings.data / "profiles" / "one.json")
    lines = np.full((600, 800, 3), 255, np.uint8)
    lines[::60] = lines[:, ::60] = 0
    kept = {}
    for name, (model, camera) in {"own": ("One", ""), "told": ("", "Maker One"), "other": ("Two", "")}.items():
        photo = made(send_photo(client, exif_photo(lines, "Maker" if model else "", model), camera=camera))
        data = client.get(photo["url"]).get_data()
        assert b"Maker" not in data
        kept[name] = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    straight = straightened_whole(lines, lens)[0].astype(int)
    assert np.abs(kept["own"].astype(int) - straight).mean() < 6
    assert np.abs(kept["told"].astype(int) - straight).mean() < 6
    assert np.abs(kept["other"].astype(int) - lines).mean() < 6
    assert np.abs(straight - lines).mean() > 12
