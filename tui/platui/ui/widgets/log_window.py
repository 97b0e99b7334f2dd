"""The visible window over the shown lines of a log; only lines near it are read and wrapped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.ui.widgets.log_text import LineText, TimeBudget
from platui.ui.widgets.log_wrap import Part, Wrapped

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument
    from platui.present.logs.lines import ShownLines
    from platui.ui.widgets.log_content import LogContent

# Limits of the caches of wrapped and measured lines; a full cache is cleared.
_MOST_WRAPPED: Final = 2000
_MOST_TEXTS: Final = 200
_LEAST_FOR_STICKY: Final = 4  # Minimum height of a window with a sticky header


class Top(NamedTuple):
    place: int  # Position of its line among the shown lines
    part: int = 0  # Row of that line, from 0


class Row(NamedTuple):
    line: int
    part: int = 0  # Row of that line, from 0; after its last row, the break below it


class LogWindow:
    """The rows of a window; line numbers are the document's, from 0."""

    def __init__(self, content: LogContent) -> None:
        self.content = content
        self.height = 0
        self.room = 0  # Cells for the text of a row
        self.wraps = False
        self.top = Top(0)
        self.budget = TimeBudget()
        self._lines = 0  # Lines of the document at the last update
        self._texts: dict[int, LineText] = {}
        self._wrapped: dict[int, Wrapped] = {}
        self._even: tuple[ShownLines, tuple[int, ...], Sequence[Row]] = content.shown, (), []

    def show(self, document: LogDocument) -> None:
        self.content.show(document)
        self.top = Top(0)
        self._lines = 0
        self._texts.clear()
        self._wrapped.clear()
        self.grow()

    def grow(self) -> bool:
        """Add new lines; return whether all of them were added."""
        is_all = self.content.grow()
        # The last line may have grown.
        self._texts.pop(self._lines - 1, None)
        self._wrapped.pop(self._lines - 1, None)
        self._lines = self.content.lines
        return is_all

    def text(self, line: int) -> LineText:
        document, known = self.content.document, self._texts.get(line)
        # Only the last line may still change.
        if known is None or (line >= self._lines - 1 and known.version != document.version):
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.clear()
            known = self._texts[line] = LineText(document, line, self.budget)
        return known

    def wrapped(self, line: int) -> Wrapped:
        """Return the rows of a line that the time budget allows."""
        known = self._wrapped.get(line)
        if known is None:
            if len(self._wrapped) >= _MOST_WRAPPED:
                self._wrapped.clear()
            known = self._wrapped[line] = Wrapped(self.text(line), self.room, self.budget)
        elif not known.is_whole:
            known.go_on()
        return known

    @property
    def is_even(self) -> bool:
        """Return whether every shown line takes one row."""
        return not self.wraps and not self.content.has_breaks

    def is_break(self, row: Row) -> bool:
        """Return whether a row replaces the omitted lines below its line."""
        return row.part > 0 and row.part >= self._text_parts(row.line)

    def rows(self) -> Sequence[Row]:
        shown, height = self.content.shown, self.height
        count = shown.count
        if self.is_even:
            place = self.top.place
            where = (self.content.lines, count, place, height)
            # Cached: one key press needs them many times.
            if self._even[0] is not shown or self._even[1] != where:
                places = range(place, min(count, place + height))
                self._even = shown, where, [Row(shown.line(place)) for place in places]
            return self._even[2]
        rows: list[Row] = []
        place, part = self.top
        while place < count and len(rows) < height:
            line = shown.line(place)
            parts = min(self._parts(line), part + height - len(rows))
            rows += [Row(line, at) for at in range(part, parts)]
            place, part = place + 1, 0
        return rows[:height]

    def part(self, row: Row) -> Part | None:
        """Return the part of its line on a row; None: the whole line."""
        return self.wrapped(row.line).part(row.part) if self._is_wrapped(row.line) else None

    def _parts(self, line: int) -> int:
        return self._text_parts(line) + (self.content.omitted_below(line) > 0)

    def _text_parts(self, line: int) -> int:
        return self.wrapped(line).count if self._is_wrapped(line) else 1

    def _is_wrapped(self, line: int) -> bool:
        return self.wraps and self.content.sections.header_at(line) is None

    def fit(self, height: int, room: int, *, wraps: bool) -> None:
        """Resize or change wrapping; the text at the top stays there."""
        if (room, wraps) != (self.room, self.wraps):
            shown, place = self.content.shown, self.top.place
            line = shown.line(place) if place < shown.count else None
            character = 0
            if line is not None and self.top.part and (parts := self._text_parts(line)) > 1:
                character = self.wrapped(line).part(min(self.top.part, parts - 1)).start
            self._wrapped.clear()
            self.room, self.wraps = room, wraps
            part = 0
            if character and wraps and line is not None:
                part = self.wrapped(line).part_of(character)
            self.top = Top(self.top.place, part)
        self.height = height

    def sticky(self, rows: Sequence[Row]) -> int | None:
        """Return the section whose sticky header covers the first row: that of the row below it."""
        if not rows or self.top == Top(0) or self.height < _LEAST_FOR_STICKY:
            return None
        covered = self.content.sections.at(rows[0].line)
        if rows[0].part == 0 and self.content.sections.header_at(rows[0].line) is not None:
            return None
        below = next((row for row in rows[1:] if not self.is_break(row)), rows[0])
        at = self.content.sections.at(below.line)
        if at is None or self.content.sections[at].start != below.line:
            return at
        return covered

    @property
    def in_sight(self) -> Sequence[Row]:
        """Return the rows that the sticky header does not cover."""
        rows = self.rows()
        return rows[1:] if self.sticky(rows) is not None else rows

    @property
    def last_top(self) -> Top:
        count = self.content.shown.count
        if self.is_even:
            return Top(max(0, count - self.height))
        place, left = count, self.height
        while place > 0 and left > 0:
            place -= 1
            left -= self._parts(self.content.shown.line(place))
        return Top(place, max(0, -left))

    @property
    def is_at_last_top(self) -> bool:
        return self.top >= self.last_top

    def step(self, top: Top, rows: int) -> Top:
        """Return the top that is `rows` away, within bounds."""
        if self.is_even:
            return Top(min(max(0, top.place + rows), self.last_top.place))
        place, part = top.place, top.part + rows
        while part < 0 and place > 0:
            place -= 1
            part += self._parts(self.content.shown.line(place))
        part = max(part, 0)
        count = self.content.shown.count
        while place < count and part >= (parts := self._parts(self.content.shown.line(place))):
            place, part = place + 1, part - parts
        return min(Top(place, part), self.last_top)

    def put(self, line: int, row: int, part: int = 0) -> None:
        """Move a part of a line to a row, within bounds."""
        self.top = self.step(Top(self.content.place_near(line), part), -row)

    def show_at_top(self, line: int, part: int = 0) -> None:
        self.put(line, 0, part)
        if self.sticky(self.rows()) is not None:
            self.put(line, 1, part)

    def row_of(self, line: int, part: int = 0) -> int | None:
        rows = self.rows()
        first = int(self.sticky(rows) is not None)
        return next((y for y in range(first, len(rows)) if rows[y] == (line, part)), None)

    def part_of(self, line: int, character: int) -> int | None:
        """Return the row of its line with a character; None: not read so far."""
        if not character or not self._is_wrapped(line):
            return 0
        wrapped = self.wrapped(line)
        return wrapped.part_of(character) if wrapped.holds(character) else None
