"""A day on the triage board in some minutes: `python -m tests.bench day`.

The emulator and the dashboard run through their time so many times faster. Every simulated hour
the board is left for the other views, and opened again. Told of each hour, with the board at rest:
the memory, the tasks, threads and open files of the dashboard, and its requests. Memory may grow by
5 % after the first hours, the others not at all, and nothing may be left when the dashboard has
ended.
"""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.figures import Figure, Table
from tests.bench.program import emulator
from tests.bench.triage_cost import a_home
from tests.support.clock import FastClock
from tests.support.dashboard import Elsewhere, dashboard, driving

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
"""Hours after which caches are as full as they get: what comes later is compared with them."""
_VIEWS: Final = ("2", "3", "4", "5", "1")
_MINUTE: Final = 60.0
_IN_FLIGHT: Final = 20
"""Tasks by which requests under way differ: the clock is so fast that some always are."""
_LIMIT: Final = 600
_NO_LIMIT: Final = 1_000_000
"""Requests a minute that the emulator allows: its minutes are those of the machine."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds at one moment."""

    megabytes: float
    tasks: int
    threads: int
    files: int

    @classmethod
    def now(cls) -> Held:
        """Count what this process holds."""
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return cls(
            pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
            len(asyncio.all_tasks()),
            threading.active_count(),
            sum(1 for one in Path("/proc/self/fd").iterdir() if not _is_socket(one)),
        )


def _is_socket(descriptor: Path) -> bool:
    """Return whether this is a connection: some are kept open for the next requests."""
    try:
        return str(descriptor.readlink()).startswith("socket:")
    except FileNotFoundError:  # what lists them
        return True


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
    app = dashboard(platform, start=Route("triage"), clock=clock)
    minutes, held, notes = Minutes(clock), list[Held](), list[str]()
    before = Held.now()
    async with driving(app, size=(120, 40)) as driver:
        app.service.journal.newest.observe(lambda _: minutes.count(app.service.journal.recent()[0]))
        await app.service.triage_state.watch(range(101, 101 + _PROJECTS))
        for hour in range(1, hours + 1):
            await _visit(driver)
            await clock.sleep(hour * 3600 - clock.monotonic())
            held.append(await _at_rest(driver))
            notes.append(_told(f"hour {hour:2}", held[-1]) + f"  {minutes.total:6,} requests")
            minutes.total = 0
    left = await _after(before)
    notes += [_told("at the end", left), _told("before the start", before)]
    title = f"{hours} hours of {_PROJECTS} watched projects, {_SPEED} times as fast"
    settled = held[min(_SETTLED, hours // 2) - 1]
    growth = 100 * (held[-1].megabytes / settled.megabytes - 1)
    aim = _GROWTH if hours > _SETTLED else None
    memory = Figure("memory, more", "%", aim, [growth], chance=_GROWTH)
    found = [memory, *_figures(settled, held[-1], before, left)]
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


async def _at_rest(driver: Driver) -> Held:
    """Return the least that is held in a second: between two polls, that is."""
    seen = []
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        await driver.pilot.pause(0.05)
        seen.append(Held.now())
    return Held(*(min(values) for values in zip(*map(_numbers, seen), strict=True)))


def _numbers(held: Held) -> tuple[float, int, int, int]:
    return held.megabytes, held.tasks, held.threads, held.files


async def _after(before: Held) -> Held:
    """Return what is left of an ended dashboard, once tasks have had the time to end."""
    await asyncio.get_running_loop().shutdown_default_executor()
    for _ in range(100):
        if (left := Held.now()).tasks <= before.tasks:
            break
        await asyncio.sleep(0.05)
    return left


def _figures(settled: Held, last: Held, before: Held, left: Held) -> Iterator[Figure]:
    """Yield by how much each count has grown, and what the end has left."""
    names = {"tasks": _IN_FLIGHT, "threads": 0, "files": 0}
    counts = [_numbers(held)[1:] for held in (settled, last, before, left)]
    for (name, most), *numbers in zip(names.items(), *counts, strict=True):
        once, now, first, end = numbers
        yield Figure(f"{name}, more", "", most, [now - once], chance=most)
        yield Figure(f"{name} left at the end", "", 0, [max(0, end - first)])


def _told(when: str, held: Held) -> str:
    return (
        f"{when:<17} {held.megabytes:7.1f} MB  {held.tasks:3} tasks  {held.threads:2} threads  "
        f"{held.files:3} files"
    )


def tables(options: Options) -> Iterator[Table]:
    """Run through a day."""
    with emulator("--speed", str(_SPEED), "--rate-limit", str(_NO_LIMIT)) as platform:
        there = Elsewhere(platform["base_url"], platform["token"])
        with a_home():
            yield asyncio.run(day(there, FastClock(_SPEED), options.size(24, 4)))
