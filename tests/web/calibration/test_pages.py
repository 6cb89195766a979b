"""The pages: whole in every language, without inline scripts or styles."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from referee.messages import LANGUAGES
from tests.web.conftest import made
from tests.web.test_pages import Page


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_clean(client: FlaskClient, language: str) -> None:
    draft = made(client.post("/api/drafts", json={"game": "if-it-fits"}))
    for url in ("/decks", "/cameras", f"/drafts/{draft['id']}", "/decks/if-it-fits/practice"):
        response = client.get(f"{url}?lang={language}")
        assert response.status_code == 200, url
        page = Page()
        page.feed(response.get_data(as_text=True))
        assert page.wrong == [], url
        assert page.language == language
        assert page.headings == 1, url
        assert all(load.startswith(("/", "?", "#")) for load in page.loads), url


def test_what_is_not_there_is_told(client: FlaskClient) -> None:
    for url in ("/drafts/none", "/drafts/aaaaaaaaaaaaaaaa", "/decks/none/practice"):
        assert client.get(url).status_code == 404, url


@pytest.mark.parametrize("url", ["/decks", "/cameras", "/decks/cat-and-mouse/practice", "/", "/live", "/matches/new"])
def test_built_in_decks_are_named_in_the_readers_language(client: FlaskClient, url: str) -> None:
    shown = client.get(f"{url}?lang=uk").get_data(as_text=True)
    assert "Наші надруковані картки" in shown or "\\u041d\\u0430\\u0448\\u0456" in shown
    assert ", home" not in shown
