"""Progress and notices on stderr, and how long a command waits for a failing feed."""

from __future__ import annotations

import os
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from platui.core.errors import (
    ConfigError,
    ForbiddenError,
    NotFoundError,
    OfflineError,
    OfflineReason,
    ServerFailedError,
    UnauthorizedError,
)
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    import asyncio
    from asyncio import Timeout
    from collections.abc import AsyncIterator, Callable
    from typing import Self

    from platui.config.settings import Settings
    from platui.core.errors import PlatuiError

T = TypeVar("T")

SECONDS: Final = 15.0
"""A feed tries three times within them, about."""

_NEVER_THERE: Final = (
    OfflineReason.NO_SUCH_HOST, OfflineReason.REFUSED, OfflineReason.TLS, OfflineReason.NOT_TLS,
    OfflineReason.PROXY,
)  # fmt: skip
"""What a wrong address looks like, until something answered there."""
_FINAL: Final = (ConfigError, ForbiddenError, NotFoundError, UnauthorizedError)
"""What nobody gets over by waiting."""

_CLEAR: Final = "\r\x1b[K"
_WIDTH: Final = 80
"""Of a terminal that does not say how wide it is."""
_EVERY: Final = 0.1
"""Seconds between two states of a progress line."""
_standing: set[ProgressLine] = set()
"""Those that stand on the terminal, which has one cursor for everybody who says something."""


class RetryWindow:
    """Waits over faults that pass, each time so long at most, and says so on stderr."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.reached = False
        self._seconds = seconds
        self._error: PlatuiError | None = None
        self._until: float | None = None
        self._told = ""
        self._deadline: Timeout | None = None

    def tolerate(self, error: PlatuiError, *, follow: bool = False) -> None:
        """Raises PlatuiError: the error, where trying again is no use."""
        forever = follow and self.reached and not isinstance(error, _FINAL)
        if not (forever or self._passes(error)):
            raise error
        if error.sentence != self._told:
            self._told = error.sentence
            print_notice(f"{error.sentence} Trying on.")
        self._error = error
        if forever:
            self._until = None
        elif self._until is None:
            from asyncio import get_running_loop  # noqa: PLC0415  (there already, where one waits)

            self._until = get_running_loop().time() + self._seconds
        self._reschedule()

    def renew(self) -> None:
        self._until = None
        self._reschedule()

    def clear_error(self) -> None:
        self._error = self._until = None
        self._told = ""
        self._reschedule()

    @asynccontextmanager
    async def time_limit(self) -> AsyncIterator[None]:
        """Raises PlatuiError: what was borne, once it took too long."""
        from asyncio import timeout_at  # noqa: PLC0415  (there already, where one waits)

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

    def _passes(self, error: PlatuiError) -> bool:
        if isinstance(error, OfflineError):
            return self.reached or error.reason not in _NEVER_THERE
        return isinstance(error, ServerFailedError)


def print_notice(sentence: str) -> None:
    hide_progress()
    print(f"platui: {clean(sentence)}", file=sys.stderr, flush=True)


def warn_ignored_keys(settings: Settings) -> None:
    if settings.problem is not None:
        print_notice(f"{settings.problem.sentence} {settings.problem.hint}")


def hide_progress() -> None:
    """Take what stands away, before something is said that stays; the next step shows it again."""
    for line in tuple(_standing):
        line.step_aside()


class ProgressLine:
    """The line on stderr; where that is no terminal, there is none: what reads it wants errors."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """With a loop, text that came too soon is shown later; without, it is left out."""
        stream = sys.stderr
        is_terminal = stream is not None and stream.isatty()
        self._is_shown = is_terminal and os.environ.get("TERM", "dumb") != "dumb"
        self._clock = clock
        self._next = clock()
        self._loop = loop
        self._later: asyncio.TimerHandle | None = None

    def show(self, text: str) -> None:
        """Say how far it is; of what comes too soon after the last, only the newest, and later."""
        self._forget()
        if not self._is_shown:
            return
        now = self._clock()
        if now < self._next:
            if self._loop is not None:
                self._later = self._loop.call_later(self._next - now, self._print, text)
            return
        self._print(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        self._forget()
        self.step_aside()

    def step_aside(self) -> None:
        """Leave the terminal's line to something else; what is to be shown later still is."""
        if self in _standing:
            _standing.discard(self)
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    def _forget(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None

    def _print(self, text: str) -> None:
        self._later, now = None, self._clock()
        self._next = now + _EVERY
        _standing.add(self)
        try:
            width = os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH
        except OSError:  # it is one, and does not tell
            width = _WIDTH
        print(_CLEAR + shorten(text, max(1, width - 1)), end="", file=sys.stderr, flush=True)
