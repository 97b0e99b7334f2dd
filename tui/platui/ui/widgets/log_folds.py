"""The sections of a log as its reader has them: folded or open, and ways from one to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from platui.ui.widgets.log_place import LogPlace

if TYPE_CHECKING:
    from collections.abc import Iterable

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


class LogFolds(LogPlace):
    """Folds and opens sections; what is read stays on its row."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self._folded: _Folded | None = None
        """The fold to be undone, as long as nobody has moved since."""

    @property
    def has_folds(self) -> bool:
        """Return whether there are sections that can be folded now: not under a filter."""
        return bool(len(self._window.sections)) and self._window.choice is None

    def fold_here(self) -> bool:
        """Fold or open the section of the focus line, or of the first line in sight.

        Returns whether there is one.
        """
        line, _ = self._read_at()
        at = self._window.sections.at(line)
        if at is not None:
            self.toggle(at)
        return at is not None

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
        """Open what was folded right before: the reader is where they were then."""
        window = self._window
        window.fold(window.folded.difference(window.heads(at)))
        self._focus, window.top = folded.focus, folded.top
        self._at_end = self._is_at_last_top
        self.settle()

    def fold_all(self) -> None:
        """Open every section, or fold them all where none is folded."""
        window = self._window
        folds = () if window.folded else range(len(window.sections))
        self._keeping_place(lambda: window.fold(folds))
        self.settle()

    def section_line(self, by: int) -> int | None:
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

    def point_at_line(self, line: int) -> None:
        """Take a line as the focus line; fold or open the section it is the header of."""
        self._focus = line
        at = self._window.sections.header_at(line)
        if at is not None and self.has_folds:
            self.toggle(at)
        else:
            self.settle()
