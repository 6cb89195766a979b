"""Decks from photographs through the API: read, put right, finished, played with."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.decks import load_deck
from tests.web.calibration.conftest import FACES, settled
from tests.web.conftest import made, photo_bytes, refused, send_photo
from web.calibration.drafts import LOST_AFTER
from web.calibration.publishing import free_key, plain_key
from web.decks import DeckShelf
from web.settings import Settings

BUILT_IN = Path(__file__).resolve().parents[3] / "samples" / "decks" / "cat-and-mouse"


@pytest.fixture
def draft_of_deck(client: FlaskClient, settings: Settings) -> Callable[[], dict[str, Any]]:
    """A draft of a copy of the built-in deck: nothing has to be read."""
    shutil.copytree(BUILT_IN, settings.data / "decks" / "ours")

    def make() -> dict[str, Any]:
        return made(client.post("/api/drafts", json={"deck": "ours"}))

    return make


def test_from_photographs_to_a_deck_that_can_be_played(
    client: FlaskClient, read_draft: Callable[[], dict[str, Any]], settings: Settings
) -> None:
    view = read_draft()
    assert view["stage"] == "ready", view["error"]
    assert len(view["photos"][0]["cards"]) == len(FACES)
    assert {face["id"]: face["count"] for face in view["faces"]} == {name: FACES.count(name) for name in FACES}
    assert client.get(view["faces"][0]["picture"]).mimetype == "image/png"
    assert client.get(view["faces"][0]["copies"][0]).status_code == 200
    url = f"/api/drafts/{view['id']}"
    view = made(client.patch(f"{url}/faces/left-2", json={"points": 3}), 200)
    assert made(client.patch(url, json={"name": "Наші картки"}), 200)["name"] == "Наші картки"
    key = made(client.post(f"{url}/deck"))["deck"]
    assert key == "nashi-kartky"
    deck = load_deck(settings.data / "decks" / key)
    assert "left-3" in deck
    assert deck.name == "Наші картки"
    assert key in [known["key"] for known in client.get("/api/decks").get_json()["decks"]]
    assert client.post("/api/tables", json={"deck": key}).status_code == 201
    # One card more, photographed later: the corrections stay, the finished deck is replaced.
    again = made(client.post("/api/drafts", json={"deck": key}))
    assert made(client.post(f"/api/drafts/{again['id']}/deck"))["deck"] == key


def test_every_change_of_a_face(client: FlaskClient, draft_of_deck: Callable[[], dict[str, Any]]) -> None:
    view = draft_of_deck()
    url = f"/api/drafts/{view['id']}"
    number = len(view["faces"])
    view = made(client.delete(f"{url}/faces/up-3"), 200)
    assert len(view["faces"]) == number - 1
    view = made(client.post(f"{url}/merge", json={"faces": ["up-1", "up-2"]}), 200)
    assert {face["id"] for face in view["faces"]}.isdisjoint({"up-2", "up-3"})
    assert [part for part in view["composition"] if part["kind"] == "start"] == [
        {"kind": "start", "have": 4, "usual": 4}
    ]
    assert made(client.post(f"{url}/confirm"), 200)["stage"] == "ready"
    refused(client.post(f"{url}/merge", json={"faces": ["up-1", "up-1"]}), 422, "merge-what")
    refused(client.post(f"{url}/faces/up-1/split", json={"cards": [1]}), 422, "split-what")
    refused(client.patch(f"{url}/faces/nobody", json={}), 422, "unknown-face")
    reason = refused(client.patch(f"{url}/faces/up-1", json={"arrows": ["up", "down", "left"]}), 422, "bad-face")
    assert "one or two" in reason
    assert "/" not in reason


def test_a_deck_that_tables_know_is_not_robbed_of_faces(
    client: FlaskClient, draft_of_deck: Callable[[], dict[str, Any]]
) -> None:
    view = draft_of_deck()
    made(client.post("/api/tables", json={"deck": "ours"}))
    made(client.delete(f"/api/drafts/{view['id']}/faces/up-3"), 200)
    key = made(client.post(f"/api/drafts/{view['id']}/deck"))["deck"]
    assert key != "ours"
    assert "up-3" in [face["id"] for face in client.get("/api/decks/ours").get_json()["faces"]]
    refused(client.delete("/api/decks/ours"), 409, "deck-in-use")
    assert client.delete(f"/api/decks/{key}").status_code == 204


def test_built_in_decks_stay(client: FlaskClient) -> None:
    refused(client.post("/api/drafts", json={"deck": "cat-and-mouse"}), 422, "deck-built-in")
    refused(client.delete("/api/decks/cat-and-mouse"), 422, "deck-built-in")
    refused(client.post("/api/drafts", json={}), 422, "no-game")


@pytest.mark.parametrize("language", ["uk", "ru", "en"])
def test_no_cards_is_a_sentence_in_the_reader_s_language(client: FlaskClient, language: str) -> None:
    draft = made(client.post("/api/drafts", json={"game": "cat-and-mouse"}))
    empty = cv2.imencode(".jpg", np.full((600, 800, 3), (80, 120, 160), np.uint8))[1].tobytes()
    photo = made(send_photo(client, empty))
    url = f"/api/drafts/{draft['id']}"
    made(client.post(f"{url}/photos?lang={language}", json={"photos": [photo["id"]]}), 202)
    view = settled(client, draft["id"])
    assert view["stage"] == "failed"
    word = {"uk": "Покладіть", "ru": "Положите", "en": "Lay them"}[language]
    assert word in view["error"]["message"]
    assert view["faces"] == []
    refused(client.post(f"{url}/deck"), 409, "draft-empty")
    refused(client.post(f"{url}/confirm"), 409, "draft-empty")


def test_a_reading_can_be_stopped_and_a_draft_thrown_away(client: FlaskClient, rows: bytes) -> None:
    draft = made(client.post("/api/drafts", json={"game": "cat-and-mouse"}))
    url = f"/api/drafts/{draft['id']}"
    photo = made(send_photo(client, rows))
    made(client.post(f"{url}/photos", json={"photos": [photo["id"]]}), 202)
    refused(client.post(f"{url}/photos", json={"photos": [photo["id"]]}), 409, "draft-at-work")
    refused(client.post(f"{url}/confirm"), 409, "draft-at-work")
    assert made(client.delete(f"{url}/photos"), 200)["stage"] == "empty"
    assert client.delete(url).status_code == 204
    refused(client.get(url), 404, "unknown-draft")
    refused(client.get(f"{url}/events"), 404, "unknown-draft")


def test_work_whose_process_has_gone_is_told(client: FlaskClient, app: Flask) -> None:
    draft = made(client.post("/api/drafts", json={"game": "cat-and-mouse"}))
    drafts = app.extensions["referee_drafts"]
    with drafts.changing(draft["id"]) as state:
        state["stage"] = "sort"
    view = client.get(f"/api/drafts/{draft['id']}").get_json()
    assert (view["stage"], view["error"]["code"]) == ("failed", "reading-lost")
    assert view["error"]["message"]
    assert LOST_AFTER > 5


def test_progress_is_told_as_it_changes(client: FlaskClient) -> None:
    draft = made(client.post("/api/drafts", json={"game": "cat-and-mouse"}))
    told = client.get(f"/api/drafts/{draft['id']}/events").get_data(as_text=True)
    assert "event: changed" in told
    assert '"stage": "empty"' in told


def test_a_deck_goes_out_and_comes_in_as_a_file(
    client: FlaskClient, draft_of_deck: Callable[[], dict[str, Any]], settings: Settings
) -> None:
    draft_of_deck()
    data = client.get("/api/decks/ours/archive").get_data()
    assert "deck.json" in zipfile.ZipFile(io.BytesIO(data)).namelist()
    key = made(send_file(client, data))["deck"]
    assert key != "ours"
    old, new = (load_deck(settings.data / "decks" / name) for name in ("ours", key))
    assert new.faces == old.faces
    assert new.name != old.name


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ({"../../evil.png": b"x"}, "zip-path"),
        ({"deck.json": b"{}", "run.sh": b"x"}, "zip-path"),
        ({"deck.json": b"{"}, "zip-deck"),
        ({"deck.json": b'{"game": "cat-and-mouse"}'}, "zip-deck"),
        ({f"{k}.png": b"" for k in range(700)}, "zip-too-many"),
        (None, "zip-broken"),
    ],
)
def test_a_file_that_is_no_deck_leaves_nothing(
    client: FlaskClient, settings: Settings, names: dict[str, bytes] | None, code: str
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in (names or {}).items():
            archive.writestr(name, data)
    refused(send_file(client, b"no zip" if names is None else out.getvalue()), 422, code)
    decks = settings.data / "decks"
    assert not decks.exists() or list(decks.iterdir()) == []


def send_file(client: FlaskClient, data: bytes) -> Any:
    line = "a-line-that-no-file-holds"
    head = f'--{line}\r\nContent-Disposition: form-data; name="deck"; filename="deck.zip"\r\n\r\n'.encode()
    body = head + data + f"\r\n--{line}--\r\n".encode()
    return client.post(
        "/api/decks",
        input_stream=io.BytesIO(body),
        content_type=f"multipart/form-data; boundary={line}",
        content_length=len(body),
    )


def test_practice_tells_how_sure_each_card_is(client: FlaskClient) -> None:
    answer = made(send_photo(client, photo_bytes("cat-route-legal-kitchen"), "/api/decks/cat-and-mouse/practice"), 200)
    assert answer["read"] == len(answer["cards"]) > 5
    assert answer["ready"]
    assert answer["sure"] == sum(card["sure"] for card in answer["cards"])


@pytest.mark.parametrize(
    ("name", "key"), [("Наші картки", "nashi-kartky"), ("Ёжик!", "ezhyk"), ("日本", ""), ("A  b/../c", "a-b-c")]
)
def test_keys_are_plain(name: str, key: str, tmp_path: Path) -> None:
    assert plain_key(name) == key
    assert free_key(name, DeckShelf(tmp_path)) == (key or "deck")


def test_pictures_stay_within_the_draft(client: FlaskClient, draft_of_deck: Callable[[], dict[str, Any]]) -> None:
    view = draft_of_deck()
    for path in ("faces/..%2F..%2Fdraft", "deck/deck", "faces/none"):
        assert client.get(f"/api/drafts/{view['id']}/pictures/{path}.png").status_code == 404
