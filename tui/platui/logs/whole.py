"""One line of any length, piece after piece: what is printed and saved is not cut short."""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, Final

from platui.logs.ansi import without_escapes
from platui.logs.markers import MARKER_LENGTH, ends_in_marker_return, read_markers, where_begun
from platui.logs.stamps import STAMP_LENGTH, joined, unstamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Read = Callable[[int, int], bytes]
    """Returns the bytes from one up to another."""

_PIECE: Final = 64 * 1024
_GLIMPSE: Final = 1024
"""Bytes after a carriage return in which text is to be seen, where any comes."""


def texts_of(read: Read, start: int, end: int, *, stamped: bool) -> Iterator[str]:
    """Yield a logical line without stamps and markers, its escapes and controls still in it.

    Of a progress bar that is the last state.

    Args:
        read: returns bytes of the log.
        start: where the line begins, with its stamp if there are any.
        end: where it ends.
        stamped: whether stamps undo line breaks.
    """
    if read(end - 1, end) == b"\r":
        end -= 1
    begin = _last_state(read, start, end)
    decoder = getincrementaldecoder("utf-8")("replace")
    pieces = (read(at, min(at + _PIECE, end)) for at in range(begin, end, _PIECE))
    for piece in _unmarked(_joined(pieces) if stamped else pieces):
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def _last_state(read: Read, start: int, end: int) -> int:
    """Return where the last state of a line begins: behind a carriage return, if one counts."""
    high = end
    while high > start:
        low = max(start, high - _PIECE)
        data = read(low, high)
        at = data.rfind(b"\r")
        while at >= 0:
            if _counts(read, start, low + at, end):
                return low + at + 1
            at = data.rfind(b"\r", 0, at)
        high = low
    return start


def _counts(read: Read, start: int, at: int, end: int) -> bool:
    """Return whether what comes behind a carriage return is written over what is before it."""
    before = read(max(start, at - MARKER_LENGTH), at + 1)
    if ends_in_marker_return(before):
        return False
    after = read(at + 1, min(end, at + 1 + _GLIMPSE)).decode("utf-8", "replace")
    return len(after) >= _GLIMPSE or bool(without_escapes(after).strip())


def _joined(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a line without its stamps, and without the line breaks that they undo."""
    held, is_first = b"", True
    for piece in pieces:
        data = held + piece
        at = data.rfind(b"\n", max(0, len(data) - STAMP_LENGTH - 1))
        data, held = (data[:at], data[at:]) if at >= 0 else (data, b"")
        yield unstamp(data) if is_first else joined(data)
        is_first = False
    yield joined(held)


def _unmarked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a line without its markers."""
    held = b""
    for piece in pieces:
        data = held + piece
        at = where_begun(data)
        yield read_markers(data[:at]).rest
        held = data[at:]
    yield read_markers(held).rest
