"""Find why pipelines failed: from their jobs and the log of the failed job, each read once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from platui.analysis.triage.failure_points import failure_point
from platui.analysis.triage.signatures.signature import make_signature
from platui.core.errors import PlatuiError
from platui.models.values.log import Confidence
from platui.models.values.triage import Cause, FailurePoint, Incident, PipelineRun, Signature
from platui.service import resources
from platui.service.cancellation import computed
from platui.service.logs.cause import cause_in
from platui.service.logs.job_logs import JobLog, is_refusal
from platui.service.lru_cache import LruCache
from platui.service.triage.lane_jobs import LaneJobs, SuccessfulLog, is_since

if TYPE_CHECKING:
    from platui.analysis.errors.novelty import KnownLines
    from platui.logs import Log
    from platui.models.values.connection import Urgency
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Bridge, Job
    from platui.service.feeds.read_context import ReadContext

Moments = tuple[int, int, "datetime | None"]

_BOUND: Final = 2000  # entries of each cache, or more for as many open incidents


class Causes:
    def __init__(
        self,
        context: ReadContext,
        open_log: Callable[..., JobLog],
        ask: Callable[[], Urgency],
    ) -> None:
        self._context = context
        self._open_log = open_log
        self._ask = ask
        self.lane_jobs = LaneJobs(context, ask)
        self._successful = SuccessfulLog(self.lane_jobs, open_log, ask)
        self._found = LruCache[tuple[int, "datetime | None"], Cause](_BOUND)
        # the successful pipelines that causes without a certain rule were compared with
        self._compared = LruCache[tuple[int, "datetime | None"], int](_BOUND)
        # causes that are incomplete because the platform rejected a request
        self._refused = LruCache[tuple[int, "datetime | None"], None](_BOUND)
        # incidents that were searched in the cache
        self._recalled = LruCache[Moments, None](_BOUND)

    def make_room(self, incidents: int) -> None:
        """Keep what is known of so many open incidents: dropped, it would be read again."""
        caches: tuple[LruCache[Any, Any], ...] = (
            self._found, self._compared, self._refused, self._recalled
        )  # fmt: skip
        for cache in caches:
            cache.make_room(2 * incidents)
        self.lane_jobs.make_room(2 * incidents)

    @property
    def any(self) -> bool:
        return len(self._found) > 0

    def known(self, red: PipelineRun) -> Cause | None:
        """Return the cause of a pipeline, unless it was retried since."""
        return self._found.get((red.id, red.ended_at))

    def is_settled(self, red: PipelineRun, green: PipelineRun | None) -> bool:
        """Return whether a cause is known, and no comparison with `green` can improve it."""
        cause, key = self.known(red), (red.id, red.ended_at)
        if cause is None:
            return False
        if green is None or _is_certain(cause):
            return True
        return self._compared.get(key) == green.id

    def forget_refused(self) -> None:
        """Drop results of rejected requests: another token may be allowed."""
        for red in self._refused:
            self._found.drop(red)
        self._refused.clear()
        self.lane_jobs.forget_refused()

    def was_recalled(self, incident: Incident) -> bool:
        return _moments(incident) in self._recalled

    async def recall(self, incident: Incident) -> bool:
        """Find cause and first commit of an incident in the cache; return whether any was found."""
        project, found = incident.lane.project, False
        if self.known(incident.newest_red) is None:
            cause = await self._find(project, incident.newest_red, incident.last_green, asks=False)
            found = cause is not None
        # The commit of a single failure is part of its cause; see `without_commit`.
        if incident.streak > 1 and not self.lane_jobs.knows_commit(incident.first_red):
            await self.lane_jobs.recall_commit(project, incident.first_red)
            found = found or self.lane_jobs.knows_commit(incident.first_red)
        self._recalled.put(_moments(incident), None)
        return found

    async def find(self, project: ProjectRef, red: PipelineRun, green: PipelineRun | None) -> Cause:
        """Find a cause, compared with the last success `green` where no error rule is certain."""
        try:
            found = await self._find(project, red, green, asks=True)
        except PlatuiError as error:
            if not is_refusal(error):
                raise
            found = None
        if found is None:
            self._refused.put((red.id, red.ended_at), None)
            found = self._store(red, Cause(FailurePoint(None), None))
        return found

    async def _find(
        self, project: ProjectRef, red: PipelineRun, green: PipelineRun | None, *, asks: bool
    ) -> Cause | None:
        """Return the cause; None if the cache lacks a part, and requests are not allowed."""
        jobs = await self.lane_jobs.read(project, red, asks=asks)
        if jobs is None:
            return None
        point: FailurePoint | None = failure_point(jobs)
        if point is None or point.step is None:
            point = await self._recall_elsewhere(project, red, jobs)
            if point is None and asks:
                point = await self._elsewhere(project, red, jobs)
        if point is None or point.step is None or not point.step.has_log:
            return None if point is None else self._store(red, await _cause(point, None))
        log = self._open_log(project, point.step.id)
        try:
            if not await log.recall():
                if not asks:
                    return None
                await log.read(self._ask(), final=True)
            cause = self._store(red, await _cause(point, log.document))
            if green is None or _is_certain(cause):
                return cause
            return await self._compare(project, red, green, cause, log.document, asks=asks)
        except PlatuiError as error:
            if not is_refusal(error):
                raise
            self._refused.put((red.id, red.ended_at), None)
            return self._store(red, await _cause(point, None))
        finally:
            log.close()

    async def _compare(
        self,
        project: ProjectRef,
        red: PipelineRun,
        green: PipelineRun,
        cause: Cause,
        document: Log,
        *,
        asks: bool,
    ) -> Cause:
        """Return a cause after the comparison with the last successful run, if its log exists."""
        assert cause.point.step is not None  # noqa: S101  (it has a log)
        name, known = cause.point.step.name, None
        try:
            known = await self._successful.known_lines(project, green, name, asks=asks)
        except PlatuiError as error:
            if not is_refusal(error):
                raise
        if known is not None:
            cause = self._store(red, await _cause(cause.point, document, known))
        if known is not None or asks:
            self._compared.put((red.id, red.ended_at), green.id)
        return cause

    async def _elsewhere(
        self, project: ProjectRef, red: PipelineRun, jobs: tuple[Job, ...]
    ) -> FailurePoint:
        bridges = self._context.reading(resources.pipelines.bridges(project, red.id))
        await bridges.renew(self._ask())
        found: tuple[Bridge, ...] = () if bridges.value is None else bridges.value.items
        words = ""
        if not jobs and not found:
            pipeline = self._context.reading(resources.pipelines.pipeline(project, red.id))
            await pipeline.renew(self._ask())
            words = "" if pipeline.value is None else pipeline.value.yaml_errors
        return failure_point(jobs, found, words)

    async def _recall_elsewhere(
        self, project: ProjectRef, red: PipelineRun, jobs: tuple[Job, ...]
    ) -> FailurePoint | None:
        bridges = self._context.reading(resources.pipelines.bridges(project, red.id))
        await bridges.recall()
        if bridges.value is None or not is_since(bridges.fetched_at, red):
            return None
        if jobs or bridges.value.items:
            return failure_point(jobs, bridges.value.items)
        pipeline = self._context.reading(resources.pipelines.pipeline(project, red.id))
        await pipeline.recall()
        if pipeline.value is None or not is_since(pipeline.fetched_at, red):
            return None
        return failure_point((), (), pipeline.value.yaml_errors)

    def _store(self, red: PipelineRun, cause: Cause) -> Cause:
        self._found.put((red.id, red.ended_at), cause)
        return cause


def _moments(incident: Incident) -> Moments:
    return (incident.first_red.id, incident.newest_red.id, incident.newest_red.ended_at)


def _is_certain(cause: Cause) -> bool:
    signature = cause.signature
    return signature is None or signature.was_compared or signature.confidence is Confidence.HIGH


async def _cause(
    point: FailurePoint, document: Log | None, known: KnownLines | None = None
) -> Cause:
    if point.step is None and not point.words:
        return Cause(point, None)
    return Cause(point, await computed(_signature, point, document, known))


def _signature(point: FailurePoint, document: Log | None, known: KnownLines | None) -> Signature:
    found = None if document is None else cause_in(document, point.step, known)
    return make_signature(None, point.step, point.words) if found is None else found.signature
