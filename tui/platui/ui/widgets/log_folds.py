"""The sections of a log, folded or open, and the ways from one to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from platui.ui.widgets.log_position import LogPosition
    from platui.ui.widgets.log_window import LogWindow, Top
    from platui.ui.widgets.scrolling import ScrolledView


class _Folded(NamedTuple):
    """Where the reader was when a section was folded, and right after."""

    header: int
    focus: int | None
    top: Top
    focus_after: int | None
    top_after: Top

    def is_undone_by(self, header: int, focus: int | None, top: Top) -> bool:
        return (header, focus, top) == (self.header, self.focus_after, self.top_after)


class LogFolds:
    """Folds and opens sections; what is read stays on its row."""

    def __init__(self, view: ScrolledView, window: LogWindow, position: LogPosition) -> None:
        self._view = view
        self._window = window
        self._content = window.content
        self._position = position
        self._folded: _Folded | None = None
        """The fold to be undone, as long as nobody has moved since."""

    @property
    def can_fold(self) -> bool:
        """Return whether there are sections that can be folded now: not under a filter."""
        return bool(len(self._content.sections)) and self._content.choice is None

    def toggle(self, at: int) -> None:
        """Fold or open a section; its header stays where it is, or comes to the top."""
        window, content, position = self._window, self._content, self._position
        folded, self._folded = self._folded, None
        header = content.sections[at].start
        if folded is not None and folded.is_undone_by(header, position.focus, window.top):
            self._open_again(at, folded)
            return
        focus, top, follows = position.focus, window.top, position.follow.is_following
        row = window.row_of(header)
        heads = content.heads(at)
        opens = content.is_folded(at)
        content.fold(content.folded.difference(heads) if opens else {*content.folded, at})
        position.drop_hidden_focus(header)
        position.put(header, row or 0)
        if opens and not window.is_at_last_top:
            # Who opens a section wants to read it: the end would take it out of sight.
            position.let_go()
        self._view.settle()
        if not opens and not follows:
            self._folded = _Folded(header, focus, top, position.focus, window.top)

    def _open_again(self, at: int, folded: _Folded) -> None:
        content, position = self._content, self._position
        content.fold(content.folded.difference(content.heads(at)))
        position.focus, self._window.top = folded.focus, folded.top
        position.stay()
        self._view.settle()

    def toggle_all(self) -> None:
        self.fold(() if self._content.folded else range(len(self._content.sections)))

    def fold(self, sections: Iterable[int]) -> None:
        """Fold exactly these sections, by their places in the document's list."""
        self._position.keep(lambda: self._content.fold(sections))
        self._view.settle()

    def fold_all_but(self, sections: Iterable[int]) -> None:
        """Fold every section but these, and those that they lie in."""
        known = self._content.sections
        stay = {one for at in sections if 0 <= at < len(known) for one in known.around(at)}
        self.fold(set(range(len(known))) - stay)

    def header(self, by: int) -> int | None:
        """Return the next header among the lines shown, or the one before."""
        content = self._content
        sections, shown = content.sections, content.shown
        focus = self._position.focus
        has_focus = focus is not None and self._window.row_of(focus) is not None
        line, _ = self._position.read_at()
        if by < 0:
            found = sections.header_before(line)
            # Of headers in a fold, the one that stands for all of them.
            return None if found is None else shown.line(content.place_near(found))
        found = sections.header_from(line + has_focus)
        while found is not None and not shown.shows(found):
            place = shown.place(found)
            found = sections.header_from(shown.line(place)) if place < shown.count else None
        return found
