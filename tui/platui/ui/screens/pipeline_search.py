"""A text in all logs of a pipeline: what was found, job by job; `enter` opens the log there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding

from platui.core.text import clean
from platui.models.values.pipeline_search import PipelineHits
from platui.models.values.places import Place, View
from platui.models.values.search import SearchQuery
from platui.present.chrome import Age, Freshness
from platui.present.pipeline_search import (
    HIT,
    HIT_COLUMNS,
    JOB,
    HitRows,
    nothing_found,
    read_key,
    search_line,
)
from platui.ui.messages import GoTo, PlaceLearned, Told
from platui.ui.screens.tabular import TableScreen
from platui.ui.screens.whole_pipeline import WholePipeline, search_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from platui.models.values.places import KeptPlace
    from platui.models.values.table import Row
    from platui.service.protocols import PipelineSearchFeed


class PipelineSearchScreen(TableScreen, WholePipeline):
    """Rows by job; `n` and `N` go from hit to hit, `/` looks for something else."""

    VIEW = View.SEARCH
    NOUN = "hits"
    WITHOUT = frozenset({"details", "read_details"})
    COLUMNS = HIT_COLUMNS
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()
    FOOTER = (
        "place.up", "table.open", "hits.next", "hits.search", "place.refresh", "place.hold",
        "app.command",
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash", "search", "Search", id="hits.search",
            tooltip="Look for something else in these logs; /it/ is a regular expression",
        ),
        Binding("n", "next_hit(1)", "Next hit", id="hits.next", tooltip="Go to the next hit"),
        Binding(
            "N", "next_hit(-1)", "Hit before", id="hits.previous", show=False,
            tooltip="Go to the hit before",
        ),
    ]  # fmt: skip

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._feed: PipelineSearchFeed | None = None
        self._found = PipelineHits()
        self._rows = HitRows()

    def crumbs(self) -> tuple[str, ...]:
        """Return project, pipeline, and that this is a search."""
        return (self.project_name, f"#{self.place.pipeline}", "search")

    @property
    def _words(self) -> str:
        """Return what is looked for, as it would be typed."""
        return clean(self.sought())

    # feeds

    def start_feeds(self) -> None:
        """Search, or go on with it."""
        place = self.place
        if place.project is None or place.pipeline is None or not place.search:
            return
        if self._feed is None:
            query = SearchQuery(place.search, is_regex=place.is_regex)
            self._feed = self.service.feeds.search_pipeline(place.project, place.pipeline, query)
        self.hold_feeds()
        self.follow("search", self._feed, self._show)

    def feeds(self) -> Sequence[Any]:
        """Return the search."""
        return () if self._feed is None else (self._feed,)

    def forget(self) -> None:
        """Drop what was found before."""
        super().forget()
        self._feed, self._found, self._rows = None, PipelineHits(), HitRows()
        if self.is_whole:
            self.table.show(())

    def visit(self, place: Place) -> None:
        """Look in another pipeline, or for another text."""
        if (place.search, place.is_regex) != (self.place.search, self.place.is_regex):
            self.stop_feeds()
            self.age, self.error = Age(), None
            self.forget()
        super().visit(place)

    def _show(self, found: PipelineHits) -> None:
        self._found, self.error = found, found.error
        if found.fetched_at is not None:
            kind = Freshness.SETTLED if found.is_whole else Freshness.LIVE
            self.age = Age(Freshness.STALE if found.error is not None else kind, found.fetched_at)
        elif found.error is not None:
            self.age = Age(Freshness.FAILED)
        self.tell_header()
        self.draw()

    # drawing

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

    # keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take away what has nothing to act on."""
        if action in self.WITHOUT:
            return False
        return super().check_action(action, parameters)

    def clear_one(self) -> bool:
        """End a search that is under way; what was found stays."""
        if self._feed is None or self._found.is_whole or self._found.stopped:
            return False
        self._feed.stop()
        return True

    def open_row(self, key: str) -> None:
        """Open the log at the line, with the search."""
        kind, number, line = read_key(key)
        job = next((log.job for log in self._found.logs if log.job.id == number), None)
        if job is not None:
            here = self.place
            self.post_message(
                GoTo(
                    Place(
                        View.LOG, here.project, here.project_name, here.pipeline,
                        job.id, clean(job.name), line=None if kind == JOB else line,
                        search=here.search, is_regex=here.is_regex,
                    )
                )
            )  # fmt: skip

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
        await self.ask_for_search(self.sought())

    def search_logs(self, typed: str) -> None:
        """Look for something else, here."""
        text, is_regex = search_in(typed)
        if text:
            place = replace(self.place, search=text, is_regex=is_regex)
            self.post_message(PlaceLearned(place))
            self.visit(place)
