"""Where a log went wrong: it opens there, `e` and `E` go from error to error."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding

from platui.models.values.log import LogState
from platui.present.counts import counted
from platui.present.log_status import LogFacts
from platui.present.status import FAILED
from platui.ui.messages import Failed, Told
from platui.ui.screens.pointed import PointedText
from platui.ui.widgets.follow import FollowState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from platui.models.values.log import ErrorMark, LogDocument, LogUpdate
    from platui.present.chrome import Pieces

_NEVER_FAILED = frozenset({"", FAILED})
"""Statuses under which a log is opened where it went wrong; of a file nobody knows one."""


class ErrorJumps(PointedText):
    """A log with errors. One that has failed opens at the cause, unless the reader has moved."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "e", "error(1)", "Error", id="log.next_error",
            tooltip="Go to the next error; after the last one, to the first",
        ),
        Binding(
            "E", "error(-1)", "Error before", id="log.previous_error", show=False,
            tooltip="Go to the error before; from the first one, to the last",
        ),
    ]  # fmt: skip

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._may_open = True
        """Whether the reader has neither moved nor seen the job while it still ran."""
        self._round_at: object = None
        """How the view looked after a step round the end; None after any other."""
        self._judged: tuple[LogDocument, LogFacts] | None = None

    def forget(self) -> None:
        """Drop the text of the place of before."""
        super().forget()
        self._may_open = True
        self._round_at = None
        self._judged = None

    # opening

    def _show(self, update: LogUpdate) -> None:
        if self.is_whole and self._has_moved:
            self._may_open = False
        super()._show(update)
        if names := update.document.given_up:
            self._tell_slow(names)
        if update.job_status not in _NEVER_FAILED:
            self._may_open = False
        if self._may_open and update.state is LogState.ENDED and update.document.line_count:
            self._may_open = False
            if not self.is_pointed:
                self._open_at_cause(update)

    def _tell_slow(self, names: Sequence[str]) -> None:
        """Say, once, which patterns of the user's own are not tried any more."""
        from platui.service.log_errors import slow_patterns  # noqa: PLC0415  (with own patterns only)

        if (problem := slow_patterns(names)) is not None:
            self.post_message(Failed(problem, once=True))

    @property
    def _has_moved(self) -> bool:
        """Return whether the reader is elsewhere than where the log opened: at its end."""
        view = self.view
        return view.focus_line is not None or view.follow.state is FollowState.PAUSED

    def _open_at_cause(self, update: LogUpdate) -> None:
        """Go to the first error of what failed; where no line tells one, the end is shown."""
        from platui.service.log_errors import failure_in, has_verdict  # noqa: PLC0415  (for a failure)

        document = update.document
        if not update.job_status and not has_verdict(document):
            return
        failure = failure_in(document)

        def show() -> None:
            if self.document() is not document or self._has_moved:
                return
            if failure.error is not None:
                self.view.fold_all_but(failure.sections)
                self.view.reveal(failure.error.told)

        # When all of it was painted once: what is in sight is known then.
        self.call_after_refresh(show)

    # keys

    def action_error(self, step: int) -> None:
        """Go to the next error from the focus line or the window's place, or to the one before.

        A line that is out of sight is not where one is any more. Of errors that a filter
        hides there is nothing to be seen: they are passed.
        """
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
        self._round_at = None if 0 <= at < len(told) else self.view.outlook
        self.show_where()

    def _without_errors(self) -> str:
        update = self._update
        if update is not None and update.state is LogState.ENDED:
            return "No errors found in this log."
        return "No errors so far."

    # the lines above and below

    def facts(self) -> LogFacts:
        """Return what the log says of itself, for the line above it."""
        update = self._update
        if update is None or update.is_tail or not update.document.line_count:
            return LogFacts()
        document = update.document
        counted = LogFacts(document.line_count, document.error_count)
        if update.state is not LogState.ENDED or update.job_status != FAILED:
            return counted
        if self._judged is None or self._judged[0] is not document:
            self._judged = (document, self._judge(document))
        return self._judged[1]._replace(lines=counted.lines, errors=counted.errors)

    def _judge(self, document: LogDocument) -> LogFacts:
        """Return with what the script of a failed job ended, and where."""
        from platui.service.log_errors import exit_code, failure_in  # noqa: PLC0415  (for a failure)

        sections = failure_in(document).sections
        if not sections:
            return LogFacts(exit_code=exit_code(document))
        section = document.sections[sections[-1]]
        return LogFacts(
            exit_code=exit_code(document), section=section.name, seconds=section.seconds
        )

    def position(self) -> Pieces:
        """Return which lines are in sight, and at which error one is."""
        return (*super().position(), *self._error_here())

    def _error_here(self) -> Pieces:
        document, focus = self.document(), self.view.focus_line
        if document is None or focus is None:
            return ()
        marks = document.errors
        at = _mark_at(marks, focus)
        if at is None:
            return ()
        if self.view.focus_in_sight is None:
            return ((f"  {counted(document.error_count, 'error')}", "failed"),)
        unlisted = document.error_count - len(marks)
        number = at + 1 + (unlisted if at >= len(marks) // 2 else 0)
        words = f"  error {number:,} of {document.error_count:,}"
        pieces = ((words, "failed"), (f" · {marks[at].rule}", "muted"))
        is_round = self._round_at is not None and self._round_at == self.view.outlook
        return (*pieces, (" round again", "warning")) if is_round else pieces


def _mark_at(marks: Sequence[ErrorMark], line: int) -> int | None:
    """Return which error a line belongs to."""
    at = bisect_right([mark.first for mark in marks], line) - 1
    return at if at >= 0 and line < marks[at].end else None
