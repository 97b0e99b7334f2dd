"""Equal requests share one answer."""

from __future__ import annotations

import asyncio

import pytest

from platui.service.single_flight import SingleFlight


class Request:
    """A request that is answered when the test says so."""

    def __init__(self) -> None:
        self.sent = 0
        self.cancelled = 0
        self.answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def send(self) -> str:
        """Wait for the answer."""
        self.sent += 1
        try:
            return await asyncio.shield(self.answer)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


async def _settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_equal_requests_are_sent_once() -> None:
    """Two who ask for the same at once get the same answer of one request."""
    flights: SingleFlight[str, str] = SingleFlight()
    request = Request()
    both = asyncio.gather(flights.run("a", request.send), flights.run("a", request.send))
    await _settle()
    assert "a" in flights
    request.answer.set_result("yes")
    assert list(await both) == ["yes", "yes"]
    assert request.sent == 1
    assert len(flights) == 0


async def test_another_key_is_another_request() -> None:
    """Only equal keys share."""
    flights: SingleFlight[str, str] = SingleFlight()
    request = Request()
    request.answer.set_result("yes")
    await asyncio.gather(flights.run("a", request.send), flights.run("b", request.send))
    assert request.sent == 2


async def test_who_leaves_does_not_take_the_others_along() -> None:
    """The request goes on while somebody waits for it."""
    flights: SingleFlight[str, str] = SingleFlight()
    request = Request()
    leaver = asyncio.ensure_future(flights.run("a", request.send))
    stayer = asyncio.ensure_future(flights.run("a", request.send))
    await _settle()
    leaver.cancel()
    await _settle()
    assert leaver.cancelled()
    assert request.cancelled == 0
    request.answer.set_result("yes")
    assert await stayer == "yes"


async def test_the_last_who_leaves_cancels_the_request() -> None:
    """A request that nobody waits for is not worth its bytes."""
    flights: SingleFlight[str, str] = SingleFlight()
    request = Request()
    waiters = [asyncio.ensure_future(flights.run("a", request.send)) for _ in range(2)]
    await _settle()
    for waiter in waiters:
        waiter.cancel()
    await _settle()
    assert request.cancelled == 1
    assert len(flights) == 0


async def test_a_failure_reaches_each_and_is_not_kept() -> None:
    """Whoever asks after a failure starts anew."""
    flights: SingleFlight[str, str] = SingleFlight()
    first, second = Request(), Request()
    both = asyncio.gather(
        flights.run("a", first.send), flights.run("a", first.send), return_exceptions=True
    )
    await _settle()
    first.answer.set_exception(ValueError("no"))
    assert [type(item) for item in await both] == [ValueError, ValueError]
    second.answer.set_result("yes")
    assert await flights.run("a", second.send) == "yes"


async def test_one_who_comes_as_the_last_leaves_gets_a_new_request() -> None:
    """A cancelled flight takes nobody on board."""
    flights: SingleFlight[str, str] = SingleFlight()
    first, second = Request(), Request()
    leaver = asyncio.ensure_future(flights.run("a", first.send))
    await _settle()
    leaver.cancel()
    await asyncio.sleep(0)
    second.answer.set_result("yes")
    assert await flights.run("a", second.send) == "yes"
    with pytest.raises(asyncio.CancelledError):
        await leaver


async def test_a_forgotten_request_answers_only_those_who_wait() -> None:
    """Something has changed since it was sent: who asks now gets a newer answer."""
    flights: SingleFlight[str, str] = SingleFlight()
    old, new = Request(), Request()
    before = asyncio.ensure_future(flights.run("a", old.send))
    await _settle()
    flights.forget("a")
    after = asyncio.ensure_future(flights.run("a", new.send))
    await _settle()
    old.answer.set_result("old")
    await _settle()
    assert "a" in flights
    new.answer.set_result("new")
    assert (await before, await after) == ("old", "new")
    assert len(flights) == 0
