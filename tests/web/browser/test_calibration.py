"""People's own cards and cameras in a browser: made, put right by tapping and by keys, finished; accessible."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from PIL import Image
from PIL.TiffImagePlugin import IFDRational
from playwright.sync_api import Page, expect

from referee.vision.profile_files import camera_model
from tests.vision.test_fixed_table import DECK, ROW, seen, table
from tests.web.browser.conftest import PATIENCE, OpenPage
from tests.web.browser.test_access import violations
from tests.web.calibration.conftest import FACES, board_frames, rows_of
from web.settings import Settings

DECKS = Path(__file__).resolve().parents[3] / "samples" / "decks"


def own_deck(app: Flask, game: str) -> None:
    """A copy of a built-in deck in the data folder: nothing has to be read."""
    settings: Settings = app.extensions["referee_settings"]
    shutil.copytree(DECKS / game, settings.data / "decks" / f"our-{game}")


def edit(page: Page, game: str) -> None:
    page.goto("/decks")
    page.locator(f'[data-edit="our-{game}"]').click()
    page.wait_for_url("**/drafts/*")
    expect(page.locator(".face-tile").first).to_be_visible()


def test_from_a_photograph_to_a_deck(open_page: OpenPage, tmp_path: Path) -> None:
    photo = tmp_path / "rows.jpg"
    photo.write_bytes(rows_of(FACES))
    page = open_page("/decks", language="uk")
    page.locator("#begin").click()
    page.wait_for_url("**/drafts/*")
    page.locator("#choose").set_input_files(str(photo))
    expect(page.locator(".face-tile")).to_have_count(len(set(FACES)), timeout=PATIENCE)
    expect(page.locator("figcaption")).to_contain_text(f"знайдено {len(FACES)}")
    page.locator('[data-face="left-2"]').click()
    dialog = page.locator("#editor")
    dialog.locator('[data-key="points-more"]').click()
    dialog.locator('[data-key="ok"]').click()
    expect(dialog).to_be_hidden()
    expect(page.locator('[data-face="left-2"]')).to_contain_text("3 бали")
    page.locator("#name").fill("Домашня")
    page.locator("#finish-form button.primary").click()
    expect(page.locator("#ready")).to_be_focused()
    page.get_by_role("link", name="Перевірити стіл").click()
    expect(page.locator("#deck")).to_have_value("domashnia")


@pytest.mark.parametrize("focal", [None, 4.2])
def test_pages_and_service_name_a_camera_alike(open_page: OpenPage, tmp_path: Path, focal: float | None) -> None:
    exif = Image.Exif()
    exif[271], exif[272], exif[274] = "Maker", "Camera Number One", 6
    if focal:
        exif.get_ifd(0x8769)[0x920A] = IFDRational(round(100 * focal), 100)
    photo = tmp_path / "photo.jpg"
    Image.new("RGB", (16, 16)).save(photo, exif=exif)
    read = """async (bytes) => (await import("/static/js/exif.js")).takenBy(new Blob([new Uint8Array(bytes)]))"""
    told = open_page("/decks").evaluate(read, list(photo.read_bytes()))
    assert told == {"camera": camera_model(photo), "orientation": 6}


def test_a_path_card_is_put_right_by_keys(open_page: OpenPage, app: Flask) -> None:
    own_deck(app, "coloured-paths")
    page = open_page()
    edit(page, "coloured-paths")
    page.locator(".face-tile").first.focus()
    page.keyboard.press("Enter")
    dialog = page.locator("#editor")
    expect(dialog.locator('[data-key="ok"]')).to_be_focused()
    before = dialog.locator("h2").inner_text()
    colours = dialog.locator('[data-key^="brush-"]')
    colours.nth(1).focus()
    page.keyboard.press("Enter")
    for end in range(8):
        dialog.locator(f'[data-key="end-{end}"]').focus()
        page.keyboard.press("Enter")
        expect(dialog.locator(f'[data-key="end-{end}"]')).to_be_focused()
    dialog.locator('[data-key="mode-joins"]').click()
    dialog.locator('[data-key="end-0"]').click()
    dialog.locator('[data-key="end-4"]').click()
    expect(dialog.locator('[data-key="end-0"]')).to_have_accessible_name(re.compile("goes to end 5"))
    dialog.locator('[data-key="ok"]').click()
    expect(dialog).to_be_hidden()
    page.locator(".face-tile").first.click()
    after = dialog.locator("h2").inner_text()
    assert after != before
    assert len(set(after.partition(": ")[2].split(", "))) == 1
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_walls_toys_players_and_kinds_are_tapped(open_page: OpenPage, app: Flask) -> None:
    own_deck(app, "if-it-fits")
    page = open_page(size="phone")
    edit(page, "if-it-fits")
    page.locator('[data-face="box-tl-1"]').click()
    dialog = page.locator("#editor")
    dialog.locator('[data-key="walls-top"]').click()
    dialog.locator('[data-key="toys-more"]').click()
    dialog.locator('[data-key="ok"]').click()
    expect(dialog).to_be_hidden()
    expect(page.locator('[data-face="box-tl-1"]')).to_contain_text("left")
    expect(page.locator('[data-face="box-tl-1"]')).to_contain_text("2")
    page.locator('[data-face="box-tl-1"]').click()
    dialog.locator('[data-key="kind-cat"]').click()
    dialog.locator('[data-key="player-green"]').click()
    dialog.locator('[data-key="ok"]').click()
    expect(page.locator('[data-face="box-tl-1"]')).to_contain_text("green")
    page.locator("#merge-mode").click()
    number = page.locator(".face-tile").count()
    page.locator(".face-tile").nth(0).click()
    page.locator(".face-tile").nth(1).click()
    page.locator("#merge").click()
    expect(page.locator(".face-tile")).to_have_count(number - 1)


@pytest.mark.parametrize(("size", "dark"), [("phone", False), ("laptop", True)])
def test_axe_finds_nothing_and_nothing_overflows(open_page: OpenPage, app: Flask, size: str, dark: bool) -> None:
    for game in ("cat-and-mouse", "coloured-paths", "if-it-fits"):
        own_deck(app, game)
    page = open_page("/decks", size=size, dark=dark, language="uk")
    wrong = {"decks": violations(page)}
    for game in ("cat-and-mouse", "coloured-paths", "if-it-fits"):
        edit(page, game)
        wrong[f"draft {game}"] = violations(page)
        page.locator(".face-tile").nth(3).click()
        wrong[f"editor {game}"] = violations(page)
        page.keyboard.press("Escape")
    for path in ("/cameras", "/decks/cat-and-mouse/practice"):
        page.goto(path)
        wrong[path] = violations(page)
        page.evaluate("document.documentElement.style.fontSize = '150%'")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), path
    assert {where: found for where, found in wrong.items() if found} == {}


def board_files(folder: Path, frames: list[bytes]) -> list[str]:
    """Photographs of the board; the first is turned, the last shows none."""
    first = cv2.imdecode(np.frombuffer(frames[0], np.uint8), cv2.IMREAD_COLOR)
    assert first is not None
    pictures = [np.rot90(first), *(cv2.imdecode(np.frombuffer(f, np.uint8), cv2.IMREAD_COLOR) for f in frames)]
    names = []
    for number, picture in enumerate([*pictures, np.full_like(first, 120)]):
        names.append(str(folder / f"board-{number}.jpg"))
        cv2.imwrite(names[-1], np.ascontiguousarray(picture))
    return names


def test_the_board_photographed_and_a_table_measured_and_played_on(open_page: OpenPage, tmp_path: Path) -> None:
    """What is unlike most is named, also if it comes first; the table is chosen on the check page by itself."""
    page = open_page("/cameras")
    names = board_files(tmp_path, board_frames())
    page.locator("#board-photos").set_input_files(names)
    told = page.locator("#sent li")
    expect(told.first).to_contain_text("left out: it is 600 × 800, most are 800 × 600")
    expect(told.last).to_contain_text("no board was found", timeout=PATIENCE)
    page.locator("#camera-name").fill("Our camera")
    page.locator("#work-out").click()
    expect(page.locator("#lens-result")).to_contain_text("kept", timeout=PATIENCE)
    expect(page.locator("#use-lens")).to_have_value("our-camera")
    page.locator("#use-lens").select_option("")
    mat = tmp_path / "mat.jpg"
    cv2.imwrite(str(mat), seen(table(())))
    page.locator("#mat-width").fill("480")
    page.locator("#mat-height").fill("380")
    page.locator("#table-name").fill("Our desk")
    page.locator("#table-photo").set_input_files(str(mat))
    expect(page.locator("#table-result")).to_contain_text("with its edge", timeout=PATIENCE)
    page.locator('[data-check="our-desk"]').set_input_files(str(mat))
    expect(page.locator("#known-result")).to_contain_text("Our desk: It was not moved.", timeout=PATIENCE)
    page.locator("#table-result a.primary").click()
    expect(page.locator("#profile")).to_have_value("our-desk")
    page.goto("/")
    expect(page.locator("#profile")).to_have_value("our-desk")
    expect(page.locator("#profile-hint")).to_contain_text("its edge is looked at")
    photo = tmp_path / "over.jpg"
    beyond = DECK.card_mm[0] / 2 - 12
    cv2.imwrite(str(photo), seen(table([(face, x - ROW[0][1] + beyond, y) for face, x, y in ROW])))
    page.locator('input[name=game][value="if-it-fits"]').check()
    page.locator("#choose").set_input_files(str(photo))
    page.wait_for_url("**/tables/*", timeout=PATIENCE)
    expect(page.locator("main")).to_contain_text("edge of the table")
    page.goto("/cameras")
    page.locator('[data-key="forget-our-desk"]').click()
    page.locator("#sure .danger").click()
    expect(page.locator("#profiles")).not_to_contain_text("Our desk")
