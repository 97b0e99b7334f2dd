"""Fold and unfold the sections of a log, and move between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.ui.widgets.log_view import LogView
    from platui.ui.widgets.log_window import Top


class _Folded(NamedTuple):
    """The focus and the top before and after a section was folded, to undo it exactly."""

    header: int
    before: tuple[int | None, Top]
    after: tuple[int | None, Top]


class LogFolds:
    """Folds and opens sections; the line being read stays on its row."""

    def __init__(self, view: LogView) -> None:
        self._view = view
        self._window = view.window
        self._content = view.content
        self._position = view.position
        self._folded: _Folded | None = None  # The last fold, to be undone until the next move

    @property
    def can_fold(self) -> bool:
        return bool(len(self._content.sections)) and self._content.filter_result is None

    def toggle(self, at: int) -> None:
        """Fold or open a section; its header stays on its row, or moves to the top."""
        window, content, position = self._window, self._content, self._position
        folded, self._folded = self._folded, None
        header, heads = content.sections[at].start, content.heads(at)
        here = position.focus, window.top
        if folded is not None and (header, here) == (folded.header, folded.after):
            content.fold(content.folded.difference(heads))
            position.focus, window.top = folded.before
            position.update_at_end()
            self._view.settle()
            return
        follows = position.follow.is_following
        row = window.row_of(header)
        opens = content.is_folded(at)
        content.fold(content.folded.difference(heads) if opens else {*content.folded, at})
        position.drop_hidden_focus(header)
        position.put(header, row or 0)
        if opens and not window.is_at_last_top:
            # Following the end would scroll the opened section away.
            position.pause()
        self._view.settle()
        if not opens and not follows:
            self._folded = _Folded(header, here, (position.focus, window.top))

    def fold(self, sections: Iterable[int]) -> None:
        self._position.keep_position(lambda: self._content.fold(sections))
        self._view.settle()

    def fold_all_but(self, sections: Iterable[int]) -> None:
        """Fold all sections except these and their parents."""
        known = self._content.sections
        expanded = {one for at in sections if 0 <= at < len(known) for one in known.around(at)}
        self.fold(set(range(len(known))) - expanded)

    def header(self, by: int) -> int | None:
        """Return the line of the next shown header, or of the previous one."""
        content = self._content
        sections, shown = content.sections, content.shown
        focus = self._position.focus
        has_focus = focus is not None and self._window.row_of(focus) is not None
        line, _ = self._position.read_at()
        if by < 0:
            found = sections.header_before(line)
            # For headers inside a fold, the header of the fold.
            return None if found is None else shown.line(content.place_near(found))
        found = sections.header_from(line + has_focus)
        while found is not None and not shown.shows(found):
            place = shown.place(found)
            found = sections.header_from(shown.line(place)) if place < shown.count else None
        return found
