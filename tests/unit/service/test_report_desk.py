"""The report that is looked at: which one, and what a fetch that does not end leaves."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest
from tests.support.report_company import COMPANY

from platui.core.errors import OfflineError, ReportError, Unreachable
from platui.models.values.reports import DamagedReport, ReportStage, ReportState
from platui.report.changes.compare import compare_reports
from platui.service.report_desk import ReportDesk

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.reports import DeskState
    from platui.service.reports import Reports

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
        self.compared: list[tuple[str, str]] = []

    async def saved(self) -> tuple[ReportInfo, ...]:
        """Return what is kept, newest first."""
        return tuple(replace(WHOLE.info, id=one) for one in sorted(self.ids, reverse=True))

    async def damaged(self) -> tuple[DamagedReport, ...]:
        """Return what is known to be damaged."""
        return self.misfits

    async def open(self, id_: str) -> AccessReport:
        """Return a report of that id."""
        if id_ in self.broken or id_ not in self.ids:
            raise ReportError(f"{id_} is damaged.")
        report = COMPANY.opened()
        report._info = replace(report.info, id=id_)
        return report

    async def forget(self, id_: str) -> None:
        """Keep one no longer."""
        self.ids.remove(id_)

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
        if self.error is not None:
            raise self.error
        self.ids.append(WHOLE.info.id)
        yield ReportState(ReportStage.DONE, share=1.0, report=WHOLE)
        await asyncio.sleep(0.01)
        self.is_tidied = True


def damaged(id_: str) -> DamagedReport:
    """Return what is said of a damaged report."""
    return DamagedReport(id_, WHOLE.info.fetched_at, f"{id_} is damaged.")


def desk_on(reports: PlainReports) -> ReportDesk:
    """Return a desk."""
    return ReportDesk(cast("Reports", reports))


async def until(desk: ReportDesk, is_so: Callable[[DeskState], bool]) -> None:
    """Wait until the desk says something."""
    came = asyncio.Event()
    stop = desk.state.observe(lambda state: came.set() if is_so(state) else None)
    if not is_so(desk.state.value):
        await asyncio.wait_for(came.wait(), 10)
    stop()


def shown(desk: ReportDesk) -> str:
    """Return the id of the report that is shown."""
    report = desk.state.value.report
    return "" if report is None else report.info.id


async def test_the_newest_that_can_be_opened_is_shown() -> None:
    """A damaged one that is newer is said; where none can be opened, the newest of them."""
    reports = PlainReports("1", "2", "3")
    reports.broken = {"3"}
    reports.misfits = (damaged("4"), damaged("0"))
    desk = desk_on(reports)
    await desk.look()
    assert (shown(desk), desk.state.value.damaged) == ("2", reports.misfits)
    error = desk.state.value.error
    assert isinstance(error, ReportError)
    assert error.sentence == "An earlier one is shown. 4 is damaged."
    await desk.forget("3")
    assert (shown(desk), desk.state.value.error) == ("2", None)
    reports = PlainReports("1")
    reports.broken = {"1"}
    desk = desk_on(reports)
    await desk.look()
    assert shown(desk) == ""
    error = desk.state.value.error
    assert isinstance(error, ReportError)
    assert error.sentence == "1 is damaged."


async def test_an_old_report_that_is_damaged_is_no_trouble() -> None:
    """It is listed, and that is all."""
    reports = PlainReports("2")
    reports.misfits = (damaged("1"),)
    desk = desk_on(reports)
    await desk.look()
    assert (shown(desk), desk.state.value.error) == ("2", None)
    assert desk.state.value.damaged == reports.misfits


@pytest.mark.parametrize("how", ["stopped", "offline"])
async def test_a_fetch_without_an_end_leaves_what_was_shown(how: str) -> None:
    """First rows give way to the report of before."""
    reports = PlainReports("1")
    desk = desk_on(reports)
    await desk.look()
    desk.fetch()
    desk.fetch()  # it is under way already
    await until(desk, lambda state: state.report is EARLY)
    if how == "stopped":
        await desk.stop()
    else:
        reports.error = OfflineError("No way.", reason=Unreachable.REFUSED)
        reports.go_on.set()
        await until(desk, lambda state: state.error is not None)
    state = desk.state.value
    assert (shown(desk), state.fetching, state.error) == ("1", None, reports.error)


async def test_a_fetch_that_ends_is_shown_and_listed() -> None:
    """Once it is saved, leaving waits for it to be tidied up."""
    reports = PlainReports("1")
    desk = desk_on(reports)
    await desk.look()
    desk.fetch()
    reports.go_on.set()
    await until(desk, lambda state: state.report is WHOLE)
    await desk.close()
    assert reports.is_tidied
    assert desk.state.value.outcome is not None


async def test_another_is_shown_and_one_is_forgotten() -> None:
    """Where it is the one shown, the newest takes its place; at last there is none."""
    desk = desk_on(PlainReports("1", "2"))
    await desk.look()
    await desk.show("1")
    assert shown(desk) == "1"
    with pytest.raises(ReportError):
        await desk.show("9")
    assert shown(desk) == "1"
    await desk.forget("1")
    assert shown(desk) == "2"
    await desk.forget("2")
    assert (shown(desk), desk.state.value.saved) == ("", ())
    await desk.close()


async def test_two_reports_are_compared_once_for_all_who_ask() -> None:
    """The newest unasked; who asks at the same time, or later, gets that; few are kept."""
    reports = PlainReports("1", "2", "3", "4", "5")
    desk = desk_on(reports)
    _, asked = await asyncio.gather(desk.look(), desk.compare("4", "5"))
    assert desk.state.value.changes is asked
    assert await desk.compare("4", "5") is asked
    assert reports.compared == [("4", "5")]
    for before in ("1", "2", "3"):
        await desk.compare(before, "5")
    assert await desk.compare("4", "5") is not asked
    await desk.forget("4")
    count = len(reports.compared)
    await desk.compare("3", "5")
    await desk.compare("4", "5")
    assert reports.compared[count:] == [("4", "5")]
    await desk.close()
