"""A real browser: Debian's Chromium through Playwright, at the size of a phone and of a laptop."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect, sync_playwright
from waitress.server import create_server

from tests.web.conftest import PHOTOS
from web import create_app
from web.settings import Settings

AXE = Path(__file__).with_name("vendor") / "axe.min.js"
"""axe-core 4.14.1, https://github.com/dequelabs/axe-core, MPL-2.0."""

SIZES = {"phone": (390, 844), "laptop": (1280, 800)}
expect.set_options(timeout=30_000)
PATIENCE = 90_000
"""Milliseconds to wait for what is being read, on a machine that may be busy."""


def chromium() -> str | None:
    """Where a Chromium is, by REFEREE_BROWSER or on the path."""
    named = os.environ.get("REFEREE_BROWSER")
    return named or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright_driver: Playwright) -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("no browser here: apt-get install chromium, or name one in REFEREE_BROWSER")
    try:
        started = playwright_driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
    except Error as error:
        pytest.skip(f"the browser does not start: {str(error).splitlines()[0]}")
    yield started
    started.close()


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    """The address of the application, served as it is to users."""
    server = create_server(app, host="127.0.0.1", port=0, threads=32, channel_request_lookahead=1)

    def run() -> None:
        with contextlib.suppress(OSError):  # its sockets are closed beneath it in the end
            server.run()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"  # type: ignore[union-attr]
    server.close()
    thread.join(timeout=10)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app(Settings(data=tmp_path / "data"))
    yield made
    made.extensions["referee_database"].close()


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, served: str) -> Iterator[OpenPage]:
    """Open an address on a device of one's own; every error of its scripts fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def visit(path: str = "/", size: str = "laptop", language: str = "en", dark: bool = False) -> Page:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            color_scheme="dark" if dark else "light",
            has_touch=size == "phone",
            is_mobile=size == "phone",
            base_url=served,
            reduced_motion="reduce",
        )
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if "Content Security" in said.text else None)
        own = (served, "blob:", "data:")
        page.on("request", lambda asked: None if asked.url.startswith(own) else errors.append(asked.url))
        page.goto(path)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert errors == []


def sample(name: str) -> str:
    return str(PHOTOS / f"{name}.jpg")
