"""A line of a log broken to rows of so many cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len, split_graphemes

if TYPE_CHECKING:
    from collections.abc import Sequence

_HANG: Final = 2
"""Cells by which what goes on from the row above stands further in than its line."""

LEAST_ROOM: Final = 8
"""Cells in which lines are broken at the least; what does not fit then is cut off."""


class Part(NamedTuple):
    """What stands on one row of a line."""

    start: int
    """First character."""
    end: int
    lead: int
    """Blank cells before it; 0 on the first row of its line."""


class Wrapped(NamedTuple):
    """The rows of one line."""

    ends: Sequence[int]
    """The character after the last of each row."""
    lead: int

    def part(self, number: int) -> Part:
        """Return what stands on a row, counted from 0."""
        if number == 0:
            return Part(0, self.ends[0], 0)
        return Part(self.ends[number - 1], self.ends[number], self.lead)

    def part_of(self, character: int) -> int:
        """Return on which row a character stands."""
        at = next((at for at, end in enumerate(self.ends) if character < end), None)
        return len(self.ends) - 1 if at is None else at


def wrap(text: str, room: int) -> Wrapped:
    """Break a text to rows of at most `room` cells; there is always one.

    Rows break between whole characters, as they are seen: a letter keeps its accents, an
    emoji its parts, and a wide one that does not fit goes to the next row.
    """
    room = max(LEAST_ROOM, room)
    size = len(text)
    if size * 2 <= room or cell_len(text) <= room:
        return Wrapped((size,), 0)
    lead = min(size - len(text.lstrip(" ")) + _HANG, room // 2)
    if text.isascii():
        return Wrapped((*range(room, size, room - lead), size), lead)
    return Wrapped(_breaks(text, room, lead), lead)


def _breaks(text: str, room: int, lead: int) -> tuple[int, ...]:
    ends: list[int] = []
    left = room
    graphemes, _ = split_graphemes(text)
    for start, _end, cells in graphemes:
        if cells > left:
            ends.append(start)
            left = room - lead
        left -= cells
    return (*ends, len(text))
