"""Under a camera and on the wall: films as the browser's camera, the wall that follows, lessons answered by phone."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page, Playwright, Route, expect

from referee.decks import Game, builtin_deck
from referee.games import judge
from referee.layouts import Layout, PlacedCard
from referee.pipeline import check_bytes
from tests.web.browser.conftest import OpenPage, chromium
from tests.web.browser.steps import MATCH, check_photo, lay, start_match
from tests.web.browser.test_access import violations
from tests.web.film import Filmed, Scene, as_mjpeg
from tests.web.processes import free_port, service

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


def test_the_page_that_measures_a_camera_looks_through_it(two_cameras: Browser, served: str) -> None:
    page = two_cameras.new_page(locale="en", base_url=served)
    page.goto("/cameras")
    page.locator("#open").click()
    expect(page.locator("#seen")).to_contain_text("I do not see the board")
    page.context.close()


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


@pytest.mark.parametrize("late", ["**/js/keys.js", "**/api/tables/*/steps"])
def test_keys_pressed_before_the_wall_is_there_count(open_page: OpenPage, late: str) -> None:
    page = open_page()
    page.locator("#lay").click()
    page.wait_for_url("**/tables/*")
    lay(page, "start", "right-1", "finish")
    address = page.url.replace("/tables/", "/projector/tables/")
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


def test_a_long_story_is_seen_as_a_whole_on_the_wall(open_page: OpenPage) -> None:
    page = open_page("/lessons/ready-coloured-paths/show?at=20")
    page.set_viewport_size({"width": 1280, "height": 720})
    lines = page.locator(".wall-story li")
    expect(lines.last).to_be_visible()
    assert lines.count() > 10
    page.wait_for_function("document.documentElement.scrollHeight <= innerHeight")
    expect(lines.first).to_be_in_viewport(ratio=1)
    expect(lines.last).to_be_in_viewport(ratio=1)


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
