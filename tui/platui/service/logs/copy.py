"""The local copy of a log, to which only new bytes are added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.logs import Log
from platui.logs.preview import MIN_PREVIEW_BYTES, TailPreview, preview
from platui.service.cancellation import computed
from platui.service.logs.indexing import LogIndexer

if TYPE_CHECKING:
    from platui.logs.spool import LogSpool
    from platui.models.values.log import ErrorRules

_NOTHING: Final = Log()


class LogCopy:
    """The document of a log; a response that differs starts a new one with the common beginning."""

    def __init__(self, errors: ErrorRules | None = None, *, errors_may_wait: bool = False) -> None:
        """Create an empty copy; `errors_may_wait` leaves older lines to `find_errors`."""
        self._errors = errors
        self._errors_may_wait = errors_may_wait
        self.document = Log(errors=errors)
        self.reset = False  # whether the document was replaced since this was last set to False
        self.shift = 0  # lines of the document before those of the preview that was shown
        self._at = 0
        self.indexer = LogIndexer(self.document)
        # whether the end may arrive before the rest: nothing is shown until then, to avoid a jump
        self.awaits_end = False
        self._end: TailPreview | None = None
        self._total = 0

    @property
    def shown(self) -> Log:
        if self._end is not None:
            return self._end.document
        return _NOTHING if self.awaits_end else self.document

    @property
    def is_tail(self) -> bool:
        return self._end is not None

    @property
    def progress(self) -> float:
        """Return the loaded part of the log, 0 to 1; 1 if unknown."""
        return min(1.0, self.size / self._total) if self._total else 1.0

    def show_end(self, end: TailPreview | None, total: int) -> None:
        self._end, self.awaits_end = end, False
        self._total = total if end is not None else 0

    def complete(self) -> None:
        if self._end is not None:
            self.shift = self.document.line_at(self._end.start)
        self._end, self._total, self.awaits_end = None, 0, False
        self.document.errors_may_wait = self._errors_may_wait

    @property
    def size(self) -> int:
        return self.document.size

    async def adopt(self, spool: LogSpool) -> None:
        """Start with cached bytes; only their end is shown until they are indexed."""
        self._begin_with(spool)
        size = spool.size
        if size >= MIN_PREVIEW_BYTES:
            self.show_end(await computed(preview, size, spool.read), size)

    def begin(self, start: int) -> bool:
        """Begin a response at byte `start`; return whether it continues the known bytes."""
        self._at = start
        return start <= self.size

    def contradicts(self, chunk: bytes) -> bool:
        """Return whether the next bytes of the response differ from the known ones."""
        known = self._known_of(chunk)
        return known > 0 and self.document.read(self._at, self._at + known) != chunk[:known]

    def take(self, chunk: bytes) -> bool:
        """Take the next bytes of the response; return whether any was new."""
        known = self._known_of(chunk)
        if self.contradicts(chunk) or self.document.is_changed_by(chunk[known:]):
            self._start_over()
            known = 0
        self._at += len(chunk)
        if known < len(chunk):
            self.document.spool.append(chunk[known:] if known else chunk)
        return known < len(chunk)

    def end(self) -> bool:
        """End the response: drop bytes beyond it; return whether there were any."""
        if self._at >= self.size:
            return False
        self._start_over()
        return True

    async def find_errors(self) -> None:
        if not self.document.has_all_errors:
            await computed(self.document.find_errors)

    def _known_of(self, chunk: bytes) -> int:
        return max(0, min(len(chunk), self.size - self._at))

    def _start_over(self) -> None:
        self._begin_with(self.document.spool.beginning(self._at))
        self.reset = True

    def _begin_with(self, spool: LogSpool) -> None:
        self.document = Log(spool=spool, errors=self._errors)
        self.indexer = LogIndexer(self.document)
