"""`python -m calibration export DIR FILE.zip` and `import FILE.zip DIR`: a deck as one file, read safely."""

from __future__ import annotations

import argparse
import io
import shutil
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from calibration.enrol.folder import check_free, put_in_place
from calibration.errors import CalibrationError
from referee.decks import Deck, load_deck
from referee.errors import DeckError, PhotoError
from referee.vision.decode import read_photo_file

MOST_FILES = 600
"""Files in a deck's archive."""
MOST_BYTES = 120_000_000
"""Bytes of all files together, unpacked."""
MOST_BYTES_A_FILE = 20_000_000
LONGEST_NAME = 120
"""Letters in the name of a file or folder."""


def pack(folder: Path) -> bytes:
    """The deck in a folder as a zip file: `deck.json` and the pictures it names, nothing else. Raises DeckError."""
    deck = load_deck(folder)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(folder / "deck.json", "deck.json")
        for name in sorted({face.image for face in deck.faces if face.image is not None}):
            archive.write(folder / name, name)
    return out.getvalue()


def unpack(data: bytes, folder: Path) -> Deck:
    """Put the deck of a zip file into a folder, whole or not at all.

    Names are checked before anything is written, sizes while it is read (what the file says of itself is not
    believed). Raises CalibrationError for an archive that is none or too large, DeckError for a deck that is wrong.
    """
    check_free(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _extract(archive, fresh)
        if not (fresh / "deck.json").is_file():
            raise CalibrationError("zip-broken", "The archive holds no deck.json; export the deck again.")
        _check_pictures(load_deck(fresh))
        fresh.chmod(0o755)
        put_in_place(fresh, folder)
    except DeckError as error:  # it must not name a folder that is gone by now
        raise DeckError(error.code, f"deck.json: {error.message.rpartition('deck.json: ')[2]}") from None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError):
        raise CalibrationError(
            "zip-broken", "This is no zip file of a deck, or it is broken; export it again."
        ) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return load_deck(folder)


def _extract(archive: zipfile.ZipFile, folder: Path) -> None:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MOST_FILES:
        raise CalibrationError("zip-too-many", f"The archive holds more than {MOST_FILES} files; that is no deck.")
    left = MOST_BYTES
    for entry in entries:
        path = safe_path(entry)
        if path is None:
            raise CalibrationError(
                "zip-path", f"The archive holds {entry.filename!r}, which does not belong to a deck."
            )
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            file = target.open("xb")
        except (FileExistsError, NotADirectoryError):
            raise CalibrationError(
                "zip-path", f"The archive holds {entry.filename!r} twice; that is no deck."
            ) from None
        with file, archive.open(entry) as source:
            size = 0
            while block := source.read(1 << 16):
                size += len(block)
                left -= len(block)
                if size > MOST_BYTES_A_FILE or left < 0:
                    raise CalibrationError("zip-too-large", "The archive unpacks to too much; that is no deck.")
                file.write(block)


def _check_pictures(deck: Deck) -> None:
    """Before the deck is put in its place. Raises DeckError."""
    for face in deck.faces:
        path = deck.image_path(face.id)
        try:
            if path is not None:
                read_photo_file(path)
        except PhotoError:
            raise DeckError(
                "face-image-broken",
                f'deck.json: face "{face.id}": image "{face.image}" is no picture.',
            ) from None


def safe_path(entry: zipfile.ZipInfo) -> PurePosixPath | None:
    """Where a file of the archive goes: `deck.json`, or a picture below the folder; None for anything else."""
    name = entry.filename
    path = PurePosixPath(name)
    odd = (
        "\\" in name
        or max(map(len, path.parts), default=0) > LONGEST_NAME
        or "\0" in name
        or ":" in name
        or path.is_absolute()
        or ".." in path.parts
        or len(path.parts) > 3
    )
    link = (entry.external_attr >> 16) & 0o170000 not in (0, 0o100000)
    if odd or link or entry.flag_bits & 1:
        return None
    if path == PurePosixPath("deck.json") or path.suffix.lower() in (".png", ".jpg", ".jpeg"):
        return path
    return None


def add_export_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration export`."""
    parser.add_argument("deck", type=Path, metavar="DIR")
    parser.add_argument("file", type=Path, metavar="FILE.zip")


def run_export(arguments: argparse.Namespace) -> int:
    """Write the archive."""
    data = pack(arguments.deck)
    arguments.file.write_bytes(data)
    print(f"{arguments.file}: {len(data)} bytes")
    return 0


def add_import_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration import`."""
    parser.add_argument("file", type=Path, metavar="FILE.zip")
    parser.add_argument("deck", type=Path, metavar="DIR")


def run_import(arguments: argparse.Namespace) -> int:
    """Unpack the archive."""
    try:
        size = arguments.file.stat().st_size
    except OSError as error:
        raise CalibrationError("zip-missing", f"{arguments.file}: cannot be read ({error.strerror}).") from None
    if size > MOST_BYTES:
        raise CalibrationError("zip-too-large", f"{arguments.file}: is too large for a deck.")
    deck = unpack(arguments.file.read_bytes(), arguments.deck)
    print(f"{arguments.deck}: {deck.name}, {len(deck.faces)} faces")
    return 0
