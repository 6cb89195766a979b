"""From a photograph to a verdict, and from a wrong reading to a right one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import PATIENCE, OpenPage
from tests.web.browser.steps import check_photo, lay, pick, text_file
from tests.web.conftest import SURE_PHOTO, photo_bytes


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_a_photograph_is_checked_corrected_and_read_again(open_page: OpenPage, size: str) -> None:
    page = open_page(size=size)
    check_photo(page, "cat-and-mouse", SURE_PHOTO)
    cards = page.locator("svg.table [data-card]").count()
    label = page.locator('svg.table [data-card][aria-label^="1.2,"]')
    name = label.get_attribute("data-card")
    assert name is not None
    pick(page, name, face="finish")
    expect(page.locator(f'[data-card="{name}"]')).to_have_attribute("aria-label", _has("corrected by hand"))
    expect(page.locator("#outcome h2")).to_have_text("Something lies wrong.")
    page.locator("#panel").get_by_text("More", exact=True).click()
    with page.expect_response("**/api/readings", timeout=PATIENCE):
        page.get_by_role("button", name="Read the photo again").click()
    expect(page.locator("#progress progress")).to_be_hidden(timeout=PATIENCE)
    expect(page.locator(f'[data-card="{name}"]')).to_have_attribute("aria-label", _has("corrected by hand"))
    page.reload()
    expect(page.locator(f'[data-card="{name}"]')).to_have_attribute("aria-label", _has("Finish"))
    pick(page, name, button="Not a card")
    expect(page.locator("svg.table [data-card]")).to_have_count(cards - 1)
    page.locator("#undo").click()
    expect(page.locator("svg.table [data-card]")).to_have_count(cards)
    page.locator("#redo").click()
    expect(page.locator("svg.table [data-card]")).to_have_count(cards - 1)


def _has(words: str) -> re.Pattern[str]:
    return re.compile(re.escape(words))


def test_a_missed_card_is_added_by_its_place_and_its_corners_are_moved(open_page: OpenPage) -> None:
    page = open_page()
    check_photo(page, "cat-and-mouse", SURE_PHOTO)
    target = page.locator('svg.table [data-card][aria-label^="1.2,"]')
    name = target.get_attribute("data-card")
    box = target.bounding_box()
    assert box is not None
    assert name is not None
    count = page.locator("svg.table [data-card]").count()
    pick(page, name, button="Not a card")
    expect(page.locator("svg.table [data-card]")).to_have_count(count - 1)
    page.get_by_role("button", name="Add a card").click()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator('#picker [data-face="right-1"]').last.click()
    expect(page.locator("svg.table [data-card]")).to_have_count(count)
    corner = page.locator('[data-handle="0"]')
    expect(corner).to_be_visible()
    start = corner.bounding_box()
    assert start is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + start["width"] / 2 + 12, start["y"] + start["height"] / 2 + 9, steps=3)
    expect(page.locator("svg.lens")).to_be_visible()
    page.mouse.up()
    expect(page.locator("svg.lens")).to_be_hidden()
    corner.focus()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#mode")).to_be_hidden()
    expect(page.locator('[data-card="h1"]')).to_have_attribute("aria-label", _has("corrected by hand"))


def test_the_count_is_asked_and_must_agree(open_page: OpenPage) -> None:
    page = open_page()
    check_photo(page, "cat-and-mouse", SURE_PHOTO)
    found = page.locator("svg.table [data-card]").count()
    expect(page.locator("form.count")).to_contain_text(f"{found} cards found")
    page.locator("#counted").fill(str(found + 1))
    page.get_by_role("button", name="OK").click()
    expect(page.locator("form.count")).to_contain_text(f"You count {found + 1}")
    page.locator("#counted").fill(str(found))
    page.get_by_role("button", name="OK").click()
    expect(page.locator("form.count")).to_contain_text("agrees")


def test_a_fault_shows_its_rule_and_its_place(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start", "right-1", "finish", "up-1")
    fault = page.locator(".sentences.bad li").first
    fault.get_by_text("Rule CM-FINISH").click()
    expect(fault).to_contain_text("ends the round for everybody")
    fault.get_by_role("button", name="Show on the table").click()
    expect(page.locator("[data-card].lit")).not_to_have_count(0)


def test_photographs_are_pasted_and_dropped(open_page: OpenPage) -> None:
    page = open_page()
    page.evaluate(
        """async (url) => {
            const blob = await (await fetch(url)).blob();
            const file = new File([blob], "pasted.png", {type: "image/png"});
            const transfer = new DataTransfer();
            transfer.items.add(file);
            document.dispatchEvent(new ClipboardEvent("paste", {clipboardData: transfer, bubbles: true}));
        }""",
        "/static/icons/icon-192.png",
    )
    page.wait_for_url("**/tables/*", timeout=180_000)
    expect(page.locator("#outcome h2")).to_have_text("I cannot tell for sure yet.")
    expect(page.locator("#panel")).to_contain_text("found no card")


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_files_that_are_no_photographs(open_page: OpenPage, tmp_path: Path, size: str) -> None:
    page = open_page(size=size, language="uk")
    tries = {
        "broken.jpg": (photo_bytes(SURE_PHOTO)[:30_000], "зіпсовано"),
        "letter.jpg": (b"Dear Olena", "Це не фото"),
        "empty.jpg": (b"", "порожній"),
        "large.jpg": (b"\xff\xd8" + bytes(41_000_000), "40 мегабайтів"),
    }
    for name, (data, words) in tries.items():
        page.locator("#choose").set_input_files(text_file(tmp_path, name, data))
        expect(page.locator("#progress")).to_contain_text(words)
        expect(page.get_by_role("button", name="Спробувати ще раз")).to_be_visible()


def test_large_photographs_are_made_small_before_they_are_sent(open_page: OpenPage) -> None:
    """12 megapixels, on its side by EXIF: sent upright, at most 2400 pixels long, and not mirrored."""
    page = open_page()
    page.goto("/")
    size = page.evaluate(
        """async () => {
            const { shrunk } = await import("/static/js/photo.js");
            const canvas = document.createElement("canvas");
            canvas.width = 4032; canvas.height = 3024;
            const pen = canvas.getContext("2d");
            pen.fillStyle = "#fff"; pen.fillRect(0, 0, 4032, 3024);
            pen.fillStyle = "#f00"; pen.fillRect(0, 0, 1000, 1000);
            const jpeg = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
            const bytes = new Uint8Array(await jpeg.arrayBuffer());
            const exif = new Uint8Array([0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8,
                0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]);
            const turned = new File([bytes.slice(0, 2), exif, bytes.slice(2)], "a.jpg", {type: "image/jpeg"});
            const small = await createImageBitmap(await shrunk(turned));
            const look = document.createElement("canvas").getContext("2d");
            look.drawImage(small, 0, 0);
            const red = (x, y) => look.getImageData(x, y, 1, 1).data[1] < 100;
            look.canvas.width = small.width; look.canvas.height = small.height; look.drawImage(small, 0, 0);
            return [small.width, small.height, red(20, 20), red(small.width - 20, 20)];
        }"""
    )
    assert size == [1800, 2400, False, True]


def test_why_is_told_beside_the_outcome_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(size="phone", language="uk")
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start", "right-1", "finish")
    expect(page.locator(".outcome.valid")).to_be_visible()
    expect(page.locator(".outcome .why")).to_have_count(0)
    lay(page, "up-1")
    expect(page.locator(".outcome .why")).to_contain_text("лежить після фінішу")
    page.evaluate("scrollTo(0, 0)")  # the cards to lay are further down
    expect(page.locator(".outcome .why")).to_be_in_viewport(ratio=1)


def test_nothing_lies_over_the_table_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(size="phone")
    page.locator('input[name=game][value="if-it-fits"]').check()
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "box-t-1")
    table, zoom = page.locator("svg.table").bounding_box(), page.locator("#zoom").bounding_box()
    assert table is not None
    assert zoom is not None
    assert zoom["y"] >= table["y"] + table["height"] - 1
    names = page.locator(".layer-above .label text").all_text_contents()
    assert names == ["box 1"]  # the name of a box lies over the outlines of its cards


def test_zooming_and_panning_with_two_fingers_and_one(open_page: OpenPage) -> None:
    page = open_page(size="phone")
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start", "right-1", "finish")
    board = page.locator("svg.table")
    board.scroll_into_view_if_needed()
    place = board.bounding_box()
    assert place is not None
    x, y = place["x"] + place["width"] / 2, place["y"] + 40
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *points: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    def shown() -> list[float]:
        return [float(part) for part in (board.get_attribute("viewBox") or "").split()]

    before = shown()
    fingers("touchStart", (x - 30, y), (x + 30, y))
    for spread in (50, 70, 90):
        fingers("touchMove", (x - spread, y), (x + spread, y))
    fingers("touchEnd")
    zoomed = shown()
    assert zoomed[2] < 0.6 * before[2]
    fingers("touchStart", (x, y))
    for step in (20, 40, 60):
        fingers("touchMove", (x - step, y))
    fingers("touchEnd")
    panned = shown()
    assert panned[0] > zoomed[0]
    assert panned[2:] == zoomed[2:]
    expect(page.locator("#picker")).to_be_hidden()
    expect(page.locator("[data-card]")).to_have_count(3)
    page.locator("#fit").click()
    assert shown()[2] > zoomed[2]
