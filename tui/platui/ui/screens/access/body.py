"""Base of the access report's views: rows between status lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar

from textual import getters
from textual.containers import Horizontal

from platui.core.errors import ConfigError
from platui.models.values.routes import Route, SavedView
from platui.present.access.report import CAVEAT, slip_pieces, term_error, typing_pieces
from platui.present.access.states import (
    NEVER_FETCHED,
    OPENING,
    progress_pieces,
    trouble_line,
    trouble_page,
)
from platui.present.chrome import Age, Freshness, Pieces
from platui.ui import views
from platui.ui.screens.access.content import ReportContent
from platui.ui.screens.access.observed_report import ObservedReport, newest_id, show_news
from platui.ui.screens.access.search import SearchResults
from platui.ui.screens.parts.list_body import ListBody
from platui.ui.screens.parts.list_context import ListContext, way_to_row
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.reports import CurrentReportState
    from platui.models.values.table import Row
    from platui.ui.screens.parts.view_screen import ViewScreen

C = TypeVar("C", bound=ReportContent)
_ROOMY: Final = 100


class ReportContext(ListContext["ReportBody[ReportContent]"]):
    def open(self, key: str) -> None:
        report, content = self.body.found.report, self.body.content
        if report is not None and (route := content.target(report, key)) is not None:
            self.body.host.go_to(route)

    def copies(self, key: str) -> Mapping[str, str]:
        report = self.body.found.report
        return {} if report is None else self.body.content.copies(report, key)

    def way_to(self, number: int) -> Callable[[], object] | None:
        return way_to_row(self.body.table, self.body.content.row_of(number))

    def crumbs(self) -> tuple[str, ...]:
        return self.body.content.crumbs()

    def chosen(self) -> list[str]:
        """Return the visible marked rows in their order, else the row under the cursor."""
        table = self.body.table
        if table.marks:
            places = ((table.index_of(key), key) for key in table.marks)
            return [key for _, key in sorted(one for one in places if one[0] is not None)]
        return [table.cursor_key] if table.cursor_key else []

    def saved_state(self) -> SavedView | None:
        """Return the list only: names of people are stored with the report alone."""
        body = self.body
        is_list = body.content.IS_LIST
        place = body.route if is_list else Route(views.get(body.route.view).parent)
        return SavedView(place, saved_at=body.now.timestamp())

    def resource(self) -> Route | None:
        """Return nothing: rows of a report are no projects to act on."""
        return None

    def current_route(self) -> Route:
        """Return this route with the id of the report, unless it is the newest."""
        observed = self.body.observed
        id_ = "" if observed.report is None else observed.report.info.id
        is_newest = id_ == newest_id(observed.state)
        return replace(super().current_route(), report="" if is_newest else id_)

    def filter_text(self) -> str:
        return self.body.found.words


class ReportBody(ListBody, Generic[C]):
    """Shows the rows that its content finds in the observed report."""

    CONTEXT = ReportContext
    REQUIRED_WIDGETS = ("#table", "#levels", "#tabs", "#caveat")
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()
    DEFAULT_CSS = """
    ReportBody { layout: vertical; }
    ReportBody #panes { height: 1fr; }
    ReportBody #levels, ReportBody #tabs, ReportBody #caveat { height: 1; }
    """

    levels = getters.query_one("#levels", Bar)
    tabs = getters.query_one("#tabs", Bar)
    caveat = getters.query_one("#caveat", Bar)

    def __init__(
        self, content: type[C], host: ViewScreen, route: Route, saved_view: SavedView | None
    ) -> None:
        super().__init__(host, route, saved_view)
        self.NOUN, self.DEFAULT_COPY = content.NOUN, content.DEFAULT_COPY
        self.COLUMNS = content.COLUMNS
        self.content = content(self)
        self.observed = ObservedReport(self)
        self.found = SearchResults(self)

    @property
    def width(self) -> int:
        return self.host.size.width

    @property
    def has_room(self) -> bool:
        return self.width >= _ROOMY

    @property
    def is_whole(self) -> bool:
        return super().is_whole and self.content.is_whole

    def compose(self) -> ComposeResult:
        yield Bar(id="levels")
        yield Bar(id="tabs")
        with Horizontal(id="panes"):
            yield Table(self.columns(), id="table")
            yield from self.content.beside()
        yield Bar(id="caveat")

    def start_feeds(self) -> None:
        self.observed.start()

    def fetch_again(self) -> None:
        self.observed.fetch()

    def take_report(self, before: CurrentReportState) -> None:
        state = self.observed.state
        self.error = state.error
        if state.report is None:
            self.age = Age(Freshness.FAILED if state.error else Freshness.UNASKED)
        else:
            info = state.report.info
            fetched = state.outcome.report if state.outcome is not None else None
            # An unchanged report was confirmed as the newest.
            is_renewed = fetched is not None and fetched.info.id == info.id
            since = state.asked_at if is_renewed else None
            self.age = Age(Freshness.FETCHED, since or info.fetched_at)
        self.saved_view = None  # a report has its own date
        if state.report is not before.report:
            self.content.report_changed()
            if state.report is None:
                self.found.clear()
        self.found.refresh()
        self.host.update_header()
        self.draw()
        self.host.refresh_bindings()
        show_news(self, before, state)

    def forget(self) -> None:
        super().forget()
        self.content.forget()
        if self.is_whole:  # the next list starts at its top, also if it has the same person
            self.table.show((), stays=True)
            self.table.action_top()

    def rows(self) -> Sequence[Row]:
        return self.found.rows

    def draw_summary(self) -> None:
        self.host.summarize(*self.content.summary())
        self.tabs.show(*self.content.tabs())
        self.draw_caveat()
        # The progress of a fetch is in place of the bars, so that no row moves.
        fetching = self.observed.state.fetching if self.content.IS_LIST else None
        if fetching is None:
            self.levels.show(self.content.levels())
        else:
            stops = not self.found.words and not self.table.marks
            self.levels.show(progress_pieces(fetching, stops=stops))

    def draw_caveat(self) -> None:
        """Show the caveat below the rows, or instead help or a problem of the search."""
        found, content, prompt = self.found, self.content, self.host.prompt
        typing: Pieces = ()
        if prompt.is_open and prompt.sign == "/":
            typing = typing_pieces(found.words, content.TERMS, self.width)
        if typing:
            self.caveat.show(typing)
        elif found.search_error is not None:
            self.caveat.show(term_error(found.search_error, found.words))
        elif content.unmatched and found.words.strip():
            self.caveat.show(slip_pieces(content.unmatched))
        else:
            self.caveat.show(CAVEAT)

    def marks_and_order(self) -> str:
        marks = len(self.table.marks)
        order = "" if self.content.sort else self.content.order_text()
        parts = (order, f"{marks:,} marked" if marks else "")
        return " · ".join(one for one in parts if one)

    def notice(self, *, empty: bool) -> Pieces:
        if self.error is None or empty:
            return ()
        return trouble_line(self.error, self.width, self.host.key_of("view.refresh"))

    def page(self) -> tuple[str, str]:
        state, found = self.observed.state, self.found
        is_coming = found.is_searching and found.search_error is None
        if state.report is None:
            text = _page_without_report(self)
        elif found.found_by is None:
            text = OPENING
        else:
            text = "Searching …" if is_coming else self.content.empty()
        return text, "muted"

    def on_resize(self) -> None:
        self.call_after_refresh(self.found.refresh)


def _page_without_report(body: ReportBody[C]) -> str:
    state, current = body.observed.state, body.observed.current
    error = state.error
    if error is None and state.fetching is None and state.saved is not None and current:
        try:
            current.reports.docs_address()
        except ConfigError as wrong:  # no report can be fetched
            error = wrong
    if error is not None:
        return trouble_page(error, body.host.key_of("view.refresh"))
    if state.fetching is not None:
        return ""
    return OPENING if state.saved is None else body.host.keyed(NEVER_FETCHED)


def report_body(content: type[C]) -> partial[ReportBody[C]]:
    return partial(ReportBody, content)
