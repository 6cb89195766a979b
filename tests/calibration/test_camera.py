"""A known camera is recovered from pictures of the printed board; the table under it in millimetres; its light."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from calibration.board import COLUMNS, MAT_MARKER_MM, ROWS, SQUARE_MM, board_picture, find_board, mat_marker
from calibration.camera import fit_lens
from calibration.cli import main
from calibration.colour import fit_colour
from calibration.errors import CalibrationError
from calibration.table import MOVED, fit_table, moved_by, to_table
from referee.vision.decode import Photo
from referee.vision.profile import (
    CameraProfile,
    ColourProfile,
    ProfileError,
    TableProfile,
    UnfitLens,
    distorted,
    in_file,
    put_right,
    recoloured,
    undistorted,
)
from referee.vision.profile_files import camera_model, chosen, load, save

Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]

SIZE = (800, 600)
MATRIX = np.array([[631.0, 0, 407.0], [0, 628.0, 294.0], [0, 0, 1]])
DIST = np.array([-0.11, 0.04, 0.0008, -0.0006, 0.0])
SCALE = 3.0


def board_seen(
    sheet: Pixels, pixels_per_mm: float, turn: tuple[float, float, float], shift: tuple[float, float, float]
) -> Pixels:
    """A flat sheet as the known camera sees it, its middle `shift` mm from the lens, turned by a Rodrigues vector."""
    rotation = np.asarray(cv2.Rodrigues(np.array(turn))[0], np.float64)
    ys, xs = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float64)
    rays = cv2.undistortPoints(np.stack([xs.ravel(), ys.ravel()], axis=1).reshape(-1, 1, 2), MATRIX, DIST).reshape(
        -1, 2
    )
    rays = np.column_stack([rays, np.ones(len(rays))])
    normal, origin = rotation[:, 2], np.array(shift)
    points = rays * ((origin @ normal) / (rays @ normal))[:, None]
    own = (points - origin) @ rotation[:, :2]
    middle = np.array([sheet.shape[1], sheet.shape[0]]) / 2
    where = (own * pixels_per_mm + middle - 0.5).astype(np.float32).reshape(SIZE[1], SIZE[0], 2)
    grey = cv2.remap(
        sheet, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=190
    )
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(grey, (0, 0), 0.7), cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.fixture(scope="module")
def views() -> list[Pixels]:
    sheet = np.pad(board_picture(SCALE), round(8 * SCALE), constant_values=255)
    poses = [
        ((0.0, 0.0, 0.0), (0, 0, 330)),
        ((0.35, 0.1, 0.1), (-70, -20, 330)),
        ((-0.3, 0.25, 1.5), (70, 20, 340)),
        ((0.1, -0.4, 0.2), (60, -30, 330)),
        ((0.2, 0.35, -1.4), (-60, 40, 340)),
        ((-0.4, 0.0, 1.6), (0, -50, 320)),
        ((0.0, 0.3, 1.5), (-90, 30, 350)),
        ((0.3, -0.2, -1.6), (90, -40, 350)),
    ]
    return [board_seen(sheet, SCALE, turn, shift) for turn, shift in poses]


def test_a_known_lens_is_recovered(views: list[Pixels]) -> None:
    fit = fit_lens([find_board(view) for view in views])
    matrix = np.array(fit.profile.camera_matrix)
    assert matrix[0, 0] == pytest.approx(MATRIX[0, 0], rel=0.01)
    assert matrix[1, 1] == pytest.approx(MATRIX[1, 1], rel=0.01)
    assert np.abs(matrix[:2, 2] - MATRIX[:2, 2]).max() < 8
    assert fit.profile.dist_coeffs[0] == pytest.approx(DIST[0], abs=0.02)
    assert fit.profile.reprojection_error < 0.4
    assert fit.missing == ()


def test_what_is_not_covered_is_named(views: list[Pixels]) -> None:
    small = [cv2.resize(view, (400, 300), interpolation=cv2.INTER_AREA) for view in views]
    middle = [
        np.asarray(cv2.copyMakeBorder(v, 150, 150, 200, 200, cv2.BORDER_CONSTANT, value=(190,) * 3)) for v in small
    ]
    fit = fit_lens([find_board(view.astype(np.uint8)) for view in middle])
    assert "top" in fit.missing
    with pytest.raises(CalibrationError, match="found in 1 of 2"):
        fit_lens([find_board(views[0]), None])


def test_a_bad_photograph_is_left_out(views: list[Pixels]) -> None:
    found = [find_board(view) for view in views]
    spoilt = found[2]
    assert spoilt is not None
    spoilt.image[::2] += np.float32(5.0)
    fit = fit_lens(found)
    assert np.isnan(fit.errors[2])
    assert np.isfinite(np.delete(fit.errors, 2)).all()


def photographed(folder: Path, views: list[Pixels], model: str = "", held: int | None = None) -> list[str]:
    """Files of them, as a camera of this name writes them."""
    names = []
    for number, view in enumerate(views):
        exif = Image.Exif()
        if model:
            exif[271], exif[272] = model.split()
        if held is not None:
            exif[0x0112] = held
        names.append(str(folder / f"{model or 'photo'}-{held or 0}-{number}.jpg".replace(" ", "-")))
        Image.fromarray(cv2.cvtColor(view, cv2.COLOR_BGR2RGB)).save(names[-1], quality=97, exif=exif)
    return names


def test_photographs_unlike_most_are_named_and_left_out(
    views: list[Pixels], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also those of the same sensor, held upright, and the first ones."""
    upright = photographed(tmp_path, views[:2], "Maker One", 6)
    most = photographed(tmp_path, views, "Maker One", 1)
    other = photographed(tmp_path, views[:2], "Maker Two", 1)
    blank = photographed(tmp_path, [np.full_like(views[0], 128)])
    small = photographed(tmp_path, [np.asarray(cv2.resize(views[0], (640, 480)), np.uint8)], "Maker One", 1)
    out = tmp_path / "lens.json"
    names = [*upright, *most[1:], *other, *blank, small[0]]
    assert main(["camera", *names, "--out", str(out)]) == main(["camera", *most[1:], "--out", str(tmp_path / "b.json")])
    told = capsys.readouterr().out.splitlines()
    for name in upright:
        assert f"{name}: left out, it was taken with the camera turned and is 600 x 800, not 800 x 600 as most" in told
    for name in other:
        assert f"{name}: left out, it is from another camera or lens (Maker Two) than most" in told
    assert f"{blank[0]}: left out, the board was not found in it" in told
    assert f"{small[0]}: left out, it is 640 x 480, not 800 x 600 as most" in told
    profile = load(out)
    assert isinstance(profile, CameraProfile)
    alone = load(tmp_path / "b.json")
    assert isinstance(alone, CameraProfile)
    assert np.array(profile.camera_matrix) == pytest.approx(np.array(alone.camera_matrix), abs=1e-6)
    assert (profile.model, profile.size, profile.orientation) == ("Maker One", SIZE, 1)
    main(["camera", *names, "--out", str(out), "--json"])
    assert set(json.loads(capsys.readouterr().out)["left_out"]) >= {*upright, *other, *blank}


def test_too_few_that_are_alike_are_refused_and_nothing_is_written(
    views: list[Pixels], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = photographed(tmp_path, views[:3], held=1) + photographed(tmp_path, views[3:6], held=6)
    assert main(["camera", *names, "--out", str(tmp_path / "lens.json")]) == 2
    assert "Only 3 of the 6 photos with the board are alike, 4 are needed" in capsys.readouterr().err
    assert main(["camera", str(tmp_path / "none.jpg"), "--out", str(tmp_path / "lens.json")]) == 2
    assert "None of the photos can be read" in capsys.readouterr().err
    assert not (tmp_path / "lens.json").exists()


def test_photographs_held_upside_down_show_the_same_lens(views: list[Pixels]) -> None:
    """A phone that looks down takes itself for turned; half the pictures were then put upright the other way round."""
    found = [find_board(view, 1) for view in views]
    turned = [find_board(np.ascontiguousarray(view[::-1, ::-1]), 3) for view in views]
    mixed = [one if k % 3 else other for k, (one, other) in enumerate(zip(found, turned, strict=True))]
    fit, true = fit_lens(mixed).profile, fit_lens(found).profile
    assert fit.orientation == 1
    assert fit.reprojection_error < 1.2 * true.reprojection_error
    assert np.array(fit.camera_matrix) == pytest.approx(np.array(true.camera_matrix), abs=1.5)


def test_the_command_writes_a_profile(views: list[Pixels], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = []
    for number, view in enumerate(views[:6]):
        names.append(str(tmp_path / f"{number}.png"))
        cv2.imwrite(names[-1], view)
    out = tmp_path / "lens.json"
    main(["camera", *names, "--out", str(out), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert set(answer["photos"]) == set(names)
    profile = load(out)
    assert isinstance(profile, CameraProfile)
    assert profile.size == SIZE
    half = profile.scaled((400, 300))
    assert half.camera_matrix[0][0] == pytest.approx(profile.camera_matrix[0][0] / 2)
    with pytest.raises(ProfileError, match="shape"):
        profile.scaled((400, 400))


def test_the_table_in_millimetres_and_a_moved_camera(views: list[Pixels]) -> None:
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in MATRIX)
    lens = CameraProfile("", SIZE, rows, tuple(DIST), 0.1)
    table = fit_table(views[1], lens)
    assert table.residual_mm < 0.3
    view = find_board(views[1])
    assert view is not None
    assert np.abs(to_table(table, view.image.astype(np.float64)) - view.board[:, :2]).max() < 0.8
    assert moved_by(table, views[1]) == pytest.approx(0, abs=1e-4)
    shift = moved_by(table, np.roll(views[1], 8, axis=1))
    assert shift is not None
    assert shift > MOVED
    with pytest.raises(CalibrationError, match="not found"):
        fit_table(np.full((600, 800, 3), 128, np.uint8))


def test_a_mat_gives_the_tables_edges(tmp_path: Path) -> None:
    width, height, scale = 400.0, 300.0, 2.0
    mat = np.full((round(height * scale), round(width * scale)), 255, np.uint8)
    side = round(MAT_MARKER_MM * scale)
    for corner, (x, y) in enumerate(((0, 0), (width, 0), (width, height), (0, height))):
        left, top = (min(max(0, round(v * scale)), edge - side) for v, edge in ((x, mat.shape[1]), (y, mat.shape[0])))
        mat[top : top + side, left : left + side] = mat_marker(corner, side)
    photo = np.pad(mat, 60, constant_values=255)
    table = fit_table(np.dstack([photo] * 3), None, (width, height))
    assert table.edges == ((0, 0), (width, 0), (width, height), (0, height))
    assert to_table(table, np.array([[60.0 + width, 60.0 + height]]))[0] == pytest.approx([200, 150], abs=0.7)
    save(table, tmp_path / "table.json")
    again = load(tmp_path / "table.json")
    assert isinstance(again, TableProfile)
    assert again.marks == table.marks


@pytest.mark.parametrize("kelvin", [2700, 3500, 5000, 7500])
def test_warm_and_cold_light_is_taken_out_of_the_colours(kelvin: int) -> None:
    warm = {2700: (0.35, 0.75, 1.3), 3500: (0.55, 0.85, 1.15), 5000: (0.9, 1.0, 1.05), 7500: (1.2, 1.0, 0.85)}[kelvin]
    rng = np.random.default_rng(4)
    inks = {
        "red": (40, 40, 200),
        "orange": (30, 130, 235),
        "green": (60, 150, 40),
        "blue": (190, 90, 30),
        "paper": (235, 245, 250),
    }
    meant = np.array([np.power(np.array(ink) / 255, 2.2) for ink in inks.values()])
    samples = np.repeat(meant, 40, axis=0)
    seen = np.clip(samples * warm * 0.7 + rng.normal(0, 0.001, samples.shape), 0, 1)
    profile = fit_colour((seen, samples))
    assert profile.after < 2.5
    assert profile.after < 0.5 * profile.before
    # Red stays apart from orange, and green from blue, when the light has been taken out.
    shown = np.power(np.clip(meant * warm * 0.7, 0, 1), 1 / 2.2) * 255
    fixed = recoloured(shown.round().astype(np.uint8).reshape(1, -1, 3), profile)[0]
    labs = cv2.cvtColor((fixed / 255).astype(np.float32).reshape(1, -1, 3), cv2.COLOR_BGR2LAB)[0]
    true = cv2.cvtColor((np.array(list(inks.values())) / 255).astype(np.float32).reshape(1, -1, 3), cv2.COLOR_BGR2LAB)[
        0
    ]
    nearest = np.linalg.norm(labs[:, None] - true[None], axis=2).argmin(axis=1)
    assert nearest.tolist() == list(range(len(inks)))


def test_profiles_that_are_none_are_told(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    with pytest.raises(ProfileError, match="cannot be read"):
        load(path)
    path.write_text('{"kind": "camera", "size": [1]}')
    with pytest.raises(ProfileError, match="no profile"):
        load(path)
    table = '{"kind": "table", "size": [4, 3], "to_table": [[1,0,0],[0,1,0],[0,0,1]], "edges": [], "residual_mm": 1, '
    lens = '{"kind": "camera", "model": "", "size": [4, 3], "camera_matrix": [[1,0,0],[0,1,0],[0,0,1]], '
    for text in (
        "[1]",
        "[" * 100_000,
        '{"kind": "moon"}',
        table + '"marks": []}',
        table + '"marks": {"mat 0": [1]}}',
        table.replace("[1,0,0]", "[0,0,0]") + '"marks": {}}',
        table.replace("[4, 3]", "[4e999, 3]") + '"marks": {}}',
        lens + '"dist_coeffs": [0, 0], "reprojection_error": 1}',
        lens + '"dist_coeffs": [0, 0, 0, 0, NaN], "reprojection_error": 1}',
        lens + '"dist_coeffs": [0, 0, 0, 0, 0], "reprojection_error": 1, "orientation": 9}',
        lens.replace("[4, 3]", "[0, 3]") + '"dist_coeffs": [0, 0, 0, 0, 0], "reprojection_error": 1}',
    ):
        path.write_text(text)
        with pytest.raises(ProfileError, match="no profile"):
            load(path)
    profile = ColourProfile(((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)), 3.0, 1.0)
    save(profile, path)
    assert load(path) == profile
    assert [each.name for each in tmp_path.iterdir()] == ["x.json"]


def test_the_board_fits_on_a_sheet() -> None:
    assert COLUMNS * SQUARE_MM <= 190
    assert ROWS * SQUARE_MM <= 277


def test_points_go_to_a_straight_picture_and_back() -> None:
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in MATRIX)
    lens = CameraProfile("", SIZE, rows, tuple(DIST), 0.1)
    points = np.array([[20.0, 15.0], [400, 300], [780, 580], [100, 500]])
    assert np.abs(distorted(undistorted(points, lens), lens) - points).max() < 0.05


def test_nothing_is_lost_when_a_photograph_is_made_straight() -> None:
    """A strong barrel lens: what lies in the corners is still in the picture, and is found again in the file."""
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in MATRIX)
    lens = CameraProfile("", SIZE, rows, (-0.3, 0.05, 0.0, 0.0, 0.0), 0.1)
    marks = np.array([[30.0, 25.0], [SIZE[0] - 30.0, SIZE[1] - 25.0], [SIZE[0] / 2, 20.0]])
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for x, y in marks:
        cv2.circle(picture, (int(x), int(y)), 9, (255, 255, 255), -1)
    photo = put_right(Photo("t", picture), lens)
    assert photo.pixels.shape == picture.shape
    _, _, _, middles = cv2.connectedComponentsWithStats((photo.pixels[..., 0] > 128).astype(np.uint8))
    assert len(middles) == 1 + len(marks)
    found = in_file(photo, np.asarray(middles[1:], np.float64))
    assert np.abs(found[:, None] - marks[None]).max(axis=2).min(axis=1).max() < 1.5


def test_lenses_of_one_phone_are_told_apart(tmp_path: Path) -> None:
    names = []
    for focal in (None, 4.2, 1.54):
        exif = Image.Exif()
        exif[271], exif[272] = "Maker", "One"
        if focal:
            exif.get_ifd(0x8769)[0x920A] = IFDRational(round(100 * focal), 100)
        Image.new("RGB", (8, 8)).save(tmp_path / "photo.jpg", exif=exif)
        names.append(camera_model(tmp_path / "photo.jpg"))
    assert names == ["Maker One", "Maker One 4.2 mm", "Maker One 1.5 mm"]


def test_a_profile_is_chosen_by_camera_and_shape(tmp_path: Path) -> None:
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in MATRIX)
    save(CameraProfile("Maker One", SIZE, rows, tuple(DIST), 0.1), tmp_path / "one.json")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    found = chosen(tmp_path, "Maker One", (1600, 1200))
    assert isinstance(found, CameraProfile)
    assert found.model == "Maker One"
    assert chosen(tmp_path, "Maker One", (1600, 900)) == UnfitLens()
    assert chosen(tmp_path, "Maker Two", (1600, 1200)) is None
    assert chosen(tmp_path, "", (1600, 1200)) is None
    assert chosen(tmp_path / "none", "Maker One", (1600, 1200)) is None


@pytest.mark.parametrize("kelvin", [2700, 3500, 5000, 6500, 7500])
def test_the_four_hard_inks_stay_apart_in_any_light(kelvin: int) -> None:
    """Red against orange, green against blue: each is nearest to its own ink once the light is taken out."""
    bgr = np.array(planck_bgr(kelvin))
    inks = np.array([[40, 40, 200], [30, 130, 235], [60, 150, 40], [190, 90, 30], [235, 245, 250], [60, 60, 60]])
    meant = np.power(inks / 255, 2.2)
    rng = np.random.default_rng(kelvin)
    samples = np.repeat(meant, 40, axis=0)
    seen = np.clip(samples * bgr * 0.8 + rng.normal(0, 0.002, samples.shape), 0, 1)
    profile = fit_colour((seen, samples))
    shown = np.power(np.clip(meant * bgr * 0.8, 0, 1), 1 / 2.2) * 255
    fixed = recoloured(shown.round().astype(np.uint8).reshape(1, -1, 3), profile)[0]
    labs, true = (
        cv2.cvtColor((np.asarray(each) / 255).astype(np.float32).reshape(1, -1, 3), cv2.COLOR_BGR2LAB)[0]
        for each in (fixed, inks)
    )
    apart = np.linalg.norm(labs[:, None] - true[None], axis=2)
    assert apart.argmin(axis=1).tolist() == list(range(len(inks)))
    assert apart.diagonal().max() < 9  # CIE Lab; below 6 from 3500 K on


def planck_bgr(kelvin: float) -> tuple[float, float, float]:
    """A black body's light through broad blue, green and red filters (465, 540, 610 nm), green being 1."""
    waves = np.array([465e-9, 540e-9, 610e-9])
    light = waves**-5 / np.expm1(0.0143877 / (waves * kelvin))
    daylight = waves**-5 / np.expm1(0.0143877 / (waves * 5500))
    blue, green, red = light / daylight
    return float(blue / green), 1.0, float(red / green)


def test_the_light_is_kept_only_if_its_picture_can_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, samples = tmp_path / "light.json", Path(__file__).resolve().parents[2] / "samples"
    asked = ["colour", str(samples / "photos" / "cat-route-legal-kitchen.jpg"), "--out", str(out)]
    asked += ["--deck", str(samples / "decks" / "cat-and-mouse"), "--after"]
    assert main([*asked, str(tmp_path / "after.txt")]) == 2
    assert "name a file that ends in .jpg" in capsys.readouterr().err
    assert main([*asked, str(tmp_path / "none" / "after.jpg")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert main([*asked, str(tmp_path / "after.jpg")]) == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["after.jpg", "light.json"]
