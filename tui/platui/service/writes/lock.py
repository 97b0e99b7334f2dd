"""The write lock: the profile's name opens it for 15 minutes."""

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

_LOOKS: Final = 30.0
"""Seconds between two checks of the guard: timers do not run while the machine sleeps."""


class WriteLock:
    """Opens and shuts the guard, and reports until when it is open."""

    def __init__(
        self, guard: WriteGuard, profile: str, clock: Clock, open_until: Observable[float | None]
    ) -> None:
        """Create the lock.

        `open_until`: is told the monotonic second at which the lock shuts; None: it is shut.
        """
        self._guard = guard
        self._profile = profile
        self._clock = clock
        self._shutting: asyncio.Task[None] | None = None
        self._open_until = open_until

    def unlock(self, typed: str) -> None:
        """Open the lock for 15 minutes, from now on if it is open already.

        `typed`: what the user typed: the name of the profile, letter by letter.
        Raises WriteRefusedError: it is another name, or the profile allows no writes at all.
        """
        if typed.strip() != self._profile:
            name = clean(self._profile)
            raise WriteRefusedError(f"The name of this profile is {name}.", hint="Type it whole.")
        self._guard.unlock()
        if self._guard.mode is not WriteMode.LOCKED:
            return
        self._cancel()
        self._shutting = asyncio.create_task(self._shut_in_time(), name="platui write lock")
        self._open_until.set(self._guard.open_until)

    def lock(self) -> None:
        """Shut the lock."""
        self._cancel()
        self._guard.lock()
        self._open_until.set(self._guard.open_until)

    def close(self) -> None:
        """Cancel the timer."""
        self._cancel()

    def _cancel(self) -> None:
        task, self._shutting = self._shutting, None
        if task is not None:
            task.cancel()

    async def _shut_in_time(self) -> None:
        while (left := self._guard.unlocked_for) > 0:
            await self._clock.sleep(min(left, _LOOKS))
        self._guard.lock()
        self._open_until.set(self._guard.open_until)
