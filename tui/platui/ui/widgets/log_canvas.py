"""Render log rows as strips: gutter, line number, time, text, scrollbar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import FIFOCache
from textual.strip import Strip

from platui.core.named_tuple import NamedTuple
from platui.present.chrome import Sign
from platui.present.counts import counted
from platui.present.logs.text import Stamps, clock, elapsed
from platui.ui.widgets.scrolling import Look, marked

if TYPE_CHECKING:
    from platui.models.values.log import Span
    from platui.models.values.search import TextPattern
    from platui.ui.widgets.log_scrollbar import ScrollbarCell
    from platui.ui.widgets.log_window import LogWindow
    from platui.ui.widgets.log_wrap import Part

_BAR: Final = "▎"
_FOLDED: Final = "▸ "
_OPEN: Final = "▾ "
_ERROR_BAR: Final = "┃"
_BREAK: Final = "┄┄┄ "
_MORE_LEFT: Final = "‹"
_MORE_RIGHT: Final = "›"
_INDENT: Final = 2
_DEEPEST: Final = 10  # Section levels that are indented; deeper ones share the last indent
_MOST_STRIPS: Final = 2000  # Limit of the strip cache: dozens of screens


SIGNS: Final = (
    Sign(_BAR, "Focus", "The focused line, or the selected lines"),
    Sign(f"{_MORE_LEFT} {_MORE_RIGHT}", "Cut", "More text on this side: ← → scroll, w wraps"),
    Sign(_BREAK.strip(), "Omitted", "Lines that the filter hides"),
)
SECTION_SIGNS: Final = (Sign(f"{_FOLDED}{_OPEN}".strip(), "Section", "Folded or open: z toggles"),)
ERROR_SIGNS: Final = (Sign(_ERROR_BAR, "Error", "A line with an error"),)


class Mark(IntEnum):
    NONE = 0
    FOCUS = 1
    SELECTED = 2


class SectionHeader(NamedTuple):
    folded: bool
    depth: int
    hidden: int  # Lines in its fold
    duration: str
    sticky: bool = False  # Whether it is pinned to the top, for the header above the window


class RowAppearance(NamedTuple):
    """The cache key of a painted row: everything that its look depends on."""

    line: int
    scrollbar: ScrollbarCell
    part: Part | None = None  # The wrapped part; None: the whole line, cut at the sides
    version: int = -1  # Of the document, for a line that may still change
    left: int = 0
    mark: Mark = Mark.NONE
    is_error: bool = False
    head: SectionHeader | None = None
    is_context: bool = False  # Whether it is a context line of a filter
    omitted: int = 0  # Lines hidden by the filter, for a row that replaces them


class RenderOptions(NamedTuple):
    """What rendering depends on besides the document."""

    look: Look
    digits: int  # Digits of the line numbers; 0: not shown
    stamps: Stamps
    utc: bool
    pattern: TextPattern | None

    @property
    def room(self) -> int:
        number = self.digits + 1 if self.digits else 0
        stamp = self.stamps.width + 1 if self.stamps.width else 0
        return max(0, self.look.width - 1 - number - stamp - 1)


class LogCanvas:
    """Paints the rows of one document, and caches their strips."""

    def __init__(self, window: LogWindow, options: RenderOptions) -> None:
        self.document = window.content.document
        self.options = options
        self._text = window.text
        self._content = window.content
        self._look = options.look
        self._palette = options.look.palette
        self.blank = options.look.blank()
        self._strips: FIFOCache[RowAppearance, Strip] = FIFOCache(_MOST_STRIPS)

    def forget_strips(self) -> None:
        self._strips.clear()

    def strip(self, row: RowAppearance) -> Strip:
        strip = self._strips.get(row)
        if strip is None:
            right = row.left + self.options.room + 1
            if row.part is None and not self._text(row.line).reach(right):
                # The line is not read so far yet: show a placeholder, and cache nothing.
                return self._look.filtered(self._paint(row, is_loading=True))
            strip = self._strips[row] = self._look.filtered(self._paint(row))
        return strip

    def message_strip(self, message: str) -> Strip:
        width = self._look.width
        style = self._palette.base + self._palette.muted
        return self._look.filtered(Strip([Segment(message.center(width)[:width], style)], width))

    def _paint(self, row: RowAppearance, *, is_loading: bool = False) -> Strip:
        palette, room = self._palette, self.options.room
        is_sticky = row.head is not None and row.head.sticky
        base = palette.panel + palette.muted if is_sticky else palette.base + self._ground(row.mark)
        if row.omitted:
            words = f"{_BREAK}{counted(row.omitted, 'line')}"
            text = Strip([Segment(words, base + palette.muted)])
        elif is_loading:
            text = Strip([Segment("…", base + palette.muted)])
        elif row.head is not None:
            text = self._header(row, row.head, base)
        elif row.part is not None:
            part = row.part
            lead = [Segment(" " * part.lead, base)] if part.lead else []
            text = Strip([*lead, *self._between(row, part.start, part.end)])
        else:
            text = self._crop(row, base)
        segments = [*self._before(row, base), *text.adjust_cell_length(room, base)]
        segments.append(row.scrollbar.segment(palette))
        strip = Strip(segments)
        return strip.adjust_cell_length(self._look.width, base).simplify()

    def _ground(self, mark: Mark) -> Style:
        palette = self._palette
        if mark is Mark.SELECTED:
            return palette.cursor
        # Without background colours it is bold.
        return palette.line if mark is Mark.FOCUS else Style.null()

    def _before(self, row: RowAppearance, base: Style) -> Iterator[Segment]:
        options, palette = self.options, self._palette
        if row.mark:
            yield Segment(_BAR, base + palette.accent)
        else:
            yield Segment(_ERROR_BAR if row.is_error else " ", base + palette.ink("failed"))
        first = not row.omitted and (row.part is None or row.part.start == 0)
        muted = base + palette.muted
        if options.digits:
            number = row.line + 1 if first else ""
            yield Segment(f"{number:>{options.digits}} ", muted)
        if width := options.stamps.width:
            yield Segment(f"{self._stamp(row.line) if first else '':>{width}} ", muted)

    def _stamp(self, line: int) -> str:
        seconds = self.document.stamp(line)
        if self.options.stamps is Stamps.CLOCK:
            return clock(seconds, utc=self.options.utc)
        return elapsed(seconds, self._content.started_before(line))

    def _header(self, row: RowAppearance, head: SectionHeader, base: Style) -> Strip:
        palette, room = self._palette, self.options.room
        muted = base + palette.muted
        sign = _FOLDED if head.folded else _OPEN
        indent = " " * (_INDENT * min(head.depth, _DEEPEST))
        title = [Segment(indent + sign, muted), *self._between(row, 0, room + 1)]
        if head.sticky:
            title = [Segment(segment.text, muted) for segment in title]
        if head.hidden:
            title.append(Segment(f"  {counted(head.hidden, 'line')}", muted))
        duration = f" {head.duration} " if head.duration else ""
        left = max(0, room - cell_len(duration))
        name = Strip(title)
        if name.cell_length > left:
            name = Strip([*name.crop(0, max(0, left - 1)), Segment("…", muted)])
        return Strip([*name.adjust_cell_length(left, base), Segment(duration, muted)])

    def _between(self, row: RowAppearance, start: int, end: int) -> Iterator[Segment]:
        text, palette = self._text(row.line), self._palette
        segments = self._styled(row, text.spans(start, end))
        if self.options.pattern is None:
            return segments
        found = text.found(self.options.pattern, start, end)
        here = palette.hit if row.mark is Mark.FOCUS else palette.found
        return marked(segments, start, found, here) if found else segments

    def _styled(self, row: RowAppearance, spans: Iterable[Span]) -> Iterator[Segment]:
        palette = self._palette
        ground = self._ground(row.mark)
        for text, span in spans:
            # Context lines are muted, whatever their colours.
            style = palette.base + palette.muted if row.is_context else palette.span(span)
            # A background colour of the log itself stays.
            keeps = span.background and not row.is_context
            yield Segment(text, style if keeps else style + ground)

    def _crop(self, row: RowAppearance, base: Style) -> Strip:
        left, room, length = row.left, self.options.room, self._text(row.line).cells
        more_left = left > 0 and length > 0
        more_right = length > left + room
        if (more_left or more_right) and room > 2:  # noqa: PLR2004  (two signs and a character)
            sign = base + self._palette.muted
            before = [Segment(_MORE_LEFT, sign)] if more_left else []
            after = [Segment(_MORE_RIGHT, sign)] if more_right else []
            start, end = left + len(before), left + room - len(after)
            inside = self._cells(row, start, end, base).adjust_cell_length(end - start, base)
            return Strip([*before, *inside, *after], room)
        return self._cells(row, left, left + room, base)

    def _cells(self, row: RowAppearance, left: int, right: int, base: Style) -> Strip:
        start, end, lead = self._text(row.line).characters_between(left, right)
        blank = [Segment(" " * lead, base)] if lead else []
        return Strip([*blank, *self._between(row, start, end)])
