"""A match of each game on the pages, and two phones in one match."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import PATIENCE, OpenPage, sample
from tests.web.browser.steps import MATCH, lay, pick, start_match, totals
from tests.web.browser.test_access import violations


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_cat_and_mouse_from_photograph_to_score(open_page: OpenPage, size: str) -> None:
    page = open_page(size=size)
    start_match(page, "cat-and-mouse", "Olena", "Papa")
    page.locator("#photo-round").set_input_files(sample("cat-after-finish-cloth"))
    page.wait_for_url("**/tables/*", timeout=PATIENCE)
    owners = page.locator(".match-bar select")
    expect(owners).to_have_count(2)
    if page.locator("#decided").count():
        page.locator("#decided").check()
    page.locator("#confirm").click()
    expect(page.locator("#toast")).to_contain_text("whose each Start is")
    for number in range(2):
        page.locator(".match-bar select").nth(number).select_option(index=number + 1)
        expect(page.locator(".match-bar select").nth(number)).not_to_have_value("")
        page.wait_for_load_state("networkidle")
    page.locator("#confirm").click()
    page.wait_for_url(MATCH)
    expect(page.locator("#status")).to_contain_text("Round 2 of 4")
    assert sum(map(int, totals(page))) > 0
    won = totals(page)
    page.get_by_role("button", name="Reopen").click()
    expect(page.locator("#players .total b").first).to_have_text("0")
    page.locator(".entry").get_by_role("button", name="Confirm").click()
    expect(page.locator("#players .total b").first).to_have_text(won[0])
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#history")).to_contain_text("Nothing yet")
    assert totals(page) == ["0", "0"]


def test_multicoloured_paths_by_hand(open_page: OpenPage) -> None:
    page = open_page()
    start_match(page, "coloured-paths", "A", "B", "C")
    expect(page.locator("#status")).to_contain_text("Now plays: A")
    page.get_by_role("button", name="Lay it on the screen").click()
    page.wait_for_url("**/tables/*")
    lay(page, "path-01")
    page.locator("#confirm").click()
    page.wait_for_url(MATCH)
    expect(page.locator("#status")).to_contain_text("Now plays: B")
    page.get_by_role("button", name="Pass the turn").click()
    expect(page.locator("#problem")).to_contain_text("take a card from the bank")
    page.get_by_role("button", name="Draw a card").click()
    expect(page.locator("#players li").nth(1)).to_contain_text("6 cards in hand")
    page.get_by_role("button", name="Pass the turn").click()
    expect(page.locator("#status")).to_contain_text("Now plays: C")
    page.get_by_role("button", name="Lay a card, without a photo").click()
    page.get_by_text("It closed a ring").click()
    page.get_by_role("button", name="Confirm the turn").click()
    expect(page.locator("#status")).to_contain_text("Now plays: A")
    expect(page.locator("#players li").nth(0)).to_contain_text("5 cards in hand")


def test_if_it_fits_with_five_players(open_page: OpenPage) -> None:
    page = open_page(size="phone")
    start_match(page, "if-it-fits", "Марія-Магдалина Гречковська-Перебийніс", "B", "C", "D", "E")
    page.locator("#played-box").check()
    page.locator("#played-cat").check()
    page.get_by_role("button", name="Confirm the turn").click()
    expect(page.locator("#status")).to_contain_text("Now plays: B")
    page.locator("#played-cat").check()
    page.get_by_role("button", name="Confirm the turn").click()
    expect(page.locator("#problem")).to_contain_text("something must be played")
    page.get_by_role("button", name="Lay the final table on the screen").click()
    page.wait_for_url("**/tables/*")
    lay(page, "box-tl-1", "box-tr-2", "cat-blue")
    expect(page.locator("#outcome h2")).to_have_text("Everything lies right.")
    page.locator("#confirm").click()
    page.wait_for_url(MATCH)
    expect(page.locator("#status")).to_contain_text("The game is over")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_two_phones_in_one_match(open_page: OpenPage) -> None:
    one = open_page(size="phone", language="uk")
    url = start_match(one, "cat-and-mouse", "Оленка", "Тато")
    other = open_page(url, size="phone", language="ru")
    one.get_by_role("button", name="Розкласти на екрані").click()
    one.wait_for_url("**/tables/*")
    lay(one, "start", "right-1", "right-2", "finish")
    one.locator(".match-bar select").first.select_option(index=1)
    one.wait_for_load_state("networkidle")
    expect(other.locator(".entry")).to_have_count(1)
    assert totals(other) == ["0", "0"]
    other.locator(".entry").get_by_role("button", name="Подтвердить").click()
    expect(other.locator("#players .total b").first).to_have_text("3")
    one.goto(url)
    expect(one.locator("#players .total b").first).to_have_text("3")
    other.locator("summary", has_text="Заметка").click()
    other.locator("#note").fill("Дождь")
    other.locator("#save-note").click()
    expect(one.locator("#note")).to_have_value("Дождь")
    one.on("dialog", lambda dialog: dialog.accept())
    one.locator("summary", has_text="Забрати").click()
    one.get_by_role("button", name="Видалити матч").click()
    one.wait_for_url("**/")
    expect(other.locator("h1")).to_contain_text("Не получилось")


@pytest.mark.parametrize(
    ("game", "button", "name", "after"),
    [
        ("coloured-paths", "#photo-move", "paths-legal-carpet", "Now plays: B"),
        ("if-it-fits", "#photo-found", "boxes-legal-planks", "Now plays: B"),
        ("if-it-fits", "#photo-end", "boxes-legal-planks", "The game is over"),
    ],
)
def test_the_other_games_from_photograph_to_score(
    open_page: OpenPage, game: str, button: str, name: str, after: str
) -> None:
    """Read, corrected by hand (a card that is read right is confirmed), confirmed, counted."""
    page = open_page(size="phone")
    start_match(page, game, "A", "B")
    page.locator(button).set_input_files(sample(name))
    page.wait_for_url("**/tables/*", timeout=PATIENCE)
    first = page.locator("svg.table [data-card]").first.get_attribute("data-card")
    assert first is not None
    with page.expect_response("**/api/tables/*"):
        pick(page, first, button="It is read right")
    expect(page.locator(f'[data-card="{first}"]')).to_have_attribute("aria-label", re.compile("corrected by hand"))
    if page.locator("#decided").count():
        page.locator("#decided").check()
        expect(page.locator("#decided")).to_be_checked()
        page.wait_for_load_state("networkidle")
    assert violations(page) == []
    if page.locator(".found").count():  # the game was under way: only what the table does not show is asked
        hands = page.locator(".found input[type=number]")
        if game == "coloured-paths":
            page.locator("#confirm").click()
            expect(page.locator("#toast")).to_contain_text("in hand")
            for number in range(2):
                hands.nth(number).fill(str(number + 2))
                hands.nth(number).press("Tab")
            page.wait_for_load_state("networkidle")
            expect(hands.nth(0)).to_have_value("2")
            expect(hands.nth(1)).to_have_value("3")
        else:
            expect(hands).to_have_count(0)
        page.get_by_label("Who plays next?").select_option(label="B")
        page.wait_for_load_state("networkidle")
    page.locator("#confirm").click()
    page.wait_for_url(MATCH)
    expect(page.locator("#status")).to_contain_text(after)
    if game == "coloured-paths":
        expect(page.locator("#players li").nth(1)).to_contain_text("3 cards in hand")
