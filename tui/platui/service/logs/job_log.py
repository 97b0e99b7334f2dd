"""One job's log, looked at when somebody says so, by whoever knows how the job stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import ApiError, RateLimitedError, ServerFailedError, UnauthorizedError
from platui.service.logs.copy import LogCopy

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.logs import Log
    from platui.models.values.connection import Urgency
    from platui.models.values.log import ErrorRules
    from platui.service.logs.shelf import KeptLog
    from platui.service.logs.source import LogSource


class JobLog:
    """A log without a rhythm of its own: `LogTail` follows one, this is for those of many."""

    def __init__(self, source: LogSource, shelf: KeptLog, errors: ErrorRules | None = None) -> None:
        self._source = source
        self._shelf = shelf
        self._copy = LogCopy(errors)

    @property
    def document(self) -> Log:
        return self._copy.document

    @property
    def transfer(self) -> float:
        return self._source.transfer

    def take_reset(self) -> bool:
        """Return whether the document is another one since this was last asked."""
        reset, self._copy.reset = self._copy.reset, False
        return reset

    async def recall(self) -> bool:
        kept = await self._shelf.get()
        if kept is None:
            return False
        await self._copy.adopt(kept)
        await self._copy.settle()
        self._copy.complete()
        self._copy.document.finish()
        return True

    async def read(self, urgency: Urgency, *, final: bool) -> None:
        """Ask the platform once for what is new.

        `final`: the job had ended before; the log is kept then.
        Raises PlatuiError: no usable answer; what came before it stays.
        """
        await self._source.read(self._copy, urgency)
        if final:
            self._copy.document.finish()
            if self._copy.size:
                self._shelf.put(self._copy.document.spool)

    def close(self) -> None:
        # Not closed: who keeps the log may still be about to write its bytes down.
        self._copy = LogCopy()


def is_refusal(error: PlatuiError) -> bool:
    """Return whether it is of no use to ask for this log again soon, while others may come."""
    return isinstance(error, ApiError) and not isinstance(
        error, RateLimitedError | ServerFailedError | UnauthorizedError
    )
