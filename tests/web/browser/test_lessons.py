"""Lessons on the wall, answered by phone, and a teacher's own."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Route, expect

from tests.web.browser.conftest import OpenPage
from tests.web.browser.steps import check_photo, lay
from tests.web.browser.test_access import violations
from tests.web.processes import service


def test_a_lesson_is_answered_from_phones(open_page: OpenPage) -> None:
    teacher = open_page("/lessons/ready-cat-and-mouse/show")
    expect(teacher.locator(".wall-step")).to_contain_text("first wrong")
    teacher.locator("#begin-quiz").click()
    link = teacher.locator("#quiz a").get_attribute("href")
    assert link is not None
    phones = [open_page(link, size="phone", language=language) for language in ("uk", "en")]
    expect(teacher.locator("#quiz")).to_contain_text("2 phones have joined")
    assert violations(phones[0]) == []
    phones[0].locator(".choices .button").first.click()
    phones[1].locator(".choices .button").last.click()
    expect(teacher.locator("#quiz")).to_contain_text("2 answers")
    expect(teacher.locator(".tally")).to_have_count(0)
    teacher.keyboard.press(" ")
    expect(phones[0].locator(".quiz-result")).to_contain_text("Не зовсім")
    expect(phones[1].locator(".quiz-result")).to_contain_text("Right!")
    expect(teacher.locator(".tally li")).to_have_count(2)
    assert violations(teacher) == []
    teacher.keyboard.press("End")
    expect(phones[1].locator("#number")).to_contain_text("Question 2")
    expect(phones[1].locator("#said")).to_be_empty()


def test_phones_join_in_the_middle_of_a_lesson(open_page: OpenPage) -> None:
    teacher = open_page("/lessons/ready-cat-and-mouse/show?at=3")
    teacher.locator("#begin-quiz").click()
    expect(teacher.locator("#quiz .qr")).to_be_visible()
    expect(teacher.locator("#quiz")).to_contain_text("--lan")  # nobody else could open it
    link = teacher.locator("#quiz a").get_attribute("href")
    assert link is not None
    phone = open_page(link, size="phone")
    expect(phone.locator("#number")).to_contain_text("Question 4")
    expect(teacher.locator("#quiz")).not_to_contain_text("--lan")
    teacher.keyboard.press(" ")
    expect(teacher.locator(".tally")).to_have_count(1)
    expect(teacher.locator("#quiz .qr")).to_have_count(0)
    expect(teacher.locator("#quiz a")).to_be_visible()


def test_a_phone_shows_all_that_must_be_known_to_answer(open_page: OpenPage) -> None:
    """The house rule that is agreed, the teacher's own words, the card that is new."""
    page = open_page("/about")
    ready = page.request.get("/api/lessons/ready-cat-and-mouse").json()
    paths = page.request.get("/api/lessons/ready-coloured-paths").json()
    agreed = next(item for item in ready["source"] if item.get("options"))
    moved = next(item for item in paths["source"] if item.get("before"))
    items = [agreed, {**moved, "note": "Look at the yellow path."}]
    lesson = page.request.post("/api/lessons", data={"title": "Two", "items": items}).json()
    teacher = open_page(f"/lessons/{lesson['id']}/show")
    expect(teacher.locator("#wall-say")).to_contain_text("goes back into the heap")
    teacher.locator("#begin-quiz").click()
    link = teacher.locator("#quiz a").get_attribute("href")
    assert link is not None
    phone = open_page(link, size="phone")
    expect(phone.locator("#next")).to_contain_text("goes back into the heap")
    teacher.keyboard.press("End")
    expect(phone.locator("#next")).to_contain_text("Look at the yellow path.")
    expect(phone.locator("#next")).to_contain_text("New: 3")


def test_phones_may_be_asked_before_the_tables_are_there(open_page: OpenPage) -> None:
    """On a slow machine the button is there before the lesson is: phones still begin at the teacher's table."""
    teacher = open_page("/lessons/ready-cat-and-mouse/show?at=3")
    held: list[Route] = []
    teacher.route("**/api/lessons/*", lambda route: held.append(route))
    teacher.reload(wait_until="domcontentloaded")
    teacher.locator("#begin-quiz").click()
    while not held:
        teacher.wait_for_timeout(50)
    teacher.wait_for_timeout(500)
    held[0].continue_()
    link = teacher.locator("#quiz a").get_attribute("href")
    assert link is not None
    phone = open_page(link, size="phone")
    expect(phone.locator("#number")).to_contain_text("Question 4")


def test_phones_are_given_the_address_that_they_can_open(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(locale="en")
    teacher = context.new_page()
    with service(tmp_path, ["--public-url", "http://192.168.1.7:8000"]) as (base, _):
        teacher.goto(f"{base}/lessons/ready-cat-and-mouse/show")
        teacher.locator("#begin-quiz").click()
        expect(teacher.locator("#quiz a")).to_have_attribute(
            "href", re.compile(r"^http://192\.168\.1\.7:8000/quiz/\w+$")
        )
        expect(teacher.locator("#quiz")).not_to_contain_text("--lan")
    context.close()


def test_a_lesson_shows_the_photograph_of_its_table(open_page: OpenPage) -> None:
    page = open_page()
    check_photo(page, "cat-and-mouse", "cat-wrong-side-tablecloth")
    page.locator("#panel").get_by_text("More", exact=True).click()
    page.locator("#to-lesson").select_option(label="A new lesson")
    expect(page.locator("#toast")).to_contain_text("Added")
    page.goto("/lessons")
    page.locator("#own a").first.click()
    expect(page.locator(".lesson-item .mini image")).to_have_count(1)
    page.locator("#question-0").select_option("where-next")
    expect(page.locator("#toast")).to_contain_text("Saved")
    assert violations(page) == []
    address = page.url
    page.get_by_role("link", name="Show on the wall").click()
    expect(page.locator("svg.table image")).to_have_count(1)
    expect(page.locator(".slot-shape").first).to_be_visible()
    expect(page.locator(".slot-shape.right")).to_have_count(0)
    page.keyboard.press(" ")
    expect(page.locator(".slot-shape.right").first).to_be_visible()
    page.goto(address)
    page.get_by_role("button", name="Take the photo out").click()
    expect(page.locator(".lesson-item .mini image").first).to_be_visible()  # the cards are drawn instead
    expect(page.get_by_role("button", name="Take the photo out")).to_have_count(0)


def test_a_teacher_s_own_lesson(open_page: OpenPage) -> None:
    page = open_page("/lessons/ready-coloured-paths")
    expect(page.locator(".lesson-item").first).to_be_visible()
    assert violations(page) == []
    page.locator("#copy").click()
    page.wait_for_url(re.compile(r"/lessons/\w{16}$"))
    expect(page.locator(".lesson-item").first).to_be_visible()
    page.locator("#name").fill("Our paths")
    page.keyboard.press("Tab")
    expect(page.locator("h1")).to_have_text("Our paths")
    count = page.locator(".lesson-item").count()
    page.get_by_role("button", name="Take out").first.click()
    expect(page.locator(".lesson-item")).to_have_count(count - 1)
    page.goto("/")
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start", "right-1", "finish")
    page.locator("#panel").get_by_text("More", exact=True).click()
    page.locator("#to-lesson").select_option(label="Our paths")
    expect(page.locator("#toast")).to_contain_text("Our paths")
    page.goto("/lessons")
    page.get_by_role("link", name="Our paths").click()
    expect(page.locator(".lesson-item")).to_have_count(count)
    assert violations(page) == []
