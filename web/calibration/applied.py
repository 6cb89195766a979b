"""What was measured of a camera, applied to its photographs as they come in.

A photograph says which camera took it and how that was held; this is looked at before its metadata is dropped, in
memory only, and the picture that is kept is the straight one.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path

import cv2

from referee.vision.align import Pixels
from referee.vision.decode import Photo, decode
from referee.vision.orientation import UNKNOWN, UPRIGHT
from referee.vision.profile import Profile, UnfitLens, put_right
from referee.vision.profile_files import camera_model, chosen, load
from web import context
from web.calibration.known import Known
from web.errors import ApiError
from web.photos import NAME

QUALITY = 95
HELD = {
    "orientation": {
        "type": "integer",
        "minimum": 1,
        "maximum": 8,
        "description": "how the camera was held, as EXIF has it, where the photo's file does not say",
    }
}
MEASURED = {
    "profile": {"type": "string", "description": "the name of what was measured of the camera, see /api/cameras"},
    "camera": {"type": "string", "description": "which camera took the photo, where its file does not say (EXIF)"},
    **HELD,
}
"""Fields of forms with a photograph; without `profile` and `camera`, that of the camera that EXIF names is used."""


def profiles_folder() -> Path:
    """Where this service keeps what was measured."""
    return context.settings().data / "profiles"


def kept_profile(folder: Path, name: str) -> Profile:
    """What was measured under a name. Raises ApiError (404) where nothing was, ProfileError for a broken file."""
    return load(profile_file(folder, name))


def profile_file(folder: Path, name: str) -> Path:
    """The file of what was measured under a name. Raises ApiError (404) where nothing was."""
    path = folder / f"{name}.json"
    if not re.fullmatch(r"[a-z0-9-]{1,60}", name) or not path.is_file():
        raise ApiError(404, "unknown-profile")
    return path


def held_of(fields: Mapping[str, str]) -> int:
    """How a form says that the camera was held (EXIF orientation), for pages make photographs smaller and lose their
    metadata; 0 where it does not say. Raises ApiError (422)."""
    told = fields.get("orientation", "")
    held = int(told) if told.isascii() and told.isdigit() else UNKNOWN
    if told and held not in UPRIGHT:
        raise ApiError(422, "bad-field", field="orientation", reason="1-8")
    return held


def photo_of(data: bytes, fields: Mapping[str, str]) -> Photo:
    """The photograph in a file, knowing how it was held. Raises PhotoError, ApiError (422)."""
    return decode(data, NAME).held(held_of(fields))


def measured_of(data: bytes, photo: Photo, fields: Mapping[str, str]) -> Profile | UnfitLens | None:
    """What was measured for a photograph (data: its file): the profile that the field `profile` names, else the lens of
    its camera. Raises ApiError (404), ProfileError for a broken file."""
    folder = profiles_folder()
    if fields.get("profile"):
        return kept_profile(folder, fields["profile"])
    name = (fields.get("camera") or camera_model(io.BytesIO(data))) if folder.is_dir() else ""
    if not name:
        return None
    height, width = photo.pixels.shape[:2]
    return chosen(folder, name, (width, height), photo.orientation)


def straight(data: bytes, fields: Mapping[str, str]) -> tuple[bytes, Known | None]:
    """A photograph without its lens's distortion and the light's colour, as a JPEG, if these were measured, else
    unchanged; and what must be known besides when it is read.

    Raises PhotoError, ProfileError, ApiError (404, 422).
    """
    photo = photo_of(data, fields)
    right = put_right(photo, measured_of(data, photo, fields))
    return data if right.pixels is photo.pixels else _jpeg(right.pixels), Known.of(right)


def right_picture(data: bytes, profile: Profile | None) -> bytes:
    """A frame without the lens's distortion and the light's colour, as a JPEG, if these were measured; else unchanged.
    Raises PhotoError or ProfileError."""
    if profile is None:
        return data
    photo = decode(data, NAME)
    picture = put_right(photo, profile).pixels
    return data if picture is photo.pixels else _jpeg(picture)


def _jpeg(picture: Pixels) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
