"""Photographs of a few cards laid out in rows, and a draft in which they were read."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.board import board_picture
from referee.decks import Game, builtin_deck
from referee.layouts import Layout, PlacedCard
from samples.table.render import render
from tests.calibration.rows import scene_of
from tests.calibration.test_camera import board_seen
from tests.web.conftest import made, send_photo

FACES = ("up-1", "left-2", "start", "right-3", "up-1", "down-2", "finish", "up+left-2")
PATIENCE = 120.0


def rows_of(faces: tuple[str, ...], seed: int = 3) -> bytes:
    """A photograph of cards in rows of four."""
    cards = [PlacedCard(id=f"e{k}", face=face, x=76.0 * (k % 4), y=76.0 * (k // 4)) for k, face in enumerate(faces)]
    layout = Layout(name="deck", game=Game.CAT_AND_MOUSE, cards=tuple(cards))
    return render(layout, builtin_deck("cat-and-mouse"), scene_of("easy", seed, "tune"), seed).jpeg


@pytest.fixture(scope="session")
def rows() -> bytes:
    return rows_of(FACES)


def settled(client: FlaskClient, draft: str) -> dict[str, Any]:
    """The draft when nothing is being read any more."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        view = dict(client.get(f"/api/drafts/{draft}").get_json())
        if not view["at_work"]:
            return view
        time.sleep(0.1)
    raise AssertionError("the reading does not end")


@pytest.fixture
def read_draft(client: FlaskClient, rows: bytes) -> Callable[[], dict[str, Any]]:
    """Make a draft and read the cards of the photograph."""

    def make() -> dict[str, Any]:
        draft = made(client.post("/api/drafts", json={"game": "cat-and-mouse"}))
        photo = made(send_photo(client, rows))
        made(client.post(f"/api/drafts/{draft['id']}/photos", json={"photos": [photo["id"]]}), 202)
        return settled(client, draft["id"])

    return make


def board_frames() -> list[bytes]:
    """The board in many places of the picture of a known camera."""
    sheet = np.asarray(cv2.copyMakeBorder(board_picture(3.0), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255), np.uint8)
    places = [(-160, -110), (160, -110), (160, 110), (-160, 110), (0, 0), (-150, 0), (150, 0), (0, -120)]
    found = []
    for number, (x, y) in enumerate(places):
        turn = (0.35 * np.sin(number), 0.35 * np.cos(2 * number), 0.1 * number)
        picture = board_seen(sheet, 3.0, turn, (float(x), float(y), 560.0))
        found.append(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())
    return found
