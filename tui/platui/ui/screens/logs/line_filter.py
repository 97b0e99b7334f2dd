"""Show only the matching lines of a text with `&`, and context lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from platui.models.values.search import SearchQuery
from platui.present.chrome import KeyHint, Pieces
from platui.present.logs.status import (
    MOST_CONTEXT,
    filter_counter,
    filter_pieces,
    is_selected,
    searched_to,
)
from platui.ui.controller import Controller, command
from platui.ui.screens.logs.text_search import SearchRunner, TextSearch
from platui.ui.widgets.log_content import FilterResult

if TYPE_CHECKING:
    from platui.ui.screens.logs.text_body import TextBody
    from platui.ui.widgets.log_position import Bookmark

FILTER: Final = "&"

SOON: Final = 0.25  # Seconds before the lines of the previous filter disappear

_NOT: Final = "!"
_HINTS: Final = (
    KeyHint("enter", "keep the filter"),
    KeyHint("!word", "exclude"),
    KeyHint("tab", "plain or regex"),
    KeyHint("↑", "previous"),
    KeyHint("esc", "cancel"),
)


class LineFilter(Controller["TextBody"]):
    """Shows only the lines found by a search, also while the text grows."""

    def __init__(self, screen: Any) -> None:
        super().__init__(screen)
        self.runner = SearchRunner(self, FILTER)
        self._around = 0  # Context lines around each match
        self._shown: TextSearch | None = None
        self._before: Bookmark | None = None  # Position before any filter
        self._moves: int | None = None  # Of the position, when the filter was last shown
        self._is_early = False  # Whether the window was not searched yet
        # The window to keep until first lines are found.
        self._unmoved: tuple[int, int] | None = None

    @command("ampersand", "text.filter", "Filter")
    async def filter(self) -> None:
        """Show matching lines only; !word excludes."""
        current = self.runner.now
        if current is not None:
            self.body.is_regex = current.query.is_regex
        text = "" if current is None else _NOT * current.inverse + current.query.text
        await self.runner.ask(text, _HINTS)

    @command("greater_than_sign", "text.more_context", "More context")
    def show_more_context(self) -> None:
        """Show one more line around each match, up to 5."""
        self._widen(1)

    @command("less_than_sign", "text.less_context", "Less context")
    def show_less_context(self) -> None:
        """Show one line less around each match."""
        self._widen(-1)

    def typed(self, sign: str, text: str) -> None:
        if sign != FILTER:
            return
        wanted = text.removeprefix(_NOT)
        query = SearchQuery(wanted, self.body.is_regex)
        search = TextSearch(query, inverse=wanted != text)
        if not search.has_same_query(self.runner.now):
            self._unmoved = self.body.view.position.lines
            self.begin(search if wanted else None)
        self.runner.show_on_prompt()

    def answered(self, sign: str, text: str) -> None:
        if sign == FILTER:
            self.typed(sign, text)
            self.show_empty_message()

    def cancelled(self, sign: str) -> None:
        if sign == FILTER and self.runner.is_changed:
            self._unmoved = self.body.view.position.lines
            self.runner.restore()

    def _widen(self, by: int) -> None:
        self._around = min(max(0, self._around + by), MOST_CONTEXT)
        if (search := self.runner.now) is not None:
            self.found(search)
        self.body.show_where()

    def begin(self, search: TextSearch | None) -> None:
        self.runner.begin(search)
        self.screen.footer_line.show_soon()
        if search is None:
            self._show_all()
        else:  # the lines with hits may be hidden, the others be shorter
            self.body.view.seeker.leave_hit()

    def reset_counts(self, search: TextSearch) -> None:
        """Filter another text, without the lines found in the old one."""
        self._show_all()
        self.begin(search.restarted())

    def count(self, search: TextSearch) -> Pieces:
        return filter_counter(search.state, inverse=search.inverse)

    @property
    def is_whole(self) -> bool:
        """Return whether a filter is on that has searched all lines."""
        search = self._shown
        return search is not None and search.state is not None and search.state.is_whole

    def shows(self, line: int) -> bool:
        search = self._shown
        if search is None or search.state is None:
            return True
        return is_selected(
            search.state.lines, line, context=self._lines_around(search), inverse=search.inverse
        )

    def status_pieces(self) -> Pieces:
        search = self.runner.now
        if search is None:
            return ()
        total = 0 if search.document is None else search.document.line_count
        pieces = filter_pieces(
            search.query, search.state, total, search.error,
            inverse=search.inverse, context=self._lines_around(search),
        )  # fmt: skip
        return (*pieces, ("  ", "text"))

    def _lines_around(self, search: TextSearch) -> int:
        return 0 if search.inverse else self._around

    def found(self, search: TextSearch) -> None:
        """Show the lines found, once the search has passed the current window."""
        view = self.body.view
        if (state := search.state) is None:
            self._show_all()
            return
        if self._shown is not search:
            is_here = state.is_whole or searched_to(state) > view.position.lines[1]
            if not is_here and monotonic() - search.begun < SOON:
                return
            self._is_early = not is_here
            if self._shown is None:
                self._before, self._moves = view.position.bookmark, None
            self._shown = search
        has_moved = self._has_moved
        with self._keep_position(again=self._is_early):
            until = searched_to(state)  # what is not searched yet may have to be hidden
            around = self._lines_around(search)
            view.filter_lines(FilterResult(state.lines, around, search.inverse, until))
        if not has_moved:
            self._moves = view.position.moves
        self._is_early = self._is_early and not state.is_whole
        self.show_empty_message()

    @property
    def _has_moved(self) -> bool:
        """Return whether somebody moved among the filtered lines."""
        return self._moves is not None and self._moves != self.body.view.position.moves

    def show_empty_message(self) -> None:
        search, view = self._shown, self.body.view
        words: tuple[str, ...] = ()
        if search is not None and search.state is not None and search.state.is_whole:
            words = ("Every line matches." if search.inverse else "No line matches.",)
        elif search is not None and search.state is not None:
            part = searched_to(search.state) / max(1, view.content.lines)
            words = (f"Searching … {min(1.0, part):.0%}",)
        if words and not self.screen.prompt.is_open:
            words += ("", "esc  clear the filter")
        view.empty_message = words

    def _show_all(self) -> None:
        self._shown = None
        if self.body.is_whole:
            view = self.body.view
            goes_back = view.content.is_empty or not self._has_moved
            with self._keep_position():
                view.filter_lines(None)
            if goes_back and self._before is not None:
                view.position.restore_position(self._before)
            self._before = None
            self.show_empty_message()

    @contextmanager
    def _keep_position(self, *, again: bool = False) -> Iterator[None]:
        """Keep the position from before typing; with `again`, until its lines are searched."""
        view = self.body.view
        unmoved, self._unmoved = self._unmoved == view.position.lines, None
        yield
        if unmoved:
            self.runner.go_back()
            if self._shown is not None:
                view.seeker.leave_hit()
            if again:
                self._unmoved = view.position.lines

    def disabled_reason(self, command: str) -> str:
        search = self.runner.now
        if command == "text.filter" or (search is not None and not search.inverse):
            return ""
        if search is None:
            return f"No filter is on: press {self.screen.key_of('text.filter')} to filter lines."
        return "A filter that excludes lines has no context lines."

    def undo(self) -> bool:
        if self.runner.now is None:
            return False
        self.begin(None)
        return True

    def label(self, command: str) -> str:
        """Show that `esc` clears the filter before it goes back."""
        is_on = command == "view.back" and self.runner.now is not None
        return "clear filter" if is_on else ""
