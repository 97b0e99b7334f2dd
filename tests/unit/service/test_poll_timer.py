"""The timer of a feed keeps why its last poll failed."""

from __future__ import annotations

import weakref

from tests.support.clock import FakeClock

from platui.core.errors import InvalidResponseError
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.feeds.poll_timer import PollTimer


class _Body:
    """A response."""


def test_an_error_that_is_kept_holds_no_response() -> None:
    """It is kept until a poll succeeds, for each project; a response has megabytes."""
    line = Observable(Connection(ConnectionState.ONLINE))
    timer = PollTimer(PollConditions(FakeClock(), line, Observable(BudgetState(0, 600))))
    response = _read(timer)
    assert timer.error is not None
    assert response() is None


def _read(timer: PollTimer) -> weakref.ref[_Body]:
    body = _Body()
    try:
        try:
            _refuse(body)
        except ValueError as why:
            raise InvalidResponseError("That is no JSON.") from why
    except InvalidResponseError as error:
        timer.failed(error)
    return weakref.ref(body)


def _refuse(_body: _Body) -> None:
    raise ValueError
