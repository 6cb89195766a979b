"""A new deck on disk: `deck.json` and `faces/`, whole or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.decks import Deck, Game, load_deck, parse_deck
from referee.errors import DeckError

Pixels = NDArray[np.uint8]

PARTS = ("faces", "copies")
"""Folders in a deck's folder: pictures of the faces, and of the cards that they were made of."""


@dataclass(frozen=True, slots=True, eq=False)
class NewFace:
    """entry: the face as in `deck.json`, without `image`; picture: (h, w, 4) uint8 BGRA; copies: the squared-up cards
    it was made of, each (h, w, 3) uint8 BGR with its rim, kept so that groups can be merged and split later."""

    entry: dict[str, Any]
    picture: Pixels
    copies: tuple[Pixels, ...] = ()


def write_deck(
    folder: Path,
    game: Game,
    name: str,
    card_mm: tuple[float, float],
    corner_mm: float,
    faces: Sequence[NewFace],
    more: Mapping[str, Any] = MappingProxyType({}),
) -> Deck:
    """Write the deck; where it cannot be written whole, nothing is. Returns it as loaded again.

    An old deck in the folder is replaced; a folder with anything else in it is refused. more: further fields of
    `deck.json`. Raises DeckError.
    """
    check_free(folder)
    entries = [
        {
            **face.entry,
            "image": f"faces/{face.entry['id']}.png",
            "copies": [f"copies/{face.entry['id']}-{number}.png" for number in range(1, len(face.copies) + 1)],
        }
        for face in faces
    ]
    head = {"game": game.value, "name": name, "card_mm": list(card_mm), "corner_mm": corner_mm}
    content = {**head, **more, "faces": entries}
    parse_deck(content, source="the new deck")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise DeckError(
            "deck-not-written", f"{folder}: cannot be written ({error.strerror}); name another place."
        ) from None
    try:
        for part in PARTS:
            (fresh / part).mkdir()
        for face, entry in zip(faces, entries, strict=True):
            write_picture(fresh / entry["image"], face.picture)
            for name_, copy in zip(entry["copies"], face.copies, strict=True):
                write_picture(fresh / name_, copy)
        (fresh / "deck.json").write_text(deck_text(content), encoding="utf-8")
        load_deck(fresh)
        fresh.chmod(0o755)
        put_in_place(fresh, folder)
    except OSError as error:
        raise DeckError(
            "deck-not-written", f"{folder}: cannot be written ({error.strerror}); name another place."
        ) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return load_deck(folder)


def write_picture(path: Path, picture: Pixels) -> None:
    """Write a picture as PNG. Raises DeckError."""
    done, data = cv2.imencode(".png", picture)
    if not done:
        raise DeckError("deck-not-written", f"{path}: the picture cannot be encoded.")
    path.write_bytes(data.tobytes())


def check_free(folder: Path) -> None:
    """Raise DeckError if the folder holds anything but a deck, so that nothing of somebody's is lost."""
    if folder.exists() and not folder.is_dir():
        raise DeckError("deck-not-a-folder", f"{folder}: there is a file of this name; name a folder.")
    if folder.is_dir():
        strange = [each.name for each in folder.iterdir() if each.name not in ("deck.json", *PARTS)]
        if strange:
            raise DeckError(
                "deck-folder-used",
                f"{folder}: holds other files ({sorted(strange)[0]}); name an empty folder or a deck's.",
            )


def put_in_place(fresh: Path, folder: Path) -> None:
    """Move a finished folder to its place; an old one is set aside first and taken away last."""
    old = None
    if folder.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent)) / "deck"
        folder.replace(old)
    try:
        fresh.replace(folder)
    except OSError:
        if old is not None:
            old.replace(folder)
        raise
    if old is not None:
        shutil.rmtree(old.parent, ignore_errors=True)


def deck_text(content: dict[str, Any]) -> str:
    """The text of `deck.json`, one face a line."""
    head = json.dumps({key: value for key, value in content.items() if key != "faces"}, ensure_ascii=False)[:-1]
    faces = ",\n".join("  " + json.dumps(face, ensure_ascii=False) for face in content["faces"])
    return f'{head}, "faces": [\n{faces}\n]}}\n'
