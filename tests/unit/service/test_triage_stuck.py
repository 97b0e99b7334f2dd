"""When the triage board looks at the jobs of what goes on, told from the moments of it."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.support.clock import FakeClock

from platui.analysis.triage.incidents import LaneState
from platui.core.errors import ForbiddenError, NotFoundError, PlatuiError, ServerFailedError
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState, Urgency
from platui.models.values.feeds import Listing
from platui.models.values.triage import Lane, PipelineRun
from platui.models.values.triage_board import LateKind
from platui.models.wire import Job
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.triage.stuck import EVERY, OLD, StuckPipelines

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import Late
    from platui.service.resources.resource import Resource

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
        line = Observable(Connection(ConnectionState.ONLINE))
        self.around = PollConditions(self.clock, line, Observable(BudgetState(0, 600)))
        self.began = self.clock.now()
        self.jobs: tuple[Job, ...] = ()
        self.kept: dict[int | None, tuple[datetime, tuple[Job, ...]]] = {}
        self.error: PlatuiError | None = None
        self.asked: list[float] = []
        """Seconds after which the platform was asked."""
        logs = SimpleNamespace(size=self._size_of)
        context: Any = SimpleNamespace(reading=self._reading, conditions=self.around, logs=logs)
        self.sizes: dict[int, int | None] = {}
        """Of jobs whose logs there are."""
        self.measured: list[int] = []
        """The jobs whose logs were asked for."""
        self.stuck = StuckPipelines(context, self._ask)
        self.become(status)

    def become(self, status: str) -> None:
        """Let the pipeline be of another status."""
        newest = PipelineRun(1, status, created_at=self.began)
        self.stuck.set_watched([LaneState(Lane(7, "main"), newest, listed=(1, *range(-9, 0)))])

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

    def run(self, *ids: int) -> None:
        """Let jobs run since the pipeline began."""
        self.jobs = tuple(
            Job(id=one, name=f"fit_{one}", status="running", started_at=self.began) for one in ids
        )
        self.sizes |= dict.fromkeys(ids, 500)

    @property
    def late(self) -> Late | None:
        """Return what is stuck."""
        return self.stuck.late_pipelines(self.clock.now()).get(RUN)

    @property
    def seconds(self) -> float | None:
        """Return for how long a job waits too long."""
        late = self.late
        assert late is None or late.kind is LateKind.WAITING
        return None if late is None else late.seconds

    async def _size_of(self, project: ProjectRef, job: int, urgency: Urgency) -> int | None:
        assert (project, urgency) == (7, Urgency.VISIBLE)
        self.measured.append(job)
        if job not in self.sizes:
            raise NotFoundError("There is none.", status=404)
        return self.sizes[job]

    def _ask(self) -> Urgency:
        self.asked.append((self.clock.now() - self.began).total_seconds())
        return Urgency.VISIBLE

    def _reading(self, resource: Resource[Listing[Job]]) -> JobsOf:
        return JobsOf(self, int(resource.endpoint().path.split("/")[-2]))


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
    assert not desk.stuck.keys


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


async def test_a_log_that_rests_is_told_until_it_grows() -> None:
    """It is looked at once a minute; that it is silent is known from the first look on."""
    desk = Desk("running")
    desk.run(5)
    await desk.work(601)
    assert desk.measured == [5]
    await desk.work(595)
    assert desk.late is None
    await desk.work(6)
    late = desk.late
    assert late is not None
    assert (late.kind, late.what, late.job) == (LateKind.SILENT, "fit_5", 5)
    assert len(desk.measured) == 11
    desk.sizes[5] = 501
    await desk.work(EVERY)
    assert desk.late is None
    await desk.work(11 * EVERY)
    assert desk.late is not None
    desk.jobs = ()
    await desk.work(EVERY)
    assert desk.late is None


async def test_a_log_that_is_empty_is_silent_since_its_job_began() -> None:
    """Nobody need have looked."""
    desk = Desk("running")
    desk.run(5)
    desk.sizes[5] = 0
    await desk.work(602)
    late = desk.late
    assert late is not None
    assert (late.kind, late.seconds) == (LateKind.SILENT, 602)


async def test_a_log_whose_length_nobody_tells_is_asked_for_once() -> None:
    """Nor is one that there is not; others are looked at all the same, but not too many."""
    desk = Desk("running")
    desk.run(5, 6, 7, 8)
    desk.sizes[5] = None
    del desk.sizes[6]
    await desk.work(600 + 15 * EVERY)
    assert desk.measured.count(5) == desk.measured.count(6) == 1
    assert desk.measured.count(7) == 15
    assert 8 not in desk.measured
    assert desk.late is not None
    assert desk.late.job == 7


async def test_what_has_waited_longer_than_another_is_silent_is_told() -> None:
    """One of them has room on the row."""
    desk = Desk("running")
    desk.run(5)
    desk.jobs += (Job(id=6, name="load", status="pending", created_at=desk.began),)
    await desk.work(1500)
    late = desk.late
    assert late is not None
    assert (late.kind, late.what) == (LateKind.WAITING, "load")
