"""From drawings to a deck folder: ``deck.json`` and one PNG a face, in the form the referee reads."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from samples.art import cat_and_mouse, coloured_paths, further_styles, if_it_fits, if_it_fits_cats, styles
from samples.art.faces import BACK, PRINCESS_BACK, Face
from samples.art.photograph import on_photograph
from samples.art.raster import FACE_PX_PER_MM, compact_png, render

BUILTIN_DECKS = Path(__file__).parent.parent / "decks"


@dataclass(frozen=True)
class DrawnDeck:
    """A deck that our own code can draw: faces and backs as SVG of ``card_mm`` (width, height).

    ``backs`` are by name: ``back`` for all cards, ``princess-back`` for the black cats; a player's cat has none, being
    the same cat asleep on its other side. ``photograph``: its name, and how much of it (0..1) shows through the faces.
    """

    game: str
    name: str
    card_mm: tuple[float, float]
    corner_mm: float
    faces: tuple[Face, ...]
    draw_face: Callable[[Face], str]
    backs: Mapping[str, Callable[[], str]]
    photograph: tuple[str, float] | None = None


def cat_and_mouse_deck(look: cat_and_mouse.Look = cat_and_mouse.HOME) -> DrawnDeck:
    """Cat and Mouse: 62 movement cards, four Starts, four Finishes."""
    return DrawnDeck(
        "cat-and-mouse",
        f"Cat and Mouse, {look.name}",
        (cat_and_mouse.CARD, cat_and_mouse.CARD),
        cat_and_mouse.CORNER,
        tuple(cat_and_mouse.faces()),
        lambda face: cat_and_mouse.draw_face(face, look),
        {BACK: lambda: cat_and_mouse.draw_back(look)},
    )


def coloured_paths_deck(look: coloured_paths.Look = coloured_paths.HOME) -> DrawnDeck:
    """Multicoloured Paths: 36 path cards."""
    return DrawnDeck(
        "coloured-paths",
        f"Multicoloured Paths, {look.name}",
        (coloured_paths.CARD, coloured_paths.CARD),
        coloured_paths.CORNER,
        tuple(coloured_paths.faces(look)),
        lambda face: coloured_paths.draw_face(face, look),
        {BACK: coloured_paths.draw_back},
    )


def if_it_fits_deck(
    boxes: if_it_fits.Look = if_it_fits.HOME, cats: if_it_fits_cats.Look = if_it_fits_cats.HOME
) -> DrawnDeck:
    """If It Fits: 72 boxes, five starts, three special toys, 25 two-sided cats, five Princesses."""
    cat_faces = if_it_fits_cats.cat_faces(cats)
    by_id = {face.id: face for face in cat_faces}

    def draw_face(face: Face) -> str:
        return if_it_fits_cats.draw_cat(face, cats) if face.id in by_id else if_it_fits.draw_box(face, boxes)

    return DrawnDeck(
        "if-it-fits",
        f"If It Fits, {boxes.name}",
        (if_it_fits.WIDTH, if_it_fits.HEIGHT),
        if_it_fits.CORNER,
        (*if_it_fits.box_faces(), *cat_faces),
        draw_face,
        {
            BACK: lambda: if_it_fits.draw_box_back(boxes),
            PRINCESS_BACK: lambda: if_it_fits_cats.draw_princess_back(cats),
        },
    )


BUILTIN: dict[str, Callable[[], DrawnDeck]] = {
    "cat-and-mouse": cat_and_mouse_deck,
    "coloured-paths": coloured_paths_deck,
    "if-it-fits": if_it_fits_deck,
}


def _styled(name: str, deck: Callable[[], DrawnDeck]) -> DrawnDeck:
    return replace(deck(), photograph=further_styles.PHOTOGRAPHED.get(name))


_LOOKS: dict[str, dict[str, Callable[[], DrawnDeck]]] = {
    "cat-and-mouse": {
        name: partial(cat_and_mouse_deck, look)
        for name, look in {**styles.CAT_AND_MOUSE, **further_styles.CAT_AND_MOUSE}.items()
    },
    "coloured-paths": {
        name: partial(coloured_paths_deck, look)
        for name, look in {**styles.COLOURED_PATHS, **further_styles.COLOURED_PATHS}.items()
    },
    "if-it-fits": {
        name: partial(if_it_fits_deck, *looks)
        for name, looks in {**styles.IF_IT_FITS, **further_styles.IF_IT_FITS}.items()
    },
}
STYLED: dict[str, dict[str, Callable[[], DrawnDeck]]] = {
    game: {name: partial(_styled, name, deck) for name, deck in looks.items()} for game, looks in _LOOKS.items()
}


def deck_json(deck: DrawnDeck) -> str:
    """The text of ``deck.json``, one face a line."""
    head = {"game": deck.game, "name": deck.name, "card_mm": deck.card_mm, "corner_mm": deck.corner_mm}
    opening = json.dumps(head, ensure_ascii=False)[:-1]
    faces = ",\n".join("  " + json.dumps(face.entry(), ensure_ascii=False) for face in deck.faces)
    return f'{opening}, "faces": [\n{faces}\n]}}\n'


def face_png(deck: DrawnDeck, face: Face) -> bytes:
    """The picture of one face as the deck holds it: 8 pixels a millimetre, transparent outside the corners."""
    picture = render(deck.draw_face(face), FACE_PX_PER_MM, deck.card_mm[0])
    if deck.photograph is None:
        return compact_png(picture)
    photo, strength = deck.photograph
    return compact_png(on_photograph(picture, photo, face.id, strength), 250)


def write_deck(deck: DrawnDeck, folder: Path) -> None:
    """Writes the deck folder, replacing pictures of faces with the same ids; backs stand beside ``deck.json``."""
    pictures = folder / "faces"
    pictures.mkdir(parents=True, exist_ok=True)
    for face in deck.faces:
        (pictures / f"{face.id}.png").write_bytes(face_png(deck, face))
    for name, draw_back in deck.backs.items():
        (folder / f"{name}.png").write_bytes(compact_png(render(draw_back(), FACE_PX_PER_MM, deck.card_mm[0])))
    (folder / "deck.json").write_text(deck_json(deck), encoding="utf-8")
