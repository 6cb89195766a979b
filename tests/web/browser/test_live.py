"""Under a camera: films as the browser's camera, cameras that are chosen or do not open."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from referee.decks import Game, builtin_deck
from referee.games import judge
from referee.layouts import Layout, PlacedCard
from referee.pipeline import check_bytes
from tests.web.browser.conftest import OpenPage, chromium
from tests.web.browser.test_access import violations
from tests.web.film import Filmed, Scene, as_mjpeg

Laid = tuple[tuple[str, float, float, float], ...]
REACH = ((700.0, 900.0), (520.0, 300.0))
LAY = ((900.0, 900.0), (680.0, 430.0))
DIM = 0.75


def of_cat_and_mouse() -> tuple[Laid, Laid, Laid]:
    """The table as found, after a right move, after a wrong one."""
    first = (("start", 0.0, 0.0, 2.0), ("right-1", 1.0, 0.0, -3.0))
    right = (*first, ("right-2", 2.0, 0.0, 1.0))
    return first, right, (*right, ("down-1", 3.0, 1.0, 0.0))


def of_coloured_paths() -> tuple[Laid, Laid, Laid]:
    """The same, of cards that join by two ends of their own colour and then do not."""
    deck = builtin_deck("coloured-paths")
    faces = [face.id for face in deck.faces]

    def legal(laid: Laid) -> bool:
        cards = [PlacedCard(id=f"c{n}", face=f, x=x * 60, y=y * 60, turn=t) for n, (f, x, y, t) in enumerate(laid, 1)]
        layout = Layout(game=Game.COLOURED_PATHS, cards=tuple(cards), order=tuple(card.id for card in cards))
        return not judge(layout, deck).faults

    def after(laid: Laid, column: float, wanted: bool) -> Laid:
        used = {face for face, *_ in laid}
        tried = ((*laid, (f, column, 0.0, turn)) for f in faces if f not in used for turn in (0.0, 90.0, 180.0, 270.0))
        return next(more for more in tried if legal(more) is wanted)

    first = after((("path-05", 0.0, 0.0, 0.0),), 1.0, True)
    right = after(first, 2.0, True)
    return first, right, after(right, 3.0, False)


def of_if_it_fits() -> tuple[Laid, Laid, Laid]:
    """The same, of boxes: one more and a cat on two of them, then one whose long side lies at a short one."""
    top = (("start-1", 0.0, 0.0, 1.0), ("box-t-1", 1.0, 0.0, -1.0), ("box-tr-1", 2.0, 0.0, 0.0))
    first = (*top, ("box-tl-1", 0.0, 1.0, 1.0))
    right = (*first, ("box-open-1", 1.0, 1.0, 180.0), ("cat-blue", 0.5, 1.0, 91.0))
    return first, right, (*right, ("box-rl-1", 3.3, 0.0, 90.0))


GAMES = {"cat-and-mouse": of_cat_and_mouse, "coloured-paths": of_coloured_paths, "if-it-fits": of_if_it_fits}
MOMENT = "[document.body.dataset.moment ?? '', document.getElementById('verdict').classList.contains('old')]"
WAIT = {"cat-and-mouse": 1.5, "coloured-paths": 1.5, "if-it-fits": 2.5}
"""How much longer cards lie there before the next move than an idle machine needs."""


def filmed(game: str, folder: Path) -> Path:
    """Cards laid one by one; a hand passes, rests and goes; the light gets dimmer between two moves."""
    wait = WAIT[game]
    first, right, wrong = GAMES[game]()
    scenes = [
        Scene(9 * wait, first),
        Scene(0.7, first, REACH),
        Scene(0.8, first, (REACH[1], REACH[1])),
        Scene(0.7, right, (REACH[1], REACH[0])),
        Scene(12 * wait, right),
        Scene(1.5, right, light=(1.0, DIM)),
        Scene(2, right, light=(DIM, DIM)),
        Scene(0.7, right, LAY, light=(DIM, DIM)),
        Scene(3, wrong, (LAY[1], LAY[1]), light=(DIM, DIM)),
        Scene(0.7, wrong, (LAY[1], LAY[0]), light=(DIM, DIM)),
        Scene(40, wrong, light=(DIM, DIM)),
    ]
    film = Filmed(builtin_deck(game))
    first_frame = cv2.imencode(".jpg", next(film.frames(scenes)))[1].tobytes()
    check_bytes(first_frame, "frame", builtin_deck(game))  # what is made of a deck once is there before the film begins
    return as_mjpeg(film.frames(scenes), folder / "table.mjpeg")


@pytest.fixture(params=sorted(GAMES))
def filming(
    request: pytest.FixtureRequest, playwright_driver: Playwright, browser: Browser, tmp_path: Path
) -> Iterator[tuple[Browser, str]]:
    """A browser whose camera shows the film of a game, and that is never asked for leave."""
    assert browser.is_connected()
    fake = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={filmed(request.param, tmp_path)}",
    ]
    path = chromium()
    started = playwright_driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu", *fake])
    yield started, request.param
    started.close()


def test_moves_are_announced_in_order_and_never_under_a_hand(filming: tuple[Browser, str], served: str) -> None:
    camera, game = filming
    page = camera.new_page(locale="en", base_url=served)
    page.goto("/live")
    page.locator(f'input[name=game][value="{game}"]').check()
    page.locator("#open").click()
    seen: list[str] = []
    moments: list[str] = []
    until = time.monotonic() + 90 * WAIT[game]
    while len(seen) < 3 and time.monotonic() < until:
        moment, old = page.evaluate(MOMENT)
        assert old == (moment not in ("", "steady"))  # while it is being looked at again, the last verdict is greyed
        if not moments or moments[-1] != moment:
            moments.append(moment)
        lines = page.locator("#log li").all_inner_texts()
        if len(lines) > len(seen):
            assert page.evaluate("document.body.dataset.moment") != "hand"
            seen.append(lines[0])
        page.wait_for_timeout(50)
    assert [line[:3] for line in seen] == ["1. ", "2. ", "3. "]
    assert ["✓" in line for line in seen] == [True, True, False], seen
    assert "New: " in seen[1]
    expect(page.locator(".outcome")).to_contain_text("Something lies wrong")
    assert moments.count("hand") >= 2
    assert page.locator("#outlines path").count() == len(GAMES[game]()[2])
    wall = page.locator("#wall").get_attribute("href")
    assert wall is not None
    table = wall.rsplit("/", 1)[1]
    steps = page.request.get(f"{served}/api/tables/{table}/steps?lang=uk").json()["steps"]
    assert len(steps[0]["lit"]) == 1  # the new card: the wall shows the move step by step
    assert steps[0]["text"].startswith("Нове:")
    watching = camera.new_page(locale="uk", base_url=served)
    watching.goto(wall)
    expect(watching.locator(".wall-move")).to_contain_text("Нове:")
    watching.context.close()
    page.locator("#stop").click()
    expect(page.locator("#begin")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("NotAllowedError", "may not use the camera"),
        ("NotFoundError", "no camera"),
        ("NotReadableError", "Another program"),
    ],
)
def test_a_camera_that_does_not_open_is_told_in_words(open_page: OpenPage, error: str, words: str) -> None:
    page = open_page("/about")
    page.add_init_script(
        f"navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '{error}'));"
    )
    page.goto("/live")
    page.locator("#open").click()
    expect(page.locator("#problem")).to_contain_text(words)
    expect(page.get_by_role("link", name="Take a photo")).to_be_visible()


def test_without_https_a_camera_is_not_even_asked_for(open_page: OpenPage) -> None:
    page = open_page("/about")
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false});")
    page.goto("/live")
    page.locator("#open").click()
    expect(page.locator("#problem")).to_contain_text("--https")
    expect(page.get_by_role("link", name="Take a photo")).to_be_visible()


@pytest.fixture(scope="module")
def two_cameras(playwright_driver: Playwright, browser: Browser) -> Iterator[Browser]:
    """A browser with two cameras that show Chromium's test picture."""
    assert browser.is_connected()
    fake = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=device-count=2"]
    path = chromium()
    started = playwright_driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu", *fake])
    yield started
    started.close()


def test_cameras_are_chosen_by_name_and_picture_and_remembered(two_cameras: Browser, served: str) -> None:
    page = two_cameras.new_page(locale="en", base_url=served, reduced_motion="reduce")
    page.goto("/live")
    page.locator("#open").click()
    choices = page.locator(".camera-choice")
    expect(choices).to_have_count(2)
    expect(choices.locator("canvas")).to_have_count(2)
    assert violations(page) == []
    names = [name.strip() for name in choices.all_inner_texts()]
    assert len(set(names)) == 2
    choices.nth(1).click()
    expect(page.locator("#camera-name")).to_have_text(names[1])
    page.reload()
    page.locator("#open").click()
    expect(page.locator("#running")).to_be_visible()
    expect(page.locator("#camera-name")).to_have_text(names[1])
    page.locator("#cameras").click()
    choices.nth(0).click()
    expect(page.locator("#camera-name")).to_have_text(names[0])
    page.locator("#cameras").click()
    expect(page.locator("#choose-camera")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#camera-name")).to_have_text(names[0])
    until = time.monotonic() + 30
    while page.evaluate("document.getElementById('video').srcObject?.getVideoTracks()[0].readyState") != "live":
        assert time.monotonic() < until
        page.wait_for_timeout(100)
    page.evaluate("localStorage.setItem('camera', 'one-that-was-unplugged')")
    page.reload()
    page.locator("#open").click()
    expect(choices).to_have_count(2)
    choices.nth(1).click()
    expect(page.locator("#camera-name")).to_have_text(names[1])
    page.context.close()


def looking(browser: Browser, served: str) -> Page:
    """The live page, which sees something through the first of two cameras."""
    page = browser.new_page(locale="en", base_url=served)
    page.goto("/live")
    page.locator("#open").click()
    page.locator(".camera-choice").first.click()
    expect(page.locator("#moment")).not_to_be_empty()
    return page


UNPLUG = """() => {
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  window.away = true;
  navigator.mediaDevices.getUserMedia = (asked) =>
    window.away ? Promise.reject(new DOMException("gone", "NotFoundError")) : real(asked);
  const [track] = document.getElementById("video").srcObject.getVideoTracks();
  track.stop();
  track.dispatchEvent(new Event("ended"));
}"""


def test_a_camera_that_is_unplugged_is_told_and_its_black_picture_is_not_read(
    two_cameras: Browser, served: str
) -> None:
    page = looking(two_cameras, served)
    page.evaluate(UNPLUG)
    expect(page.locator("#moment")).to_have_text("The camera is away. I keep trying.")
    page.wait_for_timeout(1000)  # a frame that was on its way has come back
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2500)
    assert [url for url in asked if "/frames" in url] == []
    assert page.evaluate(MOMENT) == ["lost", True]
    page.evaluate("() => { window.away = false; }")
    expect(page.locator("#moment")).not_to_have_text("The camera is away. I keep trying.")
    page.context.close()


def test_the_last_verdict_is_greyed_while_the_service_is_away(two_cameras: Browser, served: str) -> None:
    page = looking(two_cameras, served)
    page.route("**/frames", lambda route: route.abort())
    expect(page.locator("#moment")).to_contain_text("No connection")
    assert page.evaluate(MOMENT) == ["away", True]
    page.unroute("**/frames")
    expect(page.locator("#moment")).not_to_contain_text("No connection")
    page.context.close()


def test_a_page_that_the_browser_kept_looks_again(two_cameras: Browser, served: str) -> None:
    """Somebody goes to another page and comes back: the last verdict may be of another table."""
    page = looking(two_cameras, served)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    page.wait_for_timeout(500)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    assert page.evaluate(MOMENT) == ["lost", True]
    with page.expect_response("**/frames"):
        pass
    page.context.close()


def test_the_page_that_measures_a_camera_looks_through_it(two_cameras: Browser, served: str) -> None:
    page = two_cameras.new_page(locale="en", base_url=served)
    page.goto("/cameras")
    page.locator("#open").click()
    expect(page.locator("#seen")).to_contain_text("I do not see the board")
    page.context.close()
