"""Many lines of a log cleaned at once: the same texts as one by one, in a tenth of the time."""

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

CLEAN_BYTES: Final = MAX_LINE_BYTES
"""Bytes of a log that are cleaned at once: a thousand lines. A longer line is read in pieces."""

# Escapes that leave no trace in a line without a carriage return. One that is followed by
# the rest of a character may have torn it apart: such a line takes the long way.
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
    """Lines that follow each other in a log, clean, all of them; or one that is too long."""

    data: bytes
    """UTF-8 as far as the log is, with a line feed between lines. Stamps stand before lines."""
    line_count: int  # Lines; 0 where all of them are hidden
    long: int | None = None
    """The line, where it is one too long for a slice: without `data`, to be read in pieces."""


class CleanReader:
    """Reads a log block after block; `line` is displayed next, and begins at `byte` or later."""

    def __init__(self, log: Log, line: int, byte: int) -> None:
        self.line = line
        self.byte = byte
        self._log = log

    def read(self, stop: int) -> CleanLines | None:
        """Return the next block; None where byte `stop`, at which a line begins, is reached."""
        if self.byte >= stop:
            return None
        length = min(CLEAN_BYTES, stop - self.byte)
        data = self._log.read(self.byte, self.byte + length + STAMP_LENGTH)
        end = _last_break(data, min(length, len(data)), stamped=self._log.is_stamped) + 1
        if not end:
            return self._read_long(stop)
        block = clean_lines(data[:end], stamped=self._log.is_stamped)
        self.byte += end
        self.line += block.line_count
        return block

    def _read_long(self, stop: int) -> CleanLines:
        try:
            start, end = self._log.span_of(self.line)
        except IndexError:  # hidden, or the log was closed
            start = end = stop
        if start > self.byte:  # hidden, and another one may come after it
            self.byte = min(start, stop)
            return CleanLines(b"", 0)
        self.byte = end + 1
        self.line += 1
        return CleanLines(b"", 1, self.line - 1)


def _last_break(data: bytes, stop: int, *, stamped: bool) -> int:
    at = data.rfind(b"\n", 0, stop)
    while stamped and at >= 0 and continues(data, at):
        at = data.rfind(b"\n", 0, at)
    return at


def clean_lines(data: bytes, *, stamped: bool) -> CleanLines:
    """Return whole lines clean: most all at once, those with rarer signs one by one."""
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
    tidy = _tidied(line)
    if tidy is None and (text := clean_line(raw, stamped=stamped)) is not None:
        tidy = _NO_STAMP + text.encode() if stamped else text.encode()
    return tidy


def _last_state(line: bytes, begin: int) -> bytes:
    """Return a progress bar as it was left, behind what stands before byte `begin`."""
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
    """Yield which lines, counted from 0, hold anything outside ASCII."""
    return _lines_at(data.translate(_FOREIGN), b"\0", data) if not data.isascii() else iter(())


def _lines_at(data: bytes, what: bytes, lines: bytes) -> Iterator[int]:
    number = counted = 0
    at = data.find(what)
    while at >= 0:
        number += lines.count(b"\n", counted, at)
        counted = at
        yield number
        # A block's last line has no line break behind it.
        end = lines.find(b"\n", at)
        at = data.find(what, end) if end >= 0 else -1


def _is_well_behaved(data: bytes) -> bool:
    if data.isascii():
        return True
    # Characters without those between them are enough to judge by: one that was torn apart
    # may look worse than it is, never better.
    foreign = data.translate(None, _ASCII).decode("utf-8", "replace")
    return clean(foreign) == foreign


def _tidied(line: bytes) -> bytes | None:
    """Return a line without traceless escapes as it is shown; None where that is not so easy."""
    if HINT in line:
        return None
    if line.isascii():
        line = line.expandtabs(TAB)
        return None if line.translate(None, _PLAIN) else line
    if line.translate(None, _PLAIN):
        return None
    text = line.decode("utf-8", "replace")
    return clean(text).encode() if without_escapes(text) == text else None
