"""What was measured of a camera, a table and its light, as a JSON file."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError

Doubles = NDArray[np.float64]


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
        """The same lens for pictures of another size but the same shape. Raises CalibrationError for another shape."""
        ratio = (size[0] / self.size[0], size[1] / self.size[1])
        if abs(ratio[0] - ratio[1]) > 0.01 * ratio[0]:
            raise CalibrationError(
                "profile-other-shape",
                f"The profile is for pictures of {self.size[0]} x {self.size[1]}, not {size[0]} x {size[1]}; "
                "take photos of the same shape, or calibrate again.",
            )
        matrix = np.array(self.camera_matrix)
        matrix[0] *= ratio[0]
        matrix[1] *= ratio[1]
        rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in matrix)
        return CameraProfile(self.model, size, rows, self.dist_coeffs, self.reprojection_error * ratio[0])


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


def save(profile: Profile, path: Path) -> None:
    """Write a profile, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=".", delete=False) as file:
        json.dump(asdict(profile), file, indent=1)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


def load(path: Path) -> Profile:
    """Read a profile. Raises CalibrationError naming the file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return _profile(data)
    except OSError as error:
        raise CalibrationError("profile-missing", f"{path}: the file cannot be read ({error.strerror}).") from None
    except (ValueError, KeyError, TypeError, IndexError):
        raise CalibrationError("profile-malformed", f"{path}: this is no profile; make it again.") from None


def _profile(data: dict[str, Any]) -> Profile:
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
        lens = _profile(data["camera"]) if data.get("camera") else None
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
