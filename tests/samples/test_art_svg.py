"""The markup is stable, well formed, and says what the numbers say."""

import io
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from samples.art import svg
from samples.art.raster import compact_png, render


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (-0.0001, "0"), (10.0, "10"), (100.0, "100"), (1.23456, "1.235"), (-2.5, "-2.5")]
)
def test_numbers_are_short_and_stable(value: float, text: str) -> None:
    assert svg.number(value) == text


def test_attributes_and_words_are_escaped() -> None:
    element = ElementTree.fromstring(svg.text(1, 2, 'a < b & "c"', 3, "#fff", data_note='"<&>"'))
    assert element.text == 'a < b & "c"'
    assert element.get("data-note") == '"<&>"'


def test_a_card_is_cut_to_its_rounded_corners_and_uncut_on_request() -> None:
    drawing = svg.card(20, 30, 4, svg.rectangle(0, 0, 20, 30, "#ff0000"))
    cut = np.asarray(render(drawing, 4, 20))
    square = np.asarray(render(svg.uncut(drawing), 4, 20))
    assert cut.shape == square.shape == (120, 80, 4)
    assert cut[0, 0, 3] == 0
    assert tuple(cut[60, 40]) == (255, 0, 0, 255)
    assert (square[..., 3] == 255).all()


def test_half_transparent_rims_become_one_or_the_other_and_colours_stay() -> None:
    picture = render(svg.card(20, 20, 6, svg.rectangle(0, 0, 20, 20, "#3366cc")), 4, 20)
    with Image.open(io.BytesIO(compact_png(picture))) as opened:
        again = np.asarray(opened.convert("RGBA"))
    assert set(np.unique(again[..., 3])) == {0, 255}
    inside = again[..., 3] == 255
    assert (np.abs(again[inside][:, :3].astype(int) - (0x33, 0x66, 0xCC)).max()) <= 2
    assert abs(int(inside.sum()) - float(np.asarray(picture)[..., 3].sum()) / 255) < 30


def test_rounded_polygons_keep_to_the_outline() -> None:
    data = svg.rounded_polygon([(0, 0), (10, 0), (10, 10), (0, 10)], 2)
    assert data.startswith("M0 2Q0 0 2 0")
    assert data.endswith("Z")


def test_mirroring_swaps_left_and_right() -> None:
    left_half = svg.rectangle(-5, -5, 5, 10, "#000000")
    drawing = svg.card(10, 10, 0, svg.rectangle(0, 0, 10, 10, "#ffffff") + svg.place(left_half, 5, 5, mirror=True))
    pixels = np.asarray(render(drawing, 4, 10))
    assert pixels[20, 10, 0] == 255
    assert pixels[20, 30, 0] == 0
