"""Initial position in a log: the line or search of its route, or the cause of failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.log import LogState
from platui.models.values.search import SearchQuery
from platui.present.status import FAILED
from platui.ui.screens.logs.text_search import TextSearch
from platui.ui.widgets.follow import FollowState

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument, LogUpdate
    from platui.models.values.routes import Route
    from platui.ui.screens.logs.log import LogBody
    from platui.ui.screens.logs.log_file import LogFileBody


class InitialPosition:
    """Moves once to the line, search or cause of the route, unless the reader has moved."""

    def __init__(self, body: LogBody | LogFileBody) -> None:
        self._body = body
        self._must_go = self._has_target
        self._may_open = True  # Whether to go to the cause

    @property
    def _has_target(self) -> bool:
        return self._body.route.line is not None or bool(self._body.route.search)

    def visit(self) -> None:
        self._must_go = self._has_target
        self._go()

    def forget(self) -> None:
        self._may_open = True

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
        """Go to the line once it is loaded, and search from there."""
        body = self._body
        document, line = body.text.document, body.route.line or 0
        if not (self._must_go and body.is_whole) or document is None or body.text.is_tail:
            # The line numbers of a tail differ.
            return
        if line >= document.line_count:
            self._report_missing(document)
            return
        self._must_go = False
        # After the first painting: the window is known then.
        body.call_after_refresh(self._go_there, body.route)

    def _report_missing(self, document: LogDocument) -> None:
        body = self._body
        if body.text.has_ended and document.line_count:
            self._must_go = False
            body.host.show_hint(f"This log has no line {(body.route.line or 0) + 1}.")

    def _go_there(self, route: Route) -> None:
        body = self._body
        if _target(route) != _target(body.route) or not body.is_whole:
            return
        line = route.line or 0
        if route.line is not None:
            body.view.position.reveal(line)
        if route.search:
            query = SearchQuery(route.search, is_regex=route.is_regex)
            body.searches.hits.begin_from(TextSearch(query, start=line))

    @property
    def _has_moved(self) -> bool:
        view = self._body.view
        return view.position.focus is not None or view.position.follow.state is FollowState.PAUSED

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


def _target(route: Route) -> tuple[object, ...]:
    """Return the fields of a route that select a line."""
    return route.project, route.job, route.line, route.search, route.is_regex
