"""A match as its page draws it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from flask import url_for

from referee import texts
from referee.decks import ArrowFace, Deck
from referee.explain import explain_problem
from referee.match import cat_and_mouse, coloured_paths
from referee.match.problems import Problem
from referee.messages import Messages
from referee.moves import MoveRuling
from referee.verdicts import BoxesVerdict, ExtraTurn, RoutesVerdict
from web.decks import words_of
from web.matches.confirming import owners_on, princesses_on, problems_at
from web.matches.following import FOUND, SHOWN, TableMove, is_under_way, move_of, tables_of
from web.matches.records import KINDS, LoadedMatch
from web.messages import WebMessages
from web.options import choices
from web.readings.runner import open_readings
from web.storage.models import Entry
from web.tables.service import LoadedTable
from web.tables.step import Move, move_told
from web.tables.view import may_count


def match_view(match: LoadedMatch, messages: Messages) -> dict[str, Any]:
    """Players with their points, whose turn it is, every entry with its tables and a photograph that is being read."""
    record = match.record
    reading = open_readings(record)
    state = match.state()
    problems = {entry.id: problem for entry, problem in problems_at(match, match.confirmed())}
    entries = [
        _entry(match, number, entry, problems.get(entry.id), messages) | {"reading": reading.get(entry.id)}
        for number, entry in enumerate(record.entries, 1)
    ]
    return {
        "id": record.id,
        "revision": record.revision,
        "created": record.created_at.isoformat(),
        "title": record.title,
        "note": record.note,
        "game": match.game.value,
        "deck": record.deck,
        "options": record.options,
        "choices": choices(match.game, messages),
        "kinds": list(KINDS[match.game]),
        "players": [_player(player, state) for player in record.players],
        "entries": entries,
        **_state(match.deck, state, messages),
    }


def _player(player: dict[str, str], state: Any) -> dict[str, Any]:
    key = player["key"]
    told: dict[str, Any] = {**player}
    if isinstance(state, cat_and_mouse.State):
        told |= {"total": state.totals[key], "pile": list(state.piles[key])}
    elif isinstance(state, coloured_paths.State):
        told |= {"hand": state.hands[key], "loses_turn": key in state.losing_turn}
    else:
        told |= {
            "total": state.totals.get(key, 0),
            "cats_left": state.cats_left[key],
            "cats_awake": state.cats_awake[key],
            "princess_left": state.princess_left[key],
            "hand": None if state.hands is None else state.hands[key],
        }
    return told


def _state(deck: Deck, state: Any, messages: Messages) -> dict[str, Any]:
    if isinstance(state, cat_and_mouse.State):
        words = words_of(deck, messages, WebMessages(messages.language))
        notes = [
            messages.text(texts.NOTES[note.kind], note.number, cards=words(deck.face(note.name or "")))
            for note in state.notes
        ]
        return {
            "over": state.over,
            "winners": list(state.winners),
            "turn": None,
            "rounds": state.rounds,
            "rounds_of": cat_and_mouse.ROUNDS,
            "notes": notes,
        }
    if isinstance(state, coloured_paths.State):
        return {
            "over": state.over,
            "winners": [state.winner] if state.winner else [],
            "turn": state.turn or None,
            "bank": state.bank,
            "drew": state.drew,
            "stuck": state.stuck,
            "notes": [],
        }
    return {
        "over": state.over,
        "winners": list(state.winners),
        "turn": state.turn or None,
        "pile": state.pile,
        "last_phase": state.last_phase,
        "hands_empty": state.hands_empty,
        "notes": [],
    }


def _entry(
    match: LoadedMatch, number: int, entry: Entry, problem: Problem | None, messages: Messages
) -> dict[str, Any]:
    tables = tables_of(entry, match.deck)
    told: dict[str, Any] = {
        "id": entry.id,
        "number": number,
        "kind": entry.kind,
        "player": entry.player,
        "confirmed": entry.confirmed,
        "created": entry.created_at.isoformat(),
        "note": entry.note,
        "data": entry.data,
        "event": entry.event if entry.confirmed else None,
        "tables": [_table(match, entry, table, messages) for table in tables],
        "points": _points(match, entry),
        "problem": None if problem is None else problem_text(match, problem, messages),
    }
    is_found = (entry.event or {}).get("kind") == FOUND
    told |= {"as_found": False, "under_way": False, "shown_as": FOUND if is_found else entry.kind}
    if entry.kind in SHOWN and tables:
        shown = move_of(match, entry)
        told["as_found"] = shown is not None and shown.move is None and shown.lost is None
        if not entry.confirmed and is_under_way(match, entry):
            told |= {"under_way": True, "shown_as": FOUND}
        told["princesses"] = princesses_on(tables[-1])
        told["move"] = _settled(entry.event, messages) if entry.confirmed else _move(match, shown, messages)
    return told


def problem_text(match: LoadedMatch, problem: Problem, messages: Messages) -> str:
    """Why an event cannot happen, with the player's name."""
    named = dataclasses.replace(problem, player=match.name(problem.player))
    return explain_problem(named, messages).text


def _points(match: LoadedMatch, entry: Entry) -> dict[str, int]:
    """What a confirmed entry brought each player."""
    event = entry.event or {}
    if not entry.confirmed:
        return {}
    if entry.kind == "scored":
        return {str(player): int(points) for player, points in event.get("scores", ())}
    found: dict[str, int] = {}
    for route in event.get("routes", ()):
        faces = [match.deck.face(face) for face in route["faces"]]
        found[route["player"]] = sum(face.points for face in faces if isinstance(face, ArrowFace))
    return found


def _table(match: LoadedMatch, entry: Entry, table: LoadedTable, messages: Messages) -> dict[str, Any]:
    judged = table.judged()
    record, verdict = table.record, judged.ruling.verdict
    photo = None if record.photo_id is None else url_for("photos.show", photo=record.photo_id)
    told: dict[str, Any] = {
        "id": record.id,
        "url": url_for("tables_pages.show", table=record.id),
        "photo": photo,
        "outcome": judged.ruling.outcome.value,
        "may_count": may_count(judged.ruling, table.state),
        "decided": table.state.decided,
        "cards": len(table.state.cards),
        "verdict": [s.text for s in judged.sentences(messages)[:1]],
    }
    if isinstance(verdict, RoutesVerdict):
        whose = owners_on(record.id, entry.data.get("owners", {}), match.players)
        told["routes"] = [
            {
                "start": route.start,
                "place": f"{record.id}/{route.start}",
                "label": judged.numbering.cards.get(route.start, route.start),
                "cards": len(route.valid),
                "points": route.points,
                "finished": route.finished,
                "owner": whose.get(route.start),
            }
            for route in verdict.routes
        ]
    if isinstance(verdict, BoxesVerdict):
        told["scores"] = dict(verdict.scores)
        told["boxes"] = [box.to_dict() for box in verdict.boxes]
    return told


def _settled(event: dict[str, Any] | None, messages: Messages) -> dict[str, Any]:
    """A move that was confirmed, as it was found then."""
    known = event or {}
    reasons = [reason for reason in ExtraTurn if reason.value in known.get("extra_turn", ())]
    return {
        "cards": known.get("cards", []),
        "legal": known.get("legal", True),
        "certain": True,
        "ring": bool(known.get("ring")),
        "extra_turn": [reason.value for reason in reasons],
        "sentences": _earned(bool(known.get("ring")), reasons, messages),
    }


def _earned(ring: bool, reasons: Iterable[ExtraTurn], messages: Messages) -> list[str]:
    """What a move brings, in words."""
    return [messages.text(texts.MOVE_RING)] * ring + [messages.text(texts.EXTRA_TURNS[reason]) for reason in reasons]


def _told(match: LoadedMatch, shown: TableMove, move: MoveRuling, messages: Messages) -> tuple[str, ...]:
    """A move in sentences."""
    return move_told(move, shown.certain, shown.layout, match.deck, messages, shown.names)


def move_in_steps(match: LoadedMatch, entry: Entry, messages: Messages) -> Move | None:
    """The move that an entry's table shows, for its steps; None if it shows none."""
    shown = move_of(match, entry)
    if shown is None or shown.move is None:
        return None
    judged = tables_of(entry, match.deck)[-1].judged()
    ids = {label: card for card, label in judged.numbering.cards.items()}
    labels = [shown.names.get(card, card) for card in shown.move.cards]
    cards = tuple(ids.get(label, label) for label in labels)
    there = tuple(card for card in cards if card in judged.layout.by_id)
    return Move(there, shown.move.legal, shown.certain, _told(match, shown, shown.move, messages))


def _move(match: LoadedMatch, shown: TableMove | None, messages: Messages) -> dict[str, Any] | None:
    if shown is None or (shown.move is None and shown.lost is None):
        return None
    if shown.move is None:
        text = WebMessages(messages.language).text("match.move-lost")
        return {"cards": [], "legal": None, "certain": False, "ring": False, "extra_turn": [], "sentences": [text]}
    return {
        "cards": [shown.names.get(card, card) for card in shown.move.cards],
        "legal": shown.move.legal,
        "certain": shown.certain,
        "ring": bool(shown.move.ring),
        "extra_turn": [reason.value for reason in shown.move.extra_turn or ()],
        "sentences": list(_told(match, shown, shown.move, messages)),
    }
