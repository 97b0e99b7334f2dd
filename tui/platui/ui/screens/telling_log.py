"""The way from a pipeline to the one log of it that tells what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.places import Place, View
from platui.models.values.queries import JobsQuery
from platui.present.jobs import first_failed
from platui.ui.messages import Failed, GoTo, Told
from platui.ui.screens.base import PlaceScreen
from platui.ui.works import work

if TYPE_CHECKING:
    from platui.models import Job
    from platui.models.values.queries import ProjectRef


class TellingLog(PlaceScreen):
    """A view from whose pipelines one goes to the job that failed."""

    def pipeline_place(self, view: View, pipeline: int, job: Job | None = None) -> Place:
        """Return a view of a pipeline of this project, or of one of its jobs."""
        return Place(
            view,
            project=self.place.project,
            project_name=self.place.project_name,
            pipeline=pipeline,
            job=job.id if job else None,
            job_name=clean(job.name) if job else "",
        )

    def open_log_of(self, pipeline: int) -> None:
        """Find the job that matters in a pipeline, and open its log."""
        if (project := self.place.project) is not None:
            self.run_worker(
                work(self._open_log, project, pipeline), group="feed-log", exclusive=True,
                description="find the job to show",
            )  # fmt: skip

    async def _open_log(self, project: ProjectRef, pipeline: int) -> None:
        """Open the log of the first failed job, else of a running one, else of the last."""
        async for snapshot in self.service.feeds.watch_jobs(JobsQuery(project, pipeline)):
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
                self.post_message(GoTo(self.pipeline_place(View.LOG, pipeline, job)))
            return
