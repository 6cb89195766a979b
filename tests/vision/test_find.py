"""Cards found on drawn tables whose truth is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.vision.align import Doubles, Pixels
from referee.vision.find import find_cards
from referee.vision.find_agree import unlike_a_camera
from referee.vision.find_printed import printed
from referee.vision.find_surface import Surface, colours_of_their_own, like_the_clear_ones, unlike_the_rest
from referee.vision.plane import fit_plane

WIDTH, HEIGHT = 720, 540


def cloth(seed: int = 1) -> Pixels:
    """A green cloth with some grain."""
    noise = np.random.default_rng(seed).normal(0, 5, (HEIGHT, WIDTH, 1))
    return np.asarray(np.clip(np.array([70, 110, 60]) + noise, 0, 255), dtype=np.uint8)


def quad(x: float, y: float, width: float, height: float, degrees: float = 0.0) -> Doubles:
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    turn = np.deg2rad(degrees)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + [x, y])


def rounded(corners: Doubles, share: float = 0.06) -> Doubles:
    """The outline (N, 2) of a quad with its corners rounded by `share` of the first side."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    radius = share * float(np.hypot(*across))
    u, v = across / np.hypot(*across), down / np.hypot(*down)
    out = []
    for corner, one, two in zip(corners, (u, -u, -u, u), (v, v, -v, -v), strict=True):
        middle = corner + radius * (one + two)
        for turn in np.linspace(0, np.pi / 2, 9):
            out.append(middle - radius * (np.cos(turn) * one + np.sin(turn) * two))
    points = np.array(out) - corners.mean(axis=0)
    order = np.argsort(np.arctan2(points[:, 1], points[:, 0]), kind="stable")
    return np.asarray(points[order] + corners.mean(axis=0))


def lay(image: Pixels, corners: Doubles, colour: tuple[int, int, int] = (225, 235, 240), rim: bool = True) -> None:
    """Draw a card with round corners, a dark rim and a mark."""
    points = np.round(rounded(corners) * 16).astype(np.int32)
    cv2.fillConvexPoly(image, points, colour, cv2.LINE_AA, 4)
    if rim:
        cv2.polylines(image, [points], True, (60, 60, 60), 1, cv2.LINE_AA, 4)
    middle = corners.mean(axis=0)
    cv2.circle(image, (int(middle[0]), int(middle[1])), int(np.ptp(corners[:, 0]) / 6), (40, 60, 200), -1, cv2.LINE_AA)


def missed_and_false(image: Pixels, truth: list[Doubles], aspect: float, tolerance: float = 0.03) -> tuple[int, int]:
    """Cards without a find within `tolerance` of a side at every corner, and finds that are no card."""
    found = [card.corners for card in find_cards(image, aspect)]
    near: NDArray[np.bool_] = np.zeros((len(truth), len(found)), dtype=bool)
    for i, card in enumerate(truth):
        side = np.hypot(*(card[1] - card[0]))
        for j, other in enumerate(found):
            off = min(float(np.abs(np.roll(other, k, axis=0) - card).max()) for k in range(4))
            near[i, j] = off < tolerance * side
    return int((~near.any(axis=1)).sum()) if len(truth) else 0, int((~near.any(axis=0)).sum()) if found else 0


def test_separate_cards_turned_any_way() -> None:
    image = cloth()
    truth = [
        quad(130, 140, 90, 126, 8),
        quad(340, 150, 90, 126, -20),
        quad(560, 180, 90, 126, 95),
        quad(300, 400, 90, 126),
    ]
    for card in truth:
        lay(image, card)
    assert missed_and_false(image, truth, 1.4) == (0, 0)


def test_touching_squares_with_a_hole_between_them() -> None:
    image = cloth()
    places = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2), (3, 2)]
    truth = [quad(150 + 101 * x, 150 + 101 * y, 100, 100) for x, y in places]
    for card in truth:
        lay(image, card)
    assert missed_and_false(image, truth, 1.0) == (0, 0)


def test_a_tilted_view() -> None:
    image = cloth()
    truth = [quad(150 + 140 * x, 150 + 120 * y, 84, 84, 7 * x) for x in range(4) for y in range(3)]
    for card in truth:
        lay(image, card)
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    tilt = cv2.getPerspectiveTransform(corners, np.array([[90, 40], [630, 40], [720, 540], [0, 540]], np.float32))
    seen = cv2.warpPerspective(image, tilt, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
    seen_truth = [cv2.perspectiveTransform(card[None].astype(np.float32), tilt)[0].astype(np.float64) for card in truth]
    assert missed_and_false(np.asarray(seen, dtype=np.uint8), seen_truth, 1.0, 0.04) == (0, 0)


def test_a_book_of_another_shape_is_no_card() -> None:
    image = cloth()
    truth = [quad(120 + 130 * x, 120, 90, 126, 5 * x) for x in range(4)]
    for card in truth:
        lay(image, card)
    lay(image, quad(400, 390, 300, 210), (160, 120, 90))
    assert missed_and_false(image, truth, 1.4) == (0, 0)


def _tiles() -> Pixels:
    image = cloth()
    for at in range(60, WIDTH, 120):
        image[:, at - 2 : at + 2] = (40, 60, 35)
    for at in range(40, HEIGHT, 120):
        image[at - 2 : at + 2] = (40, 60, 35)
    return image


@pytest.mark.parametrize(
    "image", [cloth(), np.full((HEIGHT, WIDTH, 3), 90, np.uint8), _tiles()], ids=["cloth", "plain", "tiles"]
)
def test_a_table_without_cards(image: Pixels) -> None:
    assert find_cards(image, 1.0) == ()


def sheet(image: Pixels, corners: Doubles, lines: bool) -> None:
    """Draw a sheet of paper with sharp corners, perhaps with lines of text."""
    cv2.fillConvexPoly(image, np.round(corners * 16).astype(np.int32), (245, 248, 250), cv2.LINE_AA, 4)
    if not lines:
        return
    for down in np.arange(0.1, 0.9, 0.03):
        ends = [corners[0] + (corners[1] - corners[0]) * x + (corners[3] - corners[0]) * down for x in (0.12, 0.85)]
        cv2.polylines(image, [np.array(ends).astype(np.int32)], False, (120, 120, 120), 1, cv2.LINE_AA)


@pytest.mark.parametrize("lines", [False, True], ids=["blank", "text"])
@pytest.mark.parametrize("aspect", [1.0, 88 / 63])
def test_a_sheet_of_paper_is_no_card(lines: bool, aspect: float) -> None:
    image = cloth()
    sheet(image, quad(350, 270, 270, 382, 14), lines)
    assert find_cards(image, aspect) == ()


def test_a_card_beside_a_sheet_of_paper() -> None:
    image = cloth()
    sheet(image, quad(200, 270, 250, 354, 4), True)
    card = quad(520, 250, 120, 168, -12)
    lay(image, card)
    assert missed_and_false(image, [card], 1.4) == (0, 0)


def test_a_chequered_cloth_is_no_card() -> None:
    rows, columns = np.mgrid[:HEIGHT, :WIDTH] // 60
    image = np.where(((rows + columns) % 2 == 0)[..., None], (235, 235, 235), (150, 60, 40)).astype(np.uint8)
    assert find_cards(np.asarray(image), 1.0) == ()


def test_the_squares_of_a_form_are_no_cards() -> None:
    image = cloth()
    page = quad(360, 270, 560, 460, 3)
    sheet(image, page, False)
    for x in range(6):
        for y in range(5):
            centre = page.mean(axis=0) + np.array([80 * (x - 2.5), 80 * (y - 2)])
            square = quad(float(centre[0]), float(centre[1]), 80, 80).astype(np.int32)
            cv2.polylines(image, [square], True, (60, 60, 60), 1, cv2.LINE_AA)
            cv2.putText(image, str(x), (int(centre[0]) - 6, int(centre[1]) + 6), 0, 0.5, (60, 60, 60), 1, cv2.LINE_AA)
    assert find_cards(image, 1.0) == ()


def test_a_block_of_four_is_four_cards() -> None:
    image = cloth()
    truth = [quad(280 + 121 * x, 200 + 121 * y, 120, 120) for x in range(2) for y in range(2)]
    for card in truth:
        lay(image, card)
    assert missed_and_false(image, truth, 1.0) == (0, 0)


def test_touching_cards_without_visible_seams() -> None:
    image = cloth()
    places = [(0, 0), (1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (3, 1), (3, 2), (4, 0)]
    truth = [quad(120 + 100 * x, 150 + 100 * y, 100, 100) for x, y in places]
    for card, place in zip(truth, places, strict=True):
        lay(image, card, rim=place not in ((1, 1), (2, 1)))
    image[190:260, 216:224] = (225, 235, 240)  # and the seams of these two with the cards beside and above are gone
    image[196:204, 180:370] = (225, 235, 240)
    assert missed_and_false(image, truth, 1.0, 0.05) == (0, 0)


def test_a_hole_of_the_tables_colour_where_the_rim_shows_none_of_it() -> None:
    rng = np.random.default_rng(5)
    lab = np.full((200, 300, 3), (120, 128, 128), np.float32)
    quads = np.array([quad(30 + 48 * x, 40 + 48 * y, 44, 44) for x in range(6) for y in range(3)])
    for number, card in enumerate(quads):
        if number != 8:
            cv2.fillConvexPoly(lab, card.astype(np.int32), (60, 140 + 3 * (number % 3), 90))
    lab += rng.normal(0, 2, lab.shape).astype(np.float32)
    assert np.flatnonzero(~unlike_the_rest(lab, quads, np.ones(len(quads)))).tolist() == [8]


def test_a_square_of_the_cloth_among_cards_beyond_doubt() -> None:
    image = cloth()
    quads = np.array([quad(120 + 150 * x, 200, 90, 90) for x in range(4)])
    rare = np.zeros((HEIGHT, WIDTH), np.uint8)
    for card in quads[:3]:
        lay(image, card)
        cv2.fillConvexPoly(rare, card.astype(np.int32), 255)
    cv2.fillConvexPoly(image, quads[3].astype(np.int32), (80, 122, 70))
    surface = Surface(cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32), rare)
    assert like_the_clear_ones(quads, surface, np.full((4, 4), 0.9)).tolist() == [True, True, True, False]
    assert like_the_clear_ones(quads[2:], surface, np.full((2, 4), 0.9)).all()  # none are beyond doubt


def test_colours_that_go_on_where_nothing_was_found_are_no_cards_own() -> None:
    lab = np.full((240, 480, 3), (120, 128, 128), np.float32)
    every = np.array([quad(40 + 60 * x, 40 + 60 * y, 40, 40) for x in range(8) for y in range(4)])
    for card in every:
        cv2.fillConvexPoly(lab, card.astype(np.int32), (60, 160, 90))
    assert colours_of_their_own(lab, every) > 0.95
    assert colours_of_their_own(lab, every[::2]) < 0.2


def test_what_else_lies_on_the_table() -> None:
    rare = np.zeros((HEIGHT, WIDTH), np.uint8)
    cards = np.array([quad(150, 150, 100, 100), quad(300, 150, 100, 100)])
    for card in cards:
        cv2.fillConvexPoly(rare, card.astype(np.int32), 255)
    surface = Surface(np.zeros((HEIGHT, WIDTH, 3), np.float32), rare)
    sharp, blurred = np.full((HEIGHT, WIDTH, 3), 100.0, np.float32), np.zeros((HEIGHT, WIDTH, 3), np.float32)
    assert surface.without_light(cards, sharp).unexplained(cards) == 0.0
    assert 0.8 < surface.without_light(cards[:1], sharp).unexplained(cards[:1]) < 1.1
    rare[400:405] = 255  # a joint of the floor is narrow
    assert surface.without_light(cards, sharp).unexplained(cards) == 0.0
    rare[300:420, 500:620] = 255
    assert surface.without_light(cards, sharp).unexplained(cards) > 1.0
    assert surface.without_light(cards, blurred).unexplained(cards) == 0.0  # a lamp's reflection has no edges


@pytest.mark.parametrize("faint", [0.0, 12.0], ids=["same", "near"])
def test_how_round_corners_are_where_the_picture_is_of_the_tables_colour(faint: float) -> None:
    image = cloth()
    card = quad(360, 270, 240, 240, 20)
    cv2.fillConvexPoly(image, np.round(rounded(card) * 16).astype(np.int32), (225, 235, 240), cv2.LINE_AA, 4)
    inner = card.mean(axis=0) + 0.86 * (card - card.mean(axis=0))
    cv2.fillConvexPoly(image, np.round(inner * 16).astype(np.int32), (70, 110 + faint, 60), cv2.LINE_AA, 4)
    assert 0.012 < printed(image, card[None], 1.0).round[0] < 0.03


@pytest.mark.parametrize(("share", "least", "most"), [(0.0, -0.01, 0.006), (0.06, 0.012, 0.03)])
def test_how_round_corners_are(share: float, least: float, most: float) -> None:
    image = cloth()
    card = quad(360, 270, 240, 336, 20)
    outline = rounded(card, share) if share else card
    cv2.fillConvexPoly(image, np.round(outline * 16).astype(np.int32), (225, 235, 240), cv2.LINE_AA, 4)
    assert least < printed(image, card[None], 1.4).round[0] < most


def test_what_no_camera_sees() -> None:
    def unlike(shape: float, tilt: float) -> float:
        """Of a rectangle, tilted about a level axis and seen by a phone, taken for a square."""
        flat = quad(0, 0, 1, shape, 25)
        depth = 5 + flat[:, 1] * np.sin(tilt)
        seen = np.stack([flat[:, 0], flat[:, 1] * np.cos(tilt)], axis=1) * 1.4 * 360 / depth[:, None] + [360, 270]
        fitted = fit_plane(seen[None], 1.0, (720, 540))
        assert fitted is not None
        return unlike_a_camera(fitted[0])

    assert unlike(1.0, 0.0) < 0.05
    assert unlike(1.0, 0.8) < 0.05
    assert unlike(1.41, 0.0) > 0.2
    assert unlike(1.41, 0.5) > 0.2


def test_the_same_photo_gives_the_same_answer() -> None:
    image = cloth()
    lay(image, quad(300, 250, 120, 120, 12))
    first, second = find_cards(image, 1.0), find_cards(image.copy(), 1.0)
    assert len(first) == len(second) == 1
    assert first[0].corners.tolist() == second[0].corners.tolist()
    assert first[0].confidence == second[0].confidence
