"""What is worked out from a deck's pictures, kept on disk between runs, so that the first photo need not wait for it.

A cache and nothing more: an entry that is missing, broken, foreign or cannot be written is worked out again, without
a word. Entries are named by a hash of all they depend on, so that a changed deck never meets its old templates.
They are plain arrays (npz without pickle), written beside and then renamed, so that no reader sees half of one.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

VARIABLE = "REFEREE_CACHE"
"""Environment variable that names the folder; empty or "off": nothing is kept."""
FORMAT = 1
"""Version of what is kept; raised whenever it is worked out differently."""
MOST_ENTRIES = 64
"""Files kept; the ones longest unused go first."""
MOST_BYTES = 400_000_000
"""Largest file that is read."""

Arrays = dict[str, NDArray[np.generic]]
Shape = tuple[int | None, ...]


def cache_folder() -> Path | None:
    """The folder of the cache by the habits of the system; None where none is wanted or known."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named.strip().lower() in ("", "off") else Path(named)
    base = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    if base and Path(base).is_absolute():
        return Path(base) / "referee"
    with suppress(RuntimeError):  # no home
        return Path.home() / (".cache" if sys.platform != "win32" else "AppData/Local") / "referee"
    return None


def key_of(parts: Iterable[bytes | str]) -> str:
    """A name for what is worked out from `parts` (each its own: "a", "bc" is not "ab", "c") by this version."""
    digest = hashlib.sha256()
    for part in (f"{FORMAT} {cv2.__version__} {np.__version__} {sys.byteorder}", *parts):
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:40]


def load(key: str, wanted: Mapping[str, tuple[type[np.generic], Shape]]) -> Arrays | None:
    """The arrays kept under `key`, each of the `wanted` type and shape (None: any length); None if there are none."""
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / f"{key}.npz"
    try:
        if not _is_ours(folder) or path.stat().st_size > MOST_BYTES:
            return None
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            if set(kept.files) != set(wanted):
                return None
            arrays: Arrays = {name: kept[name] for name in wanted}
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile, NotImplementedError):
        return None
    for name, (kind, shape) in wanted.items():
        found = arrays[name]
        fits = len(found.shape) == len(shape) and all(w in (None, n) for n, w in zip(found.shape, shape, strict=True))
        if found.dtype != np.dtype(kind) or not fits or not (found.dtype.kind != "f" or np.isfinite(found).all()):
            return None
    with suppress(OSError):
        os.utime(path)  # in use: the entries longest unused go first
    return arrays


def store(key: str, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """Keep arrays under `key`, if that can be done."""
    folder = cache_folder()
    if folder is None:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(folder):
            return
        handle, name = tempfile.mkstemp(dir=folder, prefix=f"{key}.", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, allow_pickle=False, **dict(arrays))
            Path(name).replace(folder / f"{key}.npz")
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
        _thin_out(folder)


def _is_ours(folder: Path) -> bool:
    """Whether nobody else can put files there (where the system tells)."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _thin_out(folder: Path) -> None:
    entries = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in entries[MOST_ENTRIES:]:
        old.unlink(missing_ok=True)
