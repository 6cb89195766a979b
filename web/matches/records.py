"""Stored matches as the rules half takes them: settings, deck, confirmed events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from referee.decks import CatFace, Deck, Game
from referee.match import cat_and_mouse, coloured_paths, if_it_fits
from referee.options import Options
from web.errors import ApiError
from web.options import options_of
from web.storage.models import Entry, Match

KINDS: dict[Game, tuple[str, ...]] = {
    Game.CAT_AND_MOUSE: ("round",),
    Game.COLOURED_PATHS: ("laid", "found", "drew", "passed"),
    Game.IF_IT_FITS: ("turn", "found", "pile-empty", "scored"),
}
"""What can be entered in a match of each game; the names are those of the events of `referee.match`."""

MOST_PLAYERS = {Game.CAT_AND_MOUSE: 4, Game.COLOURED_PATHS: 4, Game.IF_IT_FITS: 5}

State = cat_and_mouse.State | coloured_paths.State | if_it_fits.State
Event = cat_and_mouse.RoundPlayed | coloured_paths.Event | if_it_fits.Event

_EVENTS: dict[Game, TypeAdapter[Any]] = {
    Game.CAT_AND_MOUSE: TypeAdapter(cat_and_mouse.RoundPlayed),
    Game.COLOURED_PATHS: TypeAdapter(coloured_paths.Event),
    Game.IF_IT_FITS: TypeAdapter(if_it_fits.Event),
}


@dataclass(frozen=True, slots=True, eq=False)
class LoadedMatch:
    """A stored match with its deck and options."""

    record: Match
    deck: Deck
    options: Options

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.deck.game

    @property
    def players(self) -> tuple[str, ...]:
        """The keys of the players, in the order of their turns."""
        return tuple(player["key"] for player in self.record.players)

    def name(self, key: str) -> str:
        """What a player is called."""
        return next((player["name"] for player in self.record.players if player["key"] == key), key)

    def confirmed(self) -> list[Entry]:
        """The entries that count, in order."""
        return [entry for entry in self.record.entries if entry.confirmed and entry.event is not None]

    def state(self, entries: Sequence[Entry] | None = None) -> State:
        """Where the match stands after these entries (all that are confirmed)."""
        counted = self.confirmed() if entries is None else entries
        return self.replay([entry.event for entry in counted if entry.event is not None])

    def replay(self, events: Sequence[dict[str, Any]]) -> State:
        """Play stored events in order."""
        return replayed(self.game, self.players, self.deck, self.options, self.record.hand, events)


def replayed(
    game: Game,
    players: tuple[str, ...],
    deck: Deck,
    options: Options,
    hand: int | None,
    events: Sequence[dict[str, Any]],
) -> State:
    """Play events in their stored form. hand: see `if_it_fits.Settings`. Raises ValidationError for what is none."""
    made = [_EVENTS[game].validate_json(json.dumps(event)) for event in events]
    if game is Game.CAT_AND_MOUSE:
        settings = cat_and_mouse.Settings(players=players, options=options.cat_and_mouse)
        return cat_and_mouse.replay(settings, deck, made)
    if game is Game.COLOURED_PATHS:
        return coloured_paths.replay(coloured_paths.Settings(players=players), deck, made)
    fits = if_it_fits.Settings(players=players, options=options.if_it_fits, hand=hand)
    return if_it_fits.replay(fits, deck, made)


def get_match(session: Session, match_id: str) -> Match:
    """The match with this id. Raises ApiError (404)."""
    record = session.get(Match, match_id)
    if record is None:
        raise ApiError(404, "unknown-match")
    return record


def get_entry(match: Match, entry_id: str) -> Entry:
    """An entry of a match. Raises ApiError (404)."""
    entry = next((entry for entry in match.entries if entry.id == entry_id), None)
    if entry is None:
        raise ApiError(404, "unknown-entry")
    return entry


def loaded(record: Match, deck: Deck) -> LoadedMatch:
    """A stored match with its values."""
    return LoadedMatch(record, deck, options_of(deck.game, record.options))


def colours_of(deck: Deck) -> list[str]:
    """The colours of cats that a deck has: in If It Fits they are the players."""
    return list(dict.fromkeys(face.player for face in deck.faces if isinstance(face, CatFace)))


COLOURS = ("blue", "green", "purple", "red", "yellow")
"""For the other games only a help to the eye, in this order."""


def seated(given: Sequence[tuple[str, str | None]], deck: Deck) -> list[dict[str, str]]:
    """Players (name, colour) with keys. Raises ApiError (422) if they are too few, too many, or alike."""
    game = deck.game
    if not 2 <= len(given) <= MOST_PLAYERS[game]:
        raise ApiError(422, "players-number", most=MOST_PLAYERS[game])
    names = [name.strip() for name, _ in given]
    if not all(names):
        raise ApiError(422, "player-nameless")
    if len({name.casefold() for name in names}) < len(names):
        raise ApiError(422, "players-alike")
    known = colours_of(deck) if game is Game.IF_IT_FITS else list(COLOURS)
    wanted = [colour for _, colour in given if colour]
    if len(set(wanted)) < len(wanted) or not set(wanted) <= set(known):
        raise ApiError(422, "players-colours")
    free = iter([colour for colour in known if colour not in wanted])
    players = []
    for number, (name, (_, colour)) in enumerate(zip(names, given, strict=True), 1):
        chosen = colour or next(free)
        key = chosen if game is Game.IF_IT_FITS else f"p{number}"
        players.append({"key": key, "name": name, "colour": chosen})
    return players
