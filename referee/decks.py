"""Decks: which faces exist, how many of each, and what is drawn on them.

A deck is a folder with `deck.json` (its format is fixed: see the README) and, if it is to be recognised by
its pictures, image files beside it. A face is described as drawn upright; how a card lies is the layout's
matter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, SerializeAsAny, ValidationError, field_validator, model_validator

from referee.errors import DeckError
from referee.validation import Name, Value, field_name, first_problem, read_json, shown


class Game(StrEnum):
    """The three games."""

    CAT_AND_MOUSE = "cat-and-mouse"
    COLOURED_PATHS = "coloured-paths"
    IF_IT_FITS = "if-it-fits"


Arrow = Literal["up", "right", "down", "left"]
Wall = Literal["top", "right", "bottom", "left"]
ARROWS: tuple[Arrow, ...] = ("up", "right", "down", "left")
"""Clockwise: the index times 90 is the direction in degrees, 0 being up."""
WALLS: tuple[Wall, ...] = ("top", "right", "bottom", "left")
"""Clockwise, as `ARROWS`."""

M = TypeVar("M", bound=Value)

Strand = tuple[tuple[int, int], tuple[Name, Name]]
"""Two path ends (0-7, clockwise from the left end of the top side) and the colour at each."""


class Face(Value):
    """What all faces share: `id`, how many cards of it there are, perhaps a picture (path in the folder).

    needs_review: what it shows was read from a photograph and nobody has confirmed it yet.
    """

    id: Name
    kind: str
    count: Annotated[int, Field(ge=1, le=10_000)]
    image: Name | None = None
    needs_review: bool = False

    @field_validator("image")
    @classmethod
    def _image_stays_in_the_folder(cls, image: str | None) -> str | None:
        if image is None:
            return None
        path = PurePosixPath(image)
        drive = PureWindowsPath(image).drive
        if path.is_absolute() or drive or "\\" in image or ".." in path.parts or "\0" in image:
            raise ValueError("must be a path inside the deck's folder")
        if path.suffix.lower() not in {".png", ".jpg", ".jpeg"}:
            raise ValueError("must be a PNG or JPEG file")
        return image


class ArrowFace(Face):
    """Cat and Mouse: a movement card with one or two arrows and its points, a Start or a Finish."""

    kind: Literal["move", "start", "finish"]
    arrows: tuple[Arrow, ...] = ()
    points: Annotated[int, Field(ge=0, le=10_000)] = 0

    @model_validator(mode="after")
    def _arrows_suit_the_kind(self) -> Self:
        missing = {"arrows", "points"} - self.model_fields_set
        if self.kind == "move" and missing:
            raise ValueError(f"{min(missing)} is missing")
        if len(set(self.arrows)) != len(self.arrows):
            raise ValueError("arrows must differ from each other")
        if self.kind == "move" and len(self.arrows) not in (1, 2):
            raise ValueError("arrows must be one or two on a movement card")
        if self.kind != "move" and self.arrows:
            raise ValueError(f"arrows must be empty on a {self.kind} card")
        return self


class PathFace(Face):
    """Multicoloured Paths: four strands that join the eight path ends in pairs."""

    kind: Literal["path"]
    strands: tuple[Strand, ...]

    @field_validator("strands")
    @classmethod
    def _strands_use_each_end_once(cls, strands: tuple[Strand, ...]) -> tuple[Strand, ...]:
        if sorted(end for ends, _ in strands for end in ends) != list(range(8)):
            raise ValueError("must use each of the ends 0 to 7 exactly once")
        return strands

    @cached_property
    def colour_at(self) -> tuple[str, ...]:
        """The colour at each of the ends 0-7."""
        colours = {end: c for ends, pair in self.strands for end, c in zip(ends, pair, strict=True)}
        return tuple(colours[end] for end in range(8))

    @cached_property
    def other_end(self) -> tuple[int, ...]:
        """For each end 0-7 the other end of its strand."""
        others = {a: b for ends, _ in self.strands for a, b in (ends, ends[::-1])}
        return tuple(others[end] for end in range(8))


class BoxFace(Face):
    """If It Fits: a box card (plain, start, or special toy card) with walls on some sides, and toys."""

    kind: Literal["box", "start", "toy"]
    walls: tuple[Wall, ...]
    toys: Annotated[int, Field(ge=0, le=1_000)]

    @field_validator("walls")
    @classmethod
    def _walls_differ(cls, walls: tuple[Wall, ...]) -> tuple[Wall, ...]:
        if len(set(walls)) != len(walls):
            raise ValueError("must differ from each other")
        return walls


class CatFace(Face):
    """If It Fits: one side of a player's cat card."""

    kind: Literal["cat"]
    player: Name
    asleep: bool


class PrincessFace(Face):
    """If It Fits: the black cat, which counts for nobody."""

    kind: Literal["princess"]


KINDS: Mapping[Game, Mapping[str, type[Face]]] = {
    Game.CAT_AND_MOUSE: dict.fromkeys(("move", "start", "finish"), ArrowFace),
    Game.COLOURED_PATHS: {"path": PathFace},
    Game.IF_IT_FITS: {
        **dict.fromkeys(("box", "start", "toy"), BoxFace),
        "cat": CatFace,
        "princess": PrincessFace,
    },
}
"""The kinds of card of each game and the model that describes each."""

Millimetres = Annotated[float, Field(gt=0, le=1_000)]

SQUARE_TOLERANCE = 0.05
"""How far the sides of a square card may differ, as a fraction: decks are measured with a ruler."""


class Deck(Value):
    """A deck of one game. `card_mm` is (width, height) of an upright card; `folder` holds the images."""

    game: Game
    name: Name
    card_mm: tuple[Millimetres, Millimetres]
    corner_mm: Annotated[float, Field(ge=0)]
    faces: Annotated[tuple[SerializeAsAny[Face], ...], Field(min_length=1)]
    folder: Path | None = None

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        width, height = self.card_mm
        if self.corner_mm > min(width, height) / 2:
            raise ValueError("corner_mm must be at most half of the card's shorter side")
        if self.game is Game.IF_IT_FITS and width >= height:
            raise ValueError("card_mm must be [width, height] of an upright card, taller than wide")
        if self.game is not Game.IF_IT_FITS and abs(width - height) > SQUARE_TOLERANCE * max(width, height):
            raise ValueError("card_mm must be square in this game")
        seen: set[str] = set()
        for face in self.faces:
            if not isinstance(face, KINDS[self.game].get(face.kind, ())):
                raise ValueError(f'face "{face.id}": kind "{face.kind}" is not of the game {self.game}')
            if face.id in seen:
                raise ValueError(f'face "{face.id}": id is used twice')
            seen.add(face.id)
        return self

    @cached_property
    def _by_id(self) -> dict[str, Face]:
        return {face.id: face for face in self.faces}

    def face(self, face_id: str) -> Face:
        """The face with this id; KeyError if the deck has none."""
        return self._by_id[face_id]

    def __contains__(self, face_id: object) -> bool:
        return face_id in self._by_id

    def image_path(self, face_id: str) -> Path | None:
        """Where the picture of a face is, or None if the deck has none of it."""
        image = self.face(face_id).image
        return None if image is None or self.folder is None else self.folder / image

    def to_dict(self) -> dict[str, Any]:
        """The content of `deck.json`."""
        return self.model_dump(mode="json", exclude={"folder"}, exclude_none=True)


class _DeckHeader(Value):
    game: Game
    name: Name
    card_mm: tuple[Millimetres, Millimetres]
    corner_mm: Annotated[float, Field(ge=0)]


def load_deck(folder: Path | str) -> Deck:
    """Read `deck.json` in a folder.

    Raises DeckError naming file, face and field when it is missing, malformed, or names a missing image.
    """
    folder = Path(folder)
    file = folder / "deck.json"
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DeckError(
            "deck-missing", f"{file}: there is no such file; --deck must name a folder with a deck.json."
        ) from None
    except UnicodeDecodeError:
        raise DeckError("deck-not-json", f"{file}: the file is not UTF-8 text; save it as UTF-8.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DeckError("deck-missing", f"{file}: the file cannot be read ({reason}).") from None
    try:
        data = read_json(text)
    except ValueError as error:
        raise DeckError("deck-not-json", f"{file}: the file is not JSON ({error}).") from None
    return parse_deck(data, source=str(file), folder=folder)


def parse_deck(data: object, source: str = "deck", folder: Path | None = None) -> Deck:
    """Make a deck from the parsed content of `deck.json`; `source` is what error messages call it.

    With a `folder` every image named must be a file in it. Raises DeckError.
    """
    if not isinstance(data, dict):
        raise DeckError("deck-malformed", f"{source}: a deck must be a JSON object with a game, a name and faces.")
    header = _checked(_DeckHeader, data, source, None)
    listed = data.get("faces")
    if not isinstance(listed, list) or not listed:
        state = "is missing" if "faces" not in data else "must be a list of at least one face"
        raise DeckError("deck-malformed", f"{source}: faces {state}.")
    faces: list[Face] = []
    seen: set[str] = set()
    for number, entry in enumerate(listed, 1):
        face = _parse_face(entry, header.game, source, number)
        if face.id in seen:
            raise DeckError("deck-malformed", f'{source}: face "{face.id}": id is used twice; give each face its own.')
        seen.add(face.id)
        if folder is not None:
            _check_image(face, folder, source)
        faces.append(face)
    whole = {name: getattr(header, name) for name in _DeckHeader.model_fields}
    try:
        return Deck(**whole, faces=tuple(faces), folder=folder)
    except ValidationError as error:
        raise DeckError("deck-malformed", f"{source}: {first_problem(error)[1]}.") from None


def builtin_deck(game: Game | str) -> Deck:
    """Our own print-and-play deck of a game, `samples/decks/GAME` beside the package."""
    return load_deck(Path(__file__).resolve().parent.parent / "samples" / "decks" / Game(game).value)


def _parse_face(entry: object, game: Game, source: str, number: int) -> Face:
    if not isinstance(entry, dict):
        raise DeckError("deck-malformed", f"{source}: face number {number}: must be a JSON object.")
    name = entry.get("id")
    where = f'face "{name}"' if isinstance(name, str) and name else f"face number {number}"
    if "kind" not in entry:
        raise DeckError("deck-malformed", f"{source}: {where}: kind is missing.")
    kind = entry["kind"]
    model = KINDS[game].get(kind) if isinstance(kind, str) else None
    if model is None:
        known = ", ".join(KINDS[game])
        raise DeckError(
            "deck-malformed",
            f"{source}: {where}: kind {shown(kind)} is unknown in {game}; use one of: {known}.",
        )
    return _checked(model, entry, source, where)


def _checked(model: type[M], data: Mapping[str, Any], source: str, where: str | None) -> M:
    """Validate as JSON (a list is a tuple, a string may be an enum's value; true is never a number)."""
    try:
        return model.model_validate_json(json.dumps(data))
    except ValidationError as error:
        place, reason = first_problem(error)
        field = field_name(place)
        text = f"{field} {reason}" if field else reason
        raise DeckError("deck-malformed", f"{source}: {where + ': ' if where else ''}{text}.") from None


def _check_image(face: Face, folder: Path, source: str) -> None:
    if face.image is None:
        return
    path = folder / face.image
    where = f'{source}: face "{face.id}": image "{face.image}"'
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
        there = path.is_file()
    except OSError as error:
        raise DeckError("deck-image", f"{where} cannot be opened ({error.strerror}).") from None
    if not inside:
        raise DeckError("deck-image", f"{where} must be a path inside the deck's folder.")
    if not there:
        raise DeckError("deck-image", f"{where} does not exist; add the file or leave image out.")
