"""The line, the budget, the journal and what is remembered of pipelines and neighbours."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.support.clock import START, FakeClock

from platui.api.budget import Budget
from platui.api.endpoint import Endpoint
from platui.api.endpoints import pipelines, schedules
from platui.config.settings import PollSettings
from platui.core.errors import (
    ForbiddenError,
    InvalidResponseError,
    NotFoundError,
    OfflineError,
    OfflineReason,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.core.observers import Observable
from platui.models.values.connection import (
    BudgetState,
    Connection,
    ConnectionState,
    RequestRecord,
    Urgency,
)
from platui.models.wire import Pipeline
from platui.service.connection_state import LONG_STEP, STEP, BudgetMirror, ConnectionWatch
from platui.service.feeds.optional_endpoints import OptionalEndpoints
from platui.service.feeds.read_context import Sightings
from platui.service.reader import Reader
from platui.service.service_context import RequestJournal

REFUSED = UnauthorizedError("Unknown.", status=401)
OFFLINE = OfflineError("No way.", reason=OfflineReason.REFUSED)


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (OFFLINE, ConnectionState.OFFLINE),
        (REFUSED, ConnectionState.UNAUTHORIZED),
        (ForbiddenError("No.", status=403), ConnectionState.ONLINE),
        (NotFoundError("Gone.", status=404), ConnectionState.ONLINE),
        (RateLimitedError("Wait.", retry_after=3.0), ConnectionState.ONLINE),
        (ServerFailedError("Oops.", status=500), ConnectionState.ONLINE),
        (InvalidResponseError("What?"), ConnectionState.UNKNOWN),
    ],
)
def test_what_a_failure_says_of_the_line(error: PlatuiError, state: ConnectionState) -> None:
    """A refusal is an answer; an unreadable one says nothing of the platform."""
    line = Observable(Connection(ConnectionState.UNKNOWN))
    watch = ConnectionWatch(line, FakeClock())
    watch.failed(error, watch.begin())
    assert line.value.state is state
    assert bool(line.value.reason) == (
        state in {ConnectionState.OFFLINE, ConnectionState.UNAUTHORIZED}
    )


def test_an_outage_keeps_its_beginning() -> None:
    """`offline since` is the first failure, not the last."""
    clock, line = FakeClock(), Observable(Connection(ConnectionState.UNKNOWN))
    watch = ConnectionWatch(line, clock)
    watch.failed(OFFLINE, watch.begin())
    clock.jump(60)
    watch.failed(OFFLINE, watch.begin())
    assert line.value.since == START
    assert not line.value.is_known
    watch.answered(watch.begin())
    assert line.value == Connection(ConnectionState.ONLINE, START + timedelta(seconds=60))
    watch.failed(OFFLINE, watch.begin())
    assert line.value.is_known


async def test_an_outage_begins_with_the_silence_and_not_when_a_timeout_tells_of_it() -> None:
    """It does not begin before another request was answered."""
    clock, line = FakeClock(), Observable(Connection(ConnectionState.UNKNOWN))
    watch = ConnectionWatch(line, clock)

    async def time_out(answered_after: float | None) -> None:
        with watch.observed() as request:
            await request.sent()
            if answered_after is not None:
                clock.jump(answered_after)
                watch.answered(watch.begin())
            clock.jump(60 - (answered_after or 0.0))
            raise OFFLINE

    for answered_after, expected in ((None, 0), (20.0, 80)):
        with pytest.raises(OfflineError):
            await time_out(answered_after)
        assert line.value.state is ConnectionState.OFFLINE
        assert line.value.since == START + timedelta(seconds=expected)


def test_one_request_that_gets_no_response_is_no_outage() -> None:
    """Others that were sent after it do; when they stop as well, it is one."""
    clock, line = FakeClock(), Observable(Connection(ConnectionState.UNKNOWN))
    watch = ConnectionWatch(line, clock)
    slow = OfflineError("It did not respond in time.", reason=OfflineReason.TIMEOUT)
    before = watch.begin()
    watch.answered(before)
    first, second = watch.begin(), watch.begin()
    watch.failed(slow, first)
    assert line.value.reason == slow.sentence
    watch.answered(second)
    clock.jump(20)
    watch.failed(slow, first)
    assert line.value == Connection(ConnectionState.ONLINE, START)
    clock.jump(20)
    watch.failed(slow, first)
    assert line.value.reason == slow.sentence


def test_responses_are_as_recent_as_polls_are_frequent() -> None:
    """Whoever refreshes seldom gets few others meanwhile."""
    clock, line = FakeClock(), Observable(Connection(ConnectionState.UNKNOWN))
    watch = ConnectionWatch(line, clock, poll=PollSettings(idle=120))
    slow = OfflineError("It did not respond in time.", reason=OfflineReason.TIMEOUT)
    first, second = watch.begin(), watch.begin()
    watch.answered(second)
    clock.jump(60)
    watch.failed(slow, first)
    assert line.value == Connection(ConnectionState.ONLINE, START)


def test_what_was_let_in_before_a_refusal_does_not_hide_it() -> None:
    """The token is refused until something that was asked later is answered."""
    line = Observable(Connection(ConnectionState.UNKNOWN))
    watch = ConnectionWatch(line, FakeClock())
    first, second, third = watch.begin(), watch.begin(), watch.begin()
    watch.failed(REFUSED, second)
    watch.answered(first)
    watch.failed(NotFoundError("Gone.", status=404), third)
    assert line.value.reason == REFUSED.sentence
    watch.answered(watch.begin())
    assert line.value.state is ConnectionState.ONLINE


def test_another_token_is_not_refused_for_what_one_before_was_not_told() -> None:
    """Its answer comes late; those of the new one say how it is."""
    line = Observable(Connection(ConnectionState.UNKNOWN))
    watch = ConnectionWatch(line, FakeClock())
    first, second = watch.begin(), watch.begin()
    watch.failed(REFUSED, first)
    watch.token_replaced()
    watch.answered(watch.begin())
    watch.failed(REFUSED, second)
    assert not line.value.reason
    watch.failed(REFUSED, watch.begin())
    assert line.value.state is ConnectionState.UNAUTHORIZED


async def test_the_shown_budget_falls_as_time_passes_and_then_rests() -> None:
    """Counts leave the window by themselves; with nothing to count no timer runs."""
    clock = FakeClock()
    budget = Budget(600, clock)
    shown = Observable(BudgetState(0, 600))
    mirror = BudgetMirror(budget, shown, clock)
    budget.spend()
    clock.jump(30)
    budget.spend()
    await clock.settle()
    assert shown.value.used == 2
    await clock.advance(LONG_STEP)
    assert shown.value.used == 0
    assert mirror._timer is not None
    assert mirror._timer.done()
    budget.spend()
    await clock.settle()
    assert shown.value.used == 1
    await clock.advance(LONG_STEP)
    assert shown.value.used == 0
    mirror.close()


async def test_a_budget_that_limits_requests_is_followed_closely() -> None:
    """Polling is slower from a share of the quota on, and must be faster soon below it."""
    clock = FakeClock()
    budget = Budget(4, clock)
    shown = Observable(BudgetState(0, 4))
    mirror = BudgetMirror(budget, shown, clock)
    for _ in range(3):
        budget.spend()
        clock.jump(STEP)
    await clock.settle()
    seen = [shown.value.used]
    for _ in range(13):
        await clock.advance(STEP)
        seen.append(shown.value.used)
    assert sorted(set(seen), reverse=True) == [3, 2, 1]
    await clock.advance(LONG_STEP)
    assert shown.value.used == 0
    mirror.close()


async def test_the_end_of_a_pause_is_shown_in_time() -> None:
    """The countdown ends when requests go on, not at the next round number."""
    clock = FakeClock()
    budget = Budget(600, clock, jitter=lambda: 0.0)
    shown = Observable(BudgetState(0, 600))
    mirror = BudgetMirror(budget, shown, clock)
    budget.pause(7.0)
    await clock.settle()
    assert shown.value.paused_until == clock.monotonic() + 7.0
    await clock.advance(7.2)
    assert shown.value.paused_until is None
    mirror.close()


def _record(number: int, path: str = "projects") -> RequestRecord:
    return RequestRecord(number, START, "GET", path, 200, 250, "live", 10, Urgency.USER)


def test_the_journal_is_bounded_and_newest_first() -> None:
    """The Requests screen gets the last ones only."""
    journal = RequestJournal(bound=3)
    numbers: list[int] = []
    journal.newest.observe(numbers.append)
    for number in range(1, 6):
        journal.add(_record(number))
    assert [record.number for record in journal.recent()] == [5, 4, 3]
    assert numbers == [1, 2, 3, 4, 5]


def test_transfers_remember_the_last_of_each_path() -> None:
    """A path that was never asked for took no time."""
    nothing: Any = None
    reader = Reader(nothing, nothing, nothing, nothing)
    jobs, projects = Endpoint("jobs", nothing), Endpoint("projects", nothing)
    reader.note_transfer(_record(1, jobs.target))
    assert reader.transfer(jobs) == pytest.approx(0.25)
    assert reader.transfer(projects) == 0.0


def test_a_finished_pipeline_that_was_retried_has_moved_on() -> None:
    """A list that shows it running again, or changed later, unsettles what was known."""
    sightings = Sightings()
    later = START + timedelta(seconds=5)
    assert not sightings.moved_on(1, START, START)
    sightings.note([Pipeline(id=1, status="success", updated_at=START)], START)
    assert not sightings.moved_on(1, START, START)
    sightings.note([Pipeline(id=1, status="success", updated_at=START)], later)
    assert not sightings.moved_on(1, START, START)
    sightings.note([Pipeline(id=1, status="running", updated_at=START)], later)
    assert sightings.moved_on(1, START, START)
    assert not sightings.moved_on(1, later, START)
    sightings.note([Pipeline(id=1, status="success", updated_at=later)], later)
    assert sightings.moved_on(1, START, START)
    sightings.note([Pipeline(id=1, status="running", updated_at=START)], START)
    assert not sightings.moved_on(1, START, later)


def test_whoever_wants_to_know_is_told_that_a_known_pipeline_moved() -> None:
    """Not of what is seen for the first time, nor of what is as it was."""
    told: list[int] = []
    sightings = Sightings(lambda: told.append(1))
    sightings.note([Pipeline(id=1, status="success", updated_at=START)], START)
    sightings.note([Pipeline(id=1, status="success", updated_at=START)], START)
    assert not told
    sightings.note([Pipeline(id=n, status="running", updated_at=START) for n in (1, 2)], START)
    assert told == [1]


def test_one_missing_thing_is_not_a_missing_operation() -> None:
    """A second thing without it tells that the platform does not offer it."""
    optional = OptionalEndpoints()
    first, second, third = (pipelines.bridges(7, number) for number in (1, 2, 3))
    unknown = NotFoundError("404 Not Found", status=404)
    optional.missed(first, unknown)
    optional.missed(first, unknown)
    assert optional.is_absent(first)
    assert not optional.is_absent(second)
    optional.missed(second, unknown)
    assert optional.is_absent(third)
    assert not optional.is_absent(schedules.schedules(7))


def test_missing_records_are_not_a_missing_operation() -> None:
    """However many there are."""
    optional = OptionalEndpoints()
    deleted = NotFoundError("404 Not found", status=404, missing="record")
    for number in range(3):
        optional.missed(pipelines.bridges(7, number), deleted)
    assert optional.is_absent(pipelines.bridges(7, 2))
    assert not optional.is_absent(pipelines.bridges(7, 3))
