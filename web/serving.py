"""Serving the application: waitress with threads, over https through a proxy of our own, the address as a QR code."""

from __future__ import annotations

import contextlib
import ipaddress
import locale
import logging
import socket
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import qrcode
from waitress.server import create_server

from referee.errors import InputError
from referee.messages import Messages
from referee.vision.profile_files import load, suiting
from web.application import create_app, prepared_database
from web.calibration.applied import kept_profile
from web.certificate import certificate_in
from web.decks import DeckShelf
from web.errors import ApiError
from web.live.capture import Camera, Capture, Measured
from web.photos import Sweeper
from web.settings import MEGABYTE, UPLOAD_LIMIT, Settings
from web.storage.database import Database
from web.tls import TlsFront
from web.workers import run_workers

LARGEST_BODY = 5 * UPLOAD_LIMIT
"""Bodies up to here are taken in, so that who sends too much gets a readable answer instead of a broken connection."""


class ServingError(Exception):
    """The service cannot start; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen, and whether other machines may come."""

    host: str
    port: int
    https: bool = False
    lan: bool = False

    @property
    def scheme(self) -> str:
        """`http` or `https`."""
        return "https" if self.https else "http"

    def local_url(self) -> str:
        """How this machine itself opens it."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"{self.scheme}://{_in_url(host)}:{self.port}/"

    def public_url(self) -> str | None:
        """How other machines open it; None if they cannot."""
        if self.host in ("0.0.0.0", "::"):
            return f"{self.scheme}://{_in_url(lan_address())}:{self.port}"
        if self.host == "localhost" or _is_loopback(self.host):
            return None
        return f"{self.scheme}://{_in_url(self.host)}:{self.port}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def lan_address() -> str:
    """This machine's address in the local network. Nothing is sent: a datagram socket only picks its way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that is nobody's (RFC 5737)
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def serve(settings: Settings, address: Address, threads: int, workers: int = 1) -> None:
    """Serve until interrupted, with as many processes. Raises ServingError if the address cannot be used."""
    sock = _listening(address)
    with contextlib.ExitStack() as opened:
        opened.enter_context(contextlib.closing(sock))
        database = opened.enter_context(contextlib.closing(prepared_database(settings)))
        sweeper = Sweeper(database, settings.keep_days)
        sweeper.start()
        opened.callback(sweeper.end)
        tell(address, settings)
        if settings.camera is not None:
            opened.callback(watch(settings, database, address).end)
        inner = sock
        if address.https:
            inner = opened.enter_context(contextlib.closing(_listening(Address("127.0.0.1", 0))))
            names = [lan_address(), "127.0.0.1", "localhost", socket.gethostname()]
            certificate, key = certificate_in(settings.data, names)
            opened.enter_context(TlsFront(sock, int(inner.getsockname()[1]), certificate, key))
        if workers == 1:
            serve_here(settings, inner, address.scheme, threads)
        else:
            run_workers(workers, serve_here, (settings, inner, address.scheme, threads))


def watch(settings: Settings, database: Database, address: Address) -> Capture:
    """Watch the table with the camera at this machine. Raises ServingError if there is no such deck or profile."""
    shelf = DeckShelf(settings.data / "decks")
    try:
        deck = shelf.deck(settings.camera_deck)
    except (ApiError, InputError):
        names = ", ".join(shelf.keys())
        raise ServingError(f"--camera-deck {settings.camera_deck}: there is no such deck; there are {names}.") from None
    language = Messages.preferred([(locale.getlocale()[0] or "en")[:2]]).language
    camera = Camera.of(settings.camera or "0", deck.game)
    measured = measured_of(settings.data / "profiles", settings.camera_profile)
    capture = Capture(camera, database, settings.camera_deck, deck, settings.keep_days, language, measured)
    capture.start()
    print(f"Camera: {address.local_url()}projector/tables/{capture.table_id}")
    sys.stdout.flush()
    return capture


def measured_of(folder: Path, asked: str | None) -> Measured:
    """How to look up what was measured of the camera: always the profile that was asked for by its name in a folder or
    as a file, else the lens of the camera's name. Raises ServingError if there is no such profile."""
    if asked is None:
        return partial(suiting, folder)
    try:
        path = Path(asked)
        profile = load(path) if path.suffix == ".json" else kept_profile(folder, asked)
    except (ApiError, InputError):
        names = ", ".join(sorted(file.stem for file in folder.glob("*.json"))) or "none yet"
        raise ServingError(
            f"--camera-profile {asked}: there is no such profile; measured so far: {names}. "
            "Measure it on the page Camera and table, or with python -m calibration."
        ) from None
    return lambda *_: profile


def serve_here(settings: Settings, sock: socket.socket, scheme: str, threads: int) -> None:
    """Serve in this process at a listening socket, until interrupted."""
    app = create_app(settings)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a request that waits for a moment is nothing to tell
    server = create_server(
        app,
        sockets=[sock],
        url_scheme=scheme,
        threads=threads + settings.streams,
        max_request_body_size=LARGEST_BODY,
        inbuf_overflow=MEGABYTE,
        channel_timeout=120,
        channel_request_lookahead=1,  # so that a stream notices that nobody listens any more
        ident="referee",
        clear_untrusted_proxy_headers=True,
    )
    server.run()


def _listening(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((address.host, address.port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise ServingError(
            f"{address.host}:{address.port} cannot be used ({error.strerror}). Is it running already? "
            "Choose another port with --port."
        ) from None
    return sock


def tell(address: Address, settings: Settings) -> None:
    """Say on the terminal where the pages are; for phones also as a QR code."""
    print(f"Referee: {address.local_url()}   (Ctrl+C ends it)")
    print(f"Data: {settings.data}")
    if settings.public_url is not None:
        print(f"Phones in the same network: {settings.public_url}/")
        code = qrcode.QRCode(border=2)
        code.add_data(settings.public_url + "/")
        with contextlib.suppress(UnicodeEncodeError):  # a terminal without block characters has the address at least
            code.print_ascii(out=sys.stdout, invert=sys.stdout.isatty())
    if address.https:
        print("The certificate is our own: the browser warns once; choose to go on.")
    sys.stdout.flush()
