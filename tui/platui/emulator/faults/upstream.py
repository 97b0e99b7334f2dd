"""The relay's own connection to the server: one for each client, kept between requests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import h11

from platui.emulator.faults.wire import Answer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.emulator.faults.wire import Call

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
        """Pass a request on and return the answer, its body still to come.

        Raises:
            OSError: the server does not answer.
        """
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
        """End the connection."""
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
        """Return the next event of the answer."""
        while (event := self._http.next_event()) is h11.NEED_DATA:
            data = b"" if self._reader is None else await self._reader.read(CHUNK)
            if not data and self._http.their_state is h11.SEND_RESPONSE:
                raise ConnectionAbortedError("The server has ended the connection.")
            self._http.receive_data(data)
        if isinstance(event, h11.Event):
            return event
        raise ConnectionAbortedError("The server has ended the connection.")
