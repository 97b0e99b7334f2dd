"""Paint the visible rows of a log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.models.values.log import error_at
from platui.present.logs.text import Stamps
from platui.present.times import duration
from platui.ui.widgets.log_canvas import (
    LogCanvas,
    Mark,
    RenderOptions,
    RowAppearance,
    SectionHeader,
)
from platui.ui.widgets.log_position import FollowState
from platui.ui.widgets.log_scrollbar import (
    Scale,
    ScrollbarCell,
    lines_beside,
    part_of,
    row_cells,
    scrollbar_cells,
)
from platui.ui.widgets.log_window import Row, Top
from platui.ui.widgets.scrolling import Look

if TYPE_CHECKING:
    from textual.strip import Strip

    from platui.ui.widgets.log_view import LogView

_LEAST_DIGITS: Final = 4
_RUNNING: Final = "…"  # Instead of the duration of a running section


class LogPainter:
    def __init__(self, view: LogView) -> None:
        self.strips: list[Strip] = []
        self._view = view
        self._window = view.window
        self._content = view.content
        self._position = view.position
        self._lines = 0  # Lines that the number column is sized for
        self.scale = Scale(0, 0, 0)
        self._canvas: LogCanvas | None = None
        self._filled = 0  # Rows of the last painting that were not blank

    def fit(self, *, quiet: bool) -> None:
        """Fit the window to the view; with `quiet`, new lines below the window change nothing."""
        content, height = self._content, self._view.size.height
        paused = self._position.follow.state is FollowState.PAUSED
        keeps_lines = quiet and paused and self._filled == height
        if not keeps_lines:
            self._lines = content.lines
        self._window.fit(height, self._options().room, wraps=self._view.wraps)
        last = self._position.update_window()
        if not keeps_lines:
            self.scale = Scale(height, content.shown.count, last.place)

    # Painting

    @property
    def is_painted(self) -> bool:
        is_known = self._canvas_now() is self._canvas
        return is_known and len(self.strips) == self._view.size.height

    def paint(self) -> list[Strip]:
        """Paint the window, or its message; return the previous strips if they are as wide."""
        height, words = self._view.size.height, self._view.empty_message
        known, before = self._canvas, self.strips
        canvas = self._canvas = self._canvas_now()
        strips = self._paint_rows(canvas)
        self._filled = len(strips)
        self.strips = strips + [canvas.blank] * (height - len(strips))
        if not strips and self._content.lines:
            above = max(0, (height - len(words)) // 2)
            message = [canvas.message_strip(line) for line in words]
            self.strips[above : above + len(message)] = message[:height]
        return (
            before
            if known is not None and known.options.look.width == canvas.options.look.width
            else []
        )

    def paint_ahead(self, rows: int) -> None:
        """Paint ahead what another move by so many rows would show."""
        window = self._window
        top = window.top
        window.top = window.step(top, rows)
        try:
            self._paint_rows(self._canvas_now())
        finally:
            window.top = top

    def _options(self) -> RenderOptions:
        view, content = self._view, self._content
        numbered = view.line_numbers and view.has_numbers
        return RenderOptions(
            Look.of(view),
            max(_LEAST_DIGITS, len(str(self._lines))) if numbered else 0,
            view.stamps if content.document.has_timestamps else Stamps.NONE,
            view.utc,
            content.pattern,
        )

    def forget_strips(self) -> None:
        if self._canvas is not None:
            self._canvas.forget_strips()

    def _canvas_now(self) -> LogCanvas:
        document, options, known = self._content.document, self._options(), self._canvas
        if known is not None and known.document is document and known.options == options:
            return known
        return LogCanvas(self._window, options)

    def _paint_rows(self, canvas: LogCanvas) -> list[Strip]:
        rows = self._window.rows()
        edge = self._scrollbar(rows)
        appearances = [self._appearance(row, cell) for row, cell in zip(rows, edge, strict=False)]
        if (at := self._window.sticky(rows)) is not None:
            head = self._head(at, sticky=True)
            appearances[0] = RowAppearance(self._content.sections[at].start, edge[0], head=head)
        return [canvas.strip(look) for look in appearances]

    def _scrollbar(self, rows: Sequence[Row]) -> list[ScrollbarCell]:
        if self._has_marks_beside_lines:
            return row_cells(rows, self._view.size.height, self._content)
        return scrollbar_cells(self.scale, self._window.top.place, self._content)

    @property
    def _has_marks_beside_lines(self) -> bool:
        """Return whether the whole log is visible, and its lines may take several rows."""
        return not self._window.is_even and self._window.last_top == Top(0)

    def lines_at_edge(self, y: int) -> tuple[int, int]:
        """Return the lines whose marks are on a row of the scrollbar."""
        rows, shown = self._window.rows(), self._content.shown
        if self._has_marks_beside_lines and y < len(rows):
            return lines_beside(rows[y], shown)
        return part_of(self.scale, y, shown)

    def _appearance(self, row: Row, edge: ScrollbarCell) -> RowAppearance:
        window, content, line = self._window, self._content, row.line
        if window.is_break(row):
            return RowAppearance(line, edge, omitted=content.omitted_below(line))
        at = content.sections.header_at(line)
        head = None if at is None else self._head(at)
        is_last = line == content.lines - 1
        return RowAppearance(
            line,
            edge,
            None if head is not None else window.part(row),
            # Only the last line may still change.
            content.document.version if is_last else -1,
            0 if head is not None or self._view.wraps else self._view.left,
            self._mark(line),
            error_at(content.errors, line) is not None,
            head,
            content.is_context(line),
        )

    def _mark(self, line: int) -> Mark:
        if (selected := self._view.selection.span) is not None:
            return Mark.SELECTED if selected[0] <= line < selected[1] else Mark.NONE
        return Mark.FOCUS if line == self._position.focus else Mark.NONE

    def _head(self, at: int, *, sticky: bool = False) -> SectionHeader:
        content = self._content
        section = content.sections[at]
        folded = not sticky and content.filter_result is None and content.is_folded(at)
        hidden = content.hidden_below(section.start) if folded else 0
        if section.seconds is not None:
            time = duration(section.seconds)
        else:
            runs = section.end is None and self._position.follow.state is not FollowState.ENDED
            time = _RUNNING if runs else ""
        return SectionHeader(folded, section.depth, hidden, time, sticky)
