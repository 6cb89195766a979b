"""Card art and photographs of others, fetched by package name for measuring `find`; nothing of it is shipped.

python -m tests.benchmarks.find_art FOLDER

Makes FOLDER/cards/NAME@WxH/*.png (faces of card sets, one folder a set) and FOLDER/photos/*.jpg (photographs of
anything but cards). Needs apt-get, dpkg-deb and rsvg-convert.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]

SHEETS = "gnome-cards-data", "usr/share/aisleriot/cards"
"""Each file is one picture of thirteen columns and five rows of cards."""
ELEMENTS = "kdegames-card-data-kf5", "usr/share/carddecks"
"""Each file has an element for each card."""
TILES = "kdegames-mahjongg-data-kf5", "usr/share/kmahjongglib/tilesets"
PHOTOS = ("lomiri-wallpapers-16.04", "lomiri-wallpapers-20.04", "mate-backgrounds", "ukui-wallpapers")
MORE_PHOTOS = "plasma-workspace-wallpapers", "opencv-doc"
LEAST_BYTES = 60_000
"""Smaller pictures than this are drawings and thumbnails."""
LONG_SIDE = 1600
RANKS, SUITS = ("1", "2", "7", "10", "jack", "queen", "king"), ("heart", "spade")
HEIGHT = 560
"""Pixels of a face."""
NOT_PHOTOS = ("result", "mask", "trimap", "screenshot", "logo", "GT.", "html", "digits", "pic", "shape", "char", "segm")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as work:
        for package in {SHEETS[0], ELEMENTS[0], TILES[0], *PHOTOS, *MORE_PHOTOS}:
            place = Path(work) / package
            place.mkdir()
            subprocess.run(["apt-get", "download", package], check=True, cwd=place, stderr=subprocess.DEVNULL)
            subprocess.run(["dpkg-deb", "-x", str(next(place.glob("*.deb"))), str(place)], check=True)
        cards = folder / "cards"
        for path in sorted((Path(work) / SHEETS[0] / SHEETS[1]).glob("*.svgz")):
            if path.stem.isascii():
                _save(cards, path.stem, _of_a_sheet(path))
        for path in sorted((Path(work) / ELEMENTS[0] / ELEMENTS[1]).glob("*/*.svgz")):
            names = [f"{rank}_{suit}" for rank in RANKS for suit in SUITS]
            _save(cards, path.parent.name, _elements(path, names))
        for path in sorted((Path(work) / TILES[0] / TILES[1]).glob("*.svgz")):
            names = [f"{kind}_{n}" for kind in ("CHARACTER", "ROD", "BAMBOO", "FLOWER") for n in range(1, 5)]
            _save(cards, path.stem, [_on_ivory(face) for face in _elements(path, names)])
        photos = folder / "photos"
        photos.mkdir(parents=True, exist_ok=True)
        for package in (*PHOTOS, *MORE_PHOTOS):
            for path in sorted((Path(work) / package).rglob("*")):
                _save_photo(photos, path)


def _of_a_sheet(path: Path) -> list[Pixels]:
    sheet = _drawn(path, ["-h", str(5 * HEIGHT)])
    high, wide = sheet.shape[0] / 5, sheet.shape[1] / 13
    places = [(row, column) for row in range(4) for column in (0, 2, 6, 9, 10, 11, 12)]
    return [
        sheet[round(r * high) : round((r + 1) * high), round(c * wide) : round((c + 1) * wide)] for r, c in places[::2]
    ]


def _elements(path: Path, names: Iterable[str]) -> list[Pixels]:
    faces = []
    for name in names:
        try:
            faces.append(_drawn(path, ["-h", str(HEIGHT), f"--export-id={name}"]))
        except subprocess.CalledProcessError:
            continue
    return [face for face in faces if min(face.shape[:2]) > HEIGHT // 3]


def _drawn(path: Path, options: list[str]) -> Pixels:
    """(H, W, 4) uint8 BGRA, without the empty rim."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        command = ["rsvg-convert", "--unlimited", "-a", *options, str(path), "-o", file.name]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        drawn = cv2.imread(file.name, cv2.IMREAD_UNCHANGED)
    if drawn is None or drawn.ndim != 3 or drawn.shape[2] != 4:
        raise subprocess.CalledProcessError(1, command)
    return np.asarray(drawn, dtype=np.uint8)


def _on_ivory(face: Pixels) -> Pixels:
    """What is printed on a tile, on a tile."""
    edge = round(0.12 * face.shape[0])
    padded = cv2.copyMakeBorder(face, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    share = padded[..., 3:].astype(np.float32) / 255
    colour = padded[..., :3] * share + np.array([225, 240, 246], dtype=np.float32) * (1 - share)
    return np.concatenate([colour, np.full_like(share, 255)], axis=2).astype(np.uint8)


def _save(cards: Path, name: str, faces: list[Pixels]) -> None:
    """Each face without its transparent rim, on white, its transparent corners white too."""
    faces = [cropped for face in faces if (cropped := _cropped(face)) is not None]
    if len(faces) < 3:
        return
    ratio = float(np.median([face.shape[1] / face.shape[0] for face in faces]))
    target = cards / f"{name}@{round(88 * ratio, 1)}x88"
    target.mkdir(parents=True, exist_ok=True)
    for i, face in enumerate(faces):
        cv2.imwrite(str(target / f"{i}.png"), face)


def _cropped(face: Pixels) -> Pixels | None:
    solid = face[..., 3] > 128
    rows, columns = np.flatnonzero(solid.mean(axis=1) > 0.5), np.flatnonzero(solid.mean(axis=0) > 0.5)
    if len(rows) < 100 or len(columns) < 60:
        return None
    return np.asarray(face[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _save_photo(photos: Path, path: Path) -> None:
    if path.suffix.lower() not in {".jpg", ".jpeg", ".png"} or path.is_symlink():
        return
    if path.stat().st_size < LEAST_BYTES or any(word in str(path).replace("opencv-doc", "") for word in NOT_PHOTOS):
        return
    with Image.open(path) as picture:
        if max(picture.size) < 400:
            return
        flat = picture.convert("RGB")
        flat.thumbnail((LONG_SIDE, LONG_SIDE))
        name = path.stem if path.stem[0].isalpha() else path.parents[2].name
        flat.save(photos / f"{name}.jpg", quality=92)


if __name__ == "__main__":
    main()
