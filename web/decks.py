"""The decks that can be played with: the built-in ones, and those in the data folder."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from referee.decks import ArrowFace, BoxFace, CatFace, Deck, Face, Game, PathFace, builtin_deck, load_deck
from referee.errors import DeckError
from referee.explain import Explainer
from referee.layouts import Layout, PlacedCard
from referee.messages import Messages
from referee.vision.read import aligner_for
from web.errors import ApiError
from web.messages import WebMessages

PICTURE_SIDE = 200
"""Long side in pixels of the pictures of faces that pages show."""


@lru_cache(maxsize=32)
def _loaded(folder: Path, _changed: float) -> Deck:
    return load_deck(folder)


@lru_cache(maxsize=len(Game))
def _builtin(game: Game) -> Deck:
    return builtin_deck(game)


class DeckShelf:
    """Decks by key: a built-in deck by its game, another by its folder in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        """Where decks of people's own are kept."""
        return self._folder

    def keys(self) -> list[str]:
        """The keys of all decks, the built-in ones first."""
        return [game.value for game in Game] + self._own_keys()

    def _own_keys(self) -> list[str]:
        if not self._folder.is_dir():
            return []
        found = (path.parent.name for path in self._folder.glob("*/deck.json"))
        return sorted(name for name in found if not name.startswith("."))  # those are being written

    def deck(self, key: str) -> Deck:
        """The deck with this key. Raises ApiError (404) if there is none, DeckError if it cannot be used."""
        if key in set(Game):
            return _builtin(Game(key))
        if key not in self._own_keys():
            raise ApiError(404, "unknown-deck", deck=key)
        folder = self._folder / key
        return _loaded(folder, (folder / "deck.json").stat().st_mtime)

    def find(self, name: str, game: Game | None = None) -> str:
        """The key of the deck that is called so, by key or by name. Raises ApiError (422) if there is none."""
        keys = self.keys()
        if name in keys:
            return name
        for key in keys:
            try:
                deck = self.deck(key)
            except DeckError:
                continue
            if deck.name == name and (game is None or deck.game is game):
                return key
        raise ApiError(422, "unknown-deck", deck=name)

    def of_game(self, game: Game) -> list[tuple[str, Deck]]:
        """The usable decks of a game."""
        found = []
        for key in self.keys():
            try:
                deck = self.deck(key)
            except DeckError:
                continue
            if deck.game is game:
                found.append((key, deck))
        return found

    def warm_up(self) -> None:
        """Load what reading a photograph with the built-in decks needs, so that the first one is not slow."""
        for game in sorted(Game):
            aligner_for(self.deck(game))


@lru_cache(maxsize=512)
def face_picture(path: Path, _changed: float) -> bytes:
    """The picture of a face as a small WebP."""
    with Image.open(path) as image:
        small = image.convert("RGBA")
    small.thumbnail((PICTURE_SIDE, PICTURE_SIDE), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "WEBP", quality=82, method=4)
    return out.getvalue()


def shown_name(key: str, deck: Deck, pages: WebMessages) -> str:
    """What a deck is called on pages: a built-in one in the reader's language, another as its owner calls it."""
    return pages.text("decks.home") if key in set(Game) else deck.name


def described(key: str, deck: Deck, picture_url: Callable[[int], str], words: Callable[[Face], str]) -> dict[str, Any]:
    """A deck as pages and programs see it; `picture_url(number)` is where the picture of a face is, `words(face)`
    what it shows."""
    faces = []
    for number, face in enumerate(deck.faces):
        entry = face.model_dump(mode="json", exclude={"image"}, exclude_none=True)
        entry["picture"] = None if deck.image_path(face.id) is None else picture_url(number)
        entry["group"] = group_of(face)
        entry["words"] = words(face)
        faces.append(entry)
    return {
        "key": key,
        "name": deck.name,
        "game": deck.game.value,
        "card_mm": list(deck.card_mm),
        "corner_mm": deck.corner_mm,
        "faces": faces,
    }


def group_of(face: object) -> str:
    """Under which heading a picker shows a face."""
    if isinstance(face, ArrowFace):
        return face.kind if face.kind != "move" else ("two-arrows" if len(face.arrows) == 2 else "one-arrow")
    if isinstance(face, CatFace):
        return "asleep" if face.asleep else "awake"
    if isinstance(face, BoxFace):
        return face.kind if face.kind != "start" else "start-box"
    return "path" if isinstance(face, PathFace) else "princess"


def words_of(deck: Deck, rules: Messages, pages: WebMessages) -> Callable[[Face], str]:
    """What is drawn on a face, in words, for those who cannot see its picture."""
    explainer = Explainer(Layout(game=deck.game, cards=()), deck, rules, {}, {})

    def words(face: Face) -> str:
        if isinstance(face, BoxFace):
            walls = ", ".join(pages.text(f"side.{wall}") for wall in face.walls) or pages.text("side.none")
            return pages.text(f"face.{face.kind}", walls=walls, toys=face.toys)
        if isinstance(face, PathFace):
            return pages.text("face.path", colours=", ".join(map(explainer.player, face.colour_at)))
        card = PlacedCard(id="\N{ZERO WIDTH SPACE}", face=face.id, x=0.0, y=0.0)
        bare = Explainer(Layout(game=deck.game, cards=(card,)), deck, rules, {}, {}).card(card.id)
        return " ".join(bare.replace(card.id, "").split())

    return words
