"""A window of so many rows over the shown lines of a log: where it is, and how it moves.

A row is a line, a part of a wrapped one, or the break below a group of lines that a filter shows.
Only rows near the window are ever laid out.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.models.values.log import NoLog
from platui.present.logs.lines import ChosenLines, FoldedLines, OtherLines, ShownLines
from platui.present.logs.sections import SectionMap
from platui.ui.widgets.log_text import LineText, Turn
from platui.ui.widgets.log_wrap import Part, Wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.values.log import ErrorMark, LogDocument

_MOST_WRAPPED: Final = 2000
"""Lines whose rows are remembered. Beyond that they are forgotten, all at once."""

_MOST_TEXTS: Final = 200
"""Lines that are remembered measured: those of some windows. Beyond that as above."""

_LEAST_FOR_STICKY: Final = 4
"""Rows that a window has at the least where one of them goes to the header of a section."""


class Top(NamedTuple):
    """The first row of a window."""

    place: int  # Of its line among those shown
    part: int = 0  # Which row of that line, from 0


class Row(NamedTuple):
    """A row of a window."""

    line: int
    part: int = 0  # Which row of that line, from 0; the one after its last is the break below it


class Choice(NamedTuple):
    """Which lines a filter leaves."""

    lines: Sequence[int]
    context: int
    inverse: bool
    until: int | None

    def goes_on_from(self, other: Choice | None) -> bool:
        """Return whether it is the same one, of which more may be known by now."""
        return (
            other is not None
            and self.lines is other.lines
            and (self.context, self.inverse) == (other.context, other.inverse)
        )

    @property
    def has_context(self) -> bool:
        """Return whether lines are shown for the sake of those near them."""
        return self.context > 0 and not self.inverse


class LogWindow:
    """Rows over one document; every line number is the document's, from 0."""

    def __init__(self) -> None:
        self.document: LogDocument = NoLog()
        self.sections = SectionMap()
        self.errors: Sequence[ErrorMark] = ()
        self.folded: set[int] = set()
        self.height = 0
        self.room = 0  # Cells for the text of a row
        self.wraps = False
        self.folds_finished = False  # Whether what has ended when it is first seen starts folded
        self.stays_open = False
        """Whether what comes now is read as it comes: nothing that one reads goes away."""
        self.lines = 0  # Lines of the document, when it was last asked
        self.shown: ShownLines = FoldedLines(0)
        self.choice: Choice | None = None
        self.top = Top(0)
        self.turn = Turn()
        self._texts: dict[int, LineText] = {}
        self._wrapped: dict[int, Wrapped] = {}
        self._even: tuple[ShownLines, tuple[int, ...], Sequence[Row]] = self.shown, (), []

    # The document

    def show(self, document: LogDocument) -> None:
        """Show another document, from its first line, with nothing folded by hand."""
        self.document = document
        self.sections, self.folded = SectionMap(), set()
        self.choice = None
        self.top = Top(0)
        self.lines = 0
        self.shown = FoldedLines(0)
        self._texts.clear()
        self._wrapped.clear()
        self.grow()

    def grow(self) -> bool:
        """Take in what came; return whether that was all there is to take in."""
        document = self.document
        # The last line may have changed; a line that has ended never does.
        self._texts.pop(self.lines - 1, None)
        self._wrapped.pop(self.lines - 1, None)
        self.lines, self.errors = document.line_count, document.errors
        known = len(self.sections)
        changed = self.sections.take(document.sections)
        folds = [at for at in range(known, len(self.sections)) if self._starts_folded(at)]
        rebuild = not self.folded.isdisjoint(changed)
        self.folded.update(folds)
        if self.choice is None:
            if rebuild:
                self.shown = self.sections.folded(self.folded, self.lines)
            elif isinstance(self.shown, FoldedLines):
                for at in folds:
                    self.sections.hide(self.shown, at)
        return self.shown.grow(self.lines)

    def _starts_folded(self, section: int) -> bool:
        if self.stays_open:
            return False
        if self.sections[section].collapsed:
            # But not the one that a running job is writing.
            return self.sections[section].end is not None or not self.folds_finished
        return self.folds_finished and self.sections.ended_well(section, self.errors)

    # Which lines are shown

    def choose(self, choice: Choice | None) -> None:
        """Show the lines of a filter, or all but those in folds."""
        goes_on = choice is not None and choice.goes_on_from(self.choice)
        self.choice = choice
        if not goes_on:
            self._lay_out()
        elif choice is not None and isinstance(self.shown, OtherLines):
            self.shown.until = choice.until

    def fold(self, sections: Iterable[int]) -> None:
        """Have exactly these sections folded."""
        self.folded = set(sections).intersection(range(len(self.sections)))
        if self.choice is None:
            self._lay_out()

    def unfold(self, line: int) -> bool:
        """Open every section that hides a line; return whether there was one."""
        if self.choice is not None or self.shown.shows(line):
            return False
        at = self.sections.at(line)
        around = () if at is None else self.sections.around(at)
        self.fold(self.folded.difference(at for at in around if self.sections[at].start < line))
        return True

    def _lay_out(self) -> None:
        choice, lines = self.choice, self.lines
        if choice is None:
            self.shown = self.sections.folded(self.folded, lines)
        elif choice.inverse:
            self.shown = OtherLines(choice.lines, choice.until, lines)
        else:
            self.shown = ChosenLines(choice.lines, choice.context, lines)

    def is_folded(self, at: int) -> bool:
        """Return whether the section is folded, or one that begins on the same line."""
        return not self.folded.isdisjoint(self.heads(at))

    def heads(self, at: int) -> list[int]:
        """Return the sections that begin on the line on which this one does."""
        start = self.sections[at].start
        return [one for one in self.sections.around(at) if self.sections[one].start == start]

    def hidden_below(self, line: int) -> int:
        """Return how many lines are hidden between a shown line and the next one."""
        place = self.shown.place(line) + 1
        after = self.shown.line(place) if place < self.shown.count else self.lines
        return max(0, after - line - 1)

    def is_aside(self, line: int) -> bool:
        """Return whether a shown line is there only because a filter found one near it."""
        choice = self.choice
        if choice is None or not choice.has_context:
            return False
        at = bisect_left(choice.lines, line)
        return at == len(choice.lines) or choice.lines[at] != line

    def left_out_below(self, line: int) -> int:
        """Return how many lines a filter leaves out below the last line of a group."""
        if self.choice is None or not self.choice.has_context:
            return 0
        place = self.shown.place(line) + 1
        return self.shown.line(place) - line - 1 if place < self.shown.count else 0

    # Rows

    @property
    def is_even(self) -> bool:
        """Return whether every shown line takes one row."""
        return not self.wraps and (self.choice is None or not self.choice.has_context)

    def is_break(self, row: Row) -> bool:
        """Return whether a row stands for the lines left out below its line."""
        return row.part > 0 and row.part >= self._text_parts(row.line)

    def rows(self) -> Sequence[Row]:
        """Return the rows in the window, fewer than its height where the log ends before."""
        shown, height = self.shown, self.height
        count = shown.count
        if self.is_even:
            place = self.top.place
            where = (self.lines, count, place, height)
            # A key asks for them many times; no line takes another place but by these numbers.
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
        """Return what of its line stands on a row; None where it is all of it."""
        if not self.wraps or self.sections.header_at(row.line) is not None:
            return None
        return self._wrap(row.line).part(row.part)

    def _parts(self, line: int) -> int:
        return self._text_parts(line) + (self.left_out_below(line) > 0)

    def _text_parts(self, line: int) -> int:
        if not self.wraps or self.sections.header_at(line) is not None:
            return 1
        return self._wrap(line).count

    def text(self, line: int) -> LineText:
        """Return a line of the document, measured."""
        known = self._texts.get(line)
        # Only the last line may still change.
        if known is None or (line >= self.lines - 1 and known.version != self.document.version):
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.clear()
            known = self._texts[line] = LineText(self.document, line, self.turn)
        return known

    def _wrap(self, line: int) -> Wrapped:
        known = self._wrapped.get(line)
        if known is None:
            if len(self._wrapped) >= _MOST_WRAPPED:
                self._wrapped.clear()
            known = self._wrapped[line] = Wrapped(self.text(line), self.room, self.turn)
        elif not known.is_whole:
            known.go_on()
        return known

    def fit(self, height: int, room: int, *, wraps: bool) -> None:
        """Take another size, or another way to show long lines; the text on top stays there."""
        if (room, wraps) != (self.room, self.wraps):
            line = self.shown.line(self.top.place) if self.top.place < self.shown.count else None
            character = 0
            if line is not None and self.top.part and (parts := self._text_parts(line)) > 1:
                character = self._wrap(line).part(min(self.top.part, parts - 1)).start
            self._wrapped.clear()
            self.room, self.wraps = room, wraps
            part = 0
            if character and wraps and line is not None:
                part = self._wrap(line).part_of(character)
            self.top = Top(self.top.place, part)
        self.height = height

    # The header that stays in sight

    def sticky(self, rows: Sequence[Row]) -> int | None:
        """Return the section whose header stands in the place of the first of these rows.

        It is that of the row below, which is the first in sight then: under a filter the row
        that is covered may be of another one. None where nothing is to be covered.
        """
        if not rows or self.top == Top(0) or self.height < _LEAST_FOR_STICKY:
            return None
        covered = self.sections.at(rows[0].line)
        if rows[0].part == 0 and self.sections.header_at(rows[0].line) is not None:
            return None
        below = next((row for row in rows[1:] if not self.is_break(row)), rows[0])
        at = self.sections.at(below.line)
        if at is None or self.sections[at].start != below.line:
            return at
        # It tells by itself whose it is.
        return covered

    @property
    def in_sight(self) -> Sequence[Row]:
        """Return the rows in the window that no header covers."""
        rows = self.rows()
        return rows[1:] if self.sticky(rows) is not None else rows

    # Moving

    @property
    def last_top(self) -> Top:
        """Return the top at which the last row is in sight."""
        count = self.shown.count
        if self.is_even:
            return Top(max(0, count - self.height))
        place, left = count, self.height
        while place > 0 and left > 0:
            place -= 1
            left -= self._parts(self.shown.line(place))
        return Top(place, max(0, -left))

    def step(self, top: Top, rows: int) -> Top:
        """Return the top that is so many rows away, between the first and the last."""
        if self.is_even:
            return Top(min(max(0, top.place + rows), self.last_top.place))
        place, part = top.place, top.part + rows
        while part < 0 and place > 0:
            place -= 1
            part += self._parts(self.shown.line(place))
        part = max(part, 0)
        count = self.shown.count
        while place < count and part >= (parts := self._parts(self.shown.line(place))):
            place, part = place + 1, part - parts
        return min(Top(place, part), self.last_top)

    def place_near(self, line: int) -> int:
        """Return the place of a line; of what stands for it where it is not shown."""
        place = self.shown.place(line)
        if self.shown.shows(line):
            return place
        # In a fold that is its header; under a filter what comes next.
        return max(0, place - 1 if self.choice is None else min(place, self.shown.count - 1))

    def put(self, line: int, row: int, part: int = 0) -> None:
        """Move so that a part of a line stands on a row, as far as the ends let it."""
        self.top = self.step(Top(self.place_near(line), part), -row)

    def show_at_top(self, line: int, part: int = 0) -> None:
        """Move so that a part of a line is the first in sight."""
        self.put(line, 0, part)
        if self.sticky(self.rows()) is not None:
            self.put(line, 1, part)

    def row_of(self, line: int, part: int = 0) -> int | None:
        """Return on which row a part of a line is in sight."""
        rows = self.rows()
        first = int(self.sticky(rows) is not None)
        return next((y for y in range(first, len(rows)) if rows[y] == (line, part)), None)

    def part_of(self, line: int, character: int) -> int | None:
        """Return which row of its line a character stands on; None where it was not read so far."""
        if not self.wraps or not character or self.sections.header_at(line) is not None:
            return 0
        wrapped = self._wrap(line)
        return wrapped.part_of(character) if wrapped.holds(character) else None
