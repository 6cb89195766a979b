"""Every text of the web pages, in English, by its key; the other languages are in `web/locale`.

`N_` and `NN_` mark texts for translation (see `web.messages`). Names in braces are filled in. The first part of a
key is the page or part of a page that shows the text. The sentences of verdicts are in `referee.texts`.
"""

from __future__ import annotations

from referee.texts import Plural
from web.texts.calibration import CALIBRATION
from web.texts.errors import ERRORS
from web.texts.lessons import LESSONS
from web.texts.matches import MATCHES
from web.texts.pages import PAGES
from web.texts.tables import TABLES
from web.texts.wall import WALL

IN_SCRIPTS = frozenset(
    {
        "board",
        "cam",
        "check",
        "colour",
        "decks",
        "draft",
        "game",
        "group",
        "kind",
        "lesson",
        "live",
        "match",
        "new",
        "palette",
        "panel",
        "picker",
        "practice",
        "print",
        "question",
        "quiz",
        "upload",
        "wall",
    }
)
"""The first parts of the keys of texts that scripts use as well."""

TEXTS: dict[str, str | Plural] = {**PAGES, **TABLES, **MATCHES, **WALL, **LESSONS, **CALIBRATION, **ERRORS}
