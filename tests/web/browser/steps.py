"""What people do on the pages, step by step."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import PATIENCE, sample

MATCH = re.compile(r"/matches/\w{16}$")


def check_photo(page: Page, game: str, name: str) -> None:
    """From the first page to the table that was read."""
    page.goto("/")
    page.locator(f'input[name=game][value="{game}"]').check()
    page.locator("#choose").set_input_files(sample(name))
    page.wait_for_url("**/tables/*", timeout=PATIENCE)
    expect(page.locator(".outcome")).to_be_visible()


def start_match(page: Page, game: str, *names: str) -> str:
    """A new match; returns its address."""
    page.goto(f"/matches/new?game={game}")
    for number, name in enumerate(names):
        if number >= 2:
            page.locator("#add-player").click()
        page.locator(f"#name-{number}").fill(name)
    page.locator("#new-match button.primary").click()
    page.wait_for_url(MATCH)
    return page.url


def lay(page: Page, *faces: str) -> None:
    """Lay cards on the screen, one beside the other, by tapping them in the deck."""
    for face in faces:
        before = page.locator("svg.table [data-card]").count()
        page.locator(f'#palette [data-face="{face}"]').click()
        expect(page.locator("svg.table [data-card]")).to_have_count(before + 1)


def pick(page: Page, card: str, face: str | None = None, button: str | None = None) -> None:
    """Open a card by keyboard and choose a face, or press a button of the dialog."""
    page.locator(f'[data-card="{card}"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#picker")).to_be_visible()
    if face is not None:
        page.locator(f'#picker [data-face="{face}"]').last.click()
    if button is not None:
        page.locator("#picker").get_by_role("button", name=button).click()


def totals(page: Page) -> list[str]:
    return page.locator("#players .total b").all_inner_texts()


def text_file(folder: Path, name: str, data: bytes) -> str:
    file = folder / name
    file.write_bytes(data)
    return str(file)
