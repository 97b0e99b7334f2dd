"""View of a raw response: highlighting, search, wrapping."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from rich.cells import get_character_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.message import Message

from platui.core.named_tuple import NamedTuple
from platui.present.raw import Hit, RawDocument
from platui.ui.active_keys import bind
from platui.ui.themes import palette_of
from platui.ui.widgets.scrolling import RowsView, marked, move_keys, side_keys

if TYPE_CHECKING:
    from textual.strip import Strip

    from platui.ui.palette import Palette

_ROLES: Final = {
    "key": "accent", "string": "text", "number": "manual", "literal": "pending", "sign": "muted",
}  # fmt: skip
_MARGIN: Final = 1
_FOUND: Final = Style(underline=True, bold=True)


_HANG: Final = 4  # Extra indent of continuation rows, in cells
_LONG: Final = 100_000  # Characters; in longer lines all characters count as wide


class Row(NamedTuple):
    line: int
    start: int
    end: int
    lead: int  # Indent in cells; 0 on the first row


class RawRows:
    """The rows of a document at a given width."""

    def __init__(self, document: RawDocument, room: int, *, wraps: bool) -> None:
        self._lines = document.lines
        self._room = max(2 * _HANG, room)
        # The end of each row of each line; the last may be beyond the line.
        self._parts = [self._wrapped(text) if wraps else (len(text),) for text in self._lines]
        self._ends = list(accumulate(map(len, self._parts)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def row(self, number: int) -> Row:
        line = bisect_right(self._ends, number)
        text, ends = self._lines[line], self._parts[line]
        part = number - self._ends[line] + len(ends)
        start, lead = (ends[part - 1], self._lead(text)) if part else (0, 0)
        return Row(line, start, min(ends[part], len(text)), lead)

    def row_of(self, line: int, at: int) -> int:
        ends = self._parts[line]
        return self._ends[line] - len(ends) + min(bisect_right(ends, at), len(ends) - 1)

    def _lead(self, text: str) -> int:
        return min(len(text) - len(text.lstrip(" ")) + _HANG, self._room // 2)

    def _wrapped(self, text: str) -> Sequence[int]:
        if len(text) <= self._room and text.isascii():
            return (len(text),)
        rest = self._room - self._lead(text)
        if text.isascii() or len(text) > _LONG:
            wide = 1 if text.isascii() else 2
            first, rest = self._room // wide, rest // wide
            return range(first, max(first, len(text)) + rest, rest)
        ends: list[int] = []
        left = self._room
        for at, sign in enumerate(text):
            cells = get_character_cell_size(sign)
            if cells > left:
                ends.append(at)
                left = rest
            left -= cells
        return [*ends, len(text)]


class RawView(RowsView):
    """Shows a `RawDocument`; only visible lines are read."""

    DEFAULT_CSS = "RawView { width: 1fr; height: 1fr; }"
    BINDINGS = [
        *move_keys("raw", "line"),
        *side_keys("raw"),
        bind("w", "raw.wrap", "Wrap", "Wrap or cut long lines"),
    ]

    class Moved(Message):
        """The visible lines or the current hit changed."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self._document = RawDocument(())
        self._rows = RawRows(self._document, 0, wraps=True)
        self.wraps = True
        self._hits: tuple[Hit, ...] = ()
        self.hit: int | None = None  # Index of the current hit; None before the first step

    def show(self, document: RawDocument) -> None:
        """Show a response; the scroll position stays."""
        self._document = document
        self._hits, self.hit = (), None
        self._lay_out()

    @property
    def last_line(self) -> int:
        shown = self._window.in_sight
        return self._rows.row(shown[-1]).line + 1 if shown else 0

    def _lay_out(self) -> None:
        window = self._window
        top = self._rows.row(window.top) if window.count else None
        if self.size.width <= 0:
            return
        self._rows = RawRows(self._document, self.room, wraps=self.wraps)
        keeps = top is not None and top.line < len(self._document.lines)
        first = self._rows.row_of(top.line, top.start) if top and keeps else window.top
        window.fit(self.size.height, len(self._rows))
        window.move_to(first)
        self.settle()

    @property
    def hits(self) -> int:
        return len(self._hits)

    def search(self, words: str) -> None:
        """Search, and go to the first hit from the top of the window on."""
        self._hits, self.hit = self._document.find(words), None
        if self._hits and self._window.count:
            top = self._rows.row(self._window.top)
            at = bisect_left(self._hits, (top.line, top.start, 0))
            self._go_to(at % len(self._hits))
        else:
            self.settle()

    def step(self, by: int) -> None:
        if self._hits:
            at = -1 if self.hit is None and by > 0 else self.hit or 0
            self._go_to((at + by) % len(self._hits))

    def _go_to(self, number: int) -> None:
        if not self._window.count:
            return
        self.hit = number
        hit = self._hits[number]
        room = self.room
        if not self.wraps and not self.left <= hit.start <= hit.end <= self.left + room:
            self.left = 0 if hit.end <= room else max(0, hit.start - room // 3)
        self._window.reveal(self._rows.row_of(hit.line, hit.start))
        self.settle()

    @property
    def room(self) -> int:
        return max(1, self.size.width - _MARGIN - 1)

    def settle(self) -> None:
        self.refresh()
        self.post_message(self.Moved())

    def action_top(self) -> None:
        self.left = 0
        self._window.move_to(0)
        self.settle()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "sideways" and self.wraps:
            return None
        return super().check_action(action, parameters)

    def action_wrap(self) -> None:
        self.wraps = not self.wraps
        self.left = 0
        self._lay_out()
        self.refresh_bindings()

    def widest(self, most: int) -> int:
        del most
        return max((len(self._document.lines[y]) for y in self._window.in_sight), default=0)

    def on_resize(self) -> None:
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        palette = palette_of(self.app)
        number = self._window.top + y
        segments = [Segment(" " * _MARGIN, palette.base)]
        if number < self._window.count:
            segments += self._painted(number, palette)
        return self.row_strip(y, segments, palette.base)

    def _painted(self, number: int, palette: Palette) -> Iterator[Segment]:
        line, start, end, lead = self._rows.row(number)
        before = after = False
        if not self.wraps:
            length, start = end, self.left
            end = start + self.room
            before, after = start > 0 and length > 0, length > end
        yield Segment(" " * lead, palette.base)
        if before:
            yield Segment("‹", palette.style("muted"))
        at = start + before
        segments: Iterable[Segment] = (
            Segment(text, palette.style(_ROLES.get(role, role)))
            for text, role in self._document.pieces(line, at, end - after)
        )
        first, last = (bisect_left(self._hits, (line, one, 0)) for one in (0, end))
        found = [(hit.start, hit.end) for hit in self._hits[first:last] if hit.end > start]
        segments = marked(segments, at, found, _FOUND, adds=True)
        if self.hit is not None and first <= self.hit < last:
            here = self._hits[self.hit]
            segments = marked(segments, at, [(here.start, here.end)], palette.hit)
        yield from segments
        if after:
            yield Segment("›", palette.style("muted"))
