"""A server of raw sockets that answers every request in a way that can be changed."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import socket

_MOST_BYTES: Final = 64 * 1024
SILENT: Final = 20.0
"""Seconds that a silent server keeps a connection, at most."""
_READS: Final = frozenset({"GET", "HEAD"})


@dataclass(frozen=True)
class Request:
    """A request as it arrived."""

    method: str
    target: str
    headers: str
    body: bytes = b""

    def contains(self, secret: str) -> bool:
        """Return whether a secret is in its target, headers or body."""
        return secret in f"{self.target} {self.headers} {self.body.decode('latin-1')}"

    @property
    def writes(self) -> bool:
        """Return whether it changes the platform."""
        return self.method not in _READS


Way = Callable[[Request, "WrongServer"], Iterator[bytes]]
"""Yields the pieces of an answer."""


@dataclass
class WrongServer:
    """Answers in one way; `heard` holds all requests since the last `begin`."""

    way: Way
    heard: list[Request] = field(default_factory=list)
    port: int = 0
    elsewhere: WrongServer | None = None
    """Another origin, to which no token may go."""
    upstream: str = ""
    """Host and port of a platform that answers rightly, for ways that ask one."""
    ended: threading.Event = field(default_factory=threading.Event)
    _server: socketserver.ThreadingTCPServer | None = None

    @property
    def url(self) -> str:
        """Return its address."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve in threads, on a free port."""
        owner = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):
                    owner.serve(self.request)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True
            request_queue_size = 64

            def handle_error(self, *_: object) -> None:
                """Say nothing: clients hang up."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        """Answer the request of a connection, if it is one."""
        connection.settimeout(SILENT)
        if (request := _read(connection)) is not None:
            self.heard.append(request)
            for piece in self.way(request, self):
                connection.sendall(piece)

    def begin(self, way: Way) -> None:
        """Answer in another way from now on."""
        self.heard.clear()
        self.way = way
        self.ended.clear()

    def stop(self) -> None:
        """Close it."""
        self.ended.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()


def _read(connection: Any) -> Request | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(_MOST_BYTES)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    text = head.decode("latin-1")
    first, _, headers = text.partition("\r\n")
    for line in headers.lower().split("\r\n"):
        if line.startswith("content-length:"):
            length = int(line.partition(":")[2])
            while len(body) < length and (piece := connection.recv(_MOST_BYTES)):
                body += piece
    method, _, rest = first.partition(" ")
    return Request(method, rest.rpartition(" ")[0], headers, body)
