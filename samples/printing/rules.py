"""The words on the printed sheets: the rules in short for players, in Ukrainian, Russian and English.

The texts are in ``texts/LANGUAGE.toml``. Short is not loose: each step names the rules of the rule book that it tells.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("uk", "ru", "en")
TEXTS = Path(__file__).parent / "texts"


@dataclass(frozen=True)
class Step:
    """One numbered step of the rules; ``rules`` are the ids of the rules it tells."""

    heading: str
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class RulesPage:
    """One page of rules: a title, who plays, the steps, and what the example beside them shows."""

    title: str
    players: str
    example: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class PrintNotes:
    """What the sheets say about printing; ``front`` and ``back`` have a place for the sheet's ``number``."""

    how_to: tuple[str, ...]
    ruler: str
    front: str
    back: str


@cache
def _texts(language: str) -> dict[str, Any]:
    return tomllib.loads((TEXTS / f"{language}.toml").read_text(encoding="utf-8"))


def print_notes(language: str) -> PrintNotes:
    """The notes on printing in one of LANGUAGES."""
    notes = _texts(language)["notes"]
    return PrintNotes(tuple(notes["how_to"]), notes["ruler"], notes["front"], notes["back"])


def rules_page(game: str, language: str) -> RulesPage:
    """The rules of a game in short in one of LANGUAGES."""
    page = _texts(language)[game]
    steps = tuple(Step(step["heading"], step["text"], tuple(step["rules"])) for step in page["steps"])
    return RulesPage(page["title"], page["players"], page["example"], steps)
