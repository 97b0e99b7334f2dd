"""The keys of every view of the access report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError
from platui.models.values.access_terms import term_of
from platui.models.values.routes import Route
from platui.present.access.report import admin_key_help
from platui.ui.controller import Controller, command
from platui.ui.controllers.row_keys import CopyMenu
from platui.ui.controllers.view_keys import GoBack
from platui.ui.messages import CopyText, GoTo, OpenPage, ShowError, ShowHint
from platui.ui.screens.access.body import ReportBody
from platui.ui.screens.access.content import report_lists
from platui.ui.screens.access.exporting import ExportRows
from platui.ui.screens.access.saved_reports import CompareWith, SavedReports
from platui.ui.screens.access.search import SearchReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.present.details.layout import Details

_WITHOUT_REPORT: Final = ("view.refresh", "access.docs", "view.back", "app.command")
"""What can be done where there is no report."""


class FetchReport(Controller[ReportBody[Any]]):
    """Fetches the report."""

    @command(
        "r,ctrl+r",
        "view.refresh",
        "Fetch",
        "Fetch the report anew from the administration API; esc stops that",
    )
    def fetch(self) -> None:
        self.body.observed.fetch()

    def disabled_reason(self, _command: str) -> str:
        is_fetching = self.body.observed.state.fetching is not None
        return "The report is being fetched already." if is_fetching else ""

    def undo(self) -> bool:
        """Stop a fetch, in a list: it goes on beside the page of an entry."""
        return self.body.content.IS_LIST and self.body.observed.stop_fetch()

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        """Return, before there is a report, the keys that lead to one."""
        return names if self.body.observed.report is not None else _WITHOUT_REPORT


class AdminApiKeys(Controller[ReportBody[Any]]):
    """Shows the documentation of the administration API, and where its key comes from."""

    @command("A", "view.token", "Admin key", "Where the key of the administration API comes from")
    def show_key_source(self) -> None:
        self.screen.post_message(ShowHint(admin_key_help(self.body.service.profile.name)))

    @command(
        "o", "access.docs", "Documentation", "Open the documentation of the administration API"
    )
    def open_docs(self) -> None:
        current, profile = self.body.observed.current, self.body.service.profile
        if current is None:
            return
        try:
            address = current.reports.docs_address()
        except PlatuiError as error:
            self.screen.post_message(ShowError(error))
        else:
            self.screen.post_message(OpenPage(address, profile.admin_url or ""))


class ReportDetails(Controller[ReportBody[Any]]):
    """Shows the details of the report, or of the person, group or project."""

    @command(
        "d",
        "list.details",
        "Details",
        "Everything known of this report, person, group or project",
    )
    def show(self) -> None:
        from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

        self.screen.app.push_screen(DetailsDialog(self._details))

    def _details(self, _: object = None) -> Details | None:
        report = self.body.found.report or self.body.observed.report
        return None if report is None else self.body.content.details(report)

    def disabled_reason(self, _command: str) -> str:
        return "" if self.body.observed.report is not None else "There is no report yet."


class CopyIdentifiers(Controller[ReportBody[Any]]):
    """Copies what names a row, or the marked ones."""

    @command("y", "list.copy", "Copy", "Copy what names this row to others, or the marked ones")
    def copy(self) -> None:
        self.screen.post_message(CopyText("\n".join(self._names())))

    def disabled_reason(self, _command: str) -> str:
        return "" if self._names() else "There is nothing to copy here."

    def _names(self) -> list[str]:
        return self.body.context.copy_values(self.body.DEFAULT_COPY)


class ShowChanges(Controller[ReportBody[Any]]):
    """Leads to what changed."""

    @command(
        "c",
        "access.changes",
        "Changes",
        "What is different since the report before, or any earlier one",
    )
    def show(self) -> None:
        self.body.host.post_message(GoTo(Route("changes")))


class SwitchLists(Controller[ReportBody[Any]]):
    """Turns to another list of the report."""

    @command(
        "tab",
        "list.next_pane",
        "Next list",
        "Turn to the next list: people, groups and projects, changes",
    )
    def turn(self) -> None:
        self._turn(1)

    @command(
        "shift+tab",
        "list.previous_pane",
        "List before",
        "Turn to the list of the report before this one",
    )
    def turn_back(self) -> None:
        self._turn(-1)

    def _turn(self, by: int) -> None:
        lists = [view.id for view in report_lists()]
        at = lists.index(self.body.route.view)
        self.body.host.post_message(GoTo(Route(lists[(at + by) % len(lists)])))


class ShowAllMembers(Controller[ReportBody[Any]]):
    """Leads from a group or project to all people in it."""

    @command(
        "e",
        "access.all_members",
        "Everybody",
        "Everybody who is a direct member of this group or project, or of any below it",
    )
    def show(self) -> None:
        place = self.body.content.place_here()
        if place is not None and place.path:
            self.screen.post_message(GoTo(Route("access"), term_of(place.kind, place.path)))

    def disabled_reason(self, _command: str) -> str:
        place = self.body.content.place_here()
        return "" if place is not None and place.path else "There is no group or project here."


REPORT_KEYS: Final = (
    GoBack, FetchReport, AdminApiKeys, ReportDetails, CopyMenu, CopyIdentifiers, ShowChanges,
    CompareWith, ExportRows, SavedReports, SearchReport,
)  # fmt: skip
"""Those of every view; a search is cleared before a fetch is stopped."""
LIST_KEYS: Final = (*REPORT_KEYS, SwitchLists)
"""Those of a list of the report."""
