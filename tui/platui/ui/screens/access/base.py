"""What every view of the access report has in common: the report, its tabs, its fetching."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import getters, on

from platui.core.errors import ConfigError
from platui.models.values.places import Place
from platui.present.access.changes import came_and_left
from platui.present.access.report import (
    CAVEAT,
    Tab,
    level_bars,
    people_over_time,
    report_pieces,
    report_time,
    slip_pieces,
    tabs_line,
    term_error,
    typing_pieces,
)
from platui.present.access.states import (
    NEVER_FETCHED,
    OPENING,
    progress_pieces,
    trouble_line,
    trouble_page,
)
from platui.present.chrome import KeyHint
from platui.ui import views
from platui.ui.keys_in_use import bind
from platui.ui.screens.access.actions import ReportDeeds
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.prompt import Prompt
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from platui.models.values.access import AccessPlace, AccessReport, Person, ReportInfo
    from platui.models.values.access_terms import TermHelp
    from platui.present.chrome import Pieces
    from platui.ui.view import View

_WITHOUT_REPORT: Final = ("place.refresh", "access.docs", "place.up", "app.command")
"""What can be done where there is no report."""
_TERM_HINTS: Final = (
    KeyHint("enter", "keep"),
    KeyHint("word:value", "is a term"),
    KeyHint("-term", "leaves out"),
    KeyHint("?", "terms"),
    KeyHint("esc", "clear"),
)


class AccessScreen(ReportDeeds):
    """A view of the access report; a subclass says what is listed, and how it is searched."""

    WITHOUT = frozenset({"hold", "failed", "load_all", "file", "raw", "browse"})
    IS_LIST: ClassVar[bool] = True  # Whether it is a list of the report, not the page of an entry
    TERMS: ClassVar[Sequence[TermHelp]] = ()  # What can be searched by
    PARTS = (*ReportDeeds.PARTS, "#levels", "#tabs", "#caveat")
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide"), (160, "-vast")]
    DEFAULT_CSS = """
    AccessScreen #levels, AccessScreen #tabs, AccessScreen #caveat { height: 1; }
    """
    BINDINGS = [
        bind("slash", "list.filter", "Search", "Search by words and terms; ? lists the terms"),
        bind("y", "list.copy", "Copy", "Copy what names this row to others, or the marked ones"),
        bind(
            "tab",
            "list.pane",
            "Next list",
            "Turn to the next list: people, groups and projects, changes",
            action="turn(1)",
        ),
        bind(
            "shift+tab",
            "list.pane_back",
            "List before",
            "Turn to the list of the report before this one",
            action="turn(-1)",
        ),
    ]

    slips: Sequence[str] = ()  # Sentences on search terms that match nothing in the report

    levels = getters.query_one("#levels", Bar)
    tabs = getters.query_one("#tabs", Bar)
    caveat = getters.query_one("#caveat", Bar)

    def draw_levels(self) -> None:
        """Show the bars of levels, in a report that has all of them."""
        report = self.told.report if self.IS_LIST else self.shown
        self.levels.show(() if report is None or not report.is_whole else self.level_line(report))

    def level_line(self, report: AccessReport) -> Pieces:
        """Return what that line shows."""
        del report
        return ()

    def level_bars(
        self, heading: str, report: AccessReport, counts: Sequence[int], room: int | None = None
    ) -> Pieces:
        """Return bars of counts of memberships, the highest level first."""
        bars = list(zip(reversed(report.levels), reversed(counts), strict=True))
        return level_bars(heading, bars, self.size.width if room is None else room)

    def compared_with(self) -> ReportInfo | None:
        """Return the report that changes are since; None: there is no earlier one."""
        report = self.told.report
        earlier = (one for one in self.told.saved or () if report and one.id < report.info.id)
        return next(earlier, None)

    def tab_told(self, name: str) -> str:
        """Return what the line of tabs shows beside the title of a view."""
        report = self.told.report
        if report is None:
            return ""
        if name == "access":
            return f"{report.person_count:,}"
        if name == "groups":
            return f"{report.place_count:,}"
        since = self.compared_with()
        if since is None:
            return ""
        told = f"since {report_time(since, self.service.clock.now(), utc=self.utc)}"
        changes = self.told.changes
        if changes is None or (changes.before.id, changes.after.id) != (since.id, report.info.id):
            return told
        return f"{told}  {came_and_left(changes)}"

    def heading(self) -> str:
        """Return what this is about."""
        return views.get(self.place.view).tab_title

    def crumbs(self) -> tuple[str, ...]:
        """Return the area, and what this is about."""
        return ("Access", self.heading())

    def compose_body(self) -> ComposeResult:
        """Yield levels and tabs, the panes, and what the report is not."""
        yield Bar(id="levels")
        yield Bar(id="tabs")
        yield from super().compose_body()
        yield Bar(id="caveat")

    def on_mount(self) -> None:
        """Say what a report is not before there is one."""
        self._tell_caveat()

    def draw(self) -> None:
        """Show rows, and the lines around them."""
        super().draw()
        if self.is_whole:
            self._draw_progress_or_levels()
            self.draw_tabs()
            self._tell_caveat()

    def _draw_progress_or_levels(self) -> None:
        """Show how far a fetch is where the bars stand: no row moves for it."""
        fetching = self.told.fetching if self.IS_LIST else None
        if fetching is None:
            self.draw_levels()
        else:
            stops = not self.query_text and not self.table.marks
            self.levels.show(progress_pieces(fetching, stops=stops))

    def draw_summary(self) -> None:
        """Show what the report is, and how many people there were in those before."""
        report = self.told.report
        if report is None:
            self.summarize(())
            return
        pieces = report_pieces(
            report.info, self.service.clock.now(), utc=self.utc, is_whole=report.is_whole
        )
        self.summarize(
            pieces, people_over_time(self.told.saved or ()) if self.is_roomy_line else ()
        )

    @property
    def is_roomy_line(self) -> bool:
        """Return whether a line has room for more than what the report is."""
        return self.size.width >= 100  # noqa: PLR2004  (cells)

    def draw_tabs(self) -> None:
        """Show the lists there are, and what is searched for in this one."""
        if self.told.report is None:
            self.tabs.show(())
            return
        tabs = [Tab(view.tab_title, self.tab_told(view.id)) for view in _lists()]
        at = views.get(self.place.view).tab_title
        room, more = self.size.width, self.more_told()
        self.tabs.show(*tabs_line(tabs, at, self.query_text, more=more, room=room))

    def more_told(self) -> str:
        """Return in which order rows stand, and how many are marked."""
        marks = len(self.table.marks)
        told = (self.order_told(), f"{marks:,} marked" if marks else "")
        return " · ".join(one for one in told if one)

    @on(Table.MarksChanged, "#table")
    def _tell_marks(self) -> None:
        self.draw_tabs()

    def order_told(self) -> str:
        """Return in which order the rows stand; empty: in that of the report."""
        return ""

    def _tell_caveat(self) -> None:
        """Show what the report is not; in its place, what is typed means, or what is odd in it."""
        typing: Pieces = ()
        if self.prompt.is_open and self.prompt.sign == "/":
            typing = typing_pieces(self.query_text, self.TERMS, self.size.width)
        if typing:
            self.caveat.show(typing)
        elif self.unread is not None:
            self.caveat.show(term_error(self.unread, self.query_text))
        elif self.slips and self.query_text.strip():
            self.caveat.show(slip_pieces(self.slips))
        else:
            self.caveat.show(CAVEAT)

    def tell_notice(self, *, empty: bool) -> None:
        """Show why there is no newer report."""
        if self.error is not None and not empty:
            self.notice.say(trouble_line(self.error, self.size.width, self.key_of("place.refresh")))
        else:
            self.notice.say(())

    def _say_empty(self) -> None:
        self.table.set_empty(self._empty_page())

    def _empty_page(self) -> str:
        if self.told.report is None:
            if self.error is not None:
                return trouble_page(self.error, self.key_of("place.refresh"))
            if self.told.fetching is not None:
                return ""
            return OPENING if self.told.saved is None else self._never_fetched()
        if self.found_by is None:
            return OPENING
        return "Searching …" if self.is_searching and self.unread is None else self.empty_text()

    def _never_fetched(self) -> str:
        try:
            if self.desk is not None:
                self.desk.reports.docs_address()
        except ConfigError as error:
            return trouble_page(error, self.key_of("place.refresh"))
        return self.keyed(NEVER_FETCHED)

    def empty_text(self) -> str:
        """Return that the search finds nothing."""
        if not self.query_text.strip():
            return f"The report has no {self.NOUN}."
        return f"No {self.NOUN} with {self.query_text.strip()}\n\nesc  clears the search"

    async def action_filter(self) -> None:
        """Open the search with what it holds."""
        terms = bool(self.TERMS)
        hints = _TERM_HINTS if terms else ()
        await self.prompt.ask("/", self.query_text, hints=hints, tells_words=terms)
        self._tell_filter()
        self._tell_caveat()

    @on(Prompt.WordsWanted)
    async def _list_terms(self, event: Prompt.WordsWanted) -> None:
        """List the terms; the one chosen is typed as far as its colon."""
        event.stop()

        def take(chosen: str) -> None:
            field = self.TERMS[int(chosen)].field
            if field:
                self.prompt.insert(f"{field}:" if field.isalpha() else field)

        items = [(str(at), one.example, one.meaning) for at, one in enumerate(self.TERMS)]
        await self.choose("Terms of a search", items, take)

    def filter_typed(self, text: str) -> None:
        """Search while typing."""
        self.query_text = text
        self.seek()
        self.draw()

    def filter_entered(self, text: str) -> None:
        """Keep the search; one that cannot be read stays, with what is wrong in it."""
        self.filter_typed(text)

    def _tell_filter(self) -> None:
        if self.is_searching:
            self.prompt.tell((("…", "muted"),))
        elif self.unread is not None:
            self.prompt.tell((("✖", "failed"), (" not read", "muted")))
        else:
            self.prompt.tell(((f"{self.table.total_count:,} found", "text"),))

    def words_now(self) -> str:
        """Return what is searched for."""
        return self.query_text

    def clear_one(self) -> bool:
        """Clear the search, else the marks, else stop a fetch."""
        if self.query_text:
            self.filter_typed("")
        elif self.table.marks:
            self.table.clear_marks()
        else:
            return self.IS_LIST and self.stop_fetch()
        return True

    def chosen(self) -> list[str]:
        """Return the marked rows that are shown, in their order, else that of the cursor."""
        if self.table.marks:
            places = {key: self.table.place_of(key) for key in self.table.marks}
            shown = [(place, key) for key, place in places.items() if place is not None]
            return [key for _, key in sorted(shown)]
        return [self.table.cursor_key] if self.table.cursor_key else []

    def action_turn(self, by: int) -> None:
        """Turn to another list of the report."""
        lists = [view.id for view in _lists()]
        at = lists.index(self.place.view) if self.place.view in lists else 0
        self.go_to(Place(lists[(at + by) % len(lists)]))

    def footer_keys(self) -> Sequence[str]:
        """Return the keys of the footer; before there is a report, those that lead to one."""
        return super().footer_keys() if self.told.report is not None else _WITHOUT_REPORT

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take away what other lists can do and a report cannot."""
        if action == "filter" and self.told.report is None:
            return None
        return super().check_action(action, parameters)


def _lists() -> list[View]:
    return [view for view in views.all_views() if view.beside == "access"]


def person_place(person: Person) -> Place:
    """Return the page of a person."""
    return Place("person", entry=f"person {person.id}")


def person_words(person: Person) -> tuple[str, ...]:
    """Return what prints all that a person holds, as words of a command."""
    return ("report", "show", "--person", str(person.id))


def place_words(place: AccessPlace) -> tuple[str, ...]:
    """Return what prints the members of a group or project, as words of a command."""
    return ("report", "show", f"--{place.kind}", place.path or str(place.id))


def members_place(place: AccessPlace) -> Place:
    """Return the page of a group or project."""
    return Place("members", entry=f"{place.kind} {place.id}")
