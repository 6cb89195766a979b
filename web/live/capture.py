"""A camera at the server's machine: one thread reads its frames, whoever wants to see it follows its table.

Drivers may hang: opening a camera can take a minute, reading from one that was unplugged may never return. So each
opening has a thread of its own, which also reads the frames, and whoever waits for either waits only so long. A camera
that does not open, is unplugged, or stops giving pictures is tried again and again; a wrong number is told, and the
service goes on without it.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
from sqlalchemy.exc import SQLAlchemyError

from referee.decks import Deck, Game
from referee.errors import InputError
from referee.messages import Messages
from referee.options import Options
from referee.pipeline import CheckedPhoto
from referee.vision.decode import decode
from referee.vision.profile import Profile
from referee.vision.profile_files import to_data
from web.calibration.applied import right_picture
from web.live.session import LiveState, keep, see, state_of
from web.live.steady import Moment
from web.photos import NAME
from web.storage.database import Database
from web.storage.models import LiveTable
from web.tables.service import make_table

WIDTH = 1280
WIDTHS = {Game.IF_IT_FITS: 1920}
"""Pixels across of the frames. Boxes show little: in small frames they are not found, so those are enlarged."""
OPEN_SECONDS = 12.0
"""A camera that has not given a picture by then is given up and tried again."""
FRAME_SECONDS = 5.0
"""A camera that was open and has given no further picture by then has gone."""
AGAIN_SECONDS = 2.0
BLIND = 6.0
"""Mean grey level below which a first picture is that of a covered or asleep camera."""
_log = logging.getLogger(__name__)

Measured = Callable[[str, tuple[int, int]], Profile | None]
"""What was measured of a camera of this name and frames of this size (width, height)."""
Grab = Callable[[], bytes | None]
"""Gives the next frame as a JPEG; None when the camera has gone."""


@dataclass(frozen=True, slots=True)
class Camera:
    """source: the number of a camera, or a file or address that OpenCV opens. width: of the frames it gives, px."""

    source: int | str
    width: int = WIDTH

    @classmethod
    def of(cls, text: str, game: Game) -> Camera:
        """From the command line, for a game."""
        return cls(int(text) if text.isdecimal() else text, WIDTHS.get(game, WIDTH))

    @property
    def name(self) -> str:
        """What the system calls it, as browsers do; "" where it does not say."""
        with contextlib.suppress(OSError):
            return Path(f"/sys/class/video4linux/video{self.source}/name").read_text(encoding="utf-8").strip()
        return ""

    def open(self) -> tuple[Grab, Callable[[], None]] | None:
        """How to get frames and how to close it again; None if it gives no picture. May take long, or never return."""
        silent = cv2.utils.logging.LOG_LEVEL_SILENT  # that a camera does not open is told once, by us
        cv2.utils.logging.setLogLevel(silent)
        device = cv2.VideoCapture(self.source)
        device.set(cv2.CAP_PROP_FRAME_WIDTH, self.width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, self.width * 9 // 16)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        until = time.monotonic() + OPEN_SECONDS
        while time.monotonic() < until and device.isOpened():
            there, frame = device.read()
            if there and frame is not None and float(frame.mean()) > BLIND:
                _log.info("camera %s: %s, %d x %d", self.source, device.getBackendName(), *frame.shape[1::-1])
                return _grabbing(device, self.width), device.release
        device.release()
        return None


def _grabbing(device: cv2.VideoCapture, width: int) -> Grab:
    def grab() -> bytes | None:
        there, frame = device.read()
        if not there or frame is None:
            return None
        if width > WIDTH and frame.shape[1] < width:
            height = round(width * frame.shape[0] / frame.shape[1])
            frame = cv2.resize(frame, (width, height), interpolation=cv2.INTER_CUBIC)
        return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()

    return grab


class Watched(threading.Thread):
    """One opening of a camera. Its thread opens, reads and releases; only the newest frame is kept for the reader."""

    def __init__(self, camera: Camera) -> None:
        super().__init__(name="camera-frames", daemon=True)
        self._camera = camera
        self._frames: queue.Queue[bytes | None] = queue.Queue(maxsize=1)
        self._ended = threading.Event()
        self.opened = False

    def run(self) -> None:
        """Until the camera gives no more or nobody wants any."""
        opened = self._camera.open()
        if opened is None:
            self._put(None)
            return
        grab, release = opened
        self.opened = True
        try:
            while not self._ended.is_set():
                frame = grab()
                self._put(frame)
                if frame is None:
                    return
        finally:
            release()

    def next(self) -> bytes | None:
        """The newest frame; None if the camera has gone, or none came for too long."""
        try:
            return self._frames.get(timeout=FRAME_SECONDS if self.opened else OPEN_SECONDS)
        except queue.Empty:
            return None

    def end(self) -> None:
        """Let go of the camera, as soon as the driver lets it."""
        self._ended.set()

    def _put(self, frame: bytes | None) -> None:
        while True:
            try:
                self._frames.put_nowait(frame)
                return
            except queue.Full:
                try:
                    self._frames.get_nowait()
                except queue.Empty:
                    continue


class Capture(threading.Thread):
    """Reads a camera as long as the service runs, and keeps its live table up to date."""

    def __init__(
        self,
        camera: Camera,
        database: Database,
        deck_key: str,
        deck: Deck,
        keep_days: int,
        language: str,
        measured: Measured | None = None,
    ) -> None:
        super().__init__(name="camera", daemon=True)
        self._camera, self._database, self._deck = camera, database, deck
        self._keep_days, self._messages = keep_days, Messages(language)
        self._ended = threading.Event()
        self._told = False
        self._before: CheckedPhoto | None = None
        self._measured = measured
        self._profile: Profile | None = None
        self._size = (0, 0)
        with database.writing() as session:
            table = make_table(session, deck_key, deck, {})
            record = LiveTable(table_id=table.id, state=LiveState().model_dump(mode="json"), log=[], table=table)
            session.add(record)
            session.flush()
            self.live_id, self.table_id = record.id, table.id

    def run(self) -> None:
        """Open, read, begin again, until ended."""
        while not self._ended.is_set():
            watched = Watched(self._camera)
            watched.start()
            self._read(watched)
            watched.end()
            self._tell_away()
            # A driver that hangs is waited for: two openings of one camera at a time help nobody.
            while watched.is_alive() and not self._ended.is_set():
                watched.join(timeout=AGAIN_SECONDS)
            # Nor may a thread be inside a driver when the interpreter ends: that would abort the process.
            watched.join(timeout=FRAME_SECONDS)
            self._ended.wait(AGAIN_SECONDS)

    def end(self) -> None:
        """Stop, and let go of the camera."""
        self._ended.set()
        self.join(timeout=OPEN_SECONDS)

    def _read(self, watched: Watched) -> None:
        while not self._ended.is_set():
            frame = watched.next()
            if frame is None:
                return
            self._told = False
            try:
                self.look(frame, time.time())
            except (InputError, SQLAlchemyError) as error:
                _log.warning("a frame of the camera was of no use: %s", error)
                self._ended.wait(AGAIN_SECONDS)
            except Exception as error:  # noqa: BLE001 - whatever broke with one frame, the next may be read
                _log.error("a frame of the camera could not be read", exc_info=error)
                self._ended.wait(AGAIN_SECONDS)

    def _tell_away(self) -> None:
        """Once in the log, and to whoever follows the table."""
        if self._told or self._ended.is_set():
            return
        self._told = True
        _log.warning("camera %s gives no picture; it is tried again and again", self._camera.source)
        try:
            with self._database.writing() as session:
                record = session.get(LiveTable, self.live_id)
                if record is not None:
                    record.moment = Moment.LOST.value
        except SQLAlchemyError as error:
            _log.warning("that the camera is away cannot be told now: %s", error)

    def _look_up(self, frame: bytes) -> None:
        """What was measured for frames of this size: looked up when the size is another."""
        if self._measured is None:
            return
        height, width = decode(frame, NAME).pixels.shape[:2]
        if (width, height) != self._size:
            self._size = (width, height)
            self._profile = self._measured(self._camera.name, self._size)

    def look(self, frame: bytes, at: float) -> None:
        """Look at one frame, and tell what it shows."""
        with self._database.reading() as session:
            record = session.get(LiveTable, self.live_id)
            if record is None:  # somebody deleted it
                self._ended.set()
                return
            state = state_of(record, self._deck)
        self._look_up(frame)
        state = state.model_copy(update={"profile": None if self._profile is None else to_data(self._profile)})
        frame = right_picture(frame, self._profile)
        before, self._before = self._before, None  # should this frame break, the next one is read from the beginning
        seen = see(frame, at, state, self._deck, Options(), before)
        self._before = seen.read
        with self._database.writing() as session:
            record = session.get(LiveTable, self.live_id)
            if record is not None:
                keep(session, record, seen, frame, self._keep_days, self._messages)
