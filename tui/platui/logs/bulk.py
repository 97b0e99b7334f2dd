"""The clean texts of many lines at once, for whoever reads all of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.logs.blocks import SLICE, clean_block
from platui.logs.document import Log
from platui.logs.stamps import stamp_length

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument

_PIECE: Final = 400
"""Lines that are read at once; where one of them is hidden, one by one."""


def lines_of(document: LogDocument, start: int, end: int) -> bytes:
    """Return the clean text of lines as UTF-8, a line feed between two of them.

    Args:
        document: the log.
        start: the first line.
        end: the line after the last, none of which may still change.
    """
    if not isinstance(document, Log):
        return _one_by_one(document, range(start, end))
    pieces = (range(at, min(at + _PIECE, end)) for at in range(start, end, _PIECE))
    return _as_utf8(b"\n".join(_piece(document, lines) for lines in pieces))


def _as_utf8(lines: bytes) -> bytes:
    """Return lines with a sign for what is no UTF-8: a byte alone may steer a terminal, too."""
    return lines if lines.isascii() else lines.decode("utf-8", "replace").encode()


def _piece(log: Log, lines: range) -> bytes:
    first, last = log.span_of(lines.start)[0], log.span_of(lines.stop - 1)[1]
    if last - first >= SLICE:
        middle = (lines.start + lines.stop) // 2
        if middle == lines.start:
            return _one_by_one(log, lines)
        halves = range(lines.start, middle), range(middle, lines.stop)
        return b"\n".join(_piece(log, half) for half in halves)
    block = clean_block(log.read(first, last) + b"\n", stamped=log.is_stamped)
    if block.line_count != len(lines):
        return _one_by_one(log, lines)
    if not log.is_stamped:
        return block.data
    return b"\n".join(line[stamp_length(line, 0) :] for line in block.data.split(b"\n"))


def _one_by_one(document: LogDocument, lines: range) -> bytes:
    return "\n".join(map(document.text, lines)).encode("utf-8", "replace")
