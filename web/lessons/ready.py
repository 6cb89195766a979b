"""Ready tables: for every rule one that keeps it and one that breaks it (or shows where it does not apply)."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.decks import Game
from referee.layouts import Layout
from referee.notation import parse_table
from referee.rulebook import RuleId
from web.lessons.items import Item, Question

PREFIX = "ready-"
"""Ids of ready lessons begin so."""
FILE = Path(__file__).with_name("ready.json")
"""Tables in the text notation; `expect` is what the referee says of each, and is tested."""

_GAMES = {"CM": Game.CAT_AND_MOUSE, "CP": Game.COLOURED_PATHS, "IF": Game.IF_IT_FITS}


@lru_cache(maxsize=1)
def entries() -> tuple[dict[str, Any], ...]:
    """The file's entries as they are written."""
    return tuple(json.loads(FILE.read_text("utf-8")))


@lru_cache(maxsize=len(Game))
def ready_items(game: Game) -> tuple[Item, ...]:
    """The ready tables of a game, rule by rule."""
    return tuple(item_of(entry) for entry in entries() if game_of(entry) is game)


def game_of(entry: dict[str, Any]) -> Game:
    """Of which game a ready table is."""
    return _GAMES[entry["rule"][:2]]


def item_of(entry: dict[str, Any]) -> Item:
    """An entry of the file as an item."""
    return Item(
        game=game_of(entry),
        question=Question(entry["question"]),
        layout=_layout(entry),
        before=parse_table(entry["before"]) if "before" in entry else None,
        events=tuple(entry.get("events", ())),
        options=entry.get("options", {}),
        rule=RuleId(entry["rule"]),
        keeps=entry["keeps"],
        next=entry.get("next"),
    )


def _layout(entry: dict[str, Any]) -> Layout | None:
    if "table" not in entry:
        return None
    layout = parse_table(entry["table"])
    edge = entry.get("edge")
    return layout if edge is None else layout.model_copy(update={"table": tuple((x, y) for x, y in edge)})
