"""Whether logs had better come packed: not where to pack and unpack them is most of the work."""

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


class PackingHabit:
    """Learns from how logs came.

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
        """Return whether to ask for logs packed."""
        return not self._is_work or 0 < self._plain_speed * SLOWER < self._packed_speed

    def is_in_vain(self, came: int, seconds: float) -> bool:
        """Return whether what comes unpacked had better be asked for packed; learn that it is so.

        Args:
            came: bytes that came so far.
            seconds: that they took.
        """
        if seconds < TRIAL or came >= seconds * self._packed_speed / SLOWER:
            return False
        self._plain_speed = came / seconds
        return True

    def learn(self, *, packed: bool, size: int, seconds: float, effort: float) -> None:
        """Take note of a whole log that came.

        Args:
            packed: whether it was packed on the way.
            size: its bytes, unpacked.
            seconds: that it took to come.
            effort: seconds of a processor that went into it.
        """
        if size < WORTH_IT or seconds <= 0:
            return
        if packed:
            self._is_work = effort > seconds * BUSY
            self._packed_speed = size / seconds
        else:
            self._plain_speed = size / seconds
