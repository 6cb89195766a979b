"""What was measured of a camera, applied to its photographs as they come in.

A photograph says which camera took it; that is looked at before its metadata is dropped, in memory only, and the
picture that is kept is the straight one.
"""

from __future__ import annotations

import io
from pathlib import Path

import cv2

from referee.vision.decode import decode
from referee.vision.profile import camera_model, chosen, straightened_whole
from web.photos import NAME

QUALITY = 95


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
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
