"""Tasks by key, and a feed whose updates come from tasks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Iterable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from platui.service.feeds.wake_up import WakeUp

if TYPE_CHECKING:
    from platui.service.feeds.poll_conditions import PollConditions

U = TypeVar("U")


class KeyedTasks:
    """Running tasks, one per key; `ring` is called when one ends."""

    def __init__(self, ring: Callable[[], None]) -> None:
        # programming error of a task, to be raised by the owner
        self.fault: BaseException | None = None
        self._ring = ring
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def __contains__(self, key: object) -> bool:
        return key in self._tasks

    def start(
        self, key: Hashable, work: Coroutine[Any, Any, None], *, silent: bool = False
    ) -> None:
        task = asyncio.ensure_future(work)
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._on_done(key, done, silent=silent))

    def __len__(self) -> int:
        return len(self._tasks)

    def count(self, keys: Iterable[Hashable]) -> int:
        return len(self._tasks.keys() & set(keys))

    def keep(self, keys: AbstractSet[Hashable]) -> None:
        """Cancel the tasks with other keys."""
        for key in self._tasks.keys() - keys:
            self._tasks[key].cancel()

    async def end(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _on_done(self, key: Hashable, task: asyncio.Task[None], *, silent: bool) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled():
            self.fault = self.fault or task.exception()
        if not silent:
            self._ring()


class TaskFeed(Generic[U]):
    """A feed of updates found by tasks; a slow consumer gets only the newest state."""

    def __init__(self, conditions: PollConditions) -> None:
        self._conditions = conditions
        self._news = WakeUp(conditions.clock)  # set when there may be an update
        self._wake_up = WakeUp(conditions.clock)  # ends a wait of the tasks
        self._wake_ups = [self._news, self._wake_up]  # set when tasks may have to decide again

    async def __aiter__(self) -> AsyncIterator[U]:
        """Yield the known state, then every change; raises the error of a task."""
        await self._begin()
        stops = [self._conditions.listen(wake_up.set) for wake_up in self._wake_ups]
        tasks = {asyncio.ensure_future(work) for work in self._work()}
        for task in tasks:
            task.add_done_callback(lambda _: self._news.set())
        shown: Hashable = None
        try:
            while not self._conditions.closed:
                version = self._version()
                if version != shown:
                    # Before the yield: the pause depends on this update.
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
        """Load known data without requests."""

    def _work(self) -> Iterable[Coroutine[Any, Any, None]]:
        """Return the tasks to run while iterated."""
        raise NotImplementedError

    def _version(self) -> Hashable:
        """Return a value that differs when the update does; never None."""
        raise NotImplementedError

    def _update(self) -> U:
        raise NotImplementedError

    def _pause(self) -> float:
        """Return the minimum seconds until the next update."""
        return 0.0
