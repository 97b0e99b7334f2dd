"""A text in all logs of a pipeline: what was found, job by job; `enter` opens the log there."""

from __future__ import annotations

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
from platui.ui.controllers.pipeline_logs import PipelineLogs, search_in
from platui.ui.keys_in_use import bind
from platui.ui.messages import GoTo, PlaceLearned, Told
from platui.ui.screens.tabular import TableScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.places import KeptPlace, Place
    from platui.models.values.table import Row
    from platui.service.logs.pipeline_search import PipelineSearch


class SearchAgain(PipelineLogs):
    """Look for something else in all logs of the pipeline."""

    def search(self, typed: str) -> None:
        """Look for something else, here."""
        text, is_regex = search_in(typed)
        if text:
            place = replace(self.screen.place, search=text, is_regex=is_regex)
            self.screen.post_message(PlaceLearned(place))
            self.screen.visit(place)


class PipelineSearchScreen(TableScreen):
    """Rows by job; `n` and `N` go from hit to hit, `/` looks for something else."""

    NOUN = "hits"
    WITHOUT = frozenset({"details", "read_details"})
    COLUMNS = HITS.layout
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()
    FOOTER = (
        "place.up", "table.open", "hits.next", "hits.search", "place.refresh", "place.hold",
        "app.command",
    )  # fmt: skip
    CONTROLLERS = (SearchAgain,)
    BINDINGS = [
        bind(
            "slash",
            "hits.search",
            "Search",
            "Look for something else in these logs; /it/ is a regular expression",
        ),
        bind("n", "hits.next", "Next hit", "Go to the next hit", action="next_hit(1)"),
        bind("N", "hits.previous", "Hit before", "Go to the hit before", action="next_hit(-1)"),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._found = PipelineHits()
        self._rows = HitRows()

    def crumbs(self) -> tuple[str, ...]:
        """Return project, pipeline, and that this is a search."""
        return (self.project_name, f"#{self.place.pipeline}", "search")

    @property
    def _words(self) -> str:
        return clean(self.controller(SearchAgain).sought())

    def open_feed(self) -> PipelineSearch | None:
        """Return the search."""
        place = self.place
        if place.project is None or place.pipeline is None or not place.search:
            return None
        query = SearchQuery(place.search, is_regex=place.is_regex)
        return self.service.watch(resources.logs.search(place.project, place.pipeline, query))

    def forget(self) -> None:
        """Drop what was found before."""
        super().forget()
        self._found, self._rows = PipelineHits(), HitRows()
        if self.is_whole:
            self.table.show(())

    def visit(self, place: Place) -> None:
        """Look in another pipeline, or for another text."""
        if (place.search, place.is_regex) != (self.place.search, self.place.is_regex):
            self.feeds.stop()
            self.age, self.error = Age(), None
            self.forget()
        super().visit(place)

    def _show(self, item: PipelineHits) -> None:
        self._found, self.error = item, item.error
        if item.fetched_at is not None:
            kind = Freshness.SETTLED if item.is_whole else Freshness.LIVE
            self.age = Age(Freshness.STALE if item.error is not None else kind, item.fetched_at)
        elif item.error is not None:
            self.age = Age(Freshness.FAILED)
        self.tell_header()
        self.draw()

    def rows(self) -> Sequence[Row]:
        """Return what was found, by job."""
        return self._rows.rows(self._found, utc=self.utc)

    def draw_summary(self) -> None:
        """Show what is looked for, and how far that is."""
        self.summarize(search_line(self._found, self._words, self.key_of("place.refresh")))

    def empty_text(self) -> str:
        """Return why there is no row, or not yet."""
        on, other = self.key_of("place.refresh"), self.key_of("hits.search")
        return nothing_found(self._found, self._words, on, other)

    def keep(self) -> KeptPlace | None:
        """Return nothing: the next start opens on the jobs."""
        return None

    def clear_one(self) -> bool:
        """End a search that is under way; what was found stays."""
        if self.feeds.main is None or self._found.is_whole or self._found.stopped:
            return False
        self.feeds.main.stop()
        return True

    def open_row(self, key: str) -> None:
        """Open the log at the line, with the search."""
        kind, number, line = read_key(key)
        job = next((log.job for log in self._found.logs if log.job.id == number), None)
        if job is not None:
            here = replace(self.place, view="log", job=job.id, job_name=clean(job.name))
            self.post_message(GoTo(replace(here, line=None if kind == JOB else line)))

    def action_next_hit(self, step: int) -> None:
        """Go to the next hit, or to the one before, round the ends."""
        keys = [row.key for row in self.table.shown_rows]
        at = keys.index(self.table.cursor_key) if self.table.cursor_key in keys else 0
        order = (keys[(at + step * distance) % len(keys)] for distance in range(1, len(keys) + 1))
        found = next((key for key in order if read_key(key)[0] == HIT), None)
        if found is None:
            self.post_message(Told("Nothing found here."))
        else:
            self.table.move_to(found)

    async def action_search(self) -> None:
        """Look for something else."""
        again = self.controller(SearchAgain)
        await again.ask(again.sought())
