"""`python -m calibration enrol PHOTO... --game GAME --out DIR`: a deck from photographs of your own cards.

Lay the cards face up and upright in rows, a finger apart, on a plain table; any number a photo, copies allowed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from calibration.enrol.counts import unusual
from calibration.enrol.doubts import SENTENCES
from calibration.enrol.enrolment import Enrolment, enrol
from calibration.enrol.folder import check_free
from calibration.errors import EnrolmentError
from referee.decks import Game
from referee.vision.decode import read_photo_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration enrol`."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a JPEG, PNG, WebP or HEIC file")
    parser.add_argument("--game", choices=[game.value for game in Game], required=True)
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the deck's folder, new or to be replaced"
    )
    parser.add_argument("--name", help="what the deck is called; default: the folder's name")
    parser.add_argument("--card-mm", metavar="W:H", help="a card's size in millimetres, such as 63:88")
    parser.add_argument("--json", action="store_true", help="one JSON object a line on standard output")


def run(arguments: argparse.Namespace) -> int:
    """Make the deck and say what should be looked at."""
    game = Game(arguments.game)
    card_mm = None if arguments.card_mm is None else card_size(arguments.card_mm, game)
    check_free(arguments.out)
    photos = [read_photo_file(path) for path in arguments.photos]
    enrolment = enrol(photos, game, card_mm)
    enrolment.write(arguments.out, arguments.name or arguments.out.resolve().name)
    faces = enrolment.faces
    notes = notes_on(enrolment)
    if arguments.json:
        for number, path in enumerate(arguments.photos):
            print(json.dumps({"photo": path, "cards": _cards(enrolment, number)}, ensure_ascii=False))
        summary = {
            "deck": str(arguments.out),
            "faces": len(faces),
            "needs_review": [face.id for face in faces if face.proposal.needs_review],
            "alike": enrolment.alike,
            "doubts": enrolment.doubts,
            "notes": notes,
        }
        print(json.dumps(summary, ensure_ascii=False))
        return 0
    for number, path in enumerate(arguments.photos):
        print(f"{path}: {len(_cards(enrolment, number))} cards")
    print(f"{arguments.out}: {len(faces)} faces, {len(enrolment.crops)} cards")
    for face in faces:
        if face.proposal.unsure:
            print(f"  look at {face.id}: {', '.join(face.proposal.unsure)}")
    for one, two in enrolment.alike:
        print(f"  {one} and {two} look much alike")
    for note in notes:
        print(f"  {note}")
    return 0


def notes_on(enrolment: Enrolment) -> list[str]:
    """What the owner should know: what looks odd, and how many cards there are."""
    doubts = [SENTENCES[doubt] for doubt in enrolment.doubts]
    counts, guessed = enrolment.counts()
    if guessed:
        return [
            *doubts,
            "Each face was laid out once: how many there are of each is not known, many are taken for possible.",
        ]
    return doubts + unusual(enrolment.game, [face.proposal.kind for face in enrolment.faces], counts)


def card_size(text: str, game: Game) -> tuple[float, float]:
    """`W:H` -> millimetres (width, height) of an upright card. Raises EnrolmentError."""
    try:
        width, height = (float(part) for part in text.split(":"))
    except ValueError:
        width = height = 0.0
    if not (10 <= width <= 300 and 10 <= height <= 300):
        raise EnrolmentError("bad-card", f"--card-mm {text}: give width and height in millimetres, such as 63:88.")
    if game is Game.IF_IT_FITS:
        return min(width, height), max(width, height)
    return width, height


def _cards(enrolment: Enrolment, photo: int) -> list[dict[str, Any]]:
    return [
        {
            "face": enrolment.face_of(number).id,
            "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in crop.corners],
            "confidence": round(crop.confidence, 3),
        }
        for number, crop in enumerate(enrolment.crops)
        if crop.photo == photo
    ]
