"""Memory is given back from time to time."""

from __future__ import annotations

import asyncio

from rich.cells import cell_len
from tests.support.clock import FakeClock
from textual.geometry import Region

from platui.service.cancellation import cancel_and_wait
from platui.ui.terminal.memory import CACHES, give_back_memory


async def test_the_caches_are_emptied_every_ten_minutes() -> None:
    """Each of them fills with what frames compute, and is empty afterwards."""
    clock = FakeClock()
    keeping = asyncio.create_task(give_back_memory(clock))
    try:
        for _ in range(2):
            for number in range(50):
                cell_len(f"text {number}")
                region = Region(number, number, 10, 10)
                region.translate((1, 1)).intersection(region)
            assert all(cache.cache_info().currsize >= 50 for cache in CACHES)
            await clock.advance(600)
            assert not any(cache.cache_info().currsize for cache in CACHES)
    finally:
        await cancel_and_wait(keeping)
