"""`python -m referee judge LAYOUT...`: the verdict on tables given as layouts, without pixels."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands.answers import Answers, Decks, add_options, options_from
from referee.decks import Game
from referee.errors import InputError
from referee.explain import explain
from referee.games import judge
from referee.layouts import Layout, read_layouts
from referee.messages import Messages
from referee.options import Options

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_to(subparsers: Subparsers) -> None:
    """Add the subcommand to the command line."""
    parser = subparsers.add_parser("judge", help="judge layouts (.json: one, .jsonl: one a line)", description=__doc__)
    parser.add_argument("layouts", nargs="+", type=Path, metavar="LAYOUT", help="a .json or .jsonl file")
    add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer each layout in turn. Raises InputError only for options that do not exist."""
    options = options_from(arguments)
    decks = Decks(arguments.deck)
    game = None if arguments.game is None else Game(arguments.game)
    messages = Messages(arguments.lang)
    answers = Answers(arguments.json, messages)
    for path in arguments.layouts:
        for layout in read_layouts(path):
            if isinstance(layout, Layout):
                _answer(layout, answers, decks, game, options, messages)
            else:
                answers.refuse(layout, {"name": layout.name}, layout.name)
    return answers.status


def _answer(
    layout: Layout, answers: Answers, decks: Decks, game: Game | None, options: Options, messages: Messages
) -> None:
    try:
        deck = decks.of(game or layout.game)
        ruling = judge(layout, deck, options)
    except InputError as error:
        answers.refuse(error, {"name": layout.name, "game": layout.game.value}, layout.name)
        return
    sentences = explain(ruling, layout, deck, messages)
    answer = ruling.to_dict([sentence.text for sentence in sentences])
    answers.give(ruling.outcome, answer, layout.name, sentences)
