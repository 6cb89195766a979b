"""The table under a fixed camera through the service: a photograph, and a live table, know its edges."""

from __future__ import annotations

import cv2
import numpy as np
from flask.testing import FlaskClient
from numpy.typing import NDArray

from calibration.table import fit_table
from referee.decks import Game
from referee.vision.profile import save
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
