"""Whether the heavy half of the service is there yet, and who waits for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError

L = TypeVar("L")


class Opening(Generic[L]):
    """Holds the live half once it is open, or why it is not."""

    def __init__(self) -> None:
        self.live: L | None = None
        self.error: PlatuiError | None = None
        self.closed = False
        self.version = 0
        self._changed = asyncio.Event()

    def succeed(self, live: L) -> None:
        """Hand the live half to everybody who waits."""
        self.live, self.error = live, None
        self._tell()

    def fail(self, error: PlatuiError) -> None:
        """Tell everybody who waits why there is nothing; a later try may succeed."""
        self.error = error
        self._tell()

    def close(self) -> None:
        """End all waiting for good."""
        self.closed = True
        self._tell()

    async def changed(self, since: int) -> None:
        """Wait until `version` is another than `since`."""
        while self.version == since:
            await self._changed.wait()

    def _tell(self) -> None:
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()
