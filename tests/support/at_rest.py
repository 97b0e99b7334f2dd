"""When an app has nothing left to do: looked up, where Textual guesses from the processor."""

from __future__ import annotations

import asyncio
import math
import time
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import WeakSet

import httpx
import textual.app
import textual.pilot
from textual._wait import wait_for_idle

if TYPE_CHECKING:
    import pytest

AT_ONCE: Final = 0.02
"""Seconds: what is due within them belongs to what is waited for (a frame is due after 1/60)."""

_LOOKS: Final = 0.001
"""Seconds between looks at what others do for us: the network, threads."""


class Watch:
    """Knows what the loop of the main thread still waits for, apart from time."""

    _transports: ClassVar[WeakSet[httpx.AsyncHTTPTransport]] = WeakSet()
    _in_threads: ClassVar[WeakSet[asyncio.Future[Any]]] = WeakSet()

    def begin(self, patch: pytest.MonkeyPatch) -> None:
        """Look at all that is begun from now on, and let Textual's pilot ask here."""
        make, run = httpx.AsyncHTTPTransport.__init__, asyncio.BaseEventLoop.run_in_executor

        def made(transport: httpx.AsyncHTTPTransport, *args: Any, **options: Any) -> None:
            make(transport, *args, **options)
            if current_thread() is main_thread():  # no other changes the set meanwhile
                self._transports.add(transport)

        def begun(loop: asyncio.BaseEventLoop, *args: Any) -> asyncio.Future[Any]:
            result = run(loop, *args)
            if current_thread() is main_thread():
                self._in_threads.add(result)
            return result

        patch.setattr(httpx.AsyncHTTPTransport, "__init__", made)
        patch.setattr(asyncio.BaseEventLoop, "run_in_executor", begun)
        for module in (textual.app, textual.pilot):
            patch.setattr(module, "wait_for_idle", self.wait)

    async def wait(self, min_sleep: float = AT_ONCE, max_sleep: float = 1.0) -> None:
        """Wait until nothing is left to be done, in place of Textual's function of that name.

        Where something does not end at once (a stream that is followed, a clock that runs
        fast), it is Textual's guess again that says when: the processor has little to do.

        Args:
            min_sleep: seconds that it takes at least.
            max_sleep: seconds that it takes at most.
        """
        began = time.monotonic()
        if min_sleep:
            await asyncio.sleep(min_sleep)
        loop = asyncio.get_running_loop()
        until = loop.time() + AT_ONCE
        calm = False
        while (spent := time.monotonic() - began) < max_sleep:
            # A turn of the loop asks the sockets, too: what has come is ready in the next.
            await asyncio.sleep(0)
            if loop._ready or not calm:  # type: ignore[attr-defined]
                calm = not loop._ready  # type: ignore[attr-defined]
            elif self.is_busy(loop):
                if loop.time() > until:
                    await wait_for_idle(0, max_sleep - spent)
                    return
                calm = False
                await asyncio.sleep(_LOOKS)
            elif (due := _next_timer(loop)) <= until:
                calm = False
                await asyncio.sleep(due - loop.time())
            else:
                return

    @classmethod
    def is_busy(cls, loop: asyncio.AbstractEventLoop) -> bool:
        """Return whether an answer of the network or of a thread is still to come."""
        if any(one._pool._requests for one in cls._transports):
            return True
        return any(not one.done() and one.get_loop() is loop for one in cls._in_threads)


def _next_timer(loop: asyncio.AbstractEventLoop) -> float:
    """Return when the next timer is due, by the loop's clock."""
    timers = loop._scheduled  # type: ignore[attr-defined]
    return min((timer.when() for timer in timers if not timer.cancelled()), default=math.inf)
