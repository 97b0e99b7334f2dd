"""Work in a thread that ends soon after nobody waits for it any more."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class _UnwantedError(Exception):
    """Nobody waits for the result any more."""


async def in_thread(work: Callable[[Callable[[], None]], T]) -> T:
    """Run work in a thread. It gets a function to call often, which ends it once this is cancelled.

    Raises Exception: whatever the work raises.
    """
    unwanted = Event()

    def check() -> None:
        if unwanted.is_set():
            raise _UnwantedError

    try:
        return await asyncio.to_thread(work, check)
    finally:
        unwanted.set()
