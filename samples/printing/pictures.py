"""The pictures that are printed: square corners and a little bleed, so that a slip of the scissors leaves no white."""

from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from referee.decks import Deck
from referee.errors import DeckError
from samples.art.decks import BUILTIN
from samples.art.raster import render
from samples.art.svg import uncut

# 12 px/mm are 305 dpi.
PX_PER_MM = 12.0
BLEED_MM = 1.5
COLOURS = 256


class Pictures(Protocol):
    """Gives the printed picture of a face id or a back."""

    def __call__(self, name: str) -> Image.Image:
        """A palette picture of the card with BLEED_MM added on each side."""
        ...


def _finished(rgb: Image.Image, card_mm: tuple[float, float]) -> Image.Image:
    """Repeats the outermost pixels as bleed and reduces the colours, for small files without visible loss."""
    size = (round(card_mm[0] * PX_PER_MM), round(card_mm[1] * PX_PER_MM))
    if rgb.size != size:
        rgb = rgb.resize(size, Image.Resampling.LANCZOS)
    bleed = round(BLEED_MM * PX_PER_MM)
    padded = np.pad(np.asarray(rgb), ((bleed, bleed), (bleed, bleed), (0, 0)), mode="edge")
    return Image.fromarray(padded).quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _drawn(svg: str, width_mm: float) -> Image.Image:
    return render(uncut(svg), PX_PER_MM, width_mm, supersampling=1).convert("RGB")


def _back(game: str, name: str, card_mm: tuple[float, float]) -> Image.Image:
    deck = BUILTIN[game]()
    return _finished(_drawn(deck.backs[name](), deck.card_mm[0]), card_mm)


def builtin_pictures(game: str) -> Pictures:
    """The built-in deck of a game, drawn afresh at the printer's resolution."""
    deck = BUILTIN[game]()
    by_id = {face.id: face for face in deck.faces}

    def picture(name: str) -> Image.Image:
        if name not in by_id:
            return _back(game, name, deck.card_mm)
        return _finished(_drawn(deck.draw_face(by_id[name]), deck.card_mm[0]), deck.card_mm)

    return picture


def _filled_corners(path: Path) -> Image.Image:
    """The picture of a face with its transparent corners painted on from what is beside them."""
    try:
        with Image.open(path) as opened:
            rgba = np.asarray(opened.convert("RGBA"))
    except (UnidentifiedImageError, OSError) as error:
        raise DeckError("deck-image", f"{path}: the picture cannot be read; save it again as PNG or JPEG.") from error
    outside = (rgba[..., 3] < 250).astype(np.uint8)
    rgb = np.ascontiguousarray(rgba[..., :3])
    if outside.any() and not outside.all():
        # The label of the nearest pixel inside the card, then that pixel's colour.
        labels = cv2.distanceTransformWithLabels(outside, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)[1]
        colour_of_label = np.zeros((int(labels.max()) + 1, 3), np.uint8)
        inside = outside == 0
        colour_of_label[labels[inside]] = rgb[inside]
        rgb = colour_of_label[labels]
    return Image.fromarray(rgb)


def folder_pictures(deck: Deck) -> Pictures:
    """The pictures of any deck folder, with our own backs. DeckError if a face has no picture."""
    for face in deck.faces:
        if face.image is None:
            raise DeckError(
                "deck-image", f'face "{face.id}" has no image; a deck to print needs a picture of each face.'
            )

    def picture(name: str) -> Image.Image:
        path = deck.image_path(name) if name in deck else None
        if path is None:
            return _back(deck.game.value, name, deck.card_mm)
        return _finished(_filled_corners(path), deck.card_mm)

    return picture
