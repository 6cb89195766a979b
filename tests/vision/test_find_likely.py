"""What speaks for finds and against: cards in soft light, and squares of a pattern, of paper and of nothing at all."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from referee.vision.align import Doubles, Pixels
from referee.vision.find import LIKELY
from referee.vision.find_agree import oriented
from referee.vision.find_likely import likelihood, of_a_pattern
from referee.vision.find_printed import BURNT, Printed, look_like_cards, printed
from referee.vision.find_quads import edge_strength, unlike_the_rim
from referee.vision.find_surface import Surface
from tests.vision.test_find import cloth, lay, quad

PLACES = [quad(120 + 160 * x, 130 + 170 * y, 90, 90, 23 * x + 31 * y) for x in range(4) for y in range(2)]


def rated(image: Pixels, corners: Doubles, flush: bool = False) -> float:
    strength = edge_strength(image)
    surface = Surface.of(image, unlike_the_rim(image))
    things = surface.without_light(corners, strength)
    seen = printed(image, oriented(corners, None, 1.0), 1.0)
    return likelihood(corners, strength, surface, things.free(corners), things.unexplained(corners), seen, flush)


def laid() -> Pixels:
    image = cloth()
    for card in PLACES:
        lay(image, card)
    return image


def test_cards_on_a_cloth_are_likely() -> None:
    assert rated(laid(), np.array(PLACES)) > 0.85


def test_soft_sides_and_a_lamp_beside_the_cards_do_not_outweigh_the_rest() -> None:
    image = cv2.GaussianBlur(laid(), (0, 0), 2.5).astype(np.float64)
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    lamp = np.exp(-((x - 600) ** 2 + (y - 460) ** 2) / (2 * 60**2))[..., None]
    assert rated(np.clip(image + 180 * lamp, 0, 255).astype(np.uint8), np.array(PLACES)) > LIKELY


def test_squares_of_a_chequered_cloth_are_not_likely() -> None:
    image = cloth()
    for x in range(0, 720, 90):
        for y in range(0, 540, 90):
            if (x + y) // 90 % 2:
                image[y : y + 90, x : x + 90] = image[y : y + 90, x : x + 90] // 2
    odd = [(x, y) for x in range(1, 7) for y in range(1, 5) if (x + y) % 2]
    squares = np.array([quad(45 + 90 * x, 45 + 90 * y, 90, 90) for x, y in odd])
    assert rated(image, squares) < LIKELY


def test_squares_of_the_cloth_beside_cards_are_told_from_them() -> None:
    image = cloth()
    for x in range(0, 720, 15):
        for y in range(0, 540, 15):
            if (x + y) // 15 % 2:
                image[y : y + 15, x : x + 15] = image[y : y + 15, x : x + 15] // 2
    for card in PLACES[:4]:
        lay(image, card)
    squares = [quad(459 + 90 * x, 99 + 90 * y, 90, 90) for x in range(2) for y in range(3)]
    every = np.array(PLACES[:4] + squares)
    strength, surface = edge_strength(image), Surface.of(image, unlike_the_rim(image))
    seen = printed(image, oriented(every, None, 1.0), 1.0)
    assert of_a_pattern(every, strength, surface, seen, 1).tolist() == [False] * 4 + [True] * 6
    plain = laid()
    strength, surface = edge_strength(plain), Surface.of(plain, unlike_the_rim(plain))
    seen = printed(plain, oriented(every, None, 1.0), 1.0)
    assert not of_a_pattern(every, strength, surface, seen, 1).any()


def test_squares_of_squared_paper_are_not_likely() -> None:
    image = cloth()
    image[60:480, 130:590] = 240
    for k in range(60, 480, 14):
        image[k : k + 1, 130:590] = (225, 205, 190)
    for k in range(130, 590, 14):
        image[60:480, k : k + 1] = (225, 205, 190)
    cells = np.array([quad(175 + 90 * x, 105 + 90 * y, 90, 90) for x in range(5) for y in range(4)])
    assert rated(image, cells, flush=True) < LIKELY


def test_cells_without_any_edge_are_none() -> None:
    image = cloth()
    image[100:400, 100:600] = (200, 60, 90)
    cells = np.array([quad(150 + 100 * x, 150 + 100 * y, 100, 100) for x in range(5) for y in range(3)])
    assert rated(image, cells, flush=True) == 0.0


def test_cards_that_light_has_blotted_out_say_nothing_of_the_others() -> None:
    def seen(ground: list[float]) -> Printed:
        burnt = np.array(ground) > BURNT
        ground_lab = np.stack([np.array(ground), np.full(6, 128.0), np.full(6, 128.0)], axis=1)
        share = np.where(burnt, 0.0, 0.4)
        return Printed(share, share, np.full(6, 60.0), np.zeros(6), ground_lab)

    some = seen([254.0, 254.0, 254.0, 254.0, 90.0, 120.0])
    assert look_like_cards(some).tolist() == [True] * 6
    assert len(some.shown().marks) == 2
    every = seen([254.0] * 6)
    assert len(every.shown().marks) == 6
    assert not look_like_cards(replace(every, bold=np.zeros(6))).any()
