"""Stretches of a stamped log that are written once and printed often, with other times in them.

A stencil is a stretch of lines in which the second, the time of day and the running numbers are
left open. Filling it in is one join, so that a log of any length is made as fast as it is sent.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import accumulate
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SECOND: Final = b"\x00s"
"""Stands for `2026-09-25T07:33:00`."""
CLOCK: Final = b"\x00c"
"""Stands for `07:33:00`."""
EPOCH: Final = b"\x00e"
"""Stands for seconds since 1970, ten digits."""
TICK: Final = b"\x00t"
"""Stands for the number of the stretch in its log, eight digits."""
GROUP: Final = b"\x00g"
"""Stands for the number of the group of stretches, six digits."""

_OPEN: Final = re.compile(rb"(\x00[scetg])")
_MORE: Final = {SECOND: 17, CLOCK: 6, EPOCH: 8, TICK: 6, GROUP: 4}
"""How much longer than itself is what stands in a place."""


class Line:
    """A logical line: its text with places left open, and its bytes once these are filled in."""

    __slots__ = ("raw", "width")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.width = len(raw) + sum(_MORE[name] for name in _OPEN.findall(raw))


class Stencil:
    """A stretch of lines to be filled in."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = len(lines)
        """Logical lines."""
        self.ends = tuple(accumulate(line.width for line in lines))
        """Where each line ends, in bytes from the stretch's begin."""
        self.size = self.ends[-1] if self.ends else 0
        parts = _OPEN.split(b"".join(line.raw for line in lines))
        self._parts = parts
        self._open = parts[1::2]

    def fill(self, second: int, tick: int, group: int) -> bytes:
        """Return the bytes of the stretch at a second since 1970."""
        moment = datetime.fromtimestamp(second, UTC)
        values = {
            SECOND: f"{moment:%Y-%m-%dT%H:%M:%S}".encode(),
            CLOCK: f"{moment:%H:%M:%S}".encode(),
            EPOCH: b"%010d" % second,
            TICK: b"%08d" % tick,
            GROUP: b"%06d" % group,
        }
        parts = self._parts.copy()
        parts[1::2] = [values[name] for name in self._open]
        return b"".join(parts)


def breadth(lines: Iterable[Line]) -> int:
    """Return the bytes of lines together."""
    return sum(line.width for line in lines)
