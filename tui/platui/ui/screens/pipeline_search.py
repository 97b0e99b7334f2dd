"""Hits of a text search in all logs of a pipeline, by job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from platui.core.text import clean
from platui.models.values.search import PipelineHits, SearchQuery
from platui.present.chrome import Age, Freshness
from platui.present.logs.pipeline_search import (
    HIT,
    HITS,
    JOB,
    HitRows,
    nothing_found,
    read_key,
    search_line,
)
from platui.service import resources
from platui.ui.controller import command
from platui.ui.controllers.list_keys import NextPane, PreviousPane, move_cyclic
from platui.ui.controllers.pipeline_logs import PipelineLogs, parse_search
from platui.ui.controllers.view_keys import VIEW_KEYS, CopyView
from platui.ui.messages import RouteCompleted
from platui.ui.screens.parts.list_body import ListBody
from platui.ui.screens.parts.list_context import ListContext
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.routes import SavedView
    from platui.models.values.table import Row
    from platui.service.logs.pipeline_search import PipelineSearch


class PipelineSearchKeys(PipelineLogs):
    @command("slash", "hits.search", "Search")
    async def search_again(self) -> None:
        """Search these logs for another text; /text/ is a regular expression."""
        await self.ask(self.sought())

    @command("n", "hits.next", "Next hit")
    def next_hit(self) -> None:
        """Go to the next hit."""
        self._go_to_hit(1)

    @command("N", "hits.previous", "Previous hit")
    def previous_hit(self) -> None:
        """Go to the previous hit."""
        self._go_to_hit(-1)

    def search(self, typed: str) -> None:
        text, is_regex = parse_search(typed)
        if text:
            route = replace(self.body.route, search=text, is_regex=is_regex)
            self.screen.post_message(RouteCompleted(route, self.body.route))
            self.body.visit(route)

    def undo(self) -> bool:
        """Stop a running search; its hits stay."""
        feed, found = self.body.feeds.main, self.body.found
        if feed is None or not found.listed or found.is_whole or found.stopped:
            return False
        feed.stop()
        return True

    def _go_to_hit(self, step: int) -> None:
        if not move_cyclic(self.body.table, step, lambda key: read_key(key)[0] == HIT):
            self.screen.show_hint("No other hit here.")


class PipelineSearchContext(ListContext["PipelineSearchBody"]):
    def crumbs(self) -> tuple[str, ...]:
        return (self.project_name, f"#{self.body.route.pipeline}", "search")

    def saved_state(self) -> SavedView | None:
        """Return nothing: the next start opens the jobs."""
        return None

    def open(self, key: str) -> None:
        kind, number, line = read_key(key)
        job = next((log.job for log in self.body.found.logs if log.job.id == number), None)
        if job is not None:
            here = replace(self.body.route, view="log", job=job.id, job_name=clean(job.name))
            self.body.host.go_to(replace(here, line=None if kind == JOB else line))


class PipelineSearchBody(ListBody):
    CONTEXT = PipelineSearchContext
    SUBJECT = (*ListBody.SUBJECT, "search", "is_regex")
    NOUN = "hits"
    COLUMNS = HITS.layout
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.found = PipelineHits()
        self._rows = HitRows()

    @property
    def _words(self) -> str:
        return clean(self.host.controller(PipelineSearchKeys).sought())

    def open_feed(self) -> PipelineSearch | None:
        route = self.route
        if route.project is None or route.pipeline is None or not route.search:
            return None
        query = SearchQuery(route.search, is_regex=route.is_regex)
        return self.service.watch(resources.logs.search(route.project, route.pipeline, query))

    def start_feeds(self) -> None:
        super().start_feeds()
        if self.feeds.main is None:  # a typed command may lack the text
            self.age = Age(Freshness.UNASKED)
            self.host.update_header()
            self.draw()

    def page(self) -> tuple[str, str]:
        if self.age.kind is Freshness.UNASKED:
            return f"No text to search for.\n\n{self.host.key_of('hits.search')}  search", "muted"
        return super().page()

    def forget(self) -> None:
        super().forget()
        self.found, self._rows = PipelineHits(), HitRows()
        if self.is_whole:
            self.table.show(())

    def take(self, item: PipelineHits) -> None:
        self.found, self.error = item, item.error
        if item.fetched_at is not None:
            is_final = item.is_whole and not item.active
            kind = Freshness.SETTLED if is_final else Freshness.LIVE
            self.age = Age(Freshness.STALE if item.error is not None else kind, item.fetched_at)
        elif item.error is not None:
            self.age = Age(Freshness.FAILED)
        self.host.update_header()
        self.draw()

    def rows(self) -> Sequence[Row]:
        return self._rows.rows(self.found, utc=self.utc)

    def draw_summary(self) -> None:
        self.host.summarize(search_line(self.found, self._words, self.host.key_of("view.refresh")))

    def empty(self) -> tuple[str, str]:
        commands = {"on": "view.refresh", "other": "hits.search", "back": "view.back"}
        keys = {name: self.host.key_of(one) for name, one in commands.items()}
        return nothing_found(self.found, self._words, **keys), "muted"


class PipelineSearchScreen(ViewScreen):
    BODY = PipelineSearchBody
    CONTROLLERS = (*VIEW_KEYS, CopyView, NextPane, PreviousPane, PipelineSearchKeys)
    FOOTER = (
        "view.back", "table.open", "hits.next", "hits.search", "view.refresh", "view.pause",
        "app.command",
    )  # fmt: skip
