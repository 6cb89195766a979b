"""What was measured of a camera, applied to its photographs as they come in.

A photograph says which camera took it; that is looked at before its metadata is dropped, in memory only, and the
picture that is kept is the straight one.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

import cv2

from referee.vision.align import Pixels
from referee.vision.decode import decode
from referee.vision.profile import CameraProfile, Profile, camera_model, chosen, load, put_right
from web import context
from web.errors import ApiError
from web.photos import NAME

QUALITY = 95
MEASURED = {
    "profile": {"type": "string", "description": "the name of what was measured of the camera, see /api/cameras"},
    "camera": {"type": "string", "description": "which camera took the photo, where its file does not say (EXIF)"},
}
"""Fields of forms with a photograph; without both, the profile of the camera that EXIF names is used."""


def profiles_folder() -> Path:
    """Where this service keeps what was measured."""
    return context.settings().data / "profiles"


def kept_profile(folder: Path, name: str) -> Profile:
    """What was measured under a name. Raises ApiError (404) where nothing was."""
    path = folder / f"{name}.json"
    if not re.fullmatch(r"[a-z0-9-]{1,60}", name) or not path.is_file():
        raise ApiError(404, "unknown-profile")
    return load(path)


def right_picture(data: bytes, profile: Profile | None) -> bytes:
    """A photograph without the lens's distortion and the light's colour, as a JPEG, if these were measured; else
    unchanged. Raises PhotoError or ProfileError."""
    if profile is None:
        return data
    photo = decode(data, NAME)
    picture = put_right(photo, profile).pixels
    return data if picture is photo.pixels else _jpeg(picture)


def lens_of_camera(data: bytes, camera: str = "") -> CameraProfile | None:
    """The lens that was measured of the camera that took a photograph, if it was; data: its file; camera: its name,
    where the page has read it before it made the photograph smaller. Raises PhotoError."""
    folder = profiles_folder()
    name = camera or camera_model(io.BytesIO(data)) if folder.is_dir() else ""
    if not name:
        return None
    height, width = decode(data, NAME).pixels.shape[:2]
    return chosen(folder, name, (width, height))


def measured_of(data: bytes, named: str | None, camera: str = "") -> Profile | None:
    """What a profile knows of a photograph: the one of this name, else the lens of its camera, see `lens_of_camera`.

    Raises ApiError (404), PhotoError.
    """
    return kept_profile(profiles_folder(), named) if named else lens_of_camera(data, camera)


def straight(data: bytes, camera: str) -> bytes:
    """The photograph without its lens's distortion, as a JPEG, if its lens was measured; else unchanged.

    camera: as in `lens_of_camera`. Raises PhotoError.
    """
    return right_picture(data, lens_of_camera(data, camera))


def _jpeg(picture: Pixels) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
