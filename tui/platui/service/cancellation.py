"""Cancellation of tasks, and of work in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event
from typing import Any, TypeVar

P = TypeVar("P")
T = TypeVar("T")


async def cancel_and_wait(task: asyncio.Task[Any] | None) -> None:
    """Cancel a task unless it has ended, and wait until it has."""
    if task is not None and not task.done():
        task.cancel()
        await asyncio.wait({task})


class _UnwantedError(Exception):
    """The caller was cancelled."""


async def in_thread(
    work: Callable[[Callable[[P], None]], T], on_progress: Callable[[P], None]
) -> T:
    """Run work in a thread; it often reports progress, which raises after a cancellation."""
    unwanted = Event()

    def report(progress: P) -> None:
        if unwanted.is_set():
            raise _UnwantedError
        on_progress(progress)

    try:
        return await asyncio.to_thread(work, report)
    finally:
        unwanted.set()
