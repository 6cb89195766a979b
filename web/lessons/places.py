"""Where may the next card lie? Places beside what lies there, each tried by laying a card and asking the referee."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from referee.decks import ARROWS, ArrowFace, CatFace, Deck, Game
from referee.errors import LayoutError
from referee.games import judge
from referee.games.box_table import BoxTable
from referee.layouts import Layout, PlacedCard
from referee.limits import Limits
from referee.moves import judge_move
from referee.options import Options
from referee.rulebook import Violation
from referee.verdicts import PathsVerdict, RoutesVerdict
from web.tables.neighbours import beside, is_taken

TRIED = "tried"
"""The id of the card that is tried."""
MOST_PLACES = 10
MOST_FACES = 6
"""So many path cards are tried at most for one that fits in some places and not in others."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that is offered as an answer, and whether a card may lie there."""

    name: str
    card: PlacedCard
    is_right: bool


def places(
    layout: Layout, before: Layout | None, deck: Deck, options: Options, face: str | None
) -> tuple[str | None, tuple[Slot, ...]]:
    """(the face that is to be laid, None if any; the places). before: the table before the move that led to `layout`.

    Cat and Mouse: round the first Start and the last card of its route, for any card. Multicoloured Paths: beside the
    cards that lie there, for one card in any turn. If It Fits: across joined long sides, for one cat.
    Raises LayoutError if the deck has no such face.
    """
    if face is not None and face not in deck:
        raise LayoutError("unknown-face", f'face "{face}" is not in the deck "{deck.name}".')
    if deck.game is Game.CAT_AND_MOUSE:
        return None, _named(_beside_route(layout, deck, options))
    if deck.game is Game.IF_IT_FITS:
        cat = face or next((f.id for f in deck.faces if isinstance(f, CatFace) and not f.asleep), None)
        return (None, ()) if cat is None else (cat, _named(_across_sides(layout, before, deck, options, cat)))
    free = list(_beside_cards(layout, deck))
    there = {card.face for card in layout.cards}
    chosen: tuple[str | None, tuple[Slot, ...]] = None, ()
    for path in [face] if face else [f.id for f in deck.faces if f.id not in there][:MOST_FACES]:
        slots = _named((place, _path_fits(layout, place, deck, options, path)) for place in free)
        chosen = path, slots
        if {slot.is_right for slot in slots} == {True, False}:
            break
    return chosen


def _named(found: Iterator[tuple[PlacedCard, bool]]) -> tuple[Slot, ...]:
    """At most so many places, the right ones among them, in the order in which they were found, with letters."""
    listed = list(found)
    kept = sorted(range(len(listed)), key=lambda n: not listed[n][1])[:MOST_PLACES]
    return tuple(Slot(chr(ord("A") + n), *listed[at]) for n, at in enumerate(sorted(kept)))


def _beside_route(layout: Layout, deck: Deck, options: Options) -> Iterator[tuple[PlacedCard, bool]]:
    verdict = judge(layout, deck, options).verdict
    if not isinstance(verdict, RoutesVerdict) or not verdict.routes:
        return
    route = verdict.routes[0]
    probe = next(face for face in deck.faces if isinstance(face, ArrowFace) and face.kind == "move")
    found: list[PlacedCard] = []
    for around in dict.fromkeys((route.valid[-1] if route.valid else route.start, route.start)):
        for place in _round(layout.by_id[around], deck):
            if is_taken(place, (*layout.cards, *found), deck):
                continue
            found.append(place)
            tried = place.model_copy(update={"id": TRIED, "face": probe.id})
            after = judge(_with(layout, tried), deck, options).verdict
            fits = isinstance(after, RoutesVerdict) and any({TRIED, *route.valid} <= set(r.valid) for r in after.routes)
            yield tried, fits


def _beside_cards(layout: Layout, deck: Deck) -> Iterator[PlacedCard]:
    """Free places beside the cards of the largest group."""
    verdict = judge(layout, deck).verdict
    groups = verdict.groups if isinstance(verdict, PathsVerdict) else ()
    largest = max(groups, key=len, default=())
    found: list[PlacedCard] = []
    for card in largest:
        for place in _round(layout.by_id[card], deck):
            if not is_taken(place, (*layout.cards, *found), deck):
                found.append(place)
                yield place


def _path_fits(layout: Layout, place: PlacedCard, deck: Deck, options: Options, face: str) -> bool:
    """Whether a path card may lie there in some turn."""
    turned = (place.model_copy(update={"id": TRIED, "face": face, "turn": place.turn + 90 * n}) for n in range(4))
    return any(judge_move(layout, _with(layout, tried), deck, options).legal for tried in turned)


def _across_sides(
    layout: Layout, before: Layout | None, deck: Deck, options: Options, cat: str
) -> Iterator[tuple[PlacedCard, bool]]:
    """Across joined long sides. Without a table before nothing is known of what was played last."""
    table = BoxTable(layout.cards, deck, Limits().if_it_fits)
    width = deck.card_mm[0]
    for joint in table.joints:
        if not joint.is_long:
            continue
        a, b = layout.cards[joint.a], layout.cards[joint.b]
        tried = PlacedCard(id=TRIED, face=cat, x=(a.x + b.x) / 2, y=(a.y + b.y) / 2, turn=a.turn + 90)
        if any(math.hypot(layout.cards[i].x - tried.x, layout.cards[i].y - tried.y) < 0.3 * width for i in table.awake):
            continue
        move = judge_move(before or layout, _with(layout, tried), deck, options)
        unknown = () if before is not None else (Violation.CAT_NOT_ON_NEW_BOX,)
        broken = [f for f in (*move.faults, *move.ruling.faults) if TRIED in f.cards and f.rule not in unknown]
        yield tried, not broken


def _round(card: PlacedCard, deck: Deck) -> Iterator[PlacedCard]:
    """The four places beside a card."""
    return (beside(card, side, deck).model_copy(update={"id": TRIED}) for side in range(len(ARROWS)))


def _with(layout: Layout, card: PlacedCard) -> Layout:
    return layout.model_copy(update={"cards": (*layout.cards, card), "order": None})
