"""Finished decks put on the shelf: under the key of the deck that they replace, or under a new one."""

from __future__ import annotations

import re
import secrets
import shutil
import unicodedata
from pathlib import Path

from sqlalchemy import select

from calibration.enrol.editing import EditedDeck
from calibration.enrol.folder import put_in_place
from calibration.enrol.naming import free_name
from referee.decks import Deck, Game
from referee.errors import DeckError
from web.calibration.drafts import READY, Drafts
from web.decks import DeckShelf
from web.storage.database import Database
from web.storage.models import Match, Table

LONGEST_KEY = 40
LETTERS = {
    pair[0]: pair[1:]
    for pair in [
        "аa",
        "бb",
        "вv",
        "гh",
        "ґg",
        "дd",
        "еe",
        "єie",
        "жzh",
        "зz",
        "иy",
        "іi",
        "їi",
        "йi",
        "кk",
        "лl",
        "мm",
        "нn",
        "оo",
        "пp",
        "рr",
        "сs",
        "тt",
        "уu",
        "фf",
        "хkh",
        "цts",
        "чch",
        "шsh",
        "щshch",
        "ь",
        "юiu",
        "яia",
        "ёe",
        "ыy",
        "эe",
        "ъ",
    ]
}
"""Cyrillic letters as Ukrainian passports have them (resolution 55 of 2010), and the Russian ones besides."""


def publish(drafts: Drafts, draft_id: str, shelf: DeckShelf, database: Database) -> str:
    """Put a draft's deck on the shelf; returns its key. Raises ApiError (404, 409)."""
    with drafts.editing(draft_id) as deck:
        state = drafts.state(draft_id)
        base = state["deck"] or state["base"]
        old = shelf.deck(base) if base is not None and base in shelf.keys() else None  # noqa: SIM118 - no dictionary
        deck.name_faces([] if old is None else [face.id for face in old.faces])
        deck.save()
        key = base if old is not None and base and not _would_break(old, deck, base, database) else None
        if key is None:
            deck.rename(free_title(deck.content["name"], shelf))
            deck.save()
            key = free_key(deck.content["name"], shelf)
        put_on_shelf(deck.folder, shelf.folder / key)
    with drafts.changing(draft_id) as state:
        state |= {"deck": key, "stage": READY}
    return key


def _would_break(old: Deck, new: EditedDeck, key: str, database: Database) -> bool:
    """Whether tables and matches are kept that know faces which the new deck lacks."""
    kept = {entry["id"] for entry in new.faces}
    if all(face.id in kept for face in old.faces):
        return False
    with database.reading() as session:
        return any(session.scalar(select(kind.id).where(kind.deck == key).limit(1)) for kind in (Table, Match))


def put_on_shelf(source: Path, target: Path) -> None:
    """Copy a deck's folder, whole or not at all. Raises DeckError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.parent / f".{target.name}-{secrets.token_hex(4)}"
        shutil.copytree(source, fresh)
        put_in_place(fresh, target)
    except OSError as error:
        raise DeckError("deck-not-written", f"The deck cannot be kept ({error.strerror}).") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def free_key(name: str, shelf: DeckShelf) -> str:
    """A key for a deck of this name: letters, digits and hyphens."""
    key = plain_key(name) or "deck"
    return free_name(key, {*shelf.keys(), *(game.value for game in Game)}, "{}-{}")


def plain_key(name: str) -> str:
    """A name in small Latin letters, digits and hyphens; "" if nothing is left of it."""
    plain = "".join(LETTERS.get(letter, letter) for letter in name.casefold())
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_KEY].strip("-")


def free_title(name: str, shelf: DeckShelf) -> str:
    """The name, with a number if another deck is called so."""
    return free_name(name, {deck.name for game in Game for _, deck in shelf.of_game(game)}, "{} {}")
