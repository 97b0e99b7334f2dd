"""What this process holds at one moment, besides memory."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from dataclasses import dataclass
from typing import Final

_DESCRIPTORS: Final = "/proc/self/fd"


@dataclass(frozen=True, slots=True)
class Held:
    """Counts of what has to end with its owner."""

    tasks: int
    threads: int
    files: int
    """Open files without connections: some of these are kept open for the next requests."""
    timers: int

    @classmethod
    def now(cls) -> Held:
        """Count what is held by more than garbage."""
        gc.collect()
        timers = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
        return cls(
            len(asyncio.all_tasks()),
            threading.active_count(),
            sum(not _is_socket(one) for one in os.listdir(_DESCRIPTORS)),  # noqa: PTH208
            sum(not timer.cancelled() for timer in timers),
        )


def _is_socket(descriptor: str) -> bool:
    # Not a Path: it interns each name, and the table of those only grows.
    try:
        return os.readlink(f"{_DESCRIPTORS}/{descriptor}").startswith("socket:")  # noqa: PTH115
    except FileNotFoundError:  # what lists them
        return True
