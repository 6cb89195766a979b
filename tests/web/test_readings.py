"""Photographs being read: followed and cancelled from anywhere, lost with their process, told at once."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import web.readings.tasks
from referee.pipeline import CheckedPhoto
from tests.web.conftest import SURE_PHOTO, kept_read_once, made, photo_bytes, refused, send_photo
from web import create_app
from web.readings.runner import LOST_AFTER, ReadingCancelled
from web.settings import Settings
from web.storage.models import ReadingTask, now

PATIENCE = 60.0


def begun(client: FlaskClient, name: str = SURE_PHOTO, **more: Any) -> dict[str, Any]:
    photo = made(send_photo(client, photo_bytes(name)))
    return made(client.post("/api/readings", json={"photo": photo["id"], **more}), 202)


def ended(client: FlaskClient, reading: dict[str, Any]) -> dict[str, Any]:
    until = time.monotonic() + PATIENCE
    while not reading["done"] and time.monotonic() < until:
        time.sleep(0.05)
        reading = made(client.get(f"/api/readings/{reading['id']}"), 200)
    assert reading["done"]
    return reading


def test_a_reading_is_followed_to_its_table(client: FlaskClient) -> None:
    reading = begun(client, game="cat-and-mouse")
    assert reading["table"] is None
    done = ended(client, reading)
    assert done["stage"] == "done"
    table = made(client.get(f"/api/tables/{done['table']}"), 200)
    assert table["outcome"] == "valid"
    assert table["cards"]


def test_a_photograph_that_went_meanwhile_is_told_in_the_reader_s_language(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgotten(*_: Any) -> CheckedPhoto:
        client.delete(f"/api/photos/{photo['id']}")
        return kept_read_once(*_)

    monkeypatch.setattr(web.readings.tasks, "read_photo", forgotten)
    photo = made(send_photo(client, photo_bytes(SURE_PHOTO)))
    asked = {"photo": photo["id"], "game": "cat-and-mouse"}
    reading = made(client.post("/api/readings?lang=uk", json=asked), 202)
    until = time.monotonic() + PATIENCE
    url = f"/api/readings/{reading['id']}"
    while client.get(url).status_code == 200 and not client.get(url).get_json()["done"] and time.monotonic() < until:
        time.sleep(0.05)
    refused(client.get(url), 404, "unknown-reading")  # it went with its photograph


class Slow:
    """A reading that takes as long as it is let, in small steps as numpy and OpenCV do."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self.go_on = threading.Event()
        self.interrupted = threading.Event()

    def __call__(self, *_: Any) -> CheckedPhoto:
        self.started.set()
        try:
            while not self.go_on.is_set():
                time.sleep(0.01)
        except ReadingCancelled:
            self.interrupted.set()
            raise
        return kept_read_once(*_)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    reader = Slow()
    monkeypatch.setattr(web.readings.tasks, "read_photo", reader)
    yield reader
    reader.go_on.set()


def test_a_cancelled_reading_ends_where_it_is(client: FlaskClient, slow: Slow) -> None:
    reading = begun(client, game="cat-and-mouse")
    assert slow.started.wait(PATIENCE)
    assert client.delete(f"/api/readings/{reading['id']}").status_code == 204
    assert slow.interrupted.wait(PATIENCE)
    assert ended(client, reading)["stage"] == "cancelled"
    assert ended(client, reading)["table"] is None


def test_another_process_sees_and_cancels_it(client: FlaskClient, settings: Settings, slow: Slow) -> None:
    reading = begun(client, game="cat-and-mouse")
    assert slow.started.wait(PATIENCE)
    other = create_app(settings)
    there = other.test_client()
    assert not made(there.get(f"/api/readings/{reading['id']}"), 200)["done"]
    assert there.delete(f"/api/readings/{reading['id']}").status_code == 204
    assert slow.interrupted.wait(PATIENCE)
    other.extensions["referee_database"].close()


def test_those_who_wait_are_let_in_in_turn_and_too_many_are_sent_away(client: FlaskClient, slow: Slow) -> None:
    first = [begun(client, game="cat-and-mouse") for _ in range(5)]
    photo = made(send_photo(client, photo_bytes(SURE_PHOTO)))
    answer = client.post("/api/readings", json={"photo": photo["id"], "game": "cat-and-mouse"})
    refused(answer, 503, "busy")
    assert answer.headers["Retry-After"]
    client.delete(f"/api/readings/{first[-1]['id']}")
    slow.go_on.set()
    stages = [ended(client, reading)["stage"] for reading in first]
    assert stages == ["done"] * 4 + ["cancelled"]


def test_a_reading_whose_process_has_gone_is_told_as_lost(app: Flask, client: FlaskClient, slow: Slow) -> None:
    reading = begun(client, game="cat-and-mouse")
    client.delete(f"/api/readings/{reading['id']}")
    assert slow.interrupted.wait(PATIENCE)
    with app.extensions["referee_database"].writing() as session:
        record = session.get(ReadingTask, reading["id"])
        record.stage, record.updated_at = "find", now() - 2 * LOST_AFTER
    told = made(client.get(f"/api/readings/{reading['id']}"), 200)
    assert told["done"]
    assert told["error"]["code"] == "reading-lost"
    with app.extensions["referee_database"].writing() as session:
        session.get(ReadingTask, reading["id"]).created_at = now() - timedelta(days=2)
    slow.go_on.set()
    ended(client, begun(client, game="cat-and-mouse"))
    refused(client.get(f"/api/readings/{reading['id']}"), 404, "unknown-reading")


def test_a_match_shows_that_a_photograph_is_being_read(client: FlaskClient, slow: Slow) -> None:
    match = made(client.post("/api/matches", json={"game": "cat-and-mouse", "players": [{"name": n} for n in "AB"]}))
    url = f"/api/matches/{match['id']}"
    entry = made(client.post(f"{url}/entries", json={"kind": "round"}))["entries"][0]["id"]
    reading = begun(client, entry=entry)
    before = made(client.get(url), 200)
    assert before["entries"][0]["reading"] == reading["id"]
    slow.go_on.set()
    table = ended(client, reading)["table"]
    after = made(client.get(url), 200)
    assert after["entries"][0]["reading"] is None
    assert [t["id"] for t in after["entries"][0]["tables"]] == [table]
    assert after["revision"] > before["revision"]


def test_a_table_is_read_again(client: FlaskClient, photo_table: Callable[..., dict[str, Any]]) -> None:
    table = photo_table()
    asked = {"table": table["id"], "revision": table["revision"]}
    done = ended(client, made(client.post("/api/readings", json=asked), 202))
    assert done["table"] == table["id"]
    assert made(client.get(f"/api/tables/{table['id']}"), 200)["revision"] == table["revision"] + 1
    late = ended(client, made(client.post("/api/readings", json=asked), 202))
    assert late["error"]["code"] == "changed-meanwhile"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"game": "cat-and-mouse"}, 422, "photo-missing"),
        ({"photo": "none", "game": "cat-and-mouse"}, 404, "unknown-photo"),
        ({"photo": "none"}, 422, "no-game"),
        ({"photo": "none", "entry": "none"}, 404, "unknown-entry"),
        ({"table": "none"}, 404, "unknown-table"),
    ],
)
def test_readings_that_cannot_be(client: FlaskClient, body: Any, status: int, code: str) -> None:
    refused(client.post("/api/readings", json=body), status, code)


# -- being told at once


def events(chunks: Iterator[bytes], number: int) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    text = ""
    for chunk in chunks:
        text += chunk.decode()
        while "\n\n" in text:
            event, _, text = text.partition("\n\n")
            fields = dict(line.partition(": ")[::2] for line in event.splitlines())
            if "data" in fields:
                found.append((fields["event"], json.loads(fields["data"])))
        if len(found) >= number:
            break
    return found


def test_whoever_follows_a_match_is_told_of_every_change(client: FlaskClient, app: Flask) -> None:
    match = made(client.post("/api/matches", json={"game": "cat-and-mouse", "players": [{"name": n} for n in "AB"]}))
    url = f"/api/matches/{match['id']}"
    answer = app.test_client().get(f"{url}/events", headers={"Accept": "text/event-stream"}, buffered=False)
    assert answer.content_type.startswith("text/event-stream")
    chunks = iter(answer.response)
    assert events(chunks, 1) == [("changed", {"revision": 1})]
    client.patch(url, json={"note": "rain"})
    assert events(chunks, 1) == [("changed", {"revision": 2})]
    client.delete(url)
    assert events(chunks, 1) == [("gone", {})]
    answer.close()
    refused(client.get(f"{url}/events"), 404, "unknown-match")


def test_there_are_only_so_many_streams_and_each_gives_its_place_back(tmp_path: Any) -> None:
    app = create_app(Settings(data=tmp_path, streams=1))
    client = app.test_client()
    table = made(client.post("/api/tables", json={"game": "cat-and-mouse"}))
    url, headers = f"/api/tables/{table['id']}/events", {"Accept": "text/event-stream"}
    for _ in range(3):
        first = app.test_client().get(url, headers=headers, buffered=False)
        refused(app.test_client().get(url, headers=headers), 503, "busy")
        assert client.get(url).get_data(as_text=True).count("event: changed") == 1
        first.close()
    app.extensions["referee_database"].close()
