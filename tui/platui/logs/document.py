"""The log of a job as displayed lines; it can grow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from threading import Lock, RLock
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.logs.error_index import ErrorBacklog
from platui.logs.line_index import SCAN_BYTES, LineIndex
from platui.logs.line_reader import LineReader
from platui.logs.section_scan import SectionScan
from platui.logs.shown_line import LineCache, ShownLine, shown_line
from platui.logs.spool import LogSpool
from platui.logs.stamps import STAMP_LENGTH, parse_stamp, stamp_length
from platui.models.values.log import ErrorMark, ErrorRules, LogDocument, Section, Span

if TYPE_CHECKING:
    from platui.logs.long_line import LongLine
    from platui.logs.markers import MarkedLine


_BEGINNING: Final = 500  # Characters
_SHORT: Final = 2_000  # Bytes of a line that is read whole
_CHECKED: Final = 64 * 1024  # Bytes of a longer line that are checked for these:
_REWRITES: Final = (b"\r", b"\x1b", b"\n", b"section_")  # With one, the text differs from the bytes


class Log(LogDocument):
    """The displayed lines of a growing log; one thread at a time may extend it, any may read."""

    def __init__(
        self,
        data: bytes = b"",
        *,
        spool: LogSpool | None = None,
        stamped: bool | None = None,
        errors: ErrorRules | None = None,
    ) -> None:
        """Start with the bytes of `spool`; `stamped` if the first line is not available."""
        self.spool = LogSpool() if spool is None else spool
        self._index = LineIndex(self.spool, stamped=stamped)
        self._reader = LineReader(self.spool, self._index)
        self._scan = SectionScan(self._reader.take_apart)
        self._errors = None if errors is None else ErrorBacklog(errors)
        self._growing = Lock()
        self._lock = RLock()  # guards what readers see; held only briefly while growing
        self._memory = LineCache()
        # Of the incomplete last line, with the version that they are of.
        self._open_line: tuple[int, MarkedLine | None] = (-1, None)
        self._shown_open: tuple[int, ShownLine] | None = None
        self._sections: tuple[int, tuple[Section, ...]] = (-1, ())
        self._version = 0
        self._finished = False
        self._unmarked: ErrorMark | None = None  # what failed a finished log, if no rule knows it
        self.errors_may_wait = False  # search only the newest lines of a large append for errors
        self.append(data)

    @property
    def line_count(self) -> int:
        with self._lock:
            return self._ended_count + (self._open() is not None)

    @property
    def settled_count(self) -> int:
        return self.line_count if self._finished else self._ended_count

    @property
    def size(self) -> int:
        return self.spool.size

    @property
    def version(self) -> int:
        return self._version

    @property
    def has_timestamps(self) -> bool:
        return bool(self._index.stamped)

    @property
    def sections(self) -> tuple[Section, ...]:
        with self._lock:
            version, sections = self._sections
            if version != self._version:
                # Not committed: the last line may still continue.
                start, end = self._index.open_start, self._index.frontier
                last = self._reader.line(start, end) if self._finished else None
                sections = self._scan.sections(last, self._ended_count)
                self._sections = (self._version, sections)
            return sections

    @property
    def errors(self) -> tuple[ErrorMark, ...]:
        if self._errors is None:
            return ()
        with self._lock:
            ended = self._ended_count
            if not self._finished:
                return self._errors.marks
            last = ended == self.line_count
            marks = self._errors.marks if last else self._errors.marks_with(self, ended)
            if (unmarked := self._unmarked) is None:
                return marks
            others = (mark for mark in marks if mark.first != unmarked.first)
            return tuple(sorted((*others, unmarked)))

    @property
    def error_count(self) -> int:
        return 0 if self._errors is None else max(self._errors.count, len(self.errors))

    @property
    def has_all_errors(self) -> bool:
        return self._errors is None or not self._errors.is_behind

    def find_errors(self) -> None:
        while self.find_more_errors():
            pass

    def find_more_errors(self) -> bool:
        """Search the next few thousand lines; return whether more remain."""
        if self._errors is None:
            return False
        with self._growing:
            return self._errors.step(self, self._index.open_start)

    @property
    def disabled_rules(self) -> Sequence[str]:
        return () if self._errors is None else self._errors.rules.disabled_rules

    def append(self, data: bytes) -> None:
        for start in range(0, len(data), SCAN_BYTES):
            self.spool.append(data[start : start + SCAN_BYTES])
            self.take_in()

    def grew(self, size: int) -> bool:
        """Process the growth of the underlying file; return False if it would change a line."""
        self.spool.extend_base(size)
        if self.is_changed_by(b""):
            return False
        self.take_in()
        return True

    def is_changed_by(self, data: bytes) -> bool:
        """Return whether following bytes continue a line that had ended in a finished log."""
        with self._lock:
            return self._index.undoes_break(data)

    def finish(self) -> None:
        """Mark the log as complete: unfinished stamps and markers count as text."""
        while self.step(final=True):
            pass
        with self._lock:
            self._finished = True
            self._version += 1
        self.find_errors()
        if self._errors is not None:
            self._unmarked = None
            self._unmarked = self._errors.rules.unmarked_cause(self)

    def close(self) -> None:
        self.spool.close()

    @property
    def ends_with_break(self) -> bool:
        """Return whether the last line, if not settled, is complete unless a stamp continues it."""
        with self._lock:
            return self._index.ends_with_break and self._open() is not None

    @property
    def settled(self) -> int:
        """Return the byte up to which all lines are complete and final."""
        with self._lock:
            return self._index.open_start

    def read(self, start: int, end: int) -> bytes:
        """Return raw bytes with stamps, markers and escapes; fewer at the end of the log."""
        return self.spool.read(start, end)

    def line_at(self, byte: int) -> int:
        """Return the displayed line at a byte, or the next one, which may not exist yet."""
        with self._lock:
            logical = self._index.line_at(byte)
            return logical - self._scan.hidden_before(logical)

    def span_of(self, y: int) -> tuple[int, int]:
        """Return the first byte of line `y` and its end, without the line break."""
        with self._lock:
            if not 0 <= y < self.line_count:
                raise IndexError(y)
            return self._index.span_of(self._scan.logical(y))

    def spans(self, y: int) -> tuple[Span, ...]:
        return self._line(y).spans

    def text(self, y: int) -> str:
        return "".join(span.text for span in self._line(y).spans)

    def beginning(self, y: int) -> str:
        start, end = self.span_of(y)
        if end - start <= _SHORT:
            return self.text(y)[:_BEGINNING]
        data = self.spool.read(start, min(end, start + _CHECKED))
        if any(sign in data for sign in _REWRITES):
            return self.text(y)[:_BEGINNING]
        if self.has_timestamps:
            data = data[stamp_length(data, 0) :]
        return clean(data[:_SHORT].decode("utf-8", "replace"))[:_BEGINNING]

    def piece(self, y: int, number: int) -> tuple[Span, ...] | None:
        line = self._line(y)
        if line.is_long and not line.is_section:
            return self._long_line(y).piece(number)
        return None if number else line.spans

    def whole(self, y: int) -> Iterator[tuple[Span, ...]]:
        line = self._line(y)
        if line.is_long:
            yield from self._long_line(y).whole()
        else:
            yield line.spans

    def _long_line(self, y: int) -> LongLine:
        start, end = self.span_of(y)
        with self._lock:
            ends = self._finished or y < self._ended_count
        return self._reader.long_line(start, end, ends=ends)

    def is_section(self, y: int) -> bool:
        return self._line(y).is_section

    def stamp(self, y: int) -> float | None:
        start, end = self.span_of(y)
        if not self.has_timestamps:
            return None
        return parse_stamp(self.spool.read(start, min(end, start + STAMP_LENGTH)))

    def step(self, *, final: bool = False) -> bool:
        """Process the next bytes; return whether more remain. `final`: none will follow."""
        with self._growing:
            intake = self._index.prepare(final=final)
            if intake is None:
                return False
            # The slow part runs before the lock, so that readers do not wait.
            found = self._scan.look(intake)
            with self._lock:
                self._finished = False
                self._index.enter(intake)
                self._scan.enter(found)
                self._version += 1
            self._reader.look_through(self._index.open_start, self._index.frontier)
        if not self.errors_may_wait:
            self.find_errors()
        return intake.stop < self.spool.size

    def take_in(self) -> None:
        while self.step():
            pass
        if self.errors_may_wait and self._errors is not None:
            # Without the readers' lock: rules can be slow on a line.
            with self._growing:
                self._errors.search_newest(self, self._index.open_start)

    @property
    def _ended_count(self) -> int:
        return self._index.line_count - self._scan.hidden_count

    def _line(self, y: int) -> ShownLine:
        with self._lock:
            if (known := self._memory.get(y)) is not None:
                return known
            if y == self._ended_count:
                return self._open_shown(y)
            if not 0 <= y < self._ended_count:
                raise IndexError(y)
            start, end = self._index.span_of(self._scan.logical(y))
        marked = self._reader.line(start, end)
        line = shown_line(marked, end - start, partial(self._long_line, y))
        with self._lock:
            self._memory.keep(y, line)
        return line

    def _open_shown(self, y: int) -> ShownLine:
        if self._shown_open is None or self._shown_open[0] != self._version:
            marked = self._open()
            if marked is None:
                raise IndexError(y)
            start, end = self._index.open_start, self._index.frontier
            line = shown_line(marked, end - start, partial(self._long_line, y))
            self._shown_open = (self._version, line)
        return self._shown_open[1]

    def _open(self) -> MarkedLine | None:
        """Return the incomplete last line; None while it has nothing to show."""
        version, line = self._open_line
        if version != self._version:
            start, end = self._index.open_start, self._index.frontier
            if start == end:
                line = None
            elif not self._finished:
                line = self._reader.open_line(start, end)
            else:
                line = self._reader.line(start, end)
                if not line.has_text and line.header_of is None:
                    line = None
            self._open_line = (self._version, line)
        return line
