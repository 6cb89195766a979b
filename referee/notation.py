"""A short text notation of cards and tables, for tests, sidecars and bug reports. One line is one table.

A card is `ID=FACE@X,Y`, then `/TURN` unless the turn is 0, then `^Z` if a height is known::

    c1=up-1@0,-66.5/90

A table is the game, an optional name, `deck=DECK` if one is named, a colon, the cards, and `> IDS` if
the order of laying is known; all separated by blanks::

    cat-and-mouse "kitchen": s=start@0,0 c1=up-1@0,-66 c2=finish@0,-132
    coloured-paths: a=card-01@0,0 b=card-02@60,0/90 > a b

A name with characters other than letters, digits, `_`, `-`, `+` and `.` is written as a JSON string.
Numbers are written so that reading gives exactly the same value: `parse_table(format_table(layout)) ==
layout`.
"""

from __future__ import annotations

import json
import re

from pydantic import ValidationError

from referee.errors import LayoutError
from referee.layouts import Layout, PlacedCard, parse_layout
from referee.validation import first_problem

_NAME = r'(?:"(?:[^"\\]|\\.)*"|[\w+.\-]+)'
_NUMBER = r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?"
_CARD = re.compile(
    rf"(?P<id>{_NAME})=(?P<face>{_NAME})@(?P<x>{_NUMBER}),(?P<y>{_NUMBER})"
    rf"(?:/(?P<turn>{_NUMBER}))?(?:\^(?P<z>{_NUMBER}))?"
)
_HEAD = re.compile(rf'\s*(?P<game>[\w\-]+)(?:\s+(?P<name>"(?:[^"\\]|\\.)*"))?(?:\s+deck=(?P<deck>{_NAME}))?\s*:')
_PLAIN = re.compile(r"[\w+.\-]+")


def format_card(card: PlacedCard) -> str:
    """The notation of a card."""
    text = f"{_write(card.id)}={_write(card.face)}@{_digits(card.x)},{_digits(card.y)}"
    if card.turn:
        text += f"/{_digits(card.turn)}"
    return text if card.z is None else f"{text}^{_digits(card.z)}"


def parse_card(text: str) -> PlacedCard:
    """Read the notation of a card. Raises LayoutError."""
    match = _CARD.fullmatch(text.strip())
    if match is None:
        raise LayoutError("bad-notation", f'"{text}" is no card; write it as ID=FACE@X,Y/TURN.')
    try:
        return PlacedCard(
            id=_read(match["id"]),
            face=_read(match["face"]),
            x=float(match["x"]),
            y=float(match["y"]),
            turn=float(match["turn"] or 0),
            z=None if match["z"] is None else float(match["z"]),
        )
    except ValidationError as error:
        place, reason = first_problem(error)
        raise LayoutError("bad-notation", f'"{text}": {place[0]} {reason}.') from None
    except ValueError as error:
        raise LayoutError("bad-notation", f'"{text}": {error}.') from None


def format_table(layout: Layout) -> str:
    """The notation of a table, on one line."""
    head = layout.game.value
    if layout.name:
        head += " " + json.dumps(layout.name, ensure_ascii=False)
    if layout.deck is not None:
        head += f" deck={_write(layout.deck)}"
    words = [head + ":", *map(format_card, layout.cards)]
    if layout.order is not None:
        words += [">", *map(_write, layout.order)]
    return " ".join(words)


def parse_table(text: str) -> Layout:
    """Read the notation of a table. Raises LayoutError."""
    head = _HEAD.match(text)
    if head is None:
        raise LayoutError("bad-notation", f'"{text[:60]}": a table begins with its game and a colon.')
    cards: list[PlacedCard] = []
    order: list[str] | None = None
    position = head.end()
    token = re.compile(rf"\s*(?:(?P<order>>)|(?P<card>{_CARD.pattern})|(?P<word>{_NAME}))(?=\s|$)")
    while text[position:].strip():
        match = token.match(text, position)
        if match is None or (match["word"] is not None) != (order is not None and match["order"] is None):
            raise LayoutError("bad-notation", f'"{text[position : position + 60].strip()}" is no card.')
        if match["order"]:
            order = []
        elif match["card"]:
            cards.append(parse_card(match["card"]))
        elif order is not None:
            order.append(_read(match["word"]))
        position = match.end()
    data: dict[str, object] = {
        "name": _read(head["name"]) if head["name"] else "",
        "game": head["game"],
        "cards": [card.model_dump() for card in cards],
        "order": order,
        "deck": _read(head["deck"]) if head["deck"] else None,
    }
    return parse_layout(data, "table")


def _write(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _read(text: str) -> str:
    if not text.startswith('"'):
        return text
    value = json.loads(text)
    return str(value)


def _digits(number: float) -> str:
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)
