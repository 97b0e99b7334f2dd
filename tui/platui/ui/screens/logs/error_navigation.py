"""Move between the errors of a log with `e` and `E`."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from platui.models.values.log import error_at
from platui.present.counts import counted
from platui.ui.controller import Controller, command
from platui.ui.widgets.follow import FollowState
from platui.ui.workers import work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.models.values.log import LogDocument
    from platui.present.chrome import Pieces
    from platui.ui.screens.logs.growing_log import GrowingLog
    from platui.ui.screens.logs.log import LogBody
    from platui.ui.screens.logs.log_file import LogFileBody
    from platui.ui.screens.logs.many_logs import ManyLogsBody
    from platui.ui.screens.logs.text_body import TextBody


class ErrorNavigation:
    """Moves between errors, and shows the number of the current one."""

    def __init__(self, body: TextBody, log: GrowingLog, called: str) -> None:
        self._body = body
        self._log = log
        self._called = called  # Name of the log in messages
        self._round_at: object = None
        self._round_from = ""  # Note after a wrap
        self._waiting: list[Callable[[], None]] = []  # Called once all errors are found
        self._finds_errors = False

    def forget(self) -> None:
        self._round_at = None

    def report_slow_patterns(self, names: Sequence[str]) -> None:
        """Report once the user's patterns that were disabled as too slow."""
        from platui.service.logs.errors import slow_patterns  # noqa: PLC0415  (with own patterns only)

        if (problem := slow_patterns(names)) is not None:
            self._body.host.show_error(problem, once=True)

    def go(self, step: int) -> None:
        """Go to the next or previous shown error, from the visible focus line or the top."""
        self._with_all_errors(lambda: self._step(step))

    def _step(self, step: int) -> None:
        body, view = self._body, self._body.view
        document = self._log.document
        marks = () if document is None else document.errors
        if not marks:
            where = f"found in {self._called}" if self._log.has_ended else "so far"
            body.host.show_hint(f"No errors {where}.")
            return
        shown = [
            mark.message_line for mark in marks if body.searches.filter.shows(mark.message_line)
        ]
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

    def _with_all_errors(self, then: Callable[[], None]) -> None:
        document = self._log.document
        if document is None or document.has_all_errors:
            then()
            return
        self._waiting.append(then)
        self._find(document)

    def find_where_paused(self) -> None:
        document = self._log.document
        if document is None or document.has_all_errors:
            return
        if self._body.view.position.follow.state is FollowState.PAUSED:
            self._find(document)

    def _find(self, document: LogDocument) -> None:
        if self._finds_errors:
            return
        self._finds_errors = True
        body = self._body

        async def find() -> None:
            try:
                await asyncio.to_thread(document.find_errors)
            finally:
                self._finds_errors = False
                waiting, self._waiting = self._waiting, []
            if self._log.document is document:
                body.view.renew()
                body.draw_lines()
                for act in waiting:
                    act()

        body.run_worker(work(find), group="errors")

    def position(self) -> Pieces:
        document, focus = self._log.document, self._body.view.position.focus
        if document is None or focus is None:
            return ()
        marks = document.errors
        at = error_at(marks, focus)
        if at is None:
            return ()
        more = not document.has_all_errors
        if more or self._body.view.position.focus_in_sight is None:
            return ((f"  {counted(document.error_count, 'error', more=more)}", "failed"),)
        unlisted = document.error_count - len(marks)
        number = at + 1 + (unlisted if at >= len(marks) // 2 else 0)
        words = f"  error {number:,} of {document.error_count:,}"
        pieces = ((words, "failed"), (f" · {marks[at].rule}", "muted"))
        is_round = self._round_at is not None and self._round_at == self._body.view.view_state
        return (*pieces, (f" {self._round_from}", "warning")) if is_round else pieces


class NavigateErrors(Controller["LogBody | LogFileBody | ManyLogsBody"]):
    @command("e", "log.next_error", "Error")
    def go_to_next(self) -> None:
        """Go to the next error; after the last one, to the first."""
        self.body.text.errors.go(1)

    @command("E", "log.previous_error", "Previous error")
    def go_to_previous(self) -> None:
        """Go to the previous error; before the first one, to the last."""
        self.body.text.errors.go(-1)
