"""The position in a log: window, focus line, follow state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.ui.widgets.log_scrollbar import first_mark
from platui.ui.widgets.log_window import Top

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument
    from platui.ui.widgets.log_view import LogView


class FollowState(StrEnum):
    """Whether new lines scroll the view."""

    FOLLOWING = "following"  # The view scrolls with new lines
    PAUSED = "paused"  # The view stays; new lines are counted
    ENDED = "ended"  # No more lines will arrive


@dataclass(frozen=True, slots=True)
class Follow:
    """The follow state, and the number of unseen new lines."""

    state: FollowState = FollowState.FOLLOWING
    new_lines: int = 0  # Lines that arrived while paused and are still below the window

    @property
    def is_following(self) -> bool:
        return self.state is FollowState.FOLLOWING

    def pause(self) -> Follow:
        return replace(self, state=FollowState.PAUSED) if self.is_following else self

    def resume(self) -> Follow:
        """Follow again, unless the log has ended."""
        state = self.state if self.state is FollowState.ENDED else FollowState.FOLLOWING
        return Follow(state)

    def with_new_lines(self, below: int) -> Follow:
        below = 0 if self.is_following else below
        return replace(self, new_lines=below) if below != self.new_lines else self

    def end(self) -> Follow:
        return replace(self, state=FollowState.ENDED)

    def reopen(self, *, at_end: bool) -> Follow:
        """Expect more lines after an end, as when a job continues."""
        if self.state is not FollowState.ENDED:
            return self
        return Follow() if at_end else replace(self, state=FollowState.PAUSED)


class Bookmark(NamedTuple):
    """A position to return to, in the same document."""

    document: LogDocument
    top: int  # The first visible line
    part: int  # Its first visible row, if wrapped
    left: int
    focus: int | None
    follows: bool
    ends: bool  # Whether the end of an ended log is visible
    folded: frozenset[int]
    sections: int  # Number of sections: later ones keep their own folding


class LogPosition:
    """Moves in a log; the line being read stays on its row when lines come or go."""

    def __init__(self, view: LogView) -> None:
        self.follow = Follow()
        self.focus: int | None = None  # The line last jumped to or clicked
        self._view = view
        self._window = view.window
        self._content = view.content
        self._at_end = True  # Whether an ended log is shown at its end
        self._seen = 0  # Lines that were visible since following was paused
        self._to_reveal: int | None = None
        self.moves = 0  # How often it was moved, other than by new or hidden lines

    def reset(self) -> None:
        self.follow = Follow()
        self._at_end = True
        self._view.left = self._seen = 0
        self.focus = self._to_reveal = None
        self._view.seeker.stop()

    def end(self) -> None:
        if self.follow.state is not FollowState.ENDED:
            self._at_end = self.follow.is_following
            self._seen = max(self._seen, self._content.lines if self._at_end else 0)
        self.follow = self.follow.end()

    def reopen(self) -> None:
        self.follow = self.follow.reopen(at_end=self._at_end)

    def pause(self) -> None:
        self.follow = self.follow.pause()

    @property
    def lines(self) -> tuple[int, int]:
        rows = self._window.in_sight
        return (rows[0].line, rows[-1].line + 1) if rows else (0, 0)

    @property
    def top_line(self) -> int:
        return self.lines[0]

    @property
    def lines_in_sight(self) -> Sequence[int]:
        return list(dict.fromkeys(row.line for row in self._window.in_sight))

    @property
    def focus_in_sight(self) -> int | None:
        return self.focus if self.focus in self.lines_in_sight else None

    def read_at(self) -> tuple[int, int]:
        """Return the line being read (focus or top line) and its row."""
        window = self._window
        if self.focus is not None and (row := window.row_of(self.focus)) is not None:
            return self.focus, row
        rows = window.rows()
        covered = window.sticky(rows) is not None and len(rows) > 1
        return (rows[covered].line if rows else 0), int(covered)

    def move(self, rows: int) -> None:
        self.move_to(self._window.step(self._window.top, rows))

    def go_to_first(self) -> None:
        """Go to the first line and stay there, also where all lines are still visible."""
        self.pause()
        self._view.seeker.leave_hit()
        self.move_to(Top(0))

    def go_to_last(self) -> None:
        """Go to the last line, and follow a log that has not ended."""
        self.follow = self.follow.resume()
        self.move_to(self._window.last_top)

    def move_to(self, top: Top) -> None:
        self.moves += 1
        self._view.seeker.stop()
        if top < self._window.top:
            self.pause()
        self._window.top = top
        self.update_at_end()
        self._view.settle()

    def update_at_end(self) -> None:
        self._at_end = self._window.is_at_last_top

    def go_to(self, line: int, part: int = 0) -> None:
        """Move a line, or a row of it, to the top of the view."""
        window, before = self._window, self._window.top
        window.show_at_top(line, part)
        top, window.top = window.top, before
        self.move_to(top)

    def go_to_mark(self, start: int, end: int) -> None:
        """Go to the first error or hit in a range of lines, or to its first line."""
        sign, line = first_mark(start, end, self._content)
        if sign:
            self.reveal(line)
        else:
            self.go_to(start)

    def focus_on(self, line: int | None) -> None:
        self.moves += 1
        self.focus = line
        self._view.settle()

    def drop_hidden_focus(self, header: int | None = None) -> None:
        """Move the focus from a hidden line to a header, or to no line."""
        if self.focus is not None and not self._content.shown.shows(self.focus):
            self.focus = header

    def reveal(self, line: int) -> None:
        """Focus a line, unfold it and scroll to it, or to the first hit in it; pause following."""
        content = self._content
        if line >= content.lines:
            self._view.renew()  # a followed log is drawn less often than it grows
        if not content.lines:
            return
        line = min(max(line, 0), content.lines - 1)
        self.moves += 1
        self.focus = line
        self.pause()
        if not self._view.size.height:
            # The visible lines are unknown before the first layout.
            self._to_reveal = line
            return
        top = self.top_line
        if content.unfold(line):
            self._window.show_at_top(top)
        self._view.seeker.bring_in_sight(line)
        self.update_at_end()
        self._view.settle()

    def reveal_waiting(self) -> None:
        line, self._to_reveal = self._to_reveal, None
        if line is not None:
            self.reveal(line)

    @property
    def bookmark(self) -> Bookmark:
        window, content = self._window, self._content
        rows = window.in_sight
        top, part = rows[0] if rows else (0, 0)
        ended = self.follow.state is FollowState.ENDED
        return Bookmark(
            content.document, top, part, self._view.left, self.focus,
            self.follow.is_following, ended and self._at_end and window.is_at_last_top,
            frozenset(content.folded), len(content.sections),
        )  # fmt: skip

    def restore_position(self, bookmark: Bookmark) -> None:
        """Return to a bookmark of this document, with its folds."""
        content = self._content
        if bookmark.document is not content.document:
            return
        folded = bookmark.folded.union(at for at in content.folded if at >= bookmark.sections)
        if folded != content.folded:
            content.fold(folded)
        self.focus, self._view.left = bookmark.focus, bookmark.left
        self.drop_hidden_focus()
        if bookmark.follows:
            self.follow = self.follow.resume()
        if bookmark.follows or bookmark.ends:
            self.move_to(self._window.last_top)
        else:
            self.go_to(bookmark.top, bookmark.part)

    def continue_from(self, bookmark: Bookmark, shift: int) -> None:
        """Move to a bookmark of a part of this document, `shift` lines further down."""
        self._view.left = bookmark.left
        self.focus = None if bookmark.focus is None else bookmark.focus + shift
        if not bookmark.follows:
            self.pause()
            self._at_end = False
            # Its sections may begin folded: the part had no headers for them.
            for line in (bookmark.top + shift, self.focus):
                if line is not None:
                    self._content.unfold(line)
            self._window.show_at_top(bookmark.top + shift, bookmark.part)

    def keep_position(self, change: Callable[[], None]) -> None:
        """Change which lines are shown; the line being read stays on its row."""
        line, row = self.read_at()
        change()
        self.drop_hidden_focus()
        self.put(line, row)

    def put(self, line: int, row: int) -> None:
        if self._content.shown.count:
            self._window.put(line, row)
        self._at_end = self._at_end and self._window.is_at_last_top

    def fit(self, take_size: Callable[[], None]) -> None:
        """Resize, and keep the focus line visible."""
        window, line = self._window, self.focus
        row = None if line is None else window.row_of(line)
        take_size()
        if self.follow.is_following or line is None or row is None:
            return
        if window.row_of(line) is None:
            self._at_end = False
            window.put(line, min(row, self._view.size.height - 1))
            take_size()

    def update_window(self) -> Top:
        """Move the window into bounds or to the end, count new lines; return the last top."""
        window, content = self._window, self._content
        ended = self.follow.state is FollowState.ENDED
        last = window.last_top
        if self.follow.is_following or (ended and self._at_end) or window.top > last:
            window.top = last
        rows = window.rows()
        bottom = rows[-1].line + 1 if rows else 0
        self._seen = content.lines if self.follow.is_following else max(self._seen, bottom)
        shown = content.shown
        self.follow = self.follow.with_new_lines(shown.count - shown.place(self._seen))
        return last
