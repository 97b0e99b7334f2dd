"""Run work in a thread that stops after its caller is cancelled."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = TypeVar("P")
T = TypeVar("T")


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
