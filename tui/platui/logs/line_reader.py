"""Read lines of a log without stamps; of a long line only the relevant part."""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeVar

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
_LONG_LINES: Final = 128  # Long lines whose last state and pieces are cached

K = TypeVar("K")
V = TypeVar("V")


class LineReader:
    """Reads lines of a log by byte range; thread-safe."""

    def __init__(self, spool: LogSpool, index: LineIndex) -> None:
        self._spool = spool
        self._index = index
        self._states: dict[int, LastState] = {}  # By the start of a long line
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
            # When it was shorter
            others = (one for (at, _, _), one in reversed(self._long.items()) if at == start)
            earlier = next(others, None)
        stop = end - 1 if self._spool.read(end - 1, end) == b"\r" else end
        begin = self._begin(start, end)
        stamped = bool(self._index.stamped)
        line = LongLine(
            self._spool.read, start, stop, begin=begin, stamped=stamped, ends=ends, earlier=earlier
        )
        self._keep(self._long, (start, end, ends), line)
        return line

    def look_through(self, start: int, end: int) -> None:
        """Find where the last progress state of a long line begins, ahead of its first reader."""
        if end - start > MAX_LINE_BYTES:
            self._begin(start, end)

    def _begin(self, start: int, end: int) -> int:
        with self._lock:
            known = self._states.get(start)
        # The line may have grown since a reader asked for its end.
        until = None if known is None else known._replace(end=min(known.end, end))
        begin = last_state(self._spool.read, start, end, until)
        if known is None or known.end < end:
            self._keep(self._states, start, LastState(end, begin))
        return begin

    def _keep(self, kept: dict[K, V], key: K, value: V) -> None:
        with self._lock:
            kept.pop(key, None)
            if len(kept) >= _LONG_LINES:
                del kept[next(iter(kept))]
            kept[key] = value

    def _read(self, start: int, end: int) -> bytes:
        if end - start > MAX_LINE_BYTES:
            # Of a long line: its last progress state, or its beginning.
            start = self._begin(start, end)
            end = min(end, start + MAX_LINE_BYTES)
        return self._plain(self._spool.read(start, end))

    def _plain(self, line: bytes) -> bytes:
        return (strip_stamp(line) if self._index.stamped else line).removesuffix(b"\r")
