"""A view that watches the access report: which one it is, and the rows that are found in it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError, TermError
from platui.models.values.places import KeptPlace, Place
from platui.models.values.reports import DeskState
from platui.present.access.changes import changes_told
from platui.present.access.report import dropped_told, report_time
from platui.present.access.states import by_hand, is_said_in_line
from platui.present.chrome import Age, Freshness
from platui.ui.messages import Failed, GoTo, Told
from platui.ui.screens.listing import ListScreen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from textual.worker import Worker

    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.table import Row
    from platui.service.access.desk import ReportDesk

_LOOKS_EVERY: Final = 3.0
"""Seconds after which it is looked at anew what is saved: other programs fetch reports, too.

Menus of saved reports open at once, with what the last look saw: keys typed in haste are theirs.
"""


class WatchesReport(ListScreen):
    """Rows are found in another thread, for the report and the search of now only."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.desk: ReportDesk | None = None
        self.told = DeskState()  # What the desk said last
        self.shown: AccessReport | None = None  # The report whose row numbers are the keys
        self.query_text = ""
        self.unread: TermError | None = None  # Why the search as it is typed cannot be read
        self._wanted: object = None  # What is to be found now
        self.found_by: object = None  # The request that the rows answer; None: none so far
        self._searching: Worker[None] | None = None
        self.found_rows: Sequence[Row] = ()
        self._stop_observing: Callable[[], None] = _nothing
        self._has_shown = ""  # The report of the place, once it has been opened
        self.is_fetch_wanted = False  # Whether to fetch as soon as there is a desk

    def search(self, report: AccessReport) -> Callable[[], Any]:
        """Return what finds the rows as they are wanted now, in another thread."""
        raise NotImplementedError

    async def answer(self, report: AccessReport) -> Any:
        """Find the rows as they are wanted now.

        Raises:
            TermError: what is searched for cannot be read.
        """
        return await asyncio.to_thread(self.search(report))

    def found(self, report: AccessReport, answer: Any) -> None:
        """Take what was found: the rows, and what is said of them."""
        raise NotImplementedError

    def report_changed(self) -> None:
        """Take note, while the rows of before are there, that others will come."""

    def start_feeds(self) -> None:
        """Watch the report that is looked at; the newest is opened where none is."""
        self.in_background("feed-desk", self._watch)

    async def _watch(self) -> None:
        self.desk = desk = await self.service.report_desk()
        self._stop_observing()
        self._stop_observing = desk.state.observe(self._take)
        self.while_shown(self._stop_observing)
        # What went wrong, or came, before was said in the view that saw it.
        now = desk.state.value
        self.told = replace(self.told, error=now.error, arrived=now.arrived)
        self._take(now)
        if self.is_fetch_wanted:
            self.is_fetch_wanted = False
            desk.fetch()
        await self._show_as_said(desk)
        while True:
            await desk.look_again()
            await asyncio.sleep(_LOOKS_EVERY)

    async def _show_as_said(self, desk: ReportDesk) -> None:
        """Look, once, at the earlier report that the place names."""
        wanted = self.place.report
        if not wanted or self._has_shown == wanted:
            return
        self._has_shown = wanted
        try:
            await desk.look_again()
            await desk.show(wanted)
        except PlatuiError as error:
            self.post_message(Failed(error))

    def place_now(self) -> Place:
        """Return this place with the report that is looked at, where it is not the newest."""
        report = self.told.report
        said = "" if report is None or report.info.id == _first_id(self.told) else report.info.id
        return replace(super().place_now(), report=said)

    def _take(self, state: DeskState) -> None:
        before, self.told = self.told, state
        self.error = state.error
        if state.report is None:
            self.age = Age(Freshness.FAILED if state.error else Freshness.UNASKED)
        else:
            self.age = Age(Freshness.FETCHED, _known_since(state, state.report.info))
        self.kept = None  # how old a report is, its own date says
        if state.report is not before.report:
            self.report_changed()
            if state.report is None:
                self.shown, self.found_rows = None, ()
        self.seek()
        self.tell_header()
        self.draw()
        self.refresh_bindings()
        # The last word of a fetch is its outcome; of one that was stopped it is another.
        is_over = state.fetching is None and before.fetching is not None
        if is_over and before.fetching is state.outcome and state.error is None:
            self._tell_outcome(state)
        elif before.error is None and state.error is not None and state.report is not None:
            self._tell_failure(state.error)
        # A view that did not see a report come tells nothing of it.
        saw_it = before.outcome is not None and before.outcome is state.outcome
        is_compared = saw_it and state.changes is not before.changes
        if state.arrived is not before.arrived or is_compared:
            self._tell_news(state)

    def _tell_outcome(self, state: DeskState) -> None:
        if state.outcome is not None and state.outcome.is_unchanged:
            self.post_message(Told("This is still the newest report."))
        elif state.outcome is not None and state.outcome.dropped:
            self._tell_news(state)

    def _tell_news(self, state: DeskState) -> None:
        """Tell all that is known of the report that came last: a later toast takes its place."""
        now, report = self.service.clock.now(), state.report
        arrived, changes, outcome = state.arrived, state.changes, state.outcome
        newest = _first_id(state)
        news: list[str] = []
        if arrived is not None and arrived.id == newest:
            is_shown = report is not None and report.info.id == arrived.id
            what = "it is shown now" if is_shown else "v shows it"
            at = report_time(arrived, now, utc=self.utc)
            news.append(f"A newer report was saved ({at}): {what}.")
        if changes is not None and changes.after.id == newest:
            since = report_time(changes.before, now, utc=self.utc)
            news.append(changes_told(changes, since))
        came = outcome.report.info.id if outcome is not None and outcome.report is not None else ""
        if outcome is not None and outcome.dropped and came == newest:
            news.append(dropped_told(outcome.dropped, now, utc=self.utc))
        if news:
            self.post_message(Told("\n".join(news)))

    def _tell_failure(self, error: PlatuiError) -> None:
        # What the line above the rows has room for is not said twice.
        if not is_said_in_line(error, self.size.width, self.key_of("place.refresh")):
            self.post_message(Failed(by_hand(error)))

    def wanted(self) -> object:
        """Return all that the rows depend on; equal ones are not looked for twice."""
        return (self.told.report, self.query_text)

    def seek(self) -> None:
        """Find the rows that are wanted now; of what is typed meanwhile only the last counts."""
        self._wanted = self.wanted()
        if self.told.report is None or self.found_by == self._wanted:
            return
        if self._searching is None or self._searching.is_cancelled or self._searching.is_finished:
            self._searching = self.in_background("feed-search", self._search)

    @property
    def is_searching(self) -> bool:
        """Return whether what is on show is an earlier answer than the one wanted now."""
        return self.told.report is not None and self.found_by != self.wanted()

    async def _search(self) -> None:
        while self.found_by != self._wanted and (report := self.told.report) is not None:
            wanted = self._wanted
            try:
                answer = await self.answer(report)
                if not self.is_attached or not self.is_whole:
                    return  # left meanwhile: there is no table any more
            except TermError as error:
                self.unread = error
            else:
                self.unread = None
                if report is self.told.report:
                    self._take_answer(report, answer)
            self.found_by = wanted
            self.draw()

    def _take_answer(self, report: AccessReport, answer: Any) -> None:
        if self.shown is not None and self.shown.info.id != report.info.id:
            self.table.clear_marks()  # the same rows are others there
        self.shown = report
        self.found(report, answer)

    def rows(self) -> Sequence[Row]:
        """Return what was found."""
        return self.found_rows

    def has_data(self) -> bool:
        """Return whether there is a report."""
        return self.told.report is not None

    def keep(self) -> KeptPlace | None:
        """Return the place alone: names of people stay with the report."""
        return KeptPlace(self.place, saved_at=self.service.clock.now().timestamp())

    @property
    def is_filtered(self) -> bool:
        """Return whether something is searched for."""
        return bool(self.query_text)

    def subject(self) -> Place | None:
        """Return nothing: who and where in a report is no project to go to."""
        return None

    def go_to(self, place: Place) -> None:
        """Go to another view."""
        self.post_message(GoTo(place))


def _known_since(state: DeskState, info: ReportInfo) -> datetime:
    """Return when a report came, or when the platform last said that it is still the newest."""
    outcome = state.outcome.report if state.outcome is not None else None
    is_renewed = outcome is not None and outcome.info.id == info.id
    return state.asked_at if is_renewed and state.asked_at is not None else info.fetched_at


def _first_id(state: DeskState) -> str:
    ids = [one.id for one in state.saved or ()]
    if state.outcome is not None and state.outcome.report is not None:
        ids.append(state.outcome.report.info.id)  # which may not be among those saved yet
    return max(ids, default="")


def _nothing() -> None:
    """Observe nothing, which needs no end."""
