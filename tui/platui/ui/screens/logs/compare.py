"""Compare the log of a job with that of its last successful run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual import getters, on

from platui.models.values.comparison import CompareStep, CompareUpdate
from platui.present.chrome import Age, Freshness
from platui.present.logs.comparison import (
    SIGNS,
    compare_status,
    difference_status,
    difference_text,
    no_difference_page,
    waiting_page,
)
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.controllers.view_keys import CopyView, GoBack, Refresh, SignIn
from platui.ui.error_display import page
from platui.ui.messages import CopyText, OpenPage
from platui.ui.screens.logs.text_body import name_job, show_message
from platui.ui.screens.parts.body import Body, ViewContext
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.compare_canvas import LogComparison
from platui.ui.widgets.compare_view import CompareView

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.routes import Route, SavedView
    from platui.service.logs.comparing import ComparedLogs

_ROLES = {"failed": "failed", "running": "running"}


class CompareContext(ViewContext["CompareBody"]):
    def crumbs(self) -> tuple[str, ...]:
        route = self.body.route
        pipeline = (f"#{route.pipeline}",) if route.pipeline else ()
        name = route.job_name or f"job {route.job}"
        return (self.project_name, *pipeline, name, "compared")

    def way_to(self, number: int) -> Callable[[], object] | None:
        rows = self.body.view.rows
        if rows is None:
            return None
        compared = rows.comparison.right
        if not compared.first < number <= compared.end:
            return None
        return partial(self.body.view.go_to_line, number - 1)


class CompareBody(Body):
    """Two logs, side by side where there is room."""

    CONTEXT = CompareContext
    REQUIRED_WIDGETS = ("CompareView", "#nothing", "#where")
    DEFAULT_CSS = """
    CompareBody CompareView { height: 1fr; }
    CompareBody CompareView.-nothing { display: none; }
    CompareBody #nothing { display: none; height: 1fr; content-align: center middle; }
    CompareBody #nothing { text-align: center; }
    CompareBody #nothing.-shown { display: block; }
    """

    view = getters.query_one(CompareView)
    where = getters.query_one("#where", Bar)

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.comparing = CompareUpdate()
        self.painted: CompareUpdate | None = None  # The update on the screen

    def open_feed(self) -> ComparedLogs | None:
        route = self.route
        if route.project is None or route.job is None:
            return None
        return self.service.watch(resources.logs.compared(route.project, route.job, route.pipeline))

    def forget(self) -> None:
        super().forget()
        self.comparing, self.painted = CompareUpdate(), None
        if self.is_whole:
            self.view.clear()

    def take(self, item: CompareUpdate) -> None:
        self.comparing = update = item
        self.error = update.error
        if update.this is not None:
            name_job(self, update.this.name, update.this.pipeline)
        if update.read_at is not None:
            kind = Freshness.LIVE if update.is_growing else Freshness.SETTLED
            self.age = Age(Freshness.STALE if update.error is not None else kind, update.read_at)
        elif update.error is not None:
            self.age = Age(Freshness.FAILED)
        if not self.is_whole:
            return
        self._paint(update)
        self.host.update_header()
        self.draw()

    def _paint(self, update: CompareUpdate) -> None:
        """Show a new comparison; a renewed one keeps the scroll position."""
        comparison, left, right = update.comparison, update.left, update.right
        if comparison is None or left is None or right is None:
            return
        before = self.painted
        is_shown = before is not None and before.comparison is comparison
        if is_shown or update.step is not CompareStep.DONE:
            return
        self.painted = update
        status = update.this.status if update.this is not None else ""
        role = _ROLES.get(status, "accent")
        opening = update.opening or 0 if before is None else None
        self.view.show(LogComparison(comparison, left, right, update.words, role), opening)
        self.host.refresh_bindings()

    def compose(self) -> ComposeResult:
        from textual.widgets import Static  # noqa: PLC0415  (never the first view)

        yield CompareView(id="compared")
        yield Static("", id="nothing", markup=False)
        yield Bar(id="where")

    def draw(self) -> None:
        """Draw the lines above and below, or a message if there is nothing to compare."""
        if not self.is_whole:
            return
        host, update, sentence = self.host, self.comparing, self._sentence()
        show_message(self, sentence)
        host.update_notice(empty=bool(sentence) and self.painted is None)
        host.summarize(compare_status(update, self.now, host.size.width - 2))
        if update.comparison is not None and update.step is CompareStep.COMPARING:
            self.where.show(((f" comparing … {update.progress:.0%}", "muted"),))
        else:
            rows, at, again = self.view.rows, self.view.cursor, host.key_of("view.refresh")
            self.where.show(difference_status(update, rows, at, host.size.width, again))

    def _sentence(self) -> str:
        update, rows, key_of = self.comparing, self.view.rows, self.host.key_of
        if rows is None and update.error is not None:
            return page(update.error, key_of)
        if rows is None:
            return waiting_page(update, key_of("view.refresh"), key_of("view.back"))
        if rows.differences or self.painted is None or self.view.unfolds_all:
            return ""
        if any(one.is_routine for one in rows.comparison.blocks):
            return ""  # its rows can be unfolded
        return no_difference_page(self.painted, key_of("compare.masks"), key_of("view.back"))

    @on(CompareView.Moved)
    def _moved(self) -> None:
        self.draw()

    def focus_body(self) -> None:
        self.view.focus()

    @on(CompareView.LineChosen)
    def _open_line(self, event: CompareView.LineChosen) -> None:
        event.stop()
        self.host.go_to(replace(self.route, view="log", line=event.line))


class CompareKeys(Controller[CompareBody]):
    @command("m", "compare.masks", "Masks")
    def mask(self) -> None:
        """Turn masks on or off: they hide values that differ in every run."""
        if (feed := self.body.feeds.main) is not None:
            feed.toggle_masks()

    @command("y", "compare.copy", "Copy")
    def copy(self) -> None:
        """Copy this difference."""
        view, painted = self.body.view, self.body.painted
        rows = view.rows
        if rows is None or painted is None or painted.left is None or painted.right is None:
            return
        at = rows.difference_at(view.cursor)
        if not rows.differences:
            self.screen.show_hint("No difference to copy.")
            return
        text = difference_text(rows, max(0, at), painted.left, painted.right)
        self.screen.post_message(CopyText(text))

    @command("slash", "compare.search", "Search")
    def search(self) -> None:
        """Search in the log, which has to be open."""
        key = self.screen.key_of("compare.open", CompareView)
        self.screen.show_hint(f"Search in the log: {key} opens it.")

    @command("o", "compare.browse", "Last success")
    def browse(self) -> None:
        """Open the page of the last successful job."""
        if self._green_address:
            self.screen.post_message(OpenPage(self._green_address))

    @property
    def _green_address(self) -> str:
        search = self.body.comparing.search
        return search.run.web_url if search is not None and search.run is not None else ""

    def disabled_reason(self, command: str) -> str:
        if command == "compare.browse":
            return "" if self._green_address else "The page of the last successful job is unknown."
        return "" if self.body.painted is not None else "The comparison is not ready yet."


class CompareScreen(ViewScreen):
    BODY = CompareBody
    CONTROLLERS = (GoBack, Refresh, SignIn, CopyView, CompareKeys)
    FOOTER = (
        "view.back", "compare.next", "compare.open", "compare.expand", "compare.masks",
        "compare.copy", "compare.browse", "app.command",
    )  # fmt: skip
    SIGNS = SIGNS
