"""A server of bare bytes: whatever an HTTP server can do wrong, on a real socket."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Awaitable, Callable


@dataclass(frozen=True)
class Heard:
    """A request as it came in."""

    method: str
    target: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes


@dataclass
class WireServer:
    """Answers each request by its script; remembers what it heard."""

    script: Callable[[Heard, asyncio.StreamWriter], Awaitable[None]]
    heard: list[Heard] = field(default_factory=list)
    came: asyncio.Condition = field(default_factory=asyncio.Condition)
    connections: int = 0
    port: int = 0
    scheme: str = "http"
    _serving: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Return the server's root."""
        return f"{self.scheme}://127.0.0.1:{self.port}"

    async def has_heard(self, count: int) -> None:
        """Wait until so many requests have come."""
        async with self.came:
            await self.came.wait_for(lambda: len(self.heard) >= count)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection that has been made; it is closed even if its task never starts."""
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        task.add_done_callback(lambda _: writer.close())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while (request := await _heard(reader)) is not None:
                async with self.came:
                    self.heard.append(request)
                    self.came.notify_all()
                await self.script(request, writer)
                await writer.drain()
                if writer.is_closing():
                    break
        except ConnectionError:
            pass  # the client has gone; that is what some tests are about

    async def end(self) -> None:
        """Leave every connection: what a script uses may be closed next."""
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)


@asynccontextmanager
async def wire_server(
    script: Callable[[Heard, asyncio.StreamWriter], Awaitable[None]],
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[WireServer]:
    """Run a server on loopback for the length of a block."""
    server = WireServer(script, scheme="http" if tls is None else "https")
    listener = await asyncio.start_server(server.accept, "127.0.0.1", 0, ssl=tls)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()
        await server.end()
        await listener.wait_closed()


def says(
    body: bytes | str | object = b"",
    status: str = "200 OK",
    content_type: str = "application/json",
    **headers: str,
) -> Callable[[Heard, asyncio.StreamWriter], Awaitable[None]]:
    """Return a script that gives one answer to everything; header names with `_` for `-`."""

    async def script(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(body, status, content_type, **headers))

    return script


def in_turn(
    *scripts: Callable[[Heard, asyncio.StreamWriter], Awaitable[None]],
) -> Callable[[Heard, asyncio.StreamWriter], Awaitable[None]]:
    """Return a script that follows one script after the other, the last for ever."""
    left = list(scripts)

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(heard, writer)

    return script


async def hangs_up(_: Heard, writer: asyncio.StreamWriter) -> None:
    """Close the connection without a word."""
    writer.close()


def answer(
    body: bytes | str | object = b"",
    status: str = "200 OK",
    content_type: str = "application/json",
    **headers: str,
) -> bytes:
    """Return the bytes of an answer."""
    content = _bytes(body)
    lines = [
        f"HTTP/1.1 {status}",
        f"Content-Type: {content_type}",
        f"Content-Length: {len(content)}",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def _bytes(body: Any) -> bytes:
    if isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else json.dumps(body).encode()


async def _heard(reader: asyncio.StreamReader) -> Heard | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.rstrip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Heard(method, target, headers, body)
