"""`python -m calibration table PHOTO --out FILE`: where a fixed camera's pixels lie on the table, in millimetres.

The board lies flat on the table, or a mat with a marker in each corner (--mat W:H, outer edge to outer edge in
millimetres). With --check FILE a later photograph is asked whether the camera was moved.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import MAT_MARKER_MM, find_board
from calibration.errors import CalibrationError
from referee.vision.decode import read_photo_file
from referee.vision.fixed_table import MARK, MOVED
from referee.vision.markers import find_mat
from referee.vision.orientation import UNKNOWN
from referee.vision.profile import CameraProfile, TableProfile, ratio_of, straightened, undistorted
from referee.vision.profile_files import load, save

Pixels = NDArray[np.uint8]
Doubles = NDArray[np.float64]

WORST_MM = 1.5
"""Root mean square distance of known points from where the plane has them, above which the table is not trusted."""


def fit_table(
    image: Pixels,
    camera: CameraProfile | None = None,
    mat_mm: tuple[float, float] | None = None,
    orientation: int = UNKNOWN,
) -> TableProfile:
    """The table plane from a photograph (H, W, 3) BGR of the board, or of a mat of that size; orientation: how it was
    held, as EXIF has it. Raises CalibrationError; ProfileError if the lens does not suit the photograph.

    Millimetres begin at the board's, or the mat's, top left corner; x to its right, y down.
    """
    size = (image.shape[1], image.shape[0])
    camera = camera.fitting(size, orientation) if camera is not None else None
    pixels, places, marks = _known_points(image, mat_mm)
    flat = undistorted(pixels, camera)
    homography, _ = cv2.findHomography(flat, places, 0)
    if homography is None:
        raise CalibrationError("no-plane", "The points do not lie in a plane; lay the board flat on the table.")
    matrix = np.asarray(homography, np.float64)
    off = np.hypot(*(_mapped(matrix, flat) - places).T)
    residual = float(np.sqrt(np.square(off).mean()))
    if residual > WORST_MM:
        raise CalibrationError(
            "bad-plane",
            f"The points are {residual:.1f} mm off a plane; lay the board flat, or calibrate the camera first.",
        )
    edges = () if mat_mm is None else ((0.0, 0.0), (mat_mm[0], 0.0), (mat_mm[0], mat_mm[1]), (0.0, mat_mm[1]))
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in matrix / matrix[2, 2])
    return TableProfile(size, rows, edges, marks, residual, camera, orientation=orientation)


def _known_points(
    image: Pixels, mat_mm: tuple[float, float] | None
) -> tuple[Doubles, Doubles, dict[str, tuple[float, float]]]:
    """Pixels (N, 2), their places (N, 2) mm, and the marks by which a move is noticed."""
    if mat_mm is None:
        view = find_board(image)
        if view is None:
            raise CalibrationError("no-board", "The board was not found; show it whole, flat and sharp.")
        pixels, places = view.image.astype(np.float64), view.board[:, :2].astype(np.float64)
        marks = {f"{x:.0f},{y:.0f}": (float(u), float(v)) for (x, y), (u, v) in zip(places, pixels, strict=True)}
        return pixels, places, marks
    found = find_mat(image)
    if len(found) < 4:
        lacking = ["top left", "top right", "bottom right", "bottom left"]
        names = ", ".join(lacking[k] for k in range(4) if k not in found)
        raise CalibrationError(
            "no-mat", f"Markers of the mat were not found ({names}); show all four, with a white rim."
        )
    width, height = mat_mm
    side = MAT_MARKER_MM
    own = np.array([[0, 0], [side, 0], [side, side], [0, side]])
    starts = ((0, 0), (width - side, 0), (width - side, height - side), (0, height - side))
    pixels = np.concatenate([found[k] for k in range(4)])
    places = np.concatenate([own + starts[k] for k in range(4)])
    marks = {f"{MARK}{k}": (float(found[k][k, 0]), float(found[k][k, 1])) for k in range(4)}
    return pixels, places, marks


def to_table(profile: TableProfile, points: Doubles) -> Doubles:
    """Pixels (N, 2) of the fixed camera -> millimetres (N, 2) on the table."""
    return _mapped(np.array(profile.to_table), undistorted(np.asarray(points, np.float64), profile.camera))


def top_view(profile: TableProfile, image: Pixels, longest: int = 1200) -> Pixels:
    """The table seen from straight above, from a photograph (H, W, 3) of the fixed camera."""
    height, width = image.shape[:2]
    flat = image if profile.camera is None else straightened(image, profile.camera)
    matrix = np.array(profile.to_table)
    corners = _mapped(matrix, np.array([[0.0, 0.0], [width, 0], [width, height], [0, height]]))
    low, high = np.clip(corners.min(axis=0), -2000, 0), np.clip(corners.max(axis=0), 0, 3000)
    scale = longest / float(max(high - low))
    shift = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
    size = (max(1, round((high[0] - low[0]) * scale)), max(1, round((high[1] - low[1]) * scale)))
    return np.asarray(cv2.warpPerspective(flat, shift @ matrix, size, flags=cv2.INTER_AREA), np.uint8)


def _mapped(matrix: Doubles, points: Doubles) -> Doubles:
    full = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(full[:, :2] / full[:, 2:])


def moved_by(profile: TableProfile, image: Pixels, orientation: int = UNKNOWN) -> float | None:
    """How far the marks have moved, as a part of the picture's long side; None if they are not seen; orientation: how
    it was held, as EXIF has it. Raises ProfileError for a picture (H, W, 3) of another shape."""
    size = (image.shape[1], image.shape[0])
    profile = profile.fitting(size, orientation)
    ratio = np.array(ratio_of(profile.size, size))
    mat = any(name.startswith(MARK) for name in profile.marks)
    if mat:
        now = {f"{MARK}{k}": quad[k] for k, quad in find_mat(image).items()}
    else:
        view = find_board(image)
        now = (
            {}
            if view is None
            else {f"{x:.0f},{y:.0f}": p for (x, y), p in zip(view.board[:, :2], view.image, strict=True)}
        )
    both = [name for name in profile.marks if name in now]
    if not both:
        return None
    shifts = [float(np.hypot(*(np.asarray(now[name], np.float64) - ratio * profile.marks[name]))) for name in both]
    return float(np.median(shifts) / max(size))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration table`."""
    parser.add_argument("photo", metavar="PHOTO")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write the profile (JSON)")
    parser.add_argument("--camera", type=Path, metavar="FILE", help="the lens, as `camera` wrote it")
    parser.add_argument(
        "--mat", metavar="W:H", help="size of the mat in millimetres, between its markers' outer corners"
    )
    parser.add_argument("--check", type=Path, metavar="FILE", help="was the camera moved since this profile?")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def run(arguments: argparse.Namespace) -> int:
    """Measure the table, or say whether the camera was moved (exit status 1)."""
    photo = read_photo_file(arguments.photo)
    if arguments.check is not None:
        profile = load(arguments.check)
        if not isinstance(profile, TableProfile):
            raise CalibrationError("not-a-table", f"{arguments.check}: this is no profile of a table.")
        shift = moved_by(profile, photo.pixels, photo.orientation)
        moved = None if shift is None else shift > MOVED
        text = {
            None: "The marks are not to be seen.",
            True: "The camera was moved: measure the table again.",
            False: "Not moved.",
        }
        print(json.dumps({"moved": moved, "shift": shift}) if arguments.json else text[moved])
        return 0 if moved is False else 1
    if arguments.out is None:
        raise CalibrationError("no-out", "Say where to write the profile: --out FILE.")
    lens = None if arguments.camera is None else load(arguments.camera)
    if lens is not None and not isinstance(lens, CameraProfile):
        raise CalibrationError("not-a-camera", f"{arguments.camera}: this is no profile of a camera.")
    mat = None if arguments.mat is None else _mat(arguments.mat)
    table = fit_table(photo.pixels, lens, mat, photo.orientation)
    save(table, arguments.out)
    answer = {"profile": str(arguments.out), "residual_mm": round(table.residual_mm, 3)}
    print(json.dumps(answer) if arguments.json else f"{arguments.out}: points fit to {table.residual_mm:.2f} mm")
    return 0


def _mat(text: str) -> tuple[float, float]:
    try:
        width, height = (float(part) for part in text.split(":"))
    except ValueError:
        width = height = 0.0
    if not (100 <= width <= 5000 and 100 <= height <= 5000):
        raise CalibrationError("bad-mat", f"--mat {text}: give width and height in millimetres, such as 594:420.")
    return width, height
