"""The bytes of a line that matter, read: without stamps, and of a long one what counts of it."""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING, Final

from platui.logs.long_line import LastState, LongLine, last_state
from platui.logs.markers import may_vanish, read_markers, without_partial
from platui.logs.section_scan import TakenApart
from platui.logs.stamps import unstamp

if TYPE_CHECKING:
    from platui.logs.index import LineIndex
    from platui.logs.markers import MarkedLine
    from platui.logs.spool import LogSpool

MAX_LINE_BYTES: Final = 64 * 1024
"""Bytes of a line in which markers are looked for: its beginning, or its last progress state."""

_UNFINISHED: Final = re.compile(
    rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z"
)
_LONG_LINES: Final = 128
"""Long lines of which it is remembered where their pieces begin."""


class LineReader:
    """Reads lines of a log by their bytes; any number of threads may ask it."""

    def __init__(self, spool: LogSpool, index: LineIndex) -> None:
        self._spool = spool
        self._index = index
        self._state: LastState | None = None  # of the line that has no end yet
        # By the bytes of the line, and whether it has ended.
        self._long: dict[tuple[int, int, bool], LongLine] = {}
        self._lock = Lock()

    def line(self, start: int, end: int) -> MarkedLine:
        """Return the line from one byte to another, which has an end or goes on no more."""
        return read_markers(self._read(start, end))

    def open_line(self, start: int, end: int) -> MarkedLine | None:
        """Return a line that may go on, without half a marker or character; None if empty."""
        raw = _UNFINISHED.sub(b"", self._read(start, end))
        return None if may_vanish(raw) else read_markers(without_partial(raw))

    def take_apart(self, start: int, end: int) -> TakenApart:
        line = self.line(start, end)
        markers = line.markers
        if end - start > MAX_LINE_BYTES:
            # The last state of a long progress is shown; the section began before the first.
            head = self._plain(self._spool.read(start, start + MAX_LINE_BYTES))
            markers = tuple(dict.fromkeys((*read_markers(head).markers, *markers)))
        return TakenApart(markers, line.is_hidden, line.header_of is not None)

    def long_line(self, start: int, end: int, *, ends: bool) -> LongLine:
        """Return a line in pieces. `ends` says that the line is complete."""
        with self._lock:
            if (known := self._long.get((start, end, ends))) is not None:
                return known
        line = LongLine(
            self._spool.read,
            start,
            end,
            stamped=bool(self._index.stamped),
            ends=ends,
            known=self._state,
        )
        if not ends:
            self._state = line.state
        with self._lock:
            if len(self._long) >= _LONG_LINES:
                del self._long[next(iter(self._long))]
            self._long[start, end, ends] = line
        return line

    def _read(self, start: int, end: int) -> bytes:
        if end - start > MAX_LINE_BYTES:
            # Of one that is too long: its last progress, or its beginning.
            start = last_state(self._spool.read, start, end, self._state)
            end = min(end, start + MAX_LINE_BYTES)
        return self._plain(self._spool.read(start, end))

    def _plain(self, line: bytes) -> bytes:
        return (unstamp(line) if self._index.stamped else line).removesuffix(b"\r")
