"""Export rows of the access report to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from platui.ui.controller import Controller, command
from platui.ui.screens.access.body import ReportBody

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from platui.models.values.access import AccessReport
    from platui.models.values.reports import ExportFormat, ExportRequest
    from platui.service import PlatformService
    from platui.ui.dialogs.save import WriteRows


class Export(NamedTuple):
    what: str
    name: str  # Its part of the file name
    write: WriteRows


class ExportRows(Controller[ReportBody[Any]]):
    @command("x", "access.export", "Export")
    async def choose(self) -> None:
        """Export the listed rows to a file: CSV, JSON lines or Markdown."""
        report, content = self.body.found.report, self.body.content
        exports: Sequence[Export] = content.exports(report) if report is not None else ()
        if len(exports) == 1:
            self._ask_where(exports[0])
        elif exports:
            choices = ((str(at), one.what) for at, one in enumerate(exports))
            await self.screen.choose(
                "Export", choices, lambda chosen: self._ask_where(exports[int(chosen)])
            )

    def disabled_reason(self, _command: str) -> str:
        report = self.body.found.report
        return (
            ""
            if report is not None and report.is_whole
            else "The report is not completely loaded yet."
        )

    def _ask_where(self, export: Export) -> None:
        from platui.ui.dialogs.save import export_dialog  # noqa: PLC0415  (on first use)

        report = self.body.found.report
        if report is not None:
            name = f"access-{export.name}-{report.info.fetched_at:%Y-%m-%d}"
            self.screen.app.push_screen(export_dialog(export.what, name, export.write))


def report_export(
    service: PlatformService, what: str, report: AccessReport, order: ExportRequest
) -> Export:
    async def write(
        form: ExportFormat, target: Path, report_progress: Callable[[float], None], *, replace: bool
    ) -> int:
        reports = await service.reports()
        return await reports.export(report, order, form, target, report_progress, replace=replace)

    return Export(what, order.what.value, write)
