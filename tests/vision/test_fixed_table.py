"""A fixed camera above a mat with a marker in each corner: true places, the table's edges, a camera that was moved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.board import MAT_MARKER_MM, mat_marker
from calibration.table import fit_table
from referee.decks import Game, builtin_deck
from referee.pipeline import CheckedPhoto, check_file
from referee.rulebook import RetakeReason
from referee.vision.decode import Photo
from referee.vision.fixed_table import TableTop, table_top
from referee.vision.plane import fit_plane
from referee.vision.profile import ProfileError, put_right
from referee.vision.profile_files import load, save

Pixels = NDArray[np.uint8]

DECK = builtin_deck(Game.IF_IT_FITS)
MAT = (480.0, 380.0)
AROUND = 60.0
"""Millimetres of floor around the mat."""
SCALE = 3.0
"""Pixels a millimetre before the camera looks at it slantwise."""
SIZE = (1500, 1200)
Place = tuple[str, float, float]
ROW: tuple[Place, ...] = (("box-tl-1", 150.0, 150.0), ("box-t-2", 213.0, 150.0), ("box-tr-2", 276.0, 150.0))
SUPPLY: tuple[Place, ...] = (("cat-red", 150.0, 310.0), ("cat-blue", 230.0, 310.0), ("cat-green", 310.0, 310.0))
"""Cats that nobody has laid yet."""


def table(cards: Sequence[Place], markers: Sequence[int] = range(4)) -> Pixels:
    """The mat on the floor, seen from straight above, with cards (face, x, y in mm) on it."""
    rng = np.random.default_rng(5)
    size = [round((side + 2 * AROUND) * SCALE) for side in MAT]
    picture = np.full((size[1], size[0], 3), (70, 60, 55), np.uint8)
    low, high = round(AROUND * SCALE), [round((AROUND + side) * SCALE) for side in MAT]
    picture[low : high[1], low : high[0]] = (150, 170, 120)
    side = round(MAT_MARKER_MM * SCALE)
    rim = round(6 * SCALE)
    for corner in markers:
        left = low if corner in (0, 3) else high[0] - side
        top = low if corner in (0, 1) else high[1] - side
        picture[top - rim : top + side + rim, left - rim : left + side + rim] = 255
        picture[top : top + side, left : left + side] = mat_marker(corner, side)[..., None]
    for face, x, y in (*cards, *SUPPLY) if cards else ():
        image = DECK.face(face).image
        assert image is not None
        assert DECK.folder is not None
        drawn = cv2.imread(str(Path(DECK.folder) / image), cv2.IMREAD_UNCHANGED)
        assert drawn is not None
        width, height = (round(length * SCALE) for length in DECK.card_mm)
        card = cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA)
        left, top = (round((v + AROUND - length / 2) * SCALE) for v, length in zip((x, y), DECK.card_mm, strict=True))
        opaque = card[..., 3:] / 255 if card.shape[2] == 4 else np.ones((height, width, 1))
        under = picture[top : top + height, left : left + width]
        picture[top : top + height, left : left + width] = under * (1 - opaque) + card[..., :3] * opaque
    noisy = picture + rng.normal(0, 2.5, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def view(shift: float = 0.0) -> NDArray[np.float64]:
    """(3, 3) from the picture from above to what the fixed camera sees; shift: px by which it was moved."""
    width, height = ((side + 2 * AROUND) * SCALE for side in MAT)
    own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    there = np.array([[150, 90], [1340, 60], [1450, 1150], [60, 1120]], np.float32) + np.float32(shift)
    return np.asarray(cv2.getPerspectiveTransform(own, there), np.float64)


def seen(picture: Pixels, shift: float = 0.0) -> Pixels:
    """What the fixed camera sees."""
    return np.asarray(cv2.warpPerspective(picture, view(shift), SIZE, flags=cv2.INTER_AREA), np.uint8)


def outlines(cards: Sequence[Place], shift: float = 0.0, size: float = 1.0) -> NDArray[np.float64]:
    """(N, 4, 2) px where cards, perhaps of another size, are seen."""
    half = size * np.array(DECK.card_mm) / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    flat = (np.array([[x, y] for _, x, y in cards])[:, None] + half + AROUND) * SCALE
    return np.asarray(cv2.perspectiveTransform(flat.reshape(-1, 1, 2), view(shift)), np.float64).reshape(-1, 4, 2)


def top_of(profile: Path, picture: Pixels, corners: NDArray[np.float64]) -> tuple[TableTop | None, list[RetakeReason]]:
    """The table under cards at given corners, and what is told."""
    photo = put_right(Photo("photo", picture, 1.0), load(profile))
    fitted = fit_plane(corners, DECK.card_mm[1] / DECK.card_mm[0], SIZE)
    assert fitted is not None
    top, troubles = table_top(photo, fitted[0], corners, DECK.card_mm)
    return top, [trouble.kind for trouble in troubles]


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("profile") / "table.json"
    save(fit_table(seen(table(())), None, MAT), path)
    return path


def checked(tmp_path: Path, profile: Path | None, picture: Pixels) -> CheckedPhoto:
    cv2.imwrite(str(tmp_path / "photo.png"), picture)
    return check_file(str(tmp_path / "photo.png"), DECK, profile=profile)


def faults(found: CheckedPhoto) -> list[str]:
    return [fault.rule.value for fault in found.ruling.faults]


def test_places_are_the_tables_millimetres(tmp_path: Path, profile: Path) -> None:
    found = checked(tmp_path, profile, seen(table(ROW)))
    assert found.ruling.outcome.value == "valid"
    places = sorted((card.face, card.x, card.y, card.turn) for card in found.layout.cards)
    for (face, x, y, turn), (true, at_x, at_y) in zip(places, sorted((*ROW, *SUPPLY)), strict=True):
        assert face == true
        assert (x, y) == pytest.approx((at_x, at_y), abs=1.5)
        assert abs(turn) < 1
    assert np.array(found.layout.table) == pytest.approx(np.array([[0, 0], [480, 0], [480, 380], [0, 380]]), abs=2.5)
    assert found.view.troubles == ()


@pytest.mark.parametrize(("beyond", "outcome"), [(3.2, "undetermined"), (12.0, "invalid")])
def test_a_box_over_the_edge_is_a_fault_and_one_at_it_is_doubtful(
    tmp_path: Path, profile: Path, beyond: float, outcome: str
) -> None:
    shift = DECK.card_mm[0] / 2 - beyond
    cards = [(face, x - 150 + shift, y) for face, x, y in ROW]
    with_table = checked(tmp_path, profile, seen(table(cards)))
    assert with_table.ruling.outcome.value == outcome
    if outcome == "invalid":
        assert faults(with_table) == ["box-off-table"]
        assert checked(tmp_path, None, seen(table(cards))).ruling.outcome.value == "valid"


def test_the_table_lies_where_it_was_measured(profile: Path) -> None:
    top, told = top_of(profile, seen(table(())), outlines(ROW))
    assert top is not None
    assert told == []
    corners = np.array([[0, 0], [MAT[0], 0], MAT, [0, MAT[1]]])
    assert top.edges * DECK.card_mm[0] == pytest.approx(corners, abs=0.5)
    # Cards that are really a little smaller than the deck says count as large as it says, and the table with them.
    smaller, told = top_of(profile, seen(table(())), outlines(ROW, size=0.97))
    assert smaller is not None
    assert told == []
    assert smaller.edges * DECK.card_mm[0] == pytest.approx(corners / 0.97, abs=0.5)


def test_a_moved_camera_is_told(profile: Path) -> None:
    assert top_of(profile, seen(table(()), shift=15), outlines(ROW, shift=15)) == (None, [RetakeReason.CAMERA_MOVED])
    # Without the marks it is told by the cards, which seem to be of another size or shape.
    bare = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    assert top_of(profile, bare, outlines(ROW, size=1.1)) == (None, [RetakeReason.CAMERA_MOVED])
    tilted = outlines(ROW) * [1.0, 0.9] + [0.0, 40.0]
    assert top_of(profile, bare, tilted) == (None, [RetakeReason.CAMERA_MOVED])


def test_edges_are_not_known_while_the_marks_are_covered(profile: Path) -> None:
    top, told = top_of(profile, seen(table((), markers=(2,))), outlines(ROW))
    assert told == [RetakeReason.MARKS_COVERED]
    assert top is not None
    assert len(top.edges) == 0
    top, told = top_of(profile, seen(table((), markers=(1, 2))), outlines(ROW))
    assert told == []
    assert top is not None
    assert len(top.edges) == 4


def test_a_photo_of_another_shape_is_refused(profile: Path) -> None:
    with pytest.raises(ProfileError, match="shape"):
        put_right(Photo("photo", np.zeros((500, 500, 3), np.uint8), 1.0), load(profile))
