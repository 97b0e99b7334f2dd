"""Where a log opens: at the line that its place says, or, where it has failed, at the cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.models.values.log import LogState
from platui.models.values.search import SearchQuery
from platui.present.status import FAILED
from platui.ui.messages import Told
from platui.ui.screens.logs.text_search import TextSearch
from platui.ui.widgets.follow import FollowState

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument, LogUpdate
    from platui.models.values.places import Place
    from platui.ui.screens.logs.log import LogBody
    from platui.ui.screens.logs.log_file import LogFileBody

_NEVER_FAILED: Final = frozenset({"", FAILED})
"""Statuses under which a log is opened where it went wrong; of a file nobody knows one."""


class LogOpening:
    """Opens a log where its place says, once that can be shown.

    One that has failed opens at the cause, unless the reader has moved.
    """

    def __init__(self, body: LogBody | LogFileBody) -> None:
        self._body = body
        self._points = self._is_pointed  # Whether the place is still to be shown
        self._may_open = True  # Whether the cause may still be shown by itself

    @property
    def _is_pointed(self) -> bool:
        """Return whether the place itself says where the log opens."""
        return self._body.place.line is not None or bool(self._body.place.search)

    def visit(self) -> None:
        self._points = self._is_pointed
        self._point()

    def forget(self) -> None:
        self._may_open = True

    def prepare(self) -> None:
        """Look, before an update is shown, whether the reader has moved."""
        if self._body.is_whole and self._has_moved:
            self._may_open = False

    def take(self, update: LogUpdate) -> None:
        self._point()
        if update.job_status not in _NEVER_FAILED:
            self._may_open = False
        if self._may_open and update.state is LogState.ENDED and update.document.line_count:
            self._may_open = False
            if not self._is_pointed:
                self._open_at_cause(update)

    def _point(self) -> None:
        """Go to the line, if it has come, and search from there."""
        body = self._body
        document, line = body.text.document, body.place.line or 0
        if not (self._points and body.is_whole) or document is None or body.text.is_tail:
            # The lines of a tail have other numbers.
            return
        if line >= document.line_count:
            self._point_past(document)
            return
        self._points = False
        # When all of it was painted once: what is in sight is known then.
        body.call_after_refresh(self._go_there, body.place)

    def _point_past(self, document: LogDocument) -> None:
        """Stay at the end of a log that never got as far as the line, and say so."""
        body = self._body
        if body.text.has_ended and document.line_count:
            self._points = False
            body.host.post_message(Told(f"There is no line {(body.place.line or 0) + 1} here."))

    def _go_there(self, place: Place) -> None:
        body = self._body
        if _target(place) != _target(body.place) or not body.is_whole:
            return
        line = place.line or 0
        if place.line is not None:
            body.view.reveal(line)
        if place.search:
            query = SearchQuery(place.search, is_regex=place.is_regex)
            body.searches.hits.begin_from(TextSearch(query, start=line))

    @property
    def _has_moved(self) -> bool:
        """Return whether the reader is elsewhere than where the log opened: at its end."""
        view = self._body.view
        return view.focus_line is not None or view.follow.state is FollowState.PAUSED

    def _open_at_cause(self, update: LogUpdate) -> None:
        """Go to the first error of what failed; where no line tells one, the end is shown."""
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
                body.view.reveal(failure.error.told)

        # When all of it was painted once: what is in sight is known then.
        body.call_after_refresh(show)


def _target(place: Place) -> tuple[object, ...]:
    """Return what of a place says where to go: not the names that are learned meanwhile."""
    return place.project, place.job, place.line, place.search, place.is_regex
