"""What the triage board does at once: each work by its key, and what became of all of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Hashable, Iterable
    from collections.abc import Set as AbstractSet
    from typing import Any

    from platui.core.errors import PlatuiError
    from platui.service.surroundings import Surroundings


class Tasks:
    """Works under way, one a key; whoever launches them is rung when one ends."""

    def __init__(self, ring: Callable[[], None]) -> None:
        """Begin with none.

        Args:
            ring: is called when one has ended.
        """
        self.fault: BaseException | None = None
        """A fault of our own in one of them: to be told to somebody, not to nobody."""
        self._ring = ring
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def __contains__(self, key: object) -> bool:
        return key in self._tasks

    def start(
        self, key: Hashable, work: Coroutine[Any, Any, None], *, silent: bool = False
    ) -> None:
        """Begin a work.

        Args:
            key: what it is known by; none of that key is under way.
            work: what is to be done.
            silent: nobody is rung at its end.
        """
        task = asyncio.ensure_future(work)
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._landed(key, done, silent=silent))

    def count(self, keys: Iterable[Hashable]) -> int:
        """Return how many of some keys are under way."""
        return len(self._tasks.keys() & set(keys))

    def keep(self, keys: AbstractSet[Hashable]) -> None:
        """End what is under way by other keys."""
        for key in self._tasks.keys() - keys:
            self._tasks[key].cancel()

    async def end(self) -> None:
        """End all, and wait until they have."""
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


class Outcome:
    """What has come of the works, as far as the board tells it."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.is_stale = True
        """Whether something is known that was not when somebody last set this to False."""
        self.error: PlatuiError | None = None
        """Why the last request failed; None after one that did not."""
        self._around = surroundings

    def answered(self, error: PlatuiError | None) -> None:
        """Take note of why a request failed; None: it did not."""
        if error is None and self._around.unauthorized:
            # It was let in before the token was refused.
            return
        if type(error) is not type(self.error):
            self.error = error
            self.is_stale = True
