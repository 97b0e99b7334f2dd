"""The relay: its door, and every connection that came through it."""

from __future__ import annotations

import asyncio
import socket
from random import Random
from typing import TYPE_CHECKING, Any

from platui.emulator.faults.line import Line
from platui.emulator.faults.upstream import Upstream

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui.emulator.faults.desk import Faults


class Relay:
    """Listens on a port of its own and passes everything on to the server.

    It runs in the server's loop, and sleeps while nobody asks.
    """

    def __init__(
        self, faults: Faults, clock: Clock, plug: socket.socket, server: tuple[str, int]
    ) -> None:
        self._faults = faults
        self._clock = clock
        self._plug = plug
        """Bound; nobody is let in through it before it listens."""
        self._server = server
        self._dice = Random(0)
        self._door: asyncio.Server | None = None
        self._changed = asyncio.Event()
        self._lines: dict[asyncio.Task[None], Line] = {}

    async def run(self, ready: asyncio.Event) -> None:
        """Serve until cancelled, then end every connection.

        Raises:
            OSError: the port is taken after all.
        """
        self._faults.tell(self._heed)
        try:
            while True:
                if self._faults.refusal() is None:
                    self._door = await asyncio.start_server(self._came, sock=self._plug)
                ready.set()
                while self._door is not None:
                    await self._change()
                await self._refuse()
        finally:
            self._faults.tell(lambda: None)
            await self._leave()

    def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client for as long as it stays."""
        line = Line(reader, writer, Upstream(*self._server))
        if self._door is None:
            line.end(reset=True)
            return
        task = asyncio.create_task(line.serve(self._faults, self._clock, self._dice))
        self._lines[task] = line
        task.add_done_callback(self._went)

    def _went(self, task: asyncio.Task[None]) -> None:
        """Forget a client; a fault of our own is told as the loop tells those."""
        del self._lines[task]
        if not task.cancelled():
            task.result()

    def _heed(self) -> None:
        """Shut the door at once where a fault wants that, also on those who are inside."""
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
        """Wait until no fault keeps the door shut; one whose time is over is taken away."""
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
        """Wait for a change of the faults, or so long."""
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
        """Shut the door and end every connection."""
        if self._door is not None:
            self._door.close()
        self._plug.close()
        tasks = list(self._lines)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
