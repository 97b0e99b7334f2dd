"""A request and an answer on their way through the relay, and how a connection may end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final, TypeAlias

import h11

Headers = tuple[tuple[bytes, bytes], ...]
"""Names in lower case, in the order in which they came."""


class ConnectionDropped(Exception):  # noqa: N818  (an end that is meant, not an error of ours)
    """The connection is to end here, without another byte."""

    def __init__(self, *, reset: bool) -> None:
        super().__init__("reset" if reset else "closed")
        self.reset = reset


class ConnectionEnd(Enum):
    """What becomes of the connection after an answer."""

    KEEP = auto()
    CLOSE = auto()
    RESET = auto()


@dataclass(frozen=True, slots=True)
class Call:
    """A request of a client."""

    method: str
    target: str
    headers: Headers
    body: AsyncIterable[bytes]

    def without(self, *names: bytes) -> Call:
        """Return the request without some of its headers."""
        return replace(self, headers=_without(self.headers, names))

    def plain(self) -> Call:
        """Return the request asking for a full answer whose bytes can be read."""
        return self.without(b"accept-encoding", b"if-none-match", b"range", b"if-range")


@dataclass(frozen=True, slots=True)
class Answer:
    """A response with a streamed body."""

    status: int
    headers: Headers
    body: AsyncIterable[bytes]
    reason: bytes = b""
    whole: bool = True
    """Whether the end of the body is marked as HTTP requires."""
    excess: bytes = b""
    silent: float = 0.0
    """Seconds without a byte before the connection ends."""
    then: ConnectionEnd = ConnectionEnd.KEEP

    def header(self, name: bytes) -> str | None:
        return next((value.decode("latin-1") for key, value in self.headers if key == name), None)

    def with_headers(self, **values: str | None) -> Answer:
        """Return the response with replaced headers; None removes one, `_` becomes `-`."""
        changed = {name.replace("_", "-").encode(): value for name, value in values.items()}
        added = [(name, text.encode()) for name, text in changed.items() if text is not None]
        return replace(self, headers=(*_without(self.headers, tuple(changed)), *added))

    def with_body(self, body: bytes) -> Answer:
        plain = self.with_headers(
            etag=None, transfer_encoding=None, content_encoding=None, content_length=str(len(body))
        )
        return replace(plain, body=one(body))


Ask: TypeAlias = "Callable[[Call], Awaitable[Answer]]"


async def one(body: bytes) -> AsyncIterator[bytes]:
    """Yield a body that is already in memory."""
    if body:
        yield body


async def read(body: AsyncIterable[bytes]) -> bytes:
    return b"".join([chunk async for chunk in body])


def _without(headers: Headers, names: tuple[bytes, ...]) -> Headers:
    return tuple(pair for pair in headers if pair[0] not in names)


CHUNK: Final = 1 << 16
LONGEST_HEAD: Final = 1 << 16
_OF_ONE_HOP: Final = (b"connection", b"keep-alive", b"proxy-connection", b"upgrade", b"expect")


class Upstream:
    """Asks the server. A connection whose answer was not read to its end is not used again."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=LONGEST_HEAD)

    async def ask(self, call: Call) -> Answer:
        """Pass a request on; the answer's body is still to come. Raises OSError: no answer."""
        await self._make_ready()
        call = call.without(*_OF_ONE_HOP)
        await self._send(
            h11.Request(method=call.method, target=call.target, headers=list(call.headers))
        )
        async for chunk in call.body:
            await self._send(h11.Data(data=chunk))
        await self._send(h11.EndOfMessage())
        while not isinstance(event := await self._next(), h11.Response):
            pass  # an informational answer: the client gets its own
        headers = tuple((name, value) for name, value in event.headers if name not in _OF_ONE_HOP)
        return Answer(event.status_code, headers, self._body(), bytes(event.reason))

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    async def _body(self) -> AsyncIterator[bytes]:
        while isinstance(event := await self._next(), h11.Data):
            yield bytes(event.data)

    async def _make_ready(self) -> None:
        ready = self._http.our_state is h11.DONE and self._http.their_state is h11.DONE
        if self._reader is not None and ready and not self._reader.at_eof():
            self._http.start_next_cycle()
            return
        self.close()
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=LONGEST_HEAD)
        self._reader, self._writer = await asyncio.open_connection(*self._address)

    async def _send(self, event: h11.Request | h11.Data | h11.EndOfMessage) -> None:
        data = self._http.send(event)
        if data and self._writer is not None:
            self._writer.write(data)
            await self._writer.drain()

    async def _next(self) -> h11.Event:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            data = b"" if self._reader is None else await self._reader.read(CHUNK)
            if not data and self._http.their_state is h11.SEND_RESPONSE:
                raise ConnectionAbortedError("The server has ended the connection.")
            self._http.receive_data(data)
        if isinstance(event, h11.Event):
            return event
        raise ConnectionAbortedError("The server has ended the connection.")
