"""Pipelines of one project: a health strip, the table, the details."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding

from platui.core.text import clean
from platui.models.values.places import Place, View
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.models.values.raw import RecordKind, RecordRef
from platui.models.values.writes import Act
from platui.present.chrome import joined
from platui.present.details.pipelines import pipeline_details
from platui.present.jobs import first_failed
from platui.present.pipelines import PIPELINE_COLUMNS, health, health_words, kept_pipeline_rows
from platui.ui.by_key import ByKey
from platui.ui.messages import Failed, GoTo, Told
from platui.ui.screens.acting import Actable, ActsOnRows
from platui.ui.screens.listing import reopening
from platui.ui.screens.whole_pipeline import WholePipeline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.binding import BindingType

    from platui.models import Job, Pipeline
    from platui.models.values.feeds import Feed
    from platui.models.values.pages import Listing
    from platui.models.values.snapshots import Snapshot
    from platui.models.values.table import Row
    from platui.present.details.layout import Details

_STRIP = 60
_FIGURES = 50
"""Cells that the figures beside the strip need."""


class PipelinesScreen(ActsOnRows, WholePipeline):
    """Newest first; `enter` opens the jobs, `l` the log of the job that failed."""

    VIEW = View.PIPELINES
    NOUN = "pipelines"
    COLUMNS = PIPELINE_COLUMNS
    FOOTER = (
        "table.open", "pipelines.log", "list.details", "list.filter", "list.failed",
        "write.cancel", "write.retry", "list.sort", "list.copy", "place.refresh", "app.command",
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
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._pipelines: tuple[Pipeline, ...] = ()
        self._rows = kept_pipeline_rows()
        self._by_key: ByKey[Pipeline] = ByKey()
        self._detailed: Pipeline | None = None
        self._detail_of: int | None = None
        self._feed: Feed[Listing[Pipeline]] | None = None
        self._detail_feed: Feed[Pipeline] | None = None

    def crumbs(self) -> tuple[str, ...]:
        """Return project and area."""
        return (self.project_name, "Pipelines")

    # feeds

    def start_feeds(self) -> None:
        """Follow the list; the details of the cursor's row follow it."""
        if self.place.project is None:
            return
        if self._feed is None:
            self._feed = self.service.watch_pipelines(PipelinesQuery(self.place.project))
        self._detail_of, self._detail_feed = None, None
        self.follow("pipelines", self._feed, self._show)
        self.hold_feeds()

    def feeds(self) -> Sequence[Any]:
        """Return the list, then the details."""
        return [feed for feed in (self._feed, self._detail_feed) if feed is not None]

    def forget(self) -> None:
        """Drop the pipelines of the project of before."""
        super().forget()
        self._feed = None
        self._pipelines, self._detailed, self._detail_of = (), None, None

    def _show(self, snapshot: Snapshot[Listing[Pipeline]]) -> None:
        if snapshot.value is not None:
            self._pipelines = snapshot.value.items
        self.judge_listing(snapshot)
        self.draw()

    def _show_detail(self, snapshot: Snapshot[Pipeline]) -> None:
        if snapshot.value is not None:
            self._detailed = snapshot.value
            self._paint_detail()

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
        return "No pipeline has run here yet.\n\nr  look again      esc  back to the projects"

    def _pipeline(self, key: str | None) -> Pipeline | None:
        return self._by_key.of(self._pipelines).get(key or "")

    def draw_details(self) -> None:
        """Follow the details of the cursor's pipeline while they are shown."""
        super().draw_details()
        if not self.is_shown:
            return
        pipeline = self._pipeline(self.table.cursor_key)
        if not self.has_class("-detailed") or pipeline is None or self.place.project is None:
            self._detail_of, self._detail_feed = None, None
            self.stop_feed("detail")
        elif self._detail_of != pipeline.id:
            self._detail_of = pipeline.id
            self._detail_feed = self.service.watch_pipeline(self.place.project, pipeline.id)
            self._detail_feed.hold(self.held)
            self.follow("detail", self._detail_feed, self._show_detail)

    def _paint_detail(self) -> None:
        if self.is_whole and self.has_class("-detailed") and self.table.cursor_key:
            self.show_details(self.details_of(self.table.cursor_key))

    def details_of(self, key: str, record: Pipeline | None = None) -> Details | None:
        """Return what is known of a pipeline: its full record where it came, else the summary."""
        if record is None and self._detailed is not None and str(self._detailed.id) == key:
            record = self._detailed
        pipeline = record or self._pipeline(key)
        if pipeline is None:
            return None
        return pipeline_details(pipeline, self.service.clock.now(), utc=self.utc)

    def record_feed(self, key: str) -> Feed[Pipeline] | None:
        """Return the feed of the full record: a list holds half of it."""
        project = self.place.project
        return None if project is None else self.service.watch_pipeline(project, int(key))

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
            "command": reopening(pipeline.web_url),
        }

    def actable(self, key: str) -> Actable | None:
        """Return the pipeline of a row."""
        pipeline = self._pipeline(key)
        return None if pipeline is None else Actable(pipeline.id, pipeline.ref, pipeline.status)

    def file_of(self, key: str) -> Place | None:
        """Return the pipeline's file, at the commit it ran on."""
        pipeline = self._pipeline(key)
        if pipeline is None:
            return None
        ref = pipeline.sha or pipeline.ref
        return replace(self._place(View.FILE, pipeline.id), ref=ref)

    def subject(self) -> Place | None:
        """Return the pipeline under the cursor."""
        key = self.table.cursor_key
        return self._place(View.JOBS, int(key)) if key is not None else self.place

    # keys

    def open_row(self, key: str) -> None:
        """Go to the pipeline's jobs."""
        self.post_message(GoTo(self._place(View.JOBS, int(key))))

    def _place(self, view: View, pipeline: int, job: Job | None = None) -> Place:
        return Place(
            view,
            project=self.place.project,
            project_name=self.place.project_name,
            pipeline=pipeline,
            job=job.id if job else None,
            job_name=clean(job.name) if job else "",
        )

    def action_log(self) -> None:
        """Find the job that matters in the pipeline under the cursor, and open its log."""
        key = self.table.cursor_key
        if key is not None and self.place.project is not None:
            self.run_worker(
                self._open_log(int(key)), group="feed-log", exclusive=True,
                description="find the job to show",
            )  # fmt: skip

    async def _open_log(self, pipeline: int) -> None:
        """Open the log of the first failed job, else of a running one, else of the last."""
        assert self.place.project is not None  # noqa: S101  (the caller looked)
        feed = self.service.watch_jobs(JobsQuery(self.place.project, pipeline))
        async for snapshot in feed:
            if snapshot.error is not None and snapshot.value is None:
                self.post_message(Failed(snapshot.error))
                return
            if snapshot.value is None or not snapshot.value.complete:
                continue
            jobs = [job for job in snapshot.value.items if job.started_at is not None]
            running = [job for job in jobs if job.status == "running"]
            job = first_failed(jobs) or next(iter(running), None) or next(iter(jobs), None)
            if job is None:
                self.post_message(Told("No job of this pipeline has started yet."))
            else:
                self.post_message(GoTo(self._place(View.LOG, pipeline, job)))
            return
