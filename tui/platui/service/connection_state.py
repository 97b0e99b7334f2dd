"""Connection state, slow responses and used quota, as observed by the dashboard."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from platui.config.settings import PollSettings
from platui.core.errors import (
    ApiError,
    DisabledEndpointError,
    OfflineError,
    OfflineReason,
    PlatuiError,
    UnauthorizedError,
)
from platui.core.named_tuple import NamedTuple
from platui.core.observers import Observable
from platui.core.peak_count import HELD
from platui.models.values.connection import BudgetState, Connection, ConnectionState
from platui.service.feeds.poll_interval import SLOWDOWN_SHARE

if TYPE_CHECKING:
    from datetime import datetime

    from platui.api.budget import Budget
    from platui.core.clock import Clock


STEP: Final = 5.0  # seconds between two updates of a budget that limits requests
LONG_STEP: Final = HELD + STEP  # seconds until the gauge may fall; it shows the peak of a minute


_MARGIN: Final = 5.0  # Seconds from the time of a poll to its response

SLOW: Final = 5.0
"""Seconds without a response after which the header shows the wait."""


class _Moment(NamedTuple):
    monotonic: float  # Seconds
    now: datetime


class ResponseWaits:
    """Publishes since when nothing of a response has arrived, once that is slow."""

    def __init__(self, slow_since: Observable[float | None], clock: Clock) -> None:
        self._slow_since = slow_since
        self._clock = clock
        # Number of a request -> when its last byte arrived
        self._since: dict[int, _Moment] = {}
        self._timer: asyncio.Task[None] | None = None

    def begin(self, number: int) -> None:
        """Count from the first attempt: a timeout is no response."""
        self._since.setdefault(number, self._moment())
        if self._timer is None:
            self._publish()

    def received(self, number: int) -> None:
        """Count from now on: a part of the response has arrived."""
        if number in self._since:
            self._since[number] = self._moment()
        if self._slow_since.value is not None:
            self._publish()

    def since(self, number: int) -> datetime:
        """Return since when nothing of the response to a request has arrived."""
        return self._since.get(number, self._moment()).now

    def end(self, number: int) -> None:
        self._since.pop(number, None)
        if not self._since or self._slow_since.value is not None:
            self._publish()

    def _moment(self) -> _Moment:
        return _Moment(self._clock.monotonic(), self._clock.now())

    def _publish(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        oldest = min((one.monotonic for one in self._since.values()), default=None)
        left = 0.0 if oldest is None else oldest + SLOW - self._clock.monotonic()
        self._slow_since.set(None if left > 0 else oldest)
        if left > 0:
            self._timer = asyncio.ensure_future(self._publish_after(left))

    async def _publish_after(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._timer = None
        self._publish()


class ObservedRequest:
    """A request whose result changes the connection state."""

    def __init__(self, number: int, waits: ResponseWaits) -> None:
        self._number = number
        self._waits = waits

    async def sent(self) -> None:
        self._waits.begin(self._number)

    def received(self) -> None:
        self._waits.received(self._number)

    def answered(self) -> None:
        """End the wait for an error response, or for the beginning of a log."""
        self._waits.end(self._number)


class ConnectionWatch:
    """Tracks the connection state by the order of requests, as responses overtake each other."""

    def __init__(
        self,
        line: Observable[Connection],
        clock: Clock,
        slow_since: Observable[float | None] | None = None,
        poll: PollSettings | None = None,
    ) -> None:
        self._line = line
        self._clock = clock
        self._recently = (poll or PollSettings()).idle + _MARGIN
        self._waits = ResponseWaits(Observable(None) if slow_since is None else slow_since, clock)
        self._begun = 0  # number of the newest request
        self._begun_at_refusal = 0
        self._begun_at_new_token = 0
        self._answered_at: datetime | None = None
        self._newest_answered = 0  # number of the request begun last of those answered

    @contextmanager
    def observed(self) -> Iterator[ObservedRequest]:
        """Update the state from the success or the error of the request in the block."""
        number = self.begin()
        try:
            yield ObservedRequest(number, self._waits)
        except PlatuiError as error:
            self.failed(error, number)
            raise
        finally:
            self._waits.end(number)
        self.answered(number)

    def begin(self) -> int:
        self._begun += 1
        return self._begun

    def token_replaced(self) -> None:
        self._begun_at_new_token = self._begun

    def answered(self, number: int) -> None:
        self._answered_at = self._clock.now()
        self._newest_answered = max(self._newest_answered, number)
        is_refused = self._line.value.state is ConnectionState.UNAUTHORIZED
        if not is_refused or number > self._begun_at_refusal:
            self._enter(ConnectionState.ONLINE, "")

    def failed(self, error: PlatuiError, number: int) -> None:
        """Update the state from an error; errors unrelated to the connection are ignored."""
        match error:
            case UnauthorizedError():
                if number > self._begun_at_new_token:
                    self._begun_at_refusal = self._begun
                    self._enter(ConnectionState.UNAUTHORIZED, error.sentence)
            case DisabledEndpointError():
                pass  # the platform was not asked
            case ApiError():
                # An error response also proves that the platform is reachable.
                self.answered(number)
            case OfflineError(reason=OfflineReason.TIMEOUT) if self._is_slow_alone(number):
                pass
            case OfflineError():
                # A timeout is noticed long after the last response.
                since = self._waits.since(number)
                since = max(since, self._answered_at or since)
                self._enter(ConnectionState.OFFLINE, error.sentence, since)
            case _:
                pass

    def _is_slow_alone(self, number: int) -> bool:
        """Return whether requests begun after this one have been answered a moment ago."""
        at = self._answered_at
        if at is None or self._newest_answered < number:
            return False
        return (self._clock.now() - at).total_seconds() < self._recently

    def _enter(self, state: ConnectionState, reason: str, since: datetime | None = None) -> None:
        before = self._line.value
        since = before.since if before.state is state else since or self._clock.now()
        is_known = state is not ConnectionState.OFFLINE or (
            before.is_known and before.state is not ConnectionState.UNKNOWN
        )
        self._line.set(Connection(state, since, reason, is_known))


class BudgetMirror:
    """Publishes the budget.

    Its timer runs only while the budget counts down, and often only while it limits requests.
    """

    def __init__(self, budget: Budget, shown: Observable[BudgetState], clock: Clock) -> None:
        self._budget = budget
        self._shown = shown
        self._clock = clock
        self._timer: asyncio.Task[None] | None = None
        self._stop = budget.changes.observe(self._changed)
        self._changed(budget.state())

    def close(self) -> None:
        self._stop()
        if self._timer is not None:
            self._timer.cancel()

    def _changed(self, state: BudgetState) -> None:
        # Not inside the request that changed it: an observer's error must not fail the request.
        asyncio.get_running_loop().call_soon(self._shown.set, state)
        if _falls(state) and (self._timer is None or self._timer.done()):
            self._timer = asyncio.ensure_future(self._count_down())

    async def _count_down(self) -> None:
        while _falls(state := self._budget.state()):
            is_short = state.used >= state.limit * SLOWDOWN_SHARE
            pause = STEP if is_short else LONG_STEP
            if state.paused_until is not None:
                pause = min(STEP, max(0.1, state.paused_until - self._clock.monotonic()))
            await self._clock.sleep(pause)
            self._budget.refresh()


def _falls(state: BudgetState) -> bool:
    return state.used > 0 or state.paused_until is not None
