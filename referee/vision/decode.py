"""Bytes of a photograph -> one upright BGR image. The only place in the project that decodes pictures.

The header is read first (format, size, orientation), so that a picture that is too large, broken or
no picture at all is refused with a sentence before its pixels cost any memory.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageOps, UnidentifiedImageError
from pillow_heif import register_heif_opener

from referee.errors import PhotoError
from referee.vision.orientation import UNKNOWN, UPRIGHT

register_heif_opener(thumbnails=False)
PillowImage.init()  # Pillow loads its formats lazily, but then knows only some of those named below

Pixels = NDArray[np.uint8]

MAX_PIXELS = 50_000_000
"""Largest photograph accepted, in pixels; beyond it a file is refused (phones of today stay below)."""

MAX_BYTES = 300_000_000
"""Largest file read at all: 50 megapixels of 16-bit colour, uncompressed."""

REDUCE_ABOVE = 20_000_000
"""Pictures of more pixels than this are taken at half scale: cards are read at far fewer."""

HALF_FIRST = 8_000_000
"""JPEGs of more pixels than this are decoded at half scale first, which takes half the time and a quarter of the
memory; in full only when their full size is asked for, as small cards need it."""

MIN_SIDE = 64
"""Smallest side of a picture, in pixels, on which looking for cards makes any sense."""

_FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF", "BMP", "TIFF")
"""A JPEG with more pictures behind the first (MPO, as from phones with two lenses) counts as JPEG."""

_ORIENTATION = 274
"""EXIF tag."""

_DECODING_ERRORS = (
    OSError,
    ValueError,
    SyntaxError,
    RuntimeError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    ZeroDivisionError,
    OverflowError,
    MemoryError,
    struct.error,
)
"""What the decoders of Pillow and libheif raise, by their own account or in fact, on broken files."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A decoded photograph, the right way up.

    pixels: (H, W, 3) uint8, BGR, after the EXIF orientation. scale: pixels of this image for one pixel of
    the file (1, or 0.5 where a very large picture was taken at half scale). orientation: the EXIF orientation that was
    applied, which tells how the sensor lay; 0 where the file does not say.
    """

    name: str
    pixels: Pixels
    scale: float = 1.0
    orientation: int = UNKNOWN

    def held(self, orientation: int) -> Photo:
        """The photograph with this EXIF orientation, if its own is not known: somebody else has read it from the file
        and applied it, to make the picture smaller for instance."""
        return self if self.orientation or not orientation else replace(self, orientation=orientation)


class HalfPhoto(Photo):
    """A photograph of which only half the size has been decoded: `pixels` are when first asked for.

    half: (H / 2, W / 2, 3) uint8, BGR, upright; None in a copy with other pixels.
    """

    __slots__ = ("_data", "half")

    half: Pixels | None
    _data: bytes

    def __init__(
        self,
        name: str,
        pixels: Pixels | None = None,
        scale: float = 1.0,
        orientation: int = UNKNOWN,
        half: Pixels | None = None,
        data: bytes = b"",
    ) -> None:
        """Either `pixels`, or `half` and the JPEG's `data`."""
        fields: dict[str, object] = {"name": name, "scale": scale, "orientation": orientation}
        fields |= {"half": half, "_data": data}
        if pixels is not None:
            fields["pixels"] = pixels
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    def __getattr__(self, name: str) -> Pixels:
        """Called for what is not there yet."""
        if name != "pixels":
            raise AttributeError(name)
        pixels = _decode_jpeg(self._data, self.name, halve=False)
        object.__setattr__(self, "pixels", pixels)
        object.__setattr__(self, "_data", b"")
        return pixels

    def __reduce__(self) -> tuple[object, ...]:
        """A copy for another process has all pixels."""
        return Photo, (self.name, self.pixels, self.scale, self.orientation)


def read_photo_file(path: str | Path) -> Photo:
    """Read and decode a file.

    Raises: PhotoError with a sentence for people if the file is missing, no picture, broken or too large.
    """
    file = Path(path)
    try:
        if file.stat().st_size > MAX_BYTES:
            raise _too_large(str(path))
        data = file.read_bytes()
    except FileNotFoundError:
        raise PhotoError("photo-missing", f"{path}: there is no such file. Check the name.") from None
    except IsADirectoryError:
        raise PhotoError("photo-folder", f"{path}: this is a folder. Name the photos in it.") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = error.strerror if isinstance(error, OSError) else error
        raise PhotoError("photo-unreadable", f"{path}: the file cannot be read ({reason}).") from None
    return decode(data, str(path))


def decode(data: bytes, name: str) -> Photo:
    """Decode JPEG, PNG, WebP, HEIC (also BMP, TIFF) bytes; grey, 16-bit, alpha and CMYK become 8-bit BGR.

    Transparent pixels are laid on mid grey. All eight EXIF orientations are applied.
    Raises: PhotoError as `read_photo_file`.
    """
    if not data:
        raise PhotoError("photo-empty", f"{name}: the file is empty. Take the photo again or choose another.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large and of odd pictures; what is too large is told below
        with _opened(data, name) as header:
            width, height = header.size
            if width * height > MAX_PIXELS:
                raise _too_large(name)
            if min(width, height) < MIN_SIDE:
                raise PhotoError(
                    "photo-small",
                    f"{name}: the picture is only {width} x {height} pixels. Use the original photo.",
                )
            halve = width * height > REDUCE_ABOVE
            orientation = _orientation(header)
            if header.format in ("JPEG", "MPO"):
                if not jpeg_is_complete(data):
                    raise _broken(name)
                if header.mode in ("RGB", "L"):
                    if HALF_FIRST < width * height <= REDUCE_ABOVE and not width % 2 and not height % 2:
                        half = _decode_jpeg(data, name, halve=True)
                        return HalfPhoto(name, orientation=orientation, half=half, data=data)
                    return Photo(name, _decode_jpeg(data, name, halve), 0.5 if halve else 1.0, orientation)
            pixels = _decode_with_pillow(header, name)
    if halve:
        small = (pixels.shape[1] // 2, pixels.shape[0] // 2)
        pixels = np.asarray(cv2.resize(pixels, small, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return Photo(name, pixels, 0.5 if halve else 1.0, orientation)


def _orientation(header: PillowImage.Image) -> int:
    """The EXIF orientation that is applied, 1 to 8; 0 if the file does not say."""
    if header.format == "AVIF":  # turned by its container, which Pillow does not tell
        return UNKNOWN
    try:
        told = header.info.get("original_orientation") or header.getexif().get(_ORIENTATION, UNKNOWN)
    except _DECODING_ERRORS:
        return UNKNOWN
    return told if told in UPRIGHT else UNKNOWN


def _opened(data: bytes, name: str) -> PillowImage.Image:
    """The picture with only its header read."""
    try:
        return PillowImage.open(io.BytesIO(data), formats=_FORMATS)
    except PillowImage.DecompressionBombError:
        raise _too_large(name) from None
    except UnidentifiedImageError:
        if _has_signature(data):
            raise _broken(name) from None
        raise PhotoError(
            "photo-format", f"{name}: this is not a photo. Use a JPEG, PNG, WebP or HEIC picture."
        ) from None
    except _DECODING_ERRORS:
        raise _broken(name) from None


def _has_signature(data: bytes) -> bool:
    """Whether the data begins as a picture does, so that it is a broken picture rather than something else."""
    return (
        data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"II*\0", b"MM\0*"))
        or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
        or (data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"mif1", b"msf1", b"avif"))
    )


def _decode_jpeg(data: bytes, name: str, halve: bool) -> Pixels:
    """OpenCV decodes JPEG fastest and applies the EXIF orientation, at half scale too."""
    flag = cv2.IMREAD_REDUCED_COLOR_2 if halve else cv2.IMREAD_COLOR
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except cv2.error:
        image = None
    if image is None:
        raise _broken(name)
    return np.ascontiguousarray(image, dtype=np.uint8)


def _decode_with_pillow(header: PillowImage.Image, name: str) -> Pixels:
    """Decode any other picture. libheif and libavif turn it by the container's own orientation and leave 1 in EXIF."""
    try:
        header.load()
        upright = ImageOps.exif_transpose(header)
        if upright.mode in ("I", "F") or upright.mode.startswith("I;16"):
            return _from_deep_grey(upright)
        if upright.has_transparency_data:
            rgba = upright.convert("RGBA")
            ground = PillowImage.new("RGBA", rgba.size, (128, 128, 128, 255))
            upright = PillowImage.alpha_composite(ground, rgba)
        rgb = np.asarray(upright.convert("RGB"), dtype=np.uint8)
    except _DECODING_ERRORS:
        raise _broken(name) from None
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _from_deep_grey(picture: PillowImage.Image) -> Pixels:
    """Grey of 16 bits (or floats from 0 to 1) -> 8-bit BGR."""
    values = np.asarray(picture, dtype=np.float32)
    scale = 255.0 if picture.mode == "F" and float(values.max(initial=0.0)) <= 1.0 else 255.0 / 65535.0
    grey = np.clip(np.nan_to_num(values) * scale + 0.5, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2))


def jpeg_is_complete(data: bytes) -> bool:
    """Whether a JPEG reaches its end marker (ITU T.81, B.1): decoders fill what is missing with grey and say nothing.

    Segments are skipped by their lengths, so that thumbnails inside EXIF count for nothing, and so does
    what phones append after the end.
    """
    at = 2
    scanned = False
    while 0 <= at < len(data) - 1:
        if data[at] != 0xFF:
            return False
        marker = data[at + 1]
        if marker == 0xD9:
            return scanned
        if marker == 0xFF:  # a fill byte
            at += 1
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
            if marker == 0xDA:
                scanned = True
                at = _end_of_scan(data, at)
    return False


_SCAN_END = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
"""A marker after entropy-coded data, which has stuffed zeros and restart markers of its own."""


def _end_of_scan(data: bytes, at: int) -> int:
    found = _SCAN_END.search(data, at)
    return -1 if found is None else found.start()


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
