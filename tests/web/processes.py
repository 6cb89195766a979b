"""The service as its users start it: real processes."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
"""Seconds to wait for a process to answer, on a machine that may be busy."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def service(
    data: Path, options: Sequence[str] = (), port: int | None = None, **environment: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`python -m web`, answering; its address and its process."""
    port = port or free_port()
    command = [sys.executable, "-m", "web", "--port", str(port), "--data", str(data), *options]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    scheme = "https" if "--https" in options else "http"
    url = f"{scheme}://127.0.0.1:{port}"
    try:
        _wait(url, process)
        yield url, process
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
        if process.stdout is not None:
            process.stdout.close()


def _wait(url: str, process: subprocess.Popen[str]) -> None:
    blind = ssl.create_default_context()
    blind.check_hostname = False
    blind.verify_mode = ssl.CERT_NONE
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            raise AssertionError(f"it ended: {process.stdout.read() if process.stdout else ''}")
        try:
            with urllib.request.urlopen(f"{url}/healthz", context=blind, timeout=10) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")
