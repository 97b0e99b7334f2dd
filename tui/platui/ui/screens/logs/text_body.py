"""Base of the views of a text: a log view with search and filter, or a message without text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from textual import getters, on

from platui.core.text import clean
from platui.ui.screens.logs.line_filter import LineFilter
from platui.ui.screens.logs.text_hits import TextHits
from platui.ui.screens.parts.body import Body, ViewContext
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.log import LogUpdate
    from platui.models.values.routes import Route, SavedView
    from platui.present.chrome import Piece, Pieces
    from platui.ui.screens.files.file import FileText
    from platui.ui.screens.logs.compare import CompareBody
    from platui.ui.screens.logs.growing_log import GrowingLog
    from platui.ui.screens.parts.view_screen import ViewScreen

T = TypeVar("T", bound="TextBody")

_CALM: Final = 1.0  # Seconds after which the first frames are painted
ONLY_TAIL_LOADED: Final = "Only the end of the log is loaded so far: wait a moment."


def name_job(body: Body, name: str, pipeline: int | None) -> None:
    """Take name and pipeline of a job that was opened by its address."""
    if pipeline is None:
        pipeline = body.route.pipeline
    route = replace(body.route, pipeline=pipeline, job_name=clean(name))
    if route != body.route:
        body.host.complete(route)


def show_message(body: TextBody | CompareBody, text: str) -> None:
    """Show a message in place of the view; without one, focus the view."""
    from textual.widgets import Static  # noqa: PLC0415  (such a view is not the first)

    nothing = body.query_one("#nothing", Static)
    nothing.set_class(bool(text), "-shown")
    body.view.set_class(bool(text), "-nothing")
    if text:
        nothing.update(text)
    elif body.host.focused is None:
        body.call_after_refresh(body.view.focus)


class TextContext(ViewContext[T], Generic[T]):
    def way_to(self, number: int) -> Callable[[], object] | None:
        """Return what shows a line, counted from 1; not while only the tail is loaded."""
        if self.body.text.is_tail:
            return partial(self.body.host.show_hint, ONLY_TAIL_LOADED)
        document = self.body.text.document
        if document is None or not 1 <= number <= document.line_count:
            return None
        return partial(self._go_to, number - 1)

    def _go_to(self, line: int) -> None:
        view = self.body.view
        view.position.reveal(line)
        if not view.content.shown.shows(line):
            self.body.host.show_hint(f"The filter hides line {line + 1}.")

    @property
    def line(self) -> int:
        """Return the focus line if it is visible, else the first visible line."""
        focus = self.body.view.position.focus_in_sight
        return self.body.view.position.top_line if focus is None else focus


class TextBody(Body):
    """One document; subclasses provide it, the lines around it, and a message without it."""

    CONTEXT: ClassVar[type[TextContext[Any]]] = TextContext
    REQUIRED_WIDGETS = ("LogView", "#nothing", "#where")
    TEXT: ClassVar[str] = "log"  # Id of the log view
    CALLED: ClassVar[str] = "this log"  # Its name in messages
    SHOWS_READING: ClassVar[bool] = False  # Whether a log is "reading" until its end is reached
    OPENS_AT_CAUSE: ClassVar[bool] = True  # Whether a failed log opens at its first error
    SEARCH_WIDENS: ClassVar[bool] = False  # Whether a search can include all logs
    DEFAULT_CSS = """
    TextBody LogView { height: 1fr; }
    TextBody LogView.-nothing { display: none; }
    TextBody #nothing { display: none; height: 1fr; content-align: center middle; }
    TextBody #nothing.-shown { display: block; }
    """

    view = getters.query_one(LogView)
    where = getters.query_one("#where", Bar)
    context: TextContext[Any]
    text: GrowingLog | FileText

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.line_filter = host.controller(LineFilter)
        self.hits = host.controller(TextHits)
        self.is_regex = False  # Whether patterns are regular expressions
        host.add_class("-text")

    def nothing(self) -> str:
        """Return the message shown if there is no text."""
        raise NotImplementedError

    def ended(self, _update: LogUpdate, /) -> Pieces:
        """Return the text of a complete log."""
        return (("ended", "muted"),)

    def position(self) -> Pieces:
        raise NotImplementedError

    def summary_pieces(self) -> Sequence[Piece]:
        raise NotImplementedError

    def draw_lines(self) -> None:
        if self.is_whole:
            self.host.summarize(self.summary_pieces())
            self.show_where()

    def compose(self) -> ComposeResult:
        from textual.widgets import Static  # noqa: PLC0415  (such a view is not the first)

        yield LogView(id=self.TEXT, is_log=self.TEXT == TextBody.TEXT)
        yield Static("", id="nothing", markup=False)
        yield Bar(id="where")

    def visit(self, route: Route) -> None:
        is_another = route != self.route
        super().visit(route)
        if is_another:
            self.text.visit()

    def ready(self) -> None:
        # Keys of a search come quickly: prepare the prompt.
        self.set_timer(_CALM, self._prepare_prompt)

    async def _prepare_prompt(self) -> None:
        if self.is_whole:
            await self.host.prompt.prepare()

    def show_header(self) -> None:
        """Draw the header, unless nothing in it changes."""
        if self.host.header_line.countdown is not None or not self.text.needs_no_draw:
            super().show_header()

    def draw(self) -> None:
        self.text.has_undrawn_update = False
        if not self.is_whole:
            return
        document = self.text.document
        empty = document is None or document.line_count == 0
        show_message(self, self.nothing() if empty else "")
        self.view.utc = self.utc
        self.host.update_notice(empty=empty)
        self.draw_lines()
        self.search_new_lines()

    @on(LogView.WindowChanged)
    def _moved(self) -> None:
        if self.host.focused is None and self.host.is_current:
            # Setting the focus may have failed before the first layout.
            self.view.focus()
        if not self.text.is_scrolled_back:
            self.catch_up()
        elif not self.text.needs_no_draw:
            self.show_where()

    def catch_up(self) -> None:
        """Draw postponed updates and the position in the frame of the key."""
        if not self.is_whole:
            return
        if self.text.has_undrawn_update:
            self.host.update_header()
            self.draw()
        else:
            self.show_where()
        self.text.on_moved()  # here, since a key's own frame comes before `WindowChanged`

    def show_where(self) -> None:
        found = (*self.line_filter.status_pieces(), *self.hits.status_pieces())
        self.where.show(self.position(), found)
        self.text.mark_drawn()

    def search_new_lines(self) -> None:
        document = self.text.document
        if self.is_whole and document is not None:
            self.line_filter.runner.search_new_lines(document)
            self.hits.runner.search_new_lines(document)

    def highlight(self) -> None:
        searches = (self.hits.runner.now, self.line_filter.runner.now)
        patterns = (one.pattern for one in searches if one is not None and not one.inverse)
        self.view.highlight(next(filter(None, patterns), None))

    def update_ages(self) -> None:
        if not self.text.needs_no_draw:
            super().update_ages()

    def fetch_again(self) -> None:
        self.text.invalidate()
        super().fetch_again()

    def forget(self) -> None:
        self.line_filter.runner.forget()
        self.hits.runner.forget()
        super().forget()
        self.text.forget()
        if self.is_whole:
            self.view.clear()

    def focus_body(self) -> None:
        self.view.focus()


TEXT_KEYS: Final = (LineFilter, TextHits)
