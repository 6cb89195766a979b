"""The referee for programs: the same JSON as the command line, and every way in which an input can be unfit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.cli import main as referee_command
from tests.web.conftest import PHOTOS, SURE_PHOTO, photo_bytes, read_once, refused, send_photo, truth

GAMES = {"cat-after-finish-cloth": "cat-and-mouse", "paths-mismatch-marble": "coloured-paths"}


def without_times(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in ("seconds", "photo")}


@pytest.mark.parametrize("name", GAMES)
def test_check_answers_as_the_command_does(
    client: FlaskClient, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(
        "referee.commands.check.check_file",
        lambda path, deck, options, *_, **__: read_once(Path(path).read_bytes(), "photo", deck, options),
    )
    response = send_photo(client, photo_bytes(name), "/api/check?lang=en", game=GAMES[name])
    assert response.status_code == 200
    answer = response.get_json()
    referee_command(["check", str(PHOTOS / f"{name}.jpg"), "--json", "--game", GAMES[name]])
    assert without_times(answer) == without_times(json.loads(capsys.readouterr().out))
    assert answer["photo"] == "photo"


def test_the_client_s_file_name_is_never_used(client: FlaskClient) -> None:
    response = send_photo(client, photo_bytes(SURE_PHOTO), "/api/check")
    assert "image.jpg" not in response.get_data(as_text=True)


@pytest.mark.parametrize("name", ["cat-wrong-side-tablecloth", "paths-shoved-shaken", "boxes-cat-across-wall-window"])
def test_judge_answers_as_the_command_does(
    client: FlaskClient, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    known = truth(name)
    layout = {**known["layout"], "name": "kitchen"}
    file = tmp_path / "kitchen.json"
    file.write_text(json.dumps(layout), encoding="utf-8")
    referee_command(["judge", str(file), "--json"])
    answer = client.post("/api/judge?lang=en", json=layout).get_json()
    assert answer == json.loads(capsys.readouterr().out)
    assert answer["outcome"] == known["outcome"]


def test_texts_come_in_the_language_asked_for(client: FlaskClient) -> None:
    layout = {"game": "cat-and-mouse", "cards": []}
    by_query = client.post("/api/judge?lang=uk", json=layout).get_json()["texts"]
    by_header = client.post("/api/judge", json=layout, headers={"Accept-Language": "uk-UA,en;q=0.5"}).get_json()
    assert by_query == by_header["texts"]
    assert by_query != client.post("/api/judge?lang=en", json=layout).get_json()["texts"]


def test_house_rules_are_given_by_the_names_of_the_command(client: FlaskClient) -> None:
    cards = [
        {"id": "s", "face": "start", "x": 0, "y": 0, "turn": 0},
        {"id": "f", "face": "finish", "x": 64, "y": 0, "turn": 0},
    ]
    usual = client.post("/api/judge", json={"game": "cat-and-mouse", "cards": cards}).get_json()
    strict = {"game": "cat-and-mouse", "cards": cards, "options": {"first_finish": "back"}}
    assert usual["outcome"] == "valid"
    assert client.post("/api/judge", json=strict).get_json()["outcome"] == "invalid"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"game": "chess", "cards": []}, 422, "layout-malformed"),
        ({"game": "cat-and-mouse"}, 422, "layout-malformed"),
        ({"game": "cat-and-mouse", "cards": [{"id": "a", "face": "joker", "x": 0, "y": 0}]}, 422, "unknown-face"),
        ({"game": "cat-and-mouse", "cards": [], "deck": "grandmother's"}, 422, "unknown-deck"),
        ({"game": "cat-and-mouse", "cards": [], "deck": "if-it-fits"}, 422, "wrong-game"),
        ({"game": "cat-and-mouse", "cards": [], "options": {"luck": "yes"}}, 422, "unknown-option"),
        ({"game": "cat-and-mouse", "cards": [], "options": {"upright": "perhaps"}}, 422, "bad-option"),
        ({"game": "cat-and-mouse", "cards": [], "options": 7}, 422, "bad-field"),
        ([], 422, "layout-malformed"),
    ],
)
def test_layouts_that_cannot_be_judged(client: FlaskClient, body: Any, status: int, code: str) -> None:
    refused(client.post("/api/judge", json=body), status, code)


def test_what_is_no_json_is_told_apart(client: FlaskClient) -> None:
    refused(client.post("/api/judge", data="{", content_type="application/json"), 400, "broken-json")
    refused(client.post("/api/judge", data="NaN", content_type="application/json"), 400, "broken-json")
    refused(client.post("/api/judge", data=b"\xff", content_type="application/json"), 400, "broken-json")
    refused(client.post("/api/judge", data="game=x"), 415, "not-json")


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 422, "photo-empty"),
        (b"%PDF-1.7", 415, "photo-format"),
        (photo_bytes(SURE_PHOTO)[:20_000], 422, "photo-broken"),
    ],
)
@pytest.mark.parametrize("url", ["/api/check", "/api/photos"])
def test_photographs_that_cannot_be_used(client: FlaskClient, url: str, data: bytes, status: int, code: str) -> None:
    english = refused(send_photo(client, data, f"{url}?lang=en"), status, code)
    assert refused(send_photo(client, data, f"{url}?lang=uk"), status, code) != english


@pytest.mark.parametrize("url", ["/api/check", "/api/photos"])
def test_uploads_over_forty_megabytes_are_refused_in_words(client: FlaskClient, url: str) -> None:
    message = refused(send_photo(client, b"\xff\xd8" + bytes(40_200_000), url), 413, "request-entity-too-large")
    assert "40" in message


@pytest.mark.parametrize("url", ["/api/check", "/api/photos"])
def test_forms_without_a_photograph(client: FlaskClient, url: str) -> None:
    refused(client.post(url, data={"game": "cat-and-mouse"}, content_type="multipart/form-data"), 422, "photo-missing")
    refused(client.post(url, json={}), 415, "not-multipart")


def test_games_and_decks_that_are_none(client: FlaskClient) -> None:
    data = photo_bytes(SURE_PHOTO)
    refused(send_photo(client, data, "/api/check", game="chess"), 422, "unknown-game")
    refused(send_photo(client, data, "/api/check", deck="grandmother's"), 422, "unknown-deck")
    refused(send_photo(client, data, "/api/check", game="if-it-fits", deck="cat-and-mouse"), 422, "wrong-game")


def test_other_sites_cannot_change_anything(client: FlaskClient) -> None:
    layout = {"game": "cat-and-mouse", "cards": []}
    refused(client.post("/api/judge", json=layout, headers={"Sec-Fetch-Site": "cross-site"}), 403, "other-site")
    refused(client.post("/api/judge", json=layout, headers={"Origin": "https://evil.example"}), 403, "other-site")
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/judge", json=layout, headers=own).status_code == 200


def test_what_is_not_there_and_what_cannot_be_done(client: FlaskClient) -> None:
    refused(client.get("/api/nothing"), 404, "not-found")
    response = client.get("/api/check")
    refused(response, 405, "method-not-allowed")
    assert "POST" in response.headers["Allow"]


def test_the_service_says_that_it_is_well(client: FlaskClient) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.get_json()["status"] == "ok"
