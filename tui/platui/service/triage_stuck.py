"""What is stuck in watched pipelines: jobs and logs of those that go on for long, once a minute."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.stuck import longest_waiting, usual_queues, worth_a_look
from platui.core.errors import PlatuiError
from platui.models.values.queries import JobsQuery
from platui.service.cadence import Rhythm
from platui.service.job_log import is_refusal
from platui.service.pacer import Pacer
from platui.service.triage_silence import Silence

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Container, Iterable, Mapping
    from datetime import datetime

    from platui.analysis.triage.incidents import LaneState
    from platui.models import Job
    from platui.models.values.connection import Urgency
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_lateness import Late, Usual
    from platui.service.subjects import Subjects
    from platui.service.surroundings import Surroundings

RunKey = tuple["ProjectRef", int]
"""A project, and one of its pipelines."""

EVERY: Final = 60.0
"""Seconds between two looks at the jobs of one pipeline."""
AT_ONCE: Final = 2
"""Pipelines whose jobs are asked for at once."""
OLD: Final = 600.0
"""Seconds after which nobody knows whether what was stuck still is."""

_RHYTHM: Final = Rhythm(EVERY, EVERY)
_QUEUES: Final = 20
"""Pipelines of a lane that may tell how long its jobs usually wait."""


@dataclass
class _Known:
    """One pipeline that goes on."""

    state: LaneState
    pacer: Pacer
    silence: Silence
    jobs: tuple[Job, ...] = ()
    told_at: datetime | None = None
    """When the platform told of the jobs."""
    tried_at: float = -inf
    """Monotonic second of the last look."""
    queues: Mapping[str, Usual] = field(default_factory=dict)
    has_queues: bool = False
    """Whether it was looked for how long jobs usually wait."""
    refused_to: int | None = None
    """The number of the token that may not see the jobs."""


class StuckPipelines:
    """Knows which jobs wait too long, and which are silent.

    It looks at the newest pipelines of lanes, when they have not begun after minutes or run
    longer than usual: each minute a request for the jobs, and one for the log of each that runs.
    """

    def __init__(
        self,
        subjects: Subjects,
        size_of: Callable[[ProjectRef, int, Urgency], Awaitable[int | None]],
        surroundings: Surroundings,
        ask: Callable[[], Urgency],
    ) -> None:
        """Know of none yet.

        Args:
            subjects: what is asked.
            size_of: asks how many bytes the log of a job has; returns None where nobody says.
            surroundings: when to look up.
            ask: is called for each request, and tells who waits for it.
        """
        self._subjects = subjects
        self._size_of = size_of
        self._around = surroundings
        self._ask = ask
        self._known: dict[RunKey, _Known] = {}

    @property
    def at_once(self) -> int:
        """Return of how many pipelines the jobs may be asked for at once."""
        return AT_ONCE

    @property
    def runs(self) -> tuple[RunKey, ...]:
        """Return the pipelines that may be looked at now or later."""
        return tuple(self._known)

    @property
    def looked(self) -> tuple[int, ...]:
        """Return the pipelines of whose jobs the platform has told."""
        return tuple(run for (_, run), known in self._known.items() if known.told_at is not None)

    @property
    def unknown(self) -> int:
        """Return in how many pipelines something may be stuck, and nobody has looked yet."""
        return sum(
            known.tried_at == -inf and self._begins_in(known) <= 0.0
            for known in self._known.values()
        )

    def among(self, states: Iterable[LaneState]) -> None:
        """Look at the newest pipelines of these lanes from now on, as far as they are stuck."""
        before, self._known = self._known, {}
        for state in states:
            if worth_a_look(state.newest, state.usual) is None:
                continue
            run = (state.lane.project, state.newest.id)
            known = before.get(run) or self._opened(state)
            if known.state.newest.status != state.newest.status:
                # What waited may have begun: nothing is said until somebody has looked again.
                known.jobs, known.pacer = (), Pacer(self._around)
                known.silence.among(())
            known.state = state
            self._known[run] = known

    def due(self, under_way: Container[RunKey]) -> tuple[RunKey | None, float | None]:
        """Return the pipeline that is to be looked at now, and the seconds until one is.

        Of both only one is there; neither: not before something rings.

        Args:
            under_way: pipelines that are being looked at.
        """
        soonest: float | None = None
        for run, known in sorted(self._known.items(), key=_tried_at):
            if run in under_way or known.refused_to == self._around.token_number:
                continue
            left = known.pacer.remaining(_RHYTHM, running=False, settled=False, transfer=0.0)
            if left is None:
                continue
            left = max(left, self._begins_in(known))
            if left <= 0.0:
                return run, None
            soonest = left if soonest is None else min(soonest, left)
        return None, soonest

    async def renew(self, run: RunKey) -> None:
        """Look at one pipeline; what the platform does not tell is asked for again later."""
        known = self._known[run]
        known.tried_at = self._around.clock.monotonic()
        try:
            await self._take_jobs(run, known)
            known.silence.among(known.jobs)
        except PlatuiError as error:
            known.pacer.failed(error)
            if is_refusal(error):
                known.refused_to = self._around.token_number
                known.jobs, known.told_at = (), None
                known.silence.among(())
            return
        if not known.has_queues and any(job.status == "pending" for job in known.jobs):
            known.has_queues = True
            known.queues = await self._queues(run, known.state)
        if known.state.newest.status == "running":
            try:
                await known.silence.renew()
            except PlatuiError as error:
                known.pacer.failed(error)

    def lates(self, now: datetime) -> dict[RunKey, Late]:
        """Return what is stuck, by the pipelines in which it is.

        Args:
            now: the time.
        """
        found = {run: _late(known, now) for run, known in self._known.items()}
        return {run: late for run, late in found.items() if late is not None}

    async def _take_jobs(self, run: RunKey, known: _Known) -> None:
        """Take the jobs of a pipeline, with a request unless somebody has just asked for them."""
        query = JobsQuery(*run, with_retried=True)
        subject = self._subjects.jobs(query)
        await subject.recall()
        at = subject.fetched_at
        now = self._around.clock.now()
        if subject.more or at is None or (now - at).total_seconds() >= EVERY:
            # Another one, of which nothing is known: each of its pages is counted.
            subject = self._subjects.jobs(query)
            await subject.renew(self._ask())
            while subject.more:
                await subject.extend(self._ask())
            known.pacer.succeeded()
        else:
            known.pacer.known_since(at)
        known.jobs = () if subject.value is None else subject.value.items
        known.told_at = subject.fetched_at

    async def _queues(self, run: RunKey, state: LaneState) -> dict[str, Usual]:
        """Return how long jobs of a lane usually wait, as far as its jobs are kept."""
        found: list[Job] = []
        for pipeline in [one for one in state.listed if one != run[1]][:_QUEUES]:
            subject = self._subjects.jobs(JobsQuery(run[0], pipeline, with_retried=True))
            await subject.recall()
            found += () if subject.value is None else subject.value.items
        return usual_queues(found)

    def _opened(self, state: LaneState) -> _Known:
        project = state.lane.project
        silence = Silence(project, self._size_of, self._around, self._ask)
        return _Known(state, Pacer(self._around), silence)

    def _begins_in(self, known: _Known) -> float:
        at = worth_a_look(known.state.newest, known.state.usual)
        return inf if at is None else (at - self._around.clock.now()).total_seconds()


def _late(known: _Known, now: datetime) -> Late | None:
    if known.told_at is None or (now - known.told_at).total_seconds() > OLD:
        return None
    waiting = longest_waiting(known.jobs, known.told_at, now, known.queues)
    found = filter(None, (known.silence.late(now, OLD), waiting))
    return max(found, key=lambda late: late.seconds, default=None)


def _tried_at(one: tuple[RunKey, _Known]) -> float:
    return one[1].tried_at
