"""The vocabulary is closed, documented, and spoken in three languages."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from referee import messages, rulebook, texts
from referee.messages import LANGUAGES, Messages
from referee.options import CatAndMouseOptions, IfItFitsOptions
from referee.rulebook import RuleId, Violation
from referee.texts import Plural

LOCALE = Path(messages.__file__).parent / "locale"


def catalogue(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / "referee.po").open("rb") as file:
        return read_po(file, locale=language)


def test_every_fault_is_documented_with_its_rule() -> None:
    documented = dict(re.findall(r"^([a-z-]+) +((?:CM|CP|IF)-[A-Z-]+) ", rulebook.__doc__ or "", re.MULTILINE))
    assert documented == {violation.value: violation.rule_id.value for violation in Violation}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (texts.FAULTS, Violation),
        (texts.NOTES, rulebook.NoteKind),
        (texts.ASSUMPTIONS, rulebook.AssumptionKind),
        (texts.DOUBTS, rulebook.DoubtReason),
        (texts.REASONS, rulebook.ScoreReason),
        (texts.PROBLEMS, rulebook.MatchProblem),
        (texts.RULES, RuleId),
    ],
)
def test_every_word_of_the_vocabulary_has_a_text(table: dict[StrEnum, object], words: type[StrEnum]) -> None:
    assert set(table) == set(words)


def test_every_choice_of_every_option_has_a_text() -> None:
    choices: set[tuple[str, str]] = set()
    for model in (CatAndMouseOptions, IfItFitsOptions):
        for name, field in model.model_fields.items():
            kinds = ("no", "yes") if field.annotation is bool else field.annotation.__args__  # type: ignore[union-attr]
            choices |= {(name, kind) for kind in kinds}
    assert set(texts.OPTIONS) == choices


def test_the_rule_book_has_its_rules() -> None:
    rules = Path(__file__).resolve().parents[2] / "shared" / "RULES.md"
    if not rules.is_file():
        pytest.skip("the rule book is not here")
    listed = re.findall(r"^\| ((?:CM|CP|IF)-[A-Z-]+) \|", rules.read_text(encoding="utf-8"), re.MULTILINE)
    assert [rule.value for rule in RuleId] == listed


def test_the_catalogues_hold_exactly_the_texts_in_the_source() -> None:
    found = extract_from_dir(Path(texts.__file__).parent, keywords={"N_": None, "NN_": (1, 2)})
    sources = {entry[2] for entry in found}
    for language in LANGUAGES:
        assert {message.id for message in catalogue(language) if message.id} == sources, "run pybabel extract, update"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_up_to_date(language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(language))
    stored = (LOCALE / language / "LC_MESSAGES" / "referee.mo").read_bytes()
    assert stored == compiled.getvalue(), "run pybabel compile"


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_with_the_same_fields(language: str) -> None:
    for message in catalogue(language):
        if not message.id:
            continue
        sources = [message.id] if isinstance(message.id, str) else list(message.id)
        translated = [message.string] if isinstance(message.string, str) else list(message.string or ())
        expected = set().union(*map(fields, sources))
        assert all(translated), message.id
        for text in translated:
            assert fields(text) == expected, text
            if language != "en":
                assert "{" in text or not re.search(r"[A-Za-z]", text), text


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("uk", {0: "0 балів", 1: "1 бал", 2: "2 бали", 5: "5 балів", 11: "11 балів", 21: "21 бал", 22: "22 бали"}),
        ("ru", {0: "0 баллов", 1: "1 балл", 2: "2 балла", 5: "5 баллов", 11: "11 баллов", 21: "21 балл"}),
        ("en", {0: "0 points", 1: "1 point", 2: "2 points", 21: "21 points"}),
    ],
)
def test_plurals(language: str, forms: dict[int, str]) -> None:
    say = Messages(language).text
    assert {number: say(texts.POINTS, number) for number in forms} == forms


def test_every_text_can_be_said_in_every_language() -> None:
    some = {name: "x" for message in catalogue("en") if message.id for name in fields(str(message.id))} | {"n": 0}
    tables: list[Mapping[Any, object]] = [
        texts.FAULTS,
        texts.FAULTS_OF_MANY,
        texts.NOTES,
        texts.ASSUMPTIONS,
        texts.DOUBTS,
        texts.PROBLEMS,
        texts.RULES,
        texts.OPTIONS,
    ]
    del some["n"]
    for language in LANGUAGES:
        for table in tables:
            for text in table.values():
                assert isinstance(text, str | Plural)
                assert "{" not in Messages(language).text(text, 3, **some)


def test_the_readers_language_is_found() -> None:
    assert Messages.preferred(["de", "uk-UA", "ru"]).language == "uk"
    assert Messages.preferred(["ru_RU"]).language == "ru"
    assert Messages.preferred(["de", "ja"]).language == "en"
    with pytest.raises(ValueError, match="uk, ru, en"):
        Messages("de")


def test_a_text_with_a_number_needs_one() -> None:
    with pytest.raises(ValueError, match="number"):
        Messages("en").text(texts.POINTS)
