"""The command line of the calibration: one subcommand a job, each with its own `add_arguments` and `run`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from referee.errors import RefereeError

COMMANDS: dict[str, tuple[str, str, str]] = {
    "enrol": ("calibration.enrol.command", "", "make a deck from photographs of your own cards"),
    "extend": ("calibration.enrol.edit_command", "extend", "add further photographs of cards to a deck"),
    "replace": ("calibration.enrol.edit_command", "replace", "photograph a face of a deck anew"),
    "merge": ("calibration.enrol.edit_command", "merge", "say that faces of a deck are one"),
    "split": ("calibration.enrol.edit_command", "split", "say that some cards of a face show another one"),
    "confirm": ("calibration.enrol.edit_command", "confirm", "say that faces of a deck are read right"),
    "practice": ("calibration.practice", "", "see how well a deck is recognised"),
    "export": ("calibration.archive", "export", "a deck as one zip file"),
    "import": ("calibration.archive", "import", "a deck from a zip file"),
    "camera": ("calibration.camera", "", "the lens, from photographs of the printed board"),
    "table": ("calibration.table", "", "the table under a fixed camera, in millimetres"),
    "colour": ("calibration.colour", "", "the light, from a photograph of known cards"),
    "evaluate": ("calibration.evaluate", "", "how well photographs with known truth are judged"),
}
"""For each subcommand the module, the ending of its `add_arguments` and `run` if it has several, and a summary."""


def build_parser() -> argparse.ArgumentParser:
    """The parser with a subcommand for each job."""
    parser = argparse.ArgumentParser(prog="python -m calibration", description="Your own cards, your own camera.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module_name, job, summary) in COMMANDS.items():
        module = import_module(module_name)
        command = commands.add_parser(name, help=summary, description=module.__doc__)
        getattr(module, f"add_{job}_arguments" if job else "add_arguments")(command)
        command.set_defaults(run=getattr(module, f"run_{job}" if job else "run"))
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
