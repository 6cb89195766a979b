"""Decks are read as they are written, and refused with file, face and field if they are malformed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.decks import ArrowFace, Deck, Game, PathFace, builtin_deck, load_deck, parse_deck
from referee.errors import DeckError

PATH_FACE: dict[str, Any] = {
    "id": "p",
    "kind": "path",
    "count": 1,
    "strands": [[[i, i + 4], ["red", "blue"]] for i in range(4)],
}
FACES: dict[str, dict[str, Any]] = {
    "cat-and-mouse": {"id": "up-1", "kind": "move", "arrows": ["up"], "points": 1, "count": 6},
    "coloured-paths": PATH_FACE,
    "if-it-fits": {"id": "b", "kind": "box", "walls": ["top"], "toys": 1, "count": 2},
}


def deck_data(game: str = "cat-and-mouse") -> dict[str, Any]:
    size = [63, 88] if game == "if-it-fits" else [64, 64]
    face = copy.deepcopy(FACES[game])
    return {"game": game, "name": "mine", "card_mm": size, "corner_mm": 5, "faces": [face]}


def write(folder: Path, data: object) -> Path:
    (folder / "deck.json").write_text(json.dumps(data), encoding="utf-8")
    return folder


@pytest.mark.parametrize("game", list(FACES))
def test_a_deck_comes_back_as_it_was_written(game: str, tmp_path: Path) -> None:
    deck = load_deck(write(tmp_path, deck_data(game) | {"extra": 1}))
    assert deck.game == game
    assert len(deck.faces) == 1
    assert deck.folder == tmp_path
    assert parse_deck(json.loads(json.dumps(deck.to_dict())), folder=tmp_path) == deck


def test_faces_carry_what_is_drawn_on_them() -> None:
    face = parse_deck(deck_data()).face("up-1")
    assert isinstance(face, ArrowFace)
    assert (face.arrows, face.points, face.count, face.image) == (("up",), 1, 6, None)
    path = parse_deck(deck_data("coloured-paths")).face("p")
    assert isinstance(path, PathFace)
    assert path.colour_at == ("red",) * 4 + ("blue",) * 4
    assert path.other_end == (4, 5, 6, 7, 0, 1, 2, 3)


def test_a_missing_face_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        parse_deck(deck_data()).face("down-9")


@pytest.mark.parametrize("game", list(Game))
def test_the_built_in_decks_are_there(game: Game) -> None:
    deck = builtin_deck(game)
    kinds = {"cat-and-mouse": 70, "coloured-paths": 36, "if-it-fits": 72 + 5 + 3 + 25 + 25 + 5}
    assert sum(face.count for face in deck.faces) == kinds[game]
    for face in deck.faces:
        path = deck.image_path(face.id)
        assert path is not None
        assert path.is_file()


def face(**changes: Any) -> Callable[[dict[str, Any]], None]:
    """Change the only face of a deck; a value of None drops the field."""

    def change(data: dict[str, Any]) -> None:
        for name, value in changes.items():
            if value is None:
                del data["faces"][0][name]
            else:
                data["faces"][0][name] = value

    return change


def top(**changes: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        for name, value in changes.items():
            if value is None:
                del data[name]
            else:
                data[name] = value

    return change


def twice(data: dict[str, Any]) -> None:
    data["faces"] *= 2


MALFORMED = [
    # game, change, what the message must name
    ("cat-and-mouse", top(game=None), ["game", "missing"]),
    ("cat-and-mouse", top(game="poker"), ["game", "poker"]),
    ("cat-and-mouse", top(name=None), ["name", "missing"]),
    ("cat-and-mouse", top(name=""), ["name"]),
    ("cat-and-mouse", top(card_mm=None), ["card_mm"]),
    ("cat-and-mouse", top(card_mm=[64]), ["card_mm"]),
    ("cat-and-mouse", top(card_mm=[64, -64]), ["card_mm[1]", "-64"]),
    ("cat-and-mouse", top(card_mm=[64, True]), ["card_mm[1]", "true"]),
    ("cat-and-mouse", top(card_mm=[64, "64"]), ["card_mm[1]", '"64"']),
    ("cat-and-mouse", top(card_mm=[64, 88]), ["card_mm", "square"]),
    ("if-it-fits", top(card_mm=[88, 63]), ["card_mm", "taller"]),
    ("cat-and-mouse", top(corner_mm=None), ["corner_mm"]),
    ("cat-and-mouse", top(corner_mm=40), ["corner_mm"]),
    ("cat-and-mouse", top(faces=None), ["faces", "missing"]),
    ("cat-and-mouse", top(faces=[]), ["faces"]),
    ("cat-and-mouse", top(faces={"a": 1}), ["faces"]),
    ("cat-and-mouse", top(faces=["up-1"]), ["face number 1"]),
    ("cat-and-mouse", twice, ["up-1", "id", "twice"]),
    ("cat-and-mouse", face(id=None), ["face number 1", "id"]),
    ("cat-and-mouse", face(id=7), ["face number 1", "id", "7"]),
    ("cat-and-mouse", face(kind=None), ["up-1", "kind", "missing"]),
    ("cat-and-mouse", face(kind="joker"), ["up-1", "kind", "joker"]),
    ("cat-and-mouse", face(kind="box"), ["up-1", "kind", "box"]),
    ("cat-and-mouse", face(kind=["move"]), ["up-1", "kind"]),
    ("cat-and-mouse", face(count=None), ["up-1", "count", "missing"]),
    ("cat-and-mouse", face(count=0), ["up-1", "count", "0"]),
    ("cat-and-mouse", face(count=True), ["up-1", "count", "true"]),
    ("cat-and-mouse", face(count=1.5), ["up-1", "count", "1.5"]),
    ("cat-and-mouse", face(count="6"), ["up-1", "count"]),
    ("cat-and-mouse", face(arrows=None), ["up-1", "arrows", "missing"]),
    ("cat-and-mouse", face(arrows=[]), ["up-1", "arrows"]),
    ("cat-and-mouse", face(arrows=["north"]), ["up-1", "arrows[0]", "north"]),
    ("cat-and-mouse", face(arrows=["up", "up"]), ["up-1", "arrows"]),
    ("cat-and-mouse", face(arrows=["up", "left", "down"]), ["up-1", "arrows"]),
    ("cat-and-mouse", face(arrows="up"), ["up-1", "arrows"]),
    ("cat-and-mouse", face(kind="start"), ["up-1", "arrows", "start"]),
    ("cat-and-mouse", face(points=None), ["up-1", "points", "missing"]),
    ("cat-and-mouse", face(points=-1), ["up-1", "points", "-1"]),
    ("cat-and-mouse", face(points=False), ["up-1", "points", "false"]),
    ("cat-and-mouse", face(image="up.png"), ["up-1", "image", "up.png"]),
    ("cat-and-mouse", face(image="../up.png"), ["up-1", "image", "../up.png"]),
    ("cat-and-mouse", face(image="/etc/up.png"), ["up-1", "image"]),
    ("cat-and-mouse", face(image="C:\\up.png"), ["up-1", "image"]),
    ("cat-and-mouse", face(image="deck.json"), ["up-1", "image"]),
    ("cat-and-mouse", face(image=3), ["up-1", "image"]),
    ("coloured-paths", face(strands=None), ['"p"', "strands", "missing"]),
    ("coloured-paths", face(strands=[]), ['"p"', "strands", "0 to 7"]),
    ("coloured-paths", face(strands=[*PATH_FACE["strands"][:3], [[3, 6], ["a", "b"]]]), ['"p"', "strands"]),
    ("coloured-paths", face(strands=[*PATH_FACE["strands"][:3], [[3, 8], ["a", "b"]]]), ['"p"', "strands"]),
    ("coloured-paths", face(strands=[*PATH_FACE["strands"][:3], [[3, 7], ["a"]]]), ['"p"', "strands[3][1]"]),
    ("coloured-paths", face(strands=[*PATH_FACE["strands"][:3], [[3, 7], ["a", 1]]]), ['"p"', "strands[3][1][1]"]),
    ("if-it-fits", face(walls=None), ['"b"', "walls", "missing"]),
    ("if-it-fits", face(walls=["up"]), ['"b"', "walls[0]", "up"]),
    ("if-it-fits", face(walls=["top", "top"]), ['"b"', "walls"]),
    ("if-it-fits", face(toys=None), ['"b"', "toys", "missing"]),
    ("if-it-fits", face(toys=-1), ['"b"', "toys", "-1"]),
    ("if-it-fits", face(kind="cat"), ['"b"', "player", "missing"]),
    ("if-it-fits", face(kind="cat", player="red", asleep=1), ['"b"', "asleep", "1"]),
    ("if-it-fits", face(kind="move"), ['"b"', "kind", "move"]),
]


@pytest.mark.parametrize(("game", "change", "named"), MALFORMED)
def test_a_malformed_deck_is_refused_by_name(
    game: str, change: Callable[[dict[str, Any]], None], named: list[str], tmp_path: Path
) -> None:
    data = deck_data(game)
    change(data)
    with pytest.raises(DeckError) as caught:
        load_deck(write(tmp_path, data))
    for word in ["deck.json", *named]:
        assert word in caught.value.message
    assert caught.value.message.endswith(".")
    assert caught.value.code.startswith("deck-")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "deck-not-json"),
        (b"{", "deck-not-json"),
        (b'{"game": NaN}', "deck-not-json"),
        (b"\xff\xfe", "deck-not-json"),
        (b"[" * 100_000, "deck-not-json"),
        (b"[]", "deck-malformed"),
        (b"null", "deck-malformed"),
    ],
)
def test_what_is_no_deck_file(content: bytes, code: str, tmp_path: Path) -> None:
    (tmp_path / "deck.json").write_bytes(content)
    with pytest.raises(DeckError) as caught:
        load_deck(tmp_path)
    assert caught.value.code == code
    assert str(tmp_path / "deck.json") in caught.value.message


def test_a_missing_deck_and_a_file_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder" / "deck.json").mkdir(parents=True)
    for path in (tmp_path / "nowhere", tmp_path / "file", tmp_path / "folder"):
        with pytest.raises(DeckError) as caught:
            load_deck(path)
        assert caught.value.code == "deck-missing"


def test_an_image_must_be_a_file_inside_the_folder(tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    (deck / "faces").mkdir(parents=True)
    (tmp_path / "outside.png").write_bytes(b"x")
    (deck / "inside.png").write_bytes(b"x")
    data = deck_data()
    data["faces"][0]["image"] = "inside.png"
    assert load_deck(write(deck, data)).image_path("up-1") == deck / "inside.png"
    (deck / "link.png").symlink_to(tmp_path / "outside.png")
    for image in ("link.png", "faces/none.png"):
        data["faces"][0]["image"] = image
        with pytest.raises(DeckError) as caught:
            load_deck(write(deck, data))
        assert caught.value.code == "deck-image"


def test_a_deck_made_in_code_is_checked_too() -> None:
    faces = parse_deck(deck_data("coloured-paths")).faces
    with pytest.raises(ValueError, match='kind "path" is not of the game'):
        Deck(game=Game.CAT_AND_MOUSE, name="x", card_mm=(60.0, 60.0), corner_mm=0.0, faces=faces)
