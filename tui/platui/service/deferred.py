"""State of the service start, and feeds created before it."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.service.live import Live
    from platui.service.resources.resource import Watchable


F = TypeVar("F")


class Startup:
    def __init__(self) -> None:
        self.live: Live | None = None
        self.error: PlatuiError | None = None
        self.closed = False
        self.changed = asyncio.Event()  # another one after each change

    def succeed(self, live: Live) -> None:
        self.live, self.error = live, None
        self._notify()

    def fail(self, error: PlatuiError) -> None:
        self.error = error
        self._notify()

    def close(self) -> None:
        self.closed = True
        self._notify()

    def _notify(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


def is_imported(source: Watchable[Any]) -> bool:
    """Return whether the feed can be created without an import."""
    return all(name in sys.modules for name in source.modules)


class DeferredFeed(Generic[F]):
    """Creates the real feed once the service has started, and passes commands on to it."""

    def __init__(self, startup: Startup, source: Watchable[F]) -> None:
        self._startup = startup
        self._source = source
        self._feed: F | None = None
        self._commands: dict[str, tuple[Any, ...]] = {}

    async def __aiter__(self) -> AsyncIterator[Any]:
        """Yield the error of the start while there is one, then the items of the real feed."""
        startup = self._startup
        while startup.live is None and not startup.closed:
            changed = startup.changed
            update = None if startup.error is None else self._source.failed(startup.error)
            if update is not None:
                yield update
            await changed.wait()
        for name in self._source.modules if startup.live is not None else ():
            if name not in sys.modules:
                await asyncio.to_thread(importlib.import_module, name)
        feed = self._real()
        if feed is None:
            return
        async with aclosing(cast("AsyncGenerator[Any]", aiter(cast("Any", feed)))) as real:
            async for item in real:
                yield item

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Return a command of the feed, executed now or after the start."""
        if name not in self._source.commands:
            raise AttributeError(name)
        return partial(self._command, name)

    def _command(self, name: str, *arguments: Any, **named: Any) -> None:
        feed = self._real()
        if feed is None:
            self._commands[name] = (arguments, named)  # only the last call of each command counts
        else:
            getattr(feed, name)(*arguments, **named)

    def _real(self) -> F | None:
        live = self._startup.live
        if self._feed is None and live is not None and is_imported(self._source):
            self._feed = self._source.open(live.context)
            for name, (arguments, named) in self._commands.items():
                getattr(self._feed, name)(*arguments, **named)
        return self._feed
