"""A job's log, ready to be shown and ready to grow."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.logs.ansi import to_spans
from platui.logs.index import LineIndex, breaks_in
from platui.logs.markers import HINT, SectionTable, may_vanish, read_markers, without_partial
from platui.logs.spool import LogSpool
from platui.logs.stamps import STAMP_LENGTH, unstamp
from platui.models.values.log import LogDocument, Span, SpanStyle

if TYPE_CHECKING:
    from platui.logs.markers import MarkedLine
    from platui.models.values.log import Section

MAX_CHARACTERS: Final = 20_000
"""Characters of one line that are shown; an ellipsis stands for the rest."""

MAX_LINE_BYTES: Final = 128 * 1024
"""Bytes of one line that are looked at: its beginning, or its last progress state."""

_SLICE: Final = 1024 * 1024
_REMEMBERED: Final = 512
_HEADER: Final = SpanStyle(role="section")
_ELLIPSIS: Final = Span("…", SpanStyle(role="muted"))


class _ShownLine(NamedTuple):
    spans: tuple[Span, ...]
    is_section: bool


class Log(LogDocument):
    """The displayed lines of a growing log, by number: a `LogDocument`.

    Stamps, section markers and artificial line breaks are gone; a line that held nothing
    else is not there, unless it is the header of a section. Nothing is kept per line:
    bytes lie in a spool, line breaks are counted per block, and only the lines shown
    last are remembered parsed. The last line may still change; all others stay as they
    are.
    """

    def __init__(self, data: bytes = b"") -> None:
        self._spool = LogSpool()
        self._index = LineIndex(self._spool)
        self._table = SectionTable()
        self._scanned = 0
        # For each hidden line, how many displayed ones stand before it.
        self._shown_before_hidden = array("Q")
        self._remembered: dict[int, _ShownLine] = {}
        self._open_line: tuple[int, MarkedLine | None] = (-1, None)
        self._version = 0
        self._finished = False
        if data:
            self.append(data)

    @property
    def line_count(self) -> int:
        """Return how many lines there are now."""
        return self._ended_count + (self._open() is not None)

    @property
    def size(self) -> int:
        """Return how many bytes there are now."""
        return self._spool.size

    @property
    def version(self) -> int:
        """Return a number that changes when any line did."""
        return self._version

    @property
    def is_stamped(self) -> bool:
        """Return whether the runner put a time before every line."""
        return bool(self._index.stamped)

    @property
    def sections(self) -> tuple[Section, ...]:
        """Return the sections so far, in the order of their beginnings."""
        return self._table.snapshot()

    def append(self, data: bytes) -> None:
        """Take the next bytes; where the stream is cut makes no difference."""
        if not data:
            return
        self._finished = False
        for start in range(0, len(data), _SLICE):
            self._spool.append(data[start : start + _SLICE] if len(data) > _SLICE else data)
            self._index.extend()
            self._scan()
        self._version += 1

    def finish(self) -> None:
        """Know that nothing more will come: what was waited for is taken as it is."""
        self._finished = True
        self._index.extend(final=True)
        self._scan()
        self._version += 1

    def close(self) -> None:
        """Let go of the bytes; the document is not read after that."""
        self._spool.close()

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes as they came, from `start` up to `end`, fewer where there are none."""
        return self._spool.read(start, end)

    def spans(self, y: int) -> tuple[Span, ...]:
        """Return the spans of line `y`: no control character, no marker, no stamp.

        Raises:
            IndexError: there is no such line.
        """
        return self._line(y).spans

    def text(self, y: int) -> str:
        """Return the clean text of line `y`.

        Raises:
            IndexError: there is no such line.
        """
        return "".join(span.text for span in self._line(y).spans)

    def is_section(self, y: int) -> bool:
        """Return whether line `y` is the header of a section.

        Raises:
            IndexError: there is no such line.
        """
        return self._line(y).is_section

    @property
    def _ended_count(self) -> int:
        return self._index.line_count - len(self._shown_before_hidden)

    def _line(self, y: int) -> _ShownLine:
        known = self._remembered.get(y)
        if known is not None:
            return known
        ended = self._ended_count
        if y == ended:
            marked = self._open()
            if marked is None:
                raise IndexError(y)
            return _shown(marked)
        if not 0 <= y < ended:
            raise IndexError(y)
        logical = y + bisect_right(self._shown_before_hidden, y)
        line = _shown(read_markers(self._read(*self._index.span_of(logical))))
        if len(self._remembered) >= _REMEMBERED:
            del self._remembered[next(iter(self._remembered))]
        self._remembered[y] = line
        return line

    def _open(self) -> MarkedLine | None:
        """Return the line that has no end yet; None while there is nothing of it to show."""
        version, line = self._open_line
        if version != self._version:
            line = self._read_open()
            self._open_line = (self._version, line)
        return line

    def _read_open(self) -> MarkedLine | None:
        start, end = self._index.open_start, self._index.frontier
        if start == end:
            return None
        raw = self._read(start, end)
        if self._finished:
            line = read_markers(raw)
            return line if line.has_text or line.header_of is not None else None
        # A line that was counted does not go away again; half a marker is never shown.
        return None if may_vanish(raw) else read_markers(without_partial(raw))

    def _read(self, start: int, end: int) -> bytes:
        """Return the bytes of a line that matter, without stamps and its line's end."""
        if end - start <= MAX_LINE_BYTES:
            line = self._spool.read(start, end)
        else:
            line = self._read_long(start, end)
        if self._index.stamped:
            line = unstamp(line)
        return line.removesuffix(b"\r")

    def _read_long(self, start: int, end: int) -> bytes:
        """Return what counts of a line that is too long: its last progress, or its beginning."""
        tail = self._spool.read(end - MAX_LINE_BYTES, end)
        at = tail.find(b"\r", 0, len(tail) - 1)
        return tail[at + 1 :] if at >= 0 else self._spool.read(start, start + MAX_LINE_BYTES)

    def _scan(self) -> None:
        """Look for section markers in the lines that have ended since the last time."""
        start, stop = self._scanned, self._index.open_start
        self._scanned = stop
        data = self._spool.read(start, stop + STAMP_LENGTH) if stop > start else b""
        length = stop - start
        at = data.find(HINT, 0, length)
        if at < 0:
            return
        breaks = breaks_in(data, length, stamped=self.is_stamped)
        first = self._index.line_count - len(breaks)
        while at >= 0:
            number = bisect_right(breaks, at)
            line_start = breaks[number - 1] + 1 if number else 0
            self._take_marked(first + number, data[line_start : breaks[number]])
            at = data.find(HINT, breaks[number], length)

    def _take_marked(self, logical: int, raw: bytes) -> None:
        """Enter the markers of a line into the table, and hide it if it holds nothing else."""
        line = read_markers((unstamp(raw) if self.is_stamped else raw).removesuffix(b"\r"))
        displayed = logical - len(self._shown_before_hidden)
        for marker in line.markers:
            self._table.take(marker, displayed)
        if line.is_hidden:
            self._shown_before_hidden.append(displayed)


def _shown(line: MarkedLine) -> _ShownLine:
    text = line.rest.decode("utf-8", "replace")
    spans = _cut(to_spans(text))
    if line.header_of is None:
        return _ShownLine(spans, is_section=False)
    title = "".join(span.text for span in spans).strip() or line.header_of
    return _ShownLine((Span(title, _HEADER),), is_section=True)


def _cut(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans of at most `MAX_CHARACTERS`, with an ellipsis where more was."""
    room = MAX_CHARACTERS
    for number, span in enumerate(spans):
        if len(span.text) > room:
            kept = (Span(span.text[:room], span.style),) if room else ()
            return (*spans[:number], *kept, _ELLIPSIS)
        room -= len(span.text)
    return spans
