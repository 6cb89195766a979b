"""What was measured of a camera, a table and its light, and photographs put right by it.

The calibration measures it (`python -m calibration camera`, `table`, `colour`); `profile_files` keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.errors import InputError
from referee.vision.decode import Photo
from referee.vision.gamma import encoded, linear
from referee.vision.orientation import QUARTER, UNKNOWN, turn_between, turned_points, turned_size

Doubles = NDArray[np.float64]
Pixels = NDArray[np.uint8]

SAME_SHAPE = 0.01
"""How much the shape of a photograph may differ from the profile's."""
SAME_LENS = 1.0 / 1500
"""How far two lenses may bend a picture differently and count as one, as a part of its long side: what a well measured
lens is uncertain by."""
GRID = 13
"""Places each way at which lenses are compared."""


class ProfileError(InputError):
    """A profile that cannot be read, or does not suit the photograph."""


@dataclass(frozen=True, slots=True)
class CameraProfile:
    """A lens. model: the camera's name, or ""; size: (width, height) px; camera_matrix: 3 rows; dist_coeffs: k1, k2,
    p1, p2, k3 (Brown-Conrady); reprojection_error: px, root mean square; orientation: how the sensor lay in the
    photographs that were measured, as EXIF has it (1 to 8; 0: not known)."""

    model: str
    size: tuple[int, int]
    camera_matrix: tuple[tuple[float, float, float], ...]
    dist_coeffs: tuple[float, ...]
    reprojection_error: float
    kind: str = "camera"
    orientation: int = UNKNOWN

    def scaled(self, size: tuple[int, int]) -> CameraProfile:
        """The same lens for pictures of another size but the same shape. Raises ProfileError for another shape."""
        ratio = ratio_of(self.size, size)
        matrix = np.array(self.camera_matrix)
        matrix[0] *= ratio[0]
        matrix[1] *= ratio[1]
        rows = matrix_rows(matrix)
        return replace(self, size=size, camera_matrix=rows, reprojection_error=self.reprojection_error * ratio[0])

    def turned(self, turn: Doubles) -> CameraProfile:
        """The same lens for pictures turned or mirrored by a matrix (2, 2), see `referee.vision.orientation`."""
        matrix = np.array(self.camera_matrix)
        matrix[:2, :2] = turn @ np.diag(np.diag(matrix[:2, :2])) @ turn.T
        matrix[:2, 2] = turned_points(matrix[None, :2, 2], self.size, turn)[0]
        k1, k2, p1, p2, k3 = self.dist_coeffs
        p2, p1 = (float(v) for v in turn @ (p2, p1))  # a decentred lens is decentred in a direction (D. Brown 1966)
        return replace(
            self,
            size=turned_size(self.size, turn),
            camera_matrix=matrix_rows(matrix),
            dist_coeffs=(k1, k2, p1, p2, k3),
            orientation=UNKNOWN,
        )

    def fitting(self, size: tuple[int, int], orientation: int = UNKNOWN) -> CameraProfile:
        """The same lens for pictures of (width, height), held as EXIF says. Where that is not known of both, a lens
        that is the same whichever way it is turned is used so; a camera whose files never say it counts as held as it
        was. Raises ProfileError for pictures of another shape, and where the direction matters and is not known."""
        if self.orientation and orientation:
            lens = replace(self.turned(turn_between(self.orientation, orientation)), orientation=orientation)
            if _same_shape(lens.size, size):
                return lens.scaled(size)  # else somebody has turned the picture since
        same = _same_shape(self.size, size)
        if same and not self.orientation and not orientation:
            return self.scaled(size)
        even = self._evened()
        even = even if same else even.turned(turn_between(1, QUARTER))
        lens = even.scaled(size)
        if _apart(self, self._evened()) > SAME_LENS:
            raise ProfileError(
                "profile-direction",
                "The file does not say how the camera was held, and this lens is not the same when turned; send the "
                "original photo, hold the camera as when the lens was measured, or measure the lens again.",
            )
        return replace(lens, orientation=orientation)

    def _evened(self) -> CameraProfile:
        """Without what depends on the direction: bent about the picture's middle, by its radial terms alone."""
        matrix = np.array(self.camera_matrix)
        matrix[:2, 2] = (np.array(self.size) - 1) / 2
        k1, k2, _, _, k3 = self.dist_coeffs
        return replace(self, camera_matrix=matrix_rows(matrix), dist_coeffs=(k1, k2, 0.0, 0.0, k3))


def _apart(one: CameraProfile, other: CameraProfile) -> float:
    """How far two lenses' straight pictures differ at most, besides a perspective, as a part of the long side."""
    xs, ys = (np.linspace(0, length - 1, GRID) for length in one.size)
    places = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    straight, also = undistorted(places, one), undistorted(places, other)
    homography, _ = cv2.findHomography(straight, also, 0)
    if homography is None:
        return np.inf
    moved = cv2.perspectiveTransform(straight.reshape(-1, 1, 2), homography).reshape(-1, 2)
    return float(np.hypot(*(moved - also).T).max()) / max(one.size)


def _same_shape(known: tuple[int, int], size: tuple[int, int]) -> bool:
    ratio = (size[0] / known[0], size[1] / known[1])
    return abs(ratio[0] - ratio[1]) <= SAME_SHAPE * ratio[0]


def ratio_of(known: tuple[int, int], size: tuple[int, int]) -> tuple[float, float]:
    """How many times as wide and high pictures of a size are as those that were measured. Raises ProfileError for
    another shape."""
    if not _same_shape(known, size):
        raise ProfileError(
            "profile-other-shape",
            f"The profile is for pictures of {known[0]} x {known[1]}, not {size[0]} x {size[1]}; "
            "take photos of the same shape, or calibrate again.",
        )
    return size[0] / known[0], size[1] / known[1]


@dataclass(frozen=True, slots=True)
class TableProfile:
    """A fixed camera above a table. to_table: homography (3 rows) from px, after `camera` has taken the lens out, to
    mm; edges: the table's corners, mm, if known; marks: what must stay in its place, [x, y] px by name; orientation: as
    in `CameraProfile`; name: what people call it."""

    size: tuple[int, int]
    to_table: tuple[tuple[float, float, float], ...]
    edges: tuple[tuple[float, float], ...]
    marks: dict[str, tuple[float, float]]
    residual_mm: float
    camera: CameraProfile | None = None
    kind: str = "table"
    orientation: int = UNKNOWN
    name: str = ""

    def fitting(self, size: tuple[int, int], orientation: int = UNKNOWN) -> TableProfile:
        """The same table in pictures put upright otherwise: a phone that looks straight down often takes itself for
        turned. Where that is not known the picture counts as held as it was: marks and cards tell if it was not.
        Raises ProfileError for pictures of another shape."""
        table = self
        if self.orientation and orientation:
            turn = turn_between(self.orientation, orientation)
            names, places = list(self.marks), np.array(list(self.marks.values())).reshape(-1, 2)
            marks = turned_points(places, self.size, turn).tolist()
            back = np.eye(3)
            back[:2, :2] = turn.T
            back[:2, 2] = turned_points(np.zeros((1, 2)), turned_size(self.size, turn), turn.T)[0]
            table = replace(
                self,
                size=turned_size(self.size, turn),
                to_table=matrix_rows(np.array(self.to_table) @ back),
                marks={name: (x, y) for name, (x, y) in zip(names, marks, strict=True)},
                camera=self.camera and replace(self.camera.turned(turn), orientation=orientation),
                orientation=orientation,
            )
        if not _same_shape(table.size, size) and _same_shape(table.size, size[::-1]):
            raise ProfileError(
                "profile-turned",
                "The photo is turned otherwise than the one in which the table was measured; "
                "hold the camera the same way, or measure the table again.",
            )
        ratio_of(table.size, size)
        return table


@dataclass(frozen=True, slots=True)
class ColourProfile:
    """Light and camera against a deck's own colours. matrix: 3 rows, linear BGR as photographed to as printed; before,
    after: mean difference (CIE Lab) of the known cards; name: what people call it."""

    matrix: tuple[tuple[float, float, float], ...]
    before: float
    after: float
    kind: str = "colour"
    name: str = ""


Profile = CameraProfile | TableProfile | ColourProfile


@dataclass(frozen=True, slots=True)
class UnfitLens:
    """Stands for the lens of a camera that was measured, but not for photographs of this shape, or held like this."""


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
    """A picture (H, W, 3) as a lens without distortion would have taken it. Raises ProfileError for another shape."""
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
    what was measured of the table under a fixed camera; lens_unused: see `UnfitLens`."""

    lens: CameraProfile | None = None
    shown: Doubles | None = None
    table: TableProfile | None = None
    lens_unused: bool = False


def put_right(photo: Photo, profile: Profile | UnfitLens | None) -> Photo:
    """The photograph without the lens's distortion, or without the light's colour, knowing its table if that was
    measured. Raises ProfileError for another shape, or a direction that matters and is not known."""
    if profile is None:
        return photo
    if isinstance(profile, ColourProfile):
        return replace(photo, pixels=recoloured(photo.pixels, profile))
    straight = StraightPhoto(photo.name, photo.pixels, photo.scale, photo.orientation)
    if isinstance(profile, UnfitLens):
        return replace(straight, lens_unused=True)
    size = (photo.pixels.shape[1], photo.pixels.shape[0])
    fitted = profile.fitting(size, photo.orientation)
    table = fitted if isinstance(fitted, TableProfile) else None
    lens = lens_of(fitted)
    if lens is None:
        return replace(straight, table=table)
    lens = lens.scaled(size)
    pixels, shown = straightened_whole(photo.pixels, lens)
    return replace(straight, pixels=pixels, lens=lens, shown=shown, table=table)


def under_table(photo: Photo, table: TableProfile) -> StraightPhoto:
    """A photograph that is straight already, knowing its table. Raises ProfileError for another shape."""
    size = (photo.pixels.shape[1], photo.pixels.shape[0])
    table = table.fitting(size, photo.orientation)
    shown = None if table.camera is None else _whole_view(table.camera.scaled(size), size)
    return StraightPhoto(photo.name, photo.pixels, photo.scale, photo.orientation, shown=shown, table=table)


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


def lens_of(profile: Profile | None) -> CameraProfile | None:
    """The lens in a profile, if there is one."""
    return (
        profile.camera if isinstance(profile, TableProfile) else profile if isinstance(profile, CameraProfile) else None
    )


def matrix_rows(values: Any) -> tuple[tuple[float, float, float], ...]:
    """A matrix (3, 3) as a profile has it. Raises ValueError for numbers that are none."""
    rows = np.asarray(values, np.float64).reshape(3, 3)
    if not np.isfinite(rows).all():
        raise ValueError("not a number")
    return tuple((float(r[0]), float(r[1]), float(r[2])) for r in rows)
