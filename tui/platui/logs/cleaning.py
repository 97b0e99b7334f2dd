"""Clean many log lines at once: same result as line by line, in a tenth of the time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.text import clean
from platui.logs.ansi import TAB, without_escapes
from platui.logs.line_reader import MAX_LINE_BYTES
from platui.logs.markers import HINT
from platui.logs.shown_line import clean_line
from platui.logs.stamps import STAMP_LENGTH, continues, joined, stamp_length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.logs.document import Log

CLEAN_BYTES: Final = MAX_LINE_BYTES  # Bytes per block; a longer line is read in pieces

# Escapes without effect in a line without a carriage return. One followed by a UTF-8
# continuation byte may have split a character: such a line is cleaned the slow way.
_TRACELESS: Final = re.compile(
    rb"\x1b\[(?:[0-?]*[ -/]*[@-FH-JL-~]|[013]?K)(?![\x80-\xbf])",
)
_ASCII: Final = bytes(range(0x80))
_PLAIN: Final = bytes(range(0x20, 0x7F)) + b"\n" + bytes(range(0x80, 0x100))
_CONTROLS: Final = bytes(byte in _PLAIN for byte in range(0x100))
_CONTROLS_AND_FOREIGN: Final = _CONTROLS[:0x80] + bytes(0x80)
_FOREIGN: Final = b"\1" * 0x80 + bytes(0x80)
_NO_STAMP: Final = b"2000-01-01T00:00:00.000000Z 00O "


class CleanLines(NamedTuple):
    """A block of clean consecutive lines, or the number of one line too long for a block."""

    data: bytes  # UTF-8 unless the log is not; line feeds between lines, stamps kept
    line_count: int  # 0 if all lines are hidden
    long: int | None = None  # Number of the long line, to be read in pieces; `data` is empty


class CleanReader:
    """Reads a log in blocks; `line` is the next displayed line, at `byte` or after it."""

    def __init__(self, log: Log, line: int, byte: int) -> None:
        self.line = line
        self.byte = byte
        self._log = log

    def read(self, stop: int) -> CleanLines | None:
        """Return the next block; None once `stop`, the start of a line, is reached."""
        if self.byte >= stop:
            return None
        length = min(CLEAN_BYTES, stop - self.byte)
        data = self._log.read(self.byte, self.byte + length + STAMP_LENGTH)
        stamped = self._log.has_timestamps
        at = data.rfind(b"\n", 0, length)
        while stamped and at >= 0 and continues(data, at):
            at = data.rfind(b"\n", 0, at)
        if at < 0:
            return self._read_long(stop)
        block = clean_lines(data[: at + 1], stamped=stamped)
        self.byte += at + 1
        self.line += block.line_count
        return block

    def _read_long(self, stop: int) -> CleanLines:
        try:
            start, end = self._log.span_of(self.line)
        except IndexError:  # hidden, or the log was closed
            start = end = stop
        if start > self.byte:  # hidden, and another hidden line may follow
            self.byte = min(start, stop)
            return CleanLines(b"", 0)
        self.byte = end + 1
        self.line += 1
        return CleanLines(b"", 1, self.line - 1)


def clean_lines(data: bytes, *, stamped: bool) -> CleanLines:
    """Clean whole lines: most of them together, lines with rare characters one by one."""
    if stamped:
        data = joined(data)
    fast = data.replace(b"\r\n", b"\n") if b"\r" in data else data
    if b"\x1b" in fast:
        fast = _TRACELESS.sub(b"", fast)
    if b"\t" in fast and fast.isascii():
        fast = fast.expandtabs(TAB)
    suspects = _suspects(fast)
    if not suspects:
        return CleanLines(fast[:-1], fast.count(b"\n"))
    raw = data[:-1].split(b"\n")
    lines: list[bytes | None] = [*fast[:-1].split(b"\n")]
    for number in suspects:
        lines[number] = _cleaned(lines[number] or b"", raw[number], stamped=stamped)
    shown = [line for line in lines if line is not None]
    return CleanLines(b"\n".join(shown), len(shown))


def _cleaned(line: bytes, raw: bytes, *, stamped: bool) -> bytes | None:
    if b"\r" in line and b"\x1b" not in raw and raw.isascii():
        line = _last_state(line, stamp_length(line, 0) if stamped else 0)
    tidy = _clean_simple(line)
    if tidy is None and (text := clean_line(raw, stamped=stamped)) is not None:
        tidy = _NO_STAMP + text.encode() if stamped else text.encode()
    return tidy


def _last_state(line: bytes, begin: int) -> bytes:
    """Return the last state of a progress bar, after the first `begin` bytes."""
    states = line[begin:].split(b"\r")
    return line[:begin] + next((state for state in reversed(states) if state), b"")


def _suspects(data: bytes) -> list[int]:
    found: set[int] = set()
    look_at = _CONTROLS if _is_well_behaved(data) else _CONTROLS_AND_FOREIGN
    if data.translate(None, _PLAIN) or look_at is not _CONTROLS:
        found.update(_lines_at(data.translate(look_at), b"\0", data))
    if HINT in data:
        found.update(_lines_at(data, HINT, data))
    return sorted(found)


def foreign_lines(data: bytes) -> Iterator[int]:
    """Yield the indexes of lines with characters outside ASCII."""
    return _lines_at(data.translate(_FOREIGN), b"\0", data) if not data.isascii() else iter(())


def _lines_at(data: bytes, what: bytes, lines: bytes) -> Iterator[int]:
    number = counted = 0
    at = data.find(what)
    while at >= 0:
        number += lines.count(b"\n", counted, at)
        counted = at
        yield number
        # The last line of a block has no line break.
        end = lines.find(b"\n", at)
        at = data.find(what, end) if end >= 0 else -1


def _is_well_behaved(data: bytes) -> bool:
    if data.isascii():
        return True
    # Non-ASCII characters alone are enough: a character split by ASCII bytes can only
    # look worse than it is.
    foreign = data.translate(None, _ASCII).decode("utf-8", "replace")
    return clean(foreign) == foreign


def _clean_simple(line: bytes) -> bytes | None:
    """Clean a line without traceless escapes; None if it needs the slow way."""
    if HINT in line:
        return None
    if line.isascii():
        line = line.expandtabs(TAB)
        return None if line.translate(None, _PLAIN) else line
    if line.translate(None, _PLAIN):
        return None
    text = line.decode("utf-8", "replace")
    return clean(text).encode() if without_escapes(text) == text else None
