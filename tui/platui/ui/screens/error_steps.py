"""Going from error to error in a text that knows of some: `e` and `E`."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, ClassVar

from platui.models.values.log import LogState, error_at
from platui.present.counts import counted
from platui.ui.keys_in_use import bind
from platui.ui.messages import Failed, Told
from platui.ui.screens.growing import GrowingText
from platui.ui.widgets import log_canvas, log_edge
from platui.ui.widgets.follow import FollowState
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.models.values.log import LogDocument, LogUpdate
    from platui.present.chrome import Pieces


class ErrorSteps(GrowingText):
    """A text with errors: keys lead to them, and the line below says at which one is."""

    SIGNS = (
        *log_canvas.ERROR_SIGNS, *log_edge.ERROR_SIGNS, *log_canvas.SECTION_SIGNS,
        *GrowingText.SIGNS,
    )  # fmt: skip
    THIS: ClassVar[str] = "this log"  # What a sentence calls the text

    BINDINGS = [
        bind(
            "e",
            "log.next_error",
            "Error",
            "Go to the next error; after the last one, to the first",
            action="error(1)",
        ),
        bind(
            "E",
            "log.previous_error",
            "Error before",
            "Go to the error before; from the first one, to the last",
            action="error(-1)",
        ),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._round_at: object = None
        self._round_from = ""  # "from the top" or "from the end", after a wrap
        self._waiting: list[Callable[[], None]] = []  # What is done as soon as all errors are found
        self._finds_errors = False

    def forget(self) -> None:
        """Drop the text of the place of before."""
        super().forget()
        self._round_at = None

    def _show(self, update: LogUpdate) -> None:
        super()._show(update)
        if names := update.document.given_up:
            self._tell_slow(names)

    def _tell_slow(self, names: Sequence[str]) -> None:
        """Say, once, which patterns of the user's own are not tried any more."""
        from platui.service.logs.errors import slow_patterns  # noqa: PLC0415  (with own patterns only)

        if (problem := slow_patterns(names)) is not None:
            self.post_message(Failed(problem, once=True))

    def action_error(self, step: int) -> None:
        """Go to the next error from the focus line or the window's place, or to the one before.

        A line that is out of sight is not where one is any more. Of errors that a filter
        hides there is nothing to be seen: they are passed.
        """
        self._with_all_errors(lambda: self._step(step))

    def _step(self, step: int) -> None:
        document = self.document()
        marks = () if document is None else document.errors
        if not marks:
            self.post_message(Told(self._without_errors()))
            return
        told = [mark.told for mark in marks if self.shows(mark.told)]
        if not told:
            self.post_message(Told("The filter hides every error."))
            return
        focus = self.view.focus_in_sight
        if focus is not None:
            at = bisect_right(told, focus) if step > 0 else bisect_left(told, focus) - 1
        else:
            top = self.view.top_line
            at = bisect_left(told, top) - (step < 0)
        self.view.reveal(told[at % len(told)])
        self._round_from = "from the top" if step > 0 else "from the end"
        self._round_at = None if 0 <= at < len(told) else self.view.outlook
        self.show_where()

    def _with_all_errors(self, then: Callable[[], None]) -> None:
        """Do something that needs all errors: at once, or when those are found that may wait."""
        document = self.document()
        if document is None or document.has_all_errors:
            then()
            return
        self._waiting.append(then)
        self._find_errors(document)

    def _find_errors(self, document: LogDocument) -> None:
        if self._finds_errors:
            return
        self._finds_errors = True

        async def find() -> None:
            try:
                await asyncio.to_thread(document.find_errors)
            finally:
                self._finds_errors = False
                waiting, self._waiting = self._waiting, []
            if self.document() is document:
                self.view.renew()
                self.draw_lines()
                for act in waiting:
                    act()

        self.run_worker(work(find), group="errors")

    def moved(self) -> None:
        """Know all errors where a reader has left the end: the edge shows where they are."""
        has_moved = not self._reads_elsewhere
        super().moved()
        document = self.document()
        if document is None or document.has_all_errors or not has_moved:
            return
        if self.view.follow.state is FollowState.PAUSED:
            self._find_errors(document)

    def _without_errors(self) -> str:
        update = self._update
        if update is not None and update.state is LogState.ENDED:
            return f"No errors found in {self.THIS}."
        return "No errors so far."

    def position(self) -> Pieces:
        """Return which lines are in sight, and at which error one is."""
        return (*super().position(), *self._error_here())

    def _error_here(self) -> Pieces:
        document, focus = self.document(), self.view.focus_line
        if document is None or focus is None:
            return ()
        marks = document.errors
        at = error_at(marks, focus)
        if at is None:
            return ()
        more = not document.has_all_errors
        if more or self.view.focus_in_sight is None:
            return ((f"  {counted(document.error_count, 'error', more=more)}", "failed"),)
        unlisted = document.error_count - len(marks)
        number = at + 1 + (unlisted if at >= len(marks) // 2 else 0)
        words = f"  error {number:,} of {document.error_count:,}"
        pieces = ((words, "failed"), (f" · {marks[at].rule}", "muted"))
        is_round = self._round_at is not None and self._round_at == self.view.outlook
        return (*pieces, (f" {self._round_from}", "warning")) if is_round else pieces
