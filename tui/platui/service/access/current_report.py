"""The current access report, shared by all views, and its fetch in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError, ReportError
from platui.core.observers import Observable
from platui.models.values.reports import CurrentReportState, DamagedReport, ReportStage, ReportState
from platui.service.cancellation import cancel_and_wait
from platui.service.lru_cache import LruCache
from platui.service.single_flight import SingleFlight

if TYPE_CHECKING:
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.service.access.report_store import Stamp
    from platui.service.access.reports import Reports


_AUTO_COMPARE_LIMIT: Final = 300_000  # maximum memberships of reports compared automatically
_MAX_COMPARISONS: Final = 3  # cached comparisons; each keeps two reports open
_REMEDY: Final = (
    "Press r to fetch the report again, or run platui report import FILE; "
    "press v to delete the damaged one."
)


class CurrentReport:
    """Holds the current report; observe `state` for changes."""

    def __init__(self, reports: Reports) -> None:
        self.reports = reports
        self.state: Observable[CurrentReportState] = Observable(CurrentReportState())
        self._report: AccessReport | None = None  # shown again after a failed fetch
        self._task: asyncio.Task[None] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()  # the load that began last reports last
        self._open_error: PlatuiError | None = None  # why the newest report could not be opened
        self._stamp: Stamp = ()
        self._reload_lock = asyncio.Lock()
        self._compared = LruCache[tuple[str, str], "AccessChanges"](_MAX_COMPARISONS)
        self._comparing: SingleFlight[tuple[str, str], AccessChanges] = SingleFlight()

    async def load(self) -> None:
        """List the saved reports, and open the newest one; idempotent."""
        if self._loading is None:
            load = self._load(compares=True)
            self._loading = asyncio.create_task(load, name="platui report load")
        # Shielded: a closed view must not cancel the load for the others.
        await asyncio.shield(self._loading)

    async def _load(self, *, compares: bool = False) -> None:
        async with self._lock:
            self._stamp = await self.reports.stamp()
            saved, damaged = await self.reports.saved(), await self.reports.damaged()
            report, error = self._report, None
            if report is None:
                report, error = await self._newest(saved, damaged)
            if self._report is not None:  # chosen by the user or fetched meanwhile
                report, error = self._report, None
            self._report = report
            now = self.state.value
            if now.fetching is not None:
                self._update(saved=saved, damaged=damaged, report=now.report or report)
            else:
                # A load does not clear the error of a fetch.
                failed = None if now.error is self._open_error else now.error
                self._open_error = error
                self._update(saved=saved, damaged=damaged, report=report, error=failed or error)
        if compares and report is not None:
            await self._compare_automatically(report, saved)

    async def reload(self) -> None:
        """Show a newer report of another program, unless the user chose an earlier one."""
        await self.load()
        async with self._reload_lock:
            # A fetch reloads when it is done.
            if self.is_fetching or await self.reports.stamp() == self._stamp:
                return
            newest = saved[0].id if (saved := self.state.value.saved) else ""
            shown = self._report
            await self._load()
            arrived = next(iter(self.state.value.saved or ()), None)
            if arrived is None or arrived.id <= newest:
                return
            with suppress(ReportError):  # reported when the user opens it
                if self._report is shown and (shown is None or shown.info.id == newest):
                    await self.show(arrived.id)
            self._update(arrived=arrived)
            if self._report is not None and self._report is not shown:
                await self._compare_automatically(self._report, self.state.value.saved or ())

    async def _newest(
        self, saved: Sequence[ReportInfo], damaged: Sequence[DamagedReport]
    ) -> tuple[AccessReport | None, ReportError | None]:
        sentences = {one.id: one.problem for one in damaged}
        report = None
        for info in saved:
            try:
                report = await self.reports.open(info.id)
                break
            except ReportError as error:
                sentences[info.id] = error.sentence
        newer = [id_ for id_ in sentences if report is None or id_ > report.info.id]
        if not newer:
            return report, None
        shown = "" if report is None else "An earlier one is shown. "
        return report, ReportError(f"{shown}{sentences[max(newer)]}", hint=_REMEDY)

    async def compare(self, before: str, after: str) -> AccessChanges:
        """Return the cached changes between two saved reports, or raise ReportError."""
        pair = (before, after)
        changes = self._compared.get(pair)
        if changes is None:
            changes = await self._comparing.run(pair, lambda: self.reports.compare(before, after))
            self._compared.put(pair, changes)
        return changes

    async def _compare_automatically(
        self, report: AccessReport, saved: Sequence[ReportInfo]
    ) -> None:
        before = next((one for one in saved if one.id < report.info.id), None)
        if before is None or max(before.memberships, report.info.memberships) > _AUTO_COMPARE_LIMIT:
            return
        try:
            changes = await self.compare(before.id, report.info.id)
        except ReportError:
            return  # reported when the user opens the changes
        self._update(changes=changes)

    @property
    def is_fetching(self) -> bool:
        return self._task is not None

    def fetch(self) -> None:
        if self._task is None:
            self._update(fetching=ReportState(ReportStage.ASKING), error=None)
            self._task = asyncio.create_task(self._fetch(), name="platui report fetch")

    async def stop(self) -> bool:
        """Cancel a fetch, and show the report from before; return whether it was cancelled."""
        task, fetching = self._task, self.state.value.fetching
        if task is None:
            return False
        # A saved report is only followed by cleanup, which must finish.
        if fetching is None or fetching.stage is not ReportStage.DONE:
            task.cancel()
        await asyncio.wait({task})
        return task.cancelled()

    async def _fetch(self) -> None:
        error: PlatuiError | None = None
        try:
            async with aclosing(self.reports.fetch()) as states:
                async for state in states:
                    self._take(state)
        except PlatuiError as failure:
            error = failure
        finally:
            self._task = None
            self._update(fetching=None, error=error, report=self._report)

    def _take(self, state: ReportState) -> None:
        if state.stage is not ReportStage.DONE:
            shown = self.state.value
            rows = None if shown.fetching is None else shown.fetching.report
            # Shown once: the user may have turned to another report since.
            is_new = state.report is not None and state.report is not rows
            self._update(fetching=state, report=state.report if is_new else shown.report)
            return
        self._report = state.report or self._report
        asked_at = self.reports.now() if state.is_unchanged else None
        self._update(fetching=state, report=self._report, outcome=state, asked_at=asked_at)
        load = self._load(compares=not state.is_unchanged)
        self._loading = asyncio.create_task(load, name="platui report load")

    async def show(self, id_: str) -> None:
        """Show another saved report, or raise ReportError and change nothing."""
        report = await self.reports.open(id_)
        self._report = report
        self._update(report=report, error=None)

    async def forget(self, id_: str) -> None:
        """Delete a saved report; if it is the current one, show the newest."""
        await self.reports.forget(id_)
        for pair in self._compared:
            if id_ in pair:
                self._compared.drop(pair)
        shown = self._report
        if shown is not None and shown.info.id == id_:
            self._report = None
        self._loading = asyncio.create_task(self._load(), name="platui report load")
        await asyncio.shield(self._loading)

    async def close(self) -> None:
        await self.stop()
        await cancel_and_wait(self._loading)

    def _update(self, **changes: Any) -> None:
        self.state.set(replace(self.state.value, **changes))
