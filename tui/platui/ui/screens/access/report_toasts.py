"""Toasts about the access report: results of a fetch, reports saved by other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.present.access.changes import changes_summary
from platui.present.access.report import dropped_reports_message, report_time
from platui.present.access.states import fits_in_line, with_manual_hint
from platui.ui.messages import ShowError, ShowHint
from platui.ui.screens.access.observed_report import newest_id

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.values.reports import CurrentReportState
    from platui.ui.screens.access.body import ReportBody


class ReportToasts:
    """Shows the difference between two states of the report."""

    def __init__(self, body: ReportBody[Any]) -> None:
        self._body = body

    def show(self, before: CurrentReportState, state: CurrentReportState) -> None:
        # A stopped fetch does not end with its outcome.
        is_over = state.fetching is None and before.fetching is not None
        if is_over and before.fetching is state.outcome and state.error is None:
            self._show_outcome(state)
        elif before.error is None and state.error is not None and state.report is not None:
            self._show_failure(state.error)
        # Only a view that was open when a report arrived shows a toast.
        saw_it = before.outcome is not None and before.outcome is state.outcome
        is_compared = saw_it and state.changes is not before.changes
        if state.arrived is not before.arrived or is_compared:
            self._show_report(state)

    def _show_outcome(self, state: CurrentReportState) -> None:
        if state.outcome is not None and state.outcome.is_unchanged:
            self._body.host.post_message(ShowHint("This is still the newest report."))
        elif state.outcome is not None and state.outcome.removed:
            self._show_report(state)

    def _show_report(self, state: CurrentReportState) -> None:
        """Show all news in one toast: a later toast replaces it."""
        now, utc, report = self._body.now, self._body.utc, state.report
        arrived, changes, outcome = state.arrived, state.changes, state.outcome
        newest = newest_id(state)
        news: list[str] = []
        if arrived is not None and arrived.id == newest:
            is_shown = report is not None and report.info.id == arrived.id
            what = "it is shown now" if is_shown else "v shows it"
            news.append(f"A newer report was saved ({report_time(arrived, now, utc=utc)}): {what}.")
        if changes is not None and changes.after.id == newest:
            news.append(changes_summary(changes, report_time(changes.before, now, utc=utc)))
        came = outcome.report.info.id if outcome is not None and outcome.report is not None else ""
        if outcome is not None and outcome.removed and came == newest:
            news.append(dropped_reports_message(outcome.removed, now, utc=utc))
        if news:
            self._body.host.post_message(ShowHint("\n".join(news)))

    def _show_failure(self, error: PlatuiError) -> None:
        # An error that fits in the notice line gets no toast.
        host = self._body.host
        if not fits_in_line(error, host.size.width, host.key_of("view.refresh")):
            self._body.host.post_message(ShowError(with_manual_hint(error)))
