"""A job's log held against that of its last green run: what is new is what broke it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import getters, on
from textual.containers import Container

from platui.core.text import clean
from platui.models.values.comparison import CompareUpdate, Step
from platui.present.chrome import Age, Freshness
from platui.present.logs.comparing import (
    SIGNS,
    compare_line,
    difference_text,
    found_line,
    same_page,
    waiting_page,
)
from platui.service import resources
from platui.ui.failures import page
from platui.ui.keys_in_use import bind
from platui.ui.messages import CopyWanted, GoTo, PageWanted, PlaceLearned, Told
from platui.ui.screens.base import PlaceScreen
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.compare_view import CompareView, Shown

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.service.logs.comparing import ComparedLogs

_ROLES = {"failed": "failed", "running": "running"}


class CompareScreen(PlaceScreen):
    """Two logs between two lines; side by side where there is room."""

    WITHOUT = frozenset({"hold"})
    PARTS = (*PlaceScreen.PARTS, "CompareView", "#nothing", "#where")
    FOOTER = (
        "place.up", "compare.next", "compare.open", "compare.fold", "compare.masks",
        "compare.copy", "compare.browse", "app.command",
    )  # fmt: skip
    SIGNS = SIGNS
    DEFAULT_CSS = """
    CompareScreen #lines { height: 1fr; }
    CompareScreen CompareView { height: 1fr; }
    CompareScreen CompareView.-nothing { display: none; }
    CompareScreen #nothing { display: none; height: 1fr; content-align: center middle; }
    CompareScreen #nothing { text-align: center; }
    CompareScreen #nothing.-shown { display: block; }
    """
    BINDINGS = [
        bind(
            "m",
            "compare.masks",
            "Masks",
            "Compare every letter, or leave out what differs in every run",
        ),
        bind("y", "compare.copy", "Copy", "Copy this difference"),
        bind("o", "compare.browse", "Green job", "Open the platform's page of the green job"),
    ]

    view = getters.query_one(CompareView)
    where = getters.query_one("#where", Bar)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._update = CompareUpdate()
        self._painted: CompareUpdate | None = None  # The update whose comparison is on the screen

    def crumbs(self) -> tuple[str, ...]:
        """Return project, pipeline, job, and that it is compared."""
        place = self.place
        pipeline = (f"#{place.pipeline}",) if place.pipeline else ()
        name = place.job_name or f"job {place.job}"
        return (self.project_name, *pipeline, name, "compared")

    def open_feed(self) -> ComparedLogs | None:
        """Return the comparison."""
        place = self.place
        if place.project is None or place.job is None:
            return None
        return self.service.watch(resources.logs.compared(place.project, place.job, place.pipeline))

    def forget(self) -> None:
        """Drop the comparison of before."""
        super().forget()
        self._update, self._painted = CompareUpdate(), None
        if self.is_whole:
            self.view.clear()

    def _show(self, item: CompareUpdate) -> None:
        self._update = update = item
        self.error = update.error
        self._learn(update)
        if update.step in {Step.DONE, Step.NOTHING}:
            kind = Freshness.LIVE if update.is_growing else Freshness.SETTLED
            self.age = Age(kind, self.service.clock.now())
        elif update.error is not None and self.age.fetched_at is None:
            self.age = Age(Freshness.FAILED)
        if not self.is_whole:
            return
        self._paint(update)
        self.tell_header()
        self.draw()

    def _learn(self, update: CompareUpdate) -> None:
        this = update.this
        if this is None:
            return
        pipeline = this.pipeline if this.pipeline is not None else self.place.pipeline
        place = replace(self.place, pipeline=pipeline, job_name=clean(this.name))
        if place != self.place:
            self.place = place
            self.post_message(PlaceLearned(place))

    def _paint(self, update: CompareUpdate) -> None:
        """Show a comparison that is new; the reader's place stays when it was only renewed."""
        comparison, left, right = update.comparison, update.left, update.right
        if comparison is None or left is None or right is None:
            return
        if update.step is not Step.DONE:
            return
        before = self._painted
        if before is not None and before.comparison is comparison:
            return
        self._painted = update
        status = update.this.status if update.this is not None else ""
        role = _ROLES.get(status, "accent")
        opening = update.opening or 0 if before is None else None
        self.view.show(Shown(comparison, left, right, update.words, role), opening)

    def compose_body(self) -> ComposeResult:
        """Yield both logs, what stands there without, and the line below."""
        from textual.widgets import Static  # noqa: PLC0415  (such a screen is not the first)

        with Container(id="lines"):
            yield CompareView(id="compared")
            yield Static("", id="nothing", markup=False)
        yield Bar(id="where")

    def draw(self) -> None:
        """Show the lines above and below, and the sentence where there is nothing to compare."""
        if not self.is_whole:
            return
        from textual.widgets import Static  # noqa: PLC0415  (such a screen is not the first)

        sentence = self._sentence()
        nothing = self.query_one("#nothing", Static)
        nothing.set_class(bool(sentence), "-shown")
        self.view.set_class(bool(sentence), "-nothing")
        if sentence:
            nothing.update(sentence)
        elif self.focused is None:
            self.call_after_refresh(self.view.focus)
        self.tell_notice(empty=bool(sentence) and self._painted is None)
        self.summarize(compare_line(self._update, self.service.clock.now(), self.size.width - 2))
        self._tell_where()

    def _sentence(self) -> str:
        """Return what stands in the middle of the page; nothing where there are rows."""
        update, rows = self._update, self.view.rows
        if rows is None:
            return (
                page(update.error, self.key_of)
                if update.error is not None
                else waiting_page(update, self.key_of("place.refresh"))
            )
        if not rows.differences and not self.view.unfolds_all and self._painted is not None:
            return same_page(self._painted, self.key_of("compare.masks"))
        return ""

    def _tell_where(self) -> None:
        update = self._update
        if update.comparison is not None and update.step is Step.COMPARING:
            self.where.show(((f" comparing … {update.progress:.0%}", "muted"),))
        else:
            rows, at, again = self.view.rows, self.view.cursor, self.key_of("place.refresh")
            self.where.show(found_line(update, rows, at, self.size.width, again))

    @on(CompareView.Moved)
    def _moved(self) -> None:
        self.draw()

    def focus_body(self) -> None:
        """Give the keys back to the logs."""
        self.view.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what needs two logs."""
        if action in {"masks", "copy"} and self._painted is None:
            return None
        if action == "browse" and not self._green_address:
            return None
        return super().check_action(action, parameters)

    def go_to_number(self, number: int) -> bool:
        """Show a line of this job's log, counted from 1."""
        rows = self.view.rows
        if rows is None or not 1 <= number <= rows.comparison.right.end:
            return False
        self.view.go_to_line(number - 1)
        return True

    def action_masks(self) -> None:
        """Compare every letter, or leave out what differs in every run."""
        if (feed := self.feeds.main) is not None:
            feed.mask(not self._update.masks)

    def action_copy(self) -> None:
        """Copy the difference that the cursor is at."""
        rows, painted = self.view.rows, self._painted
        if rows is None or painted is None or painted.left is None or painted.right is None:
            return
        at = rows.difference_at(self.view.cursor)
        if not rows.differences:
            self.post_message(Told("There is no difference to copy."))
            return
        text = difference_text(rows, max(0, at), painted.left, painted.right)
        self.post_message(CopyWanted(text))

    @property
    def _green_address(self) -> str:
        search = self._update.search
        return search.run.web_url if search is not None and search.run is not None else ""

    def action_browse(self) -> None:
        """Open the green job's page of the platform."""
        if self._green_address:
            self.post_message(PageWanted(self._green_address))

    @on(CompareView.LineChosen)
    def _open_line(self, event: CompareView.LineChosen) -> None:
        event.stop()
        self.post_message(GoTo(replace(self.place, view="log", line=event.line)))
