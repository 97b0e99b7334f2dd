"""Where the reader of a log is: the window, the focus line, and the ways to another place."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from platui.ui.widgets.follow import FollowState
from platui.ui.widgets.log_canvas import Mark
from platui.ui.widgets.log_edge import part_of
from platui.ui.widgets.log_frame import LogFrame
from platui.ui.widgets.log_window import Top

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.models.values.log import LogDocument
    from platui.models.values.search import TextPattern


class Spot(NamedTuple):
    """Where a reader is, to go back there; of no use in another document."""

    document: LogDocument
    top: int  # The first line in sight
    part: int  # Which row of that line, where it is wrapped
    left: int
    focus: int | None
    follows: bool
    ends: bool  # Whether the end of a log that has ended is in sight
    folded: frozenset[int]
    sections: int  # How many there were: those that came later are folded as they wish


class LogPlace(LogFrame):
    """Moves about a log, but knows no keys; what is read stays on its row when lines come or go."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self._focus: int | None = None
        self._to_reveal: int | None = None
        self._unread: Callable[[], bool] | None = None
        """What waits for a long line to be read on; returns whether it is done."""
        self._sought_to = 0

    @property
    def top_line(self) -> int:
        """Return the first line in sight; 0 where there is none."""
        return self.window[0]

    @property
    def window(self) -> tuple[int, int]:
        """Return the first line in sight and the one after the last."""
        rows = self._window.in_sight
        return (rows[0].line, rows[-1].line + 1) if rows else (0, 0)

    @property
    def focus_line(self) -> int | None:
        """Return the line last jumped to or clicked."""
        return self._focus

    @property
    def focus_in_sight(self) -> int | None:
        """Return the focus line where something of it is in sight."""
        return self._focus if self._focus in self.lines_in_sight else None

    def reveal(self, line: int) -> None:
        """Bring a line, or the nearest one, in sight, unfolded, as the focus line; pause following.

        A line that is in sight stays where it is, another one comes to stand a third from
        the top. Of a long line the first hit comes in sight, where one searches.
        """
        window = self._window
        if not window.lines:
            return
        line = min(max(line, 0), window.lines - 1)
        self._focus = line
        self._follow = self._follow.let_go()
        if not self.size.height:
            # Before the first layout nobody knows what is in sight.
            self._to_reveal = line
            return
        top = self.top_line
        if window.unfold(line):
            window.show_at_top(top)
        self._sought_to, self._unread = 0, None
        if self._pattern is None:
            self._bring_in_sight(line, 0, 0)
        elif not self._seek(line, self._pattern):
            self._unread = partial(self._seek, line, self._pattern)
            self._put(line, 0)
        self._at_end = self._is_at_last_top
        self.settle()

    def on_resize(self) -> None:
        """Go where one was to go, now that it is known what is in sight."""
        line, self._to_reveal = self._to_reveal, None
        if line is not None:
            # The window takes the new size first.
            self.settle()
            self.reveal(line)

    @property
    def spot(self) -> Spot:
        """Return where the reader is."""
        window = self._window
        rows = window.in_sight
        top, part = rows[0] if rows else (0, 0)
        ends = self._follow.state is FollowState.ENDED and self._at_end and self._is_at_last_top
        return Spot(
            window.document, top, part, self._left, self._focus,
            self._follow.sticks, ends,
            frozenset(window.folded), len(window.sections),
        )  # fmt: skip

    def go_back_to(self, spot: Spot) -> None:
        """Be where the reader was, with the same folds; nothing where it was another document."""
        window = self._window
        if spot.document is not window.document:
            return
        folded = spot.folded.union(at for at in window.folded if at >= spot.sections)
        if folded != window.folded:
            window.fold(folded)
        self._focus, self._left = spot.focus, spot.left
        self._drop_hidden_focus()
        if spot.follows:
            self._follow = self._follow.resume()
        if spot.follows or spot.ends:
            self._move_to(window.last_top)
        else:
            self.go_to(spot.top, spot.part)

    def go_on_from(self, spot: Spot, shift: int) -> None:
        """Be where the reader was in a part of this document, which has so many lines before it."""
        self._left = spot.left
        self._focus = None if spot.focus is None else spot.focus + shift
        if not spot.follows:
            self._follow = self._follow.let_go()
            self._at_end = False
            self._window.show_at_top(spot.top + shift, spot.part)

    def clear_focus(self) -> None:
        """Have no focus line."""
        self._focus = None
        self.settle()

    def go_to(self, line: int, part: int = 0) -> None:
        """Put a line, or a row of it, at the top of the view, as far as more is below it."""
        window, before = self._window, self._window.top
        window.show_at_top(line, part)
        top, window.top = window.top, before
        self._move_to(top)

    def read_on(self) -> None:
        """Go on with what waits for a long line."""
        if self._unread is not None and self._unread():
            self._unread = None
        super().read_on()

    def _seek(self, line: int, pattern: TextPattern) -> bool:
        """Bring the first thing found in a line in sight; return False where that takes longer."""
        text = self._window.text(line)
        for number in count(self._sought_to):
            self._sought_to = number
            while number >= text.pieces:
                if text.is_whole:
                    return self._bring_in_sight(line, 0, 0)
                if not text.read_on() and not text.is_whole:
                    return False
            if found := text.found_in(pattern, number):
                return self._bring_in_sight(line, *found[0])
            if self._window.turn.is_over:
                return False
        return True

    def _bring_in_sight(self, line: int, start: int, end: int) -> bool:
        """Bring characters of a line in sight; return False where it is not broken so far yet."""
        part = self._window.part_of(line, start)
        if part is None:
            return False
        self._put(line, part)
        if not self.wraps:
            self._reach(line, start, end)
        return True

    def _put(self, line: int, part: int) -> None:
        """Bring a row of a line in sight: a third from the top, unless it is there already."""
        if self._window.row_of(line, part) is None:
            self._window.put(line, max(1, self.size.height // 3), part)

    def action_side_ends(self) -> None:
        """Move to the side until the end of the focus line is in sight, or of the longest one."""
        self._unread = None if self._see_ends() else self._see_ends
        self.settle()

    def _see_ends(self) -> bool:
        window, focus = self._window, self.focus_in_sight
        lines = self.lines_in_sight if focus is None else [focus]
        texts = [window.text(line) for line in lines]
        for text in texts:
            while text.read_on():
                pass
        self._left = max(0, max((text.cells for text in texts), default=0) - window.room)
        return all(text.is_whole for text in texts)

    def action_side_starts(self) -> None:
        """Move to where lines begin."""
        self._unread, self._left = None, 0
        self.settle()

    def _reach(self, line: int, start: int, end: int) -> None:
        """Move to the side until characters of a line are in sight; back, if they are there."""
        text, room = self._window.text(line), self._window.room
        begin, stop = text.cell_of(start), text.cell_of(end)
        # A sign stands in the last column where the line goes on, and in the first one.
        if stop < room:
            self._left = 0
        elif not self._left < begin <= stop < self._left + room:
            self._left = max(0, begin - room // 3)

    def mark_of(self, line: int) -> Mark:
        """Return whether a line is the focus line."""
        return Mark.FOCUS if line == self._focus else Mark.NONE

    @property
    def room(self) -> int:
        """Return the cells for the text of a row."""
        return self._window.room

    def widest(self, most: int) -> int:
        """Return how many cells the longest line in sight takes, counted to `most` or so."""
        widest = 0
        for line in self.lines_in_sight:
            text = self._window.text(line)
            text.reach(most)
            widest = max(widest, text.cells)
            if widest >= most:
                break
        return widest

    def _place(self, *, quiet: bool) -> None:
        """Bring the window to where it belongs; no other size takes the focus line out of sight."""
        window, line = self._window, self._focus
        row = None if line is None else window.row_of(line)
        super()._place(quiet=quiet)
        if self._follow.sticks or line is None or row is None:
            return
        if window.row_of(line) is None:
            self._at_end = False
            window.put(line, min(row, self.size.height - 1))
            super()._place(quiet=quiet)

    def shown_beside(self, line: int, *, back: bool) -> int | None:
        """Return the next line after one, or the last before it, that no filter or fold hides."""
        shown = self._window.shown
        place = shown.place(line) - back
        place += not back and shown.shows(line)
        return shown.line(place) if 0 <= place < shown.count else None

    # Moving

    def action_move(self, rows: int) -> None:
        """Move the window by rows."""
        self._move_to(self._window.step(self._window.top, rows))

    def action_top(self) -> None:
        """Go to the first line."""
        self._move_to(Top(0))

    def action_end(self) -> None:
        """Go to the last line, and follow if more is to come."""
        self._follow = self._follow.resume()
        self._move_to(self._window.last_top)

    def _move_to(self, top: Top) -> None:
        self._unread = None
        if top < self._window.top:
            self._follow = self._follow.let_go()
        self._window.top = top
        self._at_end = self._is_at_last_top
        self.settle()

    def wheel(self, rows: int) -> None:
        """Move the window and nothing else."""
        self._move_to(self._window.step(self._window.top, rows))

    def point_at(self, row: int) -> None:
        """Take what is on a row as the focus line; from a header that stays, go to where it is."""
        rows = self._window.rows()
        if row >= len(rows):
            return
        covering = self._window.sticky(rows)
        if covering is not None and row == 0:
            self.go_to(self._window.sections[covering].start)
            return
        self.point_at_line(rows[row].line)

    def point_at_line(self, line: int) -> None:
        """Take a line that is in sight as the focus line."""
        self._focus = line
        self.settle()

    def go_by_edge(self, row: int) -> None:
        """Go to the mark on a row of the edge, or to that part of the log."""
        window = self._window
        start, end = part_of(self._scale, row, window.shown)
        at = bisect_left(window.errors, (start,))
        marks = [window.errors[at].first] if at < len(window.errors) else []
        at = bisect_left(self._hits, start)
        marks += [self._hits[at]] if at < len(self._hits) else []
        mark = next((line for line in marks if line < end), None)
        if mark is not None:
            self.reveal(mark)
        else:
            self.go_to(start)

    # What is in sight

    @property
    def shows_nothing(self) -> bool:
        """Return whether there is no line that a filter or fold leaves."""
        return self._window.shown.count == 0

    @property
    def outlook(self) -> tuple[object, ...]:
        """Return what changes when the reader moves or looks at the text in another way."""
        folds = len(self._window.folded)
        return (
            *self.window, self._focus, self._left, folds,
            self.wraps, self.stamps, self.line_numbers,
        )  # fmt: skip

    @property
    def lines_in_sight(self) -> Sequence[int]:
        """Return every line of which something is in sight."""
        return list(dict.fromkeys(row.line for row in self._window.in_sight))

    # Keeping the place

    def _drop_hidden_focus(self, header: int | None = None) -> None:
        if self._focus is not None and not self._window.shown.shows(self._focus):
            self._focus = header

    def _keeping_place(self, change: Callable[[], None]) -> None:
        """Change which lines are shown; the one that is read stays on its row."""
        window = self._window
        line, row = self._read_at()
        change()
        self._drop_hidden_focus()
        if window.shown.count:
            window.put(line, row)
        self._at_end = self._at_end and self._is_at_last_top

    def _read_at(self) -> tuple[int, int]:
        """Return the line that is read, and its row: the focus line, or the one at the top."""
        window = self._window
        if self._focus is not None and (row := window.row_of(self._focus)) is not None:
            return self._focus, row
        rows = window.rows()
        covered = window.sticky(rows) is not None and len(rows) > 1
        return (rows[covered].line if rows else 0), int(covered)
