"""When what could not be read is tried again."""

from __future__ import annotations

import pytest
from tests.support.clock import FakeClock

from platui.core.errors import ServerFailedError
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.triage.tasks import LONGEST, MOST, SOON, Retries

BROKEN = ServerFailedError("It failed.", status=500)


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that is moved by hand."""
    return FakeClock()


@pytest.fixture
def retries(clock: FakeClock) -> Retries:
    """Return what remembers failures."""
    line = Observable(Connection(ConnectionState.ONLINE))
    return Retries(PollConditions(clock, line, Observable(BudgetState(0, 600))))


def test_it_is_tried_soon_at_first_and_more_and_more_seldom(
    retries: Retries, clock: FakeClock
) -> None:
    """Until somebody has a reason to think otherwise: a success, or another token."""
    waits = []
    for _ in range(12):
        retries.failed("a", BROKEN)
        waits.append(retries.remaining("a"))
        clock.jump(waits[-1])
        assert retries.remaining("a") == 0
    assert waits[:SOON] == [2, 4, 8, 16]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST
    # A night of failures is some forty tries rather than a thousand.
    assert 8 * 3600 / LONGEST < 40
    retries.succeeded("a")
    retries.failed("a", BROKEN)
    assert retries.remaining("a") == 2
    retries.forget()
    assert retries.remaining("a") == 0


def test_what_failed_long_ago_is_forgotten_first(retries: Retries) -> None:
    """Incidents come and go; what is remembered of them is bounded."""
    for number in range(MOST + 1):
        retries.failed(number, BROKEN)
    assert retries.remaining(0) == 0
    assert retries.remaining(1) > 0
