"""A day on the triage board in some minutes: `python -m tests.bench day`.

The emulator and the dashboard run through their time so many times faster. Every simulated hour
the board is left for the other views, and opened again. Told of each hour, with the board at rest:
the memory, the tasks, threads, open files and timers of the dashboard, and its requests. Memory may
grow by 5 % after the first hour, in which each view has been opened once; the others are compared
with hour 12, when all threads of the pool have been needed, and may not grow. Nothing may be left
when the dashboard has ended. The whole takes some five minutes.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from dataclasses import astuple, dataclass, field
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.bench.figures import Figure, Table
from tests.bench.program import emulator
from tests.bench.triage_cost import a_home
from tests.support.clock import FastClock
from tests.support.dashboard import Elsewhere, dashboard, driving
from tests.support.held import Held

from platui.config.settings import CacheSettings
from platui.models.values.routes import Route

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.figures import Options
    from tests.support.dashboard import Driver

    from platui.models.values.connection import RequestRecord

_GROWTH: Final = 5.0
_PROJECTS: Final = 5
_SPEED: Final = 360
_SETTLED: Final = 12
"""Hours after which all threads of the pool have been needed: later counts do not grow."""
_VIEWS: Final = ("2", "3", "4", "5", "1")
_MINUTE: Final = 60.0
_IN_FLIGHT: Final = 20
"""Tasks by which requests under way differ: the clock is so fast that some always are."""
_LIMIT: Final = 600
_NO_LIMIT: Final = 1_000_000
"""Requests a minute that the emulator allows: its minutes are those of the machine."""


class Rest(NamedTuple):
    """What is held at one moment, with the memory."""

    megabytes: float
    held: Held

    @classmethod
    def now(cls) -> Rest:
        """Count what this process holds."""
        held = Held.now()  # without garbage
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return cls(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, held)

    def least(self, other: Rest) -> Rest:
        """Return the lesser one of each count."""
        pairs = zip(astuple(self.held), astuple(other.held), strict=True)
        return Rest(min(self.megabytes, other.megabytes), Held(*map(min, pairs)))


@dataclass
class Minutes:
    """The most requests of any 60 seconds of the simulated time."""

    clock: FastClock
    total: int = 0
    most: int = 0
    _sent: deque[float] = field(default_factory=deque)

    def count(self, _record: RequestRecord) -> None:
        """Count a request."""
        now = self.clock.monotonic()
        self._sent.append(now)
        while self._sent[0] <= now - _MINUTE:
            self._sent.popleft()
        self.total += 1
        self.most = max(self.most, len(self._sent))


async def day(platform: Elsewhere, clock: FastClock, hours: int) -> Table:
    """Run the dashboard for some simulated hours; returns what it holds more at their end."""
    # On disk, as users have them: else memory would hold up to 32 MB of responses.
    app = dashboard(
        platform, start=Route("triage"), clock=clock, remembers=True, cache=CacheSettings()
    )
    minutes, rests, notes = Minutes(clock), list[Rest](), list[str]()
    before = Rest.now()
    async with driving(app, size=(120, 40)) as driver:
        app.service.journal.newest.observe(lambda _: minutes.count(app.service.journal.recent()[0]))
        await app.service.triage_state.watch(range(101, 101 + _PROJECTS))
        for hour in range(1, hours + 1):
            await _visit(driver)
            await clock.sleep(hour * 3600 - clock.monotonic())
            rests.append(await _at_rest(driver))
            notes.append(_told(f"hour {hour:2}", rests[-1]) + f"  {minutes.total:6,} requests")
            minutes.total = 0
    left = await _after(before)
    notes += [_told("at the end", left), _told("before the start", before)]
    title = f"{hours} hours of {_PROJECTS} watched projects, {_SPEED} times as fast"
    settled, last = rests[min(_SETTLED, hours // 2) - 1], rests[-1]
    found = [
        _growth("memory, more than hour 1", rests[0], last, _GROWTH),
        _growth("memory, more than halfway", settled, last, None),
        *_figures(settled.held, last.held, before.held, left.held),
    ]
    found.append(Figure("most in a minute", "requests", _LIMIT, [minutes.most]))
    return Table(title, found, notes=notes)


async def _visit(driver: Driver) -> None:
    """Open every view, and the details of a row; end at the board."""
    for key in _VIEWS:
        await driver.press(key)
        await driver.pilot.pause(0.1)
        await driver.press("j", "d")
        await driver.pilot.pause(0.1)
        await driver.press("escape")
    await driver.until_route("triage")


async def _at_rest(driver: Driver) -> Rest:
    """Return the least that is held in a second: between two polls, that is."""
    seen = [Rest.now()]
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        await driver.pilot.pause(0.05)
        seen.append(Rest.now())
    return reduce(Rest.least, seen)


def _growth(name: str, before: Rest, after: Rest, aim: float | None) -> Figure:
    growth = 100 * (after.megabytes / before.megabytes - 1)
    return Figure(name, "%", aim, [growth], chance=_GROWTH)


async def _after(before: Rest) -> Rest:
    """Return what is left of an ended dashboard, once all has had the time to end."""
    await asyncio.get_running_loop().shutdown_default_executor()
    for _ in range(100):
        pairs = zip(astuple((left := Rest.now()).held), astuple(before.held), strict=True)
        if all(now <= first for now, first in pairs):
            break
        await asyncio.sleep(0.05)
    return left


def _figures(settled: Held, last: Held, before: Held, left: Held) -> Iterator[Figure]:
    """Yield by how much each count has grown, and what the end has left."""
    names = {"tasks": _IN_FLIGHT, "threads": 0, "files": 0, "timers": _IN_FLIGHT}
    counts = map(astuple, (settled, last, before, left))
    for (name, most), *numbers in zip(names.items(), *counts, strict=True):
        once, now, first, end = numbers
        yield Figure(f"{name}, more", "", most, [now - once], chance=most)
        yield Figure(f"{name} left at the end", "", 0, [max(0, end - first)])


def _told(when: str, rest: Rest) -> str:
    held = rest.held
    return (
        f"{when:<17} {rest.megabytes:7.1f} MB  {held.tasks:3} tasks  {held.threads:2} threads  "
        f"{held.files:3} files  {held.timers:3} timers"
    )


def tables(options: Options) -> Iterator[Table]:
    """Run through a day."""
    with emulator("--speed", str(_SPEED), "--rate-limit", str(_NO_LIMIT)) as platform:
        there = Elsewhere(platform["base_url"], platform["token"])
        with a_home():
            yield asyncio.run(day(there, FastClock(_SPEED), options.size(24, 4)))
