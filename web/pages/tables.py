"""A table: the picture with its marks, the verdict, corrections."""

from __future__ import annotations

from flask import Blueprint

from web import context
from web.api.decks import deck_view
from web.api.tables import load, view_of
from web.language import rules_messages
from web.matches.records import loaded as loaded_match
from web.matches.view import match_view
from web.pages.shell import page
from web.storage.models import Photo

blueprint = Blueprint("tables_pages", __name__)


@blueprint.get("/tables/<table>")
def show(table: str) -> str:
    """The same page for photographs and for tables laid by hand, alone or in a match."""
    with context.database().reading() as session:
        found = load(session, table)
        record = found.record
        view = view_of(found, session.get(Photo, record.photo_id or ""))
        match = None
        if record.entry is not None:
            match = match_view(loaded_match(record.entry.match, found.deck), rules_messages())
    data = {"table": view, "deck": deck_view(record.deck), "match": match}
    return page("table.html", "table.js", data, table=view)
