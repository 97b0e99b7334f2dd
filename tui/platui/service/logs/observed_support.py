"""Whether ranges and compression of logs are supported, and worth it, as far as observed."""

from __future__ import annotations

from typing import Final

WORTH_IT: Final = 4 * 1024 * 1024
"""Bytes of a log from which it matters how it came, and can be told."""

BUSY: Final = 0.2
"""Share of a transfer that a processor worked from which it may not be the line that took time:
the platform, which packs, is no faster than we are."""

SLOWER: Final = 2.0
"""How much slower than packed a log may come unpacked."""

TRIAL: Final = 2.0
"""Seconds after which it is seen how fast a log comes unpacked."""

MIN_RANGE_BYTES: Final = 16 * 1024
"""Bytes from which the first try for a part is worth its lost compression."""

OVERLAP: Final = 64
"""Known bytes that are asked for again, to see that the log is still the same."""


class RangeSupport:
    """Whether the platform honours `Range` requests for logs."""

    def __init__(self) -> None:
        self._honoured: bool | None = None

    @property
    def may_be_honoured(self) -> bool:
        return self._honoured is not False

    def start_for(self, size: int) -> int:
        """Return the byte to ask from when `size` are known; 0 asks for the whole log."""
        if self._honoured is False or size < MIN_RANGE_BYTES:
            return 0
        return size - OVERLAP

    def learn(self, *, asked: int, came: int) -> None:
        if asked > 0:
            self._honoured = came == asked


class CompressionSupport:
    """Whether to request logs compressed.

    A log that is sent whole each time has to be unpacked each time, which is most of what
    following it costs; to pack it costs the platform more still. Over a line that is fast
    enough it is asked for as it is, until that turns out slow.
    """

    def __init__(self) -> None:
        self._is_work = False
        """Whether what came packed took the processor's time rather than the line's."""
        self._packed_speed = self._plain_speed = 0.0  # bytes of the log a second

    @property
    def packs(self) -> bool:
        return not self._is_work or 0 < self._plain_speed * SLOWER < self._packed_speed

    def is_in_vain(self, came: int, seconds: float) -> bool:
        """Return whether to request compression instead of what comes unpacked; remember that."""
        if seconds < TRIAL or came >= seconds * self._packed_speed / SLOWER:
            return False
        self._plain_speed = came / seconds
        return True

    def learn(self, *, packed: bool, size: int, seconds: float, effort: float) -> None:
        """Take note of a whole log that came.

        `effort`: seconds of a processor that went into it.
        """
        if size < WORTH_IT or seconds <= 0:
            return
        if packed:
            self._is_work = effort > seconds * BUSY
            self._packed_speed = size / seconds
        else:
            self._plain_speed = size / seconds
