"""Matches: made, followed from several phones, confirmed entry by entry, exported."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field
from sqlalchemy.orm import Session

from referee.decks import Game
from referee.validation import Name, Value
from web import context, reports
from web.api.tables import deck_asked_for, table_read, view_of
from web.errors import ApiError
from web.language import messages, rules_messages
from web.matches import following
from web.matches.confirming import event_of, problems_at
from web.matches.exporting import as_csv
from web.matches.records import KINDS, LoadedMatch, get_entry, get_match, loaded, seated
from web.matches.view import match_view, problem_text
from web.openapi import operation
from web.options import options_of
from web.readings.tasks import Task
from web.requests import body, whole
from web.schemas import MATCH, STRING, TABLE
from web.storage.models import Entry, Match, Photo
from web.tables import service
from web.tables.state import State

blueprint = Blueprint("matches", __name__, url_prefix="/api/matches")

MOST_ENTRIES = 500
"""No match has more rounds or turns."""

_HAND = Field(ge=1, le=20)
_IN_HAND = Field(ge=1, le=40)
ShortText = Annotated[str, Field(max_length=200)]
LongText = Annotated[str, Field(max_length=5000)]


class NewPlayer(Value):
    """A player; colour: of the cats in If It Fits."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    colour: Name | None = None


class NewMatch(Value):
    """hand: how many box cards each player was dealt (If It Fits), if that is to be counted."""

    game: Game | None = None
    deck: Name | None = None
    title: ShortText = ""
    players: Annotated[tuple[NewPlayer, ...], Field(max_length=5)]
    options: dict[Name, str | bool] = Field(default_factory=dict)
    hand: Annotated[int, whole(_HAND), _HAND] | None = None


class ChangedMatch(Value):
    """What may be changed later: words, and what players are called (by their keys)."""

    title: ShortText | None = None
    note: LongText | None = None
    names: dict[Name, Annotated[str, Field(min_length=1, max_length=60)]] | None = None


class EntryData(Value):
    """What players tell of an entry.

    owners: whose each Start is, by TABLE/CARD (Cat and Mouse). ring, extra_turn: of a move told without a picture
    (Multicoloured Paths). box, cat, asleep, princess_replaces: what was played (If It Fits).
    """

    owners: dict[ShortText, ShortText] = Field(default_factory=dict)
    ring: bool = False
    extra_turn: tuple[Literal["seven-changes", "three-joints"], ...] = ()
    box: bool = False
    cat: bool = False
    asleep: bool = False
    princess_replaces: ShortText | None = None
    next: ShortText | None = None
    hands: dict[ShortText, Annotated[int, whole(_IN_HAND), _IN_HAND]] = Field(default_factory=dict)
    princesses: Annotated[tuple[ShortText, ...], Field(max_length=5)] = ()


class NewEntry(Value):
    """A round, a turn or a move; `player` is the key of whose turn it is."""

    kind: Name
    player: Name | None = None
    data: EntryData = EntryData()
    note: LongText = ""


class ChangedEntry(Value):
    """What is changed of an entry that is not confirmed; the note may be changed at any time."""

    player: Name | None = None
    data: EntryData | None = None
    note: LongText | None = None


class NewEntryTable(Value):
    """photo: a kept photograph to read; without it, `copy_of` or an empty table to be laid by hand."""

    photo: Name | None = None
    copy_of: Name | None = None


@blueprint.post("")
@operation("Make a match", MATCH, request=NewMatch, status=201, errors=(422,), provides={"match": "$response.body#/id"})
def create() -> ResponseReturnValue:
    """Whoever has its link may play in it."""
    asked = body(NewMatch)
    key, deck = deck_asked_for(asked.game, asked.deck)
    options_of(deck.game, asked.options)
    players = seated([(player.name, player.colour) for player in asked.players], deck)
    with context.database().writing() as session:
        record = Match(
            title=asked.title.strip(),
            game=deck.game.value,
            deck=key,
            players=players,
            options=dict(asked.options),
            hand=asked.hand,
            entries=[],
        )
        session.add(record)
        session.flush()
        return jsonify(match_view(loaded(record, deck), rules_messages())), 201


def load(session: Session, match_id: str) -> LoadedMatch:
    """A stored match. Raises ApiError (404)."""
    record = get_match(session, match_id)
    return loaded(record, context.shelf().deck(record.deck))


def _answer(match: LoadedMatch, status: int = 200) -> ResponseReturnValue:
    response = jsonify(match_view(match, rules_messages()))
    response.set_etag(_tag(match.record))
    response.headers["Cache-Control"] = "private, no-cache"
    return response, status


def _tag(record: Match) -> str:
    return f"{record.revision}-{rules_messages().language}"


@blueprint.get("/<match>")
@operation("A match", MATCH, errors=(404, 422))
def show(match: str) -> ResponseReturnValue:
    """With an ETag: phones ask every few seconds, and are told 304 when nothing has changed."""
    with context.database().reading() as session:
        record = get_match(session, match)
        if request.if_none_match.contains(_tag(record)):
            return Response(status=304)
        return _answer(load(session, match))


@blueprint.patch("/<match>")
@operation("Change the words of a match", MATCH, request=ChangedMatch, errors=(404, 422))
def change(match: str) -> ResponseReturnValue:
    """Title, note, and what players are called."""
    asked = body(ChangedMatch)
    with context.database().writing() as session:
        found = load(session, match)
        record = found.record
        record.title = record.title if asked.title is None else asked.title.strip()
        record.note = record.note if asked.note is None else asked.note
        if asked.names:
            given = [(asked.names.get(p["key"], p["name"]), p["colour"]) for p in record.players]
            names = [player["name"] for player in seated(given, found.deck)]
            record.players = [{**p, "name": name} for p, name in zip(record.players, names, strict=True)]
        record.revision += 1
        return _answer(found)


@blueprint.delete("/<match>")
@operation("Delete a match with its photographs", None, status=204, errors=(404,))
def delete(match: str) -> ResponseReturnValue:
    """Nothing of it is kept."""
    with context.database().writing() as session:
        record = get_match(session, match)
        for entry in record.entries:
            _forget_photos(session, entry)
        session.delete(record)
    return "", 204


def _forget_photos(session: Session, entry: Entry) -> None:
    for table in entry.tables:
        photo = session.get(Photo, table.photo_id or "")
        if photo is not None:
            reports.forget(context.settings().data, photo.id)
            session.delete(photo)


@blueprint.post("/<match>/entries")
@operation(
    "Add a round, turn or move",
    MATCH,
    request=NewEntry,
    status=201,
    errors=(404, 409, 422),
    provides={"match": "$request.path.match", "entry": "$response.body#/entries/0/id"},
)
def add_entry(match: str) -> ResponseReturnValue:
    """It counts only when confirmed."""
    asked = body(NewEntry)
    with context.database().writing() as session:
        found = load(session, match)
        if asked.kind not in KINDS[found.game]:
            raise ApiError(422, "unknown-kind", kinds=", ".join(KINDS[found.game]))
        _check_player(found, asked.player)
        if len(found.record.entries) >= MOST_ENTRIES:
            raise ApiError(409, "too-many-entries")
        last = max((entry.position for entry in found.record.entries), default=0)
        entry = Entry(
            position=last + 1,
            kind=asked.kind,
            player=asked.player,
            data=asked.data.model_dump(mode="json"),
            note=asked.note,
            tables=[],
        )
        found.record.entries.append(entry)
        found.record.revision += 1
        session.flush()
        return _answer(found, 201)


def _check_player(match: LoadedMatch, player: str | None) -> None:
    if player is not None and player not in match.players:
        raise ApiError(422, "unknown-player")


@blueprint.put("/<match>/entries/<entry>")
@operation("Change an entry", MATCH, request=ChangedEntry, errors=(404, 409, 422))
def change_entry(match: str, entry: str) -> ResponseReturnValue:
    """What is confirmed must be reopened first; only its note may be changed."""
    asked = body(ChangedEntry)
    with context.database().writing() as session:
        found = load(session, match)
        record = get_entry(found.record, entry)
        if record.confirmed and (asked.player is not None or asked.data is not None):
            raise ApiError(409, "confirmed-already")
        _check_player(found, asked.player)
        record.player = record.player if asked.player is None else asked.player
        record.data = record.data if asked.data is None else asked.data.model_dump(mode="json")
        record.note = record.note if asked.note is None else asked.note
        found.record.revision += 1
        return _answer(found)


@blueprint.post("/<match>/entries/<entry>/confirm")
@operation("Confirm an entry: from now on it counts", MATCH, errors=(404, 409, 422))
def confirm(match: str, entry: str) -> ResponseReturnValue:
    """Refused while something is unsure, or if it cannot happen at this moment of the match."""
    with context.database().writing() as session:
        found = load(session, match)
        record = get_entry(found.record, entry)
        if not record.confirmed:
            record.event = event_of(found, record)
            record.confirmed = True
            here = next((p for e, p in problems_at(found, found.confirmed()) if e is record), None)
            if here is not None:
                raise RefusedError(here.problem.value, problem_text(found, here, rules_messages()))
            found.record.revision += 1
        return _answer(found)


class RefusedError(ApiError):
    """Something that the rules of the match do not allow now, in the rules half's words."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(409, "against-the-rules", reason=message)
        self.code_of_rule = code


@blueprint.post("/<match>/entries/<entry>/reopen")
@operation("Reopen a confirmed entry: it does not count any more", MATCH, errors=(404,))
def reopen(match: str, entry: str) -> ResponseReturnValue:
    """It can be corrected and confirmed again; totals follow."""
    with context.database().writing() as session:
        found = load(session, match)
        record = get_entry(found.record, entry)
        if record.confirmed:
            record.confirmed = False
            record.event = None
            found.record.revision += 1
        return _answer(found)


@blueprint.delete("/<match>/entries/<entry>")
@operation("Take an entry back, with its photographs", MATCH, errors=(404,))
def delete_entry(match: str, entry: str) -> ResponseReturnValue:
    """Totals follow."""
    with context.database().writing() as session:
        found = load(session, match)
        record = get_entry(found.record, entry)
        _forget_photos(session, record)
        found.record.entries.remove(record)
        found.record.revision += 1
        session.flush()
        return _answer(found)


@blueprint.post("/<match>/entries/<entry>/tables")
@operation("Add a table to an entry", TABLE, request=NewEntryTable, status=201, errors=(404, 409, 422, 503))
def add_table(match: str, entry: str) -> ResponseReturnValue:
    """Reads the photograph if one is named, which takes seconds."""
    asked = body(NewEntryTable)
    with context.database().reading() as session:
        found = load(session, match)
        _open_entry(found, entry)
        options = dict(found.record.options)
        key = found.record.deck
    if asked.photo is not None:
        return table_read(Task(asked.photo, key, options, entry)), 201
    with context.database().writing() as session:
        found = load(session, match)
        record = _open_entry(found, entry)
        state = None if asked.copy_of is None else _copied(session, found, asked.copy_of)
        table = service.make_table(session, key, found.deck, options, entry=record, state=state)
        found.record.revision += 1
        session.flush()
        session.refresh(record, ["tables"])
        return jsonify(view_of(service.loaded(table, found.deck), None)), 201


def _open_entry(match: LoadedMatch, entry: str) -> Entry:
    record = get_entry(match.record, entry)
    if record.confirmed:
        raise ApiError(409, "confirmed-already")
    return record


def _copied(session: Session, match: LoadedMatch, table_id: str) -> State:
    """The cards of another table of the match, to be laid on from there by hand; of a confirmed one as it is known."""
    source = service.get_table(session, table_id)
    if source.entry is None or source.entry.match_id != match.record.id:
        raise ApiError(404, "unknown-table")
    standing = following.standing_after(match, source.entry)
    layout = standing.table if standing else service.loaded(source, match.deck).judged().layout
    cards = [{"id": c.id, "face": c.face, "x": c.x, "y": c.y, "turn": c.turn} for c in layout.cards]
    return State.model_validate({"cards": tuple(cards)})


@blueprint.get("/<match>/match.csv")
@operation("A match for a spreadsheet", STRING, errors=(404, 422), media="text/csv")
def export_csv(match: str) -> ResponseReturnValue:
    """UTF-8 with a mark, so that spreadsheets read Cyrillic."""
    with context.database().reading() as session:
        view = match_view(load(session, match), rules_messages())
    text = "\N{BYTE ORDER MARK}" + as_csv(view, messages())
    headers = {"Content-Disposition": 'attachment; filename="match.csv"'}
    return Response(text, content_type="text/csv; charset=utf-8", headers=headers)


@blueprint.get("/<match>/match.json")
@operation("A match for other programs", MATCH, errors=(404, 422))
def export_json(match: str) -> ResponseReturnValue:
    """The events as they are replayed, and the layouts of all tables."""
    with context.database().reading() as session:
        found = load(session, match)
        view: dict[str, Any] = match_view(found, rules_messages())
        for entry, told in zip(found.record.entries, view["entries"], strict=True):
            for record, table in zip(entry.tables, told["tables"], strict=True):
                table["layout"] = service.loaded(record, found.deck).judged().layout.to_dict()
    response = jsonify(view)
    response.headers["Content-Disposition"] = 'attachment; filename="match.json"'
    return response
