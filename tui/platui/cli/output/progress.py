"""Progress and notices on stderr; time limits for failing feeds."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, Self, TypeVar

from platui.core.errors import (
    ConfigError,
    ForbiddenError,
    NotFoundError,
    OfflineError,
    OfflineReason,
    ServerFailedError,
    UnauthorizedError,
)
from platui.core.text import clean, shorten, with_full_stop

if TYPE_CHECKING:
    import asyncio
    from asyncio import Timeout

    from platui.config.settings import Settings
    from platui.core.errors import PlatuiError

T = TypeVar("T")

SECONDS: Final = 15.0  # About three attempts of a feed

_NEVER_THERE: Final = (
    OfflineReason.NO_SUCH_HOST, OfflineReason.REFUSED, OfflineReason.TLS, OfflineReason.NOT_TLS,
    OfflineReason.PROXY,
)  # fmt: skip
"""Failures of a wrong address."""
_FINAL: Final = (ConfigError, ForbiddenError, NotFoundError, UnauthorizedError)  # Not temporary

_CLEAR: Final = "\r\x1b[K"
_WIDTH: Final = 80  # If unknown
_INTERVAL: Final = 0.1  # Seconds between updates of a progress line
_visible: set[ProgressLine] = set()


class RetryWindow:
    """Tolerates temporary errors for some seconds, and prints them."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.reached = False
        self._seconds = seconds
        self._error: PlatuiError | None = None
        self._until: float | None = None
        self._message = ""
        self._deadline: Timeout | None = None

    def tolerate(self, error: PlatuiError, *, follow: bool = False) -> None:
        """Raises PlatuiError: `error`, if it is not temporary."""
        forever = follow and self.reached and not isinstance(error, _FINAL)
        may_pass = isinstance(error, ServerFailedError)
        if isinstance(error, OfflineError):
            may_pass = self.reached or error.reason not in _NEVER_THERE
        if not (forever or may_pass):
            raise error
        if error.sentence != self._message:
            self._message = error.sentence
            print_notice(f"{with_full_stop(error.sentence)} Retrying.")
        self._error = error
        if forever:
            self._until = None
        elif self._until is None:
            from asyncio import get_running_loop  # noqa: PLC0415  (imported already)

            self._until = get_running_loop().time() + self._seconds
        self._reschedule()

    def restart(self) -> None:
        self._until = None
        self._reschedule()

    def clear_error(self) -> None:
        self._error = self._until = None
        self._message = ""
        self._reschedule()

    @asynccontextmanager
    async def time_limit(self) -> AsyncIterator[None]:
        """Limit the block. Raises PlatuiError: the tolerated error, after the time limit."""
        from asyncio import timeout_at  # noqa: PLC0415  (imported already)

        try:
            async with timeout_at(self._until) as self._deadline:
                yield
        except TimeoutError:
            if self._error is None or self._deadline is None or not self._deadline.expired():
                raise
            raise self._error from None
        finally:
            self._deadline = None

    async def items(self, feed: AsyncIterator[T]) -> AsyncIterator[T]:
        while True:
            try:
                async with self.time_limit():
                    item = await anext(feed)
            except StopAsyncIteration:
                return
            yield item

    def _reschedule(self) -> None:
        if self._deadline is not None and not self._deadline.expired():
            self._deadline.reschedule(self._until)


def print_notice(sentence: str) -> None:
    # The next update shows the progress lines again.
    for line in tuple(_visible):
        line.hide()
    print(f"platui: {clean(sentence)}", file=sys.stderr, flush=True)


def warn_ignored_keys(settings: Settings) -> None:
    if settings.problem is not None:
        print_notice(f"{settings.problem.sentence} {settings.problem.hint}")


class ProgressLine:
    """A progress line on stderr; not shown unless stderr is a terminal."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        loop: asyncio.AbstractEventLoop | None = None,
        *,
        quiet: bool = False,
    ) -> None:
        """With a loop, updates that come too fast are delayed; without, they are dropped."""
        stream = sys.stderr
        is_terminal = stream is not None and stream.isatty()
        self._is_shown = not quiet and is_terminal and os.environ.get("TERM", "dumb") != "dumb"
        self._clock = clock
        self._next = clock()
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def show(self, text: str) -> None:
        """Update the text, at most every 0.1 s."""
        self._forget()
        if not self._is_shown:
            return
        now = self._clock()
        if now < self._next:
            if self._loop is not None:
                self._timer = self._loop.call_later(self._next - now, self._print, text)
            return
        self._print(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        self._forget()
        self.hide()

    def hide(self) -> None:
        if self in _visible:
            _visible.discard(self)
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _print(self, text: str) -> None:
        self._timer, now = None, self._clock()
        self._next = now + _INTERVAL
        _visible.add(self)
        try:
            width = os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH
        except OSError:  # unknown width
            width = _WIDTH
        print(_CLEAR + shorten(text, max(1, width - 1)), end="", file=sys.stderr, flush=True)
