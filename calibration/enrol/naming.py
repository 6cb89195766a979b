"""What a face is called in its deck: an id that tells what is on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def name_of(entry: Mapping[str, Any]) -> str:
    """The name for a face of a deck, as in `deck.json`; two faces may have the same."""
    kind = str(entry["kind"])
    if kind == "move":
        return f"{'+'.join(entry['arrows'])}-{entry['points']}"
    if kind == "box":
        return f"box-{''.join(side[0] for side in entry['walls']) or 'open'}-{entry['toys']}"
    if kind == "cat":
        return f"cat-{entry['player']}{'-asleep' if entry['asleep'] else ''}"
    return kind


def free_name(name: str, taken: Iterable[str], numbered: str = "{}-{:02d}") -> str:
    """The name, with a number if it is taken; numbered: how name and number are written together."""
    used = set(taken)
    number, free = 1, name
    while free in used:
        number += 1
        free = numbered.format(name, number)
    return free
