"""Texts in the reader's language, through gettext catalogues in `referee/locale`.

The English texts in `referee.texts` are the keys. Translating is a developer's task with Babel::

    pybabel extract -k N_ -k NN_:1,2 --no-location -o referee/locale/referee.pot referee/texts
    pybabel update -D referee -d referee/locale -i referee/locale/referee.pot --no-fuzzy-matching
    pybabel compile -D referee -d referee/locale
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from referee.texts import Plural

LANGUAGES = ("uk", "ru", "en")
"""The languages there are, by their ISO 639-1 codes."""

_LOCALE = Path(__file__).resolve().parent / "locale"


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation("referee", _LOCALE, [language])


class Messages:
    """The texts of one language. Raises ValueError for a language there is no catalogue of."""

    def __init__(self, language: str = "en") -> None:
        if language not in LANGUAGES:
            raise ValueError(f"there are no texts in {language!r}; languages: {', '.join(LANGUAGES)}")
        self.language = language
        self._catalogue = _catalogue(language)

    @classmethod
    def preferred(cls, languages: Iterable[str]) -> Messages:
        """The first of the reader's languages that there is (`uk-UA` counts as `uk`), else English."""
        for language in languages:
            code = language.replace("_", "-").split("-")[0].lower()
            if code in LANGUAGES:
                return cls(code)
        return cls("en")

    def text(self, text: str | Plural, number: int | None = None, **fields: object) -> str:
        """A text of `referee.texts` in this language, its braces filled; {n} is the number."""
        if isinstance(text, Plural):
            if number is None:
                raise ValueError(f"a number is needed for {text.one!r}")
            found = self._catalogue.ngettext(text.one, text.many, number)
        else:
            found = self._catalogue.gettext(text)
        return found.format(n=number, **fields) if fields or number is not None else found
