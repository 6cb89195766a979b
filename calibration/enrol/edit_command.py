"""`python -m calibration extend|replace|merge|split|confirm DIR ...`: a deck from photographs, put right or added to.

Cards of a face are numbered as in its list `copies` in `deck.json`, from 1.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from calibration.enrol.editing import EditedDeck, composition
from calibration.enrol.enrolment import enrol, found_cards
from calibration.enrol.light import evened
from referee.vision.decode import read_photo_file


def add_extend_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration extend`."""
    parser.add_argument("deck", type=Path, metavar="DIR")
    parser.add_argument("photos", nargs="+", metavar="PHOTO")


def run_extend(arguments: argparse.Namespace) -> int:
    """Count copies of known faces, add faces that are new."""
    with EditedDeck(arguments.deck) as deck:
        photos = [read_photo_file(path) for path in arguments.photos]
        found = enrol(photos, deck.game, card_mm(deck), whole=False)
        fresh = deck.extend(found)
    print(f"{arguments.deck}: {len(found.crops)} cards, {len(fresh)} new faces")
    for face_id in fresh:
        print(f"  look at {face_id}")
    for part in composition(deck.game, deck.faces):
        if part["usual"] and part["have"] != part["usual"]:
            print(f"  {part['have']} cards are {part['kind']}, usually there are {part['usual']}.")
    return 0


def card_mm(deck: EditedDeck) -> tuple[float, float]:
    """Width and height of the deck's cards."""
    width, height = deck.content["card_mm"]
    return float(width), float(height)


def add_replace_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration replace`."""
    parser.add_argument("deck", type=Path, metavar="DIR")
    parser.add_argument("face", metavar="FACE")
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="photographs that show this face and no other")


def run_replace(arguments: argparse.Namespace) -> int:
    """Give a face the picture of these cards."""
    with EditedDeck(arguments.deck) as deck:
        deck.face(arguments.face)
        photos = [read_photo_file(path) for path in arguments.photos]
        deck.replace_picture(arguments.face, evened(found_cards(photos, card_mm(deck))))
    print(f"{arguments.deck}: {arguments.face} has a new picture")
    return 0


def add_merge_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration merge`."""
    parser.add_argument("deck", type=Path, metavar="DIR")
    parser.add_argument("faces", nargs="+", metavar="FACE", help="the first one's features stay")


def run_merge(arguments: argparse.Namespace) -> int:
    """Make several faces one."""
    with EditedDeck(arguments.deck) as deck:
        kept = deck.merge(arguments.faces)
    print(f"{arguments.deck}: {kept} has {deck.face(kept)['count']} cards now")
    return 0


def add_split_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration split`."""
    parser.add_argument("deck", type=Path, metavar="DIR")
    parser.add_argument("face", metavar="FACE")
    parser.add_argument("cards", nargs="+", type=int, metavar="NUMBER", help="the cards that show another face")


def run_split(arguments: argparse.Namespace) -> int:
    """Make some cards of a face another one."""
    with EditedDeck(arguments.deck) as deck:
        fresh = deck.split(arguments.face, arguments.cards)
    print(f"{arguments.deck}: {fresh} is new; say in deck.json what it shows")
    return 0


def add_confirm_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `python -m calibration confirm`."""
    parser.add_argument("deck", type=Path, metavar="DIR")
    parser.add_argument("faces", nargs="*", metavar="FACE", help="default: all of them")


def run_confirm(arguments: argparse.Namespace) -> int:
    """Nobody needs to look at these faces any more."""
    with EditedDeck(arguments.deck) as deck:
        deck.confirm(arguments.faces)
    print(f"{arguments.deck}: {len(deck.needs_review())} faces are still to be looked at")
    return 0
