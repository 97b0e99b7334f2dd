"""How long a command that prints waits for a feed that gets over a fault by itself."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, TypeVar

from platui.cli.progress_line import give_way
from platui.core.errors import OfflineError, ServerFailedError, Unreachable
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.core.errors import PlatuiError

T = TypeVar("T")

SECONDS: Final = 15.0
"""A feed tries three times within them, about."""

_NEVER_THERE: Final = (
    Unreachable.NO_SUCH_HOST, Unreachable.REFUSED, Unreachable.TLS, Unreachable.NOT_TLS,
    Unreachable.PROXY,
)  # fmt: skip
"""What a wrong address looks like, until something answered there."""


class Patience:
    """Waits over faults that pass, each time so long at most, and says so on stderr."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.reached = False
        """Whether anything came yet."""
        self._seconds = seconds
        self._error: PlatuiError | None = None
        self._until: float | None = None
        self._told = ""

    def bear(self, error: PlatuiError, *, forever: bool = False) -> None:
        """Wait over an error; no longer than patience lasts, unless `forever`.

        Raises:
            PlatuiError: the error, where trying again is no use.
        """
        if not (forever or self._passes(error)):
            raise error
        if error.sentence != self._told:
            self._told = error.sentence
            narrate(f"{error.sentence} Trying on.")
        self._error = error
        if forever:
            self._until = None
        elif self._until is None:
            from asyncio import get_running_loop  # noqa: PLC0415  (there already, where one waits)

            self._until = get_running_loop().time() + self._seconds

    def renew(self) -> None:
        """Know that something came: there is all the time again."""
        self._until = None

    def relax(self) -> None:
        """Know that the fault is over; the next one is told again."""
        self._error = self._until = None
        self._told = ""

    async def items(self, feed: AsyncIterator[T]) -> AsyncIterator[T]:
        """Yield what comes of a feed.

        Raises:
            PlatuiError: what was borne, once it took too long.
        """
        from asyncio import timeout_at  # noqa: PLC0415  (there already, where one waits)

        while True:
            try:
                async with timeout_at(self._until):
                    item = await anext(feed)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if self._error is None:
                    raise
                raise self._error from None
            yield item

    def _passes(self, error: PlatuiError) -> bool:
        """Return whether the next try may well succeed."""
        if isinstance(error, OfflineError):
            return self.reached or error.reason not in _NEVER_THERE
        return isinstance(error, ServerFailedError)


def narrate(sentence: str) -> None:
    """Say something beside the data."""
    give_way()
    print(f"platui: {clean(sentence)}", file=sys.stderr, flush=True)
