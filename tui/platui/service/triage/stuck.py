"""Find stuck jobs of watched pipelines: waiting too long, or with a silent log."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import field
from datetime import datetime
from math import inf
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.lateness import (
    longest_waiting,
    stuck_check_time,
    stuck_silent,
    typical_queue_times,
)
from platui.core.dataclass import dataclass
from platui.core.errors import InvalidResponseError, PlatuiError
from platui.models.values.queries import JobsQuery, ProjectRef
from platui.service import resources
from platui.service.feeds.poll_interval import PollInterval
from platui.service.feeds.poll_timer import PollTimer
from platui.service.logs.job_logs import is_refusal
from platui.service.triage.tasks import first_due

if TYPE_CHECKING:
    from platui.analysis.triage.incidents import LaneState
    from platui.models.values.connection import Urgency
    from platui.models.values.triage_board import Late, TypicalDuration
    from platui.models.wire import Job
    from platui.service.feeds.read_context import ReadContext


RunKey = tuple["ProjectRef", int]

EVERY: Final = 60.0  # seconds between two polls of the jobs of one pipeline
OLD: Final = 600.0  # seconds after which a result is outdated

_INTERVAL: Final = PollInterval(EVERY, EVERY)
MAX_LOGS: Final = 3  # logs of one pipeline to check: those of the longest running jobs
_QUEUES: Final = 20  # pipelines of a lane for the typical waiting time of jobs


@dataclass
class _Log:
    """The known state of one log."""

    job: Job
    asked_at: float = -inf  # monotonic second of the last poll
    fetched_at: datetime | None = None
    size: int | None = None
    since: datetime | None = None  # since when the size is known to be unchanged
    is_unavailable: bool = False


@dataclass
class _Known:
    """One running pipeline."""

    state: LaneState
    poll_timer: PollTimer
    logs: dict[int, _Log] = field(default_factory=dict)  # of the longest running jobs
    jobs: tuple[Job, ...] = ()
    fetched_at: datetime | None = None
    tried_at: float = -inf  # monotonic second of the last poll
    queues: Mapping[str, TypicalDuration] = field(default_factory=dict)
    has_queues: bool = False  # whether the typical waiting times were loaded
    refused_to: int | None = None  # number of the token that may not read the jobs


class StuckPipelines:
    """Finds jobs that wait too long or are silent: each minute a request per pipeline and job."""

    at_once = 2

    def __init__(self, context: ReadContext, ask: Callable[[], Urgency]) -> None:
        self._context = context
        self._conditions = context.conditions
        self._ask = ask
        self._known: dict[RunKey, _Known] = {}

    @property
    def keys(self) -> Iterable[RunKey]:
        return self._known

    @property
    def looked(self) -> tuple[int, ...]:
        return tuple(run for (_, run), known in self._known.items() if known.fetched_at is not None)

    @property
    def unknown(self) -> int:
        return sum(
            known.tried_at == -inf and self._begins_in(known) <= 0.0
            for known in self._known.values()
        )

    def set_watched(self, states: Iterable[LaneState]) -> None:
        """Check the newest pipelines of these lanes from now on, if they may be stuck."""
        before, self._known = self._known, {}
        for state in states:
            if stuck_check_time(state.newest, state.typical) is None:
                continue
            run = (state.lane.project, state.newest.id)
            known = before.get(run) or _Known(state, PollTimer(self._conditions))
            if known.state.newest.status != state.newest.status:
                # The status has changed: unknown until the next poll.
                known.jobs, known.logs, known.poll_timer = (), {}, PollTimer(self._conditions)
            known.state = state
            self._known[run] = known

    def due(self, under_way: Container[RunKey]) -> tuple[RunKey | None, float | None]:
        return first_due(
            (run, self._remaining(known))
            for run, known in sorted(self._known.items(), key=lambda one: one[1].tried_at)
            if run not in under_way and known.refused_to != self._conditions.token_number
        )

    async def renew(self, run: RunKey) -> None:
        known = self._known[run]
        known.tried_at = self._conditions.clock.monotonic()
        try:
            await self._take_jobs(run, known)
            known.logs = _logs_of(known)
        except PlatuiError as error:
            known.poll_timer.failed(error)
            if is_refusal(error):
                known.refused_to = self._conditions.token_number
                known.jobs, known.logs, known.fetched_at = (), {}, None
            return
        if not known.has_queues and any(job.status == "pending" for job in known.jobs):
            known.has_queues = True
            known.queues = await self._queues(run, known.state)
        if known.state.newest.status == "running":
            try:
                for log in known.logs.values():
                    await self._renew_log(run[0], log)
            except PlatuiError as error:
                known.poll_timer.failed(error)

    def late_pipelines(self, now: datetime) -> dict[RunKey, Late]:
        found = {run: _late(known, now) for run, known in self._known.items()}
        return {run: late for run, late in found.items() if late is not None}

    async def _take_jobs(self, run: RunKey, known: _Known) -> None:
        query = JobsQuery(*run, with_retried=True)
        reading = self._context.reading(resources.jobs.jobs(query))
        await reading.recall()
        at = reading.fetched_at
        now = self._conditions.clock.now()
        if reading.more or at is None or (now - at).total_seconds() >= EVERY:
            # A new one, so that each of its pages is counted.
            reading = self._context.reading(resources.jobs.jobs(query))
            await reading.renew(self._ask())
            while reading.more:
                await reading.extend(self._ask())
            known.poll_timer.succeeded()
        else:
            known.poll_timer.set_fetched_at(at)
        known.jobs = () if reading.value is None else reading.value.items
        known.fetched_at = reading.fetched_at

    async def _queues(self, run: RunKey, state: LaneState) -> dict[str, TypicalDuration]:
        found: list[Job] = []
        for pipeline in [one for one in state.listed if one != run[1]][:_QUEUES]:
            reading = self._context.reading(
                resources.jobs.jobs(JobsQuery(run[0], pipeline, with_retried=True))
            )
            await reading.recall()
            found += () if reading.value is None else reading.value.items
        return typical_queue_times(found)

    async def _renew_log(self, project: ProjectRef, log: _Log) -> None:
        clock = self._conditions.clock
        if log.is_unavailable or clock.monotonic() - log.asked_at < EVERY:
            return
        log.asked_at = clock.monotonic()
        try:
            size = await self._context.logs.size(project, log.job.id, self._ask())
        except PlatuiError as error:
            if not is_refusal(error) and not isinstance(error, InvalidResponseError):
                raise
            log.is_unavailable = True
            return
        log.is_unavailable = size is None
        if size is None:
            log.since = None
        elif size != log.size:
            # An empty log is silent since the start; others are from the first poll on.
            log.since = log.job.started_at if size == 0 else clock.now()
        log.size, log.fetched_at = size, clock.now()

    def _remaining(self, known: _Known) -> float | None:
        left = known.poll_timer.remaining(_INTERVAL)
        return None if left is None else max(left, self._begins_in(known))

    def _begins_in(self, known: _Known) -> float:
        at = stuck_check_time(known.state.newest, known.state.typical)
        return inf if at is None else (at - self._conditions.clock.now()).total_seconds()


def _late(known: _Known, now: datetime) -> Late | None:
    if known.fetched_at is None or (now - known.fetched_at).total_seconds() > OLD:
        return None
    waiting = longest_waiting(known.jobs, known.fetched_at, now, known.queues)
    silent = (
        stuck_silent(log.job, (now - log.since).total_seconds())
        for log in known.logs.values()
        if log.since is not None
        and log.fetched_at is not None
        and (now - log.fetched_at).total_seconds() <= OLD
    )
    found = filter(None, (*silent, waiting))
    return max(found, key=lambda late: late.seconds, default=None)


def _logs_of(known: _Known) -> dict[int, _Log]:
    running = [job for job in known.jobs if job.status == "running" and job.started_at is not None]
    longest = sorted(running, key=lambda job: (job.started_at, job.id))[:MAX_LOGS]
    return {job.id: known.logs.get(job.id) or _Log(job) for job in longest}
