"""The last frame of each live table that this process has read: the next one is read quicker with it.

Only a cache: where it is missing, as in another process, a frame is read from the beginning.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from referee.pipeline import CheckedPhoto

MOST = 6
"""Live tables whose last frame is kept."""


class Looks:
    """The last frames, by the ids of their live tables. May be used by several threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, CheckedPhoto] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, live: str) -> CheckedPhoto | None:
        """The last frame of a live table. It is kept no more: should reading with it break, the next begins anew."""
        with self._lock:
            return self._kept.pop(live, None)

    def keep(self, live: str, read: CheckedPhoto | None) -> None:
        """Keep a frame; that of the table that was looked at least recently goes."""
        with self._lock:
            if read is None:
                self._kept.pop(live, None)
                return
            self._kept[live] = read
            self._kept.move_to_end(live)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
