"""The access report that is looked at: which one, and how the next one comes.

Every view of it shows the same, and a fetch goes on while one looks at something else.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError, ReportError
from platui.core.observers import Observable
from platui.models.values.reports import CurrentReportState, ReportStage, ReportState
from platui.service.single_flight import SingleFlight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.reports import DamagedReport
    from platui.service.access.report_store import Stamp
    from platui.service.access.reports import Reports


_FEW: Final = 300_000
"""Memberships up to which two reports are compared unasked."""
_PAIRS: Final = 3
"""Comparisons that are kept, those asked for last; each holds two reports open."""
_REMEDY: Final = (
    "r fetches the report anew, platui report import FILE reads its JSON again; "
    "v keeps the damaged one no longer."
)


class CurrentReport:
    """Holds one report; `state` tells observers when it is another one, or more of it is there."""

    def __init__(self, reports: Reports) -> None:
        self.reports = reports
        self.state: Observable[CurrentReportState] = Observable(CurrentReportState())
        self._report: AccessReport | None = None
        """What is shown again when a fetch does not come to its end."""
        self._task: asyncio.Task[None] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        """Of two looks the one that began last tells last."""
        self._open_error: PlatuiError | None = None
        """What the last look told: why the newest report cannot be opened."""
        self._stamp: Stamp = ()
        self._reload_lock = asyncio.Lock()
        self._compared: dict[tuple[str, str], AccessChanges] = {}
        """By the ids of both reports; what was asked for last is last."""
        self._comparing: SingleFlight[tuple[str, str], AccessChanges] = SingleFlight()

    async def load(self) -> None:
        """Find out what is saved, and open the newest where nothing is open; once is enough."""
        if self._loading is None:
            load = self._load(compares=True)
            self._loading = asyncio.create_task(load, name="platui report look")
        # The shield: a view that is left must not take this away from the others.
        await asyncio.shield(self._loading)

    async def _load(self, *, compares: bool = False) -> None:
        async with self._lock:
            self._stamp = await self.reports.stamp()
            saved, damaged = await self.reports.saved(), await self.reports.damaged()
            report, error = self._report, None
            if report is None:
                report, error = await self._newest(saved, damaged)
            if self._report is not None:  # somebody chose it, or it was fetched, meanwhile
                report, error = self._report, None
            self._report = report
            now = self.state.value
            if now.fetching is not None:
                self._update(saved=saved, damaged=damaged, report=now.report or report)
            else:
                # Why a fetch failed is nothing that a look ends.
                failed = None if now.error is self._open_error else now.error
                self._open_error = error
                self._update(saved=saved, damaged=damaged, report=report, error=failed or error)
        if compares and report is not None:
            await self._compare_unasked(report, saved)

    async def reload(self) -> None:
        """Take note of what other programs saved, forgot or damaged; cheap where they did not.

        A newer report takes the place of the newest; who looks at an earlier one keeps that.
        """
        await self.load()
        async with self._reload_lock:
            # What a fetch brings is looked at when it is there.
            if self.is_fetching or await self.reports.stamp() == self._stamp:
                return
            newest = _first(self.state.value.saved)
            shown = self._report
            await self._load()
            arrived = next(iter(self.state.value.saved or ()), None)
            if arrived is None or arrived.id <= newest:
                return
            with suppress(ReportError):  # which is said where one opens it
                if self._report is shown and (shown is None or shown.info.id == newest):
                    await self.show(arrived.id)
            self._update(arrived=arrived)
            if self._report is not None and self._report is not shown:
                await self._compare_unasked(self._report, self.state.value.saved or ())

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
        """Return what changed between two saved reports; those asked for last are kept.

        Raises ReportError: one of them is not there, damaged, or of another version.
        """
        pair = (before, after)
        changes = self._compared.pop(pair, None)
        if changes is None:
            changes = await self._comparing.run(pair, lambda: self.reports.compare(before, after))
        self._compared[pair] = changes
        while len(self._compared) > _PAIRS:
            del self._compared[next(iter(self._compared))]
        return changes

    async def _compare_unasked(self, report: AccessReport, saved: Sequence[ReportInfo]) -> None:
        """Find what a report brought, where that takes a moment only."""
        before = next((one for one in saved if one.id < report.info.id), None)
        if before is None or max(before.memberships, report.info.memberships) > _FEW:
            return
        try:
            changes = await self.compare(before.id, report.info.id)
        except ReportError:
            return  # it is said where changes are asked for
        self._update(changes=changes)

    @property
    def is_fetching(self) -> bool:
        return self._task is not None

    def fetch(self) -> None:
        if self._task is None:
            self._update(fetching=ReportState(ReportStage.ASKING), error=None)
            self._task = asyncio.create_task(self._fetch(), name="platui report fetch")

    async def stop(self) -> bool:
        """End a fetch, and return whether there was one; what was shown before is shown again."""
        task, fetching = self._task, self.state.value.fetching
        if task is None:
            return False
        # A report that is saved is only tidied up after, which is to come to its end.
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
            told = self.state.value
            rows = None if told.fetching is None else told.fetching.report
            # They come up once: whoever turned to another report since then has that.
            is_new = state.report is not None and state.report is not rows
            self._update(fetching=state, report=state.report if is_new else told.report)
            return
        self._report = state.report or self._report
        asked_at = self.reports.now() if state.is_unchanged else None
        self._update(fetching=state, report=self._report, outcome=state, asked_at=asked_at)
        load = self._load(compares=not state.is_unchanged)
        self._loading = asyncio.create_task(load, name="platui report look")

    async def show(self, id_: str) -> None:
        """Show another saved report.

        Raises ReportError: it is not there, damaged, or of another version; nothing changes.
        """
        report = await self.reports.open(id_)
        self._report = report
        self._update(report=report, error=None)

    async def forget(self, id_: str) -> None:
        """Keep a report no longer; where it is the one shown, the newest is shown."""
        await self.reports.forget(id_)
        self._compared = {pair: one for pair, one in self._compared.items() if id_ not in pair}
        shown = self._report
        if shown is not None and shown.info.id == id_:
            self._report = None
        self._loading = asyncio.create_task(self._load(), name="platui report look")
        await asyncio.shield(self._loading)

    async def close(self) -> None:
        await self.stop()
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.wait({self._loading})

    def _update(self, **changes: Any) -> None:
        self.state.set(replace(self.state.value, **changes))


def _first(saved: Sequence[ReportInfo] | None) -> str:
    return saved[0].id if saved else ""
