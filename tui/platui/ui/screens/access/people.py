"""People of the access report, their highest levels and common properties."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual import getters, on
from textual.containers import Vertical

from platui.models.values.access import DEFAULT_ORDER, PEOPLE_TERMS
from platui.models.values.reports import ExportContent, ExportRequest
from platui.present.access.people import (
    FACETS,
    ORDERS,
    facet_rows,
    order_column,
    people_rows,
    with_term,
)
from platui.present.access.report import found_of, level_bars, term_signs
from platui.present.counts import counted
from platui.present.tables.access import people_table
from platui.ui.active_keys import bind
from platui.ui.controller import Controller, command
from platui.ui.screens.access.body import ReportBody, report_body
from platui.ui.screens.access.content import Export, ReportContent, person_route, person_words
from platui.ui.screens.access.report_keys import LIST_KEYS
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.access import AccessReport, PeopleResult
    from platui.models.values.routes import Route
    from platui.models.values.table import Column, LazyRows, Row
    from platui.present.chrome import Pieces

    PeopleRows = tuple[PeopleResult, tuple[Column, ...], LazyRows, Sequence[str]]


class FacetPane(Vertical):
    # On the container: a table with a border is slow to paint.
    DEFAULT_CSS = """
    FacetPane { display: none; width: 34; border-left: vkey $panel; }
    FacetPane:focus-within { border-left: vkey $accent; }
    """
    BINDINGS = [
        bind(
            "left",
            "access.focus_people",
            "Back to people",
            "Go back to the list of people",
            action="leave",
        )
    ]

    table = getters.query_one("#facets", Table)

    def __init__(self, content: PeopleList) -> None:
        super().__init__()
        self._content = content

    def compose(self) -> ComposeResult:
        yield Table(FACETS.layout, id="facets")

    def action_leave(self) -> None:
        self._content.body.focus_body()

    @on(Table.RowOpened, "#facets")
    def _opened(self, event: Table.RowOpened) -> None:
        event.stop()
        if not event.key.startswith("#"):
            self._content.toggle(event.key)


class PeopleList(ReportContent):
    """People found by terms; beside them their common properties."""

    NOUN = "people"
    DEFAULT_COPY = "e-mail"
    COLUMNS = people_table(None).layout
    TERMS = PEOPLE_TERMS

    def __init__(self, body: ReportBody[Any]) -> None:
        super().__init__(body)
        self.found: PeopleResult | None = None
        self.order = DEFAULT_ORDER
        self._listed: AccessReport | None = None  # The report of the shown rows
        self._first: str | None = None  # The first row, until the user leaves it

    @property
    def pane(self) -> FacetPane:
        return self.body.query_one(FacetPane)

    def beside(self) -> ComposeResult:
        yield FacetPane(self)

    @property
    def is_whole(self) -> bool:
        return self.body.query_one_optional("#facets") is not None

    def toggle(self, term: str) -> None:
        self.body.found.search(with_term(self.body.found.words, term))

    def facets(self) -> Sequence[Row]:
        return () if self.found is None else facet_rows(self.found, self.body.found.words)

    def crumbs(self) -> tuple[str, ...]:
        return ("Access",)

    def search(self, report: AccessReport) -> Callable[[], Any]:
        query, order, sort = self.body.found.words, self.order, self.sort

        def find() -> PeopleRows:
            people, table = report.people(query, order), people_table(report)
            rows = people_rows(table, report, people, sort)
            return people, table.layout, rows, report.unmatched(query)

        return find

    def take(self, report: AccessReport, answer: PeopleRows) -> None:
        """Show the people found; the cursor stays on its person."""
        self.found, columns, rows, self.unmatched = answer
        table, self.body.found.rows = self.body.table, rows
        table.set_columns(columns)
        self.mark_sort(order_column(self.order, is_whole=report.is_whole))
        before, key = self._listed, table.cursor_key
        self._listed = report
        table.show(rows)
        if before is not report:
            self._follow(before, key)
        self.pane.table.show(self.facets())

    def _follow(self, before: AccessReport | None, key: str | None) -> None:
        """Put the cursor on the same person as in the previous report, else at the top."""
        if before is None or key is None or key == self._first:
            self.body.table.action_top()
            self._first = self.body.table.cursor_key
        else:
            self._first = None
            # Row numbers differ between reports.
            self.body.table.move_to(self.row_of(before.person(int(key)).id))

    def row_of(self, number: int) -> str:
        row = self.report.person_row(number) if self.report is not None else None
        return "" if row is None else str(row)

    def tab_text(self, name: str) -> str:
        report, found = self.body.observed.report, self.found
        if name != self.body.route.view or report is None or found is None:
            return super().tab_text(name)
        if self.body.found.is_searching and self.body.found.words != found.query:
            return f"… of {report.person_count:,}"
        return found_of(len(found.rows), report.person_count, found.query)

    def levels(self) -> Pieces:
        if self.report is None or self.found is None or not self.report.is_whole:
            return ()
        counts = [(facet.value, facet.people) for facet in self.found.levels]
        return level_bars("by highest level", counts, self.body.width)

    def order_text(self) -> str:
        return "" if self.order is DEFAULT_ORDER else f"by {self.order.value}"

    def target(self, report: AccessReport, key: str) -> Route:
        return person_route(report.person(int(key)))

    def exports(self, report: AccessReport) -> Sequence[Export]:
        found = self.found
        if found is None:
            return ()
        query = found.query
        people = ExportRequest(ExportContent.PEOPLE, query, self.order)
        held = ExportRequest(ExportContent.MEMBERSHIPS, query)
        count = counted(len(found.rows), "person")
        whose = f"{count} found" if query.strip() else count
        return (
            self.export(f"the {whose}", report, people),
            self.export(f"their {counted(found.memberships, 'membership')}", report, held),
        )

    def copies(self, report: AccessReport, key: str) -> Mapping[str, str]:
        person = report.person(int(key))
        return {
            "e-mail": person.email,
            "user name": person.username,
            "name": person.name,
            "id": str(person.id),
            "service identity": person.identity or "",
            "command": self.body.context.open_command(*person_words(person)),
        }


class SortPeople(Controller[ReportBody[PeopleList]]):
    @command("S", "list.sort", "Sort")
    async def choose(self) -> None:
        """Choose the sort order."""
        orders = ((order, words) for order, (words, _) in ORDERS.items())
        await self.body.content.choose_order("Sort people by", orders)

    def disabled_reason(self, _command: str) -> str:
        return "" if self.body.content.found is not None else "No people to sort yet."


class NarrowSearch(Controller[ReportBody[PeopleList]]):
    @command("f", "access.facets", "Add filter")
    async def narrow(self) -> None:
        """Add a filter: level, state, domain or identity."""
        content = self.body.content
        if content.pane.display:
            content.pane.table.focus()
            return
        rows = [row for row in content.facets() if not row.key.startswith("#")]
        choices = ((row.key, row.key, row.cells[1].text) for row in rows)
        await self.screen.choose("Add a filter", choices, content.toggle)

    @command("right", "list.focus_details", "Add filter")
    async def enter_pane(self) -> None:
        """Go to the filters beside the list; left goes back."""
        await self.narrow()

    def disabled_reason(self, _command: str) -> str:
        return "" if self.body.content.found is not None else "No people to filter yet."


class PeopleScreen(ViewScreen):
    BODY = report_body(PeopleList)
    CONTROLLERS = (*LIST_KEYS, SortPeople, NarrowSearch)
    SIGNS = term_signs(PEOPLE_TERMS)
    FOOTER = (
        "table.open", "list.filter", "list.next_pane", "view.refresh", "access.facets",
        "access.export", "list.sort", "access.reports", "list.details", "app.command",
    )  # fmt: skip
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide"), (160, "-vast")]
    DEFAULT_CSS = """
    PeopleScreen.-wide FacetPane, PeopleScreen.-vast FacetPane { display: block; }
    """
