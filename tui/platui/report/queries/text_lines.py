"""Search text in many short consecutive lines."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, compress
from mmap import mmap
from typing import TYPE_CHECKING, Final

from platui.report.arrays import FIELD_END
from platui.report.queries import row_masks as masks
from platui.report.queries.matching import TextTest, text_test, whole_number, word_test

if TYPE_CHECKING:
    from platui.report.queries.query import Term

_ROWS: Final = 4096  # Lines per slice

_FEW: Final = 16  # Below one hit in this many lines, hits are looked up; else all lines are scanned

_HIT: Final = bytes((0, 255)) + bytes(254)


class TextLines:
    """Folded lines, with several fields or one."""

    def __init__(self, data: memoryview | bytes, starts: memoryview | array[int]) -> None:
        """Take UTF-8 lines ended by line feeds; `starts` has the start of each, and the end."""
        self._whole = searchable(data)
        self._starts = starts
        self.count = max(0, len(starts) - 1)

    def having(self, test: TextTest) -> int:
        """Return the lines that match; each must have one field if the test has a pattern."""
        if not test.part and test.pattern is None:
            return masks.all_rows(self.count)
        part = test.part.encode("utf-8", "replace")
        # Consume the rest of the line, so that the next hit is in another line.
        to_the_end = re.compile(re.escape(part) + rb"[^\n]*\n")
        found: list[bytes] = []
        are_many = not part
        for first in range(0, self.count, _ROWS):
            end = min(self.count, first + _ROWS)
            # The next slice probably has a similar number of hits.
            if are_many:
                base = self._starts[first]
                ends = [base + hit.end() for hit in to_the_end.finditer(self._bytes(first, end))]
            else:
                ends = self._hop(first, end, part)
            are_many = not part or len(ends) * _FEW > end - first
            flags = self._flags(first, end, ends)
            found.append(flags if test.pattern is None else self._tried(first, flags, test))
        return masks.from_flags(b"".join(found))

    def field(self, number: int) -> TextLines:
        parts: list[bytes] = []
        starts = array("Q", [0])
        for first in range(0, self.count, _ROWS):
            end = min(self.count, first + _ROWS)
            texts = self._bytes(first, end).split(FIELD_END.encode())
            # The first field starts with the line end of the previous line.
            wide = (len(texts) - 1) // (end - first)
            own = texts[number : (end - first) * wide : wide]
            joined = (b"\n" if number else b"").join(own) + b"\n"
            extra = 1 if number else 0
            ends = accumulate(len(text) + extra for text in own)
            base = starts[-1] + 1 - extra
            starts.extend([base + at for at in ends])
            parts.append(joined)
        return TextLines(b"".join(parts), starts)

    def fields_having(self, test: TextTest) -> int:
        part = test.part.encode("utf-8", "replace")
        data = bytearray(self.count)
        row = 0
        for piece in self.pieces():
            for line in piece.split(b"\n")[:-1]:
                if part in line:
                    texts = _text(line).split(FIELD_END)[:-1]
                    data[row] = 255 if any(map(test.holds, texts)) else 0
                row += 1
        return masks.from_flags(data)

    def line(self, row: int) -> str:
        return _text(self._bytes(row, row + 1)[:-1])

    def pieces(self) -> Iterator[bytes]:
        """Yield slices of lines with their line ends."""
        for first in range(0, self.count, _ROWS):
            yield self._bytes(first, min(self.count, first + _ROWS))

    def _bytes(self, first: int, end: int) -> bytes:
        return self._whole[self._starts[first] : self._starts[end]]

    def _hop(self, first: int, end: int, part: bytes) -> list[int]:
        """Return the ends of lines that contain a part; fastest for few hits."""
        find, stop = self._whole.find, self._starts[end]
        ends: list[int] = []
        at = find(part, self._starts[first], stop)
        while at >= 0:
            at = find(b"\n", at) + 1
            ends.append(at)
            at = find(part, at, stop)
        return ends

    def _flags(self, first: int, end: int, ends: list[int]) -> bytes:
        if len(ends) * _FEW < end - first:
            flags = bytearray(end - first)
            for at in ends:
                flags[bisect_left(self._starts, at, first, end + 1) - 1 - first] = 255
            return bytes(flags)
        edges = self._starts[first + 1 : end + 1].tolist()
        return bytes(map(frozenset(ends).__contains__, edges)).translate(_HIT)

    def _tried(self, first: int, flags: bytes, test: TextTest) -> bytes:
        """Return a byte per line of a slice: 255 for flagged lines that match."""
        tried = bytearray(flags)
        for at in compress(range(len(flags)), flags):
            if not test.holds(self.line(first + at)):
                tried[at] = 0
        return bytes(tried)


class TextRows:
    """Rows of a report by id and folded text; results are masks."""

    def __init__(self, ids: memoryview, fold: memoryview, fold_at: memoryview) -> None:
        self.count = len(ids)
        self.all_rows = masks.all_rows(self.count)
        self.text = TextLines(fold, fold_at)
        self.field = cache(self.text.field)
        self._ids = ids

    def having_word(self, term: Term) -> int:
        test = word_test(term.choices[0])
        return self.text.having(test) if test.pattern is None else self.text.fields_having(test)

    def having_text(self, number: int, term: Term) -> int:
        lines = self.field(number)
        return masks.union(lines.having(text_test(choice)) for choice in term.choices)

    def with_id(self, term: Term) -> int:
        return masks.where(self._ids, frozenset(map(whole_number, term.choices)))


def searchable(data: memoryview | bytes) -> bytes | mmap:
    """Return searchable bytes, without a copy if possible."""
    source = data.obj if isinstance(data, memoryview) else data
    if isinstance(source, bytes | mmap) and len(source) == len(data):
        return source
    return bytes(data)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")
