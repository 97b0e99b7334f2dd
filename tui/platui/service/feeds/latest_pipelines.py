"""Fetch the newest pipeline of each requested project or schedule, in the background."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from platui.core.dataclass import dataclass
from platui.core.errors import HIDDEN, PlatuiError
from platui.models.values.connection import ConnectionState, Urgency
from platui.models.values.statuses import ACTIVE
from platui.service.feeds.poll_timer import PollTimer
from platui.service.feeds.task_feed import KeyedTasks
from platui.service.feeds.wake_up import WakeUp
from platui.service.resources.resource import Poll

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint
    from platui.models.wire import Pipeline
    from platui.service.feeds.read_context import ReadContext
    from platui.service.page_cache import Answer

V = TypeVar("V")

SOON: Final = (0.0, 2.0, 6.0)  # seconds after which to check for a started pipeline
AT_ONCE: Final = 3  # concurrent requests: leaves connections to the user's requests
GAP: Final = 0.25  # seconds between two updates
_MOST: Final = 2_000  # ids remembered: many screens; shown again, a cached response is read first


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest pipeline of a project or of a schedule."""

    pipeline: Pipeline | None  # None: there is none, or it is hidden from this token
    fetched_at: datetime
    refused: bool = False  # rejected by the platform: the newest pipeline is unknown


@dataclass
class _Expected:
    """A started pipeline that is not listed yet."""

    before: Latest | None  # known before the start
    times: list[float]  # monotonic seconds of the next checks, at least one

    def is_found(self, latest: Latest) -> bool:
        if self.before is None or self.before.refused or latest.pipeline is None:
            return False
        before = self.before.pipeline
        return before is None or before.id != latest.pipeline.id


class LatestFeed(Generic[V]):
    """Fetches in the requested order; sends nothing while not iterated."""

    def __init__(
        self,
        context: ReadContext,
        endpoint: Callable[[int], Endpoint[V]],
        newest: Callable[[V], Pipeline | None],
    ) -> None:
        conditions = context.conditions
        self._reader = context.reader
        self._endpoint = endpoint
        self._newest = newest
        self._note_sightings = context.sightings.note
        self._conditions = conditions
        self._interval = context.interval(Poll.BACKGROUND)
        self._wake_up = WakeUp(conditions.clock)
        self._known: dict[int, Latest] = {}
        self._poll_timers: dict[int, PollTimer] = {}
        self._wanted: tuple[int, ...] = ()
        self._expected: dict[int, _Expected] = {}
        self._tasks = KeyedTasks(self._wake_up.set)
        self._held = False

    async def __aiter__(self) -> AsyncIterator[Mapping[int, Latest]]:
        """Yield all known pipelines at once and after each change; unknown ids are absent."""
        stop = self._conditions.listen(self._wake_up.set)
        shown: dict[int, Latest] | None = None
        try:
            while not self._conditions.closed:
                if self._tasks.fault is not None:
                    raise self._tasks.fault
                await self._recall()
                if shown != self._known:
                    shown = dict(self._known)
                    yield MappingProxyType(shown)
                    await self._conditions.clock.sleep(GAP)
                wait = self._launch()
                if shown == self._known:
                    await self._wake_up.wait(wait)
        finally:
            stop()
            await self._tasks.end()

    def show(self, ids: Sequence[int]) -> None:
        """Request these ids, the first one first, instead of the earlier ones."""
        wanted = tuple(dict.fromkeys(ids))
        if wanted != self._wanted:
            self._wanted = wanted
            self._wake_up.set()

    def expect(self, ids: Sequence[int]) -> None:
        now = self._conditions.clock.monotonic()
        for number in ids:
            times = [now + after for after in SOON]
            self._expected[number] = _Expected(self._known.get(number), times)
        self._wake_up.set()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        self._held = held
        self._wake_up.set()

    async def _recall(self) -> None:
        for project in self._wanted:
            if (known := self._poll_timers.pop(project, None)) is not None:
                self._poll_timers[project] = known  # Now the newest one
                continue
            poll_timer = self._poll_timers[project] = PollTimer(self._conditions)
            entry = await self._reader.recall(self._endpoint(project))
            if entry is not None:
                poll_timer.set_fetched_at(entry.fetched_at)
                self._take(project, entry)
        for project in list(self._poll_timers)[:-_MOST]:
            del self._poll_timers[project]
            self._known.pop(project, None)

    def _launch(self) -> float | None:
        self._tasks.keep(set(self._wanted))
        if self._held or self._conditions.line.value.state is ConnectionState.OFFLINE:
            # Another feed notices when the platform is back, and wakes this one up.
            return None
        waits = []
        for project in self._wanted:
            if project in self._tasks or project not in self._poll_timers:
                continue
            left = self._remaining(project)
            if left == 0.0 and len(self._tasks) < AT_ONCE:
                self._start(project)
            elif left:
                waits.append(left)
        return min(waits, default=None)

    def _remaining(self, project: int) -> float | None:
        poll_timer = self._poll_timers[project]
        if not poll_timer.tried and self._conditions.unauthorized:
            return None
        known = self._known.get(project)
        pipeline = known.pipeline if known is not None else None
        running = pipeline is not None and pipeline.status in ACTIVE
        left = poll_timer.remaining(self._interval, running=running)
        expected = self._expected.get(project)
        if expected is None or self._conditions.unauthorized:
            return left
        soon = expected.times[0] - self._conditions.clock.monotonic()
        soon = max(0.0, soon, self._conditions.pause)
        return soon if left is None else min(soon, left)

    def _start(self, project: int) -> None:
        expected = self._expected.get(project)
        if expected is not None:
            now = self._conditions.clock.monotonic()
            expected.times = [at for at in expected.times if at > now]
            if not expected.times:
                del self._expected[project]
        self._tasks.start(project, self._fetch(project))

    async def _fetch(self, project: int) -> None:
        poll_timer, endpoint = self._poll_timers[project], self._endpoint(project)
        try:
            # Another feed may have fetched it meanwhile.
            entry = None if poll_timer.tried else await self._reader.recall(endpoint)
            entry = entry or await self._reader.fetch(endpoint, Urgency.BACKGROUND)
        except HIDDEN as error:
            poll_timer.failed(error)
            self._known[project] = Latest(None, self._conditions.clock.now(), refused=True)
        except PlatuiError as error:
            poll_timer.failed(error)
        else:
            poll_timer.succeeded()
            self._take(project, entry)
            newest = self._newest(entry.value)
            self._note_sightings(() if newest is None else (newest,), entry.fetched_at)

    def _take(self, project: int, entry: Answer[V]) -> None:
        self._known[project] = Latest(self._newest(entry.value), entry.fetched_at)
        expected = self._expected.get(project)
        if expected is not None and expected.is_found(self._known[project]):
            del self._expected[project]
