"""Reports of wrong readings: the photograph with what people say is true, in the form of `samples/photos`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from web.storage.models import Photo
from web.tables.service import LoadedTable
from web.version import VERSION

FOLDER = "reports"


def save(data: Path, table: LoadedTable, photo: Photo) -> str:
    """Write `reports/NAME.jpg` and `.json`; returns NAME. A second report of the same photograph replaces the first.

    The JSON is a truth file as in `samples/photos` (as the people corrected it), with what was read beside it.
    """
    folder = data / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{table.record.game}-{photo.id}"
    (folder / f"{name}.jpg").write_bytes(photo.data)
    (folder / f"{name}.json").write_text(json.dumps(truth(table), ensure_ascii=False, indent=1), encoding="utf-8")
    return name


def truth(table: LoadedTable) -> dict[str, Any]:
    """What people say lies on the table, and what was read."""
    judged = table.judged()
    reading = table.reading
    if reading is None:
        raise ValueError("a table laid by hand was not read")
    placed = judged.layout.by_id
    cards = [
        {
            "id": card.id,
            "face": card.face,
            "corners": card.corners,
            "turn": placed[card.id].turn if card.id in placed else card.turn,
            "hidden": 0.0,
            "cut": 0.0,
            "by_hand": card.id in judged.by_hand,
        }
        for card in table.state.cards
    ]
    return {
        "game": table.record.game,
        "deck": table.record.deck,
        "level": "report",
        "fault": None,
        "size": [reading.width, reading.height],
        "cards": cards,
        "outcome": judged.ruling.outcome.value,
        "verdict": None if judged.ruling.verdict is None else judged.ruling.verdict.to_dict(),
        "layout": judged.layout.to_dict()["cards"],
        "heap": [],
        "version": VERSION,
        "options": table.record.options,
        "read": reading.model_dump(mode="json"),
        "state": table.record.state,
    }


def forget(data: Path, photo_id: str) -> None:
    """Delete the reports of a photograph."""
    if not re.fullmatch(r"[A-Za-z0-9]+", photo_id):
        return
    for path in (data / FOLDER).glob(f"*-{photo_id}.*"):
        path.unlink(missing_ok=True)
