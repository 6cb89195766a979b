"""From an entry to the event that counts: only what is certain, or what the players decided, is let through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.decks import BoxFace, CatFace, Deck, Game, PrincessFace
from referee.errors import LayoutError
from referee.layouts import Layout, parse_layout
from referee.match import cat_and_mouse, coloured_paths, if_it_fits
from referee.match.problems import Problem
from referee.moves import MoveRuling, judge_move
from referee.verdicts import ExtraTurn, Outcome, RoutesVerdict
from web.errors import ApiError
from web.matches.alignment import aligned
from web.matches.records import LoadedMatch
from web.storage.models import Entry
from web.tables.judging import JudgedTable
from web.tables.service import LoadedTable, loaded
from web.tables.view import may_count

SHOWN = ("laid", "turn")
"""Entries whose table, if there is one, shows a move."""
SEEN = "layout"
"""In a confirmed event: the table as it was then, by which the next move is found."""


def tables_of(entry: Entry, deck: Deck) -> list[LoadedTable]:
    """The tables of an entry."""
    return [loaded(record, deck) for record in entry.tables]


def event_of(match: LoadedMatch, entry: Entry) -> dict[str, Any]:
    """What a confirmed entry adds to the match. Raises ApiError (409 or 422) with what is still to be done."""
    tables = tables_of(entry, match.deck)
    for table in tables:
        judged = table.judged()
        if not may_count(judged.ruling, table.state):
            count = table.state.counted
            differs = count is not None and count != len(table.state.cards)
            raise ApiError(409, "count-differs" if differs else "not-sure-yet")
    if match.game is Game.CAT_AND_MOUSE:
        event: Any = _round(match, entry, tables)
    elif entry.kind == "laid":
        event = _laid(match, entry)
    elif entry.kind == "drew":
        event = coloured_paths.Drew(player=_player(entry))
    elif entry.kind == "passed":
        event = coloured_paths.Passed(player=_player(entry))
    elif entry.kind == "turn":
        event = _turn(match, entry)
    elif entry.kind == "pile-empty":
        event = if_it_fits.PileEmpty()
    else:
        event = _scored(tables)
    dumped: dict[str, Any] = event.model_dump(mode="json")
    if entry.kind in SHOWN and tables and (shown := move_of(match, entry)) is not None:
        dumped[SEEN] = shown.layout.to_dict()
        dumped["cards"] = [shown.names.get(card, card) for card in shown.move.cards]
    return dumped


def _player(entry: Entry) -> str:
    if not entry.player:
        raise ApiError(422, "whose-turn")
    return entry.player


def _round(match: LoadedMatch, entry: Entry, tables: list[LoadedTable]) -> cat_and_mouse.RoundPlayed:
    """All routes of all tables of the round, each of the player to whom its Start was given."""
    if not tables:
        raise ApiError(409, "no-table-yet")
    owners: dict[str, str] = entry.data.get("owners", {})
    routes: list[cat_and_mouse.RouteWon] = []
    finish_seen = False
    for table in tables:
        judged = table.judged()
        whose = owners_on(table.record.id, owners, match.players)
        verdict = judged.ruling.verdict
        if isinstance(verdict, RoutesVerdict) and any(r.valid and r.start not in whose for r in verdict.routes):
            raise ApiError(422, "whose-start")
        played = cat_and_mouse.round_from(judged.ruling, judged.layout, match.deck, whose)
        routes += played.routes
        finish_seen = finish_seen or played.finish_seen
    twice = [player for player, number in Counter(route.player for route in routes).items() if number > 1]
    if twice:
        raise ApiError(422, "two-starts", player=match.name(twice[0]))
    return cat_and_mouse.RoundPlayed(routes=tuple(routes), finish_seen=finish_seen)


def owners_on(table_id: str, owners: dict[str, str], players: tuple[str, ...]) -> dict[str, str]:
    """Whose each Start of a table is, by the ids of the cards."""
    return {
        place.partition("/")[2]: player
        for place, player in owners.items()
        if place.partition("/")[0] == table_id and player in players
    }


@dataclass(frozen=True, slots=True, eq=False)
class TableMove:
    """What was done since the last confirmed table (`before`). names: what the cards are called in the picture."""

    move: MoveRuling
    before: Layout
    layout: Layout
    names: dict[str, str]


def move_of(match: LoadedMatch, entry: Entry) -> TableMove | None:
    """The move that an entry's table shows against the last confirmed table before it; None without a table."""
    tables = tables_of(entry, match.deck)
    if not tables:
        return None
    judged = tables[-1].judged()
    before = _table_before(match, entry)
    side = match.deck.card_mm[0]
    if not before.cards and match.game is Game.IF_IT_FITS:  # the first picture: only the Start boxes lay there before
        starts = tuple(card for card in judged.layout.cards if match.deck.face(card.face).kind == "start")
        before = before.model_copy(update={"cards": starts})
    after, names = _renamed(judged, before, side)
    return TableMove(judge_move(before, after, match.deck, match.options), before, after, names)


def _renamed(judged: JudgedTable, before: Layout, side: float) -> tuple[Layout, dict[str, str]]:
    """The layout with the ids of the table before, and what its cards are called in the picture."""
    after, ids = aligned(before, judged.layout, side)
    return after, {new: judged.numbering.cards.get(old, old) for old, new in ids.items()}


def _table_before(match: LoadedMatch, entry: Entry) -> Layout:
    """The last confirmed table before an entry, its cards named through all tables before; empty at the beginning."""
    for earlier in reversed(match.confirmed()):
        if earlier.position < entry.position and earlier.event and SEEN in earlier.event:
            return parse_layout(earlier.event[SEEN])
    return Layout(game=match.game, cards=())


def _laid(match: LoadedMatch, entry: Entry) -> coloured_paths.Laid:
    """A move of Multicoloured Paths: as the table shows it, or as the players tell it."""
    shown = move_of(match, entry)
    player = _player(entry)
    if shown is None:
        told = entry.data
        reasons = tuple(reason for reason in ExtraTurn if reason.value in told.get("extra_turn", ()))
        return coloured_paths.Laid(player=player, ring=bool(told.get("ring")), extra_turn=reasons)
    first = not any(e.kind == "laid" and e.position < entry.position for e in match.confirmed())
    if first:  # whatever lies there at the beginning is taken as found
        legal = tables_of(entry, match.deck)[-1].judged().ruling.outcome is not Outcome.INVALID
        return coloured_paths.Laid(player=player, legal=legal)
    if not shown.move.cards:
        raise ApiError(409, "no-move-seen")
    if len(shown.move.cards) > 1:
        raise ApiError(409, "two-moves-seen")
    return coloured_paths.laid_from(player, shown.move)


def _turn(match: LoadedMatch, entry: Entry) -> if_it_fits.Turn:
    """A turn of If It Fits: as the table shows it, or as the players tell it."""
    shown = move_of(match, entry)
    if shown is not None:
        return _turn_shown(match, _player(entry), shown)
    told = entry.data
    return if_it_fits.Turn(
        player=_player(entry),
        box=bool(told.get("box")),
        cat=bool(told.get("cat")),
        asleep=bool(told.get("asleep")),
        princess_replaces=told.get("princess_replaces") or None,
    )


def _turn_shown(match: LoadedMatch, player: str, shown: TableMove) -> if_it_fits.Turn:
    """Raises ApiError (409) if nothing was played, or if a cat is another player's."""
    if not shown.move.cards:
        raise ApiError(409, "no-move-seen")
    faces = [match.deck.face(shown.layout.by_id[card].face) for card in shown.move.cards]
    cats = [face for face in faces if isinstance(face, CatFace)]
    if any(cat.player != player for cat in cats):
        raise ApiError(409, "cat-of-another", player=match.name(player))
    princess = any(isinstance(face, PrincessFace) for face in faces)
    return if_it_fits.Turn(
        player=player,
        box=any(isinstance(face, BoxFace) and face.kind != "start" for face in faces),
        cat=any(not cat.asleep for cat in cats),
        asleep=any(cat.asleep for cat in cats),
        princess_replaces=next(iter(_gone_cats(match, shown)), None) if princess else None,
        legal=shown.move.legal,
    )


def _gone_cats(match: LoadedMatch, shown: TableMove) -> list[str]:
    """Whose cats are not on the table any more."""
    faces = [match.deck.face(card.face) for card in shown.before.cards if card.id in shown.move.removed]
    return [face.player for face in faces if isinstance(face, CatFace)]


def _scored(tables: list[LoadedTable]) -> if_it_fits.Scored:
    if not tables:
        raise ApiError(409, "no-table-yet")
    try:
        return if_it_fits.scored_from(tables[-1].judged().ruling)
    except LayoutError:
        raise ApiError(409, "not-sure-yet") from None


def problems_at(match: LoadedMatch, entries: list[Entry]) -> Iterator[tuple[Entry, Problem]]:
    """What cannot happen in the match as its entries stand, with the entry concerned."""
    for problem in match.state(entries).problems:
        yield entries[problem.event], problem
