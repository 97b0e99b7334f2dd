"""Read lines of a log without stamps; of a long line only the relevant part."""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING, Final

from platui.logs.long_line import LastState, LongLine, last_state
from platui.logs.markers import MarkedLine, may_be_hidden, read_markers, strip_partial_marker
from platui.logs.section_scan import LineMarkers
from platui.logs.stamps import strip_stamp

if TYPE_CHECKING:
    from platui.logs.line_index import LineIndex
    from platui.logs.spool import LogSpool

MAX_LINE_BYTES: Final = 64 * 1024
"""Bytes of a line that are searched for markers: its beginning, or its last progress state."""

_UNFINISHED: Final = re.compile(
    rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z"
)
_LONG_LINES: Final = 128  # Long lines whose piece offsets are cached


class LineReader:
    """Reads lines of a log by byte range; thread-safe."""

    def __init__(self, spool: LogSpool, index: LineIndex) -> None:
        self._spool = spool
        self._index = index
        self._state: LastState | None = None  # of the incomplete last line
        # By start, end and whether the line is complete.
        self._long: dict[tuple[int, int, bool], LongLine] = {}
        self._lock = Lock()

    def line(self, start: int, end: int) -> MarkedLine:
        return read_markers(self._read(start, end))

    def open_line(self, start: int, end: int) -> MarkedLine | None:
        """Return an incomplete line without a partial marker or character; None if empty."""
        raw = _UNFINISHED.sub(b"", self._read(start, end))
        return None if may_be_hidden(raw) else read_markers(strip_partial_marker(raw))

    def take_apart(self, start: int, end: int) -> LineMarkers:
        line = self.line(start, end)
        markers = line.markers
        if end - start > MAX_LINE_BYTES:
            # Shown is the last progress state, but the section began before the first one.
            head = self._plain(self._spool.read(start, start + MAX_LINE_BYTES))
            markers = tuple(dict.fromkeys((*read_markers(head).markers, *markers)))
        return LineMarkers(markers, line.is_hidden, line.header_of is not None)

    def long_line(self, start: int, end: int, *, ends: bool) -> LongLine:
        """Return a line in pieces; `ends`: the line is complete."""
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
            # Of a long line: its last progress state, or its beginning.
            start = last_state(self._spool.read, start, end, self._state)
            end = min(end, start + MAX_LINE_BYTES)
        return self._plain(self._spool.read(start, end))

    def _plain(self, line: bytes) -> bytes:
        return (strip_stamp(line) if self._index.stamped else line).removesuffix(b"\r")
