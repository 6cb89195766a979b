"""The command line of the service."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from web.serving import Address, ServingError, serve
from web.settings import Settings, default_data_folder

EXAMPLE_URL = "postgresql://user:password@host/name"

EPILOG = """
Every option can also be given as an environment variable, REFEREE_HOST for --host and so on (yes or no for those
without a value). Phones give a page the camera's live picture only over https or on the machine itself; taking
photos works over http as well.
"""


def parser() -> argparse.ArgumentParser:
    """The options; environment variables are their defaults."""
    made = argparse.ArgumentParser(
        prog="python -m web",
        description="The referee as a web service: photograph a card table in the browser, correct, confirm, score.",
        epilog=EPILOG,
    )
    option = partial(_option, made)
    option("--host", help="address to listen on (default: 127.0.0.1)")
    option("--port", "8000", type=_port, help="port to listen on (default: 8000)")
    _flag(made, "--lan", "let phones in the same network join, and print the address with a QR code")
    _flag(made, "--https", "serve https with a certificate that is made at the first start; browsers warn of it once")
    option(
        "--data",
        type=Path,
        metavar="DIR",
        help=f"folder for the database, reports and further decks (default: {default_data_folder()})",
    )
    option(
        "--database",
        metavar="URL",
        help=f"database, such as {EXAMPLE_URL} (default: an SQLite file in the data folder)",
    )
    option("--keep-days", "30", type=_positive, metavar="N", help="delete photographs after so many days (default: 30)")
    option(
        "--workers",
        "1",
        type=_positive,
        metavar="N",
        help="processes that share the address (default: 1); each reads photographs of its own",
    )
    option(
        "--threads",
        "8",
        type=_positive,
        metavar="N",
        help="requests that a process serves at a time (default: 8); photographs are read at most two at a time",
    )
    option(
        "--camera",
        metavar="N",
        help="watch the table with a camera at this machine, by its number, 0 being the first; or a file or address",
    )
    option(
        "--camera-deck",
        "cat-and-mouse",
        metavar="KEY",
        help="whose cards lie under it: a game, or a deck in the data folder (default: cat-and-mouse)",
    )
    option(
        "--camera-profile",
        metavar="NAME",
        help="what was measured of it on the page Camera and table, by its name, or a file of python -m calibration "
        "(default: the lens that was measured under the camera's own name, if there is one)",
    )
    option("--public-url", metavar="URL", help="what other devices call this service, if it is behind another server")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until interrupted. Returns the exit status: 2 if it cannot start."""
    options = parser().parse_args(argv)
    host = options.host or ("0.0.0.0" if options.lan else "127.0.0.1")
    address = Address(host, options.port, options.https, options.lan)
    settings = Settings(
        data=options.data or default_data_folder(),
        database=options.database,
        keep_days=options.keep_days,
        public_url=options.public_url or address.public_url(),
        warm_up=True,
        camera=options.camera,
        camera_deck=options.camera_deck,
        camera_profile=options.camera_profile,
    )
    try:
        serve(settings, address, options.threads, options.workers)
    except ServingError as error:
        print(f"referee: {error}", file=sys.stderr)
        return 2
    except ArgumentError:
        print(f"referee: --database: this is no database URL; it looks like {EXAMPLE_URL}", file=sys.stderr)
        return 2
    except SQLAlchemyError as error:
        print(f"referee: the database cannot be used: {str(error).splitlines()[0]}", file=sys.stderr)
        return 2
    except ChildProcessError as error:
        print(f"referee: {error}.", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"referee: {settings.data}: the data folder cannot be used ({error.strerror}).", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print()
    return 0


def _option(made: argparse.ArgumentParser, name: str, default: str | None = None, **more: Any) -> None:
    """An option with a value; its environment variable is its default."""
    made.add_argument(name, default=os.environ.get(_variable(name)) or default, **more)


def _flag(made: argparse.ArgumentParser, name: str, explained: str) -> None:
    """An option without a value; its environment variable says yes or no."""
    said = (os.environ.get(_variable(name)) or "no").lower()
    made.add_argument(name, action="store_true", default=said in ("yes", "1", "true", "on"), help=explained)


def _variable(name: str) -> str:
    return "REFEREE_" + name.removeprefix("--").upper().replace("-", "_")


def _port(text: str) -> int:
    number = int(text)
    if not 0 < number < 65536:
        raise argparse.ArgumentTypeError(f"{text} is no port; choose one from 1 to 65535")
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: must be at least 1")
    return number
