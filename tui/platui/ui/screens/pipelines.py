"""Pipelines of one project: a health strip, the table, the details."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding

from platui.models.values.places import Place, View
from platui.models.values.queries import PipelinesQuery
from platui.models.values.raw import RecordKind, RecordRef
from platui.models.values.writes import Act
from platui.present.chrome import joined
from platui.present.details.pipelines import pipeline_details
from platui.present.pipelines import PIPELINE_COLUMNS, health, health_words, kept_pipeline_rows
from platui.present.status import FAILED
from platui.ui.by_key import ByKey
from platui.ui.messages import GoTo
from platui.ui.screens.acting import Actable, ActsOnRows
from platui.ui.screens.detailed import DetailedList
from platui.ui.screens.perhaps_group import PerhapsGroup
from platui.ui.screens.running import RunsPipelines
from platui.ui.screens.telling_log import TellingLog
from platui.ui.screens.watching import WatchesProjects
from platui.ui.screens.whole_pipeline import WholePipeline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.binding import BindingType

    from platui.models import Pipeline
    from platui.models.values.feeds import Feed
    from platui.models.values.pages import Listing
    from platui.models.values.snapshots import Snapshot
    from platui.models.values.table import Row
    from platui.present.details.layout import Details

_STRIP = 60
_FIGURES = 50
"""Cells that the figures beside the strip need."""


class PipelinesScreen(
    DetailedList,
    ActsOnRows,
    TellingLog,
    RunsPipelines,
    WholePipeline,
    WatchesProjects,
    PerhapsGroup,
):
    """Newest first; `enter` opens the jobs, `l` the log of the job that failed."""

    VIEW = View.PIPELINES
    NOUN = "pipelines"
    COLUMNS = PIPELINE_COLUMNS
    FOOTER = (
        "table.open", "pipelines.log", "list.details", "list.filter", "write.run", "write.rerun",
        "list.failed", "write.cancel", "write.retry", "list.sort", "list.copy",
        "place.refresh", "app.command",
    )  # fmt: skip
    ACTS = {"cancel": Act.CANCEL_PIPELINE, "retry": Act.RETRY_PIPELINE}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "l",
            "log",
            "Log",
            id="pipelines.log",
            tooltip="Log of the job that failed first, else of the one running",
        ),
        Binding(
            "b",
            "since",
            "Broken since",
            id="pipelines.since",
            tooltip="Hold this red run against the last green one: what changed in between",
        ),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._pipelines: tuple[Pipeline, ...] = ()
        self._rows = kept_pipeline_rows()
        self._by_key: ByKey[Pipeline] = ByKey()
        self._feed: Feed[Listing[Pipeline]] | None = None

    def crumbs(self) -> tuple[str, ...]:
        """Return project and area."""
        return (self.project_crumb, "Pipelines")

    # feeds

    def start_feeds(self) -> None:
        """Follow the list; the details of the cursor's row follow it."""
        if self.place.project is None:
            return
        super().start_feeds()
        if self._feed is None:
            self._feed = self.service.feeds.watch_pipelines(PipelinesQuery(self.place.project))
        self.follow("pipelines", self._feed, self._show)
        self.hold_feeds()

    def feeds(self) -> Sequence[Any]:
        """Return the list, then the details."""
        return [] if self._feed is None else [self._feed, *super().feeds()]

    def forget(self) -> None:
        """Drop the pipelines of the project of before."""
        super().forget()
        self._feed = None
        self._pipelines = ()

    def _show(self, snapshot: Snapshot[Listing[Pipeline]]) -> None:
        if snapshot.value is not None:
            self._pipelines = snapshot.value.items
        self.judge_listing(snapshot)
        self.draw()

    # rows

    def rows(self) -> Sequence[Row]:
        """Return the pipelines as loaded."""
        return self._rows.rows(self._pipelines, self.service.clock.now())

    def draw_summary(self) -> None:
        """Show the strip of the last runs with its figures."""
        if not self.has_data():
            return
        room = max(10, min(_STRIP, self.size.width - _FIGURES))
        state = health(self._pipelines, self.service.clock.now(), _STRIP)
        pieces = [(" ", "text"), *state.strip[-room:], ("  ", "text")]
        for number, piece in enumerate(health_words(state)):
            pieces += [(" · ", "muted")] * bool(number) + [piece]
        # What hides rows is said at the right, where it never gives way to the figures.
        right = joined(self.filter_pieces())
        if not right and self.size.width >= 150:  # noqa: PLR2004  (room)
            right = ((state.sparkline[-30:], "muted"),)
        self.summary.show(tuple(pieces), ((" ", "text"), *right, (" ", "text")))

    def empty_text(self) -> str:
        """Return what an empty list means."""
        again = self.key_of("place.refresh")
        return (
            f"No pipeline has run here yet.\n\n{again}  look again      esc  back to the projects"
        )

    def _pipeline(self, key: str | None) -> Pipeline | None:
        return self._by_key.of(self._pipelines).get(key or "")

    def details_of(self, key: str, record: Pipeline | None = None) -> Details | None:
        """Return what is known of a pipeline: its full record where it came, else the summary."""
        pipeline = record or self.whole(key) or self._pipeline(key)
        if pipeline is None:
            return None
        return pipeline_details(pipeline, self.service.clock.now(), utc=self.utc)

    def record_feed(self, key: str) -> Feed[Pipeline] | None:
        """Return the feed of the full record: a list holds half of it."""
        project = self.place.project
        return None if project is None else self.service.feeds.watch_pipeline(project, int(key))

    def record_of(self, key: str) -> RecordRef | None:
        """Return the pipeline of a row."""
        return RecordRef(RecordKind.PIPELINE, int(key), self.place.project)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return address, id, commit and ref."""
        pipeline = self._pipeline(key)
        if pipeline is None:
            return {}
        return {
            "URL": pipeline.web_url,
            "id": key,
            "commit": pipeline.sha,
            "ref": pipeline.ref,
            "command": self.opening(pipeline.web_url),
        }

    def actable(self, key: str) -> Actable | None:
        """Return the pipeline of a row."""
        pipeline = self._pipeline(key)
        return None if pipeline is None else Actable(pipeline.id, pipeline.ref, pipeline.status)

    def why_unactable(self, key: str) -> str:
        """Return that there is no pipeline in the row any more."""
        del key
        return "this pipeline is gone"

    def file_of(self, key: str) -> Place | None:
        """Return the pipeline's file, at the commit it ran on."""
        pipeline = self._pipeline(key)
        if pipeline is None:
            return None
        ref = pipeline.sha or pipeline.ref
        return replace(self.pipeline_place(View.FILE, pipeline.id), ref=ref)

    def subject(self) -> Place | None:
        """Return the pipeline under the cursor."""
        key = self.table.cursor_key
        return self.pipeline_place(View.JOBS, int(key)) if key is not None else self.place

    # keys

    def open_row(self, key: str) -> None:
        """Go to the pipeline's jobs."""
        self.post_message(GoTo(self.pipeline_place(View.JOBS, int(key))))

    def pipelines_chosen(self) -> Sequence[Place]:
        """Return the marked pipelines, or that under the cursor."""
        return [self.pipeline_place(View.JOBS, int(key)) for key in self.chosen()]

    def action_since(self) -> None:
        """Hold the red pipeline under the cursor against the last green one."""
        if (key := self.table.cursor_key) is not None:
            self.post_message(GoTo(self.pipeline_place(View.SINCE, int(key))))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what only a red pipeline has."""
        if action == "since" and self.is_whole:
            pipeline = self._pipeline(self.table.cursor_key)
            return True if pipeline is not None and pipeline.status == FAILED else None
        return super().check_action(action, parameters)

    def action_log(self) -> None:
        """Find the job that matters in the pipeline under the cursor, and open its log."""
        if (key := self.table.cursor_key) is not None:
            self.open_log_of(int(key))
