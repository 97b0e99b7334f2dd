"""Cancellation of tasks, and of work in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Event, Thread
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


async def computed(work: Callable[..., T], *args: Any, **named: Any) -> T:
    """Run work in a thread that the end of the program does not wait for: it must save nothing.

    A cancelled caller does not wait for it either.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def end(settle: Callable[[Any], None], value: object) -> None:
        if not result.done():
            settle(value)

    def run() -> None:
        try:
            value = work(*args, **named)
        except BaseException as error:  # noqa: BLE001  (raised in the caller)
            settled: tuple[Any, object] = result.set_exception, error
        else:
            settled = result.set_result, value
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(end, *settled)

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return await result
