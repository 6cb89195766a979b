"""A lesson answered from phones: one item at a time, answers only counted, nothing kept of who gave them."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from pydantic import Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.validation import Name, Value
from web import context
from web.api.events import EVENT, EVENT_STREAM, stream
from web.errors import ApiError
from web.language import messages, rules_messages
from web.lessons.showing import check_choice, shown
from web.lessons.stored import asked, dumped, items_from, lesson_of
from web.openapi import operation
from web.photos import sweep
from web.requests import body, whole
from web.schemas import QUIZ
from web.storage.models import Quiz

blueprint = Blueprint("quizzes", __name__, url_prefix="/api/quizzes")

_NUMBER = Field(ge=0, le=1000)
ItemNumber = Annotated[int, whole(_NUMBER), _NUMBER]


class NewQuiz(Value):
    """lesson: its id."""

    lesson: Name


class ChangedQuiz(Value):
    """key: of whoever leads the quiz, told when it was made. at: the item to ask, from 0. revealed: show the answer."""

    key: Name
    at: ItemNumber | None = None
    revealed: bool | None = None


class NewAnswer(Value):
    """at: the item that is answered. instead_of: an answer that was given before from the same phone."""

    at: ItemNumber
    choice: Annotated[str, Field(min_length=1, max_length=40)]
    instead_of: Annotated[str, Field(max_length=40)] | None = None


@blueprint.post("")
@operation(
    "Begin a quiz", QUIZ, request=NewQuiz, status=201, errors=(404, 422), provides={"quiz": "$response.body#/id"}
)
def create() -> ResponseReturnValue:
    """The answer holds the key with which it is led."""
    wanted = body(NewQuiz)
    with context.database().writing() as session:
        sweep(session, context.settings().keep_days)
        lesson = lesson_of(session, wanted.lesson, messages())
        if not lesson.items:
            raise ApiError(422, "item-empty")
        quiz = Quiz(title=lesson.title, items=dumped(lesson.items), tallies={})
        session.add(quiz)
        session.flush()
        return jsonify({**_view(quiz), "key": quiz.key}), 201


def get_quiz(session: Session, quiz_id: str) -> Quiz:
    """The quiz with this id. Raises ApiError (404)."""
    quiz = session.get(Quiz, quiz_id)
    if quiz is None:
        raise ApiError(404, "unknown-quiz")
    return quiz


@blueprint.get("/<quiz>")
@operation("A quiz as it stands", QUIZ, errors=(404,))
def show(quiz: str) -> ResponseReturnValue:
    """The answer and the tally are told when the item is revealed."""
    with context.database().reading() as session:
        return jsonify(_view(get_quiz(session, quiz)))


@blueprint.put("/<quiz>")
@operation("Go on in a quiz", QUIZ, request=ChangedQuiz, errors=(404, 422))
def lead(quiz: str) -> ResponseReturnValue:
    """Needs the key: 403 without."""
    wanted = body(ChangedQuiz)
    with context.database().writing() as session:
        record = get_quiz(session, quiz)
        if wanted.key != record.key:
            raise ApiError(403, "not-yours")
        if wanted.at is not None:
            if wanted.at >= len(record.items):
                raise ApiError(422, "no-such-item")
            if wanted.at != record.at:
                record.at, record.revealed = wanted.at, False
        if wanted.revealed is not None:
            record.revealed = wanted.revealed
        record.revision += 1
        return jsonify(_view(record))


@blueprint.post("/<quiz>/join")
@operation("Join a quiz", QUIZ, errors=(404,))
def join(quiz: str) -> ResponseReturnValue:
    """Only counted."""
    with context.database().writing() as session:
        record = get_quiz(session, quiz)
        record.joined += 1
        record.revision += 1
        return jsonify(_view(record))


@blueprint.post("/<quiz>/answers")
@operation("Answer the item that is asked", QUIZ, request=NewAnswer, errors=(404, 409, 422))
def answer(quiz: str) -> ResponseReturnValue:
    """Only counted. Refused when the item is not asked any more."""
    given = body(NewAnswer)
    with context.database().writing() as session:
        record = get_quiz(session, quiz)
        if given.at != record.at or record.revealed:
            raise ApiError(409, "too-late")
        check_choice(asked(items_from(record.items)[record.at], context.shelf()), given.choice)
        counts = dict(record.tallies.get(str(given.at), {}))
        if given.instead_of and counts.get(given.instead_of, 0) > 0:
            counts[given.instead_of] -= 1
        counts[given.choice] = counts.get(given.choice, 0) + 1
        record.tallies = {**record.tallies, str(given.at): counts}
        record.revision += 1
        return jsonify(_view(record))


@blueprint.get("/<quiz>/events")
@operation("Changes of a quiz as they come", EVENT, errors=(404, 503), media=EVENT_STREAM)
def events(quiz: str) -> ResponseReturnValue:
    """Events `changed` with the revision. Without `Accept: text/event-stream` only the first is sent."""

    def look(session: Session) -> dict[str, int] | None:
        found = session.scalar(select(Quiz.revision).where(Quiz.id == quiz))
        return None if found is None else {"revision": found}

    return stream(look, "unknown-quiz")


def _view(quiz: Quiz) -> dict[str, Any]:
    item = asked(items_from(quiz.items)[quiz.at], context.shelf())
    counts = {choice: n for choice, n in quiz.tallies.get(str(quiz.at), {}).items() if n}
    return {
        "id": quiz.id,
        "title": quiz.title,
        "revision": quiz.revision,
        "at": quiz.at,
        "of": len(quiz.items),
        "revealed": quiz.revealed,
        "joined": quiz.joined,
        "given": sum(counts.values()),
        "tally": counts if quiz.revealed else None,
        "item": shown(item, rules_messages(), with_answer=quiz.revealed),
    }
