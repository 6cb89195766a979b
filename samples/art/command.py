"""Draws a deck: the built-in one, or with --style the same game in another look, into a folder."""

import argparse
from pathlib import Path

from referee.decks import Game
from referee.errors import DeckError
from samples.art.decks import BUILTIN, BUILTIN_DECKS, STYLED, DrawnDeck, write_deck


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of ``python -m samples decks``."""
    parser.add_argument("--game", choices=[game.value for game in Game], help="one game; without it all three")
    parser.add_argument("--style", metavar="NAME", help="another look; see --list for the names")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where to write; default: the built-in decks themselves"
    )
    parser.add_argument("--list", action="store_true", help="list the styles of each game and stop")


def styled_deck(game: str, style: str) -> DrawnDeck:
    """The deck of a game in a named style; DeckError if the game has no such style."""
    styles = STYLED[game]
    if style not in styles:
        raise DeckError("style-unknown", f'there is no style "{style}" for {game}; use one of: {", ".join(styles)}.')
    return styles[style]()


def run(arguments: argparse.Namespace) -> int:
    """Writes the decks that were asked for and says where they are."""
    games = [arguments.game] if arguments.game else [game.value for game in Game]
    if arguments.list:
        for game in games:
            print(f"{game}: {', '.join(STYLED[game])}")
        return 0
    if arguments.style and arguments.out is None:
        raise DeckError("style-needs-out", "a deck in another style needs a place of its own; add --out DIR.")
    for game in games:
        deck = styled_deck(game, arguments.style) if arguments.style else BUILTIN[game]()
        if arguments.out is None:
            folder = BUILTIN_DECKS / game
        else:
            folder = arguments.out if arguments.game else arguments.out / game
        write_deck(deck, folder)
        print(f"{folder}: {deck.name}, {sum(face.count for face in deck.faces)} cards")
    return 0
