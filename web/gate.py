"""Reading a photograph keeps a processor busy for seconds; a few at a time may, so that all else is still served."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from web.errors import ApiError


class ReadingGate:
    """Lets `readings` in at a time and `waiting` more wait; the others are asked to come again."""

    def __init__(self, readings: int, waiting: int) -> None:
        self._places = threading.BoundedSemaphore(readings + waiting)
        self._turns = threading.BoundedSemaphore(readings)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn to read. Raises ApiError (503) when too many wait already."""
        if not self._places.acquire(blocking=False):
            raise ApiError(503, "busy")
        try:
            with self._turns:
                yield
        finally:
            self._places.release()
