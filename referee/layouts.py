"""Layouts: what lies on a table, in millimetres, without pixels. y points down, turns are clockwise."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, model_validator

from referee.decks import Deck, Game
from referee.errors import LayoutError
from referee.validation import Name, Value, field_name, first_problem, read_json

Millimetres = Annotated[float, Field(ge=-1e7, le=1e7)]
Degrees = Annotated[float, Field(ge=-1e6, le=1e6)]


class PlacedCard(Value):
    """A card on the table: centre (x, y), clockwise turn of its face, perhaps its height z in the pile."""

    id: Name
    face: Name
    x: Millimetres
    y: Millimetres
    turn: Degrees = 0.0
    z: Millimetres | None = None


class Layout(Value):
    """The cards of one table.

    order: the ids in the order they were laid, one a move (Multicoloured Paths).
    table: the corners of the table top, a convex polygon, if its edges are known (IF-TABLE).
    deck: the deck's name, for a service that has several.
    """

    name: str = ""
    game: Game
    cards: tuple[PlacedCard, ...]
    order: tuple[Name, ...] | None = None
    table: Annotated[tuple[tuple[Millimetres, Millimetres], ...], Field(min_length=3)] | None = None
    deck: str | None = None

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        ids = {card.id for card in self.cards}
        if len(ids) != len(self.cards):
            seen: set[str] = set()
            twice = next(c.id for c in self.cards if c.id in seen or seen.add(c.id))  # type: ignore[func-returns-value]
            raise ValueError(f'card "{twice}": id is used twice')
        if self.order is not None:
            for card_id in self.order:
                if card_id not in ids:
                    raise ValueError(f'order names the card "{card_id}", which is not on the table')
            if len(set(self.order)) != len(self.order):
                raise ValueError("order names a card twice")
            if len(self.order) != len(ids):
                missing = min(ids - set(self.order), key=id_order)
                raise ValueError(f'order leaves out the card "{missing}"')
        return self

    @cached_property
    def by_id(self) -> dict[str, PlacedCard]:
        """The cards by their ids."""
        return {card.id: card for card in self.cards}

    def to_dict(self) -> dict[str, Any]:
        """The exchanged JSON form."""
        return self.model_dump(mode="json", exclude_none=True)


def id_order(card_id: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key under which `c2` comes before `c10`."""
    parts = re.findall(r"\d+|\D+", card_id)
    return tuple((0, int(p), p) if p.isdecimal() and p.isascii() else (1, 0, p) for p in parts)


def parse_layout(data: object, source: str = "layout") -> Layout:
    """Make a layout from parsed JSON; `source` is what error messages call it. Raises LayoutError."""
    if not isinstance(data, dict):
        raise LayoutError("layout-malformed", f"{source}: a layout must be a JSON object with game and cards.")
    try:
        return Layout.model_validate_json(json.dumps(data))
    except ValidationError as error:
        place, reason = first_problem(error)
    except ValueError as error:  # a number that JSON cannot hold
        raise LayoutError("layout-malformed", f"{source}: {error}.") from None
    where = ""
    if len(place) >= 2 and place[0] == "cards" and isinstance(place[1], int):
        entry = data["cards"][place[1]]
        name = entry.get("id") if isinstance(entry, dict) else None
        where = f'card "{name}": ' if isinstance(name, str) and name else f"card number {place[1] + 1}: "
        place = place[2:]
    field = field_name(place)
    raise LayoutError("layout-malformed", f"{source}: {where}{field + ' ' if field else ''}{reason}.")


def read_layouts(path: Path | str) -> Iterator[Layout | LayoutError]:
    """Yield the layouts of a `.json` (one layout) or `.jsonl` file (one a line).

    What cannot be used is yielded in its place as a LayoutError (not raised), so that a bad line does not
    spoil the others. Empty lines are skipped. A layout without a name is called after its file (and line).
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        yield LayoutError("layout-missing", f"{path}: there is no such file.", path.stem)
        return
    except UnicodeDecodeError:
        yield LayoutError("layout-not-json", f"{path}: the file is not UTF-8 text; save it as UTF-8.", path.stem)
        return
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        yield LayoutError("layout-missing", f"{path}: the file cannot be read ({reason}).", path.stem)
        return
    if path.suffix.lower() == ".jsonl":
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield _read_layout(line, f"{path}:{number}", f"{path.stem}:{number}")
    else:
        yield _read_layout(text, str(path), path.stem)


def _read_layout(text: str, source: str, name: str) -> Layout | LayoutError:
    try:
        data = read_json(text)
    except ValueError as error:
        return LayoutError("layout-not-json", f"{source}: not JSON ({error}).", name)
    if isinstance(data, dict) and isinstance(data.get("name"), str) and data["name"]:
        name = data["name"]
    try:
        layout = parse_layout(data, source)
    except LayoutError as error:
        error.name = name
        return error
    return layout if layout.name else layout.model_copy(update={"name": name})


def check_layout_suits_deck(layout: Layout, deck: Deck) -> None:
    """Raise LayoutError if the layout is of another game than the deck, or shows a face it lacks."""
    source = f'layout "{layout.name}"' if layout.name else "layout"
    if layout.game is not deck.game:
        raise LayoutError(
            "wrong-game",
            f'{source}: its game is {layout.game}, but the deck "{deck.name}" is of {deck.game}; '
            "choose the deck of the same game.",
        )
    for card in layout.cards:
        if card.face not in deck:
            raise LayoutError(
                "unknown-face",
                f'{source}: card "{card.id}": face "{card.face}" is not in the deck "{deck.name}".',
            )
