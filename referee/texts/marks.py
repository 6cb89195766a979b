"""How texts are marked for translation (see `referee.messages`)."""

from __future__ import annotations

from typing import NamedTuple


class Plural(NamedTuple):
    """A text that depends on the number {n}."""

    one: str
    many: str


def N_(text: str) -> str:  # noqa: N802 - the name that translators' tools look for
    """Mark a text for translation."""
    return text


def NN_(one: str, many: str) -> Plural:  # noqa: N802
    """Mark a text with a plural for translation."""
    return Plural(one, many)
