"""The scrollbar of a log, with marks for errors and search hits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from rich.style import Style

from platui.core.named_tuple import NamedTuple
from platui.present.chrome import Sign
from platui.ui.widgets.scrolling import thumb_rows

if TYPE_CHECKING:
    from platui.present.logs.lines import ShownLines
    from platui.ui.palette import Palette
    from platui.ui.widgets.log_content import LogContent
    from platui.ui.widgets.log_window import Row

_ERROR: Final = "✖"
_HIT: Final = "━"
_THUMB: Final = "█"
_BEYOND: Final = 1 << 62  # A line that no log has
_REVERSE: Final = Style(reverse=True)


SIGNS: Final = (
    Sign(_THUMB, "Position", "The visible part of the log"),
    Sign(_HIT, "Hit", "A search hit in that part"),
)
ERROR_SIGNS: Final = (Sign(_ERROR, "Errors", "A line with an error in that part"),)


class ScrollbarCell(NamedTuple):
    sign: str = ""  # Errors take precedence over hits
    thumb: bool = False

    def segment(self, palette: Palette) -> Segment:
        if not self.sign:
            return Segment(_THUMB, palette.thumb) if self.thumb else Segment(" ", palette.base)
        style = palette.style("failed" if self.sign == _ERROR else "accent")
        return Segment(self.sign, style + _REVERSE if self.thumb else style)


class Scale(NamedTuple):
    """The lines that the scrollbar covers."""

    height: int
    total: int  # Shown lines
    last: int  # The top line of the window at the end


def scrollbar_cells(scale: Scale, offset: int, content: LogContent) -> list[ScrollbarCell]:
    height, total, last = scale
    thumb = thumb_rows(height, offset, total, last)
    if not content.errors and not content.hits:
        return [ScrollbarCell("", row in thumb) for row in range(height)]
    ends = (_end_of(scale, row, content.shown) for row in range(height))
    return [
        ScrollbarCell(first_mark(start, end, content)[0], row in thumb)
        for row, (start, end) in enumerate(pairwise((0, *ends)))
    ]


def row_cells(rows: Sequence[Row], height: int, content: LogContent) -> list[ScrollbarCell]:
    """Return the cells of a log that fits the window: each mark beside its line."""
    cells = [ScrollbarCell()] * height
    for number, row in enumerate(rows):
        if row.part == 0 and (sign := first_mark(*lines_beside(row, content.shown), content)[0]):
            cells[number] = ScrollbarCell(sign)
    return cells


def lines_beside(row: Row, shown: ShownLines) -> tuple[int, int]:
    """Return the line of a row, and the next one that is shown."""
    place = shown.place(row.line) + 1
    return row.line, shown.line(place) if place < shown.count else _BEYOND


def part_of(scale: Scale, row: int, shown: ShownLines) -> tuple[int, int]:
    return _end_of(scale, row - 1, shown) if row else 0, _end_of(scale, row, shown)


def _end_of(scale: Scale, row: int, shown: ShownLines) -> int:
    height, total, _ = scale
    # In a log shorter than the window, marks are beside their lines.
    place = row + 1 if total <= height else (row + 1) * total // height
    return shown.line(place) if place < min(total, shown.count) else _BEYOND


def first_mark(start: int, end: int, content: LogContent) -> tuple[str, int]:
    """Return sign and line of the first error in a range, else of the first hit."""
    errors, hits = content.errors, content.hits
    at = bisect_left(errors, (start,))
    if at < len(errors) and errors[at].first < end:
        return _ERROR, errors[at].first
    at = bisect_left(hits, start)
    return (_HIT, hits[at]) if at < len(hits) and hits[at] < end else ("", start)
