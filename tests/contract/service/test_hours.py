"""Hours of a service, minute by minute: what is opened in them ends, and nothing is left behind."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from tests.support.at_rest import Watch
from tests.support.clock import FakeClock
from tests.support.held import Held
from tests.support.platform import running_platform
from tests.support.service import PATIENCE, service_of, started, viewing, viewing_any

from platui.config.settings import Settings
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.service import resources

if TYPE_CHECKING:
    import pytest

    from platui.service import PlatformService

_WATCHED = range(101, 104)
_HOURS = 3
_SETTLED = 2
"""Hours after which all threads of the pool have been used."""
_VISIT_EVERY = 10
"""Minutes from one visit of a pipeline to the next."""
_CHANCE = 3
"""By how many a board at rest may hold more: half of what an hour's visits would leave behind."""
_CALM = 5
"""Turns of the loop in which nothing is under way: then nothing more follows."""


async def test_hours_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither tasks, threads, files, timers, listeners nor decoded responses grow with the hours.

    A pipeline, its jobs and a log are visited meanwhile, each time those of another pipeline.
    """
    Watch().begin(monkeypatch)
    clock, found, asked = FakeClock(), list[Counter[str]](), list[int]()
    with running_platform(clock=clock) as platform:
        before = Held.now()
        async with started(service_of(platform, Settings(), clock=clock)) as service:
            cache = (await service._started()).context.reader.cache
            cache._recent._max_size = 0  # only what is held stays decoded
            await service.triage_state.watch(_WATCHED)
            async with viewing_any(service.watch(resources.triage.board(service.triage_state))):
                for visit in range(_HOURS * 60 // _VISIT_EVERY):
                    await _pass(clock, _VISIT_EVERY)
                    await _visit(service, visit)
                    if (visit + 1) * _VISIT_EVERY % 60 == 0:
                        found.append(await _counted(service, clock))
                        asked.append(service.journal.newest.value)
            await _rest()
        left = Held.now()
    told = "\n".join(map(str, found))
    grown = found[-1] - found[_SETTLED - 1]
    assert max(grown.values(), default=0) <= _CHANCE, told
    assert asked[-1] > asked[-2] > 0, told  # time has not stood still
    for name in ("tasks", "files", "timers"):
        assert getattr(left, name) <= getattr(before, name), name


async def _pass(clock: FakeClock, minutes: int) -> None:
    """Let minutes go by, and what they begin come to its end."""
    for _ in range(minutes):
        await clock.advance(60)
        await _rest()


async def _rest() -> None:
    """Wait until no answer of the network or of a thread is still to come."""
    calm = 0
    async with asyncio.timeout(PATIENCE):
        while calm < _CALM:
            await asyncio.sleep(0)
            busy = Watch.is_busy(asyncio.get_running_loop())
            calm = 0 if busy else calm + 1
            if busy:
                await asyncio.sleep(0.001)


async def _visit(service: PlatformService, visit: int) -> None:
    """Look at the pipelines of a project, at the jobs of one of them, and at a log."""
    project = _WATCHED[visit % len(_WATCHED)]
    pipelines = resources.pipelines.pipelines(PipelinesQuery(project))
    async with viewing(service.watch(pipelines)) as viewer:
        listed = (await viewer.until(lambda seen: seen.value is not None)).value
    assert listed is not None
    pipeline = listed.items[1 + visit // len(_WATCHED)].id
    jobs = resources.jobs.jobs(JobsQuery(project, pipeline, with_retried=True))
    async with viewing(service.watch(jobs)) as viewer:
        of_it = (await viewer.until(lambda seen: seen.value is not None)).value
    assert of_it is not None
    for job in of_it.items[:1]:
        async with viewing_any(service.watch(resources.logs.job_log(project, job.id))) as log:
            await log.until(lambda _: True)


async def _counted(service: PlatformService, clock: FakeClock) -> Counter[str]:
    """Count what is held while nothing is under way."""
    context = (await service._started()).context
    async with asyncio.timeout(PATIENCE):
        while context.reader._sending:  # some wait for their time, too
            await clock.advance(1)
            await _rest()
    held = Held.now()
    counts = {
        **asdict(held),
        "listeners": len(context.conditions._listeners._all),
        "decoded": context.reader.cache.decoded,
    }
    return Counter(counts)
