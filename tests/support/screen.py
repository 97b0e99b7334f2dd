"""What a terminal shows of the bytes that a program wrote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pyte

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyte.screens import Char

# What pyte would print as letters: private modes, keyboard protocols, strings to the terminal.
_NOT_FOR_PYTE: Final = re.compile(
    rb"\x1b\[[><=?][0-9;]*\$?[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\"
)
_BEGUN: Final = re.compile(rb"\x1b(?:\[[><=?]?[0-9;]*\$?|\][^\x07\x1b]*\x1b?|P[^\x1b]*\x1b?)?\Z")
"""A sequence whose rest is still on its way."""

_FRAME: Final = re.compile(rb"\x1b\[\?2026([hl])")
"""A frame begins (h), or is complete (l): synchronized output."""


class _Terminal(pyte.Screen):
    """Lets the cursor move above and below a scroll region, where pyte's moves it into it."""

    def cursor_up(self, count: int | None = None) -> None:
        """Move it up, not past the top of its part of the screen."""
        if self.margins is None or self.cursor.y >= self.margins.top:
            super().cursor_up(count)
        else:
            self.cursor.y = max(self.cursor.y - (count or 1), 0)

    def cursor_down(self, count: int | None = None) -> None:
        """Move it down, not past the bottom of its part of the screen."""
        if self.margins is None or self.cursor.y <= self.margins.bottom:
            super().cursor_down(count)
        else:
            self.cursor.y = min(self.cursor.y + (count or 1), self.lines - 1)


class Screen:
    """A terminal of pyte's, fed in pieces of any size."""

    def __init__(self, columns: int, rows: int) -> None:
        self._screen = _Terminal(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._held = b""
        self._lines: dict[int, str] = {}
        self.is_half_drawn = False

    def feed(self, data: bytes) -> None:
        """Show what was written."""
        data = self._held + data
        begun = _BEGUN.search(data)
        cut = begun.start() if begun else len(data)
        data, self._held = data[:cut], data[cut:]
        if frames := _FRAME.findall(data):
            self.is_half_drawn = frames[-1] == b"h"
        self._stream.feed(_NOT_FOR_PYTE.sub(b"", data))

    def resize(self, columns: int, rows: int) -> None:
        """Take another size, as the user's hand on the window's edge does."""
        self._screen.resize(rows, columns)

    @property
    def lines(self) -> list[str]:
        """Return the lines, without the blanks at their ends."""
        # Of these only, where pyte's own way reads each cell anew: of a test that looks for a word
        # after every few bytes, that was the larger part.
        columns = range(self._screen.columns)
        for y in self._screen.dirty:
            line = self._screen.buffer[y]
            self._lines[y] = "".join(line[x].data for x in columns).rstrip()
        self._screen.dirty.clear()
        return [self._lines[y] for y in range(self._screen.lines)]

    @property
    def text(self) -> str:
        """Return the lines as one text."""
        return "\n".join(self.lines)

    @property
    def picture(self) -> list[list[Char]]:
        """Return the cells of each line; of a blank only what is seen of it."""
        columns, rows = range(self._screen.columns), range(self._screen.lines)
        lines = [self._screen.buffer[y] for y in rows]
        return [[_as_seen(line[x]) for x in columns] for line in lines]

    def ground(self, y: int, x: int) -> tuple[str, bool]:
        """Return the background of a cell, and whether it is reversed."""
        cell = self._screen.buffer[y][x]
        return cell.bg, cell.reverse

    def cells(self) -> Iterator[Char]:
        """Yield every cell that holds something, with its colours."""
        for row in self._screen.buffer.values():
            yield from (cell for cell in row.values() if cell.data.strip())


def _as_seen(cell: Char) -> Char:
    if cell.data.strip() or cell.reverse:
        return cell
    return cell._replace(fg="default", bold=False, italics=False, blink=False)
