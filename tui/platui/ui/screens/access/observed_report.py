"""The access report shown in a view: observed for changes, fetched, and its toasts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError
from platui.models.values.reports import CurrentReportState, DamagedReport
from platui.present.access.changes import changes_summary
from platui.present.access.report import dropped_reports_message, report_time
from platui.present.access.states import fits_in_line, with_manual_hint
from platui.ui.workers import work

if TYPE_CHECKING:
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.service.access.current_report import CurrentReport
    from platui.ui.screens.access.body import ReportBody

_CHECK_EVERY: Final = 3.0  # Seconds between checks for reports saved by other programs


class ObservedReport:
    """Passes every state of the report to the body; opens the newest if none is open."""

    def __init__(self, body: ReportBody[Any]) -> None:
        self.current: CurrentReport | None = None
        self.state = CurrentReportState()
        self._body = body
        self._stop_observing: Callable[[], None] = lambda: None
        self._has_shown = ""  # Id of the report opened for the route
        self._is_fetch_wanted = False

    @property
    def report(self) -> AccessReport | None:
        return self.state.report

    @property
    def saved(self) -> Sequence[ReportInfo]:
        return self.state.saved or ()

    @property
    def earlier(self) -> tuple[ReportInfo, ...]:
        """Return the saved reports before this one, newest first."""
        report = self.report
        return tuple(one for one in self.saved if report and one.id < report.info.id)

    def time_of(self, info: ReportInfo | DamagedReport) -> str:
        return report_time(info, self._body.now, utc=self._body.utc)

    def start(self) -> None:
        self._body.in_background("feed-desk", self._watch)

    async def _watch(self) -> None:
        body = self._body
        self.current = current = await body.service.access_reports.current()
        self._stop_observing()
        self._stop_observing = current.state.observe(self._take)
        body.host.while_shown(self._stop_observing)
        # Earlier errors and reports were shown by other views.
        now = current.state.value
        self.state = replace(self.state, error=now.error, arrived=now.arrived)
        self._take(now)
        if self._is_fetch_wanted:
            self._is_fetch_wanted = False
            current.fetch()
        await self._show_named_report(current)
        while True:
            await current.reload()
            await asyncio.sleep(_CHECK_EVERY)

    async def _show_named_report(self, current: CurrentReport) -> None:
        """Show, once, the earlier report named by the route."""
        wanted = self._body.route.report
        if not wanted or self._has_shown == wanted:
            return
        self._has_shown = wanted
        try:
            await current.reload()
            await current.show(wanted)
        except PlatuiError as error:
            self._body.host.show_error(error)

    def _take(self, state: CurrentReportState) -> None:
        before, self.state = self.state, state
        self._body.take_report(before)

    def fetch(self) -> None:
        """Fetch the report again; an unchanged one costs one request."""
        if self.current is not None:
            self.current.fetch()
        else:
            self._is_fetch_wanted = True

    def stop_fetch(self) -> bool:
        current = self.current
        if current is None or not current.is_fetching:
            return False
        self._body.run_worker(work(self._stop, current), group="stop")
        return True

    async def _stop(self, current: CurrentReport) -> None:
        if not await current.stop():
            return  # it ended before
        unchanged = "; the report is unchanged" if self.report is not None else ""
        self._body.host.show_hint(f"Stopped{unchanged}.")

    def show(self, id_: str) -> None:
        if self.current is not None:
            self._run(self.current.show(id_))

    def delete(self, id_: str) -> None:
        if self.current is not None:
            self._run(self.current.forget(id_))

    def _run(self, task: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            try:
                await task
            except PlatuiError as error:
                self._body.host.show_error(error)

        self._body.run_worker(work(run), group="report")


def newest_id(state: CurrentReportState) -> str:
    """Return the id of the newest known report, or an empty text."""
    ids = [one.id for one in state.saved or ()]
    if state.outcome is not None and state.outcome.report is not None:
        ids.append(state.outcome.report.info.id)  # may not be saved yet
    return max(ids, default="")


def show_news(body: ReportBody[Any], before: CurrentReportState, state: CurrentReportState) -> None:
    """Show the result of a fetch, or a report that another program saved, as a toast."""
    host, outcome = body.host, state.outcome
    # A stopped fetch does not end with its outcome.
    is_over = state.fetching is None and before.fetching is not None
    if is_over and before.fetching is outcome and state.error is None:
        if outcome is not None and outcome.is_unchanged:
            host.show_hint("This is still the newest report.")
        elif outcome is not None and outcome.removed:
            _show_report(body, state)
    elif before.error is None and (error := state.error) is not None and state.report is not None:
        is_in_line = fits_in_line(error, host.size.width, host.key_of("view.refresh"))
        if not is_in_line:
            host.show_error(with_manual_hint(error))
    # Only a view that was open when a report arrived shows a toast.
    saw_it = before.outcome is not None and before.outcome is outcome
    is_compared = saw_it and state.changes is not before.changes
    if state.arrived is not before.arrived or is_compared:
        _show_report(body, state)


def _show_report(body: ReportBody[Any], state: CurrentReportState) -> None:
    """Show all news in one toast: a later toast replaces it."""
    now, utc, report = body.now, body.utc, state.report
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
        body.host.show_hint("\n".join(news))
