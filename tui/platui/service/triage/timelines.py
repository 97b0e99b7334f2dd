"""Find the last success before a failed pipeline, and the commits of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import RED
from platui.analysis.triage.incidents import Listed
from platui.analysis.triage.timeline import stretch_of
from platui.core.errors import OfflineError, RateLimitedError, ServerFailedError
from platui.models.values.connection import Urgency
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectRef
from platui.models.values.statuses import ACTIVE
from platui.models.wire import Commit, Comparison
from platui.service import resources

if TYPE_CHECKING:
    from platui.models.values.triage import IncidentTimeline, PipelineRun
    from platui.models.wire import Pipeline
    from platui.service.feeds.read_context import ReadContext

MOST: Final = 500  # Pipelines searched for the last successful one


class Timelines:
    """Reads pipelines and jobs, from the cache where possible."""

    def __init__(self, context: ReadContext) -> None:
        self._context = context

    async def find(
        self,
        project: ProjectRef,
        pipeline: int,
        most: int = MOST,
        urgency: Urgency = Urgency.USER,
    ) -> IncidentTimeline | None:
        """Return the timeline around a failed pipeline; None: not listed, or successful now."""
        reading = self._context.reading(resources.pipelines.pipelines(PipelinesQuery(project)))
        await reading.recall()
        if reading.value is None or _may_have_changed(reading.value.items, pipeline):
            try:
                await reading.renew(urgency)
            except (OfflineError, RateLimitedError, ServerFailedError):
                if reading.value is None:
                    raise
        while reading.value is not None:
            items = reading.value.items
            found = stretch_of(Listed(project, items, is_whole=not reading.more), pipeline)
            is_listed = any(one.id == pipeline for one in items)
            is_done = is_listed and (found is None or not found.is_at_least)
            if is_done or not reading.more or len(items) >= most:
                return found
            await reading.extend(urgency)
        return None

    async def known_commits(self, project: ProjectRef, *runs: PipelineRun) -> Comparison:
        """Return the commits of pipelines, as their jobs describe them, oldest first."""
        return Comparison(commits=tuple([await self._commit(project, run) for run in runs]))

    async def _commit(self, project: ProjectRef, run: PipelineRun) -> Commit:
        query = JobsQuery(project, run.id, with_retried=True)
        reading = self._context.reading(resources.jobs.jobs(query))
        await reading.recall()
        if reading.value is None:
            await reading.renew(Urgency.USER)
        jobs = () if reading.value is None else reading.value.items
        commits = (job.commit for job in jobs if job.commit is not None and job.commit.id)
        return next(commits, Commit(id=run.sha))


def _may_have_changed(listed: Sequence[Pipeline], pipeline: int) -> bool:
    """Return whether one of the pipelines may have ended since, or is unknown."""
    is_red = any(one.id == pipeline and one.status == RED for one in listed)
    return not is_red or any(one.status in ACTIVE for one in listed)
