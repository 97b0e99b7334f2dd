"""Jobs of a pipeline by stage with a timeline, or of a project, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual import on

from platui.core.text import clean
from platui.models.values.previews import LOG, PreviewTarget
from platui.models.values.queries import JobsQuery, RecordKind, RecordRef
from platui.models.values.routes import Route
from platui.models.values.statuses import ACTIVE
from platui.models.values.tests import ReportedPipeline
from platui.present.chrome import joined
from platui.present.counts import counted
from platui.present.details.jobs import job_details
from platui.present.details.pipelines import pipeline_line
from platui.present.jobs import current_ids, first_failed, jobs_summary
from platui.present.status import FAILED
from platui.present.tables.jobs import BRIDGE, JOBS, PIPELINE_JOBS, job_rows
from platui.present.tables.pipelines import cached_pipeline_rows
from platui.service import resources
from platui.ui.controllers.list_keys import LIST_KEYS, ChangePreview
from platui.ui.controllers.pipeline_logs import PipelineLogs, pipeline_route
from platui.ui.controllers.run_keys import RunPipeline, Unlock
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.screens.job_keys import JobKeys, JobWrites
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.list_context import NOT_LOADED, ListContext, file_route
from platui.ui.screens.parts.list_preview import job_preview, not_run, pipeline_preview
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed, Listing, Snapshot
    from platui.models.values.table import Column, Row
    from platui.models.wire import Bridge, Job, Pipeline
    from platui.present.details.layout import Details


class JobsContext(ListContext["JobsBody"]):
    COPIES = {"URL": "web_url", "id": "id", "name": "name", "command": ""}

    def crumbs(self) -> tuple[str, ...]:
        pipeline = self.body.route.pipeline
        return (self.project_crumb, "Jobs" if pipeline is None else f"#{pipeline}")

    def details(self, key: str, record: Job | None = None) -> Details | None:
        job = record or self.item(key) or self._bridge(key)
        return None if job is None else job_details(job, self.at_now)

    def _bridge(self, key: str) -> Bridge | None:
        number = key.removeprefix(BRIDGE)
        return next((one for one in self.body.bridges if str(one.id) == number), None)

    def copies(self, key: str) -> Mapping[str, str]:
        bridge = self._bridge(key) if key.startswith(BRIDGE) else None
        if bridge is None:
            return super().copies(key)
        return {"URL": bridge.web_url, "id": str(bridge.id), "name": bridge.name}

    def tests_of(self, key: str) -> ReportedPipeline | None:
        """Return the pipeline of a failed job that reported tests."""
        job, project = self.item(key), self.body.route.project
        if job is None or job.pipeline is None or project is None or job.status != FAILED:
            return None
        if all(one.file_type != "junit" for one in job.artifacts):
            return None
        return ReportedPipeline.of(project, job.pipeline, job.name)

    def record_feed(self, key: str) -> Feed[Job] | None:
        """Return the feed of a job that may change; the list has all of a finished job."""
        job, project = self.item(key), self.body.route.project
        if job is None or project is None or job.status not in ACTIVE:
            return None
        return self.body.service.watch(resources.jobs.job(project, job.id))

    def record(self, key: str) -> RecordRef | None:
        kind = RecordKind.BRIDGE if key.startswith(BRIDGE) else RecordKind.JOB
        number = int(key.removeprefix(BRIDGE))
        return RecordRef(kind, number, self.body.route.project, self.body.route.pipeline)

    def preview(self, key: str, _kind: str) -> PreviewTarget | None:
        """Return the log of a job, or the jobs of a child pipeline."""
        route = self.body.route
        if key.startswith(BRIDGE):
            bridge = self._bridge(key)
            child = bridge.downstream_pipeline if bridge is not None else None
            return pipeline_preview((child and child.project_id) or route.project, child)
        job = self.item(key)
        return None if job is None else job_preview(route, job)

    def open(self, key: str) -> None:
        if key.startswith(BRIDGE):
            self._open_child(self._bridge(key))
            return
        job = self.item(key)
        if job is None:
            if not self.body.has_data():
                self.body.host.show_hint(NOT_LOADED)
            return
        if job.started_at is None and job.status not in ACTIVE:
            self.body.host.show_hint(not_run(job))
            return
        pipeline = self.body.route.pipeline or (job.pipeline.id if job.pipeline else None)
        self.body.host.go_to(pipeline_route(self.body.route, "log", pipeline, job))

    def file_of(self, key: str) -> Route | None:
        job = self.item(key)
        return file_route(self.body.route, job) if job is not None else None

    def pipeline(self) -> Route | None:
        if self.body.route.pipeline is not None:
            return self.body.route
        job = self.item(self.body.table.cursor_key)
        if job is None or job.pipeline is None:
            return None
        return pipeline_route(self.body.route, "jobs", job.pipeline.id)

    def _open_child(self, bridge: Bridge | None) -> None:
        child = bridge.downstream_pipeline if bridge else None
        if bridge is None or child is None:
            self.body.host.show_hint("This child pipeline has not started.")
            return
        project = child.project_id or self.body.route.project
        is_here = project == self.body.route.project
        name = self.body.route.project_name if is_here else clean(bridge.name)
        self.body.host.go_to(Route("jobs", project, name, child.id))


class JobsBody(ListBody):
    CONTEXT = JobsContext
    MAY_BE_GROUP = True
    PREVIEWS = (LOG,)
    NOUN = "jobs"
    RECORD_KIND = "job"
    items: tuple[Job, ...]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._project_rows = cached_pipeline_rows(JOBS)
        self.bridges: tuple[Bridge, ...] = ()
        self.pipeline: Pipeline | None = None
        self._has_moved_cursor = False
        self._first_key: str | None = None  # The row under the cursor at first
        self.newest_attempts: frozenset[int] = frozenset()  # Ids of jobs that were not retried
        self.came_from: Route | None = None  # The pipeline whose jobs were left for all jobs

    def columns(self) -> tuple[Column, ...]:
        return PIPELINE_JOBS.layout if self.route.pipeline is not None else JOBS.layout

    def open_feed(self) -> Feed[Listing[Job]] | None:
        project, pipeline = self.route.project, self.route.pipeline
        if project is None:
            return None
        query = JobsQuery(project, pipeline, with_retried=pipeline is not None)
        return self.service.watch(resources.jobs.jobs(query))

    def start_feeds(self) -> None:
        project, pipeline = self.route.project, self.route.pipeline
        super().start_feeds()
        if project is not None and pipeline is not None:
            line = self.service.watch(resources.pipelines.pipeline(project, pipeline))
            bridges = self.service.watch(resources.pipelines.bridges(project, pipeline))
            self.feeds.follow("pipeline", line, self._show_line)
            self.feeds.follow("bridges", bridges, self._show_bridges)

    def ready(self) -> None:
        super().ready()
        # A restored cursor stays, unless the route names a job.
        has_cursor = self.saved_view is not None and bool(self.saved_view.cursor)
        self._has_moved_cursor = has_cursor and self.route.job is None

    def forget(self) -> None:
        super().forget()
        self.bridges, self.pipeline, self._has_moved_cursor = (), None, False
        self._first_key = None
        if self.is_whole:
            self.table.set_columns(self.columns())

    def take(self, item: Snapshot[Listing[Job]]) -> None:
        if item.value is not None and self.route.pipeline is not None:
            self.newest_attempts = current_ids(item.value.items)
        super().take(item)
        if item.value is not None and item.value.complete and self.is_whole:
            self._move_cursor_once()  # else it is being unmounted

    def draw(self) -> None:
        super().draw()
        if self._first_key is None and self.is_whole:
            self._first_key = self.table.cursor_key

    def _move_cursor_once(self) -> None:
        """Put the cursor on the wanted, the failed or the running job, unless the user moved it."""
        if self._has_moved_cursor or self.route.pipeline is None:
            return
        self._has_moved_cursor = True
        if self.table.cursor_key != self._first_key:
            return
        wanted = next((job for job in self.items if job.id == self.route.job), None)
        running = [job for job in self.items if job.status == "running"]
        if job := wanted or first_failed(self.items) or next(iter(running), None):
            self.table.move_to(str(job.id))

    def _show_bridges(self, snapshot: Snapshot[Listing[Bridge]]) -> None:
        if snapshot.value is not None and snapshot.value.items != self.bridges:
            self.bridges = snapshot.value.items
            self.draw()

    def _show_line(self, snapshot: Snapshot[Pipeline]) -> None:
        if snapshot.value is not None:
            self.pipeline = snapshot.value
            if not self.items:
                self.draw()  # the pipeline explains why it has no jobs
            elif self.is_whole:  # may be called during unmounting
                self.draw_summary()

    def rows(self) -> Sequence[Row]:
        if self.route.pipeline is None:
            return self._project_rows.rows(self.items, self.now)
        return job_rows(self.items, self.bridges, self.now, self.table.column_width("timeline"))

    @on(Table.LaidOut, "#table")
    def _laid_out(self, event: Table.LaidOut) -> None:
        event.stop()
        self.draw()

    def draw_summary(self) -> None:
        line: list[tuple[str, str]] = []
        if self.pipeline is not None and self.route.pipeline is not None:
            line += pipeline_line(self.pipeline, self.now)
        if not self.items:
            self.host.summarize([*filter_pieces(self), *line])
        elif self.route.pipeline is None:
            loaded = (f"{counted(len(self.listing.items), 'job')} loaded, newest first", "text")
            self.host.summarize([*filter_pieces(self), loaded])
        else:
            total, *counts = jobs_summary(self.items)
            before = joined([*filter_pieces(self), *line[:2], total, ("", "text")])
            after = joined([("", "text"), *line[2:]])
            self.host.summary.show(((" ", "text"), *before, *joined(counts, " "), *after))

    def empty(self) -> tuple[str, str]:
        """Return why the list is empty; an invalid pipeline file is a failure."""
        broken = self.pipeline.yaml_errors if self.pipeline is not None else ""
        if broken:
            return "\n".join(("The pipeline file is invalid", "", *broken.splitlines())), "failed"
        if self.route.pipeline is None:
            return "No job has run in this project yet.\n\nesc  back", "muted"
        keys = f"{self.host.key_of('list.details')}  details      esc  back to pipelines"
        return f"This pipeline has no jobs.\n\n{keys}", "muted"


class JobsScreen(ViewScreen):
    BODY = JobsBody
    CONTROLLERS = (
        *LIST_KEYS, ChangePreview, WatchProjects, PipelineLogs, Unlock, RunPipeline, JobWrites,
        JobKeys,
    )  # fmt: skip
    FOOTER = (
        "table.open", "list.details", "jobs.next_failed", "list.filter", "list.failed",
        "write.cancel", "write.retry", "write.play", "write.rerun",
        "jobs.all", "list.copy", "view.refresh", "app.command",
    )  # fmt: skip
