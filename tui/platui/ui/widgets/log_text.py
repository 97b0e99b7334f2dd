"""Measure log lines in cells, piece by piece, within a time budget."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from time import perf_counter
from typing import TYPE_CHECKING, Final

from rich.cells import get_character_cell_size

from platui.core.named_tuple import NamedTuple
from platui.models.values.log import LogDocument, Span

if TYPE_CHECKING:
    from platui.models.values.search import TextPattern

_UNEVEN: Final = re.compile("[^ -~\xa0-\xac\xae-\u02ff\u0370-\u0482\u2500-\u25fc\u2800-\u28ff]")
"""Characters that may not take one cell: all but western letters, lines and dots."""

_SECONDS: Final = 0.006  # For reading long lines, before keys are handled again
_CACHED_PIECES: Final = 3  # Cached pieces of a line
_AROUND: Final = 1000  # Characters of neighbouring pieces to search: a match may cross the border


class TimeBudget:
    """The time that reading long lines may take before keys are handled."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self.was_exhausted = False
        self.spent = 0.0
        self._seconds = seconds

    @property
    def is_exhausted(self) -> bool:
        """Return whether the time is used up; ask only if there is more to read."""
        is_exhausted = self.spent >= self._seconds
        self.was_exhausted = self.was_exhausted or is_exhausted
        return is_exhausted

    def reset(self) -> None:
        self.was_exhausted = False
        self.spent = 0.0


class CharacterRange(NamedTuple):
    start: int
    end: int
    lead: int  # Blank cells before them, for a cut wide character


class _Piece:
    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = spans
        self.text = "".join(span.text for span in spans)
        self.starts = array("I", accumulate((len(span.text) for span in spans), initial=0))
        self.ends = cell_ends(self.text)

    @property
    def cells(self) -> int:
        return len(self.text) if self.ends is None else self.ends[-1]

    def character_at(self, cell: int, *, skips_accents: bool) -> tuple[int, int]:
        """Return the character in a cell, and its first cell."""
        if self.ends is None:
            at = min(cell, len(self.text))
            return at, at
        if cell <= 0 and not skips_accents:
            return 0, 0
        # The last character that begins in the cell: accents before it belong to the left.
        at = bisect_right(self.ends, cell) - 1
        return at, self.ends[at]

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
    def __init__(self, document: LogDocument, line: int, budget: TimeBudget) -> None:
        self.version = document.version  # Of the document at the first read
        self.is_whole = False  # Whether it was read to the end
        self._document = document
        self._line = line
        self._budget = budget
        self._characters = array("Q", [0])  # up to the end of each piece
        self._cells = array("Q", [0])
        self._cached_pieces: dict[int, _Piece] = {}
        self._found: dict[int, Sequence[tuple[int, int]]] = {}
        self._pattern: TextPattern | None = None
        self._read()

    @property
    def pieces(self) -> int:
        return len(self._cells) - 1

    @property
    def cells(self) -> int:
        """Return the cells of the part of the line that was read."""
        return self._cells[-1]

    @property
    def characters(self) -> int:
        return self._characters[-1]

    def characters_before(self, number: int) -> int:
        return self._characters[number]

    def reach(self, cells: int) -> bool:
        while not self.is_whole and self.cells < cells:
            if not self.read_on():
                return self.is_whole
        return True

    def read_on(self) -> bool:
        """Read another piece; return False at the end or without time."""
        if self.is_whole or self._budget.is_exhausted:
            return False
        began = perf_counter()
        self._read()
        self._budget.spent += perf_counter() - began
        return not self.is_whole

    def _read(self) -> None:
        piece = self._piece(self.pieces)
        if piece is not None:
            self._characters.append(self._characters[-1] + len(piece.text))
            self._cells.append(self._cells[-1] + piece.cells)
        few = piece is not None and self.pieces == 1
        self.is_whole = piece is None or (
            few and self._document.piece(self._line, self.pieces) is None
        )

    def _piece(self, number: int) -> _Piece | None:
        known = self._cached_pieces.pop(number, None)
        if known is None:
            spans = self._document.piece(self._line, number)
            if spans is None:
                return None
            known = _Piece(spans)
            if len(self._cached_pieces) >= _CACHED_PIECES:
                del self._cached_pieces[next(iter(self._cached_pieces))]
        self._cached_pieces[number] = known
        return known

    def characters_between(self, left: int, right: int) -> CharacterRange:
        end, _ = self._character_at(right)
        start, at = self._character_at(left)
        lead = 0
        if at < left and start < self.characters:
            # A wide character is cut at the left edge: its visible half is blank.
            start, at = self._character_at(self.cell_of(start + 1))
            lead = min(right, at) - left
        return CharacterRange(start, max(start, end), lead)

    def cell_of(self, character: int) -> int:
        number = self._number(self._characters, character)
        piece = self._piece(number)
        if piece is None:
            return self._cells[number]
        within = min(character - self._characters[number], len(piece.text))
        return self._cells[number] + (within if piece.ends is None else piece.ends[within])

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
        """Return the text of a piece, and its cells as in `cell_ends`."""
        piece = self._piece(number)
        return ("", None) if piece is None else (piece.text, piece.ends)

    def spans(self, start: int, end: int) -> Iterator[Span]:
        number = self._number(self._characters, start)
        while number < self.pieces and self._characters[number] < end:
            first = self._characters[number]
            if (piece := self._piece(number)) is not None:
                yield from piece.cut(max(0, start - first), end - first)
            number += 1

    def found(self, pattern: TextPattern, start: int, end: int) -> list[tuple[int, int]]:
        """Return the matches of a pattern that overlap a range of characters."""
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
        """Return the matches in a piece, as characters of the line."""
        if self._pattern is not pattern:
            self._pattern = pattern
            self._found.clear()
        if (known := self._found.get(number)) is None:
            began = perf_counter()
            if len(self._found) >= _CACHED_PIECES:
                del self._found[next(iter(self._found))]
            known = self._found[number] = self._find(pattern, number)
            self._budget.spent += perf_counter() - began
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


def widest(lines: Iterable[LineText], most: int) -> int:
    """Return the cells of the longest of some lines, measured up to about `most`."""
    cells = 0
    for line in lines:
        line.reach(most)
        cells = max(cells, line.cells)
        if cells >= most:
            break
    return cells


class _Widths(dict[int, int]):
    """Code point -> cells, for `str.translate`."""

    def __missing__(self, character: int) -> int:
        width = self[character] = get_character_cell_size(chr(character))
        return width


_WIDTHS: Final = _Widths()


def cell_ends(text: str) -> Sequence[int] | None:
    """Return the first cell of each character, and the end; None: one cell each."""
    if text.isascii() or not _UNEVEN.search(text):
        return None
    widths = text.translate(_WIDTHS).encode("latin-1")
    return array("I", accumulate(widths, initial=0))
