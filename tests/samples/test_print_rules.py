"""The printed rules say the same in three languages and rest on rules that exist."""

import pytest

from referee.rulebook import RuleId
from samples.printing.rules import LANGUAGES, print_notes, rules_page

GAMES = ("cat-and-mouse", "coloured-paths", "if-it-fits")
# Checks and options of the referee that players need not read.
UNTOLD = {"CM-ONE-FINISH", "CM-DECK", "CP-PATH", "IF-DECK"}


@pytest.mark.parametrize("game", GAMES)
def test_every_language_tells_the_same_rules_in_the_same_order(game: str) -> None:
    pages = [rules_page(game, language) for language in LANGUAGES]
    assert len({tuple(step.rules for step in page.steps) for page in pages}) == 1
    assert len({page.title for page in pages}) == len(LANGUAGES)


def test_the_pages_tell_every_rule_of_the_rule_book() -> None:
    told = {rule for game in GAMES for step in rules_page(game, "uk").steps for rule in step.rules}
    assert told | UNTOLD == {rule.value for rule in RuleId}
    assert not told & UNTOLD


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_in_their_alphabet(language: str) -> None:
    texts = [step.text for game in GAMES for step in rules_page(game, language).steps] + list(
        print_notes(language).how_to
    )
    for text in texts:
        cyrillic = sum("а" <= letter <= "я" or letter in "іїєґё" for letter in text.lower())
        latin = sum("a" <= letter <= "z" for letter in text.lower())
        assert (latin > cyrillic) == (language == "en"), text
        assert text == " ".join(text.split()), text
    joined = " ".join(texts).lower()
    assert ("ы" in joined or "ё" in joined) == (language == "ru")
    assert ("ї" in joined) == (language == "uk")


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_are_numbered(language: str) -> None:
    notes = print_notes(language)
    assert "7" in notes.front.format(number=7)
    assert "7" in notes.back.format(number=7)
    assert "50" in notes.ruler
