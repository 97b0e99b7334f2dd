"""Write to disk in order, in the background."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class BackgroundWriter:
    """One thread that writes; pending writes finish even when the program ends."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None

    def write(self, work: Callable[[], object]) -> None:
        """Queue the work, which has to report its own failures."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="platui-writer")
        self._thread.submit(work)

    async def close(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.shutdown)
