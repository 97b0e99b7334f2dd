"""The clean texts of many lines at once, for whoever reads all of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.logs.document import Log
from platui.logs.markers import HINT
from platui.logs.stamps import STAMP_LENGTH

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument

_PIECE: Final = 100
"""Lines that are read at once; where one of them is hidden or goes on, one by one."""

_PLAIN: Final = bytes((0x0A, *range(0x20, 0x7F)))
"""Bytes that look as they are, in a line that has no marker."""


def lines_of(document: LogDocument, start: int, end: int) -> bytes:
    """Return lines of a document as UTF-8, a line feed between two of them.

    Args:
        document: the log.
        start: the first line.
        end: the line after the last, none of which may still change.
    """
    if not isinstance(document, Log):
        return _one_by_one(document, range(start, end))
    pieces = (range(at, min(at + _PIECE, end)) for at in range(start, end, _PIECE))
    return b"\n".join(_piece(document, lines) for lines in pieces)


def _piece(log: Log, lines: range) -> bytes:
    first, last = log.span_of(lines.start)[0], log.span_of(lines.stop - 1)[1]
    raw = log.read(first, last)
    if _is_plain(raw) and not log.is_stamped and raw.count(b"\n") == len(lines) - 1:
        return raw
    found = raw.split(b"\n")
    if len(found) != len(lines):
        return _one_by_one(log, lines)
    begin = STAMP_LENGTH if log.is_stamped else 0
    return b"\n".join(
        line[begin:] if _is_plain(line) else log.text(y).encode("utf-8", "replace")
        for y, line in zip(lines, found, strict=True)
    )


def _is_plain(raw: bytes) -> bool:
    return not raw.translate(None, _PLAIN) and HINT not in raw


def _one_by_one(document: LogDocument, lines: range) -> bytes:
    return "\n".join(map(document.text, lines)).encode("utf-8", "replace")
