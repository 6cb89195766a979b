"""For everybody: keyboard only, screen readers, languages, dark mode, text that grows, no server."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import AXE, OpenPage
from tests.web.browser.steps import MATCH, check_photo, lay, start_match
from tests.web.conftest import SURE_PHOTO


def violations(page: Page) -> list[str]:
    """What axe finds that is serious or worse, as `rule: first place`. (The page's own policy forbids foreign scripts,
    so axe is run as a file of the test.)"""
    page.evaluate(AXE.read_text("utf-8"))
    found: list[dict[str, Any]] = page.evaluate(
        "async () => (await axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})).violations"
    )
    return [
        f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0].get('failureSummary', '')[:200]}"
        for v in found
        if v["impact"] in ("moderate", "serious", "critical")
    ]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_axe_finds_nothing(open_page: OpenPage, size: str, dark: bool) -> None:
    page = open_page(size=size, dark=dark, language="uk")
    wrong: dict[str, list[str]] = {}
    for path in ("/", "/matches/new?game=if-it-fits", "/rules/if-it-fits", "/about", "/offline", "/nothing"):
        page.goto(path)
        wrong[path] = violations(page)
    page.goto("/?game=cat-and-mouse")
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    wrong["empty table"] = violations(page)
    lay(page, "start", "right-1", "finish", "up-1")
    for summary in page.locator("#panel summary").all():
        summary.click()
    wrong["table"] = violations(page)
    page.locator("[data-card]").first.focus()
    page.keyboard.press("Enter")
    wrong["picker"] = violations(page)
    page.keyboard.press("Escape")
    start_match(page, "cat-and-mouse", "А", "Б")
    page.get_by_role("button", name="Розкласти на екрані").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start", "right-1", "finish")
    wrong["table of a match"] = violations(page)
    page.get_by_role("link", name="Назад до матчу").click()
    page.wait_for_url(MATCH)
    for summary in page.locator("main summary").all():
        summary.click()
    wrong["match"] = violations(page)
    page.goto(page.url + "/print")
    wrong["print"] = violations(page)
    assert {where: found for where, found in wrong.items() if found} == {}


def test_axe_finds_nothing_on_a_photograph(open_page: OpenPage) -> None:
    page = open_page(size="phone")
    check_photo(page, "cat-and-mouse", SURE_PHOTO)
    assert violations(page) == []


def test_a_table_is_laid_turned_and_cleared_by_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page()
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_attribute("name", "game")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("input[name=game]:checked")).to_have_value("if-it-fits")
    page.locator("#lay").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/*")
    page.locator('#palette [data-face="box-tl-1"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-card]")).to_have_count(1)
    expect(page.locator(":focus")).to_have_attribute("data-face", "box-tl-1")
    page.keyboard.press("Enter")
    expect(page.locator("[data-card]")).to_have_count(2)
    second = page.locator('[data-card="h2"]')
    second.focus()
    place = second.locator("polygon").first.get_attribute("points")
    page.keyboard.press("ArrowDown")
    expect(second.locator("polygon").first).not_to_have_attribute("points", place or "")
    expect(second).to_be_focused()
    page.keyboard.press("r")
    expect(page.locator(".sentences.bad")).to_contain_text("long side")
    page.keyboard.press("Delete")
    expect(page.locator("[data-card]")).to_have_count(1)


def test_a_card_is_dragged_from_the_deck_and_snaps(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start")
    start = page.locator('[data-card="h1"]').bounding_box()
    source = page.locator('#palette [data-face="right-1"]')
    source.scroll_into_view_if_needed()
    held = source.bounding_box()
    start = page.locator('[data-card="h1"]').bounding_box()
    assert start is not None
    assert held is not None
    page.mouse.move(held["x"] + held["width"] / 2, held["y"] + held["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 1.6 * start["width"], start["y"] + 0.3 * start["height"], steps=6)
    page.mouse.up()
    expect(page.locator("[data-card]")).to_have_count(2)
    expect(page.locator("#panel")).to_contain_text("1 card is right, 1 point")
    card = page.locator('[data-card="h2"]').bounding_box()
    start = page.locator('[data-card="h1"]').bounding_box()
    assert card is not None
    assert start is not None
    page.mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + start["width"] / 2 + 4, start["y"] + 1.5 * start["height"], steps=6)
    page.mouse.up()
    expect(page.locator('[data-card="h2"]')).to_have_attribute("data-card", "h2")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#panel")).to_contain_text("1 card is right")  # a first card may lie on any side


def test_the_language_is_switched_and_stays(open_page: OpenPage) -> None:
    page = open_page(language="uk")
    expect(page.locator("h1")).to_have_text("Чи правильно лежать картки?")
    page.get_by_role("link", name="RU, Русский").click()
    expect(page.locator("h1")).to_have_text("Правильно ли лежат карточки?")
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator("#palette h2")).to_have_text("Колода")
    page.get_by_role("link", name="EN, English").click()
    expect(page.locator("#palette h2")).to_have_text("The deck")
    lay(page, "start", "right-1")
    expect(page.locator("#panel")).to_contain_text("1 card is right, 1 point")


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_pages_do_not_overflow_even_with_large_text(open_page: OpenPage, size: str) -> None:
    page = open_page(size=size, language="uk")
    for path in ("/", "/matches/new", "/rules", "/about"):
        page.goto(path)
        page.evaluate("document.documentElement.style.fontSize = '150%'")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), path


@pytest.mark.parametrize("path", ["/", "/matches/new"])
def test_nobody_is_asked_for_the_camera(open_page: OpenPage, path: str) -> None:
    """Photographs come through the phone's own camera, so a refused camera keeps nobody from playing."""
    page = open_page(size="phone")
    page.add_init_script(
        """Object.defineProperty(navigator, "mediaDevices", {value: {
            getUserMedia: () => {
                window.asked = true;
                return Promise.reject(new DOMException("", "NotAllowedError"));
            },
        }});"""
    )
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()
    page.goto("/")
    assert page.locator("#take").get_attribute("capture") == "environment"
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start")
    assert page.evaluate("window.asked === undefined")


def test_without_the_server_there_is_a_sentence(open_page: OpenPage, app: Flask) -> None:
    page = open_page(language="uk")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.context.set_offline(True)
    page.goto("/about", wait_until="domcontentloaded")
    expect(page.locator("h1")).to_have_text("Судді немає на зв'язку")
    page.context.set_offline(False)
    page.get_by_role("link", name="Спробувати ще раз").click()
    expect(page.locator("h1")).to_have_text("Чи правильно лежать картки?")
    assert app


def test_a_server_that_went_away_is_told_while_people_work(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    page.context.set_offline(True)
    page.locator('#palette [data-face="start"]').click()
    expect(page.locator("#toast")).to_contain_text("does not answer")
    page.context.set_offline(False)
    lay(page, "start")
