"""What is said where a command waits for its quota."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from tests.support.clock import FakeClock

from platui.cli import connection
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState

if TYPE_CHECKING:
    import pytest


def test_a_long_wait_is_said_once_with_its_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A short one is not, nor one for which nobody waits any more."""
    monkeypatch.setattr(connection, "_DELAY", 0.0)
    clock = FakeClock()
    now = clock.monotonic()
    budget = Observable(BudgetState(0, 600))
    service = cast("Any", SimpleNamespace(clock=clock, budget=budget))

    async def work() -> None:
        with connection.quota_notice(service):
            budget.set(BudgetState(600, 600, paused_until=now + 2))
            await asyncio.sleep(0.001)
            budget.set(BudgetState(600, 600, paused_until=now + 41.5))
            await asyncio.sleep(0.001)
            budget.set(BudgetState(599, 600, paused_until=now + 41.5))
            await asyncio.sleep(0.001)
            budget.set(BudgetState(600, 600, paused_until=now + 300))

    asyncio.run(work())
    assert capsys.readouterr().err == (
        "platui: The quota of 600 requests per minute is used up. Continuing in 42 s.\n"
    )
