"""Whether this platform answers a request for a part of a log with a part."""

from __future__ import annotations

from typing import Final

MIN_RANGE_BYTES: Final = 16 * 1024
"""Bytes from which the first try for a part is worth its lost compression."""

OVERLAP: Final = 64
"""Known bytes that are asked for again, to see that the log is still the same."""


class RangeHabit:
    """Learns from what came: a part, or the whole log all the same."""

    def __init__(self) -> None:
        self._honoured: bool | None = None

    @property
    def may_be_honoured(self) -> bool:
        """Return whether a part was honoured, or never asked for."""
        return self._honoured is not False

    def start_for(self, size: int) -> int:
        """Return the byte to ask from when `size` are known; 0 asks for the whole log."""
        if self._honoured is False or size < MIN_RANGE_BYTES:
            return 0
        return size - OVERLAP

    def learn(self, *, asked: int, came: int) -> None:
        """Take note of an answer whose first byte was the log's byte `came`."""
        if asked > 0:
            self._honoured = came == asked
