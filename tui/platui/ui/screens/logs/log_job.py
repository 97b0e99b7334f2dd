"""Keys of the job of a log: its details, record, page and file, and related logs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.queries import JobsQuery, RecordKind, RecordRef
from platui.present.details.jobs import job_details
from platui.present.status import FAILED
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.messages import OpenPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import Route
    from platui.models.wire import Job
    from platui.present.details.layout import Details
    from platui.ui.screens.logs.log import LogBody


class LogJobKeys(Controller["LogBody"]):
    @command("d", "log.details", "Job")
    def show_details(self) -> None:
        """Show details of this job."""
        body, job = self.body, self.body.job
        if job is not None:
            from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

            project, watch = body.route.project, body.service.watch
            feed = None if project is None else watch(resources.jobs.job(project, job.id))
            self.screen.app.push_screen(DetailsDialog(self._details, feed))

    def _details(self, record: Job | None) -> Details | None:
        job = record or self.body.job
        if job is None:
            return None
        return job_details(job, self.body.context.at_now)

    @command("i", "log.raw", "Raw JSON")
    def show_raw(self) -> None:
        """Show the API record of this job."""
        route = self.body.route
        if route.project is not None and route.job is not None:
            ref = RecordRef(RecordKind.JOB, route.job, route.project, route.pipeline)
            self.screen.show_raw(f"{route.job_name} · job {route.job}", ref)

    @command("o", "log.browse", "Browser")
    def browse(self) -> None:
        """Open the platform's page of this job."""
        if self.body.job is not None and self.body.job.web_url:
            self.screen.post_message(OpenPage(self.body.job.web_url))

    @command("D", "log.artifacts", "Artifacts")
    def list_artifacts(self) -> None:
        """List the artifacts of this job to download."""
        if self.body.job is not None:
            self.screen.show_artifacts(self.body.job)

    @command("b", "log.broken_since", "Broken since")
    def show_since(self) -> None:
        """Compare this failed run with the last successful one."""
        here, job = self.body.context.pipeline(), self.body.job
        if here is None or job is None or job.status != FAILED:
            self.screen.show_hint("Nothing to compare: this job has not failed.")
        else:
            route = replace(here, view="since", job=None, job_name="", line=None, search="")
            self.screen.go_to(replace(route, is_regex=False))

    @command("p", "log.file", "Pipeline file")
    def open_file(self) -> None:
        """Show the pipeline file of this job."""
        if (route := self.body.context.file()) is not None:
            self.screen.go_to(route)


class OtherLogKeys(Controller["LogBody"]):
    """Opens logs of failed jobs, and of the last successful run."""

    @command("J", "log.next_failed", "Next failed")
    def open_next_failed(self) -> None:
        """Open the log of the next failed job of this pipeline."""
        self._open_failed(1)

    @command("K", "log.previous_failed", "Previous failed")
    def open_failed_before(self) -> None:
        """Open the log of the previous failed job of this pipeline."""
        self._open_failed(-1)

    @command("c", "log.compare", "Compare")
    def compare(self) -> None:
        """Compare with the last successful run of this job."""
        if (route := self.body.context.comparison()) is not None:
            self.screen.go_to(route)

    def _open_failed(self, step: int) -> None:
        route = self.body.route
        if route.project is None or route.job is None:
            return
        if route.pipeline is None:
            self.screen.show_hint("The pipeline of this job is not known yet.")
            return
        self.body.in_background("feed-failed", self._find_failed, route.project, route, step)

    async def _find_failed(self, project: ProjectRef, route: Route, step: int) -> None:
        query = JobsQuery(project, route.pipeline)
        async for snapshot in self.body.service.watch(resources.jobs.jobs(query)):
            if snapshot.error is not None and snapshot.value is None:
                self.screen.show_error(snapshot.error)
                return
            if snapshot.value is None or not snapshot.value.complete:
                continue
            if route == self.body.route:
                self._go_on(route, snapshot.value.items, step)
            return

    def _go_on(self, route: Route, jobs: Sequence[Job], step: int) -> None:
        from platui.present.jobs import failed_beside  # noqa: PLC0415  (on first use)

        job = failed_beside(jobs, route.job or 0, step)
        if job is None or job.id == route.job:
            where = "after" if step > 0 else "before"
            self.screen.show_hint(f"No job of this pipeline failed {where} this one.")
            return
        other = replace(route, job=job.id, job_name=clean(job.name), line=None, search="")
        self.screen.go_to(other)
