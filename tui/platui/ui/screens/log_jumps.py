"""Where a log went wrong: one that has failed opens there, and the line above says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.models.values.log import LogState
from platui.models.values.search import SearchQuery
from platui.present.logs.searching import first_hit
from platui.present.logs.status import LogFacts
from platui.present.status import FAILED
from platui.ui.messages import Told
from platui.ui.screens.error_steps import ErrorSteps
from platui.ui.screens.hunting import SEARCH, Hunt
from platui.ui.screens.searching import Wanted
from platui.ui.widgets.follow import FollowState

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument, LogUpdate
    from platui.models.values.places import Place

_NEVER_FAILED = frozenset({"", FAILED})
"""Statuses under which a log is opened where it went wrong; of a file nobody knows one."""


class ErrorJumps(ErrorSteps):
    """A log with errors: it opens where the place says, once that can be shown.

    One that has failed opens at the cause, unless the reader has moved.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._points = self.is_pointed  # Whether the place is still to be shown
        self._may_open = True  # Whether the cause may still be shown by itself
        self._judged: tuple[LogDocument, LogFacts] | None = None

    @property
    def is_pointed(self) -> bool:
        """Return whether the place itself says where the text opens."""
        return self.place.line is not None or bool(self.place.search)

    def visit(self, place: Place) -> None:
        """Show another text, or another line of the same."""
        another = place != self.place
        super().visit(place)
        if another:
            self._points = self.is_pointed
            self._point()

    def _point(self) -> None:
        """Go to the line, if it has come, and search from there."""
        document, line = self.document(), self.place.line or 0
        if not (self._points and self.is_whole) or document is None or self.is_tail:
            # The lines of a tail have other numbers.
            return
        if line >= document.line_count:
            self._point_past(document)
            return
        self._points = False
        # When all of it was painted once: what is in sight is known then.
        self.call_after_refresh(self._go_there, self.place)

    def _point_past(self, document: LogDocument) -> None:
        """Stay at the end of a log that never got as far as the line, and say so."""
        ended = self._update is not None and self._update.state is LogState.ENDED
        if ended and document.line_count:
            self._points = False
            self.post_message(Told(f"There is no line {(self.place.line or 0) + 1} here."))

    def _go_there(self, place: Place) -> None:
        if _target(place) != _target(self.place) or not self.is_whole:
            return
        line = place.line or 0
        if place.line is not None:
            self.view.reveal(line)
        if place.search:
            query = SearchQuery(place.search, is_regex=place.is_regex)
            self.begin(SEARCH, Hunt(query, start=line))
            self._want(Wanted(first_hit, line))

    def forget(self) -> None:
        """Drop the text of the place of before."""
        super().forget()
        self._may_open = True
        self._judged = None

    def _show(self, update: LogUpdate) -> None:
        if self.is_whole and self._has_moved:
            self._may_open = False
        super()._show(update)
        self._point()
        if update.job_status not in _NEVER_FAILED:
            self._may_open = False
        if self._may_open and update.state is LogState.ENDED and update.document.line_count:
            self._may_open = False
            if not self.is_pointed:
                self._open_at_cause(update)

    @property
    def _has_moved(self) -> bool:
        """Return whether the reader is elsewhere than where the log opened: at its end."""
        view = self.view
        return view.focus_line is not None or view.follow.state is FollowState.PAUSED

    def _open_at_cause(self, update: LogUpdate) -> None:
        """Go to the first error of what failed; where no line tells one, the end is shown."""
        from platui.service.logs.errors import failure_in, has_verdict  # noqa: PLC0415  (for a failure)

        document = update.document
        if not update.job_status and not has_verdict(document):
            return
        failure = failure_in(document)

        def show() -> None:
            if self.document() is not document or self._has_moved:
                return
            if failure.error is not None:
                self.view.folds.fold_all_but(failure.sections)
                self.view.reveal(failure.error.told)

        # When all of it was painted once: what is in sight is known then.
        self.call_after_refresh(show)

    def facts(self) -> LogFacts:
        """Return what the log says of itself, for the line above it."""
        update = self._update
        if update is None or update.is_tail or not update.document.line_count:
            return LogFacts()
        document = update.document
        counted = LogFacts(
            document.line_count, document.error_count, more_errors=not document.has_all_errors
        )
        if update.state is not LogState.ENDED or update.job_status != FAILED:
            return counted
        if self._judged is None or self._judged[0] is not document:
            self._judged = (document, self._judge(document))
        return self._judged[1]._replace(lines=counted.lines, errors=counted.errors)

    def _judge(self, document: LogDocument) -> LogFacts:
        """Return with what the script of a failed job ended, and where."""
        from platui.service.logs.errors import exit_code, failure_in  # noqa: PLC0415  (for a failure)

        sections = failure_in(document).sections
        if not sections:
            return LogFacts(exit_code=exit_code(document))
        section = document.sections[sections[-1]]
        return LogFacts(
            exit_code=exit_code(document), section=section.name, seconds=section.seconds
        )


def _target(place: Place) -> tuple[object, ...]:
    """Return what of a place says where to go: not the names that are learned meanwhile."""
    return place.project, place.job, place.line, place.search, place.is_regex
