"""Who goes next: by class, by age, within quota, connections and pauses."""

from __future__ import annotations

import asyncio
import random

import pytest
from tests.support.clock import FakeClock

from platui.api.budget import Budget
from platui.api.request_limiter import RequestLimiter
from platui.models.values.connection import Urgency

USER, VISIBLE, BACKGROUND = Urgency.USER, Urgency.VISIBLE, Urgency.BACKGROUND


class Crowd:
    """Tasks that pass the gate, stay inside until let go, and are remembered in order."""

    def __init__(self, limit: int = 100, concurrency: int = 6) -> None:
        self.clock = FakeClock()
        self.budget = Budget(limit, self.clock, jitter=lambda: 0.0)
        self.gate = RequestLimiter(self.budget, self.clock, concurrency)
        self.entered: list[str] = []
        self._leave: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def comes(self, name: str, urgency: Urgency, *, stays: bool = False) -> None:
        """Let somebody come, and let things settle."""
        self._leave[name] = asyncio.Event()
        if not stays:
            self._leave[name].set()
        self.tasks[name] = asyncio.create_task(self._pass(name, urgency))
        await self.clock.settle()

    async def goes(self, name: str) -> None:
        """Let somebody leave."""
        self._leave[name].set()
        await self.clock.settle()

    async def gives_up(self, name: str) -> None:
        """Cancel somebody."""
        self.tasks[name].cancel()
        await self.clock.settle()

    async def _pass(self, name: str, urgency: Urgency) -> None:
        async with self.gate.enter(urgency):
            self.entered.append(name)
            await self._leave[name].wait()


async def test_class_goes_before_age() -> None:
    """What the user waits for overtakes what came earlier; equals keep their order."""
    crowd = Crowd(concurrency=1)
    await crowd.comes("first", USER, stays=True)
    await crowd.comes("b1", BACKGROUND)
    await crowd.comes("v1", VISIBLE)
    await crowd.comes("b2", BACKGROUND)
    await crowd.comes("u1", USER)
    await crowd.comes("v2", VISIBLE)
    assert crowd.entered == ["first"]
    await crowd.goes("first")
    assert crowd.entered == ["first", "u1", "v1", "v2", "b1", "b2"]


async def test_connections_are_limited() -> None:
    """No more than six at once, and the next as soon as one leaves."""
    crowd = Crowd()
    for number in range(8):
        await crowd.comes(str(number), USER, stays=True)
    assert len(crowd.entered) == 6
    await crowd.goes("0")
    assert len(crowd.entered) == 7
    for number in range(8):
        await crowd.goes(str(number))
    assert len(crowd.entered) == 8


async def test_background_leaves_connections_free() -> None:
    """Slow background work on a bad line does not keep the user waiting."""
    crowd = Crowd()
    for number in range(6):
        await crowd.comes(f"b{number}", BACKGROUND, stays=True)
    assert len(crowd.entered) == 4
    await crowd.comes("u", USER)
    assert "u" in crowd.entered
    for number in range(6):
        await crowd.goes(f"b{number}")
    assert len(crowd.entered) == 7


@pytest.mark.parametrize(("urgency", "sent"), [(USER, 100), (VISIBLE, 95), (BACKGROUND, 75)])
async def test_each_class_stops_at_its_reserve(urgency: Urgency, sent: int) -> None:
    """Background at three quarters of the quota, the visible at 95 %, the user at its end."""
    crowd = Crowd(limit=100)
    for number in range(110):
        await crowd.comes(str(number), urgency)
    assert len(crowd.entered) == sent
    await crowd.clock.advance(61)
    assert len(crowd.entered) == 110


async def test_a_spent_quota_is_given_to_the_urgent_first() -> None:
    """As room comes back, the user's requests take it."""
    crowd = Crowd(limit=2)
    await crowd.comes("a", USER)
    await crowd.clock.advance(10)
    await crowd.comes("b", USER)
    await crowd.comes("late background", BACKGROUND)
    await crowd.comes("late user", USER)
    assert crowd.entered == ["a", "b"]
    await crowd.clock.advance(51)
    assert crowd.entered == ["a", "b", "late user"]
    await crowd.clock.advance(120)
    assert crowd.entered[-1] == "late background"


async def test_nothing_passes_in_a_pause() -> None:
    """After a 429 not even the user's requests go, until the pause is over."""
    crowd = Crowd()
    crowd.budget.pause(30)
    await crowd.comes("u", USER)
    await crowd.clock.advance(29.9)
    assert crowd.entered == []
    crowd.budget.pause(10)  # another 429, of a request that was under way
    await crowd.clock.advance(5)
    assert crowd.entered == []
    await crowd.clock.advance(6)
    assert crowd.entered == ["u"]


async def test_each_pass_is_counted_at_once() -> None:
    """A burst must not slip through before the first answer is back."""
    crowd = Crowd(limit=3)
    for number in range(5):
        await crowd.comes(str(number), USER, stays=True)
    assert len(crowd.entered) == 3
    assert crowd.budget.state().used == 3
    for number in range(5):
        await crowd.gives_up(str(number))
    assert crowd.gate.waiting == 0


async def test_giving_up_leaves_no_trace() -> None:
    """Whoever is cancelled while waiting makes room for the next, and spends nothing."""
    crowd = Crowd(concurrency=1)
    await crowd.comes("inside", USER, stays=True)
    await crowd.comes("waits", USER)
    await crowd.comes("next", VISIBLE)
    await crowd.gives_up("waits")
    assert crowd.gate.waiting == 1
    await crowd.goes("inside")
    assert crowd.entered == ["inside", "next"]
    assert crowd.budget.state().used == 2


async def test_being_cancelled_inside_frees_the_place() -> None:
    """A request that is given up does not hold its connection."""
    crowd = Crowd(concurrency=1)
    await crowd.comes("inside", USER, stays=True)
    await crowd.comes("next", USER)
    await crowd.gives_up("inside")
    assert crowd.entered == ["inside", "next"]


async def test_a_turn_that_comes_while_giving_up_goes_to_the_next() -> None:
    """The moment between being let in and noticing it."""
    crowd = Crowd(concurrency=1)
    await crowd.comes("inside", USER, stays=True)
    await crowd.comes("unlucky", USER)
    await crowd.comes("next", USER)
    crowd._leave["inside"].set()
    await asyncio.sleep(0)  # `inside` leaves: the turn of `unlucky` is set, not yet noticed
    crowd.tasks["unlucky"].cancel()
    await crowd.clock.settle()
    assert "next" in crowd.entered


async def test_waiting_for_the_quota_does_not_spin() -> None:
    """A wait is one sleep, not many."""
    crowd = Crowd(limit=1)
    await crowd.comes("a", USER)
    await crowd.comes("b", USER)
    naps = 0
    sleep = crowd.clock.sleep

    async def counted(seconds: float) -> None:
        nonlocal naps
        naps += 1
        await sleep(seconds)

    crowd.clock.sleep = counted  # type: ignore[method-assign]  # counts, then sleeps
    await crowd.clock.advance(59)
    assert naps == 0
    await crowd.clock.advance(2)
    assert crowd.entered == ["a", "b"]
    assert naps <= 1


@pytest.mark.parametrize("seed", range(20))
async def test_any_crowd_gets_through_within_the_quota(seed: int) -> None:
    """Comings, leavings and cancellations in any order: never too many, and nobody is lost."""
    dice = random.Random(seed)
    crowd = Crowd(limit=20, concurrency=3)
    for number in range(60):
        await crowd.comes(str(number), dice.choice([USER, VISIBLE, BACKGROUND]), stays=True)
        if dice.random() < 0.3:
            await crowd.gives_up(str(dice.randrange(number + 1)))
        if dice.random() < 0.7:
            await crowd.goes(str(dice.randrange(number + 1)))
        await crowd.clock.advance(dice.random() * 3)
        assert crowd.budget.state().used <= 20
    for number in range(60):
        await crowd.goes(str(number))
    await crowd.clock.advance(600)
    assert all(task.done() for task in crowd.tasks.values())
    assert crowd.gate.waiting == 0
