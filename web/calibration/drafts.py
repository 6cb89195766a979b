"""Decks that are being made: a folder each, with the deck as far as it is, and how far the work on it is.

The folder `drafts/ID` in the data folder holds `draft.json` and, once cards were read, `deck/`, a deck's folder. The
photographs are kept with all others and forgotten with them.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from calibration.enrol.editing import EditedDeck
from referee.decks import Game
from web.errors import ApiError
from web.storage.models import new_id

EMPTY, WAITING, FIND, SORT, FEATURES, READY, FAILED = (
    "empty", "waiting", "find", "sort", "features", "ready", "failed",
)  # fmt: skip
AT_WORK = frozenset({WAITING, FIND, SORT, FEATURES})
LOST_AFTER = 20.0
"""Seconds after which work of which nothing was heard has gone with its process."""
LOCK_STALE = 15.0
"""Seconds after which a lock was left behind by a process that is gone."""
KEPT = timedelta(days=60)
"""A draft that nobody touched is deleted after so long."""


class Drafts:
    """The drafts in a folder, the same for every process that serves it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def make(self, game: Game, name: str, card_mm: tuple[float, float] | None) -> dict[str, Any]:
        """A new draft without cards."""
        self._sweep()
        draft_id = new_id()
        (self._folder / draft_id).mkdir(parents=True)
        state: dict[str, Any] = {
            "id": draft_id,
            "game": game.value,
            "name": name,
            "card_mm": card_mm,
            "base": None,
            "created": datetime.now(UTC).isoformat(),
            "revision": 1,
            "stage": EMPTY,
            "done": 0,
            "of": 0,
            "photos": [],
            "error": None,
            "deck": None,
            "job": None,
        }
        self._write(draft_id, state)
        return state

    def make_from(self, key: str, folder: Path, name: str, game: Game) -> dict[str, Any]:
        """A draft of a deck that exists already."""
        state = self.make(game, name, None)
        copy = self.folder(state["id"]) / "deck"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".*"))
        state |= {"base": key, "stage": READY}
        self._write(state["id"], state)
        return state

    def folder(self, draft_id: str) -> Path:
        """The draft's folder. Raises ApiError (404)."""
        folder = self._folder / draft_id
        if not re.fullmatch(r"[A-Za-z0-9]{8,32}", draft_id) or not (folder / "draft.json").is_file():
            raise ApiError(404, "unknown-draft")
        return folder

    def state(self, draft_id: str) -> dict[str, Any]:
        """How far a draft is. Raises ApiError (404)."""
        try:
            state: dict[str, Any] = json.loads((self.folder(draft_id) / "draft.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ApiError(404, "unknown-draft") from None
        if state["stage"] in AT_WORK and self._silent_for(draft_id) > LOST_AFTER:
            state |= {"stage": FAILED, "error": {"code": "reading-lost", "message": ""}}
        return state

    def deck(self, draft_id: str) -> EditedDeck | None:
        """The deck as far as it is, None before cards were read."""
        folder = self.folder(draft_id) / "deck"
        return EditedDeck(folder) if (folder / "deck.json").is_file() else None

    @contextmanager
    def changing(self, draft_id: str) -> Iterator[dict[str, Any]]:
        """The state of a draft, alone: what is changed in it is kept at the end, unless an exception leaves."""
        lock = self.folder(draft_id) / "lock"
        self._acquire(lock)
        try:
            state = self.state(draft_id)
            yield state
            state["revision"] += 1
            self._write(draft_id, state)
        finally:
            shutil.rmtree(lock, ignore_errors=True)

    @contextmanager
    def editing(self, draft_id: str) -> Iterator[EditedDeck]:
        """The deck of a draft, alone: its changes are kept at the end. Raises ApiError (404, 409)."""
        with self.changing(draft_id) as state:
            if state["stage"] in AT_WORK:
                raise ApiError(409, "draft-at-work")
            deck = self.deck(draft_id)
            if deck is None:
                raise ApiError(409, "draft-empty")
            with deck:
                yield deck
            state["name"] = deck.content["name"]

    def alive(self, draft_id: str) -> None:
        """Say that somebody is still at work on it. Raises ApiError (404) when it was deleted."""
        (self.folder(draft_id) / "alive").touch()

    def delete(self, draft_id: str) -> None:
        """Delete it; work on it ends. Raises ApiError (404)."""
        shutil.rmtree(self.folder(draft_id), ignore_errors=True)

    def _silent_for(self, draft_id: str) -> float:
        try:
            return time.time() - (self._folder / draft_id / "alive").stat().st_mtime
        except FileNotFoundError:
            return LOST_AFTER + 1

    def _write(self, draft_id: str, state: dict[str, Any]) -> None:
        folder = self._folder / draft_id
        fresh = folder / f".{secrets.token_hex(4)}.json"
        try:
            fresh.write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")
            fresh.replace(folder / "draft.json")
        except FileNotFoundError:
            raise ApiError(404, "unknown-draft") from None

    def _acquire(self, lock: Path) -> None:
        until = time.monotonic() + LOCK_STALE
        while True:
            try:
                lock.mkdir()
                return
            except FileExistsError:
                if time.monotonic() > until:
                    shutil.rmtree(lock, ignore_errors=True)
                time.sleep(0.02)
            except FileNotFoundError:
                raise ApiError(404, "unknown-draft") from None

    def _sweep(self) -> None:
        if not self._folder.is_dir():
            return
        before = (datetime.now(UTC) - KEPT).timestamp()
        for file in self._folder.glob("*/draft.json"):
            if file.stat().st_mtime < before:
                shutil.rmtree(file.parent, ignore_errors=True)
