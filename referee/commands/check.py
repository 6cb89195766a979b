"""`python -m referee check PHOTO...`: the verdict on photographs of a table."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from referee.commands.answers import Answers, Decks, add_options, options_from
from referee.decks import Game
from referee.errors import InputError
from referee.explain import explain
from referee.export import answer_of
from referee.messages import Messages
from referee.pipeline import check_file

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_to(subparsers: Subparsers) -> None:
    """Add the subcommand to the command line."""
    parser = subparsers.add_parser("check", help="judge photographs of a table", description=__doc__)
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="a JPEG, PNG, WebP or HEIC file")
    add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer each photograph in turn. Raises InputError only for options that do not exist."""
    options = options_from(arguments)
    decks = Decks(arguments.deck)
    game = Game(arguments.game or Game.CAT_AND_MOUSE)
    messages = Messages(arguments.lang)
    answers = Answers(arguments.json, messages)
    for path in arguments.photos:
        try:
            checked = check_file(path, decks.of(game), options)
        except InputError as error:
            answers.refuse(error, {"photo": path}, path)
            continue
        sentences = explain(checked.ruling, checked.layout, checked.deck, messages)
        answer = answer_of(checked, [sentence.text for sentence in sentences])
        answers.give(checked.ruling.outcome, answer, path, sentences)
    return answers.status
