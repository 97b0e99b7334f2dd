"""A polled feed: the cached value first, then polls while it is iterated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from platui.core.dataclass import dataclass
from platui.core.errors import PlatuiError
from platui.models.values.connection import Urgency
from platui.models.values.feeds import Snapshot
from platui.service.cancellation import cancel_and_wait
from platui.service.feeds.poll_timer import PollTimer
from platui.service.feeds.wake_up import WakeUp

if TYPE_CHECKING:
    from platui.service.feeds.poll_conditions import PollConditions
    from platui.service.feeds.reading import Reading

T = TypeVar("T")

_RECENT: Final = timedelta(minutes=1)  # age up to which a final value is not fetched again


@dataclass(frozen=True, slots=True)
class Step:
    """The next action of a feed."""

    urgency: Urgency
    extend: bool = False


class PolledFeed(Generic[T]):
    """Snapshots of a resource; sends nothing while not iterated."""

    def __init__(self, reading: Reading[T], conditions: PollConditions) -> None:
        self._reading = reading
        self._conditions = conditions
        self._wake_up = WakeUp(conditions.clock)
        self._poll_timer = PollTimer(conditions)
        self._refresh = False
        self._more = 0
        self._all = False
        self._held = False
        self._seen = False  # whether this iteration has sent a request: the first one is urgent
        self._is_loading = False

    async def __aiter__(self) -> AsyncIterator[Snapshot[T]]:
        stop = self._conditions.listen(self._wake_up.set)
        self._seen = False
        try:
            if self._reading.value is None:
                await self._reading.recall()
                if self._reading.fetched_at is not None and not self._may_be_outdated():
                    self._poll_timer.set_fetched_at(self._reading.fetched_at)
            last = self._snapshot(refreshing=self._now() is not None)
            yield last
            while (step := await self._next()) is not None:
                self._is_loading = step.extend or self._loads_more
                asked = step.urgency is Urgency.USER and not step.extend
                begun = self._snapshot(refreshing=asked)
                if not _same(begun, last):
                    yield (last := begun)
                await self._take(step)
                ended = self._snapshot(refreshing=False)
                if not _same(ended, last):
                    yield (last := ended)
        finally:
            stop()
            self._more, self._all, self._refresh, self._is_loading = 0, False, False, False

    def refresh(self) -> None:
        self._refresh, self._more, self._all = True, 0, False
        self._reading.invalidate()
        self._wake_up.set()

    def load_more(self, pages: int = 1, *, again: bool = False) -> None:
        if not again:
            # Each arriving page may request one more; several pages are an absolute number.
            self._more = self._more + 1 if pages == 1 else max(self._more, pages)
        elif not self._is_loading:
            self._more = max(self._more, 1)
        self._wake_up.set()

    def load_all(self) -> None:
        self._all = True
        self._wake_up.set()

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        self._held = held
        self._wake_up.set()

    def _may_be_outdated(self) -> bool:
        """Return whether a write, or a retry of a final value, may have changed a cached value."""
        reading = self._reading
        if reading.fetched_at is None or reading.is_current:
            return False
        if not reading.is_final:
            return reading.fetched_at < self._conditions.written_at
        age = self._conditions.clock.now() - reading.fetched_at
        return not timedelta() <= age < _RECENT

    async def _next(self) -> Step | None:
        while not self._conditions.closed:
            step = self._now()
            if step is not None:
                return step
            await self._wake_up.wait(self._remaining())
        return None

    def _now(self) -> Step | None:
        due = self._remaining() == 0.0
        if self._refresh or (due and not self._seen):
            return Step(Urgency.USER)
        if self._reading.value is not None and not self._reading.more:
            self._more, self._all = 0, False
        elif self._loads_more:
            # Loading all pages must not use up the quota that the user needs.
            return Step(Urgency.USER if self._more else Urgency.VISIBLE, extend=True)
        return Step(Urgency.VISIBLE) if due else None

    @property
    def _loads_more(self) -> bool:
        automatic = self._reading.loads_itself and self._poll_timer.error is None
        return self._reading.more and (self._more > 0 or self._all or automatic)

    def _remaining(self) -> float | None:
        if self._held and self._poll_timer.tried:
            return None
        reading = self._reading
        return self._poll_timer.remaining(
            reading.interval,
            running=reading.is_active,
            settled=reading.is_final,
            transfer=reading.transfer,
        )

    async def _take(self, step: Step) -> None:
        reading = self._reading
        if step.urgency is Urgency.USER and not step.extend:
            self._refresh = False  # a later one is not satisfied by this request
        ahead = max(0, self._more - 1)
        work = reading.extend(step.urgency, ahead) if step.extend else reading.renew(step.urgency)
        task = asyncio.ensure_future(work)
        task.add_done_callback(lambda _: self._wake_up.set())
        try:
            while not (task.done() or self._conditions.closed):
                await self._wake_up.wait(None)
                if self._refresh and step.urgency is not Urgency.USER:
                    break
        finally:
            await cancel_and_wait(task)
            if task.done() and not task.cancelled():
                # Retrieve the exception even when cancelled, or asyncio logs it as never retrieved.
                task.exception()
        if not task.cancelled():
            self._conclude(step, task)

    def _conclude(self, step: Step, task: asyncio.Task[None]) -> None:
        self._seen = True
        if step.extend:
            self._more = max(0, self._more - 1)
        try:
            task.result()
        except PlatuiError as error:
            # A failed page counts as a poll, or it would be retried without a pause.
            self._poll_timer.failed(error)
            self._more, self._all = 0, False
        else:
            self._poll_timer.succeeded(a_try=not step.extend)
        self._is_loading = self._loads_more

    def _snapshot(self, *, refreshing: bool) -> Snapshot[T]:
        reading = self._reading
        return Snapshot(
            reading.value,
            reading.source,
            reading.fetched_at,
            self._poll_timer.error,
            refreshing,
            reading.is_final,
            self._is_loading,
        )


def _same(one: Snapshot[T], other: Snapshot[T]) -> bool:
    """Compare two snapshots; values by identity, which is cheap."""
    are_same = one.value is other.value and one.error is other.error
    return are_same and replace(one, value=None) == replace(other, value=None)
