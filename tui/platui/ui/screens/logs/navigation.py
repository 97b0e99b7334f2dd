"""Positions in a log: the first one, and its errors, between which `e` and `E` move."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, Final

from platui.models.values.log import LogDocument, LogState, LogUpdate, error_at
from platui.models.values.search import SearchQuery
from platui.present.counts import counted
from platui.present.status import FAILED
from platui.service.cancellation import computed
from platui.ui.controller import Controller, command
from platui.ui.screens.logs.text_search import TextSearch
from platui.ui.widgets.log_position import FollowState
from platui.ui.workers import work

if TYPE_CHECKING:
    from platui.models.values.routes import Route
    from platui.present.chrome import Pieces
    from platui.ui.screens.logs.command import CommandBody
    from platui.ui.screens.logs.log import LogBody
    from platui.ui.screens.logs.log_file import LogFileBody
    from platui.ui.screens.logs.many_logs import ManyLogsBody

_TARGET: Final = ("project", "job", "line", "search", "is_regex")  # Fields that select a line


class NavigateErrors(Controller["LogBody | LogFileBody | ManyLogsBody | CommandBody"]):
    """Moves between errors, and shows the number of the current one."""

    def __init__(self, screen: Any) -> None:
        super().__init__(screen)
        self._round_at: object = None
        self._round_from = ""  # Note after a wrap
        self._pending_steps: list[int] = []  # Taken once all errors are found
        self._finds_errors = False

    @command("e", "log.next_error", "Error")
    def go_to_next(self) -> None:
        """Go to the next error; after the last one, to the first."""
        self._go(1)

    @command("E", "log.previous_error", "Previous error")
    def go_to_previous(self) -> None:
        """Go to the previous error; before the first one, to the last."""
        self._go(-1)

    def forget(self) -> None:
        self._round_at = None
        self._pending_steps.clear()

    def _go(self, step: int) -> None:
        document = self.body.text.document
        if document is None or document.has_all_errors:
            self._step(step)
        else:
            self._pending_steps.append(step)
            self._find(document)

    def _step(self, step: int) -> None:
        body, view = self.body, self.body.view
        document = body.text.document
        marks = () if document is None else document.errors
        if not marks:
            where = f"found in {body.CALLED}" if body.text.has_ended else "so far"
            body.host.show_hint(f"No errors {where}.")
            return
        shown = [mark.message_line for mark in marks if body.line_filter.shows(mark.message_line)]
        if not shown:
            body.host.show_hint("The filter hides every error.")
            return
        focus = view.position.focus_in_sight
        if focus is not None:
            at = bisect_right(shown, focus) if step > 0 else bisect_left(shown, focus) - 1
        else:
            at = bisect_left(shown, view.position.top_line) - (step < 0)
        view.position.reveal(shown[at % len(shown)])
        self._round_from = "from the top" if step > 0 else "from the end"
        self._round_at = None if 0 <= at < len(shown) else view.view_state
        body.show_where()

    def find_where_paused(self) -> None:
        document = self.body.text.document
        is_paused = self.body.view.position.follow.state is FollowState.PAUSED
        if is_paused and document is not None and not document.has_all_errors:
            self._find(document)

    def _find(self, document: LogDocument) -> None:
        if self._finds_errors:
            return
        self._finds_errors = True
        body = self.body

        async def find() -> None:
            try:
                await computed(document.find_errors)
            finally:
                self._finds_errors = False
                steps, self._pending_steps = self._pending_steps, []
            if body.text.document is document:
                body.view.renew()
                body.draw_lines()
                for step in steps:
                    self._step(step)
            else:
                for step in steps:
                    self._go(step)  # the errors of the other log may have to be found first

        body.run_worker(work(find), group="errors")

    def position(self) -> Pieces:
        document, focus = self.body.text.document, self.body.view.position.focus
        if document is None or focus is None:
            return ()
        marks = document.errors
        at = error_at(marks, focus)
        if at is None:
            return ()
        more = not document.has_all_errors
        if more or self.body.view.position.focus_in_sight is None:
            return ((f"  {counted(document.error_count, 'error', more=more)}", "failed"),)
        unlisted = document.error_count - len(marks)
        number = at + 1 + (unlisted if at >= len(marks) // 2 else 0)
        words = f"  error {number:,} of {document.error_count:,}"
        pieces = ((words, "failed"), (f" · {marks[at].rule}", "muted"))
        is_round = self._round_at is not None and self._round_at == self.body.view.view_state
        return (*pieces, (f" {self._round_from}", "warning")) if is_round else pieces


class InitialPosition:
    """Moves once to the line, search or cause of the route, unless the reader has moved."""

    def __init__(self, body: LogBody | LogFileBody | ManyLogsBody | CommandBody) -> None:
        self._body = body
        self._must_go = self._has_target
        self._moves: int | None = None  # Of the position, since lines are waited for
        self._may_open = body.OPENS_AT_CAUSE  # Whether to go to the cause

    @property
    def _has_target(self) -> bool:
        return self._body.route.line is not None or bool(self._body.route.search)

    def visit(self) -> None:
        self._must_go, self._moves = self._has_target, None
        self._go()

    def forget(self) -> None:
        self._may_open = self._body.OPENS_AT_CAUSE

    def prepare(self) -> None:
        """Note whether the reader has moved, before an update is shown."""
        if self._body.is_whole and self._has_moved:
            self._may_open = False

    def take(self, update: LogUpdate) -> None:
        self._go()
        if update.job_status not in {"", FAILED}:  # a file has no status
            self._may_open = False
        if self._may_open and update.state is LogState.ENDED and update.document.line_count:
            self._may_open = False
            if not self._has_target:
                self._open_at_cause(update)

    def _go(self) -> None:
        body = self._body
        document, line = body.text.document, body.route.line or 0
        if not (self._must_go and body.is_whole) or document is None:
            return
        moves = body.view.position.moves
        if self._moves not in {None, moves} and self._has_moved:
            self._must_go = False
            return
        self._moves = moves
        if body.text.is_tail:
            # The line numbers of a tail differ.
            return
        if line >= document.line_count:
            if body.text.has_ended and document.line_count:
                self._must_go = False
                body.host.show_hint(f"This log has no line {line + 1}.")
            return
        self._must_go = False
        # After the first painting: the window is known then.
        body.call_after_refresh(self._go_there, body.route)

    def _go_there(self, route: Route) -> None:
        body = self._body
        is_same = all(getattr(route, one) == getattr(body.route, one) for one in _TARGET)
        if not (is_same and body.is_whole):
            return
        line = route.line or 0
        if route.line is not None:
            body.view.position.reveal(line)
        if route.search:
            query = SearchQuery(route.search, is_regex=route.is_regex)
            body.hits.begin_from(TextSearch(query, start=line))

    @property
    def _has_moved(self) -> bool:
        position = self._body.view.position
        return position.focus is not None or position.follow.state is FollowState.PAUSED

    def _open_at_cause(self, update: LogUpdate) -> None:
        """Go to the first error of a failed job; without one, stay at the end."""
        from platui.service.logs.errors import failure_in, has_verdict  # noqa: PLC0415  (for a failure)

        document, body = update.document, self._body
        if not update.job_status and not has_verdict(document):
            return
        failure = failure_in(document)

        def show() -> None:
            if body.text.document is not document or self._has_moved:
                return
            if failure.error is not None:
                body.view.folds.fold_all_but(failure.sections)
                body.view.position.reveal(failure.error.message_line)

        # After the first painting: the window is known then.
        body.call_after_refresh(show)
