"""A day on the triage board in some minutes: `python -m tests.bench.day`.

The emulator and the dashboard run through their time so many times faster. Every simulated hour
the board is left for the other views, and opened again. Told of each hour, with the board at rest:
the memory, the tasks, threads and open files of the dashboard, and its requests. Memory may grow by
5 % after the first hours, the others not at all, and nothing may be left when the dashboard has
ended.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.program import emulator
from tests.support.clock import FastClock
from tests.support.dashboard import Elsewhere, dashboard, driving

from platui.models.values.routes import Route

if TYPE_CHECKING:
    from tests.support.dashboard import Driver

    from platui.models.values.connection import RequestRecord

_GROWTH: Final = 0.05
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

    def __str__(self) -> str:
        return (
            f"{self.megabytes:7.1f} MB  {self.tasks:3} tasks  {self.threads:2} threads  "
            f"{self.files:3} files"
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


async def day(platform: Elsewhere, clock: FastClock, options: argparse.Namespace) -> bool:
    """Run the dashboard for some simulated hours; returns whether it holds what it held."""
    app = dashboard(platform, start=Route("triage"), clock=clock)
    minutes, held = Minutes(clock), list[Held]()
    before = Held.now()
    async with driving(app, size=(120, 40)) as driver:
        app.service.journal.newest.observe(lambda _: minutes.count(app.service.journal.recent()[0]))
        await app.service.triage_state.watch(range(101, 101 + options.projects))
        for hour in range(1, options.hours + 1):
            await _visit(driver)
            await clock.sleep(hour * 3600 - clock.monotonic())
            held.append(await _at_rest(driver))
            print(f"  hour {hour:2}  {held[-1]}  {minutes.total:6,} requests", flush=True)
            minutes.total = 0
    left = await _after(before)
    print(f"  at the end {left}, before the start {before}")
    return _verdict(held[min(_SETTLED, len(held)) - 1], held[-1], before, left, minutes)


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


def _verdict(settled: Held, last: Held, before: Held, left: Held, minutes: Minutes) -> bool:
    growth = last.megabytes / settled.megabytes - 1
    kept = _numbers(left)[1:] <= _numbers(before)[1:]
    good = {
        f"memory since hour {_SETTLED}: {growth:+.1%}, aim {_GROWTH:.0%}": growth <= _GROWTH,
        f"tasks since then: {last.tasks - settled.tasks:+}, aim: at most those of requests": (
            last.tasks - settled.tasks <= _IN_FLIGHT
        ),
        f"threads since then: {last.threads - settled.threads:+}, aim 0": (
            last.threads <= settled.threads
        ),
        f"files since then: {last.files - settled.files:+}, aim 0": last.files <= settled.files,
        "tasks, threads and files left at the end, aim none": kept,
        f"most requests of a minute: {minutes.most}, limit {_LIMIT}": minutes.most <= _LIMIT,
    }
    for line, is_met in good.items():
        print(f"  {line}: {'met' if is_met else 'MISSED'}")
    return all(good.values())


def main() -> None:
    """Run through a day, and print what is held."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--hours", type=int, default=24, help="simulated hours")
    parser.add_argument("--speed", type=float, default=360, help="simulated seconds in one")
    parser.add_argument("--projects", type=int, default=5, help="watched projects")
    options = parser.parse_args()
    print(
        f"{options.hours} hours of {options.projects} watched projects, {options.speed:.0f} times"
    )
    with emulator("--speed", str(options.speed), "--rate-limit", str(_NO_LIMIT)) as platform:
        clock = FastClock(options.speed)
        asyncio.run(day(Elsewhere(platform["base_url"], platform["token"]), clock, options))


if __name__ == "__main__":
    main()
