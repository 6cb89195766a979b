"""Profiles as JSON files: written whole, read strictly, and chosen for a photograph by the camera that took it."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from PIL import Image

from referee.vision.decode import Photo
from referee.vision.orientation import UNKNOWN, UPRIGHT
from referee.vision.profile import (
    CameraProfile,
    ColourProfile,
    Profile,
    ProfileError,
    TableProfile,
    UnfitLens,
    matrix_rows,
)

TERMS = 5
"""Distortion coefficients of a lens."""


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


def profile_for(asked: Path | None, path: str, photo: Photo) -> Profile | UnfitLens | None:
    """The profile for a photograph: the file that was asked for; of a folder the lens of its camera, see `chosen`.

    Raises ProfileError for a file that is none.
    """
    if asked is None:
        return None
    if not asked.is_dir():
        return load(asked)
    height, width = photo.pixels.shape[:2]
    return chosen(asked, camera_model(path), (width, height), photo.orientation)


def usual_folder() -> Path | None:
    """Where profiles are kept if nobody says otherwise: REFEREE_PROFILES, else the user's data folder; None if there
    is no such folder."""
    named = os.environ.get("REFEREE_PROFILES")
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(named) if named else Path(base) / "referee" / "profiles"
    return folder if folder.is_dir() else None


def chosen(
    folder: Path, model: str, size: tuple[int, int], orientation: int = UNKNOWN
) -> CameraProfile | UnfitLens | None:
    """As `suiting`; UnfitLens if a camera of this name was measured, but not for such photographs."""
    found = suiting(folder, model, size, orientation)
    return UnfitLens() if found is None and next(_lenses(folder, model), None) is not None else found


def suiting(folder: Path, model: str, size: tuple[int, int], orientation: int = UNKNOWN) -> CameraProfile | None:
    """The profile in a folder that was made with a camera of this name and suits photographs of (width, height), held
    as EXIF says: rather one of just this size.

    Files that are no profiles are passed over: nobody asked for them by name.
    """
    suits = [profile for profile in _lenses(folder, model) if _suits(profile, size, orientation)]
    return min(suits, key=lambda profile: (profile.size != size, profile.orientation != orientation), default=None)


def _lenses(folder: Path, model: str) -> Iterator[CameraProfile]:
    name = plain_name(model)
    for path in sorted(folder.glob("*.json")) if name and folder.is_dir() else ():
        try:
            profile = load(path)
        except ProfileError:
            continue
        if isinstance(profile, CameraProfile) and plain_name(profile.model) == name:
            yield profile


def _suits(profile: CameraProfile, size: tuple[int, int], orientation: int) -> bool:
    try:
        profile.fitting(size, orientation)
    except ProfileError:
        return False
    return True


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
        raise ProfileError(
            "profile-missing", f"{path}: the file cannot be read ({error.strerror}). Check the name."
        ) from None
    except (ValueError, RecursionError):
        raise ProfileError(
            "profile-malformed", f"{path}: this is no profile, or it is broken; make it again."
        ) from None


def to_data(profile: Profile) -> dict[str, Any]:
    """A profile as plain values, for JSON."""
    return asdict(profile)


def from_data(data: Any) -> Profile:
    """The inverse of `to_data`. Raises ValueError for what is none."""
    try:
        return _READERS[data["kind"]](data)
    except (KeyError, TypeError, IndexError, AttributeError, OverflowError) as error:
        raise ValueError(f"no profile: {error!r}") from None


def _camera(data: Any) -> CameraProfile:
    matrix, terms = matrix_rows(data["camera_matrix"]), tuple(_number(v) for v in data["dist_coeffs"])
    if matrix[0][0] <= 0 or matrix[1][1] <= 0 or len(terms) != TERMS:
        raise ValueError("no lens")
    off = _number(data["reprojection_error"])
    return CameraProfile(str(data["model"]), _size(data), matrix, terms, off, orientation=_held(data))


def _table(data: Any) -> TableProfile:
    camera, matrix = data.get("camera"), matrix_rows(data["to_table"])
    edges = tuple((_number(x), _number(y)) for x, y in data["edges"])
    if not np.linalg.det(np.array(matrix)) or len(edges) not in (0, 4):
        raise ValueError("no table")
    marks = {str(name): (_number(x), _number(y)) for name, (x, y) in data["marks"].items()}
    lens = None if camera is None else _camera(camera)
    return TableProfile(
        _size(data),
        matrix,
        edges,
        marks,
        _number(data["residual_mm"]),
        lens,
        orientation=_held(data),
        name=str(data.get("name", "")),
    )


def _colour(data: Any) -> ColourProfile:
    before, after = _number(data["before"]), _number(data["after"])
    return ColourProfile(matrix_rows(data["matrix"]), before, after, name=str(data.get("name", "")))


_READERS: dict[str, Callable[[Any], Profile]] = {"camera": _camera, "table": _table, "colour": _colour}


def _number(value: Any) -> float:
    number = float(value)
    if not np.isfinite(number):
        raise ValueError("not a number")
    return number


def _size(data: Any) -> tuple[int, int]:
    width, height = (int(v) for v in data["size"])
    if min(width, height) < 1:
        raise ValueError("no size")
    return width, height


def _held(data: Any) -> int:
    orientation = int(data.get("orientation", UNKNOWN))  # profiles of earlier versions do not say
    if orientation not in (UNKNOWN, *UPRIGHT):
        raise ValueError("no orientation")
    return orientation
