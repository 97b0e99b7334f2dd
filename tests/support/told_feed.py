"""A log feed that says what a test tells it, when it tells it: for what comes in between."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tests.support.dashboard import Driver

from platui.config.settings import Settings
from platui.logs import Log
from platui.models.values.log import LogState, LogUpdate
from platui.service.logs.errors import error_rules
from platui.ui.log_file_app import LogFileApp
from platui.ui.terminal.detection import Terminal
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


class ToldFeed:
    """Yields updates in the order in which they were told."""

    def __init__(self) -> None:
        self._updates: asyncio.Queue[LogUpdate] = asyncio.Queue()

    def __aiter__(self) -> ToldFeed:
        return self

    async def __anext__(self) -> LogUpdate:
        return await self._updates.get()

    def refresh(self) -> None:
        """Look again: at nothing."""

    def hold(self, held: bool) -> None:  # noqa: FBT001  (as the protocol has it)
        """Take that there is nothing to be looked at."""

    def tell(self, log: Log, state: LogState = LogState.ENDED, **more: Any) -> None:
        """Say how the log is now."""
        self._updates.put_nowait(LogUpdate(log, state, "", **more))


class LogDriver(Driver):
    """A hand on the keys of a log that a test tells."""

    def __init__(self, app: LogFileApp, pilot: Any, feed: ToldFeed) -> None:
        super().__init__(app, pilot)  # type: ignore[arg-type]  # a smaller app, of the same keys
        self.feed = feed

    @property
    def view(self) -> LogView:
        """Return the log."""
        return self.app.screen.query_one(LogView)

    @property
    def where(self) -> str:
        """Return the line below the log, or what is typed in its place."""
        return self.text.splitlines()[-2]

    async def typing(self, sign: str, text: str) -> None:
        """Type after a sign without confirming it."""
        await self.press(sign)
        await self.wait(lambda: self.where.lstrip().startswith(("/", "&")))
        await self.type(text)


def log_of(count: int, line: Callable[[int], str], *, first: int = 0) -> Log:
    """Return a finished log of lines by number, those before the first left out."""
    log = Log(errors=error_rules())
    log.append("".join(f"{line(number)}\n" for number in range(first, count)).encode())
    log.finish()
    return log


@asynccontextmanager
async def told_log(size: tuple[int, int] = (80, 24)) -> AsyncIterator[LogDriver]:
    """Show a log of which nothing was told yet."""
    feed = ToldFeed()
    app = LogFileApp(None, feed, Settings(), Terminal(usable=True))
    async with app.run_test(size=size, notifications=True) as pilot:
        yield LogDriver(app, pilot, feed)
