"""What every view of the access report has in common: the report, its tabs, its fetching."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from textual import getters
from textual.binding import Binding

from platui.core.errors import ConfigError, PlatuiError, TermError
from platui.models.values.places import KeptPlace, Place, View
from platui.models.values.reports import DeskState
from platui.present.access import (
    CAVEAT,
    TABS,
    Tab,
    people_over_time,
    report_details,
    report_pieces,
    report_time,
    tabs_line,
    term_error,
)
from platui.present.access_states import (
    NEVER_FETCHED,
    OPENING,
    progress_pieces,
    trouble_line,
    trouble_page,
)
from platui.present.chrome import Age, Freshness, KeyHint
from platui.ui.messages import Failed, GoTo, PageWanted, Told
from platui.ui.screens.listing import ListScreen
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.models.values.access import AccessPlace, AccessReport, Person, ReportInfo
    from platui.models.values.exports import ExportFormat, ExportOrder
    from platui.models.values.table import Row
    from platui.present.chrome import Pieces
    from platui.present.details.layout import Details
    from platui.service.report_desk import ReportDesk
    from platui.ui.dialogs.export import Write
    from platui.ui.dialogs.menu import MenuItem

_OF_LISTS: Final = frozenset({"hold", "failed", "load_all", "file", "raw", "browse"})
"""Actions of other lists that a report has no use for."""
_VIEWS: Final = (View.ACCESS, View.GROUPS, View.CHANGES)
"""The lists of a report, in the order of `TABS`."""
_TERM_HINTS: Final = (
    KeyHint("enter", "keep"),
    KeyHint("word:value", "is a term"),
    KeyHint("-term", "leaves out"),
    KeyHint("esc", "clear"),
)


_FORGET: Final = "forget"


class Export(NamedTuple):
    """A part of the report that can be written to a file."""

    what: str
    """In words."""
    name: str
    """Of the file, in a word."""
    write: Write


class AccessScreen(ListScreen):
    """A view of the access report; a subclass says what is listed, and how it is searched."""

    TAB: ClassVar[str] = TABS[0]
    IS_LIST: ClassVar[bool] = True
    """Whether it is one of the lists of the report, and not the page of one thing in it."""
    PARTS = (*ListScreen.PARTS, "#levels", "#tabs", "#caveat")
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide"), (160, "-vast")]
    DEFAULT_CSS = """
    AccessScreen #levels, AccessScreen #tabs, AccessScreen #caveat { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash", "filter", "Search", id="list.filter",
            tooltip="Search by words and terms; ? lists the terms",
        ),
        Binding(
            "r,ctrl+r", "refresh", "Fetch", id="place.refresh",
            tooltip="Fetch the report anew from the administration API; esc stops that",
        ),
        Binding(
            "d", "details", "Details", id="list.details",
            tooltip="Everything known of this report, and what it is not",
        ),
        Binding(
            "c", "changes", "Changes", id="access.changes", show=False,
            tooltip="What is different since the report before, or any earlier one",
        ),
        Binding(
            "x", "export", "Export", id="access.export",
            tooltip="Write what is listed to a file: CSV, JSON lines or Markdown",
        ),
        Binding(
            "v", "reports", "Reports", id="access.reports",
            tooltip="Look at another saved report, or keep one no longer",
        ),
        Binding(
            "o", "docs", "Documentation", id="access.docs", show=False,
            tooltip="Open the documentation of the administration API",
        ),
        Binding(
            "y", "copy", "Copy", id="list.copy", show=False,
            tooltip="Copy what names this row to others, or the marked ones",
        ),
        Binding(
            "tab", "turn(1)", "Next list", id="list.pane", show=False,
            tooltip="Turn to the next list: people, groups and projects, changes",
        ),
        Binding(
            "shift+tab", "turn(-1)", "List before", id="list.pane_back", show=False,
            tooltip="Turn to the list of the report before this one",
        ),
    ]  # fmt: skip

    levels = getters.query_one("#levels", Bar)
    tabs = getters.query_one("#tabs", Bar)
    caveat = getters.query_one("#caveat", Bar)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.desk: ReportDesk | None = None
        self.told = DeskState()
        """What the desk said last."""
        self.shown: AccessReport | None = None
        """The report that the rows on show are of: their keys are its rows."""
        self.query_text = ""
        self._unread: TermError | None = None
        """Why the search as it is typed cannot be read."""
        self._wanted: object = None
        """What is to be found now; compared by identity."""
        self._found: object = None
        """What the rows that are shown were found by."""
        self._searches = False
        self._rows: Sequence[Row] = ()
        self._stop_observing: Callable[[], None] = _nothing

    # what a subclass gives

    def search(self, report: AccessReport) -> Callable[[], Any]:
        """Return what finds the rows as they are wanted now, in another thread."""
        raise NotImplementedError

    async def answer(self, report: AccessReport) -> Any:
        """Find the rows as they are wanted now.

        Raises:
            TermError: what is searched for cannot be read.
        """
        return await asyncio.to_thread(self.search(report))

    def found(self, report: AccessReport, answer: Any) -> None:
        """Take what was found: the rows, and what is said of them."""
        raise NotImplementedError

    def exports(self, report: AccessReport) -> Sequence[Export]:
        """Return what of the view can be written to a file."""
        del report
        return ()

    def report_changed(self) -> None:
        """Take note, while the rows of before are there, that others will come."""

    def draw_levels(self) -> None:
        """Show the bars of levels."""

    def tab_told(self, name: str) -> str:
        """Return what the line of tabs says beside a name."""
        report = self.told.report
        if report is None:
            return ""
        if name == TABS[0]:
            return f"{report.person_count:,}"
        if name == TABS[1]:
            return f"{report.place_count:,}"
        since = next((one for one in self.told.saved or () if one.id < report.info.id), None)
        if since is None:
            return ""
        return f"since {report_time(since, self.service.clock.now(), utc=self.utc)}"

    # life

    def crumbs(self) -> tuple[str, ...]:
        """Return the name of the area."""
        return ("Access",)

    def body(self) -> ComposeResult:
        """Yield levels and tabs, the panes, and what the report is not."""
        yield Bar(id="levels")
        yield Bar(id="tabs")
        yield from super().body()
        yield Bar(id="caveat")

    def on_mount(self) -> None:
        """Say what a report is not before there is one."""
        self._tell_caveat()

    def start_feeds(self) -> None:
        """Watch the report that is looked at; the newest is opened where none is."""
        self.run_worker(
            self._watch(), group="feed-desk", exclusive=True, exit_on_error=True,
            description="watch the access report",
        )  # fmt: skip

    async def _watch(self) -> None:
        self.desk = desk = await self.service.report_desk()
        self._stop_observing()
        self._stop_observing = desk.state.observe(self._take)
        self.while_shown(self._stop_observing)
        self._take(desk.state.value)
        await desk.look()

    def _take(self, state: DeskState) -> None:
        before, self.told = self.told, state
        self.error = state.error
        if state.report is None:
            self.age = Age(Freshness.FAILED if state.error else Freshness.UNASKED)
        else:
            self.age = Age(Freshness.FETCHED, state.report.info.fetched_at)
            self.kept = None
        if state.report is not before.report:
            self.report_changed()
            if state.report is None:
                self.shown, self._rows = None, ()
        self.seek()
        self.tell_header()
        self.draw()
        self.refresh_bindings()
        if before.fetching is not None and state.fetching is None and state.error is None:
            self._tell_outcome(state)

    def _tell_outcome(self, state: DeskState) -> None:
        if state.outcome is not None and state.outcome.is_unchanged:
            self.post_message(Told("This is still the newest report."))

    # rows

    def wanted(self) -> object:
        """Return all that the rows depend on; equal ones are not looked for twice."""
        return (self.told.report, self.query_text)

    def seek(self) -> None:
        """Find the rows that are wanted now; of what is typed meanwhile only the last counts."""
        wanted = self.wanted()
        if wanted != self._wanted:
            self._wanted = wanted
        if self.told.report is not None and self._found != self._wanted and not self._searches:
            self._searches = True
            self.run_worker(
                self._search(), group="feed-search", exclusive=True, exit_on_error=True,
                description="search the access report",
            )  # fmt: skip

    async def _search(self) -> None:
        try:
            while self._found != self._wanted and (report := self.told.report) is not None:
                wanted = self._wanted
                try:
                    answer = await self.answer(report)
                except TermError as error:
                    self._unread = error
                else:
                    self._unread = None
                    if report is self.told.report:
                        self.shown = report
                        self.found(report, answer)
                self._found = wanted
                self.draw()
        finally:
            self._searches = False

    def rows(self) -> Sequence[Row]:
        """Return what was found."""
        return self._rows

    def has_data(self) -> bool:
        """Return whether there is a report."""
        return self.told.report is not None

    def keep(self) -> KeptPlace | None:
        """Return the place alone: names of people stay with the report."""
        return KeptPlace(self.place, saved_at=self.service.clock.now().timestamp())

    # lines

    def draw(self) -> None:
        """Show rows, and the lines around them."""
        super().draw()
        if self.is_whole:
            self.draw_levels()
            self.draw_tabs()
            self._tell_caveat()

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
        tabs = [Tab(name, self.tab_told(name)) for name in TABS]
        self.tabs.show(*tabs_line(tabs, self.TAB, self.query_text, more=self.order_told()))

    def order_told(self) -> str:
        """Return in which order the rows stand; empty: in that of the report."""
        return ""

    def _tell_caveat(self) -> None:
        """Show what the report is not; in its place, why a search cannot be read."""
        unread = self._unread
        self.caveat.show(CAVEAT if unread is None else term_error(unread, self.query_text))

    def tell_notice(self, *, empty: bool) -> None:
        """Show how far a fetch is, or why there is no newer report."""
        fetching = self.told.fetching if self.IS_LIST else None
        if fetching is not None:
            self.notice.say(progress_pieces(fetching))
        elif self.error is not None and not empty:
            self.notice.say(trouble_line(self.error))
        else:
            self.notice.say(())

    def _say_empty(self) -> None:
        self.table.set_empty(self._empty_page())

    def _empty_page(self) -> str:
        if self.told.report is None:
            if self.error is not None:
                return trouble_page(self.error)
            if self.told.fetching is not None:
                return ""
            return OPENING if self.told.saved is None else self._never_fetched()
        if self._found is None:
            return OPENING
        return self.empty_text()

    def _never_fetched(self) -> str:
        try:
            if self.desk is not None:
                self.desk.reports.docs_address()
        except ConfigError as error:
            return trouble_page(error)
        return NEVER_FETCHED

    def empty_text(self) -> str:
        """Return that the search finds nothing."""
        if not self.query_text.strip():
            return f"The report has no {self.NOUN}."
        return f"No {self.NOUN} with {self.query_text.strip()}\n\nesc  clears the search"

    # search

    async def action_filter(self) -> None:
        """Open the search with what it holds."""
        await self.prompt.ask("/", self.query_text, hints=_TERM_HINTS)
        self._tell_filter()

    def filter_typed(self, text: str) -> None:
        """Search while typing."""
        self.query_text = text
        self.seek()
        self.draw()

    def filter_entered(self, text: str) -> None:
        """Keep the search; one that cannot be read stays, with what is wrong in it."""
        self.filter_typed(text)

    def _tell_filter(self) -> None:
        count: Pieces = ((f"{self.table.total_count:,} found", "text"),)
        self.prompt.tell(
            count if self._unread is None else (("✖", "failed"), (" not read", "muted"))
        )

    @property
    def is_filtered(self) -> bool:
        """Return whether something is searched for."""
        return bool(self.query_text)

    def clear_one(self) -> bool:
        """Stop a fetch, else clear the search, else the marks."""
        if self.IS_LIST and self.desk is not None and self.desk.is_fetching:
            self.run_worker(self._stop(self.desk), group="stop", description="stop fetching")
            return True
        if self.query_text:
            self.filter_typed("")
            return True
        if self.table.marks:
            self.table.clear_marks()
            return True
        return False

    async def _stop(self, desk: ReportDesk) -> None:
        await desk.stop()
        self.post_message(Told("Stopped; the report is as it was."))

    # keys

    def chosen(self) -> list[str]:
        """Return the marked rows that are shown, in their order, else that of the cursor."""
        if self.table.marks:
            places = {key: self.table.place_of(key) for key in self.table.marks}
            shown = [(place, key) for key, place in places.items() if place is not None]
            return [key for _, key in sorted(shown)]
        return [self.table.cursor_key] if self.table.cursor_key else []

    def action_refresh(self) -> None:
        """Fetch the report anew; where it is the same, nothing is sent but the question."""
        if self.desk is not None:
            self.desk.fetch()

    def action_turn(self, by: int) -> None:
        """Turn to another list of the report."""
        at = _VIEWS.index(self.VIEW) if self.VIEW in _VIEWS else 0
        self.go_to(Place(_VIEWS[(at + by) % len(_VIEWS)]))

    def action_changes(self) -> None:
        """Turn to what changed."""
        self.go_to(Place(View.CHANGES))

    async def action_export(self) -> None:
        """Choose what to write, where there is a choice, then how and where."""
        report = self.shown
        exports = self.exports(report) if report is not None else ()
        if len(exports) == 1:
            self._export(exports[0])
        elif exports:
            from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

            items = [MenuItem(str(at), one.what) for at, one in enumerate(exports)]

            def export(chosen: str | None) -> None:
                if chosen is not None:
                    self._export(exports[int(chosen)])

            await self.app.push_screen(Menu("Export", items), export)

    def _export(self, export: Export) -> None:
        from platui.ui.dialogs.export import ExportDialog  # noqa: PLC0415  (on first use)

        report = self.shown
        if report is not None:
            name = f"access-{export.name}-{report.info.fetched_at:%Y-%m-%d}"
            self.app.push_screen(ExportDialog(export.what, name, export.write))

    def exported(self, what: str, report: AccessReport, order: ExportOrder) -> Export:
        """Return what writes a part of the report.

        Args:
            what: that part, in words.
            report: the report.
            order: that part.
        """

        async def write(
            form: ExportFormat, target: Path, tell: Callable[[float], None], *, replace: bool
        ) -> int:
            reports = await self.service.reports()
            return await reports.export(report, order, form, target, tell, replace=replace)

        return Export(what, order.what.value, write)

    async def action_reports(self) -> None:
        """Choose which saved report is looked at, or which is kept no longer."""
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        forget = MenuItem(_FORGET, "Keep one no longer …", "", "", "forget")

        def choose(chosen: str | None) -> None:
            if chosen == _FORGET:
                self.call_later(self._choose_to_forget)
            elif chosen is not None and self.desk is not None:
                self._do_with(self.desk.show(chosen))

        items = [*self.report_items(self.told.saved or ()), forget]
        await self.app.push_screen(Menu("Saved reports", items), choose)

    def report_items(self, infos: Sequence[ReportInfo]) -> list[MenuItem]:
        """Return saved reports to choose from."""
        from platui.ui.dialogs.menu import MenuItem  # noqa: PLC0415  (on first use)

        now, report = self.service.clock.now(), self.told.report
        return [
            MenuItem(
                info.id,
                report_time(info, now, utc=self.utc),
                f"{info.people:,} people · {info.memberships:,} memberships · {info.origin}",
                "shown" if report is not None and report.info.id == info.id else "",
            )
            for info in infos
        ]

    async def _choose_to_forget(self) -> None:
        from platui.ui.dialogs.menu import Menu  # noqa: PLC0415  (on first use)

        saved = {info.id: info for info in self.told.saved or ()}

        def ask(chosen: str | None) -> None:
            if chosen is not None:
                self._ask_to_forget(saved[chosen])

        items = self.report_items(tuple(saved.values()))
        await self.app.push_screen(Menu("Which one is to go?", items), ask)

    def _ask_to_forget(self, info: ReportInfo) -> None:
        from platui.ui.dialogs.question import QuestionDialog  # noqa: PLC0415  (on first use)

        at = report_time(info, self.service.clock.now(), utc=self.utc)
        words = [
            (f"Keep the access report of {at} no longer?", "text"),
            ("The platform gives none of an earlier day: it does not come back.", "warning"),
        ]

        def forget(yes: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if yes and self.desk is not None:
                self._do_with(self.desk.forget(info.id))

        self.app.push_screen(QuestionDialog(((" Access report", "strong"),), words), forget)

    def _do_with(self, deed: Coroutine[Any, Any, None]) -> None:
        """Do something with the saved reports; what went wrong is told."""

        async def do() -> None:
            try:
                await deed
            except PlatuiError as error:
                self.post_message(Failed(error))

        self.run_worker(do(), group="report", description="open or forget an access report")

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

    def action_details(self) -> None:
        """Show everything known of the report."""
        if self.told.report is not None:
            from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

            self.app.push_screen(DetailsDialog(self._describe))

    def _describe(self, _: object = None) -> Details | None:
        report = self.told.report
        if report is None:
            return None
        now = self.service.clock.now()
        return report_details(report.info, now, utc=self.utc, is_whole=report.is_whole)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take away what other lists can do and a report cannot."""
        if action in _OF_LISTS:
            return False
        if action in {"details", "filter"} and self.told.report is None:
            return None
        if action == "export":
            return True if self.shown is not None and self.shown.is_whole else None
        if action == "reports":
            return True if self.told.saved else None
        if action == "refresh":
            return None if self.told.fetching is not None else True
        return super().check_action(action, parameters)

    def subject(self) -> Place | None:
        """Return nothing: who and where in a report is no project to go to."""
        return None

    def go_to(self, place: Place) -> None:
        """Go to another view."""
        self.post_message(GoTo(place))


def person_place(person: Person) -> Place:
    """Return the page of a person."""
    return Place(View.PERSON, entry=f"person {person.id}")


def members_place(place: AccessPlace) -> Place:
    """Return the page of a group or project."""
    return Place(View.MEMBERS, entry=f"{place.kind} {place.id}")


def _nothing() -> None:
    """Observe nothing, which needs no end."""
