"""On the wall: a match or a table followed on a projector, its verdict step by step."""

from __future__ import annotations

from flask import Blueprint, url_for

from referee.messages import LANGUAGES
from web import context
from web.matches.records import get_match
from web.pages.shell import page
from web.tables.service import get_table

blueprint = Blueprint("wall", __name__)

KEYS = (
    ("\N{OPEN BOX}", " ", "wall.key-next"),
    ("\N{LEFTWARDS ARROW}", "arrowleft", "wall.key-back"),
    ("Home", "home", "wall.key-first"),
    ("Esc", "escape", "wall.key-whole"),
    ("F", "f", "wall.key-freeze"),
    ("B", "b", "wall.key-blank"),
    ("L", "l", "wall.key-language"),
    ("S", "s", "wall.key-speech"),
    ("C", "c", "wall.key-look"),
)
"""What is printed on a key, what it is called in a browser, and the text that says what it does."""


@blueprint.get("/projector")
def choose() -> str:
    """What is to be shown."""
    return page("wall-choose.html", "wall-choose.js", {})


@blueprint.get("/projector/matches/<match>")
def of_match(match: str) -> str:
    """The newest table of a match, and its score."""
    with context.database().reading() as session:
        get_match(session, match)
    return _wall({"match": match, "events": url_for("events.of_match", match=match)})


@blueprint.get("/projector/tables/<table>")
def of_table(table: str) -> str:
    """A table, as it is corrected or laid, or as a camera sees it."""
    with context.database().reading() as session:
        get_table(session, table)
    return _wall({"table": table, "events": url_for("events.of_table", table=table)})


def _wall(data: dict[str, str]) -> str:
    return page("wall.html", "wall.js", {**data, "languages": list(LANGUAGES)}, keys=KEYS)
