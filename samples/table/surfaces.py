"""Which table tops there are: drawn patterns, photographed ones shipped here, and more that can be fetched.

Every kind belongs to one of two halves: `tune` is for developing and choosing thresholds, `held-back` only
for measuring at the end.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from samples.table.patterns import PATTERNS, linear, noise

Floats = npt.NDArray[np.float32]
Split = Literal["tune", "held-back", "all"]

SHIPPED = Path(__file__).resolve().parent.parent / "surfaces"
"""Small photographed surfaces with their licences."""
TEXTURE_PX = 2048
"""Side of the square texture that a surface is painted from."""
_PHOTO_TILE_MM = (450.0, 1100.0)
_PHOTO_GLOSS = (0.0, 0.35)


@dataclass(frozen=True)
class Surface:
    """A kind of table top. `photo` is a picture file, or None for the drawn pattern of that name.

    `tile_mm`: range of millimetres that the square texture may stand for; `gloss`: range of its shine, 0..1.
    """

    name: str
    photo: Path | None
    tile_mm: tuple[float, float]
    gloss: tuple[float, float]

    def texture(self, rng: np.random.Generator, side_px: int = TEXTURE_PX) -> Floats:
        """Paint it: (side_px, side_px, 3) float32, BGR reflectance in linear light."""
        if self.photo is None:
            return np.asarray(np.clip(PATTERNS[self.name][0](rng, side_px), 0.004, 0.96), np.float32)
        with Image.open(self.photo) as picture:
            pixels = np.asarray(picture.convert("RGB"), np.uint8)[..., ::-1]
        side = min(pixels.shape[:2])
        top, left = ((n - side) // 2 for n in pixels.shape[:2])
        square = cv2.resize(
            np.ascontiguousarray(pixels[top : top + side, left : left + side]),
            (side_px, side_px),
            interpolation=cv2.INTER_AREA if side > side_px else cv2.INTER_CUBIC,
        )
        reflectance = linear(square.astype(np.float32) / 255)
        if side < side_px // 3:
            # Small pictures lack the fine grain that a close look at any real table shows.
            grain = noise(rng, (side_px, side_px), (4, 4), 2)
            reflectance = reflectance * (1 + np.float32(0.07) * grain)[..., None]
        # Photographs of materials are exposed to look bright; a real white table reflects about 80 per cent.
        return np.asarray(np.clip(reflectance * np.float32(rng.uniform(0.55, 0.9)), 0.004, 0.9), np.float32)


def surfaces(split: Split = "all", folders: Iterable[Path] = ()) -> tuple[Surface, ...]:
    """The surfaces of one half (or all), in a fixed order: patterns, shipped photos, then those of `folders`.

    Kinds are dealt to the halves in turn by name, within patterns and within each folder, so a new folder
    moves nothing that was there before.
    """
    drawn = [Surface(name, None, tile, gloss) for name, (_, tile, gloss) in sorted(PATTERNS.items())]
    groups = [drawn]
    seen: set[str] = set()
    for folder in (SHIPPED, *folders):
        files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in {".jpg", ".jpeg", ".png"})
        # The same material twice could end up in both halves.
        files = [p for p in files if p.stem not in seen]
        seen.update(p.stem for p in files)
        groups.append([_photographed(p) for p in files])
    if split == "all":
        return tuple(s for group in groups for s in group)
    half = 0 if split == "tune" else 1
    return tuple(s for group in groups for k, s in enumerate(group) if k % 2 == half)


def _photographed(path: Path) -> Surface:
    """Small pictures stand for less table, or they would look blurred beside the cards."""
    with Image.open(path) as picture:
        share = float(np.clip(min(picture.size) / 500, 0.35, 1.0))
    return Surface(path.stem, path, (_PHOTO_TILE_MM[0] * share, _PHOTO_TILE_MM[1] * share), _PHOTO_GLOSS)


@dataclass(frozen=True)
class _Source:
    """A package with photographed materials: its registry, name, licence, and which files are table-like."""

    registry: Literal["pypi", "debian"]
    package: str
    licence: str
    inside: str
    names: tuple[str, ...]


SOURCES = (
    _Source(
        "pypi",
        "robosuite==1.5.2",
        "MIT",
        "robosuite/models/assets/textures/",
        (
            "blue-wood",
            "brass-ambra",
            "clay",
            "cream-plaster",
            "dark-wood",
            "gray-felt",
            "gray-plaster",
            "gray-woodgrain",
            "green-wood",
            "light-gray-floor-tile",
            "light-wood",
            "pink-plaster",
            "red-wood",
            "steel-brushed",
            "steel-scratched",
            "wood-tiles",
            "wood-varnished-panels",
            "yellow-plaster",
        ),
    ),
    _Source(
        "debian",
        "sweethome3d",
        "GPL-2+ (program data)",
        "com/eteks/sweethome3d/io/resources/textures/",
        (
            "beigeTile",
            "blackAndWhiteTiles",
            "blueTiles",
            "darkBlueTile",
            "greyTile",
            "lightBlueTile",
            "marbleWall",
            "oldWoodenFloor",
            "pebbles",
            "redTiles",
            "stoneTiles",
            "wallBeigeTile",
            "woodenFloor",
        ),
    ),
    _Source(
        "debian",
        "supertuxkart-data",
        "CC-BY-SA-3.0 and free game-art licences",
        "usr/share/games/supertuxkart/data/textures/",
        (
            "stk_generic_carpet_a",
            "stk_generic_colorfabricA",
            "stk_generic_plasticFabric_a",
            "stktex_generic_WoodA",
            "stktex_generic_WoodB",
            "stktex_generic_WoodC",
            "stktex_generic_WoodD",
            "stktex_generic_WoodE",
            "stktex_generic_WoodF",
            "stktex_generic_WoodG",
            "stktex_generic_WoodH",
            "stktex_generic_concreteA",
            "stktex_generic_marbleA",
            "stktex_generic_tilesA",
            "stktex_generic_tilesB",
            "stktex_pupleCarpet_a",
            "wood_planks1",
        ),
    ),
)
"""Where `fetch` gets more surfaces. They stay on the developer's machine; only what is in `SHIPPED` is ours to ship."""


def fetch(folder: Path) -> list[Path]:
    """Download `SOURCES` by package name into `folder/PACKAGE/`; returns the pictures that are there then.

    Needs pip's index, and apt-get for the Debian packages. Raises CalledProcessError when a download fails.
    """
    kept: list[Path] = []
    for source in SOURCES:
        target = folder / source.package.split("==")[0]
        target.mkdir(parents=True, exist_ok=True)
        wanted = [name for name in source.names if not list(target.glob(f"{name}.*"))]
        if wanted:
            with tempfile.TemporaryDirectory() as work:
                _unpack(source, Path(work), target)
        kept += sorted(target.iterdir())
    return kept


def _unpack(source: _Source, work: Path, target: Path) -> None:
    if source.registry == "pypi":
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", source.package, "-d", str(work)]
        subprocess.run(command, check=True)
        _save_from_zip(next(work.glob("*.whl")), source, target)
        return
    subprocess.run(["apt-get", "download", source.package], check=True, cwd=work)
    subprocess.run(["dpkg-deb", "-x", str(next(work.glob("*.deb"))), str(work)], check=True)
    for path in (work / source.inside).glob("*"):
        if path.stem in source.names and path.suffix in {".png", ".jpg"}:
            _save(path.read_bytes(), target / f"{path.stem}.jpg")
    for jar in work.rglob("*.jar"):
        _save_from_zip(jar, source, target)


def _save_from_zip(archive: Path, source: _Source, target: Path) -> None:
    with zipfile.ZipFile(archive) as files:
        for name in files.namelist():
            stem = name.removeprefix(source.inside).rsplit(".", 1)[0]
            if name.startswith(source.inside) and stem in source.names:
                _save(files.read(name), target / f"{stem}.jpg")


def _save(data: bytes, path: Path) -> None:
    with Image.open(io.BytesIO(data)) as picture:
        flat = picture.convert("RGB")
        flat.thumbnail((1024, 1024))
        flat.save(path, quality=88)
