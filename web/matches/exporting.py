"""A match as a table for a spreadsheet."""

from __future__ import annotations

import csv
import io
from typing import Any

from web.messages import WebMessages

GUARDED = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would take a text that begins so for a formula."""


def as_csv(view: dict[str, Any], messages: WebMessages) -> str:
    """One line for each confirmed entry, the points of the players in columns of their own, and the totals."""
    out = io.StringIO()
    writer = csv.writer(out)
    players = view["players"]
    head = ("csv.number", "csv.what", "csv.player", "csv.when", "csv.note")
    writer.writerow([messages.text(key) for key in head] + [_safe(player["name"]) for player in players])
    names = {player["key"]: player["name"] for player in players}
    for entry in view["entries"]:
        if not entry["confirmed"]:
            continue
        told = [
            entry["number"],
            messages.text(f"kind.{entry['shown_as']}"),
            _safe(names.get(entry["player"], "")),
            entry["created"],
            _safe(entry["note"]),
        ]
        writer.writerow(told + [entry["points"].get(player["key"], "") for player in players])
    writer.writerow(["", messages.text("csv.total"), "", "", ""] + [player.get("total", "") for player in players])
    return out.getvalue()


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(GUARDED) else text
