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
from referee.vision.profile import Profile, camera_model, chosen, load, put_right, straightened_whole
from web import context
from web.errors import ApiError
from web.photos import NAME

QUALITY = 95


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


def straight(data: bytes, folder: Path, camera: str) -> bytes:
    """The photograph without its lens's distortion, as a JPEG, if its lens was measured; else unchanged.

    camera: maker and model, where the page has read them before it made the photograph smaller. Raises PhotoError.
    """
    if not folder.is_dir():
        return data
    name = camera or camera_model(io.BytesIO(data))
    if not name:
        return data
    photo = decode(data, NAME)
    height, width = photo.pixels.shape[:2]
    lens = chosen(folder, name, (width, height))
    if lens is None:
        return data
    picture, _ = straightened_whole(photo.pixels, lens)
    return _jpeg(picture)


def _jpeg(picture: Pixels) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
