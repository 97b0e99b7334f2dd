"""Scrollable views: keys, window, cursor, paging, mouse wheel, scrollbar thumb."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from textual.color import Color
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from platui.core.named_tuple import NamedTuple
from platui.ui.active_keys import bind
from platui.ui.themes import palette_of

if TYPE_CHECKING:
    from rich.style import Style
    from textual import events
    from textual.binding import Binding
    from textual.filter import LineFilter

    from platui.ui.palette import Palette

_WHEEL_ROWS: Final = 3
_SIDE_STEP: Final = 8  # Cells that a side key scrolls
_NEVER: Final = 1 << 62  # A character that no line has


class Look(NamedTuple):
    """What a view is painted with, besides its content."""

    width: int
    palette: Palette
    filters: tuple[LineFilter, ...]

    @classmethod
    def of(cls, view: Widget) -> Look:
        return cls(view.size.width, palette_of(view.app), tuple(view.get_line_filters()))

    def filtered(self, strip: Strip) -> Strip:
        background = Color.from_rich_color(self.palette.base.bgcolor)
        for line_filter in self.filters:
            strip = strip.apply_filter(line_filter, background)
        return strip

    def blank(self) -> Strip:
        return self.filtered(Strip([Segment(" " * self.width, self.palette.base)], self.width))


def move_keys(view: str, row: str, *, but: Collection[str] = ()) -> tuple[Binding, ...]:
    """Return bindings of the actions move, page, top and end, except those in `but`."""
    keys = (
        ("down,j", "down", "Down", f"Move down one {row}", "move(1)"),
        ("up,k", "up", "Up", f"Move up one {row}", "move(-1)"),
        ("ctrl+d", "half_page_down", "Half page down", "Move down half a page", "page(0.5)"),
        ("ctrl+u", "half_page_up", "Half page up", "Move up half a page", "page(-0.5)"),
        ("pagedown", "page_down", "Page down", "Move down one page", "page(1)"),
        ("pageup", "page_up", "Page up", "Move up one page", "page(-1)"),
        ("g,home", "top", "Top", f"Go to the first {row}", "top"),
        ("G,end", "end", "End", f"Go to the last {row}", "end"),
    )
    return tuple(
        bind(pressed, f"{view}.{name}", label, meaning, action=action)
        for pressed, name, label, meaning, action in keys
        if name not in but
    )


def side_keys(view: str) -> tuple[Binding, ...]:
    left, right = "Scroll text left", "Scroll text right"
    return (
        bind("left", f"{view}.left", "Left", left, action="sideways(-1)"),
        bind("right", f"{view}.right", "Right", right, action="sideways(1)"),
    )


def page_rows(height: int, by: float) -> int:
    """Return the rows to move; a whole page keeps one row visible."""
    rows = max(1, height - 1 if abs(by) >= 1 else int(height * abs(by)))
    return rows if by > 0 else -rows


class RowWindow:
    """The visible rows among all rows."""

    def __init__(self) -> None:
        self.top = self.height = self.count = 0

    @property
    def last_top(self) -> int:
        return max(0, self.count - self.height)

    @property
    def in_sight(self) -> range:
        return range(self.top, min(self.count, self.top + self.height))

    def fit(self, height: int, count: int) -> None:
        self.height, self.count = height, count
        self.move_to(self.top)

    def move_to(self, top: int) -> None:
        self.top = max(0, min(self.last_top, top))

    def scroll(self, rows: int) -> None:
        self.move_to(self.top + rows)

    def reveal(self, row: int, *, below: int = 0) -> None:
        """Scroll a row to a third from the top, unless it is visible with `below` rows under it."""
        if not self.top <= row < self.top + self.height - min(below, self.height - 1):
            self.move_to(row - self.height // 3)


class RowCursor:
    """A cursor in a list of rows, and the window around it; 0 without rows."""

    def __init__(self) -> None:
        self.window = RowWindow()
        self.row = 0

    def fit(self, height: int, count: int) -> None:
        self.window.height, self.window.count = height, count
        self.point_at(self.row)

    def point_at(self, row: int) -> None:
        window = self.window
        self.row = min(max(0, row), max(0, window.count - 1))
        if window.height > 0:
            window.move_to(min(max(window.top, self.row - window.height + 1), self.row))

    def page(self, rows: int) -> None:
        self.window.scroll(rows)
        self.point_at(self.row + rows)

    def scroll(self, rows: int) -> None:
        window = self.window
        window.scroll(rows)
        bottom = max(window.top, window.top + window.height - 1)
        self.point_at(min(max(self.row, window.top), bottom))

    def go_to(self, row: int) -> None:
        self.window.reveal(row, below=2)
        self.point_at(row)


class ScrolledView(Widget, can_focus=True):
    """A scrollable view; it paints all of its region, so borders belong on a container."""

    ALLOW_SELECT: ClassVar[bool] = False

    left = 0  # Cells scrolled out on the left

    def page(self, rows: int) -> None:
        raise NotImplementedError

    def wheel(self, rows: int) -> None:
        self.page(rows)

    @property
    def room(self) -> int:
        return self.size.width

    def widest(self, most: int) -> int:
        """Return the cells of the longest visible text, measured up to about `most`."""
        del most
        return 0

    def settle(self) -> None:
        self.refresh()

    def forget_strips(self) -> None:
        """Free the strips that are kept for painting again; for hidden views, which are many."""

    def action_page(self, by: float) -> None:
        self.page(page_rows(self.size.height, by))

    def action_sideways(self, steps: int) -> None:
        """Scroll sideways, not beyond the longest visible text."""
        left = self.left + steps * _SIDE_STEP
        if steps > 0:
            beyond = self.widest(left + self.room) - self.room
            left = min(left, max(self.left, beyond))
        self.left = max(0, left)
        self.settle()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.wheel(_WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.wheel(-_WHEEL_ROWS)


class RowsView(ScrolledView):
    """A view of rows; the subclass sets their number and paints them."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self._window = RowWindow()

    def page(self, rows: int) -> None:
        top = self._window.top
        self._window.scroll(rows)
        if top != self._window.top:
            self.settle()

    def action_move(self, rows: int) -> None:
        self.page(rows)

    def action_top(self) -> None:
        self.page(-self._window.count)

    def action_end(self) -> None:
        self.page(self._window.count)

    def row_strip(self, y: int, segments: Iterable[Segment], ground: Style) -> Strip:
        """Return a line of the view: segments, cut or filled up, and the scrollbar."""
        strip = Strip(segments).adjust_cell_length(self.size.width - 1, ground)
        is_thumb = y in thumb_rows(self.size.height, self._window.top, self._window.count)
        edge = Segment("┃", palette_of(self.app).thumb) if is_thumb else Segment(" ", ground)
        return Strip([*strip, edge], self.size.width)


def thumb_rows(height: int, offset: int, total: int, last: int | None = None) -> range:
    """Return the rows of the scrollbar thumb; `last` is the top line at the end, if lines wrap."""
    last_offset = total - height if last is None else last
    if height <= 0 or last_offset <= 0:
        return range(0)
    size = max(1, height * (total - last_offset) // total)
    room = height - size
    offset = min(max(offset, 0), last_offset)
    start = offset * room // last_offset
    if 0 < offset < last_offset and room > 1:
        start = min(max(start, 1), room - 1)
    return range(start, start + size)


def cropped(strips: list[Strip], crop: Region, width: int) -> list[Strip]:
    if crop.x or crop.right != width:
        strips = [strip.crop(crop.x, crop.right) for strip in strips]
    return strips


def refresh_changed(view: Widget, before: Sequence[object], after: Sequence[object]) -> None:
    """Repaint the lines that differ between two paintings; all if the height differs."""
    if len(before) != len(after):
        view.refresh()
    elif spans := changed_lines(before, after):
        view.refresh(*(Region(0, y, view.size.width, height) for y, height in spans))


def changed_lines(before: Sequence[object], after: Sequence[object]) -> list[tuple[int, int]]:
    """Return where two paintings differ, as pairs of first line and number of lines."""
    spans: list[tuple[int, int]] = []
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        if old is new or old == new:
            continue
        if spans and sum(spans[-1]) == y:
            spans[-1] = (spans[-1][0], spans[-1][1] + 1)
        else:
            spans.append((y, 1))
    return spans


def marked(
    segments: Iterable[Segment],
    at: int,
    found: Iterable[tuple[int, int]],
    style: Style,
    *,
    adds: bool = False,
) -> Iterator[Segment]:
    """Yield the segments of a line from character `at` on, with ranges in a style (or it added)."""
    ranges = iter(found)
    start, end = next(ranges, (_NEVER, _NEVER))
    for text, plain, _ in segments:
        done, stop = at, at + len(text)
        while done < stop:
            if end <= done:
                start, end = next(ranges, (_NEVER, _NEVER))
                continue
            inside = start <= done
            until = min(stop, end if inside else start)
            shown = style if inside else plain
            if inside and adds and plain is not None:
                shown = plain + style
            yield Segment(text[done - at : until - at], shown)
            done = until
        at = stop
