"""The access reports of a service, opened on first use and shared by all views."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Any, cast

from platui.service.cancellation import cancel_and_wait

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from platui.config.credentials import Credentials
    from platui.service.access.current_report import CurrentReport
    from platui.service.access.reports import Reports
    from platui.service.service_context import ServiceContext


class AccessReports:
    """Opens the saved reports and the current one; `prepare` runs once before the current one."""

    def __init__(
        self,
        context: ServiceContext,
        credentials: Credentials | None,
        prepare: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        self._context = context
        self._credentials = credentials
        self._prepare = prepare
        self._preparing: asyncio.Task[None] | None = None
        self._saved: Reports | None = None
        self._current: CurrentReport | None = None

    async def open_saved(self) -> Reports:
        """Return the saved reports."""
        if self._saved is None:
            keeps = not self._context.profile.is_in_memory
            opener = await asyncio.to_thread(_load_reports_class, keeps=keeps)
            if self._saved is None:
                self._saved = opener(self._context, self._credentials)
        return self._saved

    async def current(self) -> CurrentReport:
        """Return the current report."""
        if self._prepare is not None:
            if self._preparing is None:
                self._preparing = asyncio.create_task(
                    self._prepare(), name="platui prepare reports"
                )
            # Shielded: a closed view must not cancel the preparation for the others.
            await asyncio.shield(self._preparing)
        if self._current is None:
            module = await asyncio.to_thread(
                importlib.import_module, "platui.service.access.current_report"
            )
            saved = await self.open_saved()
            if self._current is None:
                self._current = cast("CurrentReport", module.CurrentReport(saved))
        return self._current

    @property
    def is_fetching(self) -> bool:
        return self._current is not None and self._current.is_fetching

    async def stop_preparing(self) -> None:
        await cancel_and_wait(self._preparing)

    async def close(self) -> None:
        if self._current is not None:
            await self._current.close()
        if self._saved is not None:
            await self._saved.close()


def _load_reports_class(*, keeps: bool) -> type[Reports]:
    """Import the reports, after moving saved ones out of the cache folder."""
    if keeps:
        importlib.import_module("platui.service.access.report_folders").move_from_cache()
    return cast("type[Reports]", importlib.import_module("platui.service.access.reports").Reports)
