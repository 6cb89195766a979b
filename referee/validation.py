"""Turns pydantic's complaints into sentences that name the place: file, face or card, field."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class Value(BaseModel):
    """The base of all validated values: frozen, strict (true is no number), deaf to unknown fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, changed in some fields, without the cached properties of the original: they may not hold for it."""
        copy = super().model_copy(update=update, deep=deep)
        for name, kept in vars(type(self)).items():
            if isinstance(kept, cached_property):
                copy.__dict__.pop(name, None)
        return copy


Name = Annotated[str, Field(min_length=1, max_length=200)]
"""A short text given by the user: an id, a colour, a player, a title."""


MAX_DIGITS = 300
"""No number in a deck or a layout needs more digits."""


def read_json(text: str) -> object:
    """Parse JSON as the standard has it.

    Raises ValueError with a readable reason for broken JSON, for NaN and Infinity (which are no JSON) and for
    nesting too deep to be a deck or a layout.
    """

    def refuse(constant: str) -> float:
        raise ValueError(f"{constant} is no number that JSON knows")

    try:
        value: object = json.loads(text, parse_int=_whole_number, parse_constant=refuse)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("a text holds half a character, a \\u escape without its other half") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def _whole_number(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number has more than {MAX_DIGITS} digits")
    return int(digits)


def shown(value: object) -> str:
    """A value as the user wrote it, cut short."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def first_problem(error: ValidationError) -> tuple[tuple[str | int, ...], str]:
    """The place and the reason of the first complaint, e.g. `(("faces", 3, "points"), "should be ...")`."""
    problem = error.errors(include_url=False)[0]
    place = tuple(problem["loc"])
    if problem["type"] == "missing":
        return place, "is missing"
    reason = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
    reason = reason[:1].lower() + reason[1:]
    given: Any = problem["input"]
    if isinstance(given, BaseModel) or (isinstance(given, Mapping | Sequence) and not isinstance(given, str)):
        return place, reason
    return place, f"{reason} (it is {shown(given)})"


def field_name(place: Sequence[str | int]) -> str:
    """`("strands", 2, 0)` as `strands[2][0]`."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else ("." if text else "") + str(step)
    return text
