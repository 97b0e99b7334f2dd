"""Cancellation of tasks."""

from __future__ import annotations

import asyncio
from typing import Any


async def cancel_and_wait(task: asyncio.Task[Any] | None) -> None:
    """Cancel a task unless it has ended, and wait until it has."""
    if task is not None and not task.done():
        task.cancel()
        await asyncio.wait({task})
