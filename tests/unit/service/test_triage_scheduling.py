"""Whose list the triage board asks for next, told from the moments at which it does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import START, FakeClock

from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState, Urgency
from platui.models.values.stored_triage import PastIncident
from platui.models.values.triage import Incident, Lane, PipelineRun
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.triage.project import WatchedProject
from platui.service.triage.scheduling import (
    A_SECOND,
    AT_FIRST,
    AT_ONCE,
    UNSEEN,
    ListScheduler,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

IDLE = 30.0
MINUTE = 60.0


class Nothing:
    """A list of pipelines that is asked for, and of which nothing is to be told."""

    value = None
    fetched_at: datetime | None = None

    async def recall(self) -> None:
        """Have nothing."""

    async def renew(self, urgency: Urgency) -> None:
        """Be asked."""


class Desk:
    """Projects, and whoever asks for their lists when it is their turn."""

    def __init__(self, count: int, broken: Sequence[int] = ()) -> None:
        self.clock = FakeClock()
        line = Observable(Connection(ConnectionState.ONLINE))
        self.budget = Observable(BudgetState(0, 600))
        self.around = PollConditions(self.clock, line, self.budget)
        self.scheduler = ListScheduler(self.around, IDLE)
        self.scheduler.is_seen = True
        self.scheduler.count = count
        nothing: Any = Nothing()
        self.projects = [
            WatchedProject(one, nothing, self.around, [_open(one)] if one in broken else [])
            for one in range(count)
        ]
        self.asked: list[tuple[float, int]] = []
        """When which one was asked."""

    async def ask(self) -> float | None:
        """Ask whose turn it is; return when to ask again."""
        due, soonest = self.scheduler.due(self.projects, 0)
        for project in due:
            await project.renew("", Urgency.VISIBLE)
            self.asked.append((self.clock.monotonic(), project.id))
        return 0.0 if due else soonest

    async def work(self, seconds: float) -> list[tuple[float, int]]:
        """Ask for so long; return what was asked when."""
        until, before = self.clock.monotonic() + seconds, len(self.asked)
        while (now := self.clock.monotonic()) < until:
            soonest = await self.ask()
            self.clock.jump(min(until - now, soonest if soonest is not None else seconds))
        return self.asked[before:]


def _open(project: int) -> PastIncident:
    red = PipelineRun(1, "failed")
    return PastIncident(Incident(Lane(project, "main"), red, red, 1), START)


@pytest.mark.parametrize("count", [1, 2, 14, 30, 120])
async def test_after_the_first_time_each_is_asked_once_a_round(count: int) -> None:
    """Whatever came all at once: soon each has its part of the round, and none waits longer."""
    desk = Desk(count)
    first = await desk.work(0.001 * count)
    assert sorted(one for _, one in first) == list(range(count))
    await desk.work(2 * desk.scheduler.interval)
    steady = await desk.work(9 * desk.scheduler.interval)
    turn = AT_ONCE * desk.scheduler.interval / count
    for project in range(count):
        moments = [at for at, one in steady if one == project]
        assert len(moments) >= 8
        rests = [later - at for at, later in pairwise(moments)]
        assert rests == pytest.approx([desk.scheduler.interval] * len(rests), abs=turn)
    assert len(steady) == pytest.approx(9 * count, abs=AT_ONCE)
    assert count / desk.scheduler.interval <= A_SECOND + 0.01


@pytest.mark.parametrize("count", [1, 2, 3, 5, 14, 30, 120])
async def test_lists_come_in_turns(count: int) -> None:
    """Several lists wake the processor once; but they are no burst."""
    desk = Desk(count)
    await desk.work(3 * desk.scheduler.interval)
    steady = await desk.work(6 * desk.scheduler.interval)
    turns = Counter(at for at, _ in steady)
    gap = desk.scheduler.interval / count
    assert max(turns.values()) <= AT_ONCE
    assert len(turns) <= 6 * -(-count // AT_ONCE) + 1
    assert [later - at for at, later in pairwise(turns)] == pytest.approx(
        [turns[at] * gap for at in list(turns)[:-1]], abs=0.001
    )


async def test_nobody_is_older_than_two_rounds_even_at_the_beginning() -> None:
    """And a minute has no more requests than a round's share, and the first time."""
    desk = Desk(100)
    asked = await desk.work(MINUTE)
    assert len(asked) <= 250
    for one in range(100):
        moments = [at for at, number in asked if number == one]
        assert max(at - before for before, at in pairwise(moments)) < 2 * IDLE


async def test_what_was_broken_is_asked_for_first() -> None:
    """Its cause is what somebody wants to know."""
    desk = Desk(20, broken=[7, 19])
    await desk.ask()
    assert [one for _, one in desk.asked[:2]] == [7, 19]
    assert len(desk.asked) == AT_FIRST


async def test_a_refresh_asks_for_all_and_begins_with_the_oldest() -> None:
    """Those that are new as well; and nobody is asked twice for it."""
    desk = Desk(5)
    await desk.work(IDLE)
    ages = sorted(desk.projects, key=lambda project: project.asked_at)
    for project in desk.projects:
        project.asked = True
    before = len(desk.asked)
    await desk.ask()
    await desk.ask()
    assert [one for _, one in desk.asked[before:]] == [project.id for project in ages]


async def test_the_round_stretches_while_the_quota_is_short_and_ends_where_it_is_spent() -> None:
    """From half of it on, and the gaps with it."""
    desk = Desk(14)
    await desk.work(2 * MINUTE)
    shared = len(await desk.work(5 * MINUTE))
    desk.budget.set(BudgetState(420, 600))
    assert desk.scheduler.interval > 2 * IDLE
    short = len(await desk.work(5 * MINUTE))
    assert 0 < short <= shared / 2
    desk.budget.set(BudgetState(560, 600))
    assert await desk.work(5 * MINUTE) == []
    desk.budget.set(BudgetState(0, 600))
    assert len(await desk.work(5 * MINUTE)) == pytest.approx(shared, abs=AT_ONCE)


async def test_after_a_429_nothing_is_asked_until_it_is_over() -> None:
    """Not at the first time either."""
    desk = Desk(14)
    over = desk.clock.monotonic() + 25.0
    desk.budget.set(BudgetState(600, 600, from_server=True, paused_until=over))
    assert await desk.work(20.0) == []
    desk.budget.set(replace(desk.budget.value, used=0))
    assert min(at for at, _ in await desk.work(20.0)) >= over


async def test_a_board_that_nobody_sees_is_asked_for_less() -> None:
    """And one whose terminal has nobody's eyes still less, but not for both reasons."""
    desk = Desk(14)
    desk.scheduler.is_seen = False
    assert desk.scheduler.interval == IDLE * UNSEEN
    desk.around.focus(False)
    unseen = desk.scheduler.interval
    desk.scheduler.is_seen = True
    assert desk.scheduler.interval == unseen > IDLE * UNSEEN
