"""Base of what the access report's views list: search, rows, lines and exports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.reports import ExportRequest, PageSelection
from platui.models.values.routes import Route
from platui.present.access.changes import member_delta
from platui.present.access.report import (
    Tab,
    level_bars,
    people_over_time,
    report_details,
    report_pieces,
    tabs_line,
)
from platui.ui import views
from platui.ui.route_lines import parse_id

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.access import AccessPlace, AccessReport, Person, ReportInfo, TermHelp
    from platui.models.values.table import Column, SortKey
    from platui.present.chrome import Pieces
    from platui.present.details.layout import Details
    from platui.ui.screens.access.body import ReportBody
    from platui.ui.view import View


class Export(NamedTuple):
    what: str
    name: str  # Its part of the file name
    make: Callable[[], Any]  # Returns its table


class ReportContent:
    IS_LIST: ClassVar[bool] = True  # Not the page of an entry
    IS_COMPARED: ClassVar[bool] = False  # Whether it lists changes
    NOUN: ClassVar[str] = "rows"
    DEFAULT_COPY: ClassVar[str] = ""  # The copy that `y` takes
    COLUMNS: ClassVar[tuple[Column, ...]] = ()
    TERMS: ClassVar[Sequence[TermHelp]] = ()  # Search terms

    order: Any = None  # A value of the enumeration of its orders
    sort: SortKey | None = None  # The column whose head was clicked, instead of the order
    unmatched: Sequence[str] = ()  # Messages about terms without a match

    def __init__(self, body: ReportBody[Any]) -> None:
        self.body = body
        self.before_id = ""  # Id of the chosen earlier report; empty: the previous one

    @property
    def report(self) -> AccessReport | None:
        return self.body.found.report

    def beside(self) -> ComposeResult:
        """Yield the widgets right of the rows."""
        yield from ()

    @property
    def is_whole(self) -> bool:
        return True

    def search_key(self) -> object:
        """Return all values that the rows depend on."""
        return (self.body.observed.report, self.body.found.words, self.order, self.sort)

    def search(self, report: AccessReport) -> Callable[[], Any]:
        """Return a function that finds the rows, to be called in a thread."""
        raise NotImplementedError

    async def answer(self, report: AccessReport) -> Any:
        """Find the rows. Raises TermError if the search is invalid."""
        return await asyncio.to_thread(self.search(report))

    def take(self, report: AccessReport, answer: Any) -> None:
        raise NotImplementedError

    async def choose_order(self, title: str, orders: Iterable[tuple[Any, str]]) -> None:
        """Let the user choose the order of the rows: pairs of a value and its words."""

        def sort(chosen: Any) -> None:
            self.order = chosen
            self.sort_by(None)

        await self.body.host.choose(title, orders, sort)

    def sort_by(self, sort: SortKey | None) -> None:
        """Sort by a column, or in the named order."""
        self.sort = sort
        self.body.found.refresh()
        self.body.draw()

    def mark_sort(self, named: SortKey | None = None) -> None:
        """Mark the head of the column that sorts the rows: the clicked one, or of the order."""
        key, descending = self.sort or named or (None, False)
        keys = {one.key for one in self.body.table.nonblank_columns}
        self.body.table.sort_by(key if key in keys else None, descending)

    def report_changed(self) -> None:
        """Handle a new report while the old rows are still shown."""

    def forget(self) -> None:
        """Clear the data of the previous route."""

    def target(self, report: AccessReport, key: str) -> Route | None:
        """Return the page that a row opens."""
        raise NotImplementedError

    def copies(self, report: AccessReport, key: str) -> Mapping[str, str]:
        """Return the copies of a row: name -> text."""
        raise NotImplementedError

    def row_of(self, number: int) -> str:
        """Return the key of the row with this id; empty: the report has none."""
        return str(number)

    def place_here(self) -> AccessPlace | None:
        """Return the group or project of this page, or under the cursor."""
        return None

    def exports(self, report: AccessReport) -> Sequence[Export]:
        raise NotImplementedError

    def export(self, what: str, report: AccessReport, order: ExportRequest) -> Export:
        from platui.service.access.export import sheet_of  # noqa: PLC0415  (on first use)

        return Export(what, order.what.value, partial(sheet_of, report, order))

    def details(self, report: AccessReport) -> Details | None:
        return report_details(report.info, self.body.now, utc=self.body.utc)

    def compared_with(self) -> ReportInfo | None:
        earlier = self.body.observed.earlier
        chosen = (one for one in earlier if one.id == self.before_id)
        return next(chosen, next(iter(earlier), None))

    def heading(self) -> str:
        return views.get(self.body.route.view).tab_title

    def crumbs(self) -> tuple[str, ...]:
        return ("Access", self.heading())

    def summary(self) -> tuple[Pieces, Pieces]:
        report, body = self.body.observed.report, self.body
        if report is None:
            return (), ()
        pieces = report_pieces(report.info, body.now, utc=body.utc, is_whole=report.is_whole)
        return pieces, people_over_time(body.observed.saved) if body.has_room else ()

    def levels(self) -> Pieces:
        return ()

    def level_bars(
        self, heading: str, report: AccessReport, counts: Sequence[int], room: int | None = None
    ) -> Pieces:
        bars = list(zip(reversed(report.levels), reversed(counts), strict=True))
        return level_bars(heading, bars, self.body.width if room is None else room)

    def tabs(self) -> tuple[Pieces, Pieces]:
        """Return the tabs of all lists, and the search of this one."""
        body = self.body
        if body.observed.report is None:
            return (), ()
        tabs = [Tab(view.tab_title, self.tab_text(view.id)) for view in report_lists()]
        return tabs_line(
            tabs, views.get(body.route.view).tab_title, body.found.applied,
            more=body.marks_and_order(), room=body.width,
        )  # fmt: skip

    def tab_text(self, name: str) -> str:
        report = self.body.observed.report
        if report is None:
            return ""
        if name == "access":
            return f"{report.person_count:,}"
        if name == "groups":
            return f"{report.place_count:,}"
        since = self.compared_with()
        if since is None:
            return ""
        text = f"since {self.body.observed.time_of(since)}"
        changes = self.body.observed.state.changes
        if changes is None or (changes.before.id, changes.after.id) != (since.id, report.info.id):
            return text
        return f"{text}  {member_delta(changes)}"

    def order_text(self) -> str:
        return ""

    def empty(self) -> str:
        words = self.body.found.words.strip()
        if not words:
            return f"The report has no {self.NOUN}."
        return f"No {self.NOUN} with {words}\n\nesc  clear the search"


class ReportPage(ReportContent):
    """A page of one entry: facts above, memberships below."""

    IS_LIST = False
    NOUN = "memberships"

    def __init__(self, body: ReportBody[Any]) -> None:
        super().__init__(body)
        self.subject_row: int | None = None

    def row_in(self, report: AccessReport) -> int | None:
        raise NotImplementedError

    @property
    def entry_id(self) -> int:
        id_ = parse_id(self.body.route.entry.rpartition(" ")[2])
        return -1 if id_ is None else id_  # a typed entry may have no id: no report contains it

    def search_key(self) -> object:
        return (super().search_key(), self.body.route.entry)

    def exports_of_search(self, report: AccessReport, order: ExportRequest) -> Sequence[Export]:
        """Return the export of the rows found by a search in this page."""
        found = self.body.found
        words = found.applied.strip()  # Those of the rows, while others are searched
        if not words:
            return ()
        listed = PageSelection(words, frozenset(int(row.key) for row in found.rows))
        what = f"the {len(listed.rows):,} with {clean(words)}"
        return (self.export(what, report, replace(order, listed=listed)),)

    def forget(self) -> None:
        self.body.found.forget()
        self.subject_row = None

    def search_text(self) -> Pieces:
        body = self.body
        return tabs_line((), "", body.found.applied, more=body.marks_and_order())[1]

    def empty(self) -> str:
        if self.subject_row is None:
            return f"This report does not contain {clean(self.body.route.entry)}.\n\nesc  back"
        return super().empty()


def report_lists() -> list[View]:
    return [view for view in views.all_views() if view.tab_group == "access"]


def person_route(person: Person) -> Route:
    return Route("person", entry=f"person {person.id}")


def person_words(person: Person) -> tuple[str, ...]:
    """Return the command words that print the memberships of a person."""
    return ("report", "show", "--person", str(person.id))


def place_words(place: AccessPlace) -> tuple[str, ...]:
    """Return the command words that print the members of a group or project."""
    return ("report", "show", f"--{place.kind}", place.path or str(place.id))


def listed_row(report: AccessReport, entry: str) -> int | None:
    """Return the row of a place in an entry of `members_route`; None: not in this report."""
    kind, _, rest = entry.partition(" ")
    id_, _, which = rest.partition("@")
    number = parse_id(id_)
    if number is None:  # A typed entry may have no id
        return None
    found = report.place_row("group" if kind == "group" else "project", number)
    row = parse_id(which)
    if found is None or row is None or not 0 <= row < report.place_count:
        return found
    first, place = report.place(found), report.place(row)
    return row if (place.kind, place.id) == (first.kind, first.id) else found


def members_route(report: AccessReport, row: int) -> Route:
    place = report.place(row)
    # A report may list a group or project in several places, each with members of its own.
    which = "" if report.place_row(place.kind, place.id) == row else f"@{row}"
    return Route("members", entry=f"{place.kind} {place.id}{which}")
