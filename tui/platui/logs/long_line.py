"""Read one line of any length in pieces."""

from __future__ import annotations

import re
from codecs import utf_8_decode
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from threading import Lock
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.logs.ansi import SpanReader, erases_line
from platui.logs.markers import (
    MARKER_LENGTH,
    ends_in_marker_return,
    find_marker_returns,
    find_partial_marker,
    read_markers,
)
from platui.logs.stamps import STAMP_LENGTH, joined, stamp_length
from platui.models.values.log import Span

if TYPE_CHECKING:
    Read = Callable[[int, int], bytes]  # (start, end)

PIECE: Final = 16 * 1024  # Bytes of a piece, the unit of reading

MAX_CHARACTERS: Final = 20_000  # Longest text of a line before "… more"
_PIECES: Final = 4  # Most pieces read for that text

_LOOK: Final = 256 * 1024
_NEAR: Final = 2 * MARKER_LENGTH  # Bytes around a carriage return that decide whether it counts
_FAR: Final = (2 + STAMP_LENGTH) * MARKER_LENGTH
"""The same if stamps in between may each split off one byte of the marker."""

_DECIDED: Final = 2 * _FAR

# Sequences that may erase the line so far.
_RETURNS: Final = (b"\r", b"\x1b[G", b"\x1b[0G", b"\x1b[1G", b"\x1b[2K")
_LONGEST_RETURN: Final = max(map(len, _RETURNS))
_RUN: Final = re.compile("\r\r+")  # Does the same as one return
_KEPT: Final = 2  # Pieces cached per line


@dataclass(slots=True)
class _Reading:
    """The state of reading a line, with bytes that wait for the next ones."""

    at: int
    end: int
    stamped: bool
    ends: bool  # Whether the line is complete at `end`
    unjoined: bytes = b""
    unread: bytes = b""
    undecoded: bytes = b""
    spans: SpanReader = field(default_factory=SpanReader)

    @property
    def is_over(self) -> bool:
        return self.at >= self.end

    def copy(self) -> _Reading:
        return replace(self, spans=self.spans.copy())

    def step(self, read: Read) -> tuple[Span, ...]:
        stop = min(self.at + PIECE, self.end)
        data = read(self.at, stop)
        self.at = stop
        is_last = self.is_over and self.ends
        if self.stamped:
            data = self._joined(data, is_last=is_last)
        data = self.unread + data
        marker = len(data) if is_last else find_partial_marker(data)
        self.unread = data[marker:]
        data = read_markers(data[:marker]).rest
        text, done = utf_8_decode(self.undecoded + data, "replace", is_last)
        self.undecoded = (self.undecoded + data)[done:]
        return self.spans.read(text, is_last=is_last)

    def _joined(self, data: bytes, *, is_last: bool) -> bytes:
        data, self.unjoined = self.unjoined + data, b""
        if not is_last:
            at = data.rfind(b"\n", max(0, len(data) - STAMP_LENGTH - 1))
            data, self.unjoined = (data[:at], data[at:]) if at >= 0 else (data, b"")
        return joined(data)


class Beginning(NamedTuple):
    """The shown text of a long line."""

    spans: tuple[Span, ...]
    size: int  # Bytes of the line that it shows
    settled: bool  # Whether it stays the same when the line grows


class LongLine:
    """A long line in pieces, without stamps and markers; of a progress bar the last state."""

    def __init__(
        self,
        read: Read,
        start: int,
        end: int,
        *,
        begin: int,
        stamped: bool,
        ends: bool = True,
        earlier: LongLine | None = None,
    ) -> None:
        """Read from `begin`, where the last progress state begins; `earlier`: it, when shorter."""
        if stamped and begin == start:
            begin += stamp_length(read(start, start + STAMP_LENGTH), 0)
        self._read = read
        self._lock = Lock()
        # The state at the beginning of each piece: a few hundred bytes each.
        self._known = [_Reading(begin, end, stamped, ends)]
        self._pieces: dict[int, tuple[Span, ...]] = {}
        self._size = end - begin
        self._beginning = None if earlier is None else earlier.settled_beginning(begin)

    def piece(self, number: int) -> tuple[Span, ...] | None:
        """Return the spans of piece `number`, from 0; None after the last one."""
        with self._lock:
            if number in self._pieces:
                return self._pieces[number]
            known = self._known
            at = -1
            while at < number:
                at = min(number, len(known) - 1)
                if at and known[at].is_over:
                    return None
                reading = known[at].copy()
                spans = reading.step(self._read)
                if at == len(known) - 1:
                    known.append(reading)
            if len(self._pieces) >= _KEPT:
                del self._pieces[next(iter(self._pieces))]
            self._pieces[number] = spans
            return spans

    def whole(self) -> Iterator[tuple[Span, ...]]:
        """Yield all pieces without caching them."""
        reading = self._known[0].copy()
        yield reading.step(self._read)
        while not reading.is_over:
            yield reading.step(self._read)

    def settled_beginning(self, begin: int) -> Beginning | None:
        """Return what also a longer line shows, if that begins at the same byte."""
        known = self._beginning
        is_same = known is not None and known.settled and begin == self._known[0].at
        return known if is_same else None

    def beginning(self) -> tuple[tuple[Span, ...], int]:
        """Return the spans of the first characters, and the number of bytes after them."""
        if self._beginning is None:
            self._beginning = self._read_beginning()
        return self._beginning.spans, max(0, self._size - self._beginning.size)

    def _read_beginning(self) -> Beginning:
        found: list[Span] = []
        room = MAX_CHARACTERS
        for number in range(_PIECES):
            if (spans := self.piece(number)) is None:
                return Beginning(tuple(found), self._size, settled=False)
            read = (number + 1) * PIECE
            for at, span in enumerate(spans):
                if len(span.text) > room:
                    text = "".join(span.text for span in spans[at:])[room:]
                    shown = min(read, self._size) - len(text.encode("utf-8", "replace"))
                    kept = (Span(span.text[:room], span.style),) if room else ()
                    return Beginning((*found, *kept), shown, settled=read < self._size)
                room -= len(span.text)
                found.append(span)
        # Only characters that are not shown
        return Beginning(tuple(found), read, settled=read < self._size)


class LastState(NamedTuple):
    end: int  # Of the line, when it was looked through
    begin: int


def last_state(read: Read, start: int, end: int, known: LastState | None = None) -> int:
    """Return where the last progress state of a line begins; `known`: when it was shorter."""
    bottom = begin = start
    # Whether a return counts is decided by the bytes close after it.
    if known is not None and known.begin + _DECIDED < known.end <= end:
        bottom, begin = known.end - _DECIDED, known.begin
    high = end
    while high > bottom:
        low = max(bottom, high - _LOOK)
        # A little more: the sequence may lie across the boundary.
        data = read(low, min(end, high + _LONGEST_RETURN))
        of_markers = find_marker_returns(data)
        for at, behind in _returns(data):
            if at not in of_markers and _counts(read, start, low + at, low + behind, end):
                return low + behind
        high = low
    return begin


def _returns(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where return sequences begin and end, the last one first."""
    # Each is searched on its own: one that is rare, or missing, is not searched again and again.
    found = {sign: data.rfind(sign) for sign in _RETURNS}
    while True:
        at, sign = max((at, sign) for sign, at in found.items())
        if at < 0:
            return
        yield at, at + len(sign)
        found[sign] = data.rfind(sign, 0, at)


def _counts(read: Read, start: int, at: int, behind: int, end: int) -> bool:
    """Return whether text after a carriage return overwrites text before it."""
    before, _ = _joined_near(lambda near: read(max(start, at - near), at + 1))
    if before.endswith(b"\r") and ends_in_marker_return(before):
        return False
    line, is_more = _joined_near(lambda near: read(behind, min(end, behind + near)))
    after = _RUN.sub("\r", read_markers(line).rest.decode("utf-8", "replace"))
    sign = read(at, behind).decode("ascii", "replace")
    return (is_more and bool(after)) or erases_line(sign + after)


def _joined_near(read: Callable[[int], bytes]) -> tuple[bytes, bool]:
    """Return joined bytes with room for a marker, and whether there are more."""
    near = _NEAR
    data = read(near)
    line = joined(data)
    if len(data) >= near and len(line) < MARKER_LENGTH:
        near = _FAR
        data = read(near)
        line = joined(data)
    return line, len(data) >= near
