"""Ready tables: the referee says of each what the file promises; every rule is kept once and broken once."""

from __future__ import annotations

import base64
import itertools
import json
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from referee.decks import Game, builtin_deck
from referee.games import judge
from referee.messages import LANGUAGES
from referee.rulebook import RuleId
from referee.verdicts import BoxesVerdict, PathsVerdict
from referee.vision.decode import decode
from tests.web.conftest import made, refused
from tests.web.tables_by_hand import card, put
from web.lessons.items import NONE, PLAYERS, Question, answered
from web.lessons.ready import entries, game_of, item_of
from web.matches.records import replayed
from web.messages import WebMessages
from web.options import options_of
from web.storage.models import LessonPhoto, Quiz, now

NAMES = [f"{entry['rule']} {'kept' if entry['keeps'] else 'broken'} {entry['question']}" for entry in entries()]


def told(entry: dict[str, Any]) -> set[str]:
    """Everything that may be expected of an entry, as the file words it."""
    item = item_of(entry)
    deck = builtin_deck(item.game)
    known = answered(item, deck)
    if item.layout is None:
        options = options_of(item.game, item.options)
        state = replayed(item.game, PLAYERS[item.game], deck, options, None, item.events)
        problems = {f"problem:{problem.problem}" for problem in state.problems}
        assert all(problem.rule_id is item.rule for problem in state.problems)
        return problems or {"fine", *(["over"] if state.over else [])}
    assert known.judged is not None
    ruling = known.judged.ruling
    found = {f"note:{note.kind.value}" for note in ruling.notes} | {f"fault:{f.rule.value}" for f in ruling.faults}
    found.add(ruling.outcome.value)
    if known.hands:
        found.add("hands:" + ",".join(map(str, known.hands)))
    found.add(f"points:{sum(line.points for line in ruling.scores)}")
    if isinstance(ruling.verdict, BoxesVerdict):
        found.add(f"closed:{sum(box.closed for box in ruling.verdict.boxes)}")
    if isinstance(ruling.verdict, PathsVerdict):
        found.add(f"changes:{ruling.verdict.longest_changes}")
    if known.move is not None:
        found |= {f"move-fault:{f.rule.value}" for f in known.move.faults}
        found |= {"move-legal"} if known.move.legal else set()
        found |= {f"extra:{reason.value}" for reason in known.move.extra_turn or ()} or {"no-extra"}
        found.add("ring" if known.move.ring else "no-ring")
    return found


@pytest.mark.parametrize("entry", entries(), ids=NAMES)
def test_the_referee_agrees_with_every_ready_table(entry: dict[str, Any]) -> None:
    assert entry["expect"] in told(entry)
    assert set(entry) <= {"rule", "keeps", "question", "expect", "table", "before", "edge", "events", "options", "next"}


def test_every_rule_is_kept_and_broken() -> None:
    seen = Counter((entry["rule"], entry["keeps"]) for entry in entries())
    for rule in RuleId:
        assert seen[rule.value, True] >= 1
        assert seen[rule.value, False] >= 1
    assert {entry["question"] for entry in entries()} == {question.value for question in Question}


@pytest.mark.parametrize("entry", entries(), ids=NAMES)
def test_the_question_tells_the_two_tables_of_a_rule_apart(entry: dict[str, Any]) -> None:
    item = item_of(entry)
    answers = answered(item, builtin_deck(item.game)).answers
    assert answers
    if item.question is Question.WHERE_NEXT:
        assert answers != (NONE,)
        return
    others = [e for e in entries() if e["rule"] == entry["rule"] and e["keeps"] is not entry["keeps"]]
    (other,) = [item_of(e) for e in others if e["question"] != "where-next"]
    theirs = answered(other, builtin_deck(game_of(entry))).answers
    assert item.question is not other.question or answers != theirs


@pytest.mark.parametrize("game", Game)
def test_questions_with_other_answers_look_different(client: FlaskClient, game: Game) -> None:
    """A class that sees the same twice could not know which answer is meant."""
    answers: dict[str, list[str]] = {}
    for item in made(client.get(f"/api/lessons/ready-{game.value}?lang=en"), 200)["items"]:
        hidden = {"answer", "answers", "reasons", "steps", "rule"}
        seen = json.dumps({name: value for name, value in item.items() if name not in hidden}, sort_keys=True)
        assert answers.setdefault(seen, item["answers"]) == item["answers"], item["rule"]


def test_a_house_rule_is_told_with_the_question(client: FlaskClient) -> None:
    items = made(client.get("/api/lessons/ready-cat-and-mouse?lang=en"), 200)["items"]
    told = {item["answer"]: item["agreed"] for item in items if item["rule"] == "CM-FIRST-FINISH"}
    rule = "House rules: A Finish right after the Start goes back into the heap, and the round goes on."
    assert told == {"None, all is right": [], "2": [rule]}
    assert not any(item["agreed"] for item in items if item["rule"] != "CM-FIRST-FINISH")


def test_where_the_next_card_may_lie_is_tried_by_the_referee() -> None:
    (start,) = [e for e in entries() if e["rule"] == "CM-START" and e["question"] == "where-next"]
    assert answered(item_of(start), builtin_deck("cat-and-mouse")).answers == ("A", "B", "C", "D")
    (fork,) = [e for e in entries() if e["rule"] == "CM-ONE-WAY" and e["question"] == "where-next"]
    known = answered(item_of(fork), builtin_deck("cat-and-mouse"))
    right = [(slot.card.x > 100, slot.card.y < -30) for slot in known.slots if slot.is_right]
    assert sorted(right) == [(False, True), (True, False)]


def where_next(rule: str) -> tuple[str | None, dict[str, bool]]:
    (entry,) = [e for e in entries() if e["rule"] == rule and e["question"] == "where-next"]
    item = item_of(entry)
    known = answered(item, builtin_deck(item.game))
    return known.tried, {slot.name: slot.is_right for slot in known.slots}


def test_where_a_certain_card_may_lie() -> None:
    tried, places = where_next("CP-TWO")
    assert tried == "path-01"
    assert len(places) == 6  # round two cards
    assert {True, False} == set(places.values())
    assert where_next("IF-CAT") == ("cat-red", {"A": True, "B": False})  # a wall is between the other two
    assert where_next("IF-CAT-BOX") == ("cat-red", {"A": False, "B": True})  # only at the box just played


def test_a_path_card_may_lie_where_some_turn_of_it_fits() -> None:
    """Each right place is legal as the referee judges the move, each wrong one in no turn."""
    deck = builtin_deck("coloured-paths")
    (entry,) = [e for e in entries() if e["rule"] == "CP-TWO" and e["question"] == "where-next"]
    item = item_of(entry)
    assert item.layout is not None
    for slot in answered(item, deck).slots:
        legal = []
        for turn in (0.0, 90.0, 180.0, 270.0):
            laid = slot.card.model_copy(update={"id": "n", "face": "path-01", "turn": turn})
            order = (*item.layout.by_id, "n")
            cards = (*item.layout.cards, laid)
            after = judge(item.layout.model_copy(update={"cards": cards, "order": order}), deck).verdict
            assert isinstance(after, PathsVerdict)
            assert after.moves is not None
            legal.append(after.moves[-1].legal)
        assert slot.is_right is any(legal)


@pytest.mark.parametrize("game", [game.value for game in Game])
def test_every_game_has_all_three_kinds_of_questions(game: str) -> None:
    """Which card is wrong, where may the next lie, how many."""
    asked = {entry["question"] for entry in entries() if game_of(entry) == game}
    assert {"first-wrong", "where-next"} <= asked
    assert asked & {"points", "changes"}


# -- lessons as pages and programs use them


def test_a_ready_lesson_with_its_answers(client: FlaskClient) -> None:
    lesson = made(client.get("/api/lessons/ready-coloured-paths"), 200)
    assert lesson["ready"]
    assert {item["rule"][:2] for item in lesson["items"]} == {"CP"}
    item = next(item for item in lesson["items"] if item["rule"] == "CP-SEVEN")
    assert item["answers"] == ["yes"]
    assert item["new"]
    assert any("CP-SEVEN" in line for line in item["reasons"])
    for item in lesson["items"]:
        if item["table"]:
            labels = [card["label"] for card in item["table"]["cards"]]
            assert labels
            assert all(label.isdecimal() for label in labels)
            assert {card["standing"] for card in item["table"]["cards"]} == {"aside"}
        else:
            assert item["story"]
    refused(client.put("/api/lessons/ready-coloured-paths", json=leave(lesson)), 409, "lesson-ready")
    refused(client.get("/api/lessons/ready-chess"), 404, "unknown-lesson")


def leave(lesson: dict[str, Any], **change: Any) -> dict[str, Any]:
    return {"revision": lesson["revision"], "title": lesson["title"], "items": lesson["source"], **change}


def test_a_lesson_is_copied_changed_exported_and_opened_again(client: FlaskClient) -> None:
    lesson = made(client.post("/api/lessons", json={"copy_of": "ready-cat-and-mouse"}))
    url = f"/api/lessons/{lesson['id']}"
    items = [{**lesson["source"][0], "note": "Дивись уважно"}, lesson["source"][5]]
    changed = made(client.put(url, json=leave(lesson, title=" Мій урок ", items=items)), 200)
    assert (changed["title"], len(changed["items"])) == ("Мій урок", 2)
    assert changed["items"][0]["note"] == "Дивись уважно"
    refused(client.put(url, json=leave(lesson)), 409, "changed-meanwhile")
    exported = made(client.get(f"{url}/lesson.json"), 200)
    again = made(client.post("/api/lessons", json=exported))
    assert again["source"] == changed["source"]
    assert client.delete(url).status_code == 204
    refused(client.get(url), 404, "unknown-lesson")


def test_a_table_laid_on_the_screen_becomes_a_question(client: FlaskClient) -> None:
    table = made(client.post("/api/tables", json={"game": "cat-and-mouse"}))
    put(client, table, [card("s", "start", 0, 0), card("a", "right-1", 1, 0), card("b", "up-1", 1, 1)])
    layout = made(client.get(f"/api/tables/{table['id']}/layout"), 200)
    item = {"game": "cat-and-mouse", "question": "first-wrong", "layout": layout}
    lesson = made(client.post("/api/lessons", json={"title": "x", "items": [item]}))
    assert lesson["items"][0]["answers"] == ["b"]
    assert lesson["items"][0]["answer"] == "3"


@pytest.mark.parametrize(
    ("item", "status", "code"),
    [
        ({"game": "cat-and-mouse", "question": "ring", "layout": {"game": "cat-and-mouse", "cards": []}}, 422, None),
        ({"game": "cat-and-mouse", "question": "points"}, 422, "item-empty"),
        ({"game": "coloured-paths", "question": "is-right", "events": [{"kind": "sang"}]}, 422, "bad-field"),
        ({"game": "chess", "question": "points"}, 422, "bad-field"),
        (
            {"game": "cat-and-mouse", "question": "points", "layout": {"game": "if-it-fits", "cards": []}},
            422,
            "wrong-game",
        ),
    ],
)
def test_items_that_cannot_be_asked(client: FlaskClient, item: Any, status: int, code: str | None) -> None:
    refused(client.post("/api/lessons", json={"items": [item]}), status, code or "question-of-another-game")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_on_paper_has_its_answers_on_the_last_pages(client: FlaskClient, language: str) -> None:
    answer = client.get(f"/api/lessons/ready-if-it-fits/worksheet.pdf?lang={language}")
    assert answer.mimetype == "application/pdf"
    document = pdfium.PdfDocument(answer.get_data())
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    answers = WebMessages(language).text("sheet.answers")
    first = next(n for n, text in enumerate(pages) if answers in text)
    assert 3 < first < len(pages)
    assert not any("IF-CAT" in text for text in pages[:first])
    assert any("IF-CAT" in text for text in pages[first:])


# -- quizzes


def test_a_quiz_counts_answers_and_nothing_else(client: FlaskClient) -> None:
    quiz = made(client.post("/api/quizzes", json={"lesson": "ready-cat-and-mouse"}))
    url, key = f"/api/quizzes/{quiz['id']}", quiz["key"]
    assert "key" not in made(client.get(url), 200)
    assert "answers" not in quiz["item"]
    for _ in range(3):
        client.post(f"{url}/join")
    choices = [choice["value"] for choice in quiz["item"]["choices"]]
    for choice in (choices[0], choices[0], choices[-1]):
        assert client.post(f"{url}/answers", json={"at": 0, "choice": choice}).status_code == 200
    changed = client.post(f"{url}/answers", json={"at": 0, "choice": choices[-1], "instead_of": choices[0]})
    assert made(changed, 200)["given"] == 3
    assert made(client.get(url), 200)["tally"] is None
    refused(client.put(url, json={"key": "guessed", "revealed": True}), 403, "not-yours")
    shown = made(client.put(url, json={"key": key, "revealed": True}), 200)
    assert shown["tally"] == {choices[0]: 1, choices[-1]: 2}
    assert (shown["joined"], shown["item"]["answers"]) == (3, ["none"])
    refused(client.post(f"{url}/answers", json={"at": 0, "choice": choices[0]}), 409, "too-late")
    onward = made(client.put(url, json={"key": key, "at": 1}), 200)
    assert (onward["at"], onward["revealed"], onward["given"]) == (1, False, 0)
    refused(client.post(f"{url}/answers", json={"at": 0, "choice": "none"}), 409, "too-late")
    refused(client.post(f"{url}/answers", json={"at": 1, "choice": "a joke"}), 422, "no-such-answer")
    refused(client.put(url, json={"key": key, "at": 500}), 422, "no-such-item")


def test_quizzes_go_after_a_day(client: FlaskClient, app: Flask) -> None:
    quiz = made(client.post("/api/quizzes", json={"lesson": "ready-if-it-fits"}))
    with app.extensions["referee_database"].writing() as session:
        session.get(Quiz, quiz["id"]).created_at = now() - timedelta(days=2)
    client.post("/api/quizzes", json={"lesson": "ready-if-it-fits"})
    refused(client.get(f"/api/quizzes/{quiz['id']}"), 404, "unknown-quiz")


# -- lessons that show a photograph


def pictured(client: FlaskClient, table: dict[str, Any], question: str = "first-wrong") -> dict[str, Any]:
    """A lesson with the table of a photograph."""
    layout = made(client.get(f"/api/tables/{table['id']}/layout"), 200)
    item = {"game": table["game"], "question": question, "layout": layout, "photo": {"table": table["id"]}}
    return made(client.post("/api/lessons", json={"title": "Фото", "items": [item]}))


def kept_photos(app: Flask) -> int:
    with app.extensions["referee_database"].reading() as session:
        return len(session.scalars(select(LessonPhoto.id)).all())


def test_a_lesson_keeps_the_photograph_of_its_table(
    app: Flask, client: FlaskClient, photo_table: Callable[..., dict[str, Any]]
) -> None:
    table = photo_table()
    lesson = pictured(client, table)
    shown = lesson["items"][0]["table"]
    assert shown["size"] == [shown["photo"]["width"], shown["photo"]["height"]]
    assert max(shown["size"]) <= 1600
    scale = shown["size"][0] / table["size"][0]
    corners = {card["id"]: card["corners"] for card in shown["cards"]}
    for read in table["cards"]:
        assert np.allclose(np.array(read["corners"]) * scale, corners[read["id"]], atol=0.2)
    data = client.get(shown["photo"]["url"]).get_data()
    pixels = decode(data, "photo").pixels
    assert pixels.shape[:2] == (shown["size"][1], shown["size"][0])
    client.delete(table["photo"]["url"])  # the table's own photograph is forgotten; the lesson's stays
    assert client.get(shown["photo"]["url"]).status_code == 200
    assert client.delete(f"/api/lessons/{lesson['id']}").status_code == 204
    assert client.get(shown["photo"]["url"]).status_code == 404
    assert kept_photos(app) == 0


def test_steps_and_places_lie_on_the_photograph(
    client: FlaskClient, photo_table: Callable[..., dict[str, Any]]
) -> None:
    table = photo_table("cat-wrong-side-tablecloth")
    item = pictured(client, table, "where-next")["items"][0]
    width, height = item["table"]["size"]
    ghosts = [corner for step in item["steps"] for ghost in step["ghosts"] for corner in ghost]
    places = [corner for slot in item["slots"] for corner in slot["corners"]]
    assert ghosts
    assert places
    sides = [np.hypot(*np.subtract(c["corners"][1], c["corners"][0])) for c in item["table"]["cards"]]
    for x, y in ghosts + places:
        assert -0.5 * width < x < 1.5 * width
        assert -0.5 * height < y < 1.5 * height
    for slot in item["slots"]:
        side = np.hypot(*np.subtract(slot["corners"][1], slot["corners"][0]))
        assert 0.6 * min(sides) < side < 1.6 * max(sides)


def test_photographs_of_lessons_go_with_files_and_copies(
    app: Flask, client: FlaskClient, photo_table: Callable[..., dict[str, Any]]
) -> None:
    lesson = pictured(client, photo_table())
    url = f"/api/lessons/{lesson['id']}"
    exported = made(client.get(f"{url}/lesson.json"), 200)
    photo = exported["items"][0]["photo"]
    assert photo["image"].startswith("data:image/jpeg;base64,")
    assert "id" not in photo
    data = base64.b64decode(photo["image"].partition(",")[2])
    again = made(client.post("/api/lessons", json=exported))
    copied = made(client.post("/api/lessons", json={"copy_of": lesson["id"]}))
    assert kept_photos(app) == 3
    client.delete(url)
    for other in (again, copied):
        shown = other["items"][0]["table"]
        assert client.get(shown["photo"]["url"]).status_code == 200
        assert shown["size"] == lesson["items"][0]["table"]["size"]
        assert shown["cards"] == lesson["items"][0]["table"]["cards"]
    assert client.get(copied["items"][0]["table"]["photo"]["url"]).get_data() == data
    without = [{**again["source"][0], "photo": None}]
    changed = made(client.put(f"/api/lessons/{again['id']}", json=leave(again, items=without)), 200)
    assert changed["items"][0]["table"]["photo"] is None
    assert kept_photos(app) == 1


def test_what_is_no_photograph_of_a_lesson_is_refused(client: FlaskClient) -> None:
    item = {"game": "cat-and-mouse", "question": "points", "layout": {"game": "cat-and-mouse", "cards": []}}
    refused(client.post("/api/lessons", json={"items": [{**item, "photo": {"id": "none"}}]}), 404, "unknown-photo")
    refused(client.post("/api/lessons", json={"items": [{**item, "photo": {"table": "none"}}]}), 404, "unknown-table")
    broken = {"image": "data:image/jpeg;base64,AAAA"}
    refused(client.post("/api/lessons", json={"items": [{**item, "photo": broken}]}), 422, "photo-format")
    nonsense = {"image": "data:image/jpeg;base64,A"}
    refused(client.post("/api/lessons", json={"items": [{**item, "photo": nonsense}]}), 422, "photo-broken")
    by_hand = made(client.post("/api/tables", json={"game": "cat-and-mouse"}))
    taken = {**item, "photo": {"table": by_hand["id"]}}
    refused(client.post("/api/lessons", json={"items": [taken]}), 404, "unknown-photo")
    other = {**item, "photo": {"image": "file:///etc/passwd"}}
    refused(client.post("/api/lessons", json={"items": [other]}), 422, "bad-field")


@pytest.mark.parametrize("said", ["only-id", "no-size", "no-outlines", "elsewhere", "beyond", "a-point"])
def test_what_a_client_leaves_out_of_a_photograph_is_known_from_it(
    client: FlaskClient, photo_table: Callable[..., dict[str, Any]], said: str
) -> None:
    """Or says of it that cannot be: it is shown and printed all the same."""
    lesson = pictured(client, photo_table(), "where-next")
    item = lesson["source"][0]
    photo = item["photo"]
    away = {"elsewhere": 5000.0, "beyond": -9000.0}.get(said, 0.0)
    moved = {card: [[x + away, y + away] for x, y in corners] for card, corners in photo["outlines"].items()}
    point = {card: [corners[0]] * 4 for card, corners in photo["outlines"].items()}
    changed = {
        "only-id": {"id": photo["id"]},
        "no-size": {"id": photo["id"], "outlines": photo["outlines"]},
        "no-outlines": {**photo, "outlines": {}},
        "elsewhere": {**photo, "outlines": moved},
        "beyond": {**photo, "width": 3, "height": 90_000, "outlines": moved},
        "a-point": {**photo, "outlines": point},
    }[said]
    size = lesson["items"][0]["table"]["size"] if said == "no-size" else None  # else the cards are drawn
    url = f"/api/lessons/{lesson['id']}"
    copied = made(client.post("/api/lessons", json={"items": [{**item, "photo": changed}]}))
    assert client.get(f"/api/lessons/{copied['id']}/worksheet.pdf").data.startswith(b"%PDF")
    answer = made(client.put(url, json=leave(lesson, items=[{**item, "photo": changed}])), 200)
    assert client.get(f"{url}/worksheet.pdf").data.startswith(b"%PDF")
    assert answer["items"][0]["table"]["size"] == size


def test_a_photograph_is_printed(client: FlaskClient, photo_table: Callable[..., dict[str, Any]]) -> None:
    lesson = pictured(client, photo_table(), "where-next")
    paper = client.get(f"/api/lessons/{lesson['id']}/worksheet.pdf").get_data()
    page = pdfium.PdfDocument(paper)[0]
    pictures = [thing for thing in page.get_objects() if isinstance(thing, pdfium.PdfImage)]
    assert len(pictures) == 1  # the photograph, not the cards drawn
    width, height = pictures[0].get_px_size()  # the part with the cards
    whole = lesson["items"][0]["table"]["size"]
    assert 0.3 * whole[0] < width <= whole[0]
    assert 0.3 * whole[1] < height <= whole[1]


def test_words_on_paper_stand_close_together(client: FlaskClient) -> None:
    """No line is spaced out to fill its width."""
    paper = client.get("/api/lessons/ready-cat-and-mouse/worksheet.pdf?lang=uk").get_data()
    text = pdfium.PdfDocument(paper)[0].get_textpage()
    boxes = [text.get_charbox(number) for number in range(text.count_chars())]
    written = [(c, box) for c, box in zip(text.get_text_range(), boxes, strict=True) if c.strip()]
    gaps = [
        (right[0] - left[2]) / (left[3] - left[1])
        for (_, left), (_, right) in itertools.pairwise(written[:40])  # the title
        if abs(left[1] - right[1]) < 4 < right[0] - left[0]
    ]
    assert len(gaps) > 20
    assert max(gaps) < 2  # of the height of a letter


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_of_lessons(client: FlaskClient, language: str) -> None:
    quiz = made(client.post("/api/quizzes", json={"lesson": "ready-if-it-fits"}))
    lesson = made(client.post("/api/lessons", json={"title": "x"}))
    for url in (
        "/lessons",
        "/lessons/ready-if-it-fits",
        f"/lessons/{lesson['id']}",
        "/lessons/ready-if-it-fits/show",
        f"/quiz/{quiz['id']}",
        f"/quiz/{quiz['id']}/qr.svg",
    ):
        assert client.get(f"{url}?lang={language}").status_code == 200, url
    assert client.get("/lessons/none").status_code == 404
