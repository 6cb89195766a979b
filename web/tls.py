"""https in front of waitress, which speaks only http: a small proxy in a thread of its own takes the encryption off."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from pathlib import Path
from types import TracebackType

CHUNK = 65536
HANDSHAKE_SECONDS = 20


class TlsFront:
    """Takes connections at `sock` and passes their bytes on to `port` of this machine, while the context is open."""

    def __init__(self, sock: socket.socket, port: int, certificate: Path, key: Path) -> None:
        self._sock = sock
        self._port = port
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.minimum_version = ssl.TLSVersion.TLSv1_2
        self._tls.load_cert_chain(certificate, key)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="https", daemon=True)

    def __enter__(self) -> TlsFront:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        serving = asyncio.start_server(
            self._connection, sock=self._sock, ssl=self._tls, ssl_handshake_timeout=HANDSHAKE_SECONDS
        )
        self._loop.run_until_complete(serving)
        self._loop.run_forever()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_pass_on(reader, inner_writer), _pass_on(inner_reader, writer))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Bytes from one side to the other until it ends; a connection that breaks is no error of ours."""
    with contextlib.suppress(OSError, ssl.SSLError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError, ssl.SSLError):
        writer.close()
        await writer.wait_closed()
