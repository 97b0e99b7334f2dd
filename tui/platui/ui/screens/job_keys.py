"""Keys of jobs: log, next failed, artifacts, writes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from platui.models.values.writes import WriteAction
from platui.present.status import FAILED
from platui.present.tables.jobs import BRIDGE
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import move_cyclic
from platui.ui.controllers.pipeline_logs import pipeline_route
from platui.ui.controllers.row_actions import ActionTarget, RowActions

if TYPE_CHECKING:
    from platui.ui.screens.jobs import JobsBody


class JobWrites(RowActions):
    """Cancel, retry and play jobs; in a pipeline, the newest attempts only."""

    ACTS = {
        "write.cancel": WriteAction.CANCEL_JOB,
        "write.retry": WriteAction.RETRY_JOB,
        "write.play": WriteAction.PLAY_JOB,
    }

    def record_target(self, key: str) -> ActionTarget | None:
        job = self.body.context.item(key)
        is_of_pipeline = self.body.route.pipeline is not None
        if job is None or (is_of_pipeline and job.id not in self.body.newest_attempts):
            return None
        return ActionTarget(job.id, job.name, job.status)

    def no_target_reason(self, key: str) -> str:
        if key.startswith(BRIDGE):
            return "this is a child pipeline; enter opens it"
        exists = self.body.context.item(key) is not None
        return "this is an earlier attempt" if exists else "this job no longer exists"


class JobKeys(Controller["JobsBody"]):
    @command("l", "jobs.log", "Log")
    def open_log(self) -> None:
        """Open the log of this job."""
        if (key := self.body.table.cursor_key) is not None:
            self.body.context.open(key)

    @command("J", "jobs.next_failed", "Next failed")
    def next_failed(self) -> None:
        """Go to the next failed job."""
        self._go_to_failed(1)

    @command("K", "jobs.previous_failed", "Previous failed")
    def previous_failed(self) -> None:
        """Go to the previous failed job."""
        self._go_to_failed(-1)

    @command("b", "jobs.broken_since", "Broken since")
    def open_since(self) -> None:
        """Compare this failed pipeline with the last successful one."""
        if (here := self.body.context.pipeline()) is not None:
            self.screen.go_to(replace(here, view="since"))

    @command("D", "jobs.artifacts", "Artifacts")
    def list_artifacts(self) -> None:
        """List the artifacts of this job to download."""
        if (job := self.body.context.item(self.body.table.cursor_key)) is not None:
            self.screen.show_artifacts(job)

    @command("a", "jobs.all", "All jobs")
    def change_scope(self) -> None:
        """Switch between the jobs of this pipeline and of the project."""
        route, before = self.body.route, self.body.came_from
        if route.pipeline is not None:
            self.body.came_from = route
            self.screen.go_to(pipeline_route(route, "jobs", None))
        elif before is not None and before.project == route.project:
            self.screen.go_to(before)
        else:
            self.screen.show_hint("Open a pipeline first (3).")

    def disabled_reason(self, command: str) -> str:
        pipeline = self.body.pipeline
        is_since = command == "jobs.broken_since"
        if is_since and pipeline is not None and pipeline.status != FAILED:
            return f"Nothing to compare: #{pipeline.id} has not failed."
        if command == "jobs.all" or self.body.table.cursor_key is not None:
            return ""
        return "Select a job first."

    def _go_to_failed(self, step: int) -> None:
        failed = {str(job.id) for job in self.body.items if job.status == FAILED}
        if not move_cyclic(self.body.table, step, failed.__contains__):
            self.screen.show_hint("No other failed job here." if failed else "No failed job here.")
