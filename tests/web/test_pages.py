"""Every page, in every language: no inline scripts or styles, no foreign hosts, small."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.messages import LANGUAGES
from tests.web.conftest import made
from web import create_app
from web.settings import Settings

STATIC = Path(__file__).resolve().parents[2] / "web" / "static"


def pages(client: FlaskClient) -> list[str]:
    table = made(client.post("/api/tables", json={"game": "if-it-fits"}))
    players = [{"name": "A"}, {"name": "B"}]
    match = made(client.post("/api/matches", json={"game": "cat-and-mouse", "players": players}))
    fixed = ["/", "/matches/new", "/rules", "/rules/if-it-fits", "/about", "/offline", "/nothing-here"]
    return [*fixed, f"/tables/{table['id']}", f"/matches/{match['id']}", f"/matches/{match['id']}/print"]


def body_of(client: FlaskClient, url: str) -> bytes:
    """What is at an address, its file closed again."""
    with client.get(url) as response:
        assert response.status_code == 200, url
        return response.get_data()


class Page(HTMLParser):
    """What a page loads, and what it must not have."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.wrong: list[str] = []
        self.language = ""
        self.headings = 0
        self._data_only = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "html":
            self.language = given.get("lang") or ""
        self.headings += tag == "h1"
        self.wrong += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.wrong.append("inline script")
        if tag == "style":
            self.wrong.append("inline style")
        self.loads += [value for name, value in attrs if name in ("src", "href") and value]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_clean(client: FlaskClient, language: str) -> None:
    for url in pages(client):
        response = client.get(f"{url}?lang={language}")
        assert response.status_code == (404 if "nothing" in url else 200), url
        page = Page()
        page.feed(response.get_data(as_text=True))
        assert page.wrong == [], url
        assert page.language == language
        assert page.headings == 1, url
        assert all(load.startswith(("/", "?", "#", "http://localhost")) for load in page.loads), url
        policy = response.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "script-src 'self'" in policy


def test_the_choice_of_a_language_is_remembered(client: FlaskClient) -> None:
    assert 'lang="en"' in client.get("/").get_data(as_text=True)
    client.get("/?lang=uk")
    assert 'lang="uk"' in client.get("/about").get_data(as_text=True)
    assert 'lang="en"' in client.get("/about?lang=en").get_data(as_text=True)


@pytest.mark.parametrize(
    ("header", "language"), [("ru-RU,ru;q=0.9", "ru"), ("de,uk;q=0.5", "uk"), ("fr", "en"), ("*", "en")]
)
def test_the_browser_s_language_is_taken(client: FlaskClient, header: str, language: str) -> None:
    page = client.get("/", headers={"Accept-Language": header}).get_data(as_text=True)
    assert f'lang="{language}"' in page[:200]


def test_the_first_page_is_small(client: FlaskClient) -> None:
    """With everything that it loads, under 200 kB."""
    done: set[str] = set()
    waiting, total = ["/"], 0
    while waiting:
        url = waiting.pop()
        if url in done:
            continue
        done.add(url)
        body = body_of(client, url)
        total += len(body)
        if url == "/":
            page = Page()
            page.feed(body.decode())
            waiting += [load for load in page.loads if load.startswith(("/static", "/api", "/manifest"))]
        elif url.endswith(".js"):
            waiting += [f"/static/js/{name}" for name in re.findall(r'from "\./([\w-]+\.js)"', body.decode())]
        elif url.endswith(".css"):
            waiting += [f"/static/{name}" for name in re.findall(r'url\("\.\./([^"]+)"\)', body.decode())]
    assert 20 < len(done) < 60
    assert total < 200_000


def test_nothing_is_loaded_from_elsewhere() -> None:
    for file in [*STATIC.rglob("*.css"), *STATIC.rglob("*.js")]:
        hosts = set(re.findall(r"https?://[^\s\"'`)]+", file.read_text("utf-8")))
        assert hosts <= {"http://www.w3.org/2000/svg"}, file.name


def test_the_offline_worker_keeps_what_exists(client: FlaskClient) -> None:
    kept = re.search(r"const KEPT = \[(.*?)\]", body_of(client, "/sw.js").decode(), re.DOTALL)
    assert kept is not None
    urls = re.findall(r'"([^"]+)"', kept[1])
    assert "/offline" in urls
    assert all(body_of(client, url) for url in urls)
    manifest = client.get("/manifest.webmanifest?lang=uk").get_json(force=True)
    assert manifest["name"] == "Суддя"
    assert all(body_of(client, icon["src"]) for icon in manifest["icons"])


def test_links_for_phones_only_where_phones_can_come(client: FlaskClient, tmp_path: Path) -> None:
    assert client.get("/qr.svg").status_code == 404
    app = create_app(Settings(data=tmp_path / "lan", public_url="http://192.168.1.7:8000"))
    phone = app.test_client()
    match = made(phone.post("/api/matches", json={"game": "cat-and-mouse", "players": [{"name": "A"}, {"name": "B"}]}))
    page = phone.get(f"/matches/{match['id']}").get_data(as_text=True)
    assert f"http://192.168.1.7:8000/matches/{match['id']}" in page
    code = phone.get(f"/matches/{match['id']}/qr.svg")
    assert code.mimetype == "image/svg+xml"
    assert phone.get("/qr.svg").status_code == 200
    layout = {"game": "cat-and-mouse", "cards": []}
    for origin, status in (("http://192.168.1.7:8000", 200), ("http://192.168.1.8:8000", 403), ("null", 403)):
        assert phone.post("/api/judge", json=layout, headers={"Origin": origin}).status_code == status
    app.extensions["referee_database"].close()


def test_decks_and_their_pictures(client: FlaskClient) -> None:
    decks = client.get("/api/decks?lang=uk").get_json()["decks"]
    assert [deck["key"] for deck in decks] == ["cat-and-mouse", "coloured-paths", "if-it-fits"]
    for deck in decks:
        assert all(face["words"] and face["group"] for face in deck["faces"])
        picture = client.get(deck["faces"][0]["picture"])
        assert picture.mimetype == "image/webp"
        assert len(picture.get_data()) < 20_000
    assert client.get("/api/decks/cat-and-mouse/faces/999.webp").status_code == 404


def test_a_deck_in_the_data_folder_can_be_played_with(client: FlaskClient, settings: Settings) -> None:
    folder = settings.data / "decks" / "ours"
    folder.mkdir(parents=True)
    face = '{"id": "up", "kind": "move", "count": 6, "arrows": ["up"], "points": 1}'
    head = '{"game": "cat-and-mouse", "name": "Ours", "card_mm": [64, 64], "corner_mm": 5, "faces": ['
    (folder / "deck.json").write_text(f"{head}{face}]}}", encoding="utf-8")
    table = made(client.post("/api/tables", json={"deck": "ours"}))
    assert table["deck"] == "ours"
    assert client.post("/api/judge", json={"game": "cat-and-mouse", "cards": [], "deck": "Ours"}).status_code == 200
    (folder / "deck.json").write_text("{", encoding="utf-8")
    assert [deck["key"] for deck in client.get("/api/decks").get_json()["decks"]][-1] == "if-it-fits"
    assert client.get("/").status_code == 200
