"""What the triage board costs, and how soon the first cause is there: requests and seconds.

A service of its own, as the dashboard has it, on an emulator of its own, over HTTP. Seconds are
those of a clock on the wall; steps of the loop are those of the processor, so that a machine
which does something else meanwhile does not count.
"""

from __future__ import annotations

import asyncio
import gc
import os
import time
from bisect import bisect_left
from collections import Counter
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import httpx
from tests.bench.figures import Comparison, Figure, Table
from tests.bench.program import emulator
from tests.support.clock import FastClock

from platui.config.credentials import Credentials
from platui.config.profile import Profile
from platui.config.settings import Settings
from platui.core.secrets import Secret
from platui.models.values.feeds import Source
from platui.models.values.queries import PipelinesQuery, ProjectsQuery
from platui.service import PlatformService, resources
from platui.service.feeds.poll_interval import MAX_SHARE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from tests.bench.figures import Options

    from platui.core.clock import Clock
    from platui.models.values.connection import RequestRecord
    from platui.models.values.triage_board import Board

_AIM: Final = 1.5
"""Seconds from the first board to the first cause, with nothing in the cache."""
_LATENCY: Final = 0.3
_WATCHED: Final = 14
_MANY: Final = 100
_PAGES: Final = 8
_MOST_A_MINUTE: Final = 250
_NIGHT_AIM: Final = 10.0
"""Seconds in which all causes of a hundred incidents are to be there, on a quiet quota."""
_MINUTE: Final = 60.0
_FASTER: Final = 6.0
"""How much faster the clock runs where minutes are counted."""
_LONG_STEP: Final = 0.016
_PATIENCE: Final = 120.0


class Told(NamedTuple):
    """A board, when it came (seconds since it was asked for), and what it had cost by then."""

    at: float
    requests: int
    board: Board


@dataclass
class Look:
    """All that one look at the board yielded."""

    told: list[Told] = field(default_factory=list)
    in_a_row: int = 0
    """Answers, one after the other, that led to the first cause."""

    @property
    def first(self) -> Told:
        """Return the first board."""
        return self.told[0]

    @property
    def cause(self) -> Told | None:
        """Return the first board that has a cause."""
        return next((one for one in self.told if _causes(one.board)), None)

    @property
    def end(self) -> Told:
        """Return the last board."""
        return self.told[-1]

    def since_first(self, told: Told | None) -> float:
        """Return the seconds from the first board to another one."""
        return float("inf") if told is None else told.at - self.first.at


def _causes(board: Board) -> int:
    return sum(item.signature is not None for item in board.items)


class Platform:
    """An emulator, and how to be a user of it."""

    def __init__(self, announced: Mapping[str, str]) -> None:
        self._announced = announced

    @contextmanager
    def latency(self, seconds: float) -> Iterator[None]:
        """Have each answer come later for the length of a block."""
        desk = f"{self._announced['base_url']}/-/emulator/faults"
        with httpx.Client(trust_env=False, timeout=10) as client:
            client.post(desk, json={"kind": "latency", "seconds": seconds}).raise_for_status()
            try:
                yield
            finally:
                client.delete(desk)

    def floor(self, project: int) -> float:
        """Return the seconds of what leads to one cause, by a client that does nothing else.

        A list, its pipeline's jobs and a log, one after the other, on a line that is open.
        """
        with httpx.Client(
            base_url=f"{self._announced['faults_url']}/api/v4/projects/{project}/",
            headers={"PRIVATE-TOKEN": self._announced["token"]},
            trust_env=False,
            timeout=30,
        ) as client:
            client.head("pipelines")
            began = time.monotonic()
            runs = client.get("pipelines", params={"per_page": 100}).json()
            # Of one whose file cannot be read there are no jobs.
            red = next(one["id"] for one in runs if one["status"] == "success")
            jobs = f"pipelines/{red}/jobs"
            [job, *_] = client.get(jobs, params={"include_retried": True, "per_page": 100}).json()
            client.get(f"jobs/{job['id']}/trace").raise_for_status()
            return time.monotonic() - began

    def members(self) -> list[int]:
        """Return the projects one is a member of, those with the newest activity first."""
        with httpx.Client(trust_env=False, timeout=30) as client:
            answer = client.get(
                f"{self._announced['base_url']}/api/v4/projects",
                params={"membership": True, "per_page": 100, "order_by": "last_activity_at"},
                headers={"PRIVATE-TOKEN": self._announced["token"]},
            )
        return [int(one["id"]) for one in answer.json()]

    @asynccontextmanager
    async def service(self, clock: Clock | None = None) -> AsyncIterator[PlatformService]:
        """Run a service, with the caches that are there."""
        service = PlatformService(
            Profile("bench", self._announced["faults_url"], timeout=20.0),
            Settings(),
            clock,
            credentials=Credentials(token=Secret(self._announced["token"])),
        )
        await service.start()
        try:
            yield service
        finally:
            await service.close()


@contextmanager
def a_home() -> Iterator[None]:
    """Have nothing kept from before, for the length of a block."""
    names = [f"XDG_{name}_HOME" for name in ("CONFIG", "STATE", "CACHE", "DATA")]
    before = {name: os.environ.get(name) for name in names}
    with TemporaryDirectory() as home:
        os.environ.update({name: f"{home}/{name.lower()}" for name in names})
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


@contextmanager
def steps() -> Iterator[list[float]]:
    """Collect what each step of the loop takes of the processor, in seconds.

    Without the collector of garbage: the dashboard has it work while nobody waits.
    """
    found: list[float] = []
    plain: Any = asyncio.Handle._run  # nothing else tells of all steps

    def timed(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        plain(handle)
        if gc.isenabled():
            return  # the step that ended this, in which all the garbage was collected
        found.append(time.thread_time() - began)

    gc.disable()
    asyncio.Handle._run = timed  # type: ignore[method-assign,assignment]
    try:
        yield found
    finally:
        gc.enable()
        asyncio.Handle._run = plain  # type: ignore[method-assign]


async def look(platform: Platform, watched: Sequence[int] = ()) -> Look:
    """Look at the board until all of it is there."""
    found = Look()
    async with platform.service() as service:
        if watched:
            await service.triage_state.watch(watched)
        began, before = time.monotonic(), service.journal.newest.value
        async with asyncio.timeout(_PATIENCE):
            async for board in service.watch(resources.triage.board(service.triage_state)):
                spent = service.journal.newest.value - before
                found.told.append(Told(time.monotonic() - began, spent, board))
                if board.is_live and not board.pending_causes:
                    found.in_a_row = _in_a_row(service.journal.recent())
                    return found
    return found


async def warm(platform: Platform) -> Look:
    """Look at the first boards that the caches have."""
    found = Look()
    async with platform.service() as service:
        began = time.monotonic()
        async with asyncio.timeout(_PATIENCE):
            async for board in service.watch(resources.triage.board(service.triage_state)):
                found.told.append(
                    Told(time.monotonic() - began, service.journal.newest.value, board)
                )
                if not board.pending_causes:
                    return found
    return found


def cold_and_warm(platform: Platform, turns: int) -> Iterator[Table]:
    """Return how soon causes are there."""
    members = platform.members()
    every = len(members) // _WATCHED
    looks, again, floors = [], [], []
    with a_home():
        asyncio.run(look(platform, members))  # the emulator makes a project when it is asked for
    with platform.latency(_LATENCY):
        for turn in range(turns):
            watched = [members[(turn + every * one) % len(members)] for one in range(_WATCHED)]
            floors.append(platform.floor(watched[0]))
            with a_home():
                looks.append(asyncio.run(look(platform, watched)))
                again.append(asyncio.run(warm(platform)))
    causes = [one.since_first(one.cause) for one in looks]
    cause = Comparison("first cause | 3 requests", "s")
    for ours, floor in zip(causes, floors, strict=True):
        cause.add(ours, floor)
    yield Table(
        f"Board, cold start, {_WATCHED} projects, {_LATENCY * 1000:.0f} ms latency",
        [
            Figure("first board", "s", None, [one.first.at for one in looks]),
            cause,
            Figure("first cause, at most", "s", _AIM, [max(causes)]),
            Figure(
                "until the first cause",
                "requests",
                None,
                [one.cause.requests for one in looks if one.cause],
            ),
            Figure("all causes", "s", None, [one.since_first(one.end) for one in looks]),
            Figure("until all causes", "requests", None, [one.end.requests for one in looks]),
            Figure("broken", "", None, [one.end.board.counts.broken for one in looks]),
            Figure("answers one after another", "", None, [one.in_a_row for one in looks]),
        ],
    )
    known = [_causes(one.first.board) / (_causes(one.end.board) or 1) for one in again]
    yield Table(
        "Board, warm start",
        [
            Figure("first board", "s", None, [one.first.at for one in again]),
            Figure("causes known at once", "", 1, known, at_least=True),
        ],
    )


def _in_a_row(sent: Iterable[RequestRecord]) -> int:
    """Return how many answers had to be there, one after the other, before the first log was."""
    depths: list[tuple[datetime, int]] = []
    for one in sorted(sent, key=lambda one: one.at):
        depth = 1 + max((known for ended, known in depths if ended <= one.at), default=0)
        if "/trace" in one.path:
            return depth
        depths.append((one.at + timedelta(milliseconds=one.milliseconds), depth))
    return 0


async def minutes(platform: Platform, count: int) -> Table:
    """Return what a number of projects costs in the first minute and in a steady one."""
    clock = FastClock(_FASTER)
    async with platform.service(clock) as service:
        members = await _members(service, count)
        await service.triage_state.watch(members)
        number, began = service.journal.newest.value, clock.monotonic()
        first, done_at, board = 0, 0.0, None
        with steps() as taken:
            async for board in service.watch(resources.triage.board(service.triage_state)):
                now = clock.monotonic()
                if now - began < _MINUTE:
                    first = service.journal.newest.value - number
                elif not done_at and board.is_live and not board.pending_causes:
                    done_at, steady_from = now, service.journal.newest.value
                elif done_at and now - done_at >= _MINUTE:
                    break
        steady = service.journal.newest.value - steady_from
        most = _most_in_a_minute(one.at for one in service.journal.recent())
        paths = Counter(one.path for one in service.journal.recent() if "/jobs" in one.path)
    assert board is not None
    return Table(
        f"Board, {count} projects, on a clock that is {_FASTER:.0f} times faster",
        [
            Figure("the first minute", "requests", None, [first]),
            Figure("a steady minute", "requests", _MOST_A_MINUTE, [steady]),
            Figure("any minute of the last", "requests", None, [most]),
            Figure("all causes", "s", None, [done_at - began]),
            Figure("a round", "s", None, [board.interval]),
            Figure("same jobs or log", "requests", None, [max(paths.values(), default=0)]),
            Figure("longest step of the loop", "ms", _LONG_STEP * 1000, [max(taken) * 1000]),
        ],
        notes=[f"{board.counts.broken} broken"],
    )


async def bad_night(platform: Platform) -> Table:
    """Return how soon all causes of a bad night are there, and what of the quota that takes."""
    async with platform.service() as service:
        await service.triage_state.watch(await _members(service, _MANY))
        began, number, most = time.monotonic(), service.journal.newest.value, 0
        async for board in service.watch(resources.triage.board(service.triage_state)):
            most = max(most, service.budget.value.used)
            if board.is_live and not board.pending_causes:
                break
        limit = service.budget.value.limit
        branches = sum("ref=" in one.path for one in service.journal.recent())
    took, broken = time.monotonic() - began, sum(one.incident is not None for one in board.items)
    sent = service.journal.newest.value - number
    return Table(
        "Board, a bad night",
        [
            Figure("all causes", "s", _NIGHT_AIM, [took]),
            Figure("all causes", "requests", None, [sent]),
            Figure("lists of branches", "requests", None, [branches]),
            Figure("most in a minute", "requests", limit * MAX_SHARE, [most]),
        ],
        notes=[f"{broken} incidents in {board.watched} projects"],
    )


def _most_in_a_minute(moments: Iterable[datetime]) -> int:
    """Return the most requests of any minute of the clock, wherever it begins."""
    ats = sorted(moments)
    minute = timedelta(seconds=_MINUTE)
    return max((bisect_left(ats, at + minute) - number for number, at in enumerate(ats)), default=0)


async def _page(service: PlatformService, project: int) -> float:
    """Return the seconds until a screen that somebody opens has what the platform says now."""
    began = time.monotonic()
    async for snapshot in service.watch(
        resources.pipelines.pipelines(PipelinesQuery(project, status="failed"))
    ):
        if snapshot.source is Source.LIVE:
            break
    return time.monotonic() - began


async def beside(platform: Platform, count: int) -> Table:
    """Return how quick another screen is while the board begins, against the same without one."""
    with platform.latency(_LATENCY):
        async with platform.service() as service:
            members = await _members(service, count)
            await service.triage_state.watch(members)
            alone = [await _page(service, project) for project in members[:_PAGES]]
            board = asyncio.ensure_future(anext(aiter(_read_on(service))))
            meanwhile = [await _page(service, project) for project in members[-_PAGES:]]
            board.cancel()
            await asyncio.wait({board})
    page = Comparison("pipelines of a project", "s")
    for ours, reference in zip(meanwhile, alone, strict=True):
        page.add(ours, reference)
    title = f"Another screen while {len(members)} projects are read for the first time"
    return Table(title, [page], "meanwhile", "without a board")


async def _read_on(service: PlatformService) -> AsyncIterator[None]:
    async for board in service.watch(resources.triage.board(service.triage_state)):
        if board.is_live and not board.pending_causes:
            yield


async def _members(service: PlatformService, count: int) -> list[int]:
    """Return so many projects one is a member of."""
    feed = service.watch(resources.projects.projects(ProjectsQuery()))
    feed.load_all()
    async for snapshot in feed:
        if snapshot.error is not None:
            raise snapshot.error
        if snapshot.value is not None:
            ids = [one.id for one in snapshot.value.items]
            if len(ids) >= count or snapshot.value.complete:
                return ids[:count]
    return []


def costs(options: Options) -> Iterator[Table]:
    """Measure all; in a quick run only the starts."""
    with emulator("--rate-limit", "100000") as announced:
        yield from cold_and_warm(Platform(announced), options.turns(8, 2))
    if options.quick:
        return
    with emulator("--scenario", "storm") as announced:
        with a_home():
            asyncio.run(look(Platform(announced), Platform(announced).members()))
        time.sleep(_MINUTE)  # what that took of the quota is forgotten then
        with a_home():
            yield asyncio.run(bad_night(Platform(announced)))
    for scenario, count in (("default", _WATCHED), ("storm", 40), ("big", _MANY)):
        with emulator("--scenario", scenario, "--rate-limit", "100000") as announced, a_home():
            yield asyncio.run(minutes(Platform(announced), count))
            if count == _MANY:
                yield asyncio.run(beside(Platform(announced), count))
