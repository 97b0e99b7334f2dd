"""The timer of a feed keeps why its last poll failed."""

from __future__ import annotations

import weakref

from tests.support.clock import FakeClock

from platui.core.errors import InvalidResponseError, OfflineError, OfflineReason
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.feeds.poll_interval import PollInterval
from platui.service.feeds.poll_timer import PollTimer


class _Body:
    """A response."""


def test_an_error_that_is_kept_holds_no_response() -> None:
    """It is kept until a poll succeeds, for each project; a response has megabytes."""
    line = Observable(Connection(ConnectionState.ONLINE))
    conditions = PollConditions(FakeClock(), line, Observable(BudgetState(0, 600)))
    one, other = PollTimer(conditions), PollTimer(conditions)
    other.failed(InvalidResponseError("That is no JSON."))
    response = _read(one, other)
    assert one.error is not None
    assert response() is None


def test_what_fails_again_while_the_platform_answers_others_is_polled_less_often() -> None:
    """A log may break each time; asked for again at once, it would take the whole quota."""
    clock, line = FakeClock(), Observable(Connection(ConnectionState.ONLINE))
    timer = PollTimer(PollConditions(clock, line, Observable(BudgetState(0, 600))))
    interval = PollInterval(1.0, 1.0)

    def fail() -> None:
        line.set(Connection(ConnectionState.OFFLINE))
        timer.failed(OfflineError("The connection was dropped.", reason=OfflineReason.DROPPED))

    def polls_at_once() -> int:
        line.set(Connection(ConnectionState.ONLINE))  # by the answer to another feed
        for count in range(10):
            if timer.remaining(interval) != 0.0:
                return count
            fail()
            line.set(Connection(ConnectionState.ONLINE))
        raise AssertionError("It polls for ever.")

    fail()
    clock.jump(1.0)
    assert timer.remaining(interval) != 0.0
    assert polls_at_once() == 2
    timer.succeeded()
    fail()
    assert polls_at_once() == 2


def _read(*timers: PollTimer) -> weakref.ref[_Body]:
    """Fail for all of them, with the same error."""
    body, refused = _Body(), InvalidResponseError("That is no JSON.")
    for timer in timers:
        try:
            try:
                _refuse(body)
            except ValueError as why:
                raise refused from why
        except InvalidResponseError as error:
            timer.failed(error)
    return weakref.ref(body)


def _refuse(_body: _Body) -> None:
    raise ValueError
