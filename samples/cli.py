"""The command line of the samples: one subcommand a job, each with its own ``add_arguments`` and ``run``."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from referee.errors import RefereeError

COMMANDS = {
    "decks": ("samples.art.command", "draw our decks, or the same game in another style"),
    "print": ("samples.printing.command", "make PDF sheets to print and cut"),
    "render": ("samples.table.command", "photograph a layout on a virtual table"),
}


def build_parser() -> argparse.ArgumentParser:
    """The parser with a subcommand for each job."""
    parser = argparse.ArgumentParser(prog="python -m samples", description="Decks to print and sample photographs.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module_name, summary) in COMMANDS.items():
        if find_spec(module_name):
            module = import_module(module_name)
            command = commands.add_parser(name, help=summary, description=module.__doc__)
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one subcommand; 0 when it did what was asked, 2 with a sentence on standard error when it could not."""
    arguments = build_parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except RefereeError as error:
        print(f"samples: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"samples: {place}{error.strerror}; choose another place to write to.", file=sys.stderr)
        return 2
