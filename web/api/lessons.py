"""Lessons: the ready ones and teachers' own; made, changed, shown, exported, printed."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import Field
from sqlalchemy.orm import Session

from referee.validation import Value
from web import context
from web.errors import ApiError
from web.language import messages, rules_messages
from web.lessons.items import Item
from web.lessons.photos import lesson_photo, picture_of, with_images, with_photos_kept
from web.lessons.showing import shown
from web.lessons.stored import MOST_ITEMS, LoadedLesson, asked, dumped, lesson_of
from web.lessons.worksheet import worksheet
from web.openapi import operation
from web.requests import RevisionNumber, body
from web.schemas import LESSON, STRING
from web.storage.models import Lesson

blueprint = Blueprint("lessons", __name__, url_prefix="/api/lessons")

Items = Annotated[tuple[Item, ...], Field(max_length=MOST_ITEMS)]
Title = Annotated[str, Field(max_length=200)]


class NewLesson(Value):
    """A lesson as it is exported: importing is making it anew. copy_of: a lesson to begin from."""

    title: Title = ""
    items: Items = ()
    copy_of: Annotated[str, Field(max_length=60)] | None = None


class ChangedLesson(Value):
    """The whole lesson as somebody leaves it; `revision` as they found it."""

    revision: RevisionNumber
    title: Title
    items: Items


@blueprint.post("")
@operation(
    "Make a lesson",
    LESSON,
    request=NewLesson,
    status=201,
    errors=(404, 422),
    provides={"lesson": "$response.body#/id"},
)
def create() -> ResponseReturnValue:
    """Whoever has its link may change it."""
    wanted = body(NewLesson)
    for item in wanted.items:
        asked(item, context.shelf())
    with context.database().writing() as session:
        title, items = wanted.title.strip(), wanted.items
        if wanted.copy_of is not None:
            source = lesson_of(session, wanted.copy_of, messages())
            title, items = title or source.title, (*source.items, *items)[:MOST_ITEMS]
        record = Lesson(title=title, items=[])
        session.add(record)
        session.flush()
        items = with_photos_kept(session, record, items, context.shelf())
        record.items = dumped(items)
        session.flush()
        return jsonify(_view(LoadedLesson(record.id, record.title, tuple(items), record))), 201


@blueprint.get("/<lesson>")
@operation("A lesson with its answers", LESSON, errors=(404, 422))
def show(lesson: str) -> ResponseReturnValue:
    """`ready-GAME` is the ready lesson of a game."""
    with context.database().reading() as session:
        return jsonify(_view(lesson_of(session, lesson, messages())))


@blueprint.put("/<lesson>")
@operation("Change a lesson", LESSON, request=ChangedLesson, errors=(404, 409, 422))
def change(lesson: str) -> ResponseReturnValue:
    """The ready ones are not changed: copy them."""
    wanted = body(ChangedLesson)
    for item in wanted.items:
        asked(item, context.shelf())
    with context.database().writing() as session:
        record = _own(session, lesson)
        if record.revision != wanted.revision:
            raise ApiError(409, "changed-meanwhile")
        items = with_photos_kept(session, record, wanted.items, context.shelf())
        record.title, record.items = wanted.title.strip(), dumped(items)
        record.revision += 1
        return jsonify(_view(LoadedLesson(record.id, record.title, items, record)))


@blueprint.delete("/<lesson>")
@operation("Delete a lesson", None, status=204, errors=(404, 409))
def delete(lesson: str) -> ResponseReturnValue:
    """Nothing of it is kept."""
    with context.database().writing() as session:
        session.delete(_own(session, lesson))
    return "", 204


def _own(session: Session, lesson_id: str) -> Lesson:
    found = lesson_of(session, lesson_id, messages())
    if found.record is None:
        raise ApiError(409, "lesson-ready")
    return found.record


@blueprint.get("/<lesson>/lesson.json")
@operation("A lesson to keep or to give on", {"type": "object"}, errors=(404, 422))
def export(lesson: str) -> ResponseReturnValue:
    """In the form in which it is made: `POST /api/lessons`. Photographs are written into it."""
    with context.database().reading() as session:
        found = lesson_of(session, lesson, messages())
        items = dumped(with_images(session, found.items))
    response = jsonify(title=found.title, items=items)
    response.headers["Content-Disposition"] = 'attachment; filename="lesson.json"'
    return response


@blueprint.get("/photos/<photo>")
@operation("A photograph of a lesson", STRING, errors=(404,), media="image/jpeg")
def photograph(photo: str) -> ResponseReturnValue:
    """As a JPEG. It is there as long as its lesson."""
    with context.database().reading() as session:
        data = lesson_photo(session, photo).data
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "private, no-cache"})


@blueprint.get("/<lesson>/worksheet.pdf")
@operation("A lesson on paper, with an answer sheet", STRING, errors=(404, 422), media="application/pdf")
def paper(lesson: str) -> ResponseReturnValue:
    """A4; the answers are on the last pages."""
    with context.database().reading() as session:
        found = lesson_of(session, lesson, messages())
        pictures = [None if item.photo is None else picture_of(session, item.photo) for item in found.items]
    items = [asked(item, context.shelf()) for item in found.items]
    title = found.title or messages().text("lesson.untitled")
    headers = {"Content-Disposition": 'inline; filename="worksheet.pdf"'}
    return Response(worksheet(title, items, pictures, rules_messages()), mimetype="application/pdf", headers=headers)


def _view(lesson: LoadedLesson) -> dict[str, Any]:
    texts = rules_messages()
    return {
        "id": lesson.id,
        "title": lesson.title,
        "revision": 1 if lesson.record is None else lesson.record.revision,
        "ready": lesson.record is None,
        "items": [shown(asked(item, context.shelf()), texts, with_answer=True) for item in lesson.items],
        "source": dumped(lesson.items),
        "language": request.args.get("lang") or texts.language,
    }
