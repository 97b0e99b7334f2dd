"""The report that is looked at: which one, and what a fetch that does not end leaves."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest
from tests.support.report_company import COMPANY

from platui.core.errors import OfflineError, OfflineReason, ReportError
from platui.models.values.reports import DamagedReport, ReportStage, ReportState
from platui.report.changes.compare import compare_reports
from platui.service.access.current_report import CurrentReport

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime

    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.reports import CurrentReportState
    from platui.service.access.reports import Reports

EARLY, WHOLE = COMPANY.opened(stage=1), COMPANY.opened()


class PlainReports:
    """Reports in memory: what is fetched comes when the test lets it."""

    def __init__(self, *saved: str) -> None:
        self.ids = list(saved)
        self.broken: set[str] = set()
        """Of which only opening tells it."""
        self.misfits: tuple[DamagedReport, ...] = ()
        self.go_on = asyncio.Event()
        self.error: OfflineError | None = None
        self.is_tidied = False
        self.opens = asyncio.Event()
        """Until then the newest report is being opened."""
        self.opens.set()
        self.is_opening = asyncio.Event()
        self.is_gone = asyncio.Event()
        self.compared: list[tuple[str, str]] = []

    async def saved(self) -> tuple[ReportInfo, ...]:
        """Return what is kept, newest first."""
        return tuple(replace(WHOLE.info, id=one) for one in sorted(self.ids, reverse=True))

    async def stamp(self) -> object:
        """Return what is another one where other reports are kept."""
        return (*self.ids, *self.misfits)

    def now(self) -> datetime:
        """Return the time."""
        return WHOLE.info.fetched_at

    async def damaged(self) -> tuple[DamagedReport, ...]:
        """Return what is known to be damaged."""
        return self.misfits

    async def open(self, id_: str) -> AccessReport:
        """Return a report of that id."""
        if id_ in self.broken or id_ not in self.ids:
            raise ReportError(f"{id_} is damaged.")
        if id_ == max(self.ids):
            self.is_opening.set()
            await self.opens.wait()
        report = COMPANY.opened()
        report.info = replace(report.info, id=id_)
        return report

    async def forget(self, id_: str) -> None:
        """Keep one no longer."""
        self.ids.remove(id_)
        self.is_gone.set()

    async def compare(self, before: str, after: str) -> AccessChanges:
        """Find out what changed, which takes a moment."""
        self.compared.append((before, after))
        await asyncio.sleep(0)
        changes = compare_reports(WHOLE, WHOLE)
        assert changes is not None
        return changes

    async def fetch(self) -> AsyncGenerator[ReportState]:
        """Tell of first rows, wait, then of the whole."""
        yield ReportState(ReportStage.FIRST_ROWS, report=EARLY)
        await self.go_on.wait()
        yield ReportState(ReportStage.FIRST_ROWS, share=0.5, report=EARLY)
        if self.error is not None:
            raise self.error
        self.ids.append(WHOLE.info.id)
        yield ReportState(ReportStage.DONE, share=1.0, report=WHOLE)
        await asyncio.sleep(0.01)
        self.is_tidied = True


def damaged(id_: str) -> DamagedReport:
    """Return what is said of a damaged report."""
    return DamagedReport(id_, WHOLE.info.fetched_at, f"{id_} is damaged.")


def desk_on(reports: PlainReports) -> CurrentReport:
    """Return a desk."""
    return CurrentReport(cast("Reports", reports))


async def until(current: CurrentReport, is_so: Callable[[CurrentReportState], bool]) -> None:
    """Wait until the desk says something."""
    came = asyncio.Event()
    stop = current.state.observe(lambda state: came.set() if is_so(state) else None)
    if not is_so(current.state.value):
        await asyncio.wait_for(came.wait(), 10)
    stop()


def shown(current: CurrentReport) -> str:
    """Return the id of the report that is shown."""
    report = current.state.value.report
    return "" if report is None else report.info.id


async def test_the_newest_that_can_be_opened_is_shown() -> None:
    """A damaged one that is newer is said; where none can be opened, the newest of them."""
    reports = PlainReports("1", "2", "3")
    reports.broken = {"3"}
    reports.misfits = (damaged("4"), damaged("0"))
    current = desk_on(reports)
    await current.load()
    assert (shown(current), current.state.value.damaged) == ("2", reports.misfits)
    error = current.state.value.error
    assert isinstance(error, ReportError)
    assert error.sentence == "An earlier one is shown. 4 is damaged."
    await current.forget("3")
    assert (shown(current), current.state.value.error) == ("2", None)
    reports = PlainReports("1")
    reports.broken = {"1"}
    current = desk_on(reports)
    await current.load()
    assert shown(current) == ""
    error = current.state.value.error
    assert isinstance(error, ReportError)
    assert error.sentence == "1 is damaged."


async def test_an_old_report_that_is_damaged_is_no_trouble() -> None:
    """It is listed, and that is all."""
    reports = PlainReports("2")
    reports.misfits = (damaged("1"),)
    current = desk_on(reports)
    await current.load()
    assert (shown(current), current.state.value.error) == ("2", None)
    assert current.state.value.damaged == reports.misfits


@pytest.mark.parametrize("how", ["stopped", "offline"])
async def test_a_fetch_without_an_end_leaves_what_was_shown(how: str) -> None:
    """First rows give way to the report of before."""
    reports = PlainReports("1")
    current = desk_on(reports)
    await current.load()
    current.fetch()
    current.fetch()  # it is under way already
    await until(current, lambda state: state.report is EARLY)
    if how == "stopped":
        assert await current.stop()
        assert not await current.stop()
    else:
        reports.error = OfflineError("No way.", reason=OfflineReason.REFUSED)
        reports.go_on.set()
        await until(current, lambda state: state.error is not None)
    state = current.state.value
    assert (shown(current), state.fetching, state.error) == ("1", None, reports.error)


async def test_a_fetch_that_ends_is_shown_and_listed() -> None:
    """Once it is saved, leaving waits for it to be tidied up."""
    reports = PlainReports("1")
    current = desk_on(reports)
    await current.load()
    current.fetch()
    reports.go_on.set()
    await until(current, lambda state: state.report is WHOLE)
    assert not await current.stop()
    await current.close()
    assert reports.is_tidied
    assert current.state.value.outcome is not None


async def test_another_is_shown_and_one_is_forgotten() -> None:
    """Where it is the one shown, the newest takes its place; at last there is none."""
    current = desk_on(PlainReports("1", "2"))
    await current.load()
    await current.show("1")
    assert shown(current) == "1"
    with pytest.raises(ReportError):
        await current.show("9")
    assert shown(current) == "1"
    await current.forget("1")
    assert shown(current) == "2"
    await current.forget("2")
    assert (shown(current), current.state.value.saved) == ("", ())
    await current.close()


async def test_who_chooses_a_report_has_it() -> None:
    """Whether the newest was being opened, or another one read: its rows come up once."""
    reports = PlainReports("1", "2")
    reports.opens.clear()
    current = desk_on(reports)
    looking = asyncio.create_task(current.load())
    await current.show("1")
    reports.opens.set()
    await looking
    assert shown(current) == "1"
    current.fetch()
    await until(current, lambda state: state.report is EARLY)
    await current.show("1")
    reports.error = OfflineError("No way.", reason=OfflineReason.REFUSED)
    told: list[str] = []
    current.state.observe(lambda state: told.append(state.report.info.id if state.report else ""))
    reports.go_on.set()
    await until(current, lambda state: state.error is not None)
    assert {*told} == {"1"}
    await current.close()


async def test_why_a_fetch_failed_outlives_a_look_that_began_before() -> None:
    """Who has the newest opened and fetches at once is told why there is no newer one."""
    reports = PlainReports("1")
    reports.opens.clear()
    reports.error = OfflineError("No way.", reason=OfflineReason.REFUSED)
    reports.go_on.set()
    current = desk_on(reports)
    looking = asyncio.create_task(current.load())
    current.fetch()
    await until(current, lambda state: state.error is not None)
    reports.opens.set()
    await looking
    assert (shown(current), current.state.value.error) == ("1", reports.error)


async def test_what_is_listed_is_what_was_found_last() -> None:
    """A look that takes longer than the one after it does not bring back what is gone."""
    reports = PlainReports("1", "2", "3")
    current = desk_on(reports)
    await current.load()
    reports.opens.clear()
    reports.is_opening.clear()
    forgetting = asyncio.create_task(current.forget("3"))
    await reports.is_opening.wait()
    await current.show("1")
    reports.is_gone.clear()
    second = asyncio.create_task(current.forget("2"))
    await reports.is_gone.wait()
    reports.opens.set()
    await asyncio.gather(forgetting, second)
    assert [one.id for one in current.state.value.saved or ()] == ["1"]
    assert shown(current) == "1"


async def test_two_reports_are_compared_once_for_all_who_ask() -> None:
    """The newest unasked; who asks at the same time, or later, gets that; few are kept."""
    reports = PlainReports("1", "2", "3", "4", "5")
    current = desk_on(reports)
    _, asked = await asyncio.gather(current.load(), current.compare("4", "5"))
    assert current.state.value.changes is asked
    assert await current.compare("4", "5") is asked
    assert reports.compared == [("4", "5")]
    for before in ("1", "2", "3"):
        await current.compare(before, "5")
    assert await current.compare("4", "5") is not asked
    await current.forget("4")
    count = len(reports.compared)
    await current.compare("3", "5")
    await current.compare("4", "5")
    assert reports.compared[count:] == [("4", "5")]
    await current.close()


async def test_what_another_program_saved_is_taken_up() -> None:
    """Once; who looks at an earlier report keeps it, and is told all the same."""
    reports = PlainReports("1")
    current = desk_on(reports)
    await current.load()
    told: list[str] = []
    current.state.observe(lambda state: told.append(state.arrived.id if state.arrived else ""))
    await current.reload()
    assert told == []  # nothing is read where nothing is different
    reports.ids.append("2")
    await asyncio.gather(current.reload(), current.reload())
    assert (shown(current), told[-1]) == ("2", "2")
    await current.show("1")
    reports.ids.append("3")
    reports.misfits = (damaged("0"),)
    await current.reload()
    assert (shown(current), told[-1]) == ("1", "3")
    assert [one.id for one in current.state.value.damaged] == ["0"]
    reports.ids.append("4")
    reports.broken = {"4"}
    await current.show("3")
    await current.reload()
    assert (shown(current), told[-1]) == ("3", "4")
    await current.close()
