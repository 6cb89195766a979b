"""The texts of the web pages in the reader's language, from the catalogues in `web/locale`.

Texts are named by keys in `web.texts`; their English is what the catalogues translate. With Babel::

    pybabel extract -k N_ -k NN_:1,2 --no-location -o web/locale/web.pot web/texts/
    pybabel update -D web -d web/locale -i web/locale/web.pot --no-fuzzy-matching
    pybabel compile -D web -d web/locale
"""

from __future__ import annotations

import gettext
from functools import lru_cache
from pathlib import Path

from referee.messages import LANGUAGES
from referee.texts import Plural
from web.texts import IN_SCRIPTS, TEXTS

_LOCALE = Path(__file__).resolve().parent / "locale"

SAMPLES = (1, 2, 5)
"""A number for each plural form of our languages: one, few, many."""


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation("web", _LOCALE, [language])


class WebMessages:
    """The texts of one language, by their keys."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = _catalogue(language)

    def has(self, key: str) -> bool:
        """Whether there is a text of this name."""
        return key in TEXTS

    def text(self, key: str, number: int | None = None, **fields: object) -> str:
        """The text with its braces filled; {n} is the number. Raises KeyError for a key that is none."""
        text = TEXTS[key]
        if isinstance(text, Plural):
            found = self._catalogue.ngettext(text.one, text.many, 0 if number is None else number)
        else:
            found = self._catalogue.gettext(text)
        return found.format(n=number, **fields) if fields or number is not None else found

    def for_scripts(self) -> dict[str, str | list[str]]:
        """The texts that the pages' scripts use; of a plural its forms for one, few and many."""
        return dict(_for_scripts(self.language))


@lru_cache(maxsize=len(LANGUAGES))
def _for_scripts(language: str) -> dict[str, str | list[str]]:
    catalogue = _catalogue(language)
    found: dict[str, str | list[str]] = {}
    for key, text in TEXTS.items():
        if key.split(".")[0] not in IN_SCRIPTS:
            continue
        if isinstance(text, Plural):
            found[key] = [catalogue.ngettext(text.one, text.many, number) for number in SAMPLES]
        else:
            found[key] = catalogue.gettext(text)
    return found
