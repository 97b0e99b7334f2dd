"""Page of a person of the access report: the person's memberships."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from platui.models.values.reports import ExportContent, ExportRequest
from platui.present.access.details import person_details
from platui.present.access.memberships import (
    EFFECTIVE_HELP,
    holdings_of,
    identity_pieces,
    person_columns,
    person_holding_rows,
    person_pieces,
)
from platui.present.chrome import Pieces, Sign
from platui.present.counts import counted
from platui.present.tables.memberships import PERSON_MEMBERSHIPS
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import FocusDetails
from platui.ui.screens.access.body import ReportBody, report_body
from platui.ui.screens.access.content import ReportPage, members_route, person_words
from platui.ui.screens.access.report_keys import REPORT_KEYS
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.access import AccessReport, Person
    from platui.models.values.routes import Route
    from platui.models.values.table import Column, Row
    from platui.present.details.layout import Details
    from platui.ui.screens.access.content import Export

    Holdings = tuple[Sequence[Row], tuple[Column, ...]]


class PersonPage(ReportPage):
    DEFAULT_COPY = "path"
    COLUMNS = PERSON_MEMBERSHIPS.layout

    def __init__(self, body: ReportBody[Any]) -> None:
        super().__init__(body)
        self.is_by_level = True

    def row_in(self, report: AccessReport) -> int | None:
        return report.person_row(self.entry_id)

    @property
    def person(self) -> Person | None:
        if self.report is None or self.subject_row is None:
            return None
        return self.report.person(self.subject_row)

    def heading(self) -> str:
        person = self.person
        return "Person" if person is None else person.name or person.username or str(person.id)

    def search_key(self) -> object:
        return (super().search_key(), self.is_by_level, self.body.has_room)

    def search(self, report: AccessReport) -> Callable[[], Holdings]:
        row, words, by_level = self.row_in(report), self.body.found.words, self.is_by_level
        is_wide, sort = self.body.has_room, self.sort

        def find() -> Holdings:
            if row is None:
                return (), PERSON_MEMBERSHIPS.layout
            held = holdings_of(report, row, words, by_level=by_level)
            rows = person_holding_rows(report, held, sort, is_wide=is_wide)
            return rows, person_columns(report, held, is_wide=is_wide)

        return find

    def take(self, report: AccessReport, answer: Holdings) -> None:
        self.subject_row = self.row_in(report)
        self.body.found.rows, columns = answer
        self.body.table.set_columns(columns)
        self.mark_sort(("level", True) if self.is_by_level else ("path", False))
        self.body.host.update_header()

    def summary(self) -> tuple[Pieces, Pieces]:
        person = self.person
        return () if person is None else person_pieces(person), ()

    def levels(self) -> Pieces:
        report, person = self.report, self.person
        if report is None or person is None or not report.is_whole:
            return ()
        return self.level_bars(counted(sum(person.counts), "membership"), report, person.counts)

    def tabs(self) -> tuple[Pieces, Pieces]:
        person = self.person
        return () if person is None else identity_pieces(person), self.search_text()

    def target(self, report: AccessReport, key: str) -> Route:
        return members_route(report, int(key))

    def details(self, report: AccessReport) -> Details | None:
        person, body = self.person, self.body
        if person is None:
            return None
        return person_details(report, person, body.now, utc=body.utc)

    def exports(self, report: AccessReport) -> Sequence[Export]:
        person = self.person
        if person is None:
            return ()
        order = ExportRequest(ExportContent.MEMBERSHIPS, f"id:{person.id}")
        what = f"{counted(sum(person.counts), 'membership')} of {self.heading()}"
        return (*self.exports_of_search(report, order), self.export(what, report, order))

    def copies(self, report: AccessReport, key: str) -> Mapping[str, str]:
        person = self.person
        if person is None:
            return {}
        place = report.place(int(key))
        return {
            "path": place.path,
            "id": str(place.id),
            "e-mail of the person": person.email,
            "user name": person.username,
            "id of the person": str(person.id),
            "command": self.body.context.open_command(*person_words(person)),
        }


class SortMemberships(Controller[ReportBody[PersonPage]]):
    @command("S", "list.sort", "Sort")
    def turn(self) -> None:
        """Choose the column to sort by."""
        content = self.body.content
        content.is_by_level = not content.is_by_level
        content.sort_by(None)


class PersonScreen(ViewScreen):
    BODY = report_body(PersonPage)
    CONTROLLERS = (*REPORT_KEYS, FocusDetails, SortMemberships)
    SIGNS = (Sign("EFFECTIVE", "column", EFFECTIVE_HELP),)
    FOOTER = (
        "table.open", "view.back", "list.filter", "list.sort", "access.export", "list.copy",
        "list.details", "app.command",
    )  # fmt: skip
