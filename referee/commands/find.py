"""`python -m referee find PHOTO... --card W:H`: the cards of any design in photographs, without a deck."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import TYPE_CHECKING, Any

from referee.commands.answers import SOMETHING_UNUSABLE
from referee.errors import InputError
from referee.vision.decode import read_photo_file
from referee.vision.find import FoundCard, find_cards

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

LONGEST = 3.0
"""The longest shape that is looked for: this many times as long as it is wide."""


def add_to(subparsers: Subparsers) -> None:
    """Add the subcommand to the command line."""
    parser = subparsers.add_parser("find", help="find cards of any design in photographs", description=__doc__)
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a JPEG, PNG, WebP or HEIC file")
    parser.add_argument("--card", required=True, metavar="W:H", help="the shape of the cards, such as 1:1 or 63:88")
    parser.add_argument("--json", action="store_true", help="one JSON object a line on standard output")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer each photograph in turn. Raises InputError for a shape that is none."""
    aspect = aspect_of(arguments.card)
    status = 0
    for path in arguments.photos:
        try:
            photo = read_photo_file(path)
        except InputError as error:
            status = SOMETHING_UNUSABLE
            if arguments.json:
                print(f"referee: {error.message}", file=sys.stderr)
                _write({"photo": path, "error": error.to_dict()})
            else:
                print(f"{path}\n  {error.message}")
            continue
        cards = find_cards(photo.pixels, aspect)
        if arguments.json:
            _write({"photo": path, "cards": [_card(card, photo.scale) for card in cards]})
        else:
            print("\n  ".join([path, *_sentences(cards, photo.scale)]))
    return status


def aspect_of(shape: str) -> float:
    """`W:H` -> the long side over the short one (>= 1). Raises InputError."""
    try:
        width, height = (float(part) for part in shape.split(":"))
    except ValueError:
        width = height = math.nan
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise InputError(
            "bad-card", f"--card {shape}: give the cards' width and height with a colon between, such as 63:88."
        )
    aspect = max(width, height) / min(width, height)
    if aspect > LONGEST:
        raise InputError(
            "bad-card", f"--card {shape}: cards more than {LONGEST:g} times as long as wide are not looked for."
        )
    return aspect


def _card(card: FoundCard, scale: float) -> dict[str, Any]:
    """The card in the contract's form; scale: pixels of the decoded picture for one of the file."""
    corners = card.corners / scale
    return {
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in corners],
        "confidence": round(card.confidence, 3),
    }


def _sentences(cards: tuple[FoundCard, ...], scale: float) -> list[str]:
    if not cards:
        return ["No card found."]
    lines = ["1 card found:" if len(cards) == 1 else f"{len(cards)} cards found:"]
    for card in cards:
        corners = ", ".join(f"({x:.0f}, {y:.0f})" for x, y in card.corners / scale)
        lines.append(f"  corners {corners}; {100 * card.confidence:.0f} % sure")
    return lines


def _write(answer: dict[str, Any]) -> None:
    print(json.dumps(answer, ensure_ascii=False, allow_nan=False), flush=True)
