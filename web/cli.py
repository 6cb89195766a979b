"""The command line of the service."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

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
    made.add_argument("--host", default=_from("HOST"), help="address to listen on (default: 127.0.0.1)")
    made.add_argument("--port", type=_port, default=_from("PORT", "8000"), help="port to listen on (default: 8000)")
    made.add_argument(
        "--lan",
        action="store_true",
        default=_yes("LAN"),
        help="let phones in the same network join, and print the address with a QR code",
    )
    made.add_argument(
        "--https",
        action="store_true",
        default=_yes("HTTPS"),
        help="serve https with a certificate that is made at the first start; browsers warn of it once",
    )
    made.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=_from("DATA"),
        help=f"folder for the database, reports and further decks (default: {default_data_folder()})",
    )
    made.add_argument(
        "--database",
        metavar="URL",
        default=_from("DATABASE"),
        help=f"database, such as {EXAMPLE_URL} (default: an SQLite file in the data folder)",
    )
    made.add_argument(
        "--keep-days",
        type=_positive,
        metavar="N",
        default=_from("KEEP_DAYS", "30"),
        help="delete photographs after so many days (default: 30)",
    )
    made.add_argument(
        "--threads",
        type=_positive,
        metavar="N",
        default=_from("THREADS", "8"),
        help="requests served at a time (default: 8); photographs are read at most two at a time",
    )
    made.add_argument(
        "--public-url",
        metavar="URL",
        default=_from("PUBLIC_URL"),
        help="what other devices call this service, if it is behind another server",
    )
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
    )
    try:
        serve(settings, address, options.threads)
    except ServingError as error:
        print(f"referee: {error}", file=sys.stderr)
        return 2
    except ArgumentError:
        print(f"referee: --database: this is no database URL; it looks like {EXAMPLE_URL}", file=sys.stderr)
        return 2
    except SQLAlchemyError as error:
        print(f"referee: the database cannot be used: {str(error).splitlines()[0]}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"referee: {settings.data}: the data folder cannot be used ({error.strerror}).", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print()
    return 0


def _from(name: str, default: str | None = None) -> str | None:
    return os.environ.get(f"REFEREE_{name}") or default


def _yes(name: str) -> bool:
    return (os.environ.get(f"REFEREE_{name}") or "no").lower() in ("yes", "1", "true", "on")


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
