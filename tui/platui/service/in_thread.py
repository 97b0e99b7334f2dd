"""Run work in a thread that stops after its caller is cancelled."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class _UnwantedError(Exception):
    """The caller was cancelled."""


async def in_thread(work: Callable[[Callable[[], None]], T]) -> T:
    """Run work in a thread; it often calls its argument, which raises after a cancellation."""
    unwanted = Event()

    def check() -> None:
        if unwanted.is_set():
            raise _UnwantedError

    try:
        return await asyncio.to_thread(work, check)
    finally:
        unwanted.set()
