"""Lessons: listed, put together, shown on the wall, answered from phones."""

from __future__ import annotations

from flask import Blueprint, Response, url_for

from referee.decks import Game
from referee.messages import LANGUAGES
from web import context
from web.api.quizzes import get_quiz
from web.language import messages
from web.lessons.items import SUITS
from web.lessons.ready import PREFIX, ready_items
from web.lessons.stored import lesson_of
from web.pages.matches import qr_svg
from web.pages.shell import page, public_link
from web.pages.wall import KEYS

blueprint = Blueprint("lesson_pages", __name__)


@blueprint.get("/lessons")
def listed() -> str:
    """The ready lessons, those that this device knows, a new one."""
    ready = [{"id": f"{PREFIX}{game.value}", "game": game.value, "number": len(ready_items(game))} for game in Game]
    return page("lessons.html", "lessons.js", {}, ready=ready)


@blueprint.get("/lessons/<lesson>")
def show(lesson: str) -> str:
    """What is in a lesson; one's own can be changed."""
    with context.database().reading() as session:
        found = lesson_of(session, lesson, messages())
    suits = {game.value: [question.value for question in questions] for game, questions in SUITS.items()}
    data = {"lesson": lesson, "suits": suits}
    return page("lesson.html", "lesson.js", data, lesson=lesson, title=found.title, ready=found.record is None)


@blueprint.get("/lessons/<lesson>/show")
def present(lesson: str) -> str:
    """On the wall, item by item; phones may join."""
    with context.database().reading() as session:
        found = lesson_of(session, lesson, messages())
    data = {"lesson": lesson, "languages": list(LANGUAGES), "home": public_link("check_page.show")}
    return page("present.html", "present.js", data, keys=KEYS, title=found.title)


@blueprint.get("/quiz/<quiz>")
def quiz(quiz: str) -> str:
    """On a phone."""
    with context.database().reading() as session:
        title = get_quiz(session, quiz).title
    return page("quiz.html", "quiz.js", {"quiz": quiz}, title=title)


@blueprint.get("/quiz/<quiz>/qr.svg")
def code(quiz: str) -> Response:
    """The link of a quiz for cameras."""
    with context.database().reading() as session:
        get_quiz(session, quiz)
    link = public_link("lesson_pages.quiz", quiz=quiz)
    return qr_svg(link or url_for("lesson_pages.quiz", quiz=quiz, _external=True))
