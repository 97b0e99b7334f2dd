"""Open related logs: of failed jobs, and of the last successful run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.queries import JobsQuery
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.messages import GoTo, ShowError, ShowHint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import Route
    from platui.models.wire import Job
    from platui.ui.screens.logs.log import LogBody


class OtherLogKeys(Controller["LogBody"]):
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
            self.screen.post_message(GoTo(route))

    def _open_failed(self, step: int) -> None:
        route = self.body.route
        if route.project is None or route.job is None:
            return
        if route.pipeline is None:
            words = "The pipeline of this job is not known yet."
            self.screen.post_message(ShowHint(words))
            return
        self.body.in_background("feed-failed", self._find_failed, route.project, route, step)

    async def _find_failed(self, project: ProjectRef, route: Route, step: int) -> None:
        query = JobsQuery(project, route.pipeline)
        async for snapshot in self.body.service.watch(resources.jobs.jobs(query)):
            if snapshot.error is not None and snapshot.value is None:
                self.screen.post_message(ShowError(snapshot.error))
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
            self.screen.post_message(ShowHint(f"No job of this pipeline failed {where} this one."))
            return
        self.screen.post_message(
            GoTo(replace(route, job=job.id, job_name=clean(job.name), line=None, search=""))
        )
