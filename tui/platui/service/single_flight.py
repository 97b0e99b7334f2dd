"""Share the result of equal requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from platui.core.dataclass import dataclass

K = TypeVar("K", bound="Hashable")
T = TypeVar("T")


@dataclass(eq=False)
class _Flight(Generic[T]):
    """One running request and the number of its waiters."""

    task: asyncio.Task[T]
    waiting: int = 0


class SingleFlight(Generic[K, T]):
    """Runs one task per key; the last waiter that leaves cancels it."""

    def __init__(self) -> None:
        self._flights: dict[K, _Flight[T]] = {}

    def __len__(self) -> int:
        return len(self._flights)

    def __contains__(self, key: object) -> bool:
        return key in self._flights

    async def run(self, key: K, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the task of `key`, starting it if needed. Raises its errors."""
        flight = self._flights.get(key)
        if flight is None:
            flight = _Flight(asyncio.ensure_future(start()))
            self._flights[key] = flight
            flight.task.add_done_callback(lambda _: self._end(key, flight))
        flight.waiting += 1
        try:
            # Shielded: one cancelled waiter must not cancel the others.
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if flight.waiting == 0 and not flight.task.done():
                self._end(key, flight)
                flight.task.cancel()

    def forget(self, key: K) -> None:
        """Let the next request of `key` start a task; those that wait still get this result."""
        self._flights.pop(key, None)

    def _end(self, key: K, flight: _Flight[T]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
