"""What a view of the access report lists, how that is found, and what its lines show of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

from platui.core.text import clean
from platui.models.values.reports import PageSelection
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

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from textual.app import ComposeResult

    from platui.models.values.access import AccessPlace, AccessReport, Person, ReportInfo
    from platui.models.values.access_terms import TermHelp
    from platui.models.values.table import Column
    from platui.present.chrome import Pieces
    from platui.present.details.layout import Details
    from platui.ui.screens.access.body import ReportBody
    from platui.ui.screens.access.exporting import Export
    from platui.ui.view import View


class ReportContent:
    """A list of the report."""

    IS_LIST: ClassVar[bool] = True  # Whether it is a list of the report, not the page of an entry
    IS_COMPARED: ClassVar[bool] = False  # Whether it lists what changed since another report
    NOUN: ClassVar[str] = "rows"  # What the rows are, in the plural
    DEFAULT_COPY: ClassVar[str] = ""  # Which of the copies `y` takes
    COLUMNS: ClassVar[tuple[Column, ...]] = ()
    TERMS: ClassVar[Sequence[TermHelp]] = ()  # What can be searched by

    unmatched: Sequence[str] = ()  # Sentences on search terms that match nothing in the report

    def __init__(self, body: ReportBody[Any]) -> None:
        self.body = body
        self.before_id = ""  # Id of the earlier report that was chosen; empty: the one before

    @property
    def report(self) -> AccessReport | None:
        """Return the report whose rows are shown; None: there is none."""
        return self.body.found.report

    def beside(self) -> ComposeResult:
        """Yield the widgets right of the rows."""
        yield from ()

    @property
    def is_whole(self) -> bool:
        return True

    def search_key(self) -> object:
        """Return all that the rows depend on."""
        return (self.body.observed.report, self.body.found.words)

    def search(self, report: AccessReport) -> Callable[[], Any]:
        """Return what finds the rows as they are wanted now, in another thread."""
        raise NotImplementedError

    async def answer(self, report: AccessReport) -> Any:
        """Find the rows as they are wanted now.

        Raises:
            TermError: what is searched for cannot be read.
        """
        return await asyncio.to_thread(self.search(report))

    def take(self, report: AccessReport, answer: Any) -> None:
        """Show the rows that were found."""
        raise NotImplementedError

    def report_changed(self) -> None:
        """Take note, while the rows of before are there, that others will come."""

    def forget(self) -> None:
        """Drop what belongs to another place."""

    def open(self, key: str) -> None:
        """Go where a row leads."""
        raise NotImplementedError

    def copies(self, key: str) -> Mapping[str, str]:
        """Return what names a row: what it is -> the text."""
        raise NotImplementedError

    def go_to_number(self, number: int) -> bool:
        return self.body.table.move_to(str(number))

    def place_here(self) -> AccessPlace | None:
        """Return the group or project that this is about, or that is under the cursor, if any."""
        return None

    def exports(self, report: AccessReport) -> Sequence[Export]:
        """Return what can be written to a file."""
        raise NotImplementedError

    def details(self, report: AccessReport) -> Details | None:
        """Return everything known of what this is about: the report itself."""
        now = self.body.now
        return report_details(report.info, now, utc=self.body.utc, is_whole=report.is_whole)

    def compared_with(self) -> ReportInfo | None:
        earlier = self.body.observed.earlier
        chosen = (one for one in earlier if one.id == self.before_id)
        return next(chosen, next(iter(earlier), None))

    def heading(self) -> str:
        """Return what this is about."""
        return views.get(self.body.route.view).tab_title

    def crumbs(self) -> tuple[str, ...]:
        return ("Access", self.heading())

    def summary(self) -> tuple[Pieces, Pieces]:
        report, body = self.body.observed.report, self.body
        if report is None:
            return (), ()
        now = body.now
        pieces = report_pieces(report.info, now, utc=body.utc, is_whole=report.is_whole)
        return pieces, people_over_time(body.observed.saved) if body.lines.has_room else ()

    def levels(self) -> Pieces:
        """Return the bars of levels."""
        return ()

    def level_bars(
        self, heading: str, report: AccessReport, counts: Sequence[int], room: int | None = None
    ) -> Pieces:
        """Return bars of counts of memberships, the highest level first."""
        bars = list(zip(reversed(report.levels), reversed(counts), strict=True))
        return level_bars(heading, bars, self.body.lines.width if room is None else room)

    def tabs(self) -> tuple[Pieces, Pieces]:
        """Return the tabs of all lists, and the search of this one."""
        body = self.body
        if body.observed.report is None:
            return (), ()
        tabs = [Tab(view.tab_title, self.tab_text(view.id)) for view in report_lists()]
        return tabs_line(
            tabs, views.get(body.route.view).tab_title, body.found.words,
            more=body.lines.marks_and_order(), room=body.lines.width,
        )  # fmt: skip

    def tab_text(self, name: str) -> str:
        """Return what the line of tabs shows beside the title of a view."""
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
        """Return in which order the rows stand; empty: in that of the report."""
        return ""

    def empty(self) -> str:
        """Return that the search finds nothing."""
        words = self.body.found.words.strip()
        if not words:
            return f"The report has no {self.NOUN}."
        return f"No {self.NOUN} with {words}\n\nesc  clears the search"


class ReportPage(ReportContent):
    """A page of one entry: facts on top, memberships below."""

    IS_LIST = False
    NOUN = "memberships"

    def __init__(self, body: ReportBody[Any]) -> None:
        super().__init__(body)
        self.subject_row: int | None = None  # Row of the subject in the report that is shown

    def row_in(self, report: AccessReport) -> int | None:
        """Return the row of whom or what this is about; None: the report has none."""
        raise NotImplementedError

    @property
    def entry_id(self) -> int:
        return int(self.body.route.entry.rpartition(" ")[2] or -1)

    def search_key(self) -> object:
        return (super().search_key(), self.body.route.entry)

    def listed(self) -> PageSelection | None:
        """Return what a search in this page has found, for an export; None: there is none."""
        found = self.body.found
        words = found.words.strip()
        if not words:
            return None
        return PageSelection(words, frozenset(int(row.key) for row in found.rows))

    def forget(self) -> None:
        self.body.found.forget()
        self.subject_row = None

    def search_text(self) -> Pieces:
        """Return search, order and marks, for the right of a line."""
        body = self.body
        return tabs_line((), "", body.found.words, more=body.lines.marks_and_order())[1]

    def empty(self) -> str:
        """Return why nothing is listed."""
        if self.subject_row is None:
            return f"This report does not have {clean(self.body.route.entry)}.\n\nesc  back"
        return super().empty()


def report_lists() -> list[View]:
    return [view for view in views.all_views() if view.tab_group == "access"]


def person_route(person: Person) -> Route:
    return Route("person", entry=f"person {person.id}")


def person_words(person: Person) -> tuple[str, ...]:
    """Return what prints all that a person holds, as words of a command."""
    return ("report", "show", "--person", str(person.id))


def place_words(place: AccessPlace) -> tuple[str, ...]:
    """Return what prints the members of a group or project, as words of a command."""
    return ("report", "show", f"--{place.kind}", place.path or str(place.id))


def members_route(place: AccessPlace) -> Route:
    return Route("members", entry=f"{place.kind} {place.id}")
