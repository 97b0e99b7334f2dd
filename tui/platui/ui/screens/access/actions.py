"""What can be done with an access report: fetched, exported, changed for another, forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platui.core.errors import PlatuiError
from platui.models.values.places import Place
from platui.present.access.report import admin_key_told, report_details, report_time
from platui.ui.keys_in_use import bind
from platui.ui.messages import Failed, PageWanted, Told
from platui.ui.screens.access.watch import WatchesReport
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from pathlib import Path

    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.reports import DamagedReport, ExportFormat, ExportOrder
    from platui.present.details.layout import Details
    from platui.service.access.desk import ReportDesk
    from platui.ui.dialogs.replacing import WriteRows
    from platui.ui.screens.base import Choice

_FORGET: Final = "forget"
_CANNOT: Final = "cannot be opened; enter says why"


class Export(NamedTuple):
    """A part of the report that can be written to a file."""

    what: str  # In words
    name: str  # Of the file, in a word
    write: WriteRows


class ReportDeeds(WatchesReport):
    """The keys that act on the report, the same in every view of it."""

    BINDINGS = [
        bind(
            "r,ctrl+r",
            "place.refresh",
            "Fetch",
            "Fetch the report anew from the administration API; esc stops that",
        ),
        bind(
            "d",
            "list.details",
            "Details",
            "Everything known of this report, person, group or project",
        ),
        bind(
            "c",
            "access.changes",
            "Changes",
            "What is different since the report before, or any earlier one",
        ),
        bind(
            "x",
            "access.export",
            "Export",
            "Write what is listed to a file: CSV, JSON lines or Markdown",
        ),
        bind(
            "v", "access.reports", "Reports", "Look at another saved report, or keep one no longer"
        ),
        bind(
            "b",
            "access.before",
            "Since…",
            "Choose the earlier report that this one is held against; in Changes",
        ),
        bind(
            "A",
            "place.token",
            "Admin key",
            "Where the key of the administration API comes from",
            action="key",
        ),
        bind(
            "o", "access.docs", "Documentation", "Open the documentation of the administration API"
        ),
    ]

    def stop_fetch(self) -> bool:
        """Stop a fetch; return whether one was under way."""
        desk = self.desk
        if desk is None or not desk.is_fetching:
            return False
        self.run_worker(work(self._stop, desk), group="stop")
        return True

    async def _stop(self, desk: ReportDesk) -> None:
        if not await desk.stop():
            return  # it came to its end before
        kept = "; the report is as it was" if self.told.report is not None else ""
        self.post_message(Told(f"Stopped{kept}."))

    def action_refresh(self) -> None:
        """Fetch the report anew; where it is the same, nothing is sent but the question."""
        if self.desk is not None:
            self.desk.fetch()
        else:
            self.is_fetch_wanted = True

    def action_changes(self) -> None:
        """Turn to what changed."""
        self.go_to(Place("changes"))

    async def action_before(self) -> None:
        """Say where one chooses what a report is held against."""
        words = "{access.before} chooses the report to compare with in Changes: "
        self.post_message(Told(self.keyed(words + "{access.changes} leads there.")))

    def exports(self, report: AccessReport) -> Sequence[Export]:
        """Return what of the view can be written to a file."""
        del report
        return ()

    async def action_export(self) -> None:
        """Choose what to write, where there is a choice, then how and where."""
        report = self.shown
        exports = self.exports(report) if report is not None else ()
        if len(exports) == 1:
            self._export(exports[0])
        elif exports:
            choices = ((str(at), one.what) for at, one in enumerate(exports))
            await self.choose("Export", choices, lambda chosen: self._export(exports[int(chosen)]))

    def _export(self, export: Export) -> None:
        from platui.ui.dialogs.replacing import export_dialog  # noqa: PLC0415  (on first use)

        report = self.shown
        if report is not None:
            name = f"access-{export.name}-{report.info.fetched_at:%Y-%m-%d}"
            self.app.push_screen(export_dialog(export.what, name, export.write))

    def exported(self, what: str, report: AccessReport, order: ExportOrder) -> Export:
        """Return what writes a part of the report, which `what` says in words."""

        async def write(
            form: ExportFormat, target: Path, tell: Callable[[float], None], *, replace: bool
        ) -> int:
            reports = await self.service.reports()
            return await reports.export(report, order, form, target, tell, replace=replace)

        return Export(what, order.what.value, write)

    async def action_reports(self) -> None:
        """Choose which saved report is looked at, or which is kept no longer."""

        def take(chosen: str) -> None:
            if chosen == _FORGET:
                self.call_later(self._choose_to_forget)
            elif self.desk is not None:
                self._do_with(self.desk.show(chosen))

        forget = (_FORGET, "Keep one no longer …", "", "")
        await self.choose("Saved reports", [*self._kept_items(), forget], take)

    def _kept_items(self) -> list[Choice]:
        """Return all that is kept, newest first, what cannot be opened among it."""
        now = self.service.clock.now()
        damaged = (
            (one.id, report_time(one, now, utc=self.utc), _CANNOT, "damaged")
            for one in self.told.damaged
        )
        return sorted([*self.report_items(self.told.saved or ()), *damaged], reverse=True)

    def report_items(self, infos: Sequence[ReportInfo]) -> list[Choice]:
        """Return saved reports to choose from."""
        now, report = self.service.clock.now(), self.told.report
        return [
            (
                info.id,
                report_time(info, now, utc=self.utc),
                f"{info.people:,} people · {info.memberships:,} memberships · {info.origin}",
                "shown" if report is not None and report.info.id == info.id else "",
            )
            for info in infos
        ]

    async def _choose_to_forget(self) -> None:
        kept: dict[str, ReportInfo | DamagedReport] = {
            **{info.id: info for info in self.told.saved or ()},
            **{one.id: one for one in self.told.damaged},
        }
        await self.choose(
            "Which one is to go?",
            self._kept_items(),
            lambda chosen: self._ask_to_forget(kept[chosen]),
        )

    def _ask_to_forget(self, one: ReportInfo | DamagedReport) -> None:
        from platui.ui.dialogs.question import QuestionDialog  # noqa: PLC0415  (on first use)

        at = report_time(one, self.service.clock.now(), utc=self.utc)
        words = [
            (f"Keep the access report of {at} no longer?", "text"),
            ("The platform gives none of an earlier day: it does not come back.", "warning"),
        ]

        def forget(yes: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if yes and self.desk is not None:
                self._do_with(self.desk.forget(one.id))

        title = ((" Access report", "strong"),)
        self.app.push_screen(QuestionDialog(title, words, lambda: True), forget)

    def _do_with(self, deed: Coroutine[Any, Any, None]) -> None:
        async def do() -> None:
            try:
                await deed
            except PlatuiError as error:
                self.post_message(Failed(error))

        self.run_worker(work(do), group="report")

    def action_docs(self) -> None:
        """Open the documentation of the administration API."""
        if self.desk is None:
            return
        try:
            address = self.desk.reports.docs_address()
        except PlatuiError as error:
            self.post_message(Failed(error))
        else:
            self.post_message(PageWanted(address, self.service.profile.admin_url or ""))

    def action_key(self) -> None:
        """Say where the key comes from: it is another one than the access token."""
        self.post_message(Told(admin_key_told(self.service.profile.name)))

    def action_details(self) -> None:
        """Show everything known of what this view is about."""
        if self.told.report is not None:
            from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

            self.app.push_screen(DetailsDialog(self._describe))

    def _describe(self, _: object = None) -> Details | None:
        report = self.shown or self.told.report
        return None if report is None else self.describe(report)

    def describe(self, report: AccessReport) -> Details | None:
        """Return everything known of what this view is about: the report itself."""
        now = self.service.clock.now()
        return report_details(report.info, now, utc=self.utc, is_whole=report.is_whole)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what needs a report, or a saved one, or that no fetch is under way."""
        if action == "details":
            return True if self.told.report is not None else None
        if action == "export":
            return True if self.shown is not None and self.shown.is_whole else None
        if action == "reports":
            return True if self.told.saved or self.told.damaged else None
        if action == "refresh":
            return None if self.told.fetching is not None else True
        return super().check_action(action, parameters)
