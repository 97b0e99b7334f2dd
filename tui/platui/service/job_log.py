"""One job's log, looked at when somebody says so, by whoever knows how the job stands."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from platui.core.errors import ApiError, RateLimitedError, ServerFailedError, UnauthorizedError
from platui.service.log_copy import LogCopy
from platui.service.log_tail import LARGEST_KEPT

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.logs import Log
    from platui.models.values.connection import Urgency
    from platui.service.log_shelf import KeptLog
    from platui.service.log_source import LogSource

_SLICE: Final = 1024 * 1024


class JobLog:
    """A log without a rhythm of its own: `LogTail` follows one, this is for those of many."""

    def __init__(self, source: LogSource, shelf: KeptLog) -> None:
        self._source = source
        self._shelf = shelf
        self._copy = LogCopy()

    @property
    def document(self) -> Log:
        """Return the log as far as it was read; another one after a reset."""
        return self._copy.document

    @property
    def transfer(self) -> float:
        """Return the seconds that the last answer took."""
        return self._source.transfer

    def take_reset(self) -> bool:
        """Return whether the document is another one since this was last asked."""
        reset, self._copy.reset = self._copy.reset, False
        return reset

    async def recall(self) -> bool:
        """Take the log of a finished job from where it is kept; return whether it was there."""
        content = await self._shelf.get()
        if content is None:
            return False
        self._copy.begin(0)
        for start in range(0, len(content), _SLICE):
            self._copy.take(content[start : start + _SLICE])
            await asyncio.sleep(0)
        self._copy.document.finish()
        return True

    async def read(self, urgency: Urgency, *, final: bool) -> None:
        """Ask the platform once for what is new.

        Args:
            urgency: who waits for it.
            final: the job had ended before; the log is kept then.

        Raises:
            PlatuiError: no usable answer; what came before it stays.
        """
        await self._source.read(self._copy, urgency, _nobody)
        if final:
            self._copy.document.finish()
            if 0 < self._copy.size <= LARGEST_KEPT:
                self._shelf.put(await asyncio.to_thread(self._copy.content))

    def close(self) -> None:
        """Let go of all bytes; the document is not read after that."""
        self._copy.document.close()
        self._copy.close()


def _nobody() -> None:
    """Tell nobody: the answer is looked at when it is whole."""


def is_refusal(error: PlatuiError) -> bool:
    """Return whether it is of no use to ask for this log again soon, while others may come."""
    return isinstance(error, ApiError) and not isinstance(
        error, RateLimitedError | ServerFailedError | UnauthorizedError
    )
