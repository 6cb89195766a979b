"""What the deck file says of a face is what its picture shows, measured in the pixels."""

import math
from itertools import combinations, pairwise

import cv2
import numpy as np
import pytest
from PIL import Image

from referee.decks import WALLS, ArrowFace, BoxFace, PathFace, builtin_deck
from samples.art import cat_and_mouse, if_it_fits
from samples.art.coloured_paths import ENDS, GARDEN, HOME, lay, points_along
from samples.art.faces import Face
from samples.art.if_it_fits_cats import PLAYERS
from samples.art.path_deck import CARDS, parse
from samples.art.raster import FACE_PX_PER_MM, render
from tests.samples.test_art_decks import picture

SCALE = FACE_PX_PER_MM
QUARTERS = {"up": 0, "right": 1, "down": 2, "left": 3}

# Machado, Oliveira and Fernandes (2009), severity 1.0, for linear RGB.
VISION = {
    "usual": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
    # A 2700 K lamp that the camera does not correct.
    "lamp": np.diag([1.0, 0.78, 0.5]),
}


def lab(colour: str, vision: str) -> np.ndarray:
    """CIE L*a*b* of a colour as somebody with this vision sees it."""
    srgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(VISION[vision] @ linear, 0, 1)
    back = np.where(seen <= 0.0031308, seen * 12.92, 1.055 * seen ** (1 / 2.4) - 0.055)
    return np.asarray(cv2.cvtColor(back.astype(np.float32)[None, None], cv2.COLOR_RGB2LAB)[0, 0], dtype=float)


@pytest.mark.parametrize("vision", list(VISION))
def test_path_colours_stay_apart(vision: str) -> None:
    seen = [lab(paint.fill, vision) for paint in GARDEN.values()]
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)) > 28


@pytest.mark.parametrize("vision", list(VISION))
def test_players_colours_stay_apart(vision: str) -> None:
    seen = [lab(player.colour, vision) for player in PLAYERS.values()]
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)) > 22


def test_path_colours_stay_apart_in_grey_and_by_texture() -> None:
    lightness = sorted(float(lab(paint.fill, "usual")[0]) for paint in GARDEN.values())
    assert min(b - a for a, b in pairwise(lightness)) > 14
    assert len({paint.texture for paint in GARDEN.values()}) == len(GARDEN)


def test_players_have_an_emblem_each() -> None:
    assert len({player.emblem for player in PLAYERS.values()}) == len(PLAYERS) == 5


def test_arrows_point_where_the_deck_says() -> None:
    """15.5 mm from the middle an arrow's head is wide; a tail, or nothing, is not."""
    for face in builtin_deck("cat-and-mouse").faces:
        assert isinstance(face, ArrowFace)
        if face.kind != "move":
            continue
        rgb = picture("cat-and-mouse", face.id)[..., :3].astype(int)
        blue = (rgb[..., 2] - rgb[..., 0] > 60) & (rgb[..., 2] > 110)
        found = set()
        for arrow, quarter in QUARTERS.items():
            upright = np.rot90(blue, quarter)
            across = np.flatnonzero(upright[round((32 - 15.5) * SCALE), round(12 * SCALE) : round(52 * SCALE)])
            if across.size and (across[-1] - across[0]) / SCALE > 17.5:
                found.add(arrow)
        assert found == set(face.arrows), face.id


def test_every_path_end_has_the_colour_the_deck_says() -> None:
    paints = {name: lab(paint.fill, "usual") for name, paint in GARDEN.items()}
    for face in builtin_deck("coloured-paths").faces:
        assert isinstance(face, PathFace)
        pixels = picture("coloured-paths", face.id)
        for end, ((x, y), (inward_x, inward_y)) in enumerate(ENDS):
            at_x, at_y = (x + inward_x * 2.5) * SCALE, (y + inward_y * 2.5) * SCALE
            reach = round(1.9 * SCALE)
            patch = pixels[int(at_y) - reach : int(at_y) + reach, int(at_x) - reach : int(at_x) + reach, :3]
            middle = "#" + "".join(f"{int(value):02x}" for value in np.median(patch.reshape(-1, 3), axis=0))
            seen = lab(middle, "usual")
            nearest = min(paints, key=lambda name: float(np.linalg.norm(paints[name] - seen)))
            assert nearest == face.colour_at[end], (face.id, end)


def test_no_change_of_colour_hides_under_another_path() -> None:
    """The middle of each change lies clear of the paths drawn above it."""
    for row in CARDS:
        laid = lay(parse(row), HOME)
        for index, (strand, curve) in enumerate(laid):
            middle = points_along(curve)[12]
            for _, above in laid[index + 1 :]:
                assert min(math.dist(middle, point) for point in points_along(above)) > HOME.width / 2, (row, strand)


# A cat turned by a quarter across a long side hides this much of each box: 44 mm of its width, 63 mm of its height.
CAT_DEEP, CAT_TALL = 44.0, 63.0


def beside_a_cat(side: str) -> np.ndarray:
    """Which pixels of a box card still show when a cat lies across its left or right long side."""
    width, height = round(if_it_fits.WIDTH * SCALE), round(if_it_fits.HEIGHT * SCALE)
    shown = np.ones((height, width), dtype=bool)
    top, bottom = round((88 - CAT_TALL) / 2 * SCALE), round((88 + CAT_TALL) / 2 * SCALE)
    deep = round(CAT_DEEP * SCALE)
    shown[top:bottom, :deep] = False
    return shown if side == "left" else shown[:, ::-1]


def test_walls_show_beside_a_cat_on_either_side() -> None:
    """Walls are dark and open sides light 7 to 12 mm from the corners, which no cat covers."""
    for face in builtin_deck("if-it-fits").faces:
        if not isinstance(face, BoxFace):
            continue
        grey = picture("if-it-fits", face.id)[..., :3].mean(axis=2)
        for quarter, wall in enumerate(WALLS):
            strip = np.rot90(grey, quarter)[round(2.8 * SCALE) : round(4.8 * SCALE)]
            near, far = round(7 * SCALE), round(12 * SCALE)
            ends = [float(np.median(part)) for part in (strip[:, near:far], strip[:, -far:-near])]
            dark = [value < 130 for value in ends]
            assert dark == [wall in face.walls] * 2, (face.id, wall, ends)


@pytest.mark.parametrize("name", ["box-t-2", "box-trl-1", "toy-3"])
def test_toys_show_beside_cats_on_both_sides(name: str) -> None:
    face = next(face for face in if_it_fits.box_faces() if face.id == name)
    bare = Face(face.id, face.kind, face.count, {**face.fields, "toys": 0})
    with_toys, without = (
        np.asarray(render(if_it_fits.draw_box(drawn), SCALE, if_it_fits.WIDTH, supersampling=1)).astype(int)
        for drawn in (face, bare)
    )
    changed = (np.abs(with_toys - without).max(axis=2) > 40).astype(np.uint8)
    joined = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    toys = [index for index in range(1, count) if stats[index, cv2.CC_STAT_AREA] > 500]
    assert len(toys) == face.fields["toys"]
    shown = beside_a_cat("left") & beside_a_cat("right")
    for toy in toys:
        assert shown[labels == toy].mean() > 0.3, (name, toy)


def test_the_value_is_written_large() -> None:
    """The digit on the bulb is at least a tenth of a card high: readable where a card is 60 pixels wide."""
    look = cat_and_mouse.HOME
    glyph_height = look.bulb.radius * look.bulb.digit_scale * 0.705
    assert glyph_height > cat_and_mouse.CARD * 0.15


@pytest.mark.parametrize("back", [cat_and_mouse.draw_back, if_it_fits.draw_box_back])
def test_backs_look_the_same_upside_down(back: object) -> None:
    assert callable(back)
    width = if_it_fits.WIDTH if back is if_it_fits.draw_box_back else cat_and_mouse.CARD
    drawn = np.asarray(render(back(), 2, width).convert("RGB").resize((60, 60), Image.Resampling.BOX)).astype(int)
    # The hand's wobble is not symmetric; everything else is.
    assert np.abs(drawn - drawn[::-1, ::-1]).mean() < 16
