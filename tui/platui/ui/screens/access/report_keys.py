"""Keys of every view of the access report, and of the saved reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError
from platui.models.values.access import ReportInfo, term_of
from platui.models.values.routes import Route
from platui.present.access.report import admin_key_help
from platui.present.counts import counted
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import CopyMenu
from platui.ui.controllers.view_keys import GoBack
from platui.ui.messages import CopyText, OpenPage
from platui.ui.screens.access.body import ReportBody
from platui.ui.screens.access.content import Export, report_lists
from platui.ui.screens.access.search import SearchReport

if TYPE_CHECKING:
    from platui.models.values.reports import DamagedReport
    from platui.present.details.layout import Details
    from platui.ui.screens.parts.view_screen import Choice

# Footer without a report
_WITHOUT_REPORT: Final = ("view.refresh", "access.docs", "view.back", "app.command")
_CANNOT: Final = "cannot be opened; enter shows why"


class SortByHead(Controller[ReportBody[Any]]):
    def head_clicked(self, column: str) -> None:
        self.body.content.sort_by((column, self.body.table.sort == (column, False)))


class FetchReport(Controller[ReportBody[Any]]):
    @command("r,ctrl+r", "view.refresh", "Fetch")
    def fetch(self) -> None:
        """Fetch the report again from the administration API; esc stops."""
        self.body.observed.fetch()

    def disabled_reason(self, _command: str) -> str:
        is_fetching = self.body.observed.state.fetching is not None
        return "The report is already being fetched." if is_fetching else ""

    def undo(self) -> bool:
        """Stop a fetch in a list; beside the page of an entry it continues."""
        return self.body.content.IS_LIST and self.body.observed.stop_fetch()

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        """Return the keys that get a report, if there is none."""
        return names if self.body.observed.report is not None else _WITHOUT_REPORT


class AdminApiKeys(Controller[ReportBody[Any]]):
    """Shows the documentation of the administration API, and the source of its key."""

    @command("A", "view.token", "Admin key")
    def show_key_source(self) -> None:
        """Show the source of the administration API key."""
        self.screen.show_hint(admin_key_help(self.body.service.profile.name))

    @command("o", "access.docs", "Documentation")
    def open_docs(self) -> None:
        """Open the documentation of the administration API."""
        current, profile = self.body.observed.current, self.body.service.profile
        if current is None:
            return
        try:
            address = current.reports.docs_address()
        except PlatuiError as error:
            self.screen.show_error(error)
        else:
            self.screen.post_message(OpenPage(address, profile.admin_url or ""))


class ReportDetails(Controller[ReportBody[Any]]):
    @command("d", "list.details", "Details")
    def show(self) -> None:
        """Show details of this report, person, group or project."""
        from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

        self.screen.app.push_screen(DetailsDialog(self._details))

    def _details(self, _: object = None) -> Details | None:
        report = self.body.found.report or self.body.observed.report
        return None if report is None else self.body.content.details(report)

    def disabled_reason(self, _command: str) -> str:
        return "" if self.body.observed.report is not None else "No report yet."


class CopyIdentifiers(Controller[ReportBody[Any]]):
    @command("y", "list.copy", "Copy")
    def copy(self) -> None:
        """Copy an identifier of this row, or of the marked ones."""
        names = self.body.context.copy_values(self.body.DEFAULT_COPY)
        self.screen.post_message(CopyText("\n".join(names)))

    def disabled_reason(self, _command: str) -> str:
        names = self.body.context.copy_values(self.body.DEFAULT_COPY)
        return "" if any(names) else "Nothing to copy here."


class ExportRows(Controller[ReportBody[Any]]):
    @command("x", "access.export", "Export")
    async def choose(self) -> None:
        """Export the listed rows to a file: CSV, JSON lines or Markdown."""
        report, content = self.body.found.report, self.body.content
        exports: Sequence[Export] = content.exports(report) if report is not None else ()
        if len(exports) == 1:
            self._ask_where(exports[0])
        elif exports:
            choices = ((one, one.what) for one in exports)
            await self.screen.choose("Export", choices, self._ask_where)

    def disabled_reason(self, _command: str) -> str:
        report = self.body.found.report
        is_whole = report is not None and report.is_whole
        return "" if is_whole else "The report is not completely loaded yet."

    def _ask_where(self, export: Export) -> None:
        from platui.ui.dialogs.save import export_dialog  # noqa: PLC0415  (on first use)

        report = self.body.found.report
        if report is not None:
            name = f"access-{export.name}-{report.info.fetched_at:%Y-%m-%d}"
            self.screen.app.push_screen(export_dialog(export.what, name, export.make))


class ShowChanges(Controller[ReportBody[Any]]):
    @command("c", "access.changes", "Changes")
    def show(self) -> None:
        """Show changes since the previous report, or an earlier one."""
        self.body.host.go_to(Route("changes"))


class SwitchLists(Controller[ReportBody[Any]]):
    @command("tab", "list.next_pane", "Next list")
    def turn(self) -> None:
        """Go to the next list: people, groups and projects, changes."""
        self._turn(1)

    @command("shift+tab", "list.previous_pane", "Previous list")
    def turn_back(self) -> None:
        """Go to the previous list."""
        self._turn(-1)

    def _turn(self, by: int) -> None:
        lists = [view.id for view in report_lists()]
        at = lists.index(self.body.route.view)
        self.body.host.go_to(Route(lists[(at + by) % len(lists)]))


class ShowAllMembers(Controller[ReportBody[Any]]):
    @command("e", "access.all_members", "All members")
    def show(self) -> None:
        """Show direct members of this group or project, and of all below it."""
        place = self.body.content.place_here()
        if place is not None and place.path:
            self.screen.go_to(Route("access"), term_of(place.kind, place.path))

    def disabled_reason(self, _command: str) -> str:
        place = self.body.content.place_here()
        return "" if place is not None and place.path else "Select a group or project first."


class SavedReports(Controller[ReportBody[Any]]):
    @command("v", "access.reports", "Reports")
    async def choose(self) -> None:
        """Open or delete a saved report."""

        def take(chosen: ReportInfo | DamagedReport | None) -> None:
            if chosen is None:
                delete = ("Delete which report?", self._choices(), self._confirm_deletion)
                self.screen.call_later(self.screen.choose, *delete)
            else:
                self.body.observed.show(chosen.id)

        forget = (None, "Delete a report …")
        await self.screen.choose("Saved reports", [*self._choices(), forget], take)

    def disabled_reason(self, _command: str) -> str:
        state = self.body.observed.state
        if state.saved is None:
            return "The saved reports are still loading."
        return "" if state.saved or state.damaged else "No saved reports yet."

    def _choices(self) -> list[Choice]:
        """Return all saved reports, newest first, including damaged ones."""
        state, time_of = self.body.observed.state, self.body.observed.time_of
        damaged = ((one, time_of(one), _CANNOT, "damaged") for one in state.damaged)
        choices = [*report_choices(self.body, state.saved or ()), *damaged]
        return sorted(choices, key=lambda choice: choice[0].id, reverse=True)

    def _confirm_deletion(self, one: ReportInfo | DamagedReport) -> None:
        from platui.ui.dialogs.question import QuestionDialog  # noqa: PLC0415  (on first use)

        words = [
            (f"Delete the access report of {self.body.observed.time_of(one)}?", "text"),
            ("The platform has no earlier reports: it cannot be restored.", "warning"),
        ]

        def forget(yes: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if yes:
                self.body.observed.delete(one.id)

        title = ((" Access report", "strong"),)
        self.screen.app.push_screen(QuestionDialog(title, words, lambda: True), forget)


class CompareWith(Controller[ReportBody[Any]]):
    @command("b", "access.compare_with", "Since…")
    async def choose(self) -> None:
        """Choose the earlier report to compare with."""
        body = self.body
        if not body.content.IS_COMPARED:
            words = "{access.compare_with} chooses a report to compare with in Changes: "
            self.screen.show_hint(self.screen.keyed(words + "press {access.changes} first."))
            return

        def compare(chosen: ReportInfo) -> None:
            body.content.before_id = chosen.id
            body.found.refresh()
            body.draw()

        choices = report_choices(body, body.observed.earlier)
        await self.screen.choose("Show changes since", choices, compare)

    def disabled_reason(self, _command: str) -> str:
        if self.body.observed.earlier or not self.body.content.IS_COMPARED:
            return ""
        return "No earlier report to compare with."


def report_choices(body: ReportBody[Any], infos: Sequence[ReportInfo]) -> list[Choice]:
    report = body.observed.report
    return [
        (
            info,
            body.observed.time_of(info),
            " · ".join(
                (
                    counted(info.people, "person"),
                    counted(info.memberships, "membership"),
                    str(info.origin),
                )
            ),
            "shown" if report is not None and report.info.id == info.id else "",
        )
        for info in infos
    ]


REPORT_KEYS: Final = (
    GoBack, FetchReport, AdminApiKeys, ReportDetails, CopyMenu, CopyIdentifiers, ShowChanges,
    CompareWith, ExportRows, SavedReports, SearchReport, SortByHead,
)  # fmt: skip  # In this order, `esc` clears a search before it stops a fetch
LIST_KEYS: Final = (*REPORT_KEYS, SwitchLists)
