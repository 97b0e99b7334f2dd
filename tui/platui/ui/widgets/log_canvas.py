"""Lines of a log as strips: numbered, cropped to what is in sight, and remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rich.segment import Segment
from textual.strip import Strip

if TYPE_CHECKING:
    from textual.color import Color
    from textual.filter import LineFilter

    from platui.models.values.log import LogDocument
    from platui.ui.palette import Palette

_THUMB: Final = "█"
_MORE_LEFT: Final = "‹"
_MORE_RIGHT: Final = "›"
_LEAST_DIGITS: Final = 4
_MOST_STRIPS: Final = 2000
"""Strips kept: dozens of windows full. Beyond that they are forgotten, all at once."""


class Looks(NamedTuple):
    """Everything besides the document that decides how its lines look."""

    width: int
    digits: int
    """Digits of the line numbers; 0 where none are shown."""
    palette: Palette
    filters: tuple[LineFilter, ...]
    background: Color


def digits_for(lines: int) -> int:
    """Return how many digits the numbers of so many lines take."""
    return max(_LEAST_DIGITS, len(str(lines)))


class LogCanvas:
    """Paints the lines of one document and keeps the strips of those it painted."""

    def __init__(self, document: LogDocument | None, looks: Looks) -> None:
        self.document = document
        self.looks = looks
        base = looks.palette.base
        self._blank = self._filtered(Strip([Segment(" " * looks.width, base)], looks.width))
        self._strips: dict[tuple[int, int, int, bool], Strip] = {}

    @property
    def room(self) -> int:
        """Return how many cells there are for the text of a line."""
        gutter = self.looks.digits + 1 if self.looks.digits else 0
        return max(0, self.looks.width - gutter - 1)

    def lines(self, top: int, height: int, left: int, thumb: range) -> list[Strip]:
        """Return the strips of a window: its lines, and blanks below the last one."""
        if self.document is None:
            return [self._blank] * height
        last = self.document.line_count - 1
        shown = range(top, min(top + height, last + 1))
        strips = [
            # Only the last line may still change: all others are painted once.
            self._line(y, self.document.version if y == last else -1, left, y - top in thumb)
            for y in shown
        ]
        return strips + [self._blank] * (height - len(strips))

    def widest(self, top: int, height: int) -> int:
        """Return how many cells the longest line of a window takes."""
        if self.document is None:
            return 0
        shown = range(top, min(top + height, self.document.line_count))
        return max((self._text(y).cell_length for y in shown), default=0)

    def _line(self, y: int, version: int, left: int, thumb: bool) -> Strip:  # noqa: FBT001  (part of a key)
        key = (y, version, left, thumb)
        strip = self._strips.get(key)
        if strip is None:
            if len(self._strips) >= _MOST_STRIPS:
                self._strips.clear()
            strip = self._strips[key] = self._filtered(self._paint(y, left, thumb=thumb))
        return strip

    def _paint(self, y: int, left: int, *, thumb: bool) -> Strip:
        palette = self.looks.palette
        strips = [self._crop(self._text(y), left)]
        if digits := self.looks.digits:
            number = Segment(f"{y + 1:>{digits}} ", palette.style("muted"))
            strips.insert(0, Strip([number], digits + 1))
        edge = Segment(_THUMB, palette.thumb) if thumb else Segment(" ", palette.base)
        strips.append(Strip([edge], 1))
        return Strip.join(strips).adjust_cell_length(self.looks.width, palette.base).simplify()

    def _text(self, y: int) -> Strip:
        if self.document is None:
            return Strip.blank(0)
        style = self.looks.palette.span
        return Strip([Segment(span.text, style(span.style)) for span in self.document.spans(y)])

    def _crop(self, text: Strip, left: int) -> Strip:
        """Return what of a line is in sight, with a sign where it goes on."""
        palette, room, length = self.looks.palette, self.room, text.cell_length
        more_left = left > 0 and length > 0
        more_right = length > left + room
        if (more_left or more_right) and room > 2:  # noqa: PLR2004  (two signs and a character)
            sign = palette.style("muted")
            before = [Segment(_MORE_LEFT, sign)] if more_left else []
            after = [Segment(_MORE_RIGHT, sign)] if more_right else []
            start, end = left + len(before), left + room - len(after)
            inside = _cells(text, start, end).adjust_cell_length(end - start, palette.base)
            return Strip([*before, *inside, *after], room)
        return _cells(text, left, left + room).adjust_cell_length(room, palette.base)

    def _filtered(self, strip: Strip) -> Strip:
        # Textual's own cache of styles would apply the app's filters; we go past it.
        for line_filter in self.looks.filters:
            strip = strip.apply_filter(line_filter, self.looks.background)
        return strip


def _cells(text: Strip, start: int, end: int) -> Strip:
    """Return the cells from `start` to `end`, fewer where the text is shorter."""
    end = min(end, text.cell_length)
    return text.crop(start, end) if start < end else Strip([], 0)
