"""Photographs as they are kept: upright, without metadata (a phone writes the place into it), with a time to go."""

from __future__ import annotations

import io
import logging
import threading
from dataclasses import dataclass
from datetime import timedelta

import cv2
from PIL import Image
from sqlalchemy import delete
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from referee.vision.decode import Pixels, decode, jpeg_is_complete
from web.storage.database import Database
from web.storage.models import LiveTable, Photo, Quiz, now

KEPT_SIDE = 4096
"""Long side in pixels above which a photograph is kept smaller."""
QUALITY = 94
QUIZ_KEPT = timedelta(days=1)
"""A quiz is deleted after so long."""
NAME = "photo"
"""What a photograph is called in messages: the file names of clients are never used."""

_ORIENTATION = 0x0112
_APP0, _APP15, _COM = 0xE0, 0xEF, 0xFE


@dataclass(frozen=True, slots=True)
class Kept:
    """A photograph ready to be kept: a JPEG without metadata, and its size in pixels."""

    data: bytes
    width: int
    height: int


def prepared(data: bytes) -> Kept:
    """Make an upload ready to be kept. Raises PhotoError for what is no photograph that can be read.

    An upright JPEG keeps its pixels to the bit and only loses its metadata; anything else is turned upright and
    written anew.
    """
    photo = decode(data, NAME)
    height, width = photo.pixels.shape[:2]
    if photo.scale == 1.0 and max(width, height) <= KEPT_SIDE and _is_plain_jpeg(data):
        return Kept(without_metadata(data), width, height)
    return _encoded(photo.pixels)


def smaller(kept: Kept, side: int) -> Kept:
    """The same photograph with no side longer than `side` pixels."""
    if max(kept.width, kept.height) <= side:
        return kept
    return _encoded(decode(kept.data, NAME).pixels, side)


def _encoded(pixels: Pixels, side: int = KEPT_SIDE) -> Kept:
    height, width = pixels.shape[:2]
    shrink = min(1.0, side / max(width, height))
    if shrink < 1.0:
        width, height = round(width * shrink), round(height * shrink)
        pixels = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
    return Kept(encoded, width, height)


def _is_plain_jpeg(data: bytes) -> bool:
    """Whether these bytes are an RGB or grey JPEG that lies upright as it is."""
    if not data.startswith(b"\xff\xd8"):
        return False
    with Image.open(io.BytesIO(data)) as image:
        upright = image.getexif().get(_ORIENTATION, 1) in (0, 1)
        return upright and image.mode in ("RGB", "L") and jpeg_is_complete(data)


def without_metadata(data: bytes) -> bytes:
    """A JPEG without its application segments and comments (ITU T.81, B.2.4.6), and without what follows its end.

    JFIF (APP0) and Adobe's colour transform (APP14) stay: decoders need them.
    """
    kept = bytearray(data[:2])
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker == 0xDA:
            end = data.rfind(b"\xff\xd9")
            return bytes(kept + data[at : end + 2 if end > at else len(data)])
        length = 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        drop = marker == _COM or (_APP0 < marker <= _APP15 and marker != 0xEE)
        if not drop:
            kept += data[at : at + length]
        at += length
    return bytes(kept)


def store(session: Session, kept: Kept, keep_days: int) -> Photo:
    """Keep a photograph, and let go of those whose time has come."""
    sweep(session, keep_days)
    photo = Photo(width=kept.width, height=kept.height, data=kept.data)
    session.add(photo)
    session.flush()
    return photo


class Sweeper(threading.Thread):
    """Lets go of old photographs at the start and every hour, whether or not new ones come."""

    EVERY = 3600.0

    def __init__(self, database: Database, keep_days: int) -> None:
        super().__init__(name="sweeper", daemon=True)
        self._database = database
        self._keep_days = keep_days
        self._ended = threading.Event()

    def run(self) -> None:
        """Sweep until ended. A database that is away for a while is no reason to stop."""
        while True:
            try:
                with self._database.writing() as session:
                    sweep(session, self._keep_days)
            except SQLAlchemyError as error:
                logging.getLogger(__name__).warning("old photographs cannot be deleted now: %s", error)
            if self._ended.wait(self.EVERY):
                return

    def end(self) -> None:
        """Stop."""
        self._ended.set()
        self.join()


def sweep(session: Session, keep_days: int) -> None:
    """Delete photographs older than `keep_days`, live tables that began before, and quizzes of the day before; tables
    read from photographs stay, without their picture."""
    before = now() - timedelta(days=keep_days)
    old = (
        delete(Photo).where(Photo.created_at < before),
        delete(LiveTable).where(LiveTable.created_at < before),
        delete(Quiz).where(Quiz.created_at < now() - QUIZ_KEPT),
    )
    for deletion in old:  # by the database alone: what is loaded just now is younger
        session.execute(deletion.execution_options(synchronize_session=False))
