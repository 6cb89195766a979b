"""The table under a fixed camera through the service: a photograph, and a live table, know its edges."""

from __future__ import annotations

import time
from typing import Any

import cv2
import numpy as np
from flask.testing import FlaskClient
from numpy.typing import NDArray

from calibration.table import fit_table
from referee.decks import Game
from referee.vision.profile_files import save
from tests.vision.test_fixed_table import DECK, MAT, ROW, seen, table
from tests.web.conftest import made, refused, send_photo
from web.settings import Settings


def jpeg(picture: NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def test_a_box_over_the_edge_is_told_by_the_service_and_live(client: FlaskClient, settings: Settings) -> None:
    save(fit_table(seen(table(())), None, MAT), settings.data / "profiles" / "desk.json")
    beyond = DECK.card_mm[0] / 2 - 12
    photo = jpeg(seen(table([(face, x - ROW[0][1] + beyond, y) for face, x, y in ROW])))
    game = Game.IF_IT_FITS.value
    answer = made(send_photo(client, photo, "/api/check", game=game, profile="desk"), 200)
    assert [fault["rule"] for fault in answer["verdict"]["faults"]] == ["box-off-table"]
    refused(send_photo(client, photo, "/api/check", game=game, profile="nobody"), 404, "unknown-profile")

    refused(client.post("/api/live", json={"game": game, "profile": "nobody"}), 404, "unknown-profile")
    live = made(client.post("/api/live", json={"game": game, "profile": "desk"}))
    for _ in range(12):
        view = made(send_photo(client, photo, f"/api/live/{live['id']}/frames"), 200)
        if view["log"]:
            break
    assert [line["outcome"] for line in view["log"]] == ["invalid"]
    shown = client.get(f"/api/tables/{live['table']}").get_json()
    assert shown["outcome"] == "invalid"


def over_the_edge(shift: float = 0.0) -> bytes:
    beyond = DECK.card_mm[0] / 2 - 12
    return jpeg(seen(table([(face, x - ROW[0][1] + beyond, y) for face, x, y in ROW]), shift))


def outcome_of(client: FlaskClient, data: bytes, **fields: str) -> dict[str, Any]:
    """The table that the check page shows for a photograph."""
    photo = made(send_photo(client, data, **fields))
    return made(client.post("/api/tables", json={"game": Game.IF_IT_FITS.value, "photo": photo["id"]}))


def test_a_kept_photograph_knows_the_table_it_shows(client: FlaskClient, settings: Settings) -> None:
    """Also when it is read again, and when the camera has been measured anew since, or was forgotten."""
    save(fit_table(seen(table(())), None, MAT), settings.data / "profiles" / "desk.json")
    refused(send_photo(client, over_the_edge(), profile="nobody"), 404, "unknown-profile")
    assert outcome_of(client, over_the_edge())["outcome"] == "valid"
    shown = outcome_of(client, over_the_edge(), profile="desk")
    assert shown["outcome"] == "invalid"
    assert any("edge" in sentence["text"] for sentence in shown["sentences"])
    (settings.data / "profiles" / "desk.json").unlink()
    reading = made(client.post("/api/readings", json={"table": shown["id"]}), 202)
    while not reading["done"]:
        time.sleep(0.1)
        reading = client.get(f"/api/readings/{reading['id']}").get_json()
    assert client.get(f"/api/tables/{reading['table']}").get_json()["outcome"] == "invalid"


def test_that_the_camera_was_moved_is_told_on_the_table(client: FlaskClient, settings: Settings) -> None:
    save(fit_table(seen(table(())), None, MAT), settings.data / "profiles" / "desk.json")
    shown = outcome_of(client, over_the_edge(15), profile="desk")
    assert any("The camera was moved" in sentence["text"] for sentence in shown["sentences"])


def test_pictures_that_the_table_does_not_suit_are_refused(client: FlaskClient, settings: Settings) -> None:
    save(fit_table(seen(table(())), None, MAT), settings.data / "profiles" / "desk.json")
    picture = seen(table(()))
    turned, square = np.ascontiguousarray(np.rot90(picture)), picture[:1000, :1000]
    assert "turned otherwise" in refused(send_photo(client, jpeg(turned), profile="desk"), 422, "profile-turned")
    refused(send_photo(client, jpeg(square), profile="desk"), 422, "profile-other-shape")
    refused(send_photo(client, jpeg(square), profile="desk", orientation="9"), 422, "bad-field")


def test_a_broken_profile_is_told_and_can_be_forgotten(client: FlaskClient, settings: Settings) -> None:
    folder = settings.data / "profiles"
    folder.mkdir(parents=True)
    (folder / "desk.json").write_text('{"kind": "table", "size": [1, 2], "marks": []}', encoding="utf-8")
    assert client.get("/api/cameras/profiles").get_json()["profiles"] == [
        {"name": "desk", "kind": "broken", "title": "desk"}
    ]
    refused(send_photo(client, over_the_edge(), profile="desk"), 422, "profile-malformed")
    assert client.delete("/api/cameras/profiles/desk").status_code == 204
    assert not list(folder.iterdir())
