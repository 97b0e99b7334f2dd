"""Pages asked for before their turn: whoever reads on fast should not wait for each in turn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable
    from typing import Any

    from platui.models.values.connection import Urgency

T = TypeVar("T")


class PagesAhead(Generic[T]):
    """Requests for pages under way, by number, or done and not yet wanted."""

    def __init__(self, fetch: Callable[[int, Urgency], Coroutine[Any, Any, T]]) -> None:
        self._fetch = fetch
        self._tasks: dict[int, asyncio.Task[T]] = {}

    async def take(self, number: int, further: Iterable[int], urgency: Urgency) -> T:
        """Return a page, and ask for further ones meanwhile.

        Raises:
            PlatuiError: no usable answer; the pages behind it are given up.
        """
        page = self._ask(number, urgency)
        for one in further:
            self._ask(one, urgency)
        try:
            return await page
        except BaseException:
            self.drop()
            raise
        finally:
            self._tasks.pop(number, None)

    def drop(self) -> None:
        """Give up whatever was asked for."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()

    def _ask(self, number: int, urgency: Urgency) -> asyncio.Task[T]:
        if number not in self._tasks:
            task = asyncio.ensure_future(self._fetch(number, urgency))
            task.add_done_callback(_look_at)
            self._tasks[number] = task
        return self._tasks[number]


def _look_at(task: asyncio.Task[T]) -> None:
    """Take note of a failure that nobody may ask for."""
    if not task.cancelled():
        task.exception()
