"""Keys of the job of a log: details, record, page, artifacts, file and comparison."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from platui.models.values.queries import RecordKind, RecordRef
from platui.present.details.jobs import job_details
from platui.present.status import FAILED
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.messages import GoTo, OpenPage, ShowHint

if TYPE_CHECKING:
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
            self.screen.post_message(ShowHint("Nothing to compare: this job has not failed."))
        else:
            route = replace(here, view="since", job=None, job_name="", line=None, search="")
            self.screen.post_message(GoTo(replace(route, is_regex=False)))

    @command("p", "log.file", "Pipeline file")
    def open_file(self) -> None:
        """Show the pipeline file of this job."""
        if (route := self.body.context.file()) is not None:
            self.screen.post_message(GoTo(route))
