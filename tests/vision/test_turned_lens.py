"""A lens measured with the camera held one way serves photographs taken with it held another way, or says that it
cannot: a known camera that is not symmetric photographs a grid of dots, held in all eight ways."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageOps

from referee.cli import main
from referee.vision.decode import Photo, decode
from referee.vision.orientation import UNKNOWN, UPRIGHT, turn_between, turned_points
from referee.vision.profile import (
    CameraProfile,
    ProfileError,
    StraightPhoto,
    TableProfile,
    UnfitLens,
    in_file,
    put_right,
    to_millimetres,
    undistorted,
)
from referee.vision.profile_files import chosen, profile_for, save

Doubles = NDArray[np.float64]

SENSOR = (480, 320)
MATRIX = np.array([[400.0, 0, 272.0], [0, 390.0, 136.0], [0, 0, 1]])
TERMS = (-0.22, 0.05, -0.01, 0.013, 0.0)
HELD = tuple(UPRIGHT)


def grid() -> Doubles:
    """(N, 2) where a straight lens would show the dots, about the sensor's middle."""
    xs, ys = np.meshgrid(np.linspace(-190, 190, 9), np.linspace(-125, 125, 7))
    return np.column_stack([xs.ravel(), ys.ravel()]) + (np.array(SENSOR) - 1) / 2


def bent() -> Doubles:
    """(N, 2) px where the sensor has them: Brown's formula, written out once more."""
    x, y = ((grid() - MATRIX[:2, 2]) / (MATRIX[0, 0], MATRIX[1, 1])).T
    k1, k2, p1, p2, k3 = TERMS
    r2 = x**2 + y**2
    far = 1 + k1 * r2 + k2 * r2**2 + k3 * r2**3
    out_x = x * far + 2 * p1 * x * y + p2 * (r2 + 2 * x**2)
    out_y = y * far + p1 * (r2 + 2 * y**2) + 2 * p2 * x * y
    return np.column_stack([out_x, out_y]) * (MATRIX[0, 0], MATRIX[1, 1]) + MATRIX[:2, 2]


def sensor_picture(points: Doubles) -> NDArray[np.uint8]:
    """What the sensor has, (H, W) uint8, black dots on white at (N, 2) px."""
    fine = np.full((SENSOR[1] * 8, SENSOR[0] * 8), 255, np.uint8)
    for x, y in points:
        cv2.circle(fine, (round((x + 0.5) * 8 - 0.5), round((y + 0.5) * 8 - 0.5)), 28, 0, -1)
    return np.asarray(cv2.resize(fine, SENSOR, interpolation=cv2.INTER_AREA), np.uint8)


def file_of(held: int, told: int | None = None, camera: str = "") -> bytes:
    """A photograph's file: the sensor's pixels, and how it was held (told: what the file says of it, 0: nothing, but
    its pixels upright)."""
    exif, picture = Image.Exif(), Image.fromarray(sensor_picture(bent()))
    exif[0x0112] = held
    if told is not None:
        picture.getexif()[0x0112] = held
        picture = ImageOps.exif_transpose(picture)
        exif = Image.Exif()
        if told:
            exif[0x0112] = told
    if camera:
        exif[271], exif[272] = camera.split()
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=97, exif=exif)
    return out.getvalue()


def dots(picture: NDArray[np.uint8]) -> Doubles:
    """(N, 2) px of the dots' middles."""
    dark = np.asarray(255 - cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float64)
    count, labels = cv2.connectedComponents((dark > 90).astype(np.uint8))
    ys, xs = np.indices(dark.shape)
    found = []
    for label in range(1, count):
        weight = np.where(cv2.dilate((labels == label).astype(np.uint8), np.ones((5, 5))) > 0, dark, 0)
        if 12 < weight.sum() / 255 < 100:
            found.append([(xs * weight).sum() / weight.sum(), (ys * weight).sum() / weight.sum()])
    return np.array(found)


def unevenness(points: Doubles, held: int) -> float:
    """How far the dots lie off a straight grid, px, at most."""
    true = turned_points(grid(), SENSOR, turn_between(1, held))
    assert len(points) == len(true)
    there, points = ((each - each.min(axis=0)) / np.ptp(each, axis=0) * SENSOR[0] for each in (true, points))
    for _ in range(3):  # which dot is which is seen ever better
        nearest = np.linalg.norm(there[:, None] - points[None], axis=2).argmin(axis=1)
        homography = np.asarray(cv2.findHomography(true, points[nearest], cv2.LMEDS)[0], np.float64)
        there = cv2.perspectiveTransform(true.reshape(-1, 1, 2), homography).reshape(-1, 2)
    assert len(set(nearest.tolist())) == len(true)
    homography = np.asarray(cv2.findHomography(true, points[nearest], 0)[0], np.float64)
    there = cv2.perspectiveTransform(true.reshape(-1, 1, 2), homography).reshape(-1, 2)
    return float(np.hypot(*(there - points[nearest]).T).max())


def lens(orientation: int = 1, terms: tuple[float, ...] = TERMS, matrix: Doubles = MATRIX) -> CameraProfile:
    """The known camera, as if it was measured in photographs held so."""
    rows = tuple((float(a), float(b), float(c)) for a, b, c in matrix)
    known = CameraProfile("Maker One", SENSOR, rows, terms, 0.1, orientation=1)
    turned = known.turned(turn_between(1, orientation)) if orientation else known
    return replace(turned, orientation=orientation)


EVEN = lens(UNKNOWN, (-0.22, 0.05, 0.0, 0.0, 0.0), np.array([[400.0, 0, 239.5], [0, 400, 159.5], [0, 0, 1]]))
"""A lens of which it is not known how it was held, and need not be."""


@pytest.mark.parametrize("held", HELD)
def test_the_turned_lens_bends_as_the_camera_does(held: int) -> None:
    turn = turn_between(1, held)
    seen, straight = turned_points(bent(), SENSOR, turn), turned_points(grid(), SENSOR, turn)
    assert np.abs(undistorted(seen, lens(held)) - straight).max() < 0.05
    for measured in HELD:
        fitted = lens(measured).fitting(lens(held).size, held)
        assert np.abs(undistorted(seen, fitted) - straight).max() < 0.05
        twice = lens(measured).fitting((2 * lens(held).size[0], 2 * lens(held).size[1]), held)
        assert twice.camera_matrix[0][0] == pytest.approx(2 * fitted.camera_matrix[0][0])


@pytest.mark.parametrize("measured", [1, 6])
@pytest.mark.parametrize("held", HELD)
def test_a_photograph_held_otherwise_comes_out_straight(measured: int, held: int) -> None:
    photo = decode(file_of(held), "photo")
    assert photo.orientation == held
    assert unevenness(dots(photo.pixels), held) > 4
    right = put_right(photo, lens(measured))
    assert isinstance(right, StraightPhoto)
    assert unevenness(dots(right.pixels), held) < 0.5
    # And what is found in the straight picture is told where the file has it.
    there = in_file(right, dots(right.pixels))
    true = turned_points(bent(), SENSOR, turn_between(1, held))
    assert np.linalg.norm(there[:, None] - true[None], axis=2).min(axis=1).max() < 0.7


def test_turned_the_wrong_way_it_would_be_bent() -> None:
    """So that the direction is no matter of taste."""
    photo = decode(file_of(6), "photo")
    wrong = put_right(replace(photo, orientation=8), lens(1))
    assert unevenness(dots(wrong.pixels), 6) > 5


@pytest.mark.parametrize(
    ("measured", "held", "told"),
    [
        (1, 6, UNKNOWN),  # a portrait photo whose metadata was dropped
        (1, 8, 1),  # ... whose pixels some program has turned, saying that they lie as the sensor had them
        (1, 3, UNKNOWN),  # upside down, perhaps
        (UNKNOWN, 6, 6),  # measured in pictures that do not say how they were held
        (UNKNOWN, 1, 1),
        (6, 1, UNKNOWN),
    ],
)
def test_where_the_direction_matters_and_is_not_known_nothing_is_bent(measured: int, held: int, told: int) -> None:
    photo = decode(file_of(held, told), "photo")
    assert photo.orientation == told
    with pytest.raises(ProfileError, match="does not say how the camera was held") as caught:
        put_right(photo, lens(measured))
    assert caught.value.code == "profile-direction"


@pytest.mark.parametrize("held", HELD)
def test_a_lens_that_is_the_same_whichever_way_it_is_turned_serves_all(held: int) -> None:
    seen = lens(held).size
    fitted = EVEN.fitting(seen)
    assert fitted.size == seen
    assert fitted.camera_matrix[0][2] == pytest.approx((seen[0] - 1) / 2)
    assert EVEN.fitting(seen, held).dist_coeffs == EVEN.dist_coeffs


def test_a_camera_whose_files_never_say_how_it_was_held_counts_as_held_so() -> None:
    assert replace(lens(), orientation=UNKNOWN).fitting((960, 640)).dist_coeffs == TERMS


def test_other_shapes_stay_other_shapes() -> None:
    for size in ((480, 270), (270, 480), (400, 400)):
        for orientation in (UNKNOWN, 1, 6):
            with pytest.raises(ProfileError, match="same shape") as caught:
                lens().fitting(size, orientation)
            assert caught.value.code == "profile-other-shape"


def test_a_lens_that_does_not_suit_is_told_and_not_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Found by the camera's name, nobody having asked for it: the photograph is read as it is, and this is said."""
    save(lens(), tmp_path / "profiles" / "one.json")
    (tmp_path / "profiles" / "broken.json").write_text('{"kind": "camera"}', encoding="utf-8")
    assert chosen(tmp_path / "profiles", "Maker One", (640, 960), 6) == lens()
    for size, orientation in (((320, 480), UNKNOWN), ((480, 270), 1)):
        assert chosen(tmp_path / "profiles", "Maker One", size, orientation) == UnfitLens()
    path = tmp_path / "photo.jpg"
    path.write_bytes(file_of(6, UNKNOWN, "Maker One"))
    photo = decode(path.read_bytes(), "photo")
    unchanged = put_right(photo, profile_for(tmp_path / "profiles", str(path), photo))
    assert unchanged.pixels is photo.pixels
    main(["check", str(path), "--profile", str(tmp_path / "profiles"), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert "lens-unused" in [retake["reason"] for retake in answer["retake"]]
    assert main(["check", str(path), "--profile", str(tmp_path / "profiles" / "one.json"), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "profile-direction"


def table(orientation: int) -> TableProfile:
    """A measured table whose millimetres are half pixels of the straight sensor picture."""
    rows = ((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 1.0))
    return TableProfile(SENSOR, rows, (), {"mat 0": (10.0, 20.0)}, 0.1, lens(1), orientation=orientation)


@pytest.mark.parametrize("held", HELD)
def test_a_table_is_known_in_photographs_put_upright_otherwise(held: int) -> None:
    """A phone that looks straight down takes itself for turned, now so and now so, without having been moved."""
    right = put_right(decode(file_of(held), "photo"), table(1))
    assert isinstance(right, StraightPhoto)
    assert right.table is not None
    places = to_millimetres(right, right.table, dots(right.pixels))
    assert np.linalg.norm(places[:, None] - grid()[None] / 2, axis=2).min(axis=1).max() < 0.4
    mark = turned_points(np.array([[10.0, 20.0]]), SENSOR, turn_between(1, held))[0]
    assert right.table.marks["mat 0"] == pytest.approx(tuple(mark))


def test_a_turned_photograph_does_not_pass_for_one_of_the_fixed_camera() -> None:
    blank = np.zeros((SENSOR[0], SENSOR[1], 3), np.uint8)
    with pytest.raises(ProfileError, match="turned otherwise") as caught:
        put_right(Photo("photo", blank), table(1))
    assert caught.value.code == "profile-turned"
