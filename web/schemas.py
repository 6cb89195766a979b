"""Schemas of what the API gives back, for its description: the contract's answer, and what is built upon it."""

from __future__ import annotations

from typing import Any

STRING: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
INTEGER: dict[str, Any] = {"type": "integer"}
BOOLEAN: dict[str, Any] = {"type": "boolean"}
CORNERS: dict[str, Any] = {
    "type": "array",
    "minItems": 4,
    "maxItems": 4,
    "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": NUMBER},
}


def listed(schema: dict[str, Any]) -> dict[str, Any]:
    """A list of these."""
    return {"type": "array", "items": schema}


def perhaps(schema: dict[str, Any]) -> dict[str, Any]:
    """This, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def record(required: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An object with these fields, all of them there; `more` may be missing."""
    return {"type": "object", "required": list(required), "properties": {**required, **more}}


ANSWER = record(
    {
        "game": STRING,
        "deck": STRING,
        "outcome": {"enum": ["valid", "invalid", "undetermined"]},
        "verdict": perhaps({"type": "object"}),
        "doubtful": listed({"type": "object", "required": ["reason"]}),
        "notes": listed({"type": "object"}),
        "scores": listed(record({"who": STRING, "points": INTEGER, "reason": STRING})),
        "assumptions": listed({"type": "object"}),
        "rules": listed(STRING),
        "texts": listed(STRING),
    },
    name=STRING,
    photo=STRING,
    cards=listed(record({"id": STRING, "face": STRING, "corners": CORNERS, "confidence": NUMBER})),
)
"""The contract's answer."""

DECK = record(
    {
        "key": STRING,
        "name": STRING,
        "game": STRING,
        "card_mm": listed(NUMBER),
        "faces": listed(record({"id": STRING, "kind": STRING, "count": INTEGER, "picture": perhaps(STRING)})),
    }
)
DRAFT = record(
    {
        "id": STRING,
        "revision": INTEGER,
        "game": STRING,
        "name": STRING,
        "stage": STRING,
        "at_work": BOOLEAN,
        "error": perhaps(record({"code": STRING, "message": STRING})),
        "photos": listed({"type": "object"}),
        "faces": listed(record({"id": STRING, "kind": STRING, "count": INTEGER, "needs_review": BOOLEAN})),
        "composition": listed(record({"kind": STRING, "have": INTEGER, "usual": INTEGER})),
        "alike": listed(listed(STRING)),
    }
)
"""A deck that is being made from photographs."""
PHOTO = record({"id": STRING, "url": STRING, "width": INTEGER, "height": INTEGER})
TABLE = record(
    {
        "id": STRING,
        "revision": INTEGER,
        "game": STRING,
        "deck": STRING,
        "photo": perhaps(PHOTO),
        "cards": listed(record({"id": STRING, "face": STRING, "standing": STRING})),
        "places": listed(record({"id": STRING, "corners": CORNERS})),
        "state": {"type": "object"},
        "count": {"type": "object"},
        "outcome": STRING,
        "may_count": BOOLEAN,
        "sentences": listed(record({"about": STRING, "text": STRING, "cards": listed(STRING)})),
        "rules": {"type": "object"},
        "answer": ANSWER,
    }
)
STEP = record({"text": STRING, "lit": listed(STRING), "done": listed(STRING), "wrong": listed(STRING)})
READING = record(
    {
        "id": STRING,
        "photo": STRING,
        "stage": STRING,
        "done": BOOLEAN,
        "table": perhaps(STRING),
        "error": perhaps(record({"code": STRING, "message": STRING})),
    }
)
LIVE = record(
    {
        "id": STRING,
        "table": STRING,
        "moment": perhaps(STRING),
        "measured": perhaps(STRING),
        "log": listed({"type": "object"}),
    }
)
LESSON = record(
    {"id": STRING, "title": STRING, "revision": INTEGER, "ready": BOOLEAN, "items": listed({"type": "object"})}
)
QUIZ = record(
    {"id": STRING, "revision": INTEGER, "at": INTEGER, "of": INTEGER, "revealed": BOOLEAN, "item": {"type": "object"}}
)
MATCH = record(
    {
        "id": STRING,
        "revision": INTEGER,
        "game": STRING,
        "players": listed(record({"key": STRING, "name": STRING})),
        "entries": listed(record({"id": STRING, "kind": STRING, "confirmed": BOOLEAN})),
        "over": BOOLEAN,
        "winners": listed(STRING),
    }
)
