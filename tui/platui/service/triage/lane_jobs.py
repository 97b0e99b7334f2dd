"""Jobs of the pipelines of a lane, read once: commits, flaky jobs, and the last successful log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from platui.analysis.attempts import GREEN
from platui.analysis.errors.novelty import KnownLines
from platui.analysis.triage.failure_points import (
    JobRun,
    commit_of,
    failed_before_retry,
    find_flaky_jobs,
    runs_of,
)
from platui.core.errors import PlatuiError
from platui.models.values.queries import JobsQuery, ProjectRef
from platui.models.values.statuses import ACTIVE
from platui.service import resources
from platui.service.cancellation import computed
from platui.service.logs.job_logs import JobLog, is_refusal
from platui.service.lru_cache import LruCache

if TYPE_CHECKING:
    from platui.models.values.connection import Urgency
    from platui.models.values.feeds import Listing
    from platui.models.values.stored_triage import IncidentKey
    from platui.models.values.triage import CommitSummary, Flaky, Incident, PipelineRun
    from platui.models.wire import Job
    from platui.service.feeds.read_context import ReadContext
    from platui.service.feeds.reading import Reading

Tried = tuple["tuple[JobRun, ...]", ...]

_MAX_FLAKY_RUNS: Final = 6  # newest failed pipelines of a lane that are checked for flaky jobs
_BOUND: Final = 2000  # entries of each cache, or more for as many open incidents
_MOST_BYTES: Final = 50_000_000  # a larger log is not compared


class LaneJobs:
    def __init__(self, context: ReadContext, ask: Callable[[], Urgency]) -> None:
        self._context = context
        self._ask = ask
        # by pipeline; None: the platform does not name it
        self._commits = LruCache[int, "CommitSummary | None"](_BOUND)
        self._tried = LruCache[int, "tuple[JobRun, ...]"](_BOUND)  # job runs by pipeline
        self._before_retry = LruCache[int, datetime](_BOUND)  # when retried pipelines had failed
        # flaky jobs by incident, with the job runs they were found in
        self._flaky: dict[IncidentKey, tuple[Tried, tuple[Flaky, ...]]] = {}
        self._checked = LruCache[int, None](_BOUND)

    def make_room(self, incidents: int) -> None:
        caches: tuple[LruCache[int, Any], ...] = (
            self._commits, self._before_retry, self._checked
        )  # fmt: skip
        for cache in caches:
            cache.make_room(incidents)

    def keep_only(self, incidents: Iterable[Incident]) -> None:
        """Drop flaky jobs of other incidents."""
        keys = {one.key for one in incidents}
        for key in self._flaky.keys() - keys:
            del self._flaky[key]

    def forget_refused(self) -> None:
        """Drop unknown commits: another token may be allowed to read them."""
        for pipeline, words in self._commits.items():
            if words is None:
                self._commits.drop(pipeline)

    def commit(self, red: PipelineRun) -> CommitSummary | None:
        return self._commits.get(red.id)

    def failed_before_retry(self, red: PipelineRun) -> datetime | None:
        """Return when a pipeline had failed before somebody retried it; None: not known."""
        return self._before_retry.get(red.id)

    def knows_commit(self, red: PipelineRun) -> bool:
        return red.id in self._commits

    async def recall_commit(self, project: ProjectRef, red: PipelineRun) -> None:
        reading = self._reading(project, red.id)
        await reading.recall()
        if reading.value is not None and reading.value.items:
            self._commits.put(red.id, commit_of(reading.value.items))
            self._note(red.id, reading.value.items)

    async def find_commit(self, project: ProjectRef, red: PipelineRun) -> None:
        """Find the commit of a pipeline in any of its jobs."""
        await self.recall_commit(project, red)
        if red.id in self._commits:
            return
        reading = self._reading(project, red.id)
        try:
            await reading.renew(self._ask())
        except PlatuiError as error:
            if not is_refusal(error):
                raise
        jobs = () if reading.value is None else reading.value.items
        self._commits.put(red.id, commit_of(jobs))
        self._note(red.id, jobs)

    def has_checked(self, incident: Incident) -> bool:
        return incident.newest_red.id in self._checked

    async def recall_lane(self, incident: Incident) -> None:
        self._checked.put(incident.newest_red.id, None)
        for pipeline in _pipelines(incident):
            if pipeline not in self._tried:
                reading = self._reading(incident.lane.project, pipeline)
                await reading.recall()
                self._note(pipeline, () if reading.value is None else reading.value.items)

    def flaky(self, incident: Incident) -> tuple[Flaky, ...]:
        """Return the jobs that passed and failed on one commit, among the known ones."""
        known = tuple(self._tried.get(one) or () for one in _pipelines(incident))
        before = self._flaky.get(incident.key)
        if before is not None and before[0] == known:
            return before[1]
        found = tuple(find_flaky_jobs(chain.from_iterable(known)))
        self._flaky[incident.key] = (known, found)
        return found

    def _note(self, pipeline: int, jobs: Sequence[Job]) -> None:
        self._tried.put(pipeline, runs_of(jobs))
        if (before := failed_before_retry(jobs)) is not None:
            self._before_retry.put(pipeline, before)

    def _reading(self, project: ProjectRef, pipeline: int) -> Reading[Listing[Job]]:
        query = JobsQuery(project, pipeline, with_retried=True)
        return self._context.reading(resources.jobs.jobs(query))

    async def read(
        self, project: ProjectRef, run: PipelineRun, *, asks: bool
    ) -> tuple[Job, ...] | None:
        """Return the jobs of a pipeline; None if the cache lacks them, and `asks` is not set."""
        reading = self._reading(project, run.id)
        await reading.recall()
        if not _is_current(reading, run):
            if not asks:
                return None
            await reading.renew(self._ask())
            while reading.more:
                await reading.extend(self._ask())
        jobs = () if reading.value is None else reading.value.items
        self._note(run.id, jobs)
        return jobs


def _pipelines(incident: Incident) -> tuple[int, ...]:
    green = () if incident.last_green is None else (incident.last_green.id,)
    first = incident.first_red.id
    return tuple(
        dict.fromkeys((incident.newest_red.id, *incident.reds[:_MAX_FLAKY_RUNS], first, *green))
    )


def is_since(fetched_at: datetime | None, red: PipelineRun) -> bool:
    return fetched_at is not None and (red.ended_at is None or fetched_at >= red.ended_at)


def _is_current(reading: Reading[Listing[Job]], red: PipelineRun) -> bool:
    """Return whether cached jobs were fetched after the last end of the pipeline."""
    if reading.value is None or reading.fetched_at is None or reading.more:
        return False
    jobs = reading.value.items
    if not jobs:  # invalid pipeline file
        return is_since(reading.fetched_at, red)
    if any(job.status in ACTIVE for job in jobs):
        return False
    updates = [job.pipeline.updated_at for job in jobs if job.pipeline and job.pipeline.updated_at]
    return red.ended_at is None or max(updates, default=reading.fetched_at) >= red.ended_at


class SuccessfulLog:
    """Reads the log of a job of a successful pipeline, from the cache or with two requests."""

    def __init__(
        self,
        lane_jobs: LaneJobs,
        open_log: Callable[..., JobLog],
        ask: Callable[[], Urgency],
    ) -> None:
        self._lane_jobs = lane_jobs
        self._open_log = open_log
        self._ask = ask

    async def known_lines(
        self, project: ProjectRef, green: PipelineRun, name: str, *, asks: bool
    ) -> KnownLines | None:
        """Return the lines of the job `name`, or None if unknown. Raises `PlatuiError`."""
        jobs = await self._lane_jobs.read(project, green, asks=asks)
        passed = [one.id for one in jobs or () if one.name == name and one.status == GREEN]
        if not passed:
            return None
        log = self._open_log(project, max(passed), with_errors=False)
        try:
            if not await log.recall():
                if not asks:
                    return None
                await log.read(self._ask(), final=True)
            if log.document.size > _MOST_BYTES:
                return None
            return await computed(KnownLines, log.document)
        finally:
            log.close()
