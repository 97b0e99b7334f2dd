"""The write lock: the name of the profile unlocks it for 15 minutes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from platui.core.errors import WriteRefusedError
from platui.core.text import clean
from platui.models.values.writes import WriteMode

if TYPE_CHECKING:
    from platui.api.write import WriteGuard
    from platui.core.clock import Clock
    from platui.core.observers import Observable

_CHECK_INTERVAL: Final = 30.0  # seconds between checks: timers stop while the machine sleeps


class WriteLock:
    def __init__(
        self, guard: WriteGuard, profile: str, clock: Clock, open_until: Observable[float | None]
    ) -> None:
        """Create the lock; `open_until` gets the monotonic second of the lock, None: locked."""
        self._guard = guard
        self._profile = profile
        self._clock = clock
        self._timer: asyncio.Task[None] | None = None
        self._open_until = open_until

    def unlock(self, typed: str) -> None:
        """Unlock for 15 minutes by the typed profile name, or raise WriteRefusedError."""
        if typed.strip() != self._profile:
            name = clean(self._profile)
            raise WriteRefusedError(f"This profile is called {name}.", hint="Type its full name.")
        self._guard.unlock()
        if self._guard.mode is not WriteMode.LOCKED:
            return
        self._cancel()
        self._timer = asyncio.create_task(self._lock_when_due(), name="platui write lock")
        self._open_until.set(self._guard.open_until)

    def lock(self) -> None:
        self._cancel()
        self._guard.lock()
        self._open_until.set(self._guard.open_until)

    def close(self) -> None:
        self._cancel()

    def _cancel(self) -> None:
        task, self._timer = self._timer, None
        if task is not None:
            task.cancel()

    async def _lock_when_due(self) -> None:
        while (left := self._guard.unlocked_for) > 0:
            await self._clock.sleep(min(left, _CHECK_INTERVAL))
        self._guard.lock()
        self._open_until.set(self._guard.open_until)
