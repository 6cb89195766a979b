"""Every text is there in every language, with right plurals and the same fields; none is missing, none is left over."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from referee.messages import LANGUAGES
from referee.texts import Plural
from web.messages import WebMessages
from web.texts import IN_SCRIPTS, TEXTS

WEB = Path(__file__).resolve().parents[2] / "web"
COMPOSED = (
    "game.",
    "about-game.",
    "group.",
    "side.",
    "face.",
    "kind.",
    "colour.",
    "lang.",
    "error.",
    "question.",
    "live.",
)
"""Keys that begin so are put together from parts: not every one of them stands in the source as a whole."""


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_complete(language: str) -> None:
    with (WEB / "locale" / language / "LC_MESSAGES" / "web.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    for key, text in TEXTS.items():
        english = text.one if isinstance(text, Plural) else text
        message = catalogue.get(english)
        assert message is not None, key
        found = (message.string,) if isinstance(message.string, str) else tuple(message.string)
        assert len(found) == ((2 if language == "en" else 3) if isinstance(text, Plural) else 1), key
        for form in found:
            assert form, key
            assert fields(form) == fields(text.many if isinstance(text, Plural) else text), (key, form)


def test_no_text_is_left_untranslated_by_mistake() -> None:
    uk, en = WebMessages("uk"), WebMessages("en")
    same = {key for key in TEXTS if uk.text(key) == en.text(key) and not key.startswith("lang.")}
    assert same == {"error.against-the-rules"}


@pytest.mark.parametrize(
    ("number", "form"), [(1, "картку"), (3, "картки"), (5, "карток"), (11, "карток"), (22, "картки")]
)
def test_plurals(number: int, form: str) -> None:
    assert WebMessages("uk").text("panel.found", number).split()[2].rstrip(".") == form


def source() -> str:
    files = [*WEB.rglob("*.py"), *WEB.rglob("*.html"), *(WEB / "static" / "js").glob("*.js")]
    return "\n".join(file.read_text("utf-8") for file in files if file.parent.name != "texts")


def test_every_key_that_is_asked_for_exists() -> None:
    asked = set(re.findall(r"""\b(?:t|tn|text|has)\(\s*["']([a-z-]+\.[a-z0-9-]+)["']""", source()))
    assert len(asked) > 100
    assert asked <= set(TEXTS)


def test_keys_that_scripts_ask_for_are_handed_to_them() -> None:
    scripts = "\n".join(file.read_text("utf-8") for file in (WEB / "static" / "js").glob("*.js"))
    asked = set(re.findall(r"""\bt[n]?\(\s*["'`]([a-z-]+)\.""", scripts))
    assert asked <= IN_SCRIPTS


def test_no_text_is_left_over() -> None:
    text = source()
    parts = {
        "match": ("valid", "invalid", "undetermined", "box", "cat", "asleep"),
        "board": ("right", "wrong", "back", "unsure", "aside"),
        "panel": ("results", "faults", "doubts", "notes"),
    }
    composed = {f"{page}.{name}" for page, names in parts.items() for name in names}
    assert {key for key in TEXTS if key not in text and not key.startswith(COMPOSED)} <= composed
