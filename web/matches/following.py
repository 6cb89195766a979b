"""Moves found on tables: each table of a match is followed from the last confirmed one, as `check --sequence` does.

A photograph of a turn is read on from the table before it (`read_on`): cards keep their ids, what a cat has covered
stays known, a card that is not seen is looked for. What people then leave of it is compared by rules only (`move_of`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import Field

from referee.certainty import CardReading, TableReading
from referee.decks import Deck, Game
from referee.games import judge
from referee.layouts import Layout, PlacedCard, parse_layout
from referee.match.lying import laid_cards
from referee.moves import MoveRuling, Standing, judge_next
from referee.options import Options
from referee.pipeline import CheckedPhoto, SeenCard
from referee.sequence import TableSequence
from referee.validation import Value
from referee.vision.decode import Photo
from referee.vision.detect import Found
from referee.vision.read import TableView
from referee.vision.track import Lost
from referee.vision.verify import Detections
from web.matches.records import LoadedMatch
from web.storage.models import Entry
from web.tables.judging import JudgedTable
from web.tables.service import LoadedTable, loaded

FOUND = "found"
"""The entry of a table as it lies, where a match is written down that was under way already."""
SHOWN = ("laid", "turn", FOUND)
"""Entries whose table, if there is one, shows a move, or what the next move is found from."""
SEEN = "standing"
"""In a confirmed event: how things stood then, from which the next move is found."""


class KeptStanding(Value):
    """`referee.moves.Standing` as it is stored with a confirmed event. layout: of the exchanged form."""

    layout: dict[str, Any]
    refused: tuple[str, ...] = ()
    rightful: dict[str, PlacedCard] = Field(default_factory=dict)

    @classmethod
    def of(cls, standing: Standing) -> KeptStanding:
        """Write it down."""
        return cls(
            layout=standing.table.to_dict(),
            refused=tuple(sorted(standing.refused)),
            rightful=dict(standing.rightful),
        )

    def standing(self, deck: Deck, options: Options) -> Standing:
        """The standing again."""
        table = parse_layout(self.layout)
        ruling = judge(table, deck, options)
        return Standing(table, ruling, frozenset(self.refused), self.rightful)


@dataclass(frozen=True, slots=True, eq=False)
class TableMove:
    """What was done since the last confirmed table.

    move: None if the cards could not be followed (`lost` says why), or if there is no table before. certain: whether
    every plausible reading gives this move. layout: the table after it; names: what its cards are called in the
    picture. before, after: how things stood and stand, cards having the same ids in both.
    """

    move: MoveRuling | None
    certain: bool
    layout: Layout
    names: Mapping[str, str]
    before: Standing | None
    after: Standing | None
    lost: Lost | None = None


def tables_of(entry: Entry, deck: Deck) -> list[LoadedTable]:
    """The tables of an entry."""
    return [loaded(record, deck) for record in entry.tables]


def standing_before(match: LoadedMatch, entry: Entry) -> Standing | None:
    """How things stood on the last confirmed table before an entry; None if there is none, or if the entry's own table
    is taken as it lies."""
    if entry.kind == FOUND:
        return None
    earlier = (e for e in reversed(match.confirmed()) if e.position < entry.position)
    return next((found for e in earlier if (found := standing_after(match, e)) is not None), None)


def standing_after(match: LoadedMatch, entry: Entry) -> Standing | None:
    """How things stood after a confirmed entry; None if it showed no table."""
    if entry.event is None or SEEN not in entry.event:
        return None
    return KeptStanding.model_validate_json(json.dumps(entry.event[SEEN])).standing(match.deck, match.options)


def read_on(match: LoadedMatch, entry: Entry, checked: CheckedPhoto) -> CheckedPhoto:
    """A fresh photograph of an entry, its cards followed from the table before it if it shows a move."""
    before = standing_before(match, entry) if entry.kind in SHOWN else None
    return checked if before is None else _sequence(match, before).look(checked).checked


KEPT_MOVES = 300
"""Moves kept in the process, so that following a long match does not judge all of them again and again."""
_moves: dict[tuple[str, str, Deck], TableMove] = {}


def move_of(match: LoadedMatch, entry: Entry) -> TableMove | None:
    """The move that an entry's table shows, as people left it; None without a table."""
    tables = tables_of(entry, match.deck) if entry.kind in SHOWN else []
    if not tables:
        return None
    before = standing_before(match, entry)
    kept = "" if before is None else KeptStanding.of(before).model_dump_json()
    judged = tables[-1].judged()
    if before is None:
        return _first(match, entry, judged)
    key = (tables[-1].content, kept, match.deck)
    known = _moves.get(key)
    if known is None:
        known = _moved(match, judged, before)
        if len(_moves) >= KEPT_MOVES:
            _moves.clear()
        _moves[key] = known
    return known


MOST_IN_A_TURN = {Game.IF_IT_FITS: 2, Game.COLOURED_PATHS: 1}
"""Cards that a turn may bring: a box and a cat, a card with paths."""


def is_under_way(match: LoadedMatch, entry: Entry) -> bool:
    """Whether an entry's table shows more than the first turn of a match of which nothing was told before."""
    tables = tables_of(entry, match.deck) if entry.kind in SHOWN else []
    if not tables or entry.kind == FOUND:
        return bool(tables)
    told = any(entry.data.get(name) for name in TOLD)
    return not told and not _has_begun(match, entry) and not _is_first_turn(match, tables[-1].judged())


TOLD = ("box", "cat", "asleep", "princess_replaces", "ring", "extra_turn")
"""What players may tell of a turn."""


def _has_begun(match: LoadedMatch, entry: Entry) -> bool:
    return any(e.kind in SHOWN and e.position < entry.position for e in match.confirmed())


def _is_first_turn(match: LoadedMatch, judged: JudgedTable) -> bool:
    """Whether no more than a turn's cards are laid, whatever lies beside them."""
    laid = laid_cards(judged.ruling, judged.layout)
    played = [card for card in laid if match.deck.face(card.face).kind != "start"]
    return len(played) <= MOST_IN_A_TURN[match.game]


def _first(match: LoadedMatch, entry: Entry, judged: JudgedTable) -> TableMove:
    """The first table of a match: taken as found. If it is of the first turn of If It Fits, only the Start boxes lay
    there before."""
    layout, names = judged.layout, judged.numbering.cards
    found = TableMove(None, True, layout, names, None, Standing(layout, judged.ruling))
    is_turn = match.game is Game.IF_IT_FITS and entry.kind != FOUND
    if not is_turn or _has_begun(match, entry) or not _is_first_turn(match, judged):
        return found
    starts = tuple(card for card in layout.cards if match.deck.face(card.face).kind == "start")
    empty = layout.model_copy(update={"cards": starts, "order": None})
    before = Standing(empty, judge(empty, match.deck, match.options))
    move = judge_next(before, layout, match.deck, match.options)
    return TableMove(move, True, layout, names, before, before.after(move, layout))


def _moved(match: LoadedMatch, judged: JudgedTable, before: Standing) -> TableMove:
    checked = _without_picture(judged, match.deck)
    sequence = _sequence(match, before)
    look = sequence.look(checked)
    answer = look.move
    if answer is not None and answer.ruling is not None:
        pairs = zip(look.checked.cards, checked.cards, strict=False)
        names = {now.id: judged.numbering.cards.get(was.id, was.id) for now, was in pairs}
        return TableMove(answer.ruling, answer.certain, look.checked.layout, names, before, sequence.standing)
    names = dict(judged.numbering.cards)
    if judged.checked is None and before.table.by_id.keys() & judged.layout.by_id.keys():
        # Laid on from the table before: its cards have kept their ids and places.
        move = judge_next(before, judged.layout, match.deck, match.options)
        return TableMove(move, True, judged.layout, names, before, before.after(move, judged.layout))
    lost = Lost.NO_CARD_IN_BOTH if answer is None or answer.lost is None else answer.lost
    return TableMove(None, False, judged.layout, names, before, None, lost)


def _sequence(match: LoadedMatch, before: Standing) -> TableSequence:
    return TableSequence.from_standing(before, "", match.deck, match.options)


def _without_picture(judged: JudgedTable, deck: Deck) -> CheckedPhoto:
    """A table as people left it, in the form that a sequence looks at. There is no picture to look at again: what
    people took away is gone."""
    none = Detections.none()
    if judged.checked is not None:
        checked = judged.checked
        view = TableView(checked.view.size, None, (), (), (), (), Found(none, None, none))
        return dataclasses.replace(checked, view=view)
    layout = judged.layout
    corners = np.zeros((4, 2))
    cards = tuple(SeenCard(card.id, card.face, corners, 1.0, None, 1.0) for card in layout.cards)
    reading = TableReading(deck.game, tuple(CardReading(card) for card in layout.cards), layout.name)
    view = TableView((1, 1), None, (), (), (), (), Found(none, None, none))
    photo = Photo(layout.name, np.empty((0, 0, 3), np.uint8), 1.0)
    return CheckedPhoto(photo, deck, view, cards, layout, judged.ruling, {}, reading)
