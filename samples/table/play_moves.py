"""What players do in one turn: cards laid by the rules, or so that one rule is broken. The judge has the last word."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from referee.decks import ARROWS, ArrowFace, BoxFace, CatFace, Deck, Face, Game
from referee.layouts import Layout, PlacedCard
from referee.moves import Standing
from referee.rulebook import Violation
from referee.verdicts import PathsVerdict, RoutesVerdict
from samples.table.cat_routes import STEPS, NoRoomError

Rng = np.random.Generator

ILLEGAL: Mapping[Game, Mapping[str, Violation]] = MappingProxyType(
    {
        Game.CAT_AND_MOUSE: MappingProxyType(
            {
                "wrong-side": Violation.WRONG_SIDE,
                "second-arrow": Violation.SECOND_ARROW,
                "gap": Violation.NOT_BESIDE,
                "after-finish": Violation.AFTER_FINISH,
            }
        ),
        Game.COLOURED_PATHS: MappingProxyType(
            {"mismatch": Violation.MISMATCH, "shoved": Violation.SHOVED, "apart": Violation.APART}
        ),
        Game.IF_IT_FITS: MappingProxyType(
            {
                "long-to-short": Violation.BOX_LONG_TO_SHORT,
                "not-flush": Violation.BOX_NOT_FLUSH,
                "box-overlap": Violation.BOX_OVERLAP,
                "box-apart": Violation.BOX_NOT_JOINED,
                "two-boxes": Violation.TOO_MANY_CARDS,
                "cat-across-wall": Violation.CAT_ACROSS_WALL,
                "cat-astray": Violation.CAT_NOT_ON_TWO_BOXES,
                "cat-on-old-box": Violation.CAT_NOT_ON_NEW_BOX,
                "cat-in-foreign-box": Violation.CAT_IN_FOREIGN_BOX,
                "cat-overlap": Violation.CAT_OVERLAP,
                "asleep-not-flush": Violation.ASLEEP_NOT_FLUSH,
                "princess-astray": Violation.PRINCESS_NOT_ON_CAT,
            }
        ),
    }
)
"""Moves that break a rule, by game, with what the judge must name."""


@dataclass(frozen=True)
class Change:
    """Cards laid (or laid elsewhere), and the ids of those that are taken away."""

    cards: tuple[PlacedCard, ...]
    gone: frozenset[str] = frozenset()


def change(deck: Deck, standing: Standing, did: str, rng: Rng) -> Change:
    """A try at "lay" or a kind of `ILLEGAL`; mostly as wanted. Raises NoRoomError when it leads nowhere."""
    return _MAKERS[deck.game](deck, standing, did, rng)


def is_free(table: Layout, deck: Deck, x: float, y: float, but: float = 0.97) -> bool:
    """Whether no card's middle lies within `but` of a card's shorter side of a place (mm)."""
    return all(math.hypot(card.x - x, card.y - y) > but * min(deck.card_mm) for card in table.cards)


def _new_id(table: Layout, more: int = 0) -> str:
    numbers = [int(card.id[1:]) for card in table.cards if card.id[0] == "n" and card.id[1:].isdecimal()]
    return f"n{max(numbers, default=100 + len(table.cards)) + 1 + more}"


def _drawn(deck: Deck, table: Layout, rng: Rng, *wanted: Callable[[Face], bool]) -> Face:
    """A face that is left in the deck; a cat's two sides are one card."""
    on_table = Counter(card.face for card in table.cards)
    left = [f for f in deck.faces for _ in range(f.count - on_table[f.id]) if all(want(f) for want in wanted)]
    if not left:
        raise NoRoomError("no such card is left")
    return left[int(rng.integers(len(left)))]


def _beside(card: PlacedCard, away: tuple[float, float], turn: float) -> tuple[float, float]:
    """The place `away` (mm) from a card in the frame that is turned by `turn` degrees."""
    angle = math.radians(turn)
    cos, sin = math.cos(angle), math.sin(angle)
    return card.x + away[0] * cos - away[1] * sin, card.y + away[0] * sin + away[1] * cos


def _placed(
    table: Layout, deck: Deck, face: Face, spot: tuple[float, float], turn: float, rng: Rng, z: float = 0.0
) -> PlacedCard:
    jitter = 0.012 * min(deck.card_mm)
    x, y = spot[0] + rng.normal(0, jitter), spot[1] + rng.normal(0, jitter)
    return PlacedCard(id=_new_id(table), face=face.id, x=x, y=y, turn=turn + rng.normal(0, 1.5), z=z)


def _any(cards: list[PlacedCard], rng: Rng) -> PlacedCard:
    if not cards:
        raise NoRoomError("no such card lies there")
    return cards[int(rng.integers(len(cards)))]


# --- Cat and Mouse


def _route_card(deck: Deck, standing: Standing, did: str, rng: Rng) -> Change:
    table, verdict = standing.table, standing.ruling.verdict
    side, pitch = deck.card_mm[0], 1.02 * deck.card_mm[0]
    if not isinstance(verdict, RoutesVerdict) or not verdict.routes:
        raise NoRoomError("no route")
    route = verdict.routes[int(rng.integers(len(verdict.routes)))]
    last = table.by_id[route.valid[-1] if route.valid else route.start]
    if did == "second-arrow":
        two = [table.by_id[i] for i in route.valid[:-1] if len(_arrows(deck, table.by_id[i])) == 2]
        last = _any(two, rng)
    arrows = _arrows(deck, last)
    options = list(range(4)) if last.id == route.start or did in ("gap", "after-finish") else arrows
    if did == "wrong-side":
        options = [d for d in range(4) if d not in arrows] if last.id != route.start else []
    if (did == "after-finish") != route.finished and did not in ("second-arrow", "gap"):
        raise NoRoomError("the route is finished" if route.finished else "no Finish lies there")
    if not options:
        raise NoRoomError("no such side")
    step = STEPS[options[int(rng.integers(len(options)))]]
    far = side * rng.uniform(1.9, 2.6) if did == "gap" else pitch
    x, y = _beside(last, (far * step[0], far * step[1]), last.turn)
    if not is_free(table, deck, x, y):
        raise NoRoomError("a card lies there")
    kind = "finish" if did == "lay" and len(route.valid) > 2 and rng.uniform() < 0.12 else "move"
    face = _drawn(deck, table, rng, lambda f: f.kind == kind)
    turn = last.turn + 90.0 * (rng.uniform() < 0.15) * int(rng.integers(1, 4))
    return Change((_placed(table, deck, face, (x, y), turn, rng),))


def _arrows(deck: Deck, card: PlacedCard) -> list[int]:
    face = deck.face(card.face)
    return [ARROWS.index(arrow) for arrow in face.arrows] if isinstance(face, ArrowFace) else []


# --- Multicoloured Paths


def _path_card(deck: Deck, standing: Standing, did: str, rng: Rng) -> Change:
    table, verdict = standing.table, standing.ruling.verdict
    side, pitch = deck.card_mm[0], 1.02 * deck.card_mm[0]
    if not isinstance(verdict, PathsVerdict):
        raise NoRoomError("no layout")
    group = max(verdict.groups, key=len)
    last = _any([table.by_id[i] for i in group], rng)
    step = STEPS[int(rng.integers(4))]
    along = float(rng.choice([-1, 1]) * rng.uniform(0.34, 0.6) * side) if did == "shoved" else 0.0
    far = side * rng.uniform(1.9, 2.6) if did == "apart" else pitch
    away = (far * step[0] + along * step[1], far * step[1] + along * step[0])
    x, y = _beside(last, away, last.turn)
    if not is_free(table, deck, x, y):
        raise NoRoomError("a card lies there")
    return Change((_placed(table, deck, _drawn(deck, table, rng), (x, y), last.turn + 90.0 * rng.integers(4), rng),))


# --- If It Fits


def _turn_of_boxes(deck: Deck, standing: Standing, did: str, rng: Rng) -> Change:
    table = standing.table
    boxes = [card for card in table.cards if isinstance(deck.face(card.face), BoxFace)]
    cats = [card for card in table.cards if isinstance(deck.face(card.face), CatFace)]
    if did in ("cat-on-old-box", "cat-overlap") or (did == "cat-in-foreign-box" and rng.uniform() < 0.2):
        laid: tuple[PlacedCard, ...] = ()
    elif did == "asleep-not-flush" or (did == "lay" and rng.uniform() < 0.12):
        card = _box(deck, table, boxes, did, rng)
        face = _drawn(deck, table, rng, lambda f: isinstance(f, CatFace) and f.asleep)
        return Change((card.model_copy(update={"face": face.id}),))
    elif did == "princess-astray" or (did == "lay" and cats and rng.uniform() < 0.12):
        box = _box(deck, table, boxes, "lay", rng)
        princess = _drawn(deck, table, rng, lambda f: f.kind == "princess")
        if did == "lay":
            victim = _any([c for c in cats if not _is_asleep(deck, c)], rng)
            spot, turn, gone = (victim.x, victim.y), victim.turn, frozenset({victim.id})
        else:
            beside = _any(boxes, rng)
            spot, turn, gone = _across(deck, box, beside, rng), box.turn + 90, frozenset()
        cat = _placed(table, deck, princess, spot, turn, rng, z=1.0)
        return Change((box, cat.model_copy(update={"id": _new_id(table, 1)})), gone)
    else:
        laid = (_box(deck, table, boxes, did, rng),)
        if did == "two-boxes":
            both = table.model_copy(update={"cards": (*table.cards, *laid)})
            return Change((*laid, _box(deck, both, boxes, "lay", rng)))
        if did != "lay" and not did.startswith("cat"):
            return Change(laid)
        if did == "lay" and rng.uniform() < 0.45:
            return Change(laid)
    face = _drawn(deck, table, rng, lambda f: isinstance(f, CatFace) and not f.asleep)
    if did == "cat-overlap":
        under = _any([c for c in cats if not _is_asleep(deck, c)], rng)
        spot, turn, z = (under.x, under.y), under.turn, 2.0
        spot = _beside(under, (rng.uniform(-0.15, 0.15) * deck.card_mm[0], rng.uniform(-0.2, 0.2) * 63), under.turn)
    else:
        box = laid[0] if laid else _any(boxes, rng)
        spot, turn, z = _across(deck, box, _any(boxes, rng), rng), box.turn + 90.0 * rng.choice([-1, 1]), 1.0
        if did == "cat-astray":
            spot, turn = (box.x, box.y), box.turn + float(rng.choice([40, 45, 140]))  # that some of the box shows
    cat = _placed(table, deck, face, spot, turn, rng, z)
    return Change((*laid, cat.model_copy(update={"id": _new_id(table, len(laid))})))


def _is_asleep(deck: Deck, card: PlacedCard) -> bool:
    face = deck.face(card.face)
    return isinstance(face, CatFace) and face.asleep


def _box(deck: Deck, table: Layout, boxes: list[PlacedCard], did: str, rng: Rng) -> PlacedCard:
    """A box card at a side of another one, or as the fault wants it."""
    width, height = deck.card_mm
    beside = _any(boxes, rng)
    step = STEPS[int(rng.integers(4))]
    reach = (1.015 * width, 1.015 * height)
    away, turn = (reach[0] * step[0], reach[1] * step[1]), beside.turn + 180.0 * int(rng.integers(2))
    if did == "long-to-short":
        half = (width + height) / 2 * 1.015
        away, turn = (half * step[0], half * step[1]), turn + 90
    elif did in ("not-flush", "asleep-not-flush"):
        off = float(rng.choice([-1, 1]) * rng.uniform(0.42, 0.6))
        away = (away[0] + off * width * abs(step[1]), away[1] + off * height * abs(step[0]))
    elif did == "box-overlap":
        near = rng.uniform(0.45, 0.7)
        away = (away[0] * near, away[1] * near)
    elif did == "box-apart":
        away = (away[0] * rng.uniform(1.6, 2.0), away[1] * rng.uniform(1.6, 2.0))
    x, y = _beside(beside, away, beside.turn)
    if not is_free(table, deck, x, y, 0.4 if did == "box-overlap" else 0.9):
        raise NoRoomError("a card lies there")
    face = _drawn(deck, table, rng, lambda f: f.kind in ("box", "toy"))
    return _placed(table, deck, face, (x, y), turn, rng, z=1.0 if did == "box-overlap" else 0.0)


def _across(deck: Deck, box: PlacedCard, beside: PlacedCard, rng: Rng) -> tuple[float, float]:
    """The middle of the long side that two boxes share, or of one of the first one's."""
    if math.hypot(box.x - beside.x, box.y - beside.y) < 1.1 * deck.card_mm[0] and box.id != beside.id:
        return (box.x + beside.x) / 2, (box.y + beside.y) / 2
    return _beside(box, (deck.card_mm[0] / 2 * float(rng.choice([-1, 1])), 0.0), box.turn)


_MAKERS: Mapping[Game, Callable[[Deck, Standing, str, Rng], Change]] = MappingProxyType(
    {
        Game.CAT_AND_MOUSE: _route_card,
        Game.COLOURED_PATHS: _path_card,
        Game.IF_IT_FITS: _turn_of_boxes,
    }
)
