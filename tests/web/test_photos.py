"""Photographs are kept upright, without metadata, for a time, and are really gone when they are forgotten."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from referee.vision.decode import decode
from tests.web.conftest import SURE_PHOTO, made, photo_bytes, refused, send_photo
from web.photos import KEPT_SIDE, Sweeper, prepared, without_metadata
from web.storage.models import Photo, now

ORIENTATION, GPS, MAKE = 0x0112, 0x8825, 0x010F


def a_photo(orientation: int = 1, size: tuple[int, int] = (320, 200), form: str = "JPEG") -> bytes:
    """A picture with a red upper left corner as the sensor sees it, and a place in its metadata."""
    pixels = np.full((size[1], size[0], 3), 90, np.uint8)
    pixels[:60, :100] = (230, 20, 20)
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    exif[MAKE] = "Phone of Olena"
    exif.get_ifd(GPS).update({1: "N", 2: (50.0, 27.0, 1.0), 3: "E", 4: (30.0, 31.0, 25.0)})
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, form, exif=exif, quality=95)
    return out.getvalue()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_place_is_dropped_and_the_picture_stands_upright(orientation: int) -> None:
    data = a_photo(orientation)
    assert b"Olena" in data
    kept = prepared(data)
    assert b"Olena" not in kept.data
    with Image.open(io.BytesIO(kept.data)) as image:
        assert not dict(image.getexif())
        assert image.size == (kept.width, kept.height)
    difference = decode(kept.data, "kept").pixels.astype(int) - decode(data, "sent").pixels
    assert np.abs(difference).mean() < 2.0


def test_an_upright_jpeg_keeps_its_pixels_to_the_bit() -> None:
    data = a_photo()
    assert np.array_equal(decode(prepared(data).data, "kept").pixels, decode(data, "sent").pixels)


def test_what_follows_the_end_of_a_jpeg_is_dropped() -> None:
    data = a_photo()
    assert without_metadata(data + b"motion photo of the kitchen" * 1000) == without_metadata(data)


@pytest.mark.parametrize("form", ["PNG", "WEBP", "TIFF"])
def test_other_pictures_become_jpegs_without_metadata(form: str) -> None:
    kept = prepared(a_photo(6, form=form))
    assert kept.data.startswith(b"\xff\xd8")
    assert b"Olena" not in kept.data
    assert (kept.width, kept.height) == (200, 320)


def test_huge_photographs_are_kept_smaller() -> None:
    data = cv2.imencode(".jpg", np.zeros((300, 2 * KEPT_SIDE, 3), np.uint8))[1].tobytes()
    kept = prepared(data)
    assert (kept.width, kept.height) == (KEPT_SIDE, 150)


def test_kept_shown_and_forgotten(client: FlaskClient, photo_table: Callable[..., dict[str, Any]]) -> None:
    table = photo_table()
    url = table["photo"]["url"]
    shown = client.get(url)
    assert shown.mimetype == "image/jpeg"
    assert "no-cache" in shown.headers["Cache-Control"]
    assert client.delete(url).status_code == 204
    refused(client.get(url), 404, "unknown-photo")
    refused(client.delete(url), 404, "unknown-photo")
    left = client.get(f"/api/tables/{table['id']}").get_json()
    assert left["photo"] is None
    assert left["answer"] == table["answer"]
    body = {"revision": left["revision"]}
    refused(client.post(f"/api/tables/{table['id']}/reading", json=body), 404, "unknown-photo")


def test_forgotten_bytes_are_gone_from_the_file(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    """SQLite would leave them in free pages if it were not told otherwise."""
    data = photo_bytes(SURE_PHOTO)
    mark = prepared(data).data[5000:5064]
    photo = made(send_photo(client, data))
    client.delete(photo["url"])
    app.extensions["referee_database"].close()
    assert all(mark not in path.read_bytes() for path in (tmp_path / "data").glob("referee.sqlite3*"))


def test_photographs_go_when_their_time_has_come(app: Flask, client: FlaskClient) -> None:
    old = made(send_photo(client, a_photo()))
    young = made(send_photo(client, a_photo()))
    database = app.extensions["referee_database"]
    with database.writing() as session:
        session.get(Photo, old["id"]).created_at = now() - timedelta(days=31)
    sweeper = Sweeper(database, 30)
    sweeper.start()
    sweeper.end()
    refused(client.get(old["url"]), 404, "unknown-photo")
    assert client.get(young["url"]).status_code == 200
