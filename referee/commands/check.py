"""`python -m referee check PHOTO...`: the verdict on photographs of a table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from referee.annotate import annotate
from referee.commands.answers import Answers, Decks, add_options, options_from
from referee.debug import write_debug
from referee.decks import Game
from referee.drawing import Pixels
from referee.errors import InputError
from referee.export import answer_of_look, sentences_of_look
from referee.messages import Messages
from referee.pipeline import CheckedPhoto, check_file
from referee.sequence import Look, TableSequence
from referee.vision.profile_files import usual_folder

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


def add_to(subparsers: Subparsers) -> None:
    """Add the subcommand to the command line."""
    parser = subparsers.add_parser("check", help="judge photographs of a table", description=__doc__)
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a JPEG, PNG, WebP or HEIC file")
    add_options(parser)
    parser.add_argument(
        "--sequence",
        action="store_true",
        help="the photos show one table, in order, after each move: judge the moves too, and let cards keep their ids",
    )
    parser.add_argument(
        "--profile",
        type=Path,
        metavar="FILE",
        help="what `python -m calibration` measured of the camera or the light; if FILE is a folder, the profile there "
        "of the camera that took the photo",
    )
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="FILE",
        help="write the photo with the verdict drawn into it (.jpg, .png or .webp); for several photos FILE becomes "
        "FILE-1, FILE-2 and so on; if FILE is a folder, each picture there is named after its photo",
    )
    parser.add_argument(
        "--debug",
        type=Path,
        metavar="DIR",
        help="write a picture of each stage into this folder; for several photos into a folder for each in it",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer each photograph in turn. Raises InputError only for options that do not exist or cannot be met."""
    options = options_from(arguments)
    pictures = list(picture_files(arguments.annotate, arguments.photos))
    stages = list(stage_folders(arguments.debug, arguments.photos))
    decks = Decks(arguments.deck)
    game = Game(arguments.game or Game.CAT_AND_MOUSE)
    messages = Messages(arguments.lang)
    answers = Answers(arguments.json, messages)
    profile = arguments.profile or usual_folder()
    sequence: TableSequence | None = None
    before: CheckedPhoto | None = None
    for path, picture, stage in zip(arguments.photos, pictures, stages, strict=True):
        try:
            deck = decks.of(game)
            if arguments.sequence and sequence is None:
                sequence = TableSequence(deck, options)
            checked = check_file(path, deck, options, before, profile)
            before = checked if arguments.sequence else None
            look = Look(checked) if sequence is None else sequence.look(checked)
        except InputError as error:
            if sequence is not None:
                sequence.skip()
            answers.refuse(error, {"photo": path}, path)
            continue
        try:
            _draw(look, picture, stage, messages)
        except InputError as error:
            answers.refuse(error, {"photo": path}, path)
            continue
        answer = answer_of_look(look, messages)
        answers.give(look.checked.ruling.outcome, answer, path, sentences_of_look(look, messages))
    return answers.status


def _draw(look: Look, picture: Path | None, stage: Path | None, messages: Messages) -> None:
    if picture is not None:
        write_picture(annotate(look.checked, messages, look.move), picture)
    if stage is not None:
        write_debug(look.checked, stage)


def picture_files(asked: Path | None, photos: Sequence[str]) -> Iterator[Path | None]:
    """Where the picture of each photograph goes. Raises InputError if that is no picture file in a folder."""
    if asked is None:
        yield from (None for _ in photos)
        return
    if asked.is_dir():
        yield from (asked / f"{name}.jpg" for name in _names(photos))
        return
    if asked.suffix.lower() not in PICTURE_ENDINGS:
        raise InputError(
            "bad-option", f"--annotate {asked}: name a file that ends in .jpg, .png or .webp, or a folder that exists."
        )
    try:
        asked.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "bad-option", f"--annotate {asked}: the folder {asked.parent} cannot be made ({error.strerror})."
        ) from None
    if len(photos) == 1:
        yield asked
    else:
        yield from (asked.with_stem(f"{asked.stem}-{number}") for number in range(1, len(photos) + 1))


def stage_folders(asked: Path | None, photos: Sequence[str]) -> Iterator[Path | None]:
    """The folder for the stages of each photograph."""
    if asked is None:
        yield from (None for _ in photos)
    elif len(photos) == 1:
        yield asked
    else:
        yield from (asked / name for name in _names(photos))


def _names(photos: Sequence[str]) -> Iterator[str]:
    """A name for each photograph: its own, numbered where two are called the same."""
    taken: set[str] = set()
    for photo in photos:
        stem = name = f"{Path(photo).stem}-checked"
        number = 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        yield name


def write_picture(picture: Pixels, path: Path) -> None:
    """Write a BGR picture. Raises InputError if the file cannot be written."""
    encoded = cv2.imencode(path.suffix.lower(), picture)[1].tobytes()
    try:
        path.write_bytes(encoded)
    except OSError as error:
        raise InputError(
            "cannot-write", f"{path}: the picture cannot be written ({error.strerror}). Name another file."
        ) from None
