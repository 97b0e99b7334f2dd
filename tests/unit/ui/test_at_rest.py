"""Drawing that waits for a pause between keys."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from textual.app import App

from platui.ui.screens.parts import at_rest
from platui.ui.screens.parts.at_rest import AtRest

if TYPE_CHECKING:
    import pytest


async def test_another_key_makes_it_wait_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is drawn once, when no key has come for so long."""
    monkeypatch.setattr(at_rest, "_REST", 0.3)
    drawn = list[float]()
    app = App[None]()
    async with app.run_test():
        rest = AtRest(app.screen)
        rest.renew()
        assert not rest.is_pending
        rest.begin(lambda: drawn.append(time.monotonic()))
        for _ in range(4):
            await asyncio.sleep(0.15)
            last = time.monotonic()
            rest.renew()
        async with asyncio.timeout(10):
            while rest.is_pending:  # noqa: ASYNC110  (nothing else tells)
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.4)
    assert len(drawn) == 1
    assert drawn[0] - last > 0.29
