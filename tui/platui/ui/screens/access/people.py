"""People of the access report: who is there, what they hold at most, and what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from textual import getters, on
from textual.containers import Vertical

from platui.models.values.access import USUAL_ORDER, PeopleOrder
from platui.models.values.access_terms import PEOPLE_TERMS
from platui.models.values.reports import Exported, ExportOrder
from platui.present.access.people import (
    FACETS,
    ORDERS,
    facet_rows,
    order_column,
    people_rows,
    with_term,
)
from platui.present.access.report import found_of, level_bars, term_signs
from platui.present.tables.access import people_table
from platui.ui.keys_in_use import bind
from platui.ui.screens.access.base import AccessScreen, person_place, person_words
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from textual.app import ComposeResult

    from platui.models.values.access import AccessReport, PeopleAnswer, Person
    from platui.present.tables.spec import TableSpec
    from platui.ui.screens.access.actions import Export


class _Found(NamedTuple):
    """What was found in another thread."""

    people: PeopleAnswer
    table: TableSpec[Person]
    slips: tuple[str, ...]  # What nobody has


class PeopleScreen(AccessScreen):
    """Searched by terms; beside them stands what those found have in common."""

    NOUN = "people"
    COPIED = "e-mail"
    COLUMNS = people_table(None).layout
    TERMS = PEOPLE_TERMS
    SIGNS = term_signs(PEOPLE_TERMS)
    PARTS = (*AccessScreen.PARTS, "#facets")
    FOOTER = (
        "table.open", "list.filter", "list.pane", "place.refresh", "access.facets", "access.export",
        "list.sort", "access.reports", "list.details", "app.command",
    )  # fmt: skip
    DEFAULT_CSS = """
    PeopleScreen #beside { display: none; width: 34; border-left: vkey $panel; }
    PeopleScreen #beside:focus-within { border-left: vkey $accent; }
    PeopleScreen.-wide #beside, PeopleScreen.-vast #beside { display: block; }
    """
    BINDINGS = [
        bind(
            "f",
            "access.facets",
            "Narrow by",
            "Narrow the search by what the people found have in common",
        ),
        bind(
            "right",
            "list.read",
            "Narrow by",
            "To what the people found have in common; left goes back",
            action="facets",
        ),
        bind(
            "left",
            "access.people",
            "Back to people",
            "From what they have in common back to the people",
        ),
        bind("S", "list.sort", "Sort", "Choose the order that people stand in"),
    ]

    facets = getters.query_one("#facets", Table)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._answer: PeopleAnswer | None = None
        self._order = USUAL_ORDER
        self._listed: AccessReport | None = None  # The report that the rows in the table are of
        self._first: str | None = None  # The first row, as long as the user has not left it

    def crumbs(self) -> tuple[str, ...]:
        """Return the name of the area."""
        return ("Access",)

    def right_pane(self) -> ComposeResult:
        """Yield what the people found have in common."""
        # The border is the container's: a table with one of its own is slow to paint.
        with Vertical(id="beside"):
            yield Table(FACETS.layout, id="facets")

    def wanted(self) -> object:
        """Return report, search and order."""
        return (self.told.report, self.query_text, self._order)

    def search(self, report: AccessReport) -> Callable[[], _Found]:
        """Return what finds the people, and the table that they need."""
        query, order = self.query_text, self._order
        return lambda: _Found(
            report.people(query, order), people_table(report), report.unmatched(query)
        )

    def found(self, report: AccessReport, answer: _Found) -> None:
        """Show the people found; the cursor stays on whom it was moved to."""
        people, table, self.slips = answer
        self._answer, self.found_rows = people, people_rows(table, report, people)
        self.table.set_columns(table.layout)
        self._tell_order(report)
        before, key = self._listed, self.table.cursor_key
        self._listed = report
        self.table.show(self.found_rows)
        if before is not report:
            self._follow(before, key)
        self.facets.show(facet_rows(people, self.query_text))

    def _follow(self, before: AccessReport | None, key: str | None) -> None:
        """Put the cursor on whom it was moved to in the report of before, else at the top."""
        if before is None or key is None or key == self._first:
            self.table.action_top()
            self._first = self.table.cursor_key
        else:
            self._first = None
            # The same person has another row in another report.
            self.go_to_number(before.person(int(key)).id)

    def _tell_order(self, report: AccessReport) -> None:
        sort = order_column(self._order, is_whole=report.is_whole)
        if sort != self.table.sort:
            self.table.sort_by(*(sort or (None, False)))

    def go_to_number(self, number: int) -> bool:
        """Put the cursor on the person with this id."""
        report = self.shown
        row = report.person_row(number) if report is not None else None
        return row is not None and self.table.move_to(str(row))

    def tab_told(self, name: str) -> str:
        """Return how many people the search finds."""
        report, answer = self.told.report, self._answer
        if name != self.place.view or report is None or answer is None:
            return super().tab_told(name)
        if self.is_searching and self.query_text != answer.query:
            return f"… of {report.person_count:,}"
        return found_of(len(answer.rows), report.person_count, answer.query)

    def draw_levels(self) -> None:
        """Show the highest levels of the people found."""
        report, answer = self.shown, self._answer
        if report is None or answer is None or not report.is_whole:
            self.levels.show(())
            return
        counts = [(facet.value, facet.people) for facet in answer.levels]
        self.levels.show(level_bars("by highest level", counts, self.size.width))

    def order_told(self) -> str:
        """Return in which order people stand."""
        return "" if self._order is USUAL_ORDER else f"by {self._order.value}"

    def open_row(self, key: str) -> None:
        """Go to everything that the person holds."""
        if self.shown is not None:
            self.go_to(person_place(self.shown.person(int(key))))

    async def action_sort(self) -> None:
        """Choose the order."""

        def sort(chosen: str) -> None:
            self._order = PeopleOrder(chosen)
            self.seek()

        orders = ((order.value, words) for order, (words, _) in ORDERS.items())
        await self.choose("Order of people", orders, sort)

    async def action_facets(self) -> None:
        """Go to what the people found have in common; on a narrow screen as a menu."""
        if self._answer is None:
            return
        if self.query_one("#beside").display:
            self.facets.focus()
            return
        rows = facet_rows(self._answer, self.query_text)
        choices = (
            (row.key, row.key, row.cells[1].text) for row in rows if not row.key.startswith("#")
        )
        await self.choose("Narrow by what they have in common", choices, self._toggle)

    def action_people(self) -> None:
        """Go back to the people."""
        self.table.focus()

    @on(Table.RowOpened, "#facets")
    def _facet_opened(self, event: Table.RowOpened) -> None:
        event.stop()
        if not event.key.startswith("#"):
            self._toggle(event.key)

    def _toggle(self, term: str) -> None:
        self.filter_entered(with_term(self.query_text, term))

    def exports(self, report: AccessReport) -> Sequence[Export]:
        """Return the people found, and their memberships that the search names."""
        answer = self._answer
        if answer is None:
            return ()
        found, query = len(answer.rows), answer.query
        people = ExportOrder(Exported.PEOPLE, query, self._order)
        held = ExportOrder(Exported.MEMBERSHIPS, query)
        whose = "people found" if query.strip() else "people"
        return (
            self.exported(f"the {found:,} {whose}", report, people),
            self.exported(f"their {answer.memberships:,} memberships", report, held),
        )

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return what names a person."""
        report = self.shown
        if report is None:
            return {}
        person = report.person(int(key))
        return {
            "e-mail": person.email,
            "user name": person.username,
            "name": person.name,
            "id": str(person.id),
            "service identity": person.identity or "",
            "command": self.opening(*person_words(person)),
        }

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Go back to the people from beside them only."""
        if action == "people":
            return self.is_whole and self.facets.has_focus
        if action in {"facets", "sort"} and self._answer is None:
            return None
        return super().check_action(action, parameters)
