"""Lines of a log measured in cells, piece by piece, as far as they are looked at.

To read a line on takes time, of which there is so much in each turn.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from itertools import accumulate
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import get_character_cell_size

from platui.models.values.log import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.models.values.log import LogDocument
    from platui.models.values.search import TextPattern

_UNEVEN: Final = re.compile("[^ -~\xa0-\xac\xae-\u02ff\u0370-\u0482\u2500-\u25fc\u2800-\u28ff]")
"""Characters that may not take one cell: all but those of western letters, lines and dots."""

_TURN: Final = 0.006  # Seconds of a turn in which lines are read on

_KEPT: Final = 3  # Pieces of a line that are remembered measured

_AROUND: Final = 1000
"""Characters of the pieces beside it in which a pattern is sought, too: it may lie across."""


class Turn:
    """The time until a key gets its turn, as far as long lines take it."""

    def __init__(self, seconds: float = _TURN) -> None:
        self.was_short = False
        self._seconds = seconds
        self._spent = 0.0

    @property
    def is_over(self) -> bool:
        """Return whether it is; whoever asks has more to do."""
        is_over = self._spent >= self._seconds
        self.was_short = self.was_short or is_over
        return is_over

    @property
    def was_used(self) -> bool:
        return self._spent > 0

    def spend(self, seconds: float) -> None:
        self._spent += seconds

    def begin(self) -> None:
        self.was_short = False
        self._spent = 0.0


class Stretch(NamedTuple):
    """The characters that stand in some cells."""

    start: int
    end: int
    lead: int  # Blank cells before them: half of a wide one


class _Piece:
    """A piece of a line, measured."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = spans
        self.text = "".join(span.text for span in spans)
        self.starts = array("I", accumulate((len(span.text) for span in spans), initial=0))
        self.ends = cell_ends(self.text)

    @property
    def cells(self) -> int:
        return len(self.text) if self.ends is None else self.ends[-1]

    def character_at(self, cell: int, *, skips_accents: bool) -> tuple[int, int]:
        """Return which character stands in a cell, and at which cell it begins."""
        if self.ends is None:
            at = min(cell, len(self.text))
            return at, at
        if cell <= 0 and not skips_accents:
            return 0, 0
        # Of those that begin in one cell the last: those before are accents of what is left.
        at = bisect_right(self.ends, cell) - 1
        return at, self.ends[at]

    def cell_at(self, character: int) -> int:
        character = min(character, len(self.text))
        return character if self.ends is None else self.ends[character]

    def cut(self, start: int, end: int) -> Iterator[Span]:
        at = bisect_right(self.starts, start) - 1
        for number in range(at, len(self.spans)):
            begin = self.starts[number]
            if begin >= end:
                return
            text, style = self.spans[number]
            if text := text[max(0, start - begin) : end - begin]:
                yield Span(text, style)


class LineText:
    """One line of a document."""

    def __init__(self, document: LogDocument, line: int, turn: Turn) -> None:
        self.version = document.version  # Of the document when it was first read
        self.is_whole = False  # Whether it was read to its end
        self._document = document
        self._line = line
        self._turn = turn
        self._characters = array("Q", [0])  # up to the end of each piece that was read
        self._cells = array("Q", [0])
        self._kept: dict[int, _Piece] = {}
        self._found: dict[int, Sequence[tuple[int, int]]] = {}
        self._sought: TextPattern | None = None
        self._read()

    @property
    def pieces(self) -> int:
        return len(self._cells) - 1

    @property
    def cells(self) -> int:
        """Return how many cells it takes, as far as it was read."""
        return self._cells[-1]

    @property
    def characters(self) -> int:
        return self._characters[-1]

    def characters_before(self, number: int) -> int:
        return self._characters[number]

    def reach(self, cells: int) -> bool:
        """Read on until it is so wide, or whole; return False where the turn is over before."""
        while not self.is_whole and self.cells < cells:
            if not self.read_on():
                return self.is_whole
        return True

    def read_on(self) -> bool:
        """Read another piece; return False where there is none, or no time."""
        if self.is_whole or self._turn.is_over:
            return False
        began = perf_counter()
        self._read()
        self._turn.spend(perf_counter() - began)
        return not self.is_whole

    def _read(self) -> None:
        piece = self._piece(self.pieces)
        if piece is not None:
            self._characters.append(self._characters[-1] + len(piece.text))
            self._cells.append(self._cells[-1] + piece.cells)
        # A line of one piece is whole at once.
        few = piece is not None and self.pieces == 1
        self.is_whole = piece is None or (
            few and self._document.piece(self._line, self.pieces) is None
        )

    def _piece(self, number: int) -> _Piece | None:
        known = self._kept.pop(number, None)
        if known is None:
            spans = self._document.piece(self._line, number)
            if spans is None:
                return None
            known = _Piece(spans)
            if len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
        self._kept[number] = known
        return known

    # What stands where

    def stretch(self, left: int, right: int) -> Stretch:
        """Return the characters in the cells from `left` to `right`, as far as it was read."""
        end, _ = self._character_at(right)
        start, at = self._character_at(left)
        lead = 0
        if at < left and start < self.characters:
            # Half of it is out of sight: what is seen of it is blank.
            start, at = self._character_at(self.cell_of(start + 1))
            lead = min(right, at) - left
        return Stretch(start, max(start, end), lead)

    def cell_of(self, character: int) -> int:
        """Return at which cell a character begins, of those that were read."""
        number = self._number(self._characters, character)
        piece = self._piece(number)
        within = character - self._characters[number]
        return self._cells[number] + (0 if piece is None else piece.cell_at(within))

    def _character_at(self, cell: int) -> tuple[int, int]:
        if cell >= self.cells:
            return self.characters, self.cells
        number = self._number(self._cells, cell)
        piece = self._piece(number)
        if piece is None:
            return self._characters[number], self._cells[number]
        at, begin = piece.character_at(cell - self._cells[number], skips_accents=cell > 0)
        return self._characters[number] + at, self._cells[number] + begin

    def _number(self, sums: array[int], at: int) -> int:
        return min(bisect_right(sums, at) - 1, self.pieces - 1)

    def ends(self, number: int) -> tuple[str, Sequence[int] | None]:
        """Return the text of a piece that was read, and its cells as `cell_ends` does."""
        piece = self._piece(number)
        return ("", None) if piece is None else (piece.text, piece.ends)

    def spans(self, start: int, end: int) -> Iterator[Span]:
        number = self._number(self._characters, start)
        while number < self.pieces and self._characters[number] < end:
            first = self._characters[number]
            if (piece := self._piece(number)) is not None:
                yield from piece.cut(max(0, start - first), end - first)
            number += 1

    # What is found in it

    def found(self, pattern: TextPattern, start: int, end: int) -> list[tuple[int, int]]:
        """Return where in some characters a pattern is found, whole or in part."""
        number = self._number(self._characters, start)
        all_found: list[tuple[int, int]] = []
        while number < self.pieces and self._characters[number] < end:
            ranges = self.found_in(pattern, number)
            at = bisect_right(ranges, (start,))
            at -= at > 0 and ranges[at - 1][1] > start
            while at < len(ranges) and ranges[at][0] < end:
                if not all_found or ranges[at][0] >= all_found[-1][1]:
                    all_found.append(ranges[at])
                at += 1
            number += 1
        return all_found

    def found_in(self, pattern: TextPattern, number: int) -> Sequence[tuple[int, int]]:
        """Return where in a piece that was read a pattern is found, by characters of the line."""
        if self._sought is not pattern:
            self._sought = pattern
            self._found.clear()
        if (known := self._found.get(number)) is None:
            began = perf_counter()
            if len(self._found) >= _KEPT:
                del self._found[next(iter(self._found))]
            known = self._found[number] = self._find(pattern, number)
            self._turn.spend(perf_counter() - began)
        return known

    def _find(self, pattern: TextPattern, number: int) -> Sequence[tuple[int, int]]:
        piece = self._piece(number)
        if piece is None:
            return ()
        if self.is_whole and self.pieces == 1:
            return pattern.ranges(piece.text)
        around = [self._piece(number - 1) if number else None, self._piece(number + 1)]
        before, after = ("" if one is None else one.text for one in around)
        before = before[-_AROUND:]
        first = self._characters[number] - len(before)
        end = self._characters[number] + len(piece.text)
        return [
            (first + start, first + stop)
            for start, stop in pattern.ranges(before + piece.text + after[:_AROUND])
            if first + stop > self._characters[number] and first + start < end
        ]


class _Widths(dict[int, int]):
    """How many cells a character takes, by its number, for `str.translate`."""

    def __missing__(self, character: int) -> int:
        width = self[character] = get_character_cell_size(chr(character))
        return width


_WIDTHS: Final = _Widths()


def cell_ends(text: str) -> Sequence[int] | None:
    """Return the cell where each character of a text begins, and the end; None: one cell each."""
    if text.isascii() or not _UNEVEN.search(text):
        return None
    widths = text.translate(_WIDTHS).encode("latin-1")
    return array("I", accumulate(widths, initial=0))
