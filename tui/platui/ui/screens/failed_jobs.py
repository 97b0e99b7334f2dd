"""`J` and `K`: from one failed job of a pipeline to the next, without going back to the list."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.core.text import clean
from platui.models.values.queries import JobsQuery
from platui.ui.messages import Failed, GoTo, Told
from platui.ui.screens.base import PlaceScreen
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from platui.models import Job
    from platui.models.values.places import Place


class FailedJobs(PlaceScreen):
    """A view of one job, from which one goes on to others that failed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "J", "failed_job(1)", "Next failed", id="log.next_failed", show=False,
            tooltip="Open the log of the next failed job of this pipeline",
        ),
        Binding(
            "K", "failed_job(-1)", "Failed before", id="log.previous_failed", show=False,
            tooltip="Open the log of the failed job before this one",
        ),
    ]  # fmt: skip

    def action_failed_job(self, step: int) -> None:
        """Find the next failed job, or the one before, and open its log."""
        if self.place.project is None or self.place.job is None:
            return
        if self.place.pipeline is None:
            self.post_message(Told("It is not known yet which pipeline this job belongs to."))
            return
        place = self.place
        self.run_worker(
            work(self._open_failed, place, step), group="feed-failed", exclusive=True,
            description="find the next failed job",
        )  # fmt: skip

    async def _open_failed(self, place: Place, step: int) -> None:
        assert place.project is not None  # noqa: S101  (the caller looked)
        assert place.job is not None  # noqa: S101  (the same)
        query = JobsQuery(place.project, place.pipeline)
        async for snapshot in self.service.feeds.watch_jobs(query):
            if snapshot.error is not None and snapshot.value is None:
                self.post_message(Failed(snapshot.error))
                return
            if snapshot.value is None or not snapshot.value.complete:
                continue
            if place == self.place:
                self._go_on(place, snapshot.value.items, step)
            return

    def _go_on(self, place: Place, jobs: Sequence[Job], step: int) -> None:
        from platui.present.jobs import failed_beside  # noqa: PLC0415  (on first use)

        job = failed_beside(jobs, place.job or 0, step)
        if job is None or job.id == place.job:
            where = "after" if step > 0 else "before"
            self.post_message(Told(f"No job of this pipeline failed {where} this one."))
            return
        self.post_message(
            GoTo(replace(place, job=job.id, job_name=clean(job.name), line=None, search=""))
        )
