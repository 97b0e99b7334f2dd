"""Since when a response is missing."""

from __future__ import annotations

from tests.support.clock import FakeClock

from platui.core.observers import Observable
from platui.models.values.connection import Connection, ConnectionState
from platui.service.connection_state import SLOW, ConnectionWatch


class Waits:
    """A watch whose waits are published."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.slow_since: Observable[float | None] = Observable(None)
        line = Observable(Connection(ConnectionState.UNKNOWN))
        self.watch = ConnectionWatch(line, self.clock, self.slow_since)


async def test_the_oldest_request_that_waits_for_long_is_published() -> None:
    """The next one takes its place when it is answered, after as long a wait."""
    stage = Waits()
    began = stage.clock.monotonic()
    with stage.watch.observed() as second:
        with stage.watch.observed() as first:
            await first.sent()
            await stage.clock.advance(SLOW / 2)
            await second.sent()
            await stage.clock.advance(SLOW / 4)
            assert stage.slow_since.value is None
            await stage.clock.advance(SLOW / 4)
            assert stage.slow_since.value == began
        assert stage.slow_since.value is None
        await stage.clock.advance(SLOW / 2)
        assert stage.slow_since.value == began + SLOW / 2
    assert stage.slow_since.value is None


async def test_a_second_attempt_goes_on_with_the_wait() -> None:
    """A timeout is no answer; a refusal is one."""
    stage = Waits()
    began = stage.clock.monotonic()
    with stage.watch.observed() as request:
        await request.sent()
        await stage.clock.advance(30)
        await request.sent()
        assert stage.slow_since.value == began
        request.answered()
        assert stage.slow_since.value is None


async def test_a_response_that_arrives_slowly_is_not_missing() -> None:
    """Each part begins the wait again; a body that stops counts from its last part."""
    stage = Waits()
    with stage.watch.observed() as request:
        await request.sent()
        for _ in range(3):
            await stage.clock.advance(SLOW - 1)
            request.received()
            assert stage.slow_since.value is None
        last = stage.clock.monotonic()
        await stage.clock.advance(SLOW)
        assert stage.slow_since.value == last
        request.received()
        assert stage.slow_since.value is None
        await stage.clock.advance(SLOW)
        assert stage.slow_since.value == last + SLOW
    assert stage.slow_since.value is None


async def test_a_request_that_waits_for_its_turn_is_not_slow() -> None:
    """The platform does not know of it yet."""
    stage = Waits()
    with stage.watch.observed():
        await stage.clock.advance(60)
        assert stage.slow_since.value is None
