"""The sections of a log, folded or open, and the lines that its reader has chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from platui.present.logs.lines import LinesAt
from platui.ui.widgets.log_canvas import Mark
from platui.ui.widgets.log_place import LogPlace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.ui.widgets.log_window import Top


class _Folded(NamedTuple):
    """Where the reader was when a section was folded, and right after."""

    header: int
    focus: int | None
    top: Top
    focus_after: int | None
    top_after: Top

    def is_undone_by(self, header: int, focus: int | None, top: Top) -> bool:
        """Return whether that section is opened by somebody who has not moved since."""
        return (header, focus, top) == (self.header, self.focus_after, self.top_after)


class LogSelection(LogPlace):
    """Folds sections, and chooses lines; while some are chosen, moves change their end instead."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self._folded: _Folded | None = None
        """The fold to be undone, as long as nobody has moved since."""
        self._chosen: tuple[int, int] | None = None  # Where choosing began, and where it is

    @property
    def has_folds(self) -> bool:
        """Return whether there are sections that can be folded now: not under a filter."""
        return bool(len(self._window.sections)) and self._window.choice is None

    def toggle(self, at: int) -> None:
        """Fold or open a section; its header stays where it is, or comes to the top."""
        window = self._window
        folded, self._folded = self._folded, None
        header = window.sections[at].start
        if folded is not None and folded.is_undone_by(header, self._focus, window.top):
            self._open_again(at, folded)
            return
        focus, top, follows = self._focus, window.top, self._follow.sticks
        row = window.row_of(header)
        heads = window.heads(at)
        opens = window.is_folded(at)
        window.fold(window.folded.difference(heads) if opens else {*window.folded, at})
        self._drop_hidden_focus(header)
        window.put(header, row or 0)
        self._at_end = self._at_end and self._is_at_last_top
        if opens and not self._is_at_last_top:
            # Who opens a section wants to read it: the end would take it out of sight.
            self._follow = self._follow.let_go()
        self.settle()
        if not opens and not follows:
            self._folded = _Folded(header, focus, top, self._focus, window.top)

    def _open_again(self, at: int, folded: _Folded) -> None:
        window = self._window
        window.fold(window.folded.difference(window.heads(at)))
        self._focus, window.top = folded.focus, folded.top
        self._at_end = self._is_at_last_top
        self.settle()

    def _fold_all(self) -> None:
        window = self._window
        folds = () if window.folded else range(len(window.sections))
        self._keeping_place(lambda: window.fold(folds))
        self.settle()

    def _section_line(self, by: int) -> int | None:
        """Return the next header among the lines shown, or the one before."""
        window, sections, shown = self._window, self._window.sections, self._window.shown
        has_focus = self._focus is not None and window.row_of(self._focus) is not None
        line, _ = self._read_at()
        if by < 0:
            found = sections.header_before(line)
            # Of headers in a fold, the one that stands for all of them.
            return None if found is None else shown.line(window.place_near(found))
        found = sections.header_from(line + has_focus)
        while found is not None and not shown.shows(found):
            place = shown.place(found)
            found = sections.header_from(shown.line(place)) if place < shown.count else None
        return found

    def set_folded(self, sections: Iterable[int]) -> None:
        """Fold exactly these sections, by their places in the document's list."""
        self._keeping_place(lambda: self._window.fold(sections))
        self.settle()

    def fold_all_but(self, sections: Iterable[int]) -> None:
        """Fold every section but these, and those that they lie in."""
        known = self._window.sections
        stay = {one for at in sections if 0 <= at < len(known) for one in known.around(at)}
        self.set_folded(set(range(len(known))) - stay)

    # Chosen lines

    @property
    def selection(self) -> tuple[int, int] | None:
        """Return the lines that are chosen: the first, and the one after the last."""
        if self._chosen is None:
            return None
        return min(self._chosen), max(self._chosen) + 1

    @property
    def chosen_lines(self) -> Sequence[int]:
        """Return every line that is chosen; where a filter hides some, those that it shows."""
        if (chosen := self.selection) is None:
            return ()
        window = self._window
        if window.choice is None:
            return range(*chosen)
        places = range(window.shown.place(chosen[0]), window.shown.place(chosen[1]))
        return LinesAt(window.shown, places)

    @property
    def chosen_count(self) -> int:
        """Return how many lines are chosen, those not counted that a filter hides."""
        if (chosen := self.selection) is None:
            return 0
        if self._window.choice is None:
            return chosen[1] - chosen[0]
        return self._window.shown.place(chosen[1]) - self._window.shown.place(chosen[0])

    def mark_of(self, line: int) -> Mark:
        """Return whether a line is chosen; where none is, whether it is the focus line."""
        if (chosen := self.selection) is None:
            return super().mark_of(line)
        return Mark.SELECTED if chosen[0] <= line < chosen[1] else Mark.NONE

    def action_select(self) -> None:
        """Choose the focus line, or the first in sight, and more by moving; or let go of them."""
        if self._chosen is not None:
            self.action_end_selection()
        elif self._window.shown.count:
            line, _ = self._read_at()
            self._chosen = (line, line)
            self._follow = self._follow.let_go()
            self.settle()

    def action_end_selection(self) -> None:
        """Let go of the lines chosen, as when they have been copied."""
        if self._chosen is not None:
            self._chosen = None
            self.settle()

    def shift_selection(self, chosen: tuple[int, int] | None, lines: int) -> None:
        """Take a selection of a part of this document that has so many lines before it."""
        self._chosen = None if chosen is None else (chosen[0] + lines, chosen[1] + lines)

    def _choose_to(self, place: int) -> None:
        """Choose up to the line at a place, and keep that in sight."""
        window = self._window
        if self._chosen is None or not window.shown.count:
            return
        line = window.shown.line(min(max(place, 0), window.shown.count - 1))
        self._chosen = (self._chosen[0], line)
        if window.row_of(line) is None:
            if line <= self.top_line:
                window.show_at_top(line)
            else:
                window.put(line, self.size.height - 1)
        self._at_end = self._is_at_last_top
        self.settle()

    # Moving

    def action_move(self, rows: int) -> None:
        """Move the window, or the end of what is chosen, by rows."""
        if self._chosen is None:
            super().action_move(rows)
        else:
            self._choose_to(self._window.place_near(self._chosen[1]) + rows)

    def action_top(self) -> None:
        """Go to the first line, or choose up to it."""
        if self._chosen is None:
            super().action_top()
        else:
            self._choose_to(0)

    def action_end(self) -> None:
        """Go to the last line and follow, or choose up to it."""
        if self._chosen is None:
            super().action_end()
        else:
            self._choose_to(self._window.shown.count - 1)

    def point_at_line(self, line: int) -> None:
        """Take a line as the focus line and fold what it heads, or choose lines up to it."""
        if self._chosen is not None:
            self._choose_to(self._window.shown.place(line))
            return
        at = self._window.sections.header_at(line)
        if at is None or not self.has_folds:
            super().point_at_line(line)
        else:
            self._focus = line
            self.toggle(at)
