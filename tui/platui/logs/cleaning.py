"""Clean many log lines at once: same result as line by line, in a tenth of the time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.logs.ansi import TAB, without_escapes
from platui.logs.document import Log
from platui.logs.line_reader import MAX_LINE_BYTES
from platui.logs.markers import HINT
from platui.logs.shown_line import clean_line
from platui.logs.stamps import STAMP_LENGTH, continues, joined, stamp_length

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument

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
    if stamped and (data.startswith(b"\x1b") or b"\n\x1b" in data):
        suspects = sorted({*suspects, *_begun_by_escapes(data)})
    if not suspects:
        return CleanLines(fast[:-1], fast.count(b"\n"))
    raw = data[:-1].split(b"\n")
    lines: list[bytes | None] = [*fast[:-1].split(b"\n")]
    for number in suspects:
        lines[number] = _cleaned(lines[number] or b"", raw[number], stamped=stamped)
    shown = [line for line in lines if line is not None]
    return CleanLines(b"\n".join(shown), len(shown))


def _begun_by_escapes(data: bytes) -> Iterator[int]:
    """Yield the indexes of lines without a stamp that may begin like one without their escapes."""
    return (at for at, line in enumerate(data.split(b"\n")) if line.startswith(b"\x1b"))


def _cleaned(line: bytes, raw: bytes, *, stamped: bool) -> bytes | None:
    if stamped and not stamp_length(raw, 0):
        text = clean_line(raw, stamped=True)
        return None if text is None else _NO_STAMP + text.encode()
    if b"\r" in line and b"\x1b" not in raw and raw.isascii():
        # Of a progress bar the last state.
        begin = stamp_length(line, 0) if stamped else 0
        states = line[begin:].split(b"\r")
        line = line[:begin] + next((state for state in reversed(states) if state), b"")
    tidy = _clean_simple(line)
    if tidy is None and (text := clean_line(raw, stamped=stamped)) is not None:
        tidy = _NO_STAMP + text.encode() if stamped else text.encode()
    return tidy


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


_PIECE: Final = 400  # Lines per read; a batch with a hidden line is read line by line

_LETTERS: Final = str.maketrans("0123456789abcdef", "ghijklmnopqrstuv")


def read_full_lines(document: LogDocument, start: int, end: int) -> Iterator[bytes]:
    """Yield the full clean text of lines as UTF-8, each with a line feed at its end."""
    if not isinstance(document, Log):
        for y in range(start, end):
            yield from _whole(document, y)
        return
    # The last line may still change.
    settled = min(end, document.line_count - 1)
    for lines in _pieces(document, range(start, settled)):
        if _is_long(document, lines):
            yield from _whole(document, lines.start)
        else:
            yield _as_utf8(_block(document, lines)) + b"\n"
    for y in range(max(start, settled), end):
        yield from _whole(document, y)


def _pieces(log: Log, lines: range) -> Iterator[range]:
    """Split lines into batches; a batch of one may be long."""
    if len(lines) > _PIECE:
        for at in range(lines.start, lines.stop, _PIECE):
            yield from _pieces(log, range(at, min(at + _PIECE, lines.stop)))
    elif len(lines) > 1 and _is_long(log, lines):
        middle = (lines.start + lines.stop) // 2
        yield from _pieces(log, range(lines.start, middle))
        yield from _pieces(log, range(middle, lines.stop))
    elif lines:
        yield lines


def _is_long(log: Log, lines: range) -> bool:
    return log.span_of(lines.stop - 1)[1] - log.span_of(lines.start)[0] >= CLEAN_BYTES


def _whole(document: LogDocument, y: int) -> Iterator[bytes]:
    for spans in document.whole(y):
        yield "".join(span.text for span in spans).encode("utf-8", "replace")
    yield b"\n"


def lines_of(document: LogDocument, start: int, end: int) -> bytes:
    """Return the clean text of settled lines as UTF-8; above `CLEAN_BYTES` a digest ends a line."""
    if not isinstance(document, Log):
        return _one_by_one(document, range(start, end))
    pieces = _pieces(document, range(start, end))
    return _as_utf8(b"\n".join(_block(document, lines) for lines in pieces))


def _as_utf8(lines: bytes) -> bytes:
    """Replace invalid UTF-8: even a single byte can be a terminal control."""
    return lines if lines.isascii() else lines.decode("utf-8", "replace").encode()


def _block(log: Log, lines: range) -> bytes:
    first, last = log.span_of(lines.start)[0], log.span_of(lines.stop - 1)[1]
    if last - first >= CLEAN_BYTES:
        return _one_by_one(log, lines)
    block = clean_lines(log.read(first, last) + b"\n", stamped=log.has_timestamps)
    if block.line_count != len(lines):
        return _one_by_one(log, lines)
    if not log.has_timestamps:
        return block.data
    return b"\n".join(line[stamp_length(line, 0) :] for line in block.data.split(b"\n"))


def _one_by_one(document: LogDocument, lines: range) -> bytes:
    return b"\n".join(_abridged(document, y) for y in lines)


def _abridged(document: LogDocument, y: int) -> bytes:
    kept, digest = b"", None
    for spans in document.whole(y):
        piece = "".join(span.text for span in spans).encode("utf-8", "replace")
        # Cut at an exact byte: piece boundaries differ with colours and stamps.
        room = CLEAN_BYTES - len(kept)
        kept += piece[:room]
        if len(piece) > room:
            if digest is None:
                from hashlib import blake2b  # noqa: PLC0415  (few logs have such a line)

                digest = blake2b(digest_size=16)
            digest.update(piece[room:])
    # In letters that no mask takes for a number or a hash.
    return kept if digest is None else kept + b" " + digest.hexdigest().translate(_LETTERS).encode()
