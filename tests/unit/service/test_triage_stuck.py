"""When the triage board looks at the jobs of what goes on, told from the moments of it."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.support.clock import FakeClock

from platui.analysis.triage.incidents import LaneState
from platui.core.errors import ForbiddenError, PlatuiError, ServerFailedError
from platui.core.observers import Observable
from platui.models import Job
from platui.models.values.connection import BudgetState, Line, LineState, Urgency
from platui.models.values.pages import Listing
from platui.models.values.triage import Lane, LateKind, Ran
from platui.service.surroundings import Surroundings
from platui.service.triage_stuck import EVERY, OLD, StuckPipelines

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.queries import JobsQuery

RUN = (7, 1)


class JobsOf:
    """The jobs of a pipeline, which are asked for, and kept by nobody."""

    more = False
    fetched_at: datetime | None = None
    value: Listing[Job] | None = None

    def __init__(self, desk: Desk, pipeline: int | None) -> None:
        self._desk = desk
        self._pipeline = pipeline

    async def recall(self) -> None:
        """Have what is kept of others."""
        kept = self._desk.kept.get(self._pipeline)
        if kept is not None:
            self.fetched_at, self.value = kept[0], Listing(kept[1])

    async def renew(self, urgency: Urgency) -> None:
        """Be asked."""
        assert urgency is Urgency.VISIBLE
        if self._desk.error is not None:
            raise self._desk.error
        self.fetched_at, self.value = self._desk.clock.now(), Listing(self._desk.jobs)


class Desk:
    """A pipeline, and whoever looks at it when it is due."""

    def __init__(self, status: str) -> None:
        self.clock = FakeClock()
        line = Observable(Line(LineState.ONLINE))
        self.around = Surroundings(self.clock, line, Observable(BudgetState(0, 600)))
        self.began = self.clock.now()
        self.jobs: tuple[Job, ...] = ()
        self.kept: dict[int | None, tuple[datetime, tuple[Job, ...]]] = {}
        self.error: PlatuiError | None = None
        self.asked: list[float] = []
        """Seconds after which the platform was asked."""
        subjects: Any = SimpleNamespace(jobs=self._jobs)
        self.stuck = StuckPipelines(subjects, self.around, self._ask)
        self.become(status)

    def become(self, status: str) -> None:
        """Let the pipeline be of another status."""
        newest = Ran(1, status, created_at=self.began)
        self.stuck.among([LaneState(Lane(7, "main"), newest, listed=(1, *range(-9, 0)))])

    def wait(self, name: str = "fit") -> None:
        """Let a job wait since the pipeline began."""
        self.jobs = (Job(id=5, name=name, status="pending", created_at=self.began),)

    async def work(self, seconds: float) -> None:
        """Look when it is due, for so long."""
        until = self.clock.monotonic() + seconds
        while (now := self.clock.monotonic()) < until:
            run, soonest = self.stuck.due(())
            if run is not None:
                await self.stuck.renew(run)
            else:
                self.clock.jump(min(until - now, soonest if soonest is not None else seconds))

    @property
    def seconds(self) -> float | None:
        """Return for how long a job waits too long."""
        late = self.stuck.lates(self.clock.now()).get(RUN)
        assert late is None or late.kind is LateKind.WAITING
        return None if late is None else late.seconds

    def _ask(self) -> Urgency:
        self.asked.append((self.clock.now() - self.began).total_seconds())
        return Urgency.VISIBLE

    def _jobs(self, query: JobsQuery) -> JobsOf:
        return JobsOf(self, query.pipeline)


async def test_what_has_not_begun_is_looked_at_once_a_minute_before_it_can_be_late() -> None:
    """And is late when it waits longer than is good."""
    desk = Desk("pending")
    desk.wait()
    await desk.work(119)
    assert (desk.asked, desk.stuck.looked, desk.stuck.unknown) == ([], (), 0)
    desk.clock.jump(2)
    assert desk.stuck.unknown == 1
    await desk.work(15 * EVERY)
    assert (desk.stuck.looked, desk.stuck.unknown) == ((1,), 0)
    assert len(desk.asked) == 15
    assert min(b - a for a, b in zip(desk.asked, desk.asked[1:], strict=False)) >= EVERY
    assert desk.seconds == 15 * EVERY + 121


async def test_what_runs_is_looked_at_when_it_takes_long() -> None:
    """Not before."""
    desk = Desk("running")
    await desk.work(599)
    assert desk.asked == []
    await desk.work(2)
    assert len(desk.asked) == 1


async def test_what_has_begun_does_not_wait_any_more() -> None:
    """Also where its jobs are not due for long."""
    desk = Desk("pending")
    desk.wait()
    await desk.work(1000)
    assert desk.seconds is not None
    desk.become("pending")
    assert desk.seconds is not None
    desk.become("running")
    assert desk.seconds is None
    await desk.work(1)
    assert desk.seconds is not None
    desk.become("success")
    assert desk.seconds is None
    assert desk.stuck.runs == ()


async def test_what_others_have_asked_for_is_not_asked_for_again() -> None:
    """The jobs may be on the screen."""
    desk = Desk("pending")
    desk.wait()
    desk.clock.jump(1000)
    desk.kept[1] = (desk.clock.now() - timedelta(seconds=30), desk.jobs)
    await desk.work(29)
    assert desk.asked == []
    assert desk.stuck.looked == (1,)
    assert desk.seconds == 1029
    await desk.work(10)
    assert len(desk.asked) == 1


async def test_what_is_usual_is_taken_from_what_is_kept() -> None:
    """It costs nothing; a job that mostly waits for seconds is late after minutes."""
    desk = Desk("pending")
    desk.wait()
    at = desk.began
    for older in range(-9, 0):
        began = Job(id=older, name="fit", status="success", started_at=at, queued_duration=3.0)
        desk.kept[older] = (at, (began,))
    await desk.work(170)
    assert desk.seconds is None
    await desk.work(12)
    assert desk.seconds == 182
    assert len(desk.asked) == 2


async def test_what_is_not_told_is_not_late_for_ever() -> None:
    """A platform that fails is asked again soon; what it said is true for a while."""
    desk = Desk("pending")
    desk.wait()
    await desk.work(1000)
    desk.error = ServerFailedError("It failed.", status=500)
    await desk.work(OLD - EVERY)
    assert desk.seconds is not None
    await desk.work(2 * EVERY)
    assert desk.seconds is None
    desk.error = None
    await desk.work(EVERY)
    assert desk.seconds is not None


async def test_what_is_refused_is_asked_for_once() -> None:
    """Another token may be let in."""
    desk = Desk("pending")
    desk.error = ForbiddenError("No.", status=403)
    await desk.work(30 * EVERY)
    assert len(desk.asked) == 1
    assert desk.stuck.looked == ()
