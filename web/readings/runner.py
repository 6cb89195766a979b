"""Photographs read in threads: how far they are stands in the database, so that any process can tell and cancel.

A reading that is cancelled ends where it is: its thread is interrupted between two of its steps.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import object_session

from referee.errors import InputError
from referee.vision.read import Stopwatch
from web.decks import DeckShelf
from web.errors import ApiError, sentence_of
from web.gate import ReadingGate
from web.messages import WebMessages
from web.readings.tasks import Task, finish, read
from web.storage.database import Database
from web.storage.models import Entry, Match, ReadingTask, now

WAITING, READING, DONE, FAILED, CANCELLED = "waiting", "reading", "done", "failed", "cancelled"
STAGES = ("decode", "deck", "pyramid", "find", "recognise", "doubt", "judge")
"""What a reading has done last, in order, between `reading` and `done`."""
ENDED = frozenset({DONE, FAILED, CANCELLED})
LOOK_EVERY = 0.4
"""Seconds between looks whether a reading was cancelled."""
LOST_AFTER = timedelta(seconds=30)
"""A reading of which nothing was heard for so long has gone with its process."""
KEPT = timedelta(days=1)

_log = logging.getLogger(__name__)


class ReadingCancelled(BaseException):
    """Raised inside a reading that nobody waits for any more. No Exception, so that nothing on its way catches it."""


class Runner:
    """Starts readings in threads of this process."""

    def __init__(self, database: Database, shelf: DeckShelf, gate: ReadingGate) -> None:
        self._database, self._shelf, self._gate = database, shelf, gate

    def start(self, task: Task, language: str) -> str:
        """Begin; returns the id under which the reading is followed. Raises ApiError (503) when too many wait."""
        place = contextlib.ExitStack()
        place.enter_context(self._gate.place())
        with place:
            with self._database.writing() as session:
                old = delete(ReadingTask).where(ReadingTask.created_at < now() - KEPT)
                session.execute(old.execution_options(synchronize_session=False))
                record = ReadingTask(
                    photo_id=task.photo_id,
                    deck=task.deck,
                    options=task.options,
                    entry_id=task.entry_id,
                    table_id=task.table_id,
                    revision=task.revision,
                )
                session.add(record)
                session.flush()
                _tell_match(record)
                reading_id = record.id
            running = _Running(self._database, self._shelf, self._gate, reading_id, task, language, place.pop_all())
            threading.Thread(target=running.run, name=f"reading-{reading_id}", daemon=True).start()
        return reading_id


def cancel(record: ReadingTask) -> None:
    """Nobody waits for this reading any more."""
    if record.stage not in ENDED:
        record.stage = CANCELLED
        _tell_match(record)


def is_lost(record: ReadingTask) -> bool:
    """Whether the process that was reading has gone."""
    heard = record.updated_at if record.updated_at.tzinfo else record.updated_at.replace(tzinfo=UTC)
    return record.stage not in ENDED and datetime.now(UTC) - heard > LOST_AFTER


def _tell_match(record: ReadingTask) -> None:
    """Whoever follows the match is to see that a photograph is being read, or not any more."""
    if record.entry is not None:
        record.entry.match.revision += 1


@dataclass(slots=True)
class _Watch(Stopwatch):
    """A stopwatch that tells each stage."""

    tell: Callable[[str], None] | None = None

    def lap(self, stage: str) -> None:
        Stopwatch.lap(self, stage)
        if self.tell is not None:
            self.tell(stage)


class _Running:
    """One reading in its thread, and a second thread that looks whether it is still wanted."""

    def __init__(
        self,
        database: Database,
        shelf: DeckShelf,
        gate: ReadingGate,
        reading_id: str,
        task: Task,
        language: str,
        place: contextlib.ExitStack,
    ) -> None:
        self._database, self._shelf, self._gate = database, shelf, gate
        self._id, self._task, self._language = reading_id, task, language
        self._place = place
        self._stage = WAITING
        self._ended = threading.Event()
        self._cancelled = threading.Event()
        self._lock = threading.Lock()
        self._thread: int | None = None

    def run(self) -> None:
        """Read, store, tell."""
        watcher = threading.Thread(target=self._watch, name=f"watch-{self._id}", daemon=True)
        watcher.start()
        try:
            with self._place, self._gate.turn(lambda: self._cancelled.is_set()) as ours:
                if ours:
                    self._read()
        except ReadingCancelled:
            _log.info("reading %s was cancelled", self._id)
        except (ApiError, InputError) as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - whatever it was, somebody waits for an answer
            _log.error("reading %s broke", self._id, exc_info=error)
            self._fail(ApiError(500, "http-500"))
        finally:
            self._ended.set()
            watcher.join()

    def _read(self) -> None:
        self._stage = READING
        with self._interruptible():
            reading = read(self._task, self._database, self._shelf, _Watch(tell=self._reached))
        with self._database.writing() as session:
            record = session.get(ReadingTask, self._id)
            if record is not None and record.stage not in ENDED:
                record.table_id = finish(session, self._task, reading, self._shelf).id
                record.stage, record.updated_at = DONE, now()

    def _reached(self, stage: str) -> None:
        self._stage = stage
        if self._cancelled.is_set():
            raise ReadingCancelled

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        with self._lock:
            self._thread = threading.get_ident()
        try:
            yield
        finally:
            with self._lock:
                self._thread = None

    def _watch(self) -> None:
        """Until the reading ends: write down how far it is, and interrupt it when it was cancelled."""
        while not self._ended.wait(LOOK_EVERY):
            try:
                with self._database.writing() as session:
                    record = session.get(ReadingTask, self._id)
                    if record is not None and record.stage not in ENDED:
                        record.stage, record.updated_at = self._stage, now()
                        continue
                    if record is not None and record.stage == DONE:
                        continue
            except SQLAlchemyError as error:
                _log.warning("how far a reading is cannot be told now: %s", error)
                continue
            self._interrupt()
            return

    def _interrupt(self) -> None:
        self._cancelled.set()
        with self._lock:
            if self._thread is not None:  # CPython raises it in that thread before its next step
                kind = ctypes.py_object(ReadingCancelled)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), kind)

    def _fail(self, error: ApiError | InputError) -> None:
        message = sentence_of(error, WebMessages(self._language))
        with self._database.writing() as session:
            record = session.get(ReadingTask, self._id)
            if record is not None and record.stage not in ENDED:
                record.stage, record.updated_at = FAILED, now()
                record.error = {"code": error.code, "message": message}
                _tell_match(record)


def open_readings(match: Match) -> dict[str, str]:
    """Which entries of a match have a photograph that is being read: the id of the reading by that of the entry."""
    session = object_session(match)
    if session is None:
        return {}
    asked = select(ReadingTask).join(Entry).where(Entry.match_id == match.id, ReadingTask.stage.not_in(ENDED))
    return {str(record.entry_id): record.id for record in session.scalars(asked) if not is_lost(record)}
