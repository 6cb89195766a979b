"""Makes a PDF of a whole deck to print on both sides and cut, with a page of rules."""

import argparse
import sys
from pathlib import Path

from referee.decks import Game, builtin_deck, load_deck
from referee.errors import DeckError, InputError
from samples.printing.document import write_pdf
from samples.printing.pictures import builtin_pictures, folder_pictures
from samples.printing.rules import LANGUAGES
from samples.printing.sheets import PAPERS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of ``python -m samples print``."""
    parser.add_argument("--game", choices=[game.value for game in Game], help="whose deck to print")
    parser.add_argument("--board", action="store_true", help="instead of a deck the board to calibrate a camera with")
    parser.add_argument("--paper", choices=list(PAPERS), default="a4", help="default: a4")
    parser.add_argument("--lang", choices=LANGUAGES, default="uk", help="language of the rules and notes; default: uk")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.pdf")
    parser.add_argument("--deck", type=Path, metavar="DIR", help="another deck folder of this game; default: our own")


def run(arguments: argparse.Namespace) -> int:
    """Writes the PDF and says how many pages and cards it has."""
    if arguments.board:
        from samples.printing.board import write_board  # its own needs, only when it is asked for

        _check_place(arguments.out)
        pages = write_board(arguments.paper, arguments.out)
        print(f"{arguments.out}: {pages} pages; print at 100 %")
        return 0
    if arguments.game is None:
        raise InputError("print-what", "say what to print: --game GAME, or --board.")
    deck = load_deck(arguments.deck) if arguments.deck else builtin_deck(arguments.game)
    if deck.game.value != arguments.game:
        raise DeckError(
            "deck-other-game",
            f"{arguments.deck}: the deck is for {deck.game.value}, not for {arguments.game}; change --game.",
        )
    # Drawing a deck takes a while: find out before it that there is no place to write to.
    _check_place(arguments.out)
    print("Drawing the cards ...", file=sys.stderr, flush=True)
    pictures = folder_pictures(deck) if arguments.deck else builtin_pictures(deck.game.value)
    pages = write_pdf(deck, pictures, arguments.paper, arguments.lang, arguments.out)
    print(f"{arguments.out}: {pages} pages; print on both sides, flip on the long edge, at 100 %")
    return 0


def _check_place(out: Path) -> None:
    if not out.parent.is_dir():
        raise InputError(
            "out-folder", f"{out.parent}: there is no such folder; make it, or choose another place for the PDF."
        )
