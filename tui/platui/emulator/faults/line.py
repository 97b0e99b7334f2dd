"""One client's connection: requests in, spoiled answers out, until one of both ends it."""

from __future__ import annotations

import socket
import struct
from typing import TYPE_CHECKING, Final

import h11

from platui.emulator.faults import made
from platui.emulator.faults.strikes import struck
from platui.emulator.faults.upstream import CHUNK, LONGEST_HEAD
from platui.emulator.faults.wire import Answer, Call, Dropped, Then

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator
    from random import Random

    from platui.core.clock import Clock
    from platui.emulator.faults.desk import Faults
    from platui.emulator.faults.upstream import Upstream

DESK: Final = "/-/emulator"
"""Below it no fault ever strikes: it is how faults are taken away."""

_RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)


class Line:
    """Serves one connection of a client."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, upstream: Upstream
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._upstream = upstream
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=LONGEST_HEAD)
        # What was written has left before the connection is reset.
        writer.transport.set_write_buffer_limits(high=0)

    async def serve(self, faults: Faults, clock: Clock, dice: Random) -> None:
        """Serve request after request until the connection ends."""
        reset = False
        try:
            while not reset and (call := await self._next_call()) is not None:
                strikes = [] if call.target.startswith(DESK) else faults.striking(
                    call.method, call.target
                )  # fmt: skip
                ask = struck(strikes, self._upstream.ask, clock, dice)
                try:
                    answer = await ask(call)
                except (OSError, h11.RemoteProtocolError):
                    answer = made.gone(clock.now().timestamp())
                reset = await self._give(call, answer, clock)
        except Dropped as end:
            reset = end.reset
        except (ConnectionError, h11.ProtocolError):
            reset = True  # the client went away, or speaks no HTTP
        finally:
            self.end(reset=reset)

    def end(self, *, reset: bool) -> None:
        """End the connection; the client reads a reset, or the end of the stream."""
        self._upstream.close()
        if reset:
            plug = self._writer.transport.get_extra_info("socket")
            if plug is not None and plug.fileno() != -1:
                plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
            self._writer.transport.abort()
        else:
            self._writer.close()

    async def _next_call(self) -> Call | None:
        """Return the next request; None where the client has no more, or may not have more."""
        if self._http.their_state is h11.SEND_BODY:
            async for _ in self._body():
                pass  # nobody wanted it, and the next request stands behind it
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        if self._http.our_state is not h11.IDLE:
            return None
        event = await self._next()
        if not isinstance(event, h11.Request):
            return None
        return Call(
            event.method.decode("ascii"),
            event.target.decode("latin-1"),
            tuple(event.headers),
            self._body(),
        )

    async def _body(self) -> AsyncIterator[bytes]:
        while isinstance(event := await self._next(), h11.Data):
            yield bytes(event.data)

    async def _next(self) -> object:
        """Return the next event of the request."""
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")
                await self._send(go_on)
            self._http.receive_data(await self._reader.read(CHUNK))
        return event

    async def _give(self, call: Call, answer: Answer, clock: Clock) -> bool:
        """Give the client an answer; return whether the connection is to be reset.

        Raises:
            Dropped: the connection is to end.
        """
        head = h11.Response(
            status_code=answer.status, headers=list(answer.headers), reason=answer.reason
        )
        await self._send(head)
        body = answer.body
        async for chunk in body:
            if call.method != "HEAD":
                await self._send(h11.Data(data=chunk))
        if answer.whole:
            await self._send(h11.EndOfMessage())
        if answer.excess:
            self._writer.write(answer.excess)
            await self._writer.drain()
        if answer.silent:
            await clock.sleep(answer.silent)
        if answer.then is Then.CLOSE:
            raise Dropped(reset=False)
        return answer.then is Then.RESET

    async def _send(self, event: h11.Event) -> None:
        data = self._http.send(event)
        if data:
            self._writer.write(data)
            await self._writer.drain()
