"""Photographs of every kind become the same upright picture; what is none is refused with a sentence."""

from __future__ import annotations

import dataclasses
import io
import os
import pickle
import random
import struct
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image as Pillow
from pillow_heif import from_pillow

from referee.errors import PhotoError
from referee.vision import decode as module
from referee.vision.align import Pyramid
from referee.vision.decode import decode, read_photo_file

WIDTH, HEIGHT, LARGE = 240, 160, 4
CORNERS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0))
"""Red, green, blue, yellow: top left, top right, bottom left, bottom right."""

FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF", "BMP", "TIFF")

STORED = {
    1: None,
    2: Pillow.Transpose.FLIP_LEFT_RIGHT,
    3: Pillow.Transpose.ROTATE_180,
    4: Pillow.Transpose.FLIP_TOP_BOTTOM,
    5: Pillow.Transpose.TRANSPOSE,
    6: Pillow.Transpose.ROTATE_90,
    7: Pillow.Transpose.TRANSVERSE,
    8: Pillow.Transpose.ROTATE_270,
}
"""How a camera with each EXIF orientation stores the upright scene."""


def scene() -> Pillow.Image:
    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    pixels[: HEIGHT // 2, : WIDTH // 2], pixels[: HEIGHT // 2, WIDTH // 2 :] = CORNERS[:2]
    pixels[HEIGHT // 2 :, : WIDTH // 2], pixels[HEIGHT // 2 :, WIDTH // 2 :] = CORNERS[2:]
    return Pillow.fromarray(pixels)


def texture() -> Pillow.Image:
    """A picture that does not compress to nothing, so that there is something to cut."""
    noise = np.random.default_rng(1).integers(0, 255, (20, 30, 3)).astype(np.uint8)
    return Pillow.fromarray(noise).resize((WIDTH, HEIGHT), Pillow.Resampling.BICUBIC)


def encoded(picture: Pillow.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def large_scene() -> Pillow.Image:
    """The same with as many pixels as more than one level of a photograph takes."""
    return scene().resize((LARGE * WIDTH, LARGE * HEIGHT))


def oriented(orientation: int) -> bytes:
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


def stored(orientation: int, picture: Pillow.Image | None = None) -> Pillow.Image:
    turn = STORED[orientation]
    picture = picture or scene()
    return picture if turn is None else picture.transpose(turn)


def corner_colours(pixels: NDArray[np.uint8]) -> list[tuple[int, int, int]]:
    """RGB a fifth in from each corner, rounded to full or none."""
    height, width = pixels.shape[:2]
    spots = [(y, x) for y in (height // 5, 4 * height // 5) for x in (width // 5, 4 * width // 5)]
    return [tuple(255 * round(int(v) / 255) for v in pixels[y, x][::-1]) for y, x in spots]  # type: ignore[misc]


def assert_scene(data: bytes) -> None:
    photo = decode(data, "scene")
    assert photo.pixels.shape == (HEIGHT, WIDTH, 3)
    assert photo.pixels.dtype == np.uint8
    assert photo.scale == 1.0
    assert corner_colours(photo.pixels) == list(CORNERS)


def code_of(data: bytes, name: str = "photo.jpg") -> str:
    with pytest.raises(PhotoError) as caught:
        decode(data, name)
    assert caught.value.message.startswith(f"{name}: ")
    assert caught.value.message.endswith(".")
    return caught.value.code


@pytest.mark.parametrize("orientation", STORED)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF", "AVIF", "TIFF"])
def test_every_orientation_is_turned_upright_once(kind: str, orientation: int) -> None:
    assert_scene(encoded(stored(orientation), kind, exif=oriented(orientation)))


@pytest.mark.parametrize("orientation", STORED)
def test_heic_is_turned_by_its_container_even_where_exif_says_it_again(orientation: int) -> None:
    """As telephones write it: rotation in the container (irot, imir) and the same orientation in EXIF."""
    heif = from_pillow(stored(orientation))
    out = io.BytesIO()
    heif.save(out, exif=oriented(orientation), quality=95)
    assert_scene(out.getvalue())


def test_bmp_and_progressive_jpeg() -> None:
    assert_scene(encoded(scene(), "BMP"))
    assert_scene(encoded(scene(), "JPEG", progressive=True, quality=95))


def test_cmyk_grey_and_palette() -> None:
    assert_scene(encoded(scene().convert("CMYK"), "JPEG", quality=95))
    assert_scene(encoded(scene().convert("P"), "PNG"))
    grey = encoded(Pillow.new("L", (WIDTH, HEIGHT), 77), "JPEG", quality=95)
    assert np.abs(decode(grey, "grey").pixels.astype(int) - 77).max() <= 1


@pytest.mark.parametrize("level", [200, 30_000, 65_535])
def test_sixteen_bit_grey(level: int) -> None:
    """A dark one too: 200 of 65535 is nearly black, not nearly white."""
    data = encoded(Pillow.fromarray(np.full((HEIGHT, WIDTH), level, np.uint16)), "PNG")
    assert np.abs(decode(data, "deep").pixels.astype(int) - round(level / 257)).max() <= 1


def test_sixteen_bit_colour() -> None:
    rgb = np.asarray(scene()).astype(np.uint16) * 257
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in rgb)
    assert_scene(png((WIDTH, HEIGHT), 16, 2, rows))


def png(size: tuple[int, int], depth: int, colour: int, rows: bytes) -> bytes:
    """A PNG written by hand (PNG 1.2, chapter 4)."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", *size, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_what_is_transparent_lies_on_mid_grey(mode: str) -> None:
    picture = Pillow.new("RGBA", (WIDTH, HEIGHT), (255, 255, 255, 255))
    picture.paste((10, 10, 10, 0), (0, 0, WIDTH // 2, HEIGHT))
    if mode == "P":
        flat = Pillow.new("P", (WIDTH, HEIGHT), 1)
        flat.putpalette([10, 10, 10, 255, 255, 255])
        flat.paste(0, (0, 0, WIDTH // 2, HEIGHT))
        data = encoded(flat, "PNG", transparency=0)
    else:
        data = encoded(picture.convert(mode), "PNG")
    pixels = decode(data, mode).pixels
    assert pixels[HEIGHT // 2, WIDTH // 4].tolist() == [128, 128, 128]
    assert pixels[HEIGHT // 2, 3 * WIDTH // 4].tolist() == [255, 255, 255]


@pytest.mark.parametrize("orientation", STORED)
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_very_large_pictures_are_taken_upright_at_half_scale(
    kind: str, orientation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "REDUCE_ABOVE", WIDTH * HEIGHT - 1)
    photo = decode(encoded(stored(orientation), kind, exif=oriented(orientation)), "large")
    assert photo.pixels.shape == (HEIGHT // 2, WIDTH // 2, 3)
    assert photo.scale == 0.5
    assert corner_colours(photo.pixels) == list(CORNERS)


@pytest.mark.parametrize("orientation", STORED)
def test_large_jpegs_are_decoded_in_full_only_when_that_is_asked_for(
    orientation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = encoded(stored(orientation, large_scene()), "JPEG", exif=oriented(orientation))
    full = decode(data, "scene").pixels
    monkeypatch.setattr(module, "HALF_FIRST", WIDTH * HEIGHT - 1)
    scales: list[bool] = []
    decode_jpeg = module._decode_jpeg

    def noted(data: bytes, name: str, halve: bool) -> NDArray[np.uint8]:
        scales.append(halve)
        return decode_jpeg(data, name, halve)

    monkeypatch.setattr(module, "_decode_jpeg", noted)
    photo = decode(data, "scene")
    pyramid, wanted = Pyramid.of_photo(photo), Pyramid.of(full)
    assert photo.scale == 1.0
    assert pyramid.size == wanted.size == (LARGE * WIDTH, LARGE * HEIGHT)
    assert len(pyramid.levels) == len(wanted.levels)
    assert np.abs(pyramid.levels[1].astype(int) - wanted.levels[1]).mean() < 2
    assert pyramid.smaller(LARGE * WIDTH // 2).size == (LARGE * WIDTH // 2, LARGE * HEIGHT // 2)
    assert scales == [True], "so far nothing needs the full size"
    assert np.array_equal(pyramid.levels[0], full)
    assert np.array_equal(photo.pixels, full)
    assert scales == [True, False], "once is enough"
    assert corner_colours(photo.pixels) == list(CORNERS)


def test_a_large_photograph_with_other_pixels_keeps_nothing_of_the_old_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HALF_FIRST", WIDTH * HEIGHT - 1)
    photo = decode(encoded(large_scene(), "JPEG"), "scene")
    dark = dataclasses.replace(photo, pixels=photo.pixels // 2)
    assert (dark.name, dark.scale) == ("scene", 1.0)
    assert np.array_equal(Pyramid.of_photo(dark).levels[0], photo.pixels // 2)
    assert np.array_equal(pickle.loads(pickle.dumps(photo)).pixels, photo.pixels)


def test_a_size_that_cannot_be_halved_is_decoded_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HALF_FIRST", 0)
    odd = scene().resize((WIDTH - 1, HEIGHT))
    photo = decode(encoded(odd, "JPEG"), "odd")
    assert not isinstance(photo, module.HalfPhoto)
    assert Pyramid.of_photo(photo).size == (WIDTH - 1, HEIGHT)


def test_fifty_megapixels_are_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PIXELS", WIDTH * HEIGHT)
    assert_scene(encoded(scene(), "PNG"))
    monkeypatch.setattr(module, "MAX_PIXELS", WIDTH * HEIGHT - 1)
    for kind in FORMATS:
        assert code_of(encoded(scene(), kind)) == "photo-too-large"


@pytest.mark.parametrize("side", [7_200, 20_000])
def test_a_bomb_costs_no_memory(side: int) -> None:
    data = png((side, side), 1, 0, b"\0" * 1000)
    tracemalloc.start()
    try:
        assert code_of(data, "bomb.png") == "photo-too-large"
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_files_of_absurd_size_are_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "film.jpg"
    with path.open("wb") as file:
        os.truncate(file.fileno(), module.MAX_BYTES + 1)  # takes no room on the disk
    with pytest.raises(PhotoError) as caught:
        read_photo_file(path)
    assert caught.value.code == "photo-too-large"


VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    **{kind: (kind, {}) for kind in FORMATS},
    "progressive JPEG": ("JPEG", {"progressive": True}),
    "lossless WebP": ("WEBP", {"lossless": True}),
    "packed TIFF": ("TIFF", {"compression": "tiff_lzw"}),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_cut_short(variant: str, share: float, capfd: pytest.CaptureFixture[str]) -> None:
    kind, options = VARIANTS[variant]
    data = encoded(texture(), kind, **options)
    assert code_of(data[: int(len(data) * share)]) == "photo-broken"
    assert capfd.readouterr().err == ""


def test_a_thumbnail_does_not_pass_for_the_picture() -> None:
    """Phones put a whole small JPEG, end marker included, into EXIF."""
    thumbnail = encoded(texture().resize((80, 60)), "JPEG")
    data = encoded(texture(), "JPEG")
    segment = b"Exif\0\0" + thumbnail
    whole = data[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + data[2:]
    assert decode(whole, "phone").pixels.shape == (HEIGHT, WIDTH, 3)
    for cut in (len(whole) // 2, len(whole) - len(data) // 2, len(whole) - 2):
        assert code_of(whole[:cut]) == "photo-broken"


def test_what_phones_append_after_the_end_is_no_fault() -> None:
    data = encoded(texture(), "JPEG")
    expected = decode(data, "plain").pixels
    for tail in (b"\0\0\0\x18ftypmp42" + bytes(range(256)) * 40, b"\0" * 100, data):
        assert np.array_equal(decode(data + tail, "motion").pixels, expected)
    cut = data[: len(data) // 2]
    assert code_of(cut + b"\0" * 1000) == "photo-broken"


def test_a_second_picture_behind_the_first_changes_nothing() -> None:
    """MPO, as telephones with two lenses write it."""
    first, second = scene(), Pillow.new("RGB", (WIDTH, HEIGHT))
    assert_scene(encoded(first, "MPO", save_all=True, append_images=[second], quality=95))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "photo-empty"),
        (b"Dear grandmother, ...", "photo-format"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "photo-format"),
        (b"%PDF-1.7\n", "photo-format"),
        (encoded(Pillow.new("L", (100, 100)), "GIF"), "photo-format"),
        (encoded(Pillow.new("L", (100, 20)), "PNG"), "photo-small"),
        (b"\xff\xd8\xff", "photo-broken"),
        (b"\x89PNG\r\n\x1a\n", "photo-broken"),
    ],
)
def test_what_is_no_photo(content: bytes, code: str, tmp_path: Path) -> None:
    path = tmp_path / "кухня.jpg"
    path.write_bytes(content)
    with pytest.raises(PhotoError) as caught:
        read_photo_file(path)
    assert caught.value.code == code
    assert "кухня.jpg: " in caught.value.message


def test_where_there_is_no_file(tmp_path: Path) -> None:
    for path, code in (
        (tmp_path / "none.jpg", "photo-missing"),
        (tmp_path, "photo-folder"),
        (Path("a\0b.jpg"), "photo-unreadable"),
    ):
        with pytest.raises(PhotoError) as caught:
            read_photo_file(path)
        assert caught.value.code == code
        assert caught.value.message.startswith(f"{path}: ")


@pytest.mark.parametrize("variant", VARIANTS)
def test_damaged_files_never_raise_anything_else(variant: str) -> None:
    kind, options = VARIANTS[variant]
    data = encoded(texture(), kind, **options)
    chance = random.Random(variant)
    outcomes: set[str] = set()
    for _ in range(40):
        damaged = bytearray(data)
        for _ in range(chance.choice((1, 5, 20))):
            damaged[chance.randrange(min(len(data), chance.choice((60, 400, len(data)))))] = chance.randrange(256)
        try:
            outcomes.add(str(decode(bytes(damaged), variant).pixels.dtype))
        except PhotoError as error:
            outcomes.add(error.code)
    assert "photo-broken" in outcomes
