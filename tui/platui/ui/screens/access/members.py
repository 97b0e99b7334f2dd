"""Page of a group or project of the access report: its members."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.models.values.reports import ExportContent, ExportRequest
from platui.present.access.details import place_details
from platui.present.access.memberships import (
    EFFECTIVE_HELP,
    HELD_HELP,
    MemberOrder,
    member_rows,
    members_of,
    owners_pieces,
    place_pieces,
)
from platui.present.access.report import fitting
from platui.present.chrome import Pieces, Sign
from platui.present.counts import counted
from platui.present.files.artifacts import name_in_file
from platui.present.tables.memberships import MEMBERS
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import FocusDetails
from platui.ui.screens.access.body import ReportBody, report_body
from platui.ui.screens.access.content import ReportPage, listed_row, person_route, place_words
from platui.ui.screens.access.report_keys import REPORT_KEYS, ShowAllMembers
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.access import AccessPlace, AccessReport
    from platui.models.values.routes import Route
    from platui.models.values.table import Row
    from platui.present.access.memberships import MembersFound
    from platui.present.details.layout import Details
    from platui.ui.screens.access.content import Export

    Members = tuple[MembersFound | None, Sequence[Row], Pieces]  # Members, rows, owners


_SORT_COLUMNS: Final = {
    MemberOrder.EFFECTIVE: ("effective", True), MemberOrder.DIRECT: ("held", False),
    MemberOrder.NAME: ("name", False),
}  # fmt: skip
_ORDER_LABELS: Final = {MemberOrder.DIRECT: "direct first", MemberOrder.NAME: "by name"}


class MembersPage(ReportPage):
    """Members of a group or project; level counts of a group include all below it."""

    NOUN = "members"
    DEFAULT_COPY = "e-mail"
    COLUMNS = MEMBERS.layout

    def __init__(self, body: ReportBody[Any]) -> None:
        super().__init__(body)
        self.order = MemberOrder.EFFECTIVE
        self._members: MembersFound | None = None  # Counts of all, and those found
        self._owners: Pieces = ()  # The owners

    def row_in(self, report: AccessReport) -> int | None:
        return listed_row(report, self.body.route.entry)

    def place_here(self) -> AccessPlace | None:
        if self.report is None or self.subject_row is None:
            return None
        return self.report.place(self.subject_row)

    def heading(self) -> str:
        place = self.place_here()
        return "Members" if place is None else place.path or place.name or str(place.id)

    def search(self, report: AccessReport) -> Callable[[], Members]:
        row, words, order = self.row_in(report), self.body.found.words, self.order
        sort = self.sort

        def find() -> Members:
            if row is None:
                return None, (), ()
            members = members_of(report, row, words, order)
            rows = member_rows(report, row, members.holdings, sort)
            return members, rows, owners_pieces(report, members.owners)

        return find

    def take(self, report: AccessReport, answer: Members) -> None:
        self.subject_row = self.row_in(report)
        self._members, self.body.found.rows, self._owners = answer
        self.mark_sort(_SORT_COLUMNS[self.order])
        self.body.host.update_header()

    def summary(self) -> tuple[Pieces, Pieces]:
        place, members = self.place_here(), self._members
        pieces: Pieces = ()
        if place is not None and members is not None:
            pieces = place_pieces(place, members.direct, members.above)
        return fitting(pieces, self.body.width - 1), ()

    def levels(self) -> Pieces:
        return self._owners if self.report is not None and self.report.is_whole else ()

    def tabs(self) -> tuple[Pieces, Pieces]:
        """Return memberships by level: of a group and all below, or of a project."""
        right = self.search_text()
        place, report, members = self.place_here(), self.report, self._members
        if place is None or report is None or members is None or not report.is_whole:
            return (), right
        held, heading = report.level_counts(place.row), "in it and below"
        if place.kind == "project":
            held, heading = members.levels, counted(members.direct + members.above, "member")
        room = self.body.width - sum(len(text) for text, _ in right)
        return self.level_bars(heading, report, held, room), right

    def order_text(self) -> str:
        return "" if self.order is MemberOrder.EFFECTIVE else _ORDER_LABELS[self.order]

    def target(self, report: AccessReport, key: str) -> Route:
        return person_route(report.person(int(key)))

    def details(self, report: AccessReport) -> Details | None:
        place, members, body = self.place_here(), self._members, self.body
        if place is None or members is None:
            return None
        return place_details(report, place, members, body.now, utc=body.utc)

    def exports(self, report: AccessReport) -> Sequence[Export]:
        place, members = self.place_here(), self._members
        if place is None or members is None:
            return ()
        direct = f"{counted(place.members, 'direct member')} of {self.heading()}"
        order = ExportRequest(ExportContent.MEMBERS, place=place.row)
        found = [self.export(direct, report, order)]
        if members.above:
            order = ExportRequest(ExportContent.EFFECTIVE, place=place.row)
            every = f"{direct}, and {members.above:,} inherited"
            found.insert(0, self.export(every, report, order))
        return (*self.exports_of_search(report, order), *found)

    def export(self, what: str, report: AccessReport, order: ExportRequest) -> Export:
        export, place = super().export(what, report, order), self.place_here()
        name = name_in_file(place.path) if place is not None else ""
        return export._replace(name=f"{export.name}-{name}") if name else export

    def copies(self, report: AccessReport, key: str) -> Mapping[str, str]:
        place = self.place_here()
        if place is None:
            return {}
        person = report.person(int(key))
        return {
            "e-mail": person.email,
            "user name": person.username,
            "id": str(person.id),
            f"path of this {place.kind}": place.path,
            "command": self.body.context.open_command(*place_words(place)),
        }


class SortMembers(Controller[ReportBody[MembersPage]]):
    @command("S", "list.sort", "Sort")
    async def choose(self) -> None:
        """Choose the column to sort by."""
        orders = ((one, one.value) for one in MemberOrder)
        await self.body.content.choose_order("Sort members by", orders)


class MembersScreen(ViewScreen):
    BODY = report_body(MembersPage)
    CONTROLLERS = (*REPORT_KEYS, FocusDetails, ShowAllMembers, SortMembers)
    SIGNS = (Sign("EFFECTIVE", "column", EFFECTIVE_HELP), Sign("SOURCE", "column", HELD_HELP))
    FOOTER = (
        "table.open", "view.back", "access.all_members", "list.filter", "list.sort",
        "access.export", "list.copy", "list.details", "app.command",
    )  # fmt: skip
