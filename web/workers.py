"""Several processes that serve one socket: one that breaks is started again, and none outlives the first."""

from __future__ import annotations

import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any

BROKEN_AFTER = 2.0
"""A process that ends sooner than so many seconds after its start will not do better the next time."""

_log = logging.getLogger(__name__)


def run_workers(number: int, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Run `work(*arguments)` in so many processes until interrupted or terminated.

    Raises ChildProcessError if a process ends right after its start.
    """
    fresh = multiprocessing.get_context("spawn")
    started: dict[BaseProcess, float] = {}

    def start() -> None:
        process = fresh.Process(target=_run, args=(work, arguments), name=f"worker-{len(started) + 1}")
        process.start()
        started[process] = time.monotonic()

    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        for _ in range(number):
            start()
        while True:
            multiprocessing.connection.wait([process.sentinel for process in started])
            for process in [process for process in started if not process.is_alive()]:
                lived = time.monotonic() - started.pop(process)
                ended_itself = (process.exitcode or 0) >= 0  # below zero: killed from outside
                if lived < BROKEN_AFTER and ended_itself:
                    raise ChildProcessError(f"a worker ended at once with status {process.exitcode}")
                _log.warning("worker %s ended with status %s and is started again", process.pid, process.exitcode)
                start()
    finally:
        signal.signal(signal.SIGTERM, before)
        for process in started:
            process.terminate()
        for process in started:
            process.join()


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _run(work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    work(*arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
