"""What it costs to read a log again, whatever else the process does meanwhile."""

from __future__ import annotations

from math import inf
from typing import Final

FORGETS: Final = 1.25
"""By how much the cost of a byte may have grown from one look to the next."""

FIRST_LOOK: Final = 5e-9
"""Seconds that a byte takes at the most when a log is read for the first time.

The process has much else to do then: it shows its first frames.
"""


class Effort:
    """Seconds of a processor that a look takes, by what the cheapest of late took for a byte.

    What the clock of the process tells has in it all that the user did during the look: a
    search, or a key that was held. Taken at its word, that would put the next look off.
    """

    def __init__(self) -> None:
        self._per_byte = inf

    def of(self, seconds: float, size: int, *, first: bool = False) -> float:
        """Return the seconds that a look took by itself.

        Args:
            seconds: of a processor that the process took meanwhile.
            size: bytes that were read.
            first: nothing of the log was known before.
        """
        if size <= 0:
            return 0.0
        if first:
            seconds = min(seconds, size * FIRST_LOOK)
        self._per_byte = min(seconds / size, self._per_byte * FORGETS)
        return self._per_byte * size
