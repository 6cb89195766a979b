"""`python -m referee`: the command line. Each subcommand is a module of `referee.commands`.

Exit status: 0 every input got a certain verdict, 1 something is undetermined, 2 an input could not be used.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from referee.commands import check, find, judge
from referee.errors import InputError

COMMANDS = (judge, check, find)
"""Each has `add_to(subparsers)` and a function `run(arguments) -> exit status`."""


def parser() -> argparse.ArgumentParser:
    """The command line's grammar, with all its help."""
    top = argparse.ArgumentParser(
        prog="python -m referee",
        description="Looks at a card table and says whether the cards lie right, why not, and what they are worth.",
    )
    subparsers = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_to(subparsers)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; messages go to standard error. All text is UTF-8, whatever the terminal."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    arguments = parser().parse_args(argv)
    try:
        status: int = arguments.run(arguments)
    except InputError as error:
        print(f"referee: {error.message}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader (a pager, `head`) has seen enough; what is left in the buffer has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status
