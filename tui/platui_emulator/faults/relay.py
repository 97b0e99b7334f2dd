"""The relay: its door, and every connection that came through it."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from random import Random
from typing import TYPE_CHECKING, Any, Final

import h11

from platui_emulator.faults import answers
from platui_emulator.faults.strikes import struck
from platui_emulator.faults.wire import (
    CHUNK,
    LONGEST_HEAD,
    Answer,
    Call,
    ConnectionDropped,
    ConnectionEnd,
    Upstream,
)

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui_emulator.faults.fault import Faults


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
                    answer = answers.gone(clock.now().timestamp())
                reset = await self._give(call, answer, clock)
        except ConnectionDropped as end:
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
        """Return the next request, or None at the end of the connection."""
        if self._http.their_state is h11.SEND_BODY:
            async for _ in self._body():
                pass  # unread body, before the next request
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
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")
                await self._send(go_on)
            self._http.receive_data(await self._reader.read(CHUNK))
        return event

    async def _give(self, call: Call, answer: Answer, clock: Clock) -> bool:
        """Give an answer; return whether to reset the connection. Raises Dropped to end it."""
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
        if answer.then is ConnectionEnd.CLOSE:
            raise ConnectionDropped(reset=False)
        return answer.then is ConnectionEnd.RESET

    async def _send(self, event: h11.Event) -> None:
        data = self._http.send(event)
        if data:
            self._writer.write(data)
            await self._writer.drain()


class Relay:
    """Accepts connections on a separate port and forwards requests to the server."""

    def __init__(
        self, faults: Faults, clock: Clock, plug: socket.socket, server: tuple[str, int]
    ) -> None:
        self._faults = faults
        self._clock = clock
        self._plug = plug
        """The bound socket; it accepts nothing before it listens."""
        self._server = server
        self._dice = Random(0)
        self._door: asyncio.Server | None = None
        self._changed = asyncio.Event()
        self._lines: dict[asyncio.Task[None], Line] = {}

    async def run(self, ready: asyncio.Event) -> None:
        """Serve until cancelled, then end every connection. Raises OSError: the port is taken."""
        self._faults.on_change(self._heed)
        try:
            while True:
                if self._faults.refusal() is None:
                    self._door = await asyncio.start_server(self._came, sock=self._plug)
                ready.set()
                while self._door is not None:
                    await self._change()
                await self._refuse()
        finally:
            self._faults.on_change(lambda: None)
            await self._leave()

    def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = Line(reader, writer, Upstream(*self._server))
        if self._door is None:
            line.end(reset=True)
            return
        task = asyncio.create_task(line.serve(self._faults, self._clock, self._dice))
        self._lines[task] = line
        task.add_done_callback(self._went)

    def _went(self, task: asyncio.Task[None]) -> None:
        del self._lines[task]
        if not task.cancelled():
            task.result()

    def _heed(self) -> None:
        if self._door is not None and self._faults.refusal() is not None:
            address, family = self._plug.getsockname(), self._plug.family
            self._door.close()
            self._door = None
            # Bound and not listening: the port stays ours, and whoever knocks is refused.
            self._plug = socket.socket(family)
            self._plug.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._plug.bind(address)
            for line in self._lines.values():
                line.end(reset=True)
        self._changed.set()

    async def _refuse(self) -> None:
        began: dict[int, float] = {}
        while (refusal := self._faults.refusal()) is not None:
            number, seconds = refusal
            over = began.setdefault(number, self._clock.monotonic()) + seconds
            left = over - self._clock.monotonic()
            if left <= 0:
                self._faults.drop(number)
            else:
                await self._change(left)

    async def _change(self, seconds: float | None = None) -> None:
        self._changed.clear()
        waits: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._changed.wait())]
        if seconds is not None:
            waits.append(asyncio.ensure_future(self._clock.sleep(seconds)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _leave(self) -> None:
        if self._door is not None:
            self._door.close()
            self._door = None  # a connection accepted in this very moment is ended at once
        self._plug.close()
        lines = dict(self._lines)
        for task in lines:
            task.cancel()
        if lines:
            await asyncio.wait(lines)
        for line in lines.values():
            line.end(reset=False)  # a task cancelled before its first step has not done it
