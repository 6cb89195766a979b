"""The command line of the calibration: one subcommand a job, each with its own `add_arguments` and `run`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from referee.errors import RefereeError

COMMANDS = {
    "enrol": ("calibration.enrol.command", "make a deck from photographs of your own cards"),
}


def build_parser() -> argparse.ArgumentParser:
    """The parser with a subcommand for each job."""
    parser = argparse.ArgumentParser(prog="python -m calibration", description="Your own cards, your own camera.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module_name, summary) in COMMANDS.items():
        if find_spec(module_name):
            module = import_module(module_name)
            command = commands.add_parser(name, help=summary, description=module.__doc__)
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; 2 with a sentence on standard error when it could not do what was asked."""
    arguments = build_parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except RefereeError as error:
        print(f"calibration: {error.message}", file=sys.stderr)
        return 2
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"calibration: {place}{error.strerror}.", file=sys.stderr)
        return 2
