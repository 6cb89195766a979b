"""Bytes of a photograph -> one upright BGR image. The only place in the project that decodes pictures.

The header is read first (format, size, orientation), so that a picture that is too large, broken or
no picture at all is refused with a sentence before its pixels cost any memory.
"""

from __future__ import annotations

import io
import struct
import warnings
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageOps, UnidentifiedImageError
from pillow_heif import register_heif_opener

from referee.errors import PhotoError

register_heif_opener(thumbnails=False)

Pixels = NDArray[np.uint8]

MAX_PIXELS = 50_000_000
"""Largest photograph accepted, in pixels; beyond it a file is refused (phones of today stay below)."""

REDUCE_ABOVE = 20_000_000
"""JPEGs of more pixels than this are decoded at half scale: cards are read at far fewer."""

MIN_SIDE = 64
"""Smallest side of a picture, in pixels, on which looking for cards makes any sense."""

_FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF", "MPO", "BMP", "TIFF")
_EXIF_ORIENTATION = 0x0112


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A decoded photograph, the right way up.

    pixels: (H, W, 3) uint8, BGR, after the EXIF orientation. scale: pixels of this image for one pixel of
    the file (1, or 0.5 where a very large JPEG was decoded at half scale).
    """

    name: str
    pixels: Pixels
    scale: float = 1.0


def read_photo_file(path: str | Path) -> Photo:
    """Read and decode a file.

    Raises: PhotoError with a sentence for people if the file is missing, no picture, broken or too large.
    """
    file = Path(path)
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        raise PhotoError("photo-missing", f"{path}: there is no such file.") from None
    except OSError as error:
        raise PhotoError("photo-unreadable", f"{path}: the file cannot be read ({error.strerror}).") from None
    return decode(data, str(path))


def decode(data: bytes, name: str) -> Photo:
    """Decode JPEG, PNG, WebP, HEIC (also BMP, TIFF) bytes; grey, 16-bit, alpha and CMYK become 8-bit BGR.

    Transparent pixels are laid on mid grey. All eight EXIF orientations are applied.
    Raises: PhotoError as `read_photo_file`.
    """
    if not data:
        raise PhotoError("photo-empty", f"{name}: the file is empty. Take the photo again or choose another.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large pictures; the limit below is ours
        try:
            header = PillowImage.open(io.BytesIO(data), formats=_FORMATS)
        except UnidentifiedImageError:
            raise PhotoError(
                "photo-format", f"{name}: this is not a photo. Use a JPEG, PNG, WebP or HEIC picture."
            ) from None
        except PillowImage.DecompressionBombError:
            raise _too_large(name) from None
        except (OSError, ValueError, SyntaxError, RuntimeError, struct.error):
            raise _broken(name) from None
        with header:
            width, height = header.size
            if width * height > MAX_PIXELS:
                raise _too_large(name)
            if min(width, height) < MIN_SIDE:
                raise PhotoError(
                    "photo-small",
                    f"{name}: the picture is only {width} x {height} pixels. Use the original photo.",
                )
            if not _is_complete(data, header.format or ""):
                raise _broken(name)
            if header.format in ("JPEG", "MPO") and header.mode in ("RGB", "L"):
                pixels, scale = _decode_jpeg(data, width * height), 1.0
                if width * height > REDUCE_ABOVE:
                    scale = 0.5
            else:
                pixels, scale = _decode_with_pillow(header, name), 1.0
    if pixels is None:
        raise _broken(name)
    return Photo(name, pixels, scale)


def _decode_jpeg(data: bytes, pixel_count: int) -> Pixels | None:
    """OpenCV decodes JPEG fastest and applies the EXIF orientation for IMREAD_COLOR (not for UNCHANGED)."""
    flag = cv2.IMREAD_REDUCED_COLOR_2 if pixel_count > REDUCE_ABOVE else cv2.IMREAD_COLOR
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except cv2.error:
        return None
    return None if image is None else np.ascontiguousarray(image, dtype=np.uint8)


def _decode_with_pillow(header: PillowImage.Image, name: str) -> Pixels:
    try:
        header.load()
        upright = ImageOps.exif_transpose(header)
    except (OSError, ValueError, SyntaxError, RuntimeError, MemoryError, struct.error):
        raise _broken(name) from None
    if upright.mode in ("I;16", "I;16B", "I;16L", "I", "F"):
        values = np.asarray(upright, dtype=np.float32)
        full = 65535.0 if values.max(initial=0.0) > 255 else 255.0
        grey = np.clip(values * (255.0 / full), 0, 255).astype(np.uint8)
        return np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2))
    if upright.has_transparency_data:
        rgba = upright.convert("RGBA")
        ground = PillowImage.new("RGBA", rgba.size, (128, 128, 128, 255))
        upright = PillowImage.alpha_composite(ground, rgba)
    rgb = np.asarray(upright.convert("RGB"), dtype=np.uint8)
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _is_complete(data: bytes, kind: str) -> bool:
    """Whether the file has its end: decoders fill the missing part of a cut-off file with grey and say nothing."""
    if kind in ("JPEG", "MPO"):
        scan = _first_scan(data)
        return scan is not None and data.rfind(b"\xff\xd9") > scan
    if kind == "PNG":
        return b"IEND" in data[-64:] or data.rfind(b"IEND") > data.find(b"IDAT") > 0
    if kind == "WEBP":
        return len(data) >= int.from_bytes(data[4:8], "little") + 8 - 1
    return True


def _first_scan(data: bytes) -> int | None:
    """Offset of the first SOS marker of the outermost JPEG (thumbnails inside EXIF are skipped by length)."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xDA:
            return at
        if marker == 0xFF or 0xD0 <= marker <= 0xD9 or marker == 0x01:
            at += 1 if marker == 0xFF else 2
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _broken(name: str) -> PhotoError:
    return PhotoError(
        "photo-broken",
        f"{name}: the picture file is broken or cut short. Send the photo again or take a new one.",
    )


def _too_large(name: str) -> PhotoError:
    return PhotoError(
        "photo-too-large",
        f"{name}: the picture has more than {MAX_PIXELS // 1_000_000} megapixels. Make it smaller and try again.",
    )
