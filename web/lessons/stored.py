"""Lessons by their ids: the ready ones, and teachers' own in the database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.orm import Session

from referee.decks import Game
from referee.validation import first_problem
from web.decks import DeckShelf
from web.errors import ApiError
from web.lessons.items import SUITS, Answered, Item, answered
from web.lessons.ready import PREFIX, ready_items
from web.messages import WebMessages
from web.storage.models import Lesson

MOST_ITEMS = 100
_ITEMS = TypeAdapter(tuple[Item, ...])


@dataclass(frozen=True, slots=True)
class LoadedLesson:
    """record: None for a ready lesson, which cannot be changed."""

    id: str
    title: str
    items: tuple[Item, ...]
    record: Lesson | None = None


def lesson_of(session: Session, lesson_id: str, say: WebMessages) -> LoadedLesson:
    """The lesson with this id. Raises ApiError (404)."""
    if lesson_id.startswith(PREFIX):
        game = lesson_id.removeprefix(PREFIX)
        if game not in set(Game):
            raise ApiError(404, "unknown-lesson")
        title = f"{say.text(f'game.{game}')}: {say.text('lesson.ready')}"
        return LoadedLesson(lesson_id, title, ready_items(Game(game)))
    record = session.get(Lesson, lesson_id)
    if record is None:
        raise ApiError(404, "unknown-lesson")
    return LoadedLesson(lesson_id, record.title, items_from(record.items), record)


def items_from(stored: Sequence[dict[str, Any]]) -> tuple[Item, ...]:
    """Items from their stored form."""
    return _ITEMS.validate_json(json.dumps(list(stored)))


def dumped(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Items as they are stored and exported."""
    return [item.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for item in items]


def asked(item: Item, shelf: DeckShelf) -> Answered:
    """An item with the referee's answer. Raises ApiError (404, 422) and LayoutError for one that cannot be asked."""
    if item.question not in SUITS[item.game]:
        raise ApiError(422, "question-of-another-game")
    if item.layout is None and not item.events:
        raise ApiError(422, "item-empty")
    deck = shelf.deck(item.deck or item.game.value)
    try:
        return answered(item, deck)
    except ValidationError as error:
        place, reason = first_problem(error)
        raise ApiError(422, "bad-field", field=f"events.{'.'.join(map(str, place))}", reason=reason) from None
