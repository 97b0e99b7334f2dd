"""Memory is given back from time to time."""

from __future__ import annotations

import asyncio

from rich.cells import cell_len
from tests.support.clock import FakeClock
from textual.app import App
from textual.geometry import Region
from textual.widgets import Label

from platui.service.cancellation import cancel_and_wait
from platui.ui.terminal.memory import CACHES, give_back_memory


async def test_the_caches_are_emptied_from_time_to_time() -> None:
    """Each of them fills with what frames compute, and is empty afterwards."""
    clock = FakeClock()
    keeping = asyncio.create_task(give_back_memory(App(), clock))
    try:
        for _ in range(2):
            for number in range(50):
                cell_len(f"text {number}")
                region = Region(number, number, 10, 10)
                region.translate((1, 1)).intersection(region)
            assert sum(cache.cache_info().currsize for cache in CACHES) >= 150
            await clock.advance(120)
            assert not any(cache.cache_info().currsize for cache in CACHES)
    finally:
        await cancel_and_wait(keeping)


async def test_widgets_that_are_gone_and_sizes_of_before_are_forgotten() -> None:
    """Textual keeps each widget that was found by a query, and 16 sizes of each that is there."""
    app, clock = App[None](), FakeClock()
    async with app.run_test() as pilot:
        await app.mount(Label("some text", id="one"))
        await app.query_one("#one").remove()
        await app.mount(label := Label("that stays"))
        await pilot.pause()
        keeping = asyncio.create_task(give_back_memory(app, clock))
        try:
            await clock.advance(0)
            kept = app.screen._query_one_cache, label._box_model_cache
            assert all(len(cache) for cache in kept)
            await clock.advance(120)
            assert not any(len(cache) for cache in kept)
        finally:
            await cancel_and_wait(keeping)
