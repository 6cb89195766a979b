"""A camera at the server's machine: watched in a thread, tried again when it is away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.decks import Game, builtin_deck
from referee.vision.decode import decode
from tests.web.film import Filmed, Scene, as_mjpeg
from tests.web.live.test_session import FIRST, jpeg
from tests.web.processes import service
from tests.web.test_serving import call
from web.live import capture
from web.live.capture import Camera, Capture
from web.live.session import see
from web.storage.database import Database
from web.storage.models import LiveTable, Table

DECK = builtin_deck("cat-and-mouse")


class FilmCamera(Camera):
    """Gives the frames it is told to; None: it has been unplugged."""

    script: list[list[bytes] | None]
    opened: int

    def open(self) -> tuple[Callable[[], bytes | None], Callable[[], None]] | None:
        frames = self.script.pop(0) if self.script else None
        object.__setattr__(self, "opened", self.opened + 1)
        if frames is None:
            return None
        rest = iter(frames)

        def grab() -> bytes | None:
            time.sleep(0.02)
            return next(rest, None)

        return grab, lambda: None


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 'file.sqlite3'}")
    made.upgrade()
    yield made
    made.close()


def test_a_camera_that_is_away_is_tried_again_and_its_table_is_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    warned: list[str] = []
    monkeypatch.setattr(capture._log, "warning", lambda text, *more: warned.append(text % more))
    monkeypatch.setattr(capture, "AGAIN_SECONDS", 0.05)
    frames = [jpeg(frame) for frame in Filmed(DECK).frames([Scene(0.1, FIRST)])]
    camera = object.__new__(FilmCamera)
    for name, value in (("source", 7), ("script", [None, None, frames[:1], frames * 9_000]), ("opened", 0)):
        object.__setattr__(camera, name, value)
    watching = Capture(camera, database, "cat-and-mouse", DECK, 30, "uk")
    watching.start()
    until = time.monotonic() + 90
    while time.monotonic() < until:
        with database.reading() as session:
            log = session.get(LiveTable, watching.live_id).log
        if log:
            break
        time.sleep(0.1)
    watching.end()
    assert not watching.is_alive()
    assert camera.opened >= 4
    assert [line["texts"][0] for line in log] == ["Усе лежить правильно."]
    assert all("gives no picture" in text for text in warned)
    assert 2 <= len(warned) < camera.opened  # once each time it goes, not once each time it is tried
    with database.reading() as session:
        assert session.get(Table, watching.table_id).photo_id == log[0]["photo"]


class HangingCamera(Camera):
    """A driver that hangs: the first time while it opens, then while it reads."""

    openings: list[threading.Event]
    frame: bytes
    released: list[int]

    def open(self) -> tuple[Callable[[], bytes | None], Callable[[], None]] | None:
        stuck = threading.Event()
        self.openings.append(stuck)
        number = len(self.openings)
        if number == 1:
            stuck.wait(30)
        rest = iter([self.frame] * 3)

        def grab() -> bytes | None:
            frame = next(rest, None)
            if frame is None and number == 2:
                stuck.wait(30)
            return frame

        return grab, lambda: self.released.append(number)


def test_a_driver_that_hangs_holds_nobody_up(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told to be away in time, never opened twice at a time, and used again as soon as it lets go."""
    for name in ("OPEN_SECONDS", "FRAME_SECONDS", "AGAIN_SECONDS"):
        monkeypatch.setattr(capture, name, 0.2)
    monkeypatch.setattr(capture._log, "warning", lambda *_: None)
    camera = object.__new__(HangingCamera)
    frame = jpeg(next(Filmed(DECK).frames([Scene(0.1, FIRST)])))
    for name, value in (("source", 7), ("openings", []), ("frame", frame), ("released", [])):
        object.__setattr__(camera, name, value)
    watching = Capture(camera, database, "cat-and-mouse", DECK, 30, "uk")

    def moment() -> str:
        with database.reading() as session:
            return str(session.get(LiveTable, watching.live_id).moment)

    def wait(until: Callable[[], bool]) -> None:
        end = time.monotonic() + 60
        while not until():
            assert time.monotonic() < end
            time.sleep(0.02)

    watching.start()
    wait(lambda: moment() == "lost")
    time.sleep(0.6)
    assert len(camera.openings) == 1
    camera.openings[0].set()
    wait(lambda: len(camera.openings) == 2 and moment() not in ("", "lost"))
    wait(lambda: moment() == "lost")
    camera.openings[1].set()
    wait(lambda: len(camera.openings) > 2)
    watching.end()
    assert not watching.is_alive()
    assert camera.released[:2] == [1, 2]


class SlowCamera(Camera):
    """Each frame takes its time inside the driver."""

    inside: threading.Event
    released: threading.Event

    def open(self) -> tuple[Callable[[], bytes | None], Callable[[], None]] | None:
        frame = jpeg(np.zeros((90, 160, 3), np.uint8))

        def grab() -> bytes | None:
            self.inside.set()
            time.sleep(0.7)
            return frame

        return grab, self.released.set


def test_at_the_end_no_thread_is_left_inside_the_driver(database: Database) -> None:
    """One that is would abort the process when the interpreter ends."""
    camera = object.__new__(SlowCamera)
    for name, value in (("source", 7), ("inside", threading.Event()), ("released", threading.Event())):
        object.__setattr__(camera, name, value)
    watching = Capture(camera, database, "cat-and-mouse", DECK, 30, "en")
    watching.start()
    assert camera.inside.wait(30)
    watching.end()
    assert camera.released.is_set()
    assert not watching.is_alive()


def test_a_frame_that_breaks_the_reader_is_not_the_last(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(capture, "AGAIN_SECONDS", 0.02)
    monkeypatch.setattr(capture._log, "error", lambda text, **_: told.append(text))
    monkeypatch.setattr(capture._log, "warning", lambda *_: None)
    frame = jpeg(next(Filmed(DECK).frames([Scene(0.1, FIRST)])))
    camera = object.__new__(FilmCamera)
    for name, value in (("source", 7), ("script", [[frame] * 20_000]), ("opened", 0)):
        object.__setattr__(camera, name, value)
    founded_on: list[Any] = []

    def broken_at_first(*arguments: Any) -> Any:
        founded_on.append(arguments[-1])
        if len(founded_on) == 2:
            raise RuntimeError("a fault of ours")
        return see(*arguments)

    monkeypatch.setattr(capture, "see", broken_at_first)
    watching = Capture(camera, database, "cat-and-mouse", DECK, 30, "en")
    watching.start()
    until = time.monotonic() + 60
    while len(founded_on) < 4 and time.monotonic() < until:
        time.sleep(0.02)
    watching.end()
    assert len(founded_on) >= 4
    assert len(told) == 1
    assert founded_on[1] is not None
    assert founded_on[2] is None
    assert founded_on[3] is not None


def test_a_wrong_number_gives_no_picture_and_no_exception(tmp_path: Path) -> None:
    assert Camera.of("7", Game.CAT_AND_MOUSE).source == 7
    assert Camera.of(str(tmp_path / "nothing.mjpeg"), Game.CAT_AND_MOUSE).open() is None


def test_frames_are_as_wide_as_a_game_needs(tmp_path: Path) -> None:
    small = cv2.resize(next(Filmed(DECK).frames([Scene(0.1, FIRST)])), (640, 360))
    film = as_mjpeg([np.asarray(small)] * 5, tmp_path / "film.mjpeg")
    for game, width in ((Game.CAT_AND_MOUSE, 640), (Game.IF_IT_FITS, 1920)):
        opened = Camera.of(str(film), game).open()
        assert opened is not None
        grab, release = opened
        frame = grab()
        assert frame is not None
        assert decode(frame, "frame").pixels.shape == (width * 9 // 16, width, 3)
        release()


def test_the_service_runs_though_its_camera_is_away(tmp_path: Path) -> None:
    with service(tmp_path, ["--camera", str(tmp_path / "nothing.mjpeg")]) as (url, process):
        assert call(f"{url}/healthz")["status"] == "ok"
        process.terminate()
        told = process.stdout.read() if process.stdout else ""
    assert "/projector/tables/" in told
