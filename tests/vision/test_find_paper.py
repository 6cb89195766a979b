"""Parts of sheets told from cards, on drawn pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.vision.align import Doubles, Pixels
from referee.vision.find import find_cards
from referee.vision.find_paper import of_one_sheet
from referee.vision.find_printed import Printed, look_like_cards, printed
from referee.vision.find_quads import unlike_the_rim
from referee.vision.find_surface import Surface
from tests.vision.test_find import cloth, lay, quad

PARTS = [(x, y) for x in range(4) for y in range(3)]


def parts(side: float = 110.0) -> Doubles:
    """The places (N, 4, 2) of four by three squares in the middle of the picture."""
    return np.array([quad(195 + side * x, 160 + side * y, side, side) for x, y in PARTS])


def page() -> Pixels:
    """A sheet of the size of all the parts, with columns of thick print up to a margin."""
    image = cloth()
    every = parts()
    low, high = every.min(axis=(0, 1)).astype(int), every.max(axis=(0, 1)).astype(int)
    image[low[1] : high[1], low[0] : high[0]] = (245, 248, 250)
    for y in range(low[1] + 18, high[1] - 18, 14):
        for x in range(low[0] + 18, high[0] - 40, 34):
            cv2.rectangle(image, (x, y), (x + 28, y + 6), (50, 50, 50), -1)
    return image


def tiles() -> Pixels:
    """Touching squares of one pale ground, each with the same lines up to all of its sides."""
    image = cloth()
    for card in parts().astype(np.int32):
        cv2.fillConvexPoly(image, card, (235, 240, 240))
        middle = card.mean(axis=0).astype(int)
        for end in (card + np.roll(card, 1, axis=0)) // 2:
            cv2.line(image, (int(middle[0]), int(middle[1])), (int(end[0]), int(end[1])), (40, 60, 200), 16)
        cv2.polylines(image, [card], True, (90, 90, 90), 1)
    return image


@pytest.mark.parametrize(("image", "sheet"), [(page(), True), (tiles(), False)], ids=["page", "tiles"])
def test_print_crosses_the_parts_of_a_sheet_and_keeps_from_its_edges(image: Pixels, sheet: bool) -> None:
    surface = Surface.of(image, unlike_the_rim(image))
    assert of_one_sheet(surface, parts(), printed(image, parts(), 1.0)) is sheet


def test_separate_finds_are_no_parts_of_a_sheet() -> None:
    image = page()
    apart = parts()[[0, 5, 10]]
    assert not of_one_sheet(Surface.of(image, unlike_the_rim(image)), apart, printed(image, apart, 1.0))


def test_the_half_of_a_sheet_is_no_card() -> None:
    image = cloth()
    whole = quad(360, 270, 400, 284)
    cv2.fillConvexPoly(image, whole.astype(np.int32), (245, 248, 250))
    cv2.rectangle(image, (180, 140), (345, 400), (150, 60, 40), -1)  # a picture on the left half
    cv2.circle(image, (260, 270), 50, (40, 60, 220), -1)
    for y in range(150, 400, 8):
        cv2.line(image, (372, y), (545, y), (70, 70, 70), 2)
    assert find_cards(image, 284 / 200) == ()


def test_a_card_that_lies_over_another_is_found() -> None:
    image = cloth()
    lay(image, quad(330, 270, 160, 224, 20))
    above = quad(400, 240, 160, 224, -15)
    lay(image, above)
    found = [card.corners for card in find_cards(image, 1.4)]
    assert any(np.abs(card.mean(axis=0) - above.mean(axis=0)).max() < 4 for card in found)


def test_dark_panes_of_a_window_are_no_cards() -> None:
    """Nine apart from each other, in which there is nothing but the noise of the dark."""
    rng = np.random.default_rng(3)
    image = cloth()
    panes = [quad(195 + 150 * x, 110 + 150 * y, 130, 130) for x in range(3) for y in range(3)]
    cv2.rectangle(image, (175, 90), (645, 560), (150, 158, 160), -1)
    for pane in panes:
        (left, top), (right, bottom) = pane.min(axis=0).astype(int) + 4, pane.max(axis=0).astype(int) - 4
        for width in (8, -1):  # a thick line has round corners
            cv2.rectangle(image, (int(left), int(top)), (int(right), int(bottom)), (18, 12, 8), width)
    noisy = np.clip(image + rng.normal(0, 3.0, image.shape), 0, 255).astype(np.uint8)
    seen = printed(noisy, np.array(panes), 1.0)
    assert not look_like_cards(seen).any()
    assert find_cards(noisy, 1.0) == ()


def test_alike_pale_backs_are_cards_though_nothing_on_them_is_bold() -> None:
    count = 12
    marks = np.full(count, 0.3)
    pale = Printed(marks, np.zeros(count), np.full(count, 8.0), np.full(count, 0.03), np.full((count, 3), 220.0))
    assert look_like_cards(pale).all()
    assert not look_like_cards(pale, block=True).any()
