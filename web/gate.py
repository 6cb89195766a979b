"""Reading a photograph keeps a processor busy for seconds; a few at a time may, so that all else is still served."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from web.errors import ApiError

LOOK_EVERY = 0.2
"""Seconds between looks whether somebody who waits for a turn still wants it."""


class ReadingGate:
    """Lets `readings` in at a time and `waiting` more wait; the others are asked to come again."""

    def __init__(self, readings: int, waiting: int) -> None:
        self._places = threading.BoundedSemaphore(readings + waiting)
        self._turns = threading.BoundedSemaphore(readings)

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place among those who read or wait. Raises ApiError (503) when too many do already."""
        if not self._places.acquire(blocking=False):
            raise ApiError(503, "busy")
        try:
            yield
        finally:
            self._places.release()

    @contextmanager
    def turn(self, given_up: Callable[[], bool] = lambda: False) -> Iterator[bool]:
        """Wait, with a place, for a turn to read; whether it came before it was `given_up`."""
        ours = self._turns.acquire(timeout=LOOK_EVERY)
        while not ours and not given_up():
            ours = self._turns.acquire(timeout=LOOK_EVERY)
        try:
            yield ours
        finally:
            if ours:
                self._turns.release()


class StreamGate:
    """Lets so many streams be open at a time; each keeps a thread of the server."""

    def __init__(self, streams: int) -> None:
        self._places = threading.BoundedSemaphore(streams)

    def enter(self) -> None:
        """Take a place. Raises ApiError (503) when there is none: the reader asks every few seconds instead."""
        if not self._places.acquire(blocking=False):
            raise ApiError(503, "busy")

    def leave(self) -> None:
        """Give the place back."""
        self._places.release()
