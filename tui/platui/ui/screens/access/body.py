"""Base of the access report's views: rows between status lines."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

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
from platui.present.chrome import Age, Freshness
from platui.ui import views
from platui.ui.screens.access.content import ReportContent
from platui.ui.screens.access.observed_report import ObservedReport, newest_id, show_news
from platui.ui.screens.access.search import SearchResults
from platui.ui.screens.parts.list_body import ListBody
from platui.ui.screens.parts.list_context import ListContext
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.app import ComposeResult

    from platui.core.errors import PlatuiError
    from platui.models.values.reports import CurrentReportState
    from platui.models.values.table import Row
    from platui.present.chrome import Pieces
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

    def go_to_number(self, number: int) -> bool:
        return self.body.content.go_to_number(number)

    def crumbs(self) -> tuple[str, ...]:
        return self.body.content.crumbs()

    def chosen(self) -> list[str]:
        """Return the visible marked rows in their order, else the row under the cursor."""
        table = self.body.table
        if table.marks:
            places = {key: table.index_of(key) for key in table.marks}
            shown = [(place, key) for key, place in places.items() if place is not None]
            return [key for _, key in sorted(shown)]
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
        self.lines = StatusLines(self)

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

    def rows(self) -> Sequence[Row]:
        return self.found.rows

    def draw_summary(self) -> None:
        self.host.summarize(*self.content.summary())
        self.lines.draw()

    def notice(self, *, empty: bool) -> Pieces:
        if self.error is None or empty:
            return ()
        return trouble_line(self.error, self.lines.width, self.host.key_of("view.refresh"))

    def page(self) -> tuple[str, str]:
        return self.lines.page(), "muted"

    def on_resize(self) -> None:
        self.call_after_refresh(self.found.refresh)


def report_body(content: type[C]) -> partial[ReportBody[C]]:
    return partial(ReportBody, content)


class StatusLines:
    """Draws level bars and tabs above the rows, and the caveat below."""

    def __init__(self, body: ReportBody[Any]) -> None:
        self._body = body

    @property
    def width(self) -> int:
        return self._body.host.size.width

    @property
    def has_room(self) -> bool:
        return self.width >= _ROOMY

    def draw(self) -> None:
        self._draw_levels()
        self._body.tabs.show(*self._body.content.tabs())
        self.draw_caveat()

    def _draw_levels(self) -> None:
        """Show the progress of a fetch in place of the bars, so that no row moves."""
        body = self._body
        fetching = body.observed.state.fetching if body.content.IS_LIST else None
        if fetching is None:
            body.levels.show(body.content.levels())
        else:
            stops = not body.found.words and not body.table.marks
            body.levels.show(progress_pieces(fetching, stops=stops))

    def draw_caveat(self) -> None:
        """Show the caveat, or instead help or a problem of the search."""
        body = self._body
        found, content, prompt = body.found, body.content, body.host.prompt
        typing: Pieces = ()
        if prompt.is_open and prompt.sign == "/":
            typing = typing_pieces(found.words, content.TERMS, self.width)
        if typing:
            body.caveat.show(typing)
        elif found.search_error is not None:
            body.caveat.show(term_error(found.search_error, found.words))
        elif content.unmatched and found.words.strip():
            body.caveat.show(slip_pieces(content.unmatched))
        else:
            body.caveat.show(CAVEAT)

    def marks_and_order(self) -> str:
        marks = len(self._body.table.marks)
        parts = (self._body.content.order_text(), f"{marks:,} marked" if marks else "")
        return " · ".join(one for one in parts if one)

    def page(self) -> str:
        body, state = self._body, self._body.observed.state
        if state.report is None:
            if state.error is not None:
                return self._trouble(state.error)
            if state.fetching is not None:
                return ""
            return OPENING if state.saved is None else self._never_fetched()
        if body.found.found_by is None:
            return OPENING
        is_coming = body.found.is_searching and body.found.search_error is None
        return "Searching …" if is_coming else body.content.empty()

    def _never_fetched(self) -> str:
        current = self._body.observed.current
        try:
            if current is not None:
                current.reports.docs_address()
        except ConfigError as error:
            return self._trouble(error)
        return self._body.host.keyed(NEVER_FETCHED)

    def _trouble(self, error: PlatuiError) -> str:
        return trouble_page(error, self._body.host.key_of("view.refresh"))
