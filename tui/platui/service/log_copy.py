"""Our copy of a log, held against what the platform sends: only new bytes are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.logs import Log
from platui.logs.spool import LogSpool

if TYPE_CHECKING:
    from platui.models.values.log import ErrorRules


class LogCopy:
    """Bytes and the document made of them. An answer is begun, taken in chunks, and ended.

    Logs grow at their end. Where an answer differs from what we have (an erased log, another
    attempt), the document is made anew from what both have in common.
    """

    def __init__(self, errors: ErrorRules | None = None) -> None:
        self._errors = errors
        self.document = Log(errors=errors)
        self.reset = False
        """Whether the document is another one since this was last set to False."""
        self._bytes = LogSpool()
        self._at = 0

    @property
    def size(self) -> int:
        """Return how many bytes there are."""
        return self._bytes.size

    def begin(self, start: int) -> bool:
        """Begin with an answer whose first byte is the log's byte `start`.

        Returns whether that byte joins on to what is there.
        """
        self._at = start
        return start <= self.size

    def take(self, chunk: bytes) -> bool:
        """Take the next bytes of the answer; return whether any of them was new."""
        known = max(0, min(len(chunk), self.size - self._at))
        if known and self._bytes.read(self._at, self._at + known) != chunk[:known]:
            self._start_over(self._at)
            known = 0
        self._at += len(chunk)
        self._append(chunk[known:])
        return known < len(chunk)

    def end(self) -> bool:
        """End the answer: what it did not reach is gone; return whether that changed anything."""
        if self._at >= self.size:
            return False
        self._start_over(self._at)
        return True

    def content(self) -> bytes:
        """Return all bytes."""
        return self._bytes.read(0, self.size)

    def close(self) -> None:
        """Let go of the bytes; the document stays readable for whoever shows it."""
        self._bytes.close()

    def _start_over(self, length: int) -> None:
        """Make the document anew of the first bytes."""
        common = self._bytes.read(0, length)
        self._bytes.close()
        self._bytes, self.document, self.reset = LogSpool(), Log(errors=self._errors), True
        self._append(common)

    def _append(self, data: bytes) -> None:
        if data:
            self._bytes.append(data)
            self.document.append(data)
