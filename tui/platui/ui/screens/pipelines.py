"""Pipelines of a project: health strip, table and details."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import on

from platui.models.values.previews import JOBS, LOG, PreviewTarget
from platui.models.values.queries import JobsQuery, PipelinesQuery, RecordKind, RecordRef
from platui.models.values.tests import ReportedPipeline
from platui.models.values.writes import WriteAction
from platui.present.chrome import joined
from platui.present.counts import counted
from platui.present.details.pipelines import pipeline_details
from platui.present.pipelines import health, health_words
from platui.present.status import FAILED, STATUSES
from platui.present.tables.pipelines import (
    COMMITS_FROM,
    PIPELINE_LINES,
    PipelineLine,
    cached_pipeline_rows,
)
from platui.service import resources
from platui.service.resources.resource import Poll
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import LIST_KEYS, ChangePreview, SearchPlatform
from platui.ui.controllers.pipeline_logs import PipelineLogs, open_log_of, pipeline_route
from platui.ui.controllers.row_actions import ActionTarget, RowActions
from platui.ui.controllers.run_keys import RunPipeline, Unlock
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.list_context import NOT_LOADED, ListContext, chosen_reason
from platui.ui.screens.parts.list_preview import pipeline_preview
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed, Listing, Snapshot
    from platui.models.values.routes import Route
    from platui.models.values.table import Row
    from platui.models.wire import Job, Pipeline
    from platui.present.details.layout import Details

_STRIP = 60
_FIGURES = 56  # Cells for the figures beside the strip
_COMMITS = "commits"  # The feed of jobs that name the commits of pipelines
_MOST_JOBS = 1000  # Loaded for that


def _searched(words: str) -> tuple[str, str] | None:
    """Return status and ref that the platform can search for; None: other words."""
    found = words.split()
    statuses = [word for word in found if word in STATUSES]
    refs = [word for word in found if word not in STATUSES]
    if not found or len(statuses) > 1 or len(refs) > 1 or "!" in words:
        return None
    return "".join(statuses), "".join(refs)


class SearchPipelines(SearchPlatform):
    SEARCHABLE = "The platform searches for a status and the exact name of a ref."

    def can_search(self, words: str) -> bool:
        return _searched(words) is not None


class PipelineWrites(RowActions):
    ACTS = {"write.cancel": WriteAction.CANCEL_PIPELINE, "write.retry": WriteAction.RETRY_PIPELINE}

    def record_target(self, key: str) -> ActionTarget | None:
        pipeline = self.body.context.item(key)
        return (
            None if pipeline is None else ActionTarget(pipeline.id, pipeline.ref, pipeline.status)
        )

    def no_target_reason(self, _key: str) -> str:
        return "this pipeline no longer exists"


class ChosenPipelineLogs(PipelineLogs):
    def chosen(self) -> Sequence[Route]:
        route = self.body.route
        return [pipeline_route(route, "jobs", int(key)) for key in self.body.context.chosen()]

    def disabled_reason(self, command: str) -> str:
        reason = super().disabled_reason(command)
        return reason and (chosen_reason(self.body) or reason)


class PipelineKeys(Controller["PipelinesBody"]):
    @command("l", "pipelines.log", "Log")
    def open_log(self) -> None:
        """Open the log of the first failed job, or of the running one."""
        if (key := self.body.table.cursor_key) is not None:
            open_log_of(self.body, pipeline_route(self.body.route, "jobs", int(key)))

    @command("b", "pipelines.broken_since", "Broken since")
    def open_since(self) -> None:
        """Compare this failed run with the last successful one."""
        if (key := self.body.table.cursor_key) is not None:
            self.screen.go_to(pipeline_route(self.body.route, "since", int(key)))

    def disabled_reason(self, command: str) -> str:
        pipeline = self.body.context.item(self.body.table.cursor_key)
        if command == "pipelines.log":
            return "" if self.body.table.cursor_key else "Select a pipeline first."
        if pipeline is not None and pipeline.status == FAILED:
            return ""
        if not self.body.has_data():
            return NOT_LOADED
        if pipeline is None:
            return "Nothing to compare: select a failed pipeline."
        return f"Nothing to compare: #{pipeline.id} has not failed."


class PipelinesContext(ListContext["PipelinesBody"]):
    COPIES = {"URL": "web_url", "id": "id", "commit": "sha", "ref": "ref", "command": ""}

    def details(self, key: str, record: Pipeline | None = None) -> Details | None:
        pipeline = record or self.body.details.full_record(key) or self.item(key)
        if pipeline is None:
            return None
        return pipeline_details(pipeline, self.at_now)

    def tests_of(self, key: str) -> ReportedPipeline | None:
        pipeline, project = self.item(key), self.body.route.project
        if pipeline is None or project is None or pipeline.status != FAILED:
            return None
        return ReportedPipeline.of(project, pipeline)

    def record_feed(self, key: str) -> Feed[Pipeline] | None:
        project = self.body.route.project
        if project is None:
            return None
        return self.body.service.watch(resources.pipelines.pipeline(project, int(key)))

    def record(self, key: str) -> RecordRef | None:
        return RecordRef(RecordKind.PIPELINE, int(key), self.body.route.project)

    def file_of(self, key: str) -> Route | None:
        pipeline = self.item(key)
        if pipeline is None:
            return None
        ref = pipeline.sha or pipeline.ref
        return replace(pipeline_route(self.body.route, "file", pipeline.id), ref=ref)

    def resource(self) -> Route | None:
        key, route = self.body.table.cursor_key, self.body.route
        return route if key is None else pipeline_route(route, "jobs", int(key))

    def preview(self, key: str, _kind: str) -> PreviewTarget | None:
        return pipeline_preview(self.body.route.project, self.item(key))

    def open(self, key: str) -> None:
        self.body.host.go_to(pipeline_route(self.body.route, "jobs", int(key)))


class PipelinesBody(ListBody):
    CONTEXT = PipelinesContext
    FOLLOWS_RECORD = True
    MAY_BE_GROUP = True
    PREVIEWS = (JOBS, LOG)
    NOUN = "pipelines"
    RECORD_KIND = "pipeline"
    COLUMNS = PIPELINE_LINES.layout
    items: tuple[Pipeline, ...]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._rows = cached_pipeline_rows(PIPELINE_LINES)
        self._jobs: dict[int, Job] = {}  # Any job of a pipeline, by its id
        self._listed_jobs: Listing[Job] | None = None

    def open_feed(self) -> Feed[Listing[Pipeline]] | None:
        if self.route.project is None:
            return None
        status, ref = _searched(self.search) or ("", "")
        query = PipelinesQuery(self.route.project, status=status, ref=ref)
        return self.service.watch(resources.pipelines.pipelines(query))

    def forget(self) -> None:
        super().forget()
        self._jobs, self._listed_jobs = {}, None

    def draw(self) -> None:
        """Draw the rows; on a wide screen, follow the jobs, which name commits and users."""
        super().draw()
        project = self.route.project
        is_wide = self.host.size.width >= COMMITS_FROM
        if is_wide and project and self.host.is_shown and not self.feeds.is_followed(_COMMITS):
            jobs = resources.jobs.jobs(JobsQuery(project))
            feed = self.feeds.get(_COMMITS) or self.service.watch(replace(jobs, poll=Poll.SLOW))
            self.feeds.follow(_COMMITS, feed, self._take_jobs)

    def _take_jobs(self, snapshot: Snapshot[Listing[Job]]) -> None:
        listing = snapshot.value
        if listing is None or listing is self._listed_jobs:
            return
        self._listed_jobs = listing
        self._jobs = {job.pipeline.id: job for job in listing.items if job.pipeline is not None}
        self.draw()
        self._load_jobs()

    @on(Table.WindowChanged, "#table")
    def _load_jobs(self) -> None:
        """Load one more page of jobs while a visible pipeline is older than the loaded ones."""
        if not self.is_whole:  # a page may come while the view is closed
            return
        listing, oldest = self._listed_jobs, min(self._jobs, default=0)
        keys = self.table.visible_keys()
        if listing is None or listing.complete or len(listing.items) >= _MOST_JOBS:
            return
        if self.feeds.is_followed(_COMMITS) and any(int(key) < oldest for key in keys):
            self.feeds.get(_COMMITS).load_more()

    def rows(self) -> Sequence[Row]:
        lines = (PipelineLine(one, self._jobs.get(one.id)) for one in self.items)
        return self._rows.rows(lines, self.now)

    def draw_summary(self) -> None:
        if not self.has_data():
            return
        room = max(10, min(_STRIP, self.size.width - _FIGURES))
        state = health(self.items, self.now, _STRIP)
        words = joined(health_words(state))
        left = ((" ", "text"), *state.strip[-room:], ("  ", "text"), *words)
        if self.search:
            # Rates of pipelines with one status are no rates of the project.
            left = ((f" {self._found()}", "text"),)
        # At the right, figures never displace the filter.
        right = joined(filter_pieces(self))
        if not right and self.size.width >= 150:  # noqa: PLR2004  (room)
            right = ((state.sparkline[-30:], "muted"),)
        self.host.summary.show(left, ((" ", "text"), *right, (" ", "text")))

    def _found(self) -> str:
        """Return how many pipelines a search found: `100 of 416 pipelines`."""
        count, total, is_part = len(self.items), self.listing.total, not self.listing.complete
        if is_part and total:
            return f"{count:,} of {counted(total, 'pipeline')}"
        return counted(count, "pipeline", more=is_part)

    def empty(self) -> tuple[str, str]:
        if self.search:
            words = SearchPipelines.SEARCHABLE
            return f"No pipelines found for “{self.search}”.\n\n{words}\n\nesc  show all", "muted"
        keys = f"{self.host.key_of('view.refresh')}  refresh      esc  back to projects"
        return f"No pipelines yet.\n\n{keys}", "muted"


class PipelinesScreen(ViewScreen):
    BODY = PipelinesBody
    CONTROLLERS = (
        SearchPipelines, *LIST_KEYS, ChangePreview, WatchProjects, ChosenPipelineLogs, Unlock,
        RunPipeline, PipelineWrites, PipelineKeys,
    )  # fmt: skip
    FOOTER = (
        "table.open", "pipelines.log", "list.details", "list.filter", "write.run", "write.rerun",
        "list.failed", "list.search", "write.cancel", "write.retry", "list.sort", "list.copy",
        "view.refresh", "app.command",
    )  # fmt: skip
