"""An application with a data folder of its own, photographs that are read only once a session, and helpers."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import web.api.checking
import web.readings.tasks
from referee.decks import Deck
from referee.options import Options
from referee.pipeline import CheckedPhoto, check_bytes
from referee.vision.orientation import UNKNOWN
from referee.vision.profile import Profile, UnfitLens
from referee.vision.read import Stopwatch
from web import create_app
from web.calibration.known import Known
from web.photos import NAME
from web.settings import Settings
from web.tables.reading import read_photo

ROOT = Path(__file__).resolve().parents[2]
PHOTOS = ROOT / "samples" / "photos"

_read: dict[tuple[str, str, str], CheckedPhoto] = {}


def read_once(
    data: bytes,
    name: str,
    deck: Deck,
    options: Options | None = None,
    profile: Profile | UnfitLens | None = None,
    held: int = UNKNOWN,
) -> CheckedPhoto:
    """`check_bytes`, but a photograph is really read only the first time."""
    key = (hashlib.sha256(data).hexdigest(), deck.name, f"{options} {profile} {held}")
    if key not in _read:
        _read[key] = check_bytes(data, name, deck, options, profile=profile, held=held)
    return _read[key]


def kept_read_once(
    data: bytes, deck: Deck, options: Options, watch: Stopwatch | None = None, known: Known | None = None
) -> CheckedPhoto:
    """`read_photo`, but a photograph is really read only the first time."""
    if known is not None:
        return read_photo(data, deck, options, watch, known)
    checked = read_once(data, NAME, deck, options)
    if watch is not None:
        watch.lap("judge")
    return checked


@pytest.fixture(autouse=True)
def reading_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web.readings.tasks, "read_photo", kept_read_once)
    monkeypatch.setattr(web.api.checking, "check_bytes", read_once)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data")


@pytest.fixture
def app(settings: Settings) -> Iterator[Flask]:
    made = create_app(settings)
    yield made
    made.extensions["referee_database"].close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def photo_bytes(name: str) -> bytes:
    return (PHOTOS / f"{name}.jpg").read_bytes()


def truth(name: str) -> dict[str, Any]:
    return dict(json.loads((PHOTOS / f"{name}.json").read_text("utf-8")))


BOUNDARY = "a-line-that-no-photo-holds"


def send_photo(client: FlaskClient, data: bytes, url: str = "/api/photos", **fields: str) -> TestResponse:
    """Send a form as a browser does. (The test client's own forms leave temporary files open.)"""
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="image.jpg"\r\n\r\n'.encode()
    body = b"".join([*parts, head, data, f"\r\n--{BOUNDARY}--\r\n".encode()])
    return client.post(
        url,
        input_stream=io.BytesIO(body),
        content_type=f"multipart/form-data; boundary={BOUNDARY}",
        content_length=len(body),
    )


def made(response: TestResponse, status: int = 201) -> dict[str, Any]:
    assert response.status_code == status, response.get_data(as_text=True)
    return dict(response.get_json())


def refused(response: TestResponse, status: int, code: str) -> str:
    """The sentence of an error of the API."""
    assert response.status_code == status, response.get_data(as_text=True)
    error = response.get_json()["error"]
    assert error["code"] == code
    assert len(error["message"]) > 10
    return str(error["message"])


SURE_PHOTO = "cat-route-legal-kitchen"
"""A sample whose reading is used where the photograph itself does not matter."""


@pytest.fixture
def photo_table(client: FlaskClient) -> Callable[..., dict[str, Any]]:
    """Make a table from a sample photograph."""

    def make(name: str = SURE_PHOTO, game: str = "cat-and-mouse", **more: Any) -> dict[str, Any]:
        photo = made(send_photo(client, photo_bytes(name)))
        return made(client.post("/api/tables", json={"game": game, "photo": photo["id"], **more}))

    return make
