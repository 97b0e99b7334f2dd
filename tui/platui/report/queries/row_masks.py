"""Sets of rows as integers: one byte per row, 255 if in the set, row 0 lowest."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import compress, islice
from operator import or_
from typing import Final

SLICE: Final = 32_768  # Numbers that one call may convert to objects: a millisecond or two

_FEW: Final = 12  # Below one row in this many, rows are looked up; else all are scanned

_CHOSEN: Final = re.compile(b"\xff")

_BYTES: Final = 256


def all_rows(count: int) -> int:
    return (1 << 8 * count) - 1


def size(mask: int) -> int:
    return mask.bit_count() // 8


def flags(mask: int, count: int) -> bytes:
    """Return a byte per row, 0 or 255."""
    return mask.to_bytes(count, "little")


def from_flags(data: bytes | bytearray) -> int:
    """Return the mask of a byte per row, 0 or 255."""
    return int.from_bytes(data, "little")


def from_rows(rows: Iterable[int], count: int) -> int:
    """Return the mask of rows in any order, possibly repeated."""
    data = bytearray(count)
    for row in rows:
        data[row] = 255
    return from_flags(data)


def from_booleans(truths: Iterator[bool], count: int) -> int:
    data = b"".join(bytes(islice(truths, SLICE)) for _ in slices(count))
    return from_flags(data) * 255


def union(found: Iterable[int]) -> int:
    return reduce(or_, found, 0)


def rows_of(mask: int, count: int) -> Sequence[int]:
    if mask == all_rows(count):
        return range(count)
    chosen = flags(mask, count)
    if size(mask) * _FEW < count:
        return array("I", (hit.start() for hit in _CHOSEN.finditer(chosen)))
    rows = array("I")
    for first, end in slices(count):
        rows.extend(compress(range(first, end), chosen[first:end]))
    return rows


def where(numbers: memoryview, wanted: frozenset[int]) -> int:
    """Return the rows with one of a few numbers from a wide range."""
    found = bytearray(len(numbers))
    for first, end in slices(len(numbers)):
        part = numbers[first:end].tolist()
        if not wanted.isdisjoint(part):
            for row, number in enumerate(part, first):
                if number in wanted:
                    found[row] = 255
    return from_flags(found)


def slices(count: int, start: int = 0) -> Iterator[tuple[int, int]]:
    for first in range(start, count, SLICE):
        yield first, min(count, first + SLICE)


class Column:
    def __init__(self, numbers: memoryview) -> None:
        """Copy the numbers to bytes if all fit."""
        self.count = len(numbers)
        parts = [numbers[first:end].tolist() for first, end in slices(self.count)]
        most = max((max(part) for part in parts), default=0)
        self._bytes = b"".join(map(bytes, parts)) if most < _BYTES else None
        self._values = sorted(set(self._bytes or b""))
        self._numbers = numbers

    def where(self, wanted: Collection[int]) -> int:
        """Return the rows with one of these numbers."""
        if self._bytes is not None:
            table = bytes(255 if number in wanted else 0 for number in range(_BYTES))
            return from_flags(self._bytes.translate(table))
        contains: Callable[[object], bool] = frozenset(wanted).__contains__
        return from_booleans(map(contains, iter(self)), self.count)

    def fitting(self, test: Callable[[int], bool]) -> int:
        numbers = self._values if self._bytes is not None else set(self)
        return self.where([number for number in numbers if test(number)])

    def tally(self, mask: int) -> dict[int, int]:
        chosen = flags(mask, self.count)
        found: dict[int, int] = {}
        if self._bytes is not None:
            data = from_flags(self._bytes) & mask
            kept = data.to_bytes(self.count, "little")
            for number in self._values:
                count = kept.count(number)
                # Rows outside the set are also 0.
                count -= 0 if number else self.count - size(mask)
                if count:
                    found[number] = count
            return found
        for first, end in slices(self.count):
            for number in compress(self._numbers[first:end], chosen[first:end]):
                found[number] = found.get(number, 0) + 1
        return found

    def __iter__(self) -> Iterator[int]:
        for first, end in slices(self.count):
            yield from self._numbers[first:end].tolist()
