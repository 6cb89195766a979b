"""What was measured of a camera, a table and its light, as a JSON file; and photographs put right by it.

The calibration writes these files (`python -m calibration camera`, `table`, `colour`).
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from referee.errors import InputError
from referee.vision.decode import Photo
from referee.vision.gamma import encoded, linear

Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

SAME_SHAPE = 0.01
"""How much the shape of a photograph may differ from the profile's."""


class ProfileError(InputError):
    """A profile that cannot be read, or does not suit the photograph."""


@dataclass(frozen=True, slots=True)
class CameraProfile:
    """A lens. model: the camera's name, or ""; size: (width, height) px; camera_matrix: 3 rows; dist_coeffs: k1, k2,
    p1, p2, k3 (Brown-Conrady); reprojection_error: px, root mean square."""

    model: str
    size: tuple[int, int]
    camera_matrix: tuple[tuple[float, float, float], ...]
    dist_coeffs: tuple[float, ...]
    reprojection_error: float
    kind: str = "camera"

    def scaled(self, size: tuple[int, int]) -> CameraProfile:
        """The same lens for pictures of another size but the same shape. Raises ProfileError for another shape."""
        ratio = ratio_of(self.size, size)
        matrix = np.array(self.camera_matrix)
        matrix[0] *= ratio[0]
        matrix[1] *= ratio[1]
        rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in matrix)
        return CameraProfile(self.model, size, rows, self.dist_coeffs, self.reprojection_error * ratio[0])


def ratio_of(known: tuple[int, int], size: tuple[int, int]) -> tuple[float, float]:
    """How many times as wide and high pictures of a size are as those that were measured. Raises ProfileError for
    another shape."""
    ratio = (size[0] / known[0], size[1] / known[1])
    if abs(ratio[0] - ratio[1]) > SAME_SHAPE * ratio[0]:
        raise ProfileError(
            "profile-other-shape",
            f"The profile is for pictures of {known[0]} x {known[1]}, not {size[0]} x {size[1]}; "
            "take photos of the same shape, or calibrate again.",
        )
    return ratio


@dataclass(frozen=True, slots=True)
class TableProfile:
    """A fixed camera above a table. to_table: homography (3 rows) from px, after `camera` has taken the lens out, to
    mm; edges: the table's corners, mm, if known; marks: what must stay in its place, [x, y] px by name."""

    size: tuple[int, int]
    to_table: tuple[tuple[float, float, float], ...]
    edges: tuple[tuple[float, float], ...]
    marks: dict[str, tuple[float, float]]
    residual_mm: float
    camera: CameraProfile | None = None
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class ColourProfile:
    """Light and camera against a deck's own colours. matrix: 3 rows, linear BGR as photographed to as printed; before,
    after: mean difference (CIE Lab) of the known cards."""

    matrix: tuple[tuple[float, float, float], ...]
    before: float
    after: float
    kind: str = "colour"


Profile = CameraProfile | TableProfile | ColourProfile


def undistorted(points: Doubles, camera: CameraProfile | None) -> Doubles:
    """Pixels (N, 2) as a lens without distortion would have them."""
    if camera is None or not len(points):
        return points
    matrix = np.array(camera.camera_matrix)
    out = cv2.undistortPoints(points.reshape(-1, 1, 2), matrix, np.array(camera.dist_coeffs), P=matrix)
    return np.asarray(out, np.float64).reshape(-1, 2)


def distorted(points: Doubles, camera: CameraProfile, shown: Doubles | None = None) -> Doubles:
    """The inverse of `undistorted`: pixels (N, 2) of a straight picture -> of the photograph. shown: (3, 3) camera
    matrix of the straight picture, None: that of the photograph."""
    matrix = np.array(camera.camera_matrix)
    straight = matrix if shown is None else shown
    rays = np.column_stack([(points - straight[:2, 2]) / (straight[0, 0], straight[1, 1]), np.ones(len(points))])
    zero = np.zeros(3)
    out, _ = cv2.projectPoints(rays, zero, zero, matrix, np.array(camera.dist_coeffs))
    return np.asarray(out, np.float64).reshape(-1, 2)


def straightened(picture: Pixels, camera: CameraProfile) -> Pixels:
    """A picture (H, W, 3) as a lens without distortion would have taken it."""
    camera = camera.scaled((picture.shape[1], picture.shape[0]))
    return np.asarray(cv2.undistort(picture, np.array(camera.camera_matrix), np.array(camera.dist_coeffs)), np.uint8)


def straightened_whole(picture: Pixels, camera: CameraProfile) -> tuple[Pixels, Doubles]:
    """(the same with all that the photograph shows, black where that is nothing; (3, 3) its camera matrix).

    A card in a corner must not be lost unsaid.
    """
    size = (picture.shape[1], picture.shape[0])
    camera = camera.scaled(size)
    shown = _whole_view(camera, size)
    matrix, distortion = np.array(camera.camera_matrix), np.array(camera.dist_coeffs)
    return np.asarray(cv2.undistort(picture, matrix, distortion, None, shown), np.uint8), shown


def _whole_view(camera: CameraProfile, size: tuple[int, int]) -> Doubles:
    """(3, 3) the camera matrix of a straight picture of (width, height) px in which nothing is lost."""
    matrix, distortion = np.array(camera.camera_matrix), np.array(camera.dist_coeffs)
    return np.asarray(cv2.getOptimalNewCameraMatrix(matrix, distortion, size, 1.0)[0], np.float64)


def recoloured(picture: Pixels, colour: ColourProfile) -> Pixels:
    """A picture (H, W, 3) BGR with the light taken out: photographed light turned into printed ink."""
    light = cv2.LUT(picture, linear(np.arange(256, dtype=np.uint8)))
    ink = cv2.transform(light, np.array(colour.matrix, np.float32))
    return encoded(np.asarray(ink, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class StraightPhoto(Photo):
    """A photograph without its lens's distortion; lens: of pictures of this size; shown: (3, 3) see `distorted`; table:
    what was measured of the table under a fixed camera."""

    lens: CameraProfile | None = None
    shown: Doubles | None = None
    table: TableProfile | None = None


def put_right(photo: Photo, profile: Profile | None) -> Photo:
    """The photograph without the lens's distortion, or without the light's colour, knowing its table if that was
    measured. Raises ProfileError for another shape."""
    if profile is None:
        return photo
    if isinstance(profile, ColourProfile):
        return replace(photo, pixels=recoloured(photo.pixels, profile))
    height, width = photo.pixels.shape[:2]
    table = profile if isinstance(profile, TableProfile) else None
    if table is not None:
        ratio_of(table.size, (width, height))
    camera = lens_of(profile)
    if camera is None:
        return StraightPhoto(photo.name, photo.pixels, photo.scale, table=table)
    lens = camera.scaled((width, height))
    pixels, shown = straightened_whole(photo.pixels, lens)
    return StraightPhoto(photo.name, pixels, photo.scale, lens, shown, table)


def under_table(photo: Photo, table: TableProfile) -> StraightPhoto:
    """A photograph that is straight already, knowing its table. Raises ProfileError for another shape."""
    size = (photo.pixels.shape[1], photo.pixels.shape[0])
    ratio_of(table.size, size)
    shown = None if table.camera is None else _whole_view(table.camera.scaled(size), size)
    return StraightPhoto(photo.name, photo.pixels, photo.scale, shown=shown, table=table)


def to_millimetres(photo: StraightPhoto, table: TableProfile, points: Doubles) -> Doubles:
    """Pixels (N, 2) of the picture that was read -> places (N, 2) on the table in mm."""
    if table.camera is not None and photo.shown is not None:
        rays = (points - photo.shown[:2, 2]) / (photo.shown[0, 0], photo.shown[1, 1])
        matrix = np.array(table.camera.scaled(table.size).camera_matrix)
        measured = rays * (matrix[0, 0], matrix[1, 1]) + matrix[:2, 2]
    else:
        measured = points / ratio_of(table.size, (photo.pixels.shape[1], photo.pixels.shape[0]))
    matrix = np.array(table.to_table)
    full = measured @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(full[:, :2] / full[:, 2:])


def in_picture(photo: StraightPhoto, table: TableProfile, points: Doubles) -> Doubles:
    """Pixels (N, 2) of the photograph in which the table was measured -> of the picture that was read."""
    if table.camera is None or photo.shown is None:
        return points * ratio_of(table.size, (photo.pixels.shape[1], photo.pixels.shape[0]))
    lens = table.camera.scaled(table.size)
    out = cv2.undistortPoints(
        points.reshape(-1, 1, 2), np.array(lens.camera_matrix), np.array(lens.dist_coeffs), P=photo.shown
    )
    return np.asarray(out, np.float64).reshape(-1, 2)


def in_file(photo: Photo, points: Doubles) -> Doubles:
    """Pixels (N, 2) of the picture that was read -> pixels of the file, upright."""
    if isinstance(photo, StraightPhoto) and photo.lens is not None:
        points = distorted(points, photo.lens, photo.shown)
    return points / photo.scale


def camera_model(photo: str | Path | BinaryIO) -> str:
    """The camera's name in the EXIF of a photograph's file: maker, model (tags 271, 272) and, as a phone has several
    lenses, the focal length (37386 of the sub-directory 34665) in mm; "" without."""
    try:
        with Image.open(photo) as picture:
            exif = picture.getexif()
            name = " ".join(str(exif.get(tag, "")).strip("\0 ") for tag in (271, 272)).strip()
            focal = exif.get_ifd(34665).get(37386)
            return f"{name} {float(focal):.1f} mm" if name and focal else name
    except (OSError, ValueError):
        return ""


def profile_for(asked: Path | None, path: str, photo: Photo) -> Profile | None:
    """The profile for a photograph: the file that was asked for; of a folder the one of its camera and shape.

    Raises ProfileError for a file that is none.
    """
    if asked is None:
        return None
    if not asked.is_dir():
        return load(asked)
    height, width = photo.pixels.shape[:2]
    return chosen(asked, camera_model(path), (width, height))


def usual_folder() -> Path | None:
    """Where profiles are kept if nobody says otherwise: REFEREE_PROFILES, else the user's data folder; None if there
    is no such folder."""
    named = os.environ.get("REFEREE_PROFILES")
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(named) if named else Path(base) / "referee" / "profiles"
    return folder if folder.is_dir() else None


def lens_of(profile: Profile | None) -> CameraProfile | None:
    """The lens in a profile, if there is one."""
    return (
        profile.camera if isinstance(profile, TableProfile) else profile if isinstance(profile, CameraProfile) else None
    )


def chosen(folder: Path, model: str, size: tuple[int, int]) -> CameraProfile | None:
    """The profile in a folder that was made with a camera of this name and photographs of this shape, rather one of
    just this size (width, height).

    Files that are no profiles are passed over: nobody asked for them by name.
    """
    if not plain_name(model) or not folder.is_dir():
        return None
    suits: list[CameraProfile] = []
    for path in sorted(folder.glob("*.json")):
        try:
            profile = load(path)
            if isinstance(profile, CameraProfile) and plain_name(profile.model) == plain_name(model):
                profile.scaled(size)
                suits.append(profile)
        except ProfileError:
            continue
    return min(suits, key=lambda profile: profile.size != size, default=None)


def plain_name(model: str) -> str:
    """A camera's name without the number of its kind, which browsers add to it: `HD Webcam (046d:0825)`."""
    return re.sub(r"\s*\([0-9a-f]{4}:[0-9a-f]{4}\)$", "", model.strip())


def save(profile: Profile, path: Path) -> None:
    """Write a profile, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=".", delete=False) as file:
        json.dump(to_data(profile), file, indent=1)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


def load(path: Path) -> Profile:
    """Read a profile. Raises ProfileError naming the file."""
    try:
        return from_data(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ProfileError("profile-missing", f"{path}: the file cannot be read ({error.strerror}).") from None
    except (ValueError, KeyError, TypeError, IndexError):
        raise ProfileError("profile-malformed", f"{path}: this is no profile; make it again.") from None


def to_data(profile: Profile) -> dict[str, Any]:
    """A profile as plain values, for JSON."""
    return asdict(profile)


def from_data(data: dict[str, Any]) -> Profile:
    """The inverse of `to_data`. Raises ValueError, KeyError, TypeError or IndexError for what is none."""
    kind = data["kind"]
    if kind == "camera":
        return CameraProfile(
            str(data["model"]),
            (int(data["size"][0]), int(data["size"][1])),
            _rows(data["camera_matrix"]),
            tuple(float(v) for v in data["dist_coeffs"]),
            float(data["reprojection_error"]),
        )
    if kind == "table":
        lens = from_data(data["camera"]) if data.get("camera") else None
        return TableProfile(
            (int(data["size"][0]), int(data["size"][1])),
            _rows(data["to_table"]),
            tuple((float(x), float(y)) for x, y in data["edges"]),
            {str(name): (float(x), float(y)) for name, (x, y) in data["marks"].items()},
            float(data["residual_mm"]),
            lens if isinstance(lens, CameraProfile) else None,
        )
    if kind == "colour":
        return ColourProfile(_rows(data["matrix"]), float(data["before"]), float(data["after"]))
    raise ValueError(kind)


def _rows(values: Any) -> tuple[tuple[float, float, float], ...]:
    rows = np.asarray(values, np.float64).reshape(3, 3)
    if not np.isfinite(rows).all():
        raise ValueError("not a number")
    return tuple((float(r[0]), float(r[1]), float(r[2])) for r in rows)
