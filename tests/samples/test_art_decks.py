"""The built-in decks: the right number of each card, pictures that are what the code draws, faces that differ."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from referee.decks import Game, builtin_deck, load_deck
from samples.art.decks import BUILTIN, BUILTIN_DECKS, STYLED, deck_json, face_png, write_deck
from samples.art.faces import Face
from samples.art.path_deck import CARDS, parse
from samples.art.raster import FACE_PX_PER_MM, render

COUNTS = {
    "cat-and-mouse": {"move": 62, "start": 4, "finish": 4},
    "coloured-paths": {"path": 36},
    "if-it-fits": {"box": 72, "start": 5, "toy": 3, "cat": 50, "princess": 5},
}
GAMES = tuple(COUNTS)


def picture(game: str, face_id: str) -> np.ndarray:
    """RGBA pixels of a face of the built-in deck."""
    path = builtin_deck(game).image_path(face_id)
    assert path is not None
    with Image.open(path) as opened:
        return np.asarray(opened.convert("RGBA"))


@pytest.mark.parametrize("game", GAMES)
def test_the_deck_holds_the_cards_of_the_game(game: str) -> None:
    deck = builtin_deck(game)
    counts = Counter[str]()
    for face in deck.faces:
        counts[face.kind] += face.count
    assert counts == COUNTS[game]


@pytest.mark.parametrize("game", GAMES)
def test_the_committed_deck_file_is_what_the_code_writes(game: str) -> None:
    assert (BUILTIN_DECKS / game / "deck.json").read_text(encoding="utf-8") == deck_json(BUILTIN[game]())


@pytest.mark.parametrize(("game", "face_id"), [("cat-and-mouse", "up-2"), ("if-it-fits", "box-tr-1")])
def test_the_committed_pictures_are_what_the_code_draws(game: str, face_id: str, tmp_path: Path) -> None:
    deck = BUILTIN[game]()
    drawn = face_png(deck, next(face for face in deck.faces if face.id == face_id))
    (tmp_path / "face.png").write_bytes(drawn)
    with Image.open(tmp_path / "face.png") as opened:
        now = np.asarray(opened.convert("RGBA")).astype(int)
    assert np.abs(now - picture(game, face_id)).mean() < 0.5


@pytest.mark.parametrize("game", GAMES)
def test_pictures_have_the_cards_shape_and_are_transparent_outside(game: str) -> None:
    deck = builtin_deck(game)
    size = tuple(round(side * FACE_PX_PER_MM) for side in reversed(deck.card_mm))
    named = {deck.image_path(face.id) for face in deck.faces}
    assert named == set((BUILTIN_DECKS / game / "faces").iterdir())
    for face in deck.faces:
        alpha = picture(game, face.id)[..., 3]
        assert alpha.shape == size, face.id
        assert not alpha[[0, 0, -1, -1], [0, -1, 0, -1]].any(), face.id
        corner = round(deck.corner_mm * FACE_PX_PER_MM)
        assert (alpha[corner:-corner] == 255).all(), face.id
        assert (alpha[:, corner:-corner] == 255).all(), face.id


@pytest.mark.parametrize("game", GAMES)
def test_backs_stand_beside_the_faces(game: str) -> None:
    names = {f"{name}.png" for name in BUILTIN[game]().backs}
    assert {path.name for path in (BUILTIN_DECKS / game).iterdir()} == {"deck.json", "faces", *names}
    for name in names:
        with Image.open(BUILTIN_DECKS / game / name) as opened:
            assert opened.size == tuple(round(side * FACE_PX_PER_MM) for side in builtin_deck(game).card_mm)


# Turns by which a card may lie in its game without the rules telling them apart.
@pytest.mark.parametrize(
    ("game", "quarters"), [("cat-and-mouse", (0,)), ("coloured-paths", (0, 1, 2, 3)), ("if-it-fits", (0, 2))]
)
def test_two_faces_differ_in_more_than_a_detail(game: str, quarters: tuple[int, ...]) -> None:
    small = {}
    for face in builtin_deck(game).faces:
        rgba = Image.fromarray(picture(game, face.id))
        ground = Image.new("RGBA", rgba.size, (128, 128, 128, 255))
        ground.alpha_composite(rgba)
        width, height = (round(side * 64 / min(rgba.size)) for side in rgba.size)
        small[face.id] = np.asarray(ground.convert("RGB").resize((width, height), Image.Resampling.BOX)).astype(int)
    for (one, pixels), (other, against) in combinations(small.items(), 2):
        for turn in quarters:
            changed = np.abs(pixels - np.rot90(against, turn)).max(axis=2) > 50
            assert changed.mean() > 0.02, (one, other, turn)


def test_path_cards_are_balanced() -> None:
    ends, sides, pairs, strands = Counter[str](), Counter[tuple[str, str]](), Counter[frozenset[str]](), Counter[str]()
    for row in CARDS:
        colour = {}
        for (a, b), colours in parse(row):
            colour[a], colour[b] = colours
            pairs[frozenset(colours)] += 1
            strands["plain" if colours[0] == colours[1] else "changing"] += 1
        assert sorted(colour) == list(range(8))
        ends.update(colour.values())
        sides.update((colour[2 * side], colour[2 * side + 1]) for side in range(4))
    assert set(ends.values()) == {72}
    assert len(sides) == 16
    assert set(sides.values()) == {9}
    assert len(pairs) == 6
    assert set(pairs.values()) == {24}
    assert strands == {"changing": 144}


def test_no_two_path_cards_are_alike_even_turned() -> None:
    def turned(row: str, quarters: int) -> tuple[tuple[tuple[int, str], ...], ...]:
        strands = (
            tuple(sorted(zip(((end + 2 * quarters) % 8 for end in ends), colours, strict=True)))
            for ends, colours in parse(row)
        )
        return tuple(sorted(strands))

    seen = {min(turned(row, quarters) for quarters in range(4)) for row in CARDS}
    assert len(seen) == len(CARDS) == 36


def test_the_two_sides_of_cats_are_the_same_cards() -> None:
    faces = {face.id: face for face in BUILTIN["if-it-fits"]().faces if face.kind == "cat"}
    awake = {face.fields["player"]: face.count for face in faces.values() if not face.fields["asleep"]}
    asleep = {face.fields["player"]: face.count for face in faces.values() if face.fields["asleep"]}
    assert awake == asleep == dict.fromkeys(("red", "blue", "green", "yellow", "purple"), 5)


@pytest.mark.parametrize("game", GAMES)
def test_every_style_is_the_same_game(game: str) -> None:
    cards = {(face.id, face.kind, face.count) for face in BUILTIN[game]().faces}
    assert len(STYLED[game]) >= 2
    for name, make in STYLED[game].items():
        deck = make()
        assert {(face.id, face.kind, face.count) for face in deck.faces} == cards
        assert deck.name.endswith(name)


def test_a_written_deck_is_one_that_the_referee_reads(tmp_path: Path) -> None:
    deck = STYLED["cat-and-mouse"]["frost"]()
    few = replace(deck, faces=(deck.faces[0], deck.faces[-1]))
    write_deck(few, tmp_path)
    loaded = load_deck(tmp_path)
    assert loaded.game is Game.CAT_AND_MOUSE
    assert [face.id for face in loaded.faces] == ["up-1", "finish"]
    raw = json.loads((tmp_path / "deck.json").read_text(encoding="utf-8"))
    assert raw["faces"][0] == Face("up-1", "move", 5, {"arrows": ["up"], "points": 1}).entry()


def test_drawing_twice_gives_the_same_bytes() -> None:
    deck = BUILTIN["coloured-paths"]()
    face = deck.faces[35]
    assert deck.draw_face(face) == deck.draw_face(face)
    drawing = deck.draw_face(face)
    assert render(drawing, 4, deck.card_mm[0]).tobytes() == render(drawing, 4, deck.card_mm[0]).tobytes()
