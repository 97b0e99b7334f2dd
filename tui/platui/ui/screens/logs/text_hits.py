"""Search a text with `/`, and move between hits with `n` and `N`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.models.values.search import SearchQuery, SearchState
from platui.present.chrome import KeyHint, Pieces
from platui.present.logs.status import (
    Step,
    counter,
    first_hit,
    hit_before,
    next_hit,
    search_pieces,
)
from platui.ui.controller import Controller, command
from platui.ui.controllers.pipeline_logs import PipelineLogs
from platui.ui.screens.logs.text_search import SearchRunner, TextSearch

if TYPE_CHECKING:
    from textual.timer import Timer

    from platui.ui.screens.logs.text_body import TextBody

    _Find = Callable[[SearchState, int], Step]

SEARCH: Final = "/"

_HINTS: Final = (
    KeyHint("enter", "keep the search"),
    KeyHint("tab", "plain or regex"),
    KeyHint("↑", "previous"),
    KeyHint("esc", "cancel"),
)
_WIDER_HINTS: Final = (*_HINTS[:2], KeyHint("ctrl+g", "all logs"), *_HINTS[2:])

_SKIPPED: Final = 300  # Most hidden runs of hits that a step skips before keys are handled
_ALL_HIDDEN: Final = "hidden by the filter"
_BREATH: Final = 0.001  # Seconds until it goes on


class TextHits(Controller["TextBody"]):
    def __init__(self, screen: Any) -> None:
        super().__init__(screen)
        self.runner = SearchRunner(self, SEARCH)
        self._current: int | None = None  # Line of the current hit
        self._current_before: int | None = None  # The same, before typing
        self._note = ""
        # Steps to hits that may not be found yet; no line: from where the previous step ends
        self._pending_steps: deque[tuple[_Find, int | None]] = deque()
        self._skipped_to: Step | None = None  # Where the first of them has got to
        self._rest: Timer | None = None

    @command("slash", "text.search", "Search")
    async def search(self) -> None:
        """Search as you type; tab: regex."""
        self._current_before = self._current
        widens = self.body.SEARCH_WIDENS and self.body.context.pipeline() is not None
        await self.runner.ask("", _WIDER_HINTS if widens else _HINTS, widens=widens)

    @command("n", "text.next", "Next hit")
    def go_to_next(self) -> None:
        """Go to the next hit; wraps around."""
        self._go_by(1)

    @command("N", "text.previous", "Previous hit")
    def go_to_previous(self) -> None:
        """Go to the previous hit."""
        self._go_by(-1)

    def typed(self, sign: str, text: str) -> None:
        if sign != SEARCH:
            return
        if not text:
            self.begin(None)
            self.runner.go_back()
        elif not self.screen.app.key_queue.has_pending_letter:
            # Not for each letter of pasted or fast input.
            self._search_for(text)
        self.runner.show_on_prompt()

    def answered(self, sign: str, text: str) -> None:
        """Keep the search; without text, continue the previous one."""
        if sign != SEARCH:
            return
        if text:
            self._search_for(text)
            self.body.show_where()
        else:
            self.runner.restore()
            self._go_by(1)

    def cancelled(self, sign: str) -> None:
        if sign == SEARCH and self.runner.is_changed:
            self.runner.restore()
            is_on = self.runner.now is not None
            self._current = self._current_before if is_on else None
            self.runner.go_back()

    def switched(self, sign: str, text: str) -> None:
        """Switch between plain text and regex, for the filter too."""
        self.body.is_regex = not self.body.is_regex
        self.body.line_filter.typed(sign, text)
        self.typed(sign, text)

    def widened(self, sign: str, text: str) -> None:
        """Search all logs of the pipeline for the typed text instead."""
        self.cancelled(sign)
        self.screen.controller(PipelineLogs).search_for(text, is_regex=self.body.is_regex)

    def _search_for(self, text: str) -> None:
        """Search from the position before typing, unless the search is unchanged."""
        search = TextSearch(SearchQuery(text, self.body.is_regex), start=self._start)
        if not search.has_same_query(self.runner.now):
            self.begin_from(search)
        self.runner.show_on_prompt()

    @property
    def _start(self) -> int:
        """Return the top line before typing, or that of a document that came since."""
        view, bookmark = self.body.view, self.runner.bookmark
        is_same = bookmark is not None and bookmark.document is view.content.document
        return bookmark.top if bookmark is not None and is_same else view.position.top_line

    def begin_from(self, search: TextSearch) -> None:
        """Search, and go to the first hit from the start line of the search."""
        self.begin(search)
        self._add_step(first_hit, search.start)

    def _go_by(self, by: int) -> None:
        find = hit_before if by < 0 else next_hit
        line = None
        if not self._pending_steps:
            position = self.body.view.position
            focus = position.focus_in_sight
            line = position.top_line if focus is None else focus + (by > 0)
        self._add_step(find, line)

    def begin(self, search: TextSearch | None) -> None:
        self._current, self._note = None, ""
        self._pending_steps.clear()
        self._skipped_to = None
        if self.body.is_whole and search is None:
            self.body.view.mark_hits(())
        self.runner.begin(search)
        if self.body.is_whole:
            self.screen.footer_line.show_soon()

    def reset_counts(self, search: TextSearch) -> None:
        """Search another text; go to its first hit if there was none so far."""
        had_no_hit, position = self._current is None, self.body.view.position
        self.begin(search.restarted())
        if had_no_hit:
            self._add_step(first_hit, position.top_line)
        else:
            self._current = position.focus  # the same line, if only its number is another

    def found(self, search: TextSearch) -> None:
        self.body.view.mark_hits(() if search.state is None else search.state.lines)
        if search.state is not None:
            self._go(search.state)

    def count(self, search: TextSearch) -> Pieces:
        return counter(search.state, self._current)

    def status_pieces(self) -> Pieces:
        search = self.runner.now
        if search is None:
            return ()
        pieces = search_pieces(search.query, search.state, self._current, self._note, search.error)
        return (*pieces, *self._hidden_pieces(search.state), (" ", "text"))

    def _hidden_pieces(self, state: SearchState | None) -> Pieces:
        """Return how many hits the filter hides; of many only that there are some."""
        if state is None or self._note == _ALL_HIDDEN or not self.body.line_filter.is_whole:
            return ()
        hidden = sum(not self.body.line_filter.shows(line) for line in state.lines[:_SKIPPED])
        if not hidden:
            return ()
        known = state.is_whole and len(state.lines) <= _SKIPPED
        return ((f", {f'{hidden:,}' if known else 'some'} hidden by the filter", "warning"),)

    def _add_step(self, find: _Find, line: int | None) -> None:
        self._pending_steps.append((find, line))
        self._note = ""
        search = self.runner.now
        if search is not None and search.state is not None:
            self._go(search.state)
        self.body.show_where()

    def _go(self, state: SearchState) -> None:
        while self._pending_steps:
            find, line = self._pending_steps[0]
            if line is None:
                line = (self._current or 0) + (find is next_hit)
            back = find is hit_before
            step, self._skipped_to = self._skipped_to or find(state, line), None
            step = self._past_hidden(state, step, back=back)
            if not step.is_certain:
                return
            self._pending_steps.popleft()
            if step.line is not None:
                self._current = step.line
                self._note = ("from the end" if back else "from the top") if step.wrapped else ""
                self.body.view.position.reveal(step.line)
                continue
            self._pending_steps.clear()  # no hit to continue from
            prompt = self.screen.prompt
            if prompt.is_open and prompt.sign == SEARCH:
                self._current = None
                self.runner.go_back()

    def _past_hidden(self, state: SearchState, step: Step, *, back: bool) -> Step:
        """Return the step to the next line that the filter shows."""
        for _ in range(_SKIPPED):
            if step.line is None or self.body.line_filter.shows(step.line):
                return step
            # Skip all hits up to the next visible line at once.
            line = self.body.view.content.next_shown_line(step.line, back=back)
            goes_round = line is None
            if line is None:
                if not state.is_whole:
                    return Step(None, is_certain=False)
                line = state.lines[-1] if back else state.lines[0]
            further = hit_before(state, line + 1) if back else next_hit(state, line)
            goes_round |= further.wrapped
            if goes_round and step.wrapped:
                break
            step = further._replace(wrapped=step.wrapped or goes_round)
        else:
            self._skipped_to = step
            if self._rest is not None:
                self._rest.stop()
            self._rest = self.screen.set_timer(_BREATH, self._go_on)
            return Step(None, is_certain=False)
        self._note = _ALL_HIDDEN
        return Step(None)

    def _go_on(self) -> None:
        search = self.runner.now
        if search is not None and search.state is not None and self.body.is_whole:
            self._go(search.state)
            self.body.show_where()

    def disabled_reason(self, command: str) -> str:
        if command == "text.search" or self.runner.now is not None:
            return ""
        return f"No search is on: press {self.screen.key_of('text.search')} to search."

    def undo(self) -> bool:
        if self.runner.now is None:
            return False
        self.begin(None)
        if self.body.line_filter.runner.now is None:  # Else its end leads back to this line
            self.body.view.position.focus_on(None)
        self.body.view.seeker.leave_hit()
        return True

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        """Show the key of the next hit during a search."""
        names = list(names)
        if self.runner.now is not None and "view.back" in names:
            names.insert(names.index("view.back") + 1, "text.next")
        return names

    def label(self, command: str) -> str:
        """Show that `esc` clears the search before it goes back."""
        if command == "view.back" and self.runner.now is not None:
            return "clear"
        return "next" if command == "text.next" else ""
