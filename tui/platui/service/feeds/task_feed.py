"""Tasks by key, and a feed whose work is done in tasks: told as often as there is something new."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from platui.service.feeds.wake_up import WakeUp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Iterable
    from collections.abc import Set as AbstractSet

    from platui.service.feeds.poll_conditions import PollConditions

U = TypeVar("U")


class KeyedTasks:
    """Works under way, one a key; whoever launches them is rung when one ends."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self.fault: BaseException | None = None
        """A fault of our own in one of them: to be told to somebody, not to nobody."""
        self._ring = ring
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def __contains__(self, key: object) -> bool:
        return key in self._tasks

    def start(
        self, key: Hashable, work: Coroutine[Any, Any, None], *, silent: bool = False
    ) -> None:
        task = asyncio.ensure_future(work)
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._landed(key, done, silent=silent))

    def __len__(self) -> int:
        return len(self._tasks)

    def count(self, keys: Iterable[Hashable]) -> int:
        return len(self._tasks.keys() & set(keys))

    def keep(self, keys: AbstractSet[Hashable]) -> None:
        """End what is under way by other keys."""
        for key in self._tasks.keys() - keys:
            self._tasks[key].cancel()

    async def end(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _landed(self, key: Hashable, task: asyncio.Task[None], *, silent: bool) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled():
            self.fault = self.fault or task.exception()
        if not silent:
            self._ring()


class TaskFeed(Generic[U]):
    """Updates of what tasks find out. It costs nothing while nobody iterates.

    What a slow reader does not take in between is told as one: an update says how all stands.
    """

    def __init__(self, conditions: PollConditions) -> None:
        self._conditions = conditions
        self._news = WakeUp(conditions.clock)
        """Rung where there may be something to tell."""

    async def __aiter__(self) -> AsyncIterator[U]:
        """Yield what is known at once, then all that is new, until the service closes.

        Raises BaseException: a task ended with it.
        """
        await self._begin()
        stops = [
            self._conditions.listen(wake_up.set) for wake_up in (self._news, *self._wake_ups())
        ]
        tasks = {asyncio.ensure_future(work) for work in self._work()}
        for task in tasks:
            task.add_done_callback(lambda _: self._news.set())
        shown: Hashable = None
        try:
            while not self._conditions.closed:
                version = self._version()
                if version != shown:
                    # How long it is worth depends on what is told now, not on what comes meanwhile.
                    shown, pause = version, self._pause()
                    yield self._update()
                    if pause:
                        await self._conditions.clock.sleep(pause)
                    continue
                for task in tasks:
                    if task.done():
                        task.result()
                await self._news.wait(None)
        finally:
            for stop in stops:
                stop()
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _begin(self) -> None:
        """Find out what is known without any work."""

    def _wake_ups(self) -> Iterable[WakeUp]:
        """Return what the tasks sleep by: something in their surroundings may wake them."""
        raise NotImplementedError

    def _work(self) -> Iterable[Coroutine[Any, Any, None]]:
        """Return what is done while somebody looks on; it rings when there is news."""
        raise NotImplementedError

    def _version(self) -> Hashable:
        """Return what tells whether an update would say anything new; never None."""
        raise NotImplementedError

    def _update(self) -> U:
        """Return how all stands now."""
        raise NotImplementedError

    def _pause(self) -> float:
        """Return the seconds until the next update at the least."""
        return 0.0
