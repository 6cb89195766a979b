"""The same virtual table photographed after each move: the cards stay but for a nudge, the phone does not.

The table top, the lamps and the prints are one scene; where the phone is and what it does is drawn anew each time.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from referee.decks import BoxFace, Deck, Game
from referee.games import judge
from referee.layouts import Layout, PlacedCard, id_order
from referee.verdicts import RoutesVerdict
from samples.table.levels import Level
from samples.table.render import Photo, render
from samples.table.scene import Scene, random_scene
from samples.table.surfaces import Surface

Rng = np.random.Generator
NUDGE_MM = 2.0
"""How far a card that nobody plays is pushed between two photographs, at most."""
NUDGE_DEGREES = 1.5


def photographs(
    looks: Sequence[Layout], deck: Deck, level: Level, seed: int, choice: Sequence[Surface] | None = None
) -> Iterator[Photo]:
    """Photograph each look at a table from another place. The same arguments give the same bytes."""
    table = random_scene(level, seed, choice)
    for number, look in enumerate(looks):
        yield render(look, deck, another_camera(table, level, seed, number, choice), seed)


def another_camera(
    table: Scene, level: Level, seed: int, number: int, choice: Sequence[Surface] | None = None
) -> Scene:
    """The scene with the phone elsewhere: other side of the table, tilt, distance, exposure."""
    if not number:
        return table
    other = random_scene(level, 1000 * (seed + 1) + number, choice)
    turn = float(np.random.default_rng([seed, number, 3]).uniform(40, 320))
    return dataclasses.replace(
        table,
        size=other.size,
        focal_eq_mm=other.focal_eq_mm,
        tilt=other.tilt,
        azimuth=table.azimuth + turn,
        roll=other.roll,
        fill=other.fill,
        distortion=other.distortion,
        sensor=other.sensor,
        covers=(),
    )


def nudged(layout: Layout, seed: int, but: Sequence[str] = ()) -> Layout:
    """All cards `but` some pushed a little, as happens when people reach over the table."""
    rng = np.random.default_rng([seed, 9])
    cards = []
    for card in layout.cards:
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0, NUDGE_MM)
        turn = card.turn + rng.uniform(-NUDGE_DEGREES, NUDGE_DEGREES)
        place = {"x": card.x + far * math.cos(angle), "y": card.y + far * math.sin(angle), "turn": turn}
        cards.append(card if card.id in but else card.model_copy(update=place))
    return layout.model_copy(update={"cards": tuple(cards)})


def card_by_card(layout: Layout, deck: Deck, begin: int = 1) -> list[Layout]:
    """The looks at a table on which the cards of `layout` were laid one a move, from `begin` cards on."""
    order = laying_order(layout, deck)
    cards = [layout.by_id[card] for card in order]
    return [
        layout.model_copy(update={"cards": tuple(cards[:count]), "order": None})
        for count in range(begin, len(cards) + 1)
    ]


def laying_order(layout: Layout, deck: Deck) -> list[str]:
    """An order in which the cards may have been laid: along the routes, or each beside one that lies already."""
    if layout.order is not None:
        return list(layout.order)
    verdict = judge(layout, deck).verdict
    if isinstance(verdict, RoutesVerdict):
        starts = [route.start for route in verdict.routes]
        in_turn = [i for cards in itertools.zip_longest(*(r.valid for r in verdict.routes)) for i in cards if i]
        rest = sorted(layout.by_id.keys() - {*starts, *in_turn}, key=id_order)
        return [*starts, *in_turn, *rest]
    waiting = sorted(layout.cards, key=lambda card: id_order(card.id))
    cats: list[PlacedCard] = []
    if deck.game is Game.IF_IT_FITS:
        first = [c for c in waiting if isinstance(face := deck.face(c.face), BoxFace) and face.kind == "start"]
        cats = [c for c in waiting if not isinstance(deck.face(c.face), BoxFace)]
        boxes = [c for c in waiting if isinstance(deck.face(c.face), BoxFace) and c not in first]
        waiting = [*first, *boxes]
    laid = [waiting.pop(0)] if waiting else []
    while waiting:
        near = min(waiting, key=lambda card: min(_apart(card, other) for other in laid))
        waiting.remove(near)
        laid.append(near)
    return [card.id for card in (*laid, *cats)]


def _apart(one: PlacedCard, other: PlacedCard) -> float:
    return round(math.hypot(one.x - other.x, one.y - other.y), 1)
