"""On the wall: it follows a match, comes back by itself, and obeys the teacher's keys."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.browser.conftest import PATIENCE, OpenPage, sample
from tests.web.browser.steps import MATCH, lay, start_match
from tests.web.browser.test_access import violations
from tests.web.processes import free_port, service


def test_the_wall_follows_a_match_within_a_second(open_page: OpenPage) -> None:
    page = open_page(size="phone")
    url = start_match(page, "cat-and-mouse", "Olena", "Papa")
    wall = open_page(url.replace("/matches/", "/projector/matches/"))
    expect(wall.locator("#wall-empty")).to_contain_text("No table yet")
    assert violations(wall) == []
    page.get_by_role("button", name="Lay it on the screen").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start", "right-1", "finish")
    expect(wall.locator(".wall-outcome")).to_contain_text("Everything lies right")
    page.locator(".match-bar select").first.select_option(index=1)
    expect(page.locator(".match-bar select").first).not_to_have_value("")
    page.wait_for_load_state("networkidle")
    with page.expect_navigation(url=MATCH):
        page.locator("#confirm").click()
    began = time.monotonic()
    expect(wall.locator("#wall-scores li").first).to_contain_text("1")
    expect(wall.locator(".wall-turn")).to_contain_text("Round 2")
    assert time.monotonic() - began < 5  # a second on a machine that is not busy
    assert violations(wall) == []


def played(page: Page, url: str, player: str) -> None:
    """A turn of If It Fits, told and confirmed."""
    told = {"kind": "turn", "player": player, "data": {"box": True}}
    entry = page.request.post(f"{url}/entries", data=told).json()["entries"][-1]["id"]
    assert page.request.post(f"{url}/entries/{entry}/confirm").ok


def test_the_wall_comes_back_after_a_restart_and_after_sleep(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    players = [{"name": "Olena", "colour": "red"}, {"name": "Papa", "colour": "blue"}]
    context = browser.new_context(locale="en")
    wall = context.new_page()
    turn = wall.locator(".wall-turn")
    with service(tmp_path, port=port) as (base, process):
        match = context.request.post(f"{base}/api/matches", data={"game": "if-it-fits", "players": players}).json()[
            "id"
        ]
        url = f"{base}/api/matches/{match}"
        wall.goto(f"{base}/projector/matches/{match}")
        expect(turn).to_contain_text("Olena")
        process.kill()
        expect(wall.locator("#connection")).to_be_visible()
    with service(tmp_path, port=port):
        expect(wall.locator("#connection")).to_be_hidden()
        played(wall, url, "red")
        expect(turn).to_contain_text("Papa")
        asleep = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
        changed = "document.dispatchEvent(new Event('visibilitychange'));"
        wall.evaluate(asleep % "true" + changed)
        played(wall, url, "blue")
        wall.wait_for_timeout(3000)
        expect(turn).to_contain_text("Papa")  # a page that sleeps keeps no thread of the server
        wall.evaluate(asleep % "false" + changed)
        expect(turn).to_contain_text("Olena")
    context.close()


def test_a_look_that_failed_is_repeated_though_nothing_more_is_told(open_page: OpenPage) -> None:
    """The server's news came through, the question that it led to did not."""
    page = open_page()
    players = [{"name": "Olena", "colour": "red"}, {"name": "Papa", "colour": "blue"}]
    match = page.request.post("/api/matches", data={"game": "if-it-fits", "players": players}).json()["id"]
    wall = open_page(f"/projector/matches/{match}")
    expect(wall.locator(".wall-turn")).to_contain_text("Olena")
    wall.wait_for_timeout(3000)  # the stream is open and nothing is asked any more
    wall.route("**/api/matches/*", lambda route: route.abort())
    played(page, f"/api/matches/{match}", "red")
    expect(wall.locator("#connection")).to_be_visible()
    wall.unroute("**/api/matches/*")
    expect(wall.locator("#connection")).to_be_hidden()
    expect(wall.locator(".wall-turn")).to_contain_text("Papa")


def test_a_photograph_that_did_not_come_is_asked_for_again(open_page: OpenPage) -> None:
    """The service went away between the table and its picture, and nothing changes on the table any more."""
    page = open_page()
    page.locator("#choose").set_input_files(sample("cat-route-legal-kitchen"))
    page.wait_for_url("**/tables/*", timeout=PATIENCE)
    wall = open_page("/about")
    wall.route("**/api/photos/**", lambda route: route.abort())
    wall.goto(page.url.replace("/tables/", "/projector/tables/"))
    picture = wall.locator("svg.table image")
    expect(wall.locator(".wall-outcome")).to_be_visible()
    expect(picture).to_have_attribute("visibility", "hidden")  # no sign of a broken picture over the whole wall
    wall.unroute("**/api/photos/**")
    with wall.expect_response("**/api/photos/**") as answer:
        pass
    assert answer.value.ok
    expect(picture).not_to_have_attribute("visibility", "hidden")


def steps(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_keys_on_the_wall(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start", "right-1", "finish", "up-1")
    wall = open_page(page.url.replace("/tables/", "/projector/tables/"), language="uk")
    expect(wall.locator(".wall-outcome")).to_contain_text("Щось лежить неправильно")
    steps(wall, " ", " ")
    expect(wall.locator("#wall-say")).to_contain_text("Крок 2")
    expect(wall.locator(".flying")).to_have_count(1)
    steps(wall, "ArrowLeft")
    expect(wall.locator("#wall-say")).to_contain_text("Крок 1")
    steps(wall, "End", "ArrowLeft")
    expect(wall.locator(".wall-step.bad")).to_be_visible()
    steps(wall, "Escape")
    expect(wall.locator(".wall-outcome")).to_be_visible()
    steps(wall, "b")
    expect(wall.locator(".wall")).to_be_hidden()
    wall.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'и', bubbles: true}))")
    expect(wall.locator(".wall")).to_be_visible()
    steps(wall, "f")
    expect(wall.locator("#wall-frozen")).to_be_visible()
    lay(page, "up-2")
    wall.wait_for_timeout(1500)
    expect(wall.locator("svg.table [data-card]")).to_have_count(4)
    steps(wall, "f")
    expect(wall.locator(".seen")).to_contain_text("Бачу")
    expect(wall.locator("svg.table [data-card]")).to_have_count(5)
    steps(wall, "l")
    expect(wall.locator(".wall-outcome")).to_contain_text("лежит неправильно")
    steps(wall, "c", "c", "c")
    assert wall.evaluate("document.documentElement.dataset.look") == "contrast"
    wall.wait_for_timeout(300)
    assert violations(wall) == []


def wall_of(page: Page) -> str:
    """Lay a right table on the screen; returns the address of its wall."""
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start", "right-1", "finish")
    return page.url.replace("/tables/", "/projector/tables/")


VOICES = """
window.said = [];
const voices = [{ lang: "en-US" }, { lang: "en-GB" }].map((one) => Object.assign(new EventTarget(), one));
Object.defineProperty(window, "SpeechSynthesisUtterance", { value: function (text) { this.text = text; } });
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => voices, cancel() {}, speak: (told) => said.push([told.text, told.lang, told.voice.lang]) } });
"""


@pytest.mark.parametrize("language", ["en", "uk"])
def test_verdicts_are_spoken_where_there_is_a_voice_for_the_language(open_page: OpenPage, language: str) -> None:
    wall = open_page(wall_of(open_page()), language=language)
    wall.add_init_script(VOICES)
    wall.reload()
    expect(wall.locator(".wall-outcome")).to_be_visible()
    expect(wall.locator("#wall-spoken")).to_be_hidden()
    steps(wall, "s", " ")
    expect(wall.locator("#wall-spoken")).to_have_text(
        "Spoken" if language == "en" else "На цьому пристрої немає голосу для цієї мови."
    )
    said = wall.evaluate("said")
    assert [words[1:] for words in said] == ([["en-GB", "en-GB"]] * 2 if language == "en" else [])
    if said:
        assert said[0][0] == "Everything lies right."
        assert "Start" in said[1][0]


@pytest.mark.parametrize("late", ["**/js/keys.js", "**/api/tables/*/steps"])
def test_keys_pressed_before_the_wall_is_there_count(open_page: OpenPage, late: str) -> None:
    address = wall_of(open_page())
    wall = open_page("/about")
    held: list[Route] = []
    wall.route(late, lambda route: held.append(route))
    wall.goto(address, wait_until="commit")
    until = time.monotonic() + 30
    while not held and time.monotonic() < until:
        wall.wait_for_timeout(50)
    steps(wall, " ", " ")
    expect(wall.locator("#wall-say")).not_to_contain_text("Step")
    for route in held:
        route.continue_()
    expect(wall.locator("#wall-say")).to_contain_text("Step 2")


def test_a_long_story_is_seen_as_a_whole_on_the_wall(open_page: OpenPage) -> None:
    page = open_page("/lessons/ready-coloured-paths/show?at=20")
    page.set_viewport_size({"width": 1280, "height": 720})
    lines = page.locator(".wall-story li")
    expect(lines.last).to_be_visible()
    assert lines.count() > 10
    page.wait_for_function("document.documentElement.scrollHeight <= innerHeight")
    expect(lines.first).to_be_in_viewport(ratio=1)
    expect(lines.last).to_be_in_viewport(ratio=1)
