"""From an entry to the event that counts: only what is certain, or what the players decided, is let through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.decks import BoxFace, CatFace, Game, PrincessFace
from referee.errors import LayoutError
from referee.match import cat_and_mouse, coloured_paths, if_it_fits
from referee.match.lying import laid_cards
from referee.match.problems import Problem
from referee.moves import MoveRuling
from referee.verdicts import ExtraTurn, Outcome, RoutesVerdict
from web.errors import ApiError
from web.matches.following import FOUND, SEEN, KeptStanding, TableMove, is_under_way, move_of, tables_of
from web.matches.records import LoadedMatch
from web.storage.models import Entry
from web.tables.service import LoadedTable
from web.tables.view import may_count


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
    elif entry.kind == FOUND or is_under_way(match, entry):
        event = _found(match, entry, tables)
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
    shown = move_of(match, entry)
    if shown is not None and shown.after is not None:
        dumped[SEEN] = KeptStanding.of(shown.after).model_dump(mode="json")
        dumped["cards"] = [] if shown.move is None else [shown.names.get(card, card) for card in shown.move.cards]
    return dumped


def _certain_move(match: LoadedMatch, entry: Entry) -> TableMove | None:
    """The move of an entry; None if it has no table or is the first. Raises ApiError (409) if it is not sure."""
    shown = move_of(match, entry)
    if shown is None:
        return None
    decided = tables_of(entry, match.deck)[-1].state.decided
    if shown.lost is not None:
        raise ApiError(409, "cannot-follow")
    if not shown.certain and not decided:
        raise ApiError(409, "not-sure-yet")
    return shown


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


def princesses_on(table: LoadedTable) -> int:
    """How many Princesses have been laid on a table; whose they are it does not show."""
    judged = table.judged()
    laid = laid_cards(judged.ruling, judged.layout)
    return sum(isinstance(table.deck.face(card.face), PrincessFace) for card in laid)


def _found(match: LoadedMatch, entry: Entry, tables: list[LoadedTable]) -> coloured_paths.Found | if_it_fits.Found:
    """The table as it lies, and what it does not show: who plays next, the cards in hand, whose a Princess is."""
    if not tables:
        raise ApiError(409, "no-table-yet")
    judged, told = tables[-1].judged(), entry.data
    following = told.get("next") or entry.player or match.players[0]
    if match.game is Game.COLOURED_PATHS:
        hands: dict[str, int] = told.get("hands", {})
        if set(hands) != set(match.players):
            raise ApiError(422, "cards-in-hand")
        in_turn = {player: hands[player] for player in match.players}
        return coloured_paths.found_from(judged.ruling, judged.layout, following, in_turn)
    whose: list[str] = told.get("princesses", [])
    if len(whose) != princesses_on(tables[-1]):
        raise ApiError(422, "whose-princess")
    return if_it_fits.found_from(judged.ruling, judged.layout, match.deck, following, whose)


def _laid(match: LoadedMatch, entry: Entry) -> coloured_paths.Laid:
    """A move of Multicoloured Paths: as the table shows it, or as the players tell it."""
    shown = _certain_move(match, entry)
    player = _player(entry)
    if shown is None:
        told = entry.data
        reasons = tuple(reason for reason in ExtraTurn if reason.value in told.get("extra_turn", ()))
        return coloured_paths.Laid(player=player, ring=bool(told.get("ring")), extra_turn=reasons)
    if shown.move is None:  # whatever lies there at the beginning is taken as found
        legal = tables_of(entry, match.deck)[-1].judged().ruling.outcome is not Outcome.INVALID
        return coloured_paths.Laid(player=player, legal=legal)
    if not shown.move.cards:
        raise ApiError(409, "no-move-seen")
    if len(shown.move.cards) > 1:
        raise ApiError(409, "two-moves-seen")
    return coloured_paths.laid_from(player, shown.move)


def _turn(match: LoadedMatch, entry: Entry) -> if_it_fits.Turn:
    """A turn of If It Fits: as the table shows it, or as the players tell it."""
    shown = _certain_move(match, entry)
    if shown is not None and shown.move is not None:
        return _turn_shown(match, _player(entry), shown, shown.move)
    told = entry.data
    if shown is not None and not any(told.get(name) for name in ("box", "cat", "asleep", "princess_replaces")):
        raise ApiError(422, "what-was-played")
    return if_it_fits.Turn(
        player=_player(entry),
        box=bool(told.get("box")),
        cat=bool(told.get("cat")),
        asleep=bool(told.get("asleep")),
        princess_replaces=told.get("princess_replaces") or None,
    )


def _turn_shown(match: LoadedMatch, player: str, shown: TableMove, move: MoveRuling) -> if_it_fits.Turn:
    """Raises ApiError (409) if nothing was played, or if a cat is another player's."""
    if not move.cards:
        raise ApiError(409, "no-move-seen")
    faces = [match.deck.face(shown.layout.by_id[card].face) for card in move.cards]
    cats = [face for face in faces if isinstance(face, CatFace)]
    if any(cat.player != player for cat in cats):
        raise ApiError(409, "cat-of-another", player=match.name(player))
    princess = any(isinstance(face, PrincessFace) for face in faces)
    gone = [] if shown.before is None else [c for c in shown.before.table.cards if c.id in move.removed]
    owners = [face.player for face in map(match.deck.face, (c.face for c in gone)) if isinstance(face, CatFace)]
    return if_it_fits.Turn(
        player=player,
        box=any(isinstance(face, BoxFace) and face.kind != "start" for face in faces),
        cat=any(not cat.asleep for cat in cats),
        asleep=any(cat.asleep for cat in cats),
        princess_replaces=next(iter(owners), None) if princess else None,
        legal=move.legal,
    )


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
