"""A spent quota: the countdown shows, nothing is sent meanwhile, and then all goes on."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock, FastClock
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.platform import api_client
from tests.support.service import requests_of

from platui.config.settings import PollSettings

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

LIMIT = 30
FACTOR = 10.0
"""A minute of the platform's and the dashboard's time passes in six seconds."""


def spend(platform: RunningEmulator) -> float:
    """Spend the user's quota with another tool; return the seconds until it is back."""
    with api_client(platform) as another_tool:
        while True:
            answer = another_tool.get("user")
            if answer.status_code == 429:
                return float(answer.headers["retry-after"])


@pytest.mark.variants("default", "spec-only", reason="its waits are no times")
async def test_a_spent_quota_is_counted_down_and_waited_for(
    platform_with: PlatformFactory,
) -> None:
    """What there is stays; whatever key is pressed, no request leaves before its time."""
    clock = FastClock(FACTOR)
    platform = platform_with(rate_limit=LIMIT, clock=clock)
    only_when_asked = PollSettings(3600, 3600)
    app = dashboard(platform, start=pipelines_of(platform), clock=clock, poll=only_when_asked)
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        rows = [row.key for row in driver.table.shown_rows]
        # Spent twice, so that the second time is at the beginning of the platform's minute.
        await clock.sleep(await asyncio.to_thread(spend, platform))
        await asyncio.to_thread(spend, platform)
        others = max(entry["number"] for entry in requests_of(platform))
        await driver.press("r")
        await driver.until("requests resume in")
        counted = int(re.findall(r"requests resume in (\d+)s", driver.text)[0])
        await driver.until(
            lambda text: any(
                int(left) < counted for left in re.findall(r"requests resume in (\d+)s", text)
            )
        )
        await driver.press("r", "j", "r")
        assert [row.key for row in driver.table.shown_rows] == rows
        await driver.until(lambda text: "requests resume in" not in text and "● live" in text)
        await driver.wait(lambda: len(requests_of(platform, others)) > 1)
    first, *rest = requests_of(platform, others)
    assert first["status"] == 429
    assert rest[0]["monotonic"] - first["monotonic"] >= counted - 1
    assert {entry["status"] for entry in rest} <= {200, 304}


@pytest.mark.variants("default", reason="only its headers tell what other tools have spent")
async def test_the_gauge_counts_what_is_spent(platform_with: PlatformFactory) -> None:
    """As the platform counts: what other tools of this user spend is in it."""
    # Its time stands still, so that no minute begins anew under the test's hands.
    platform = platform_with(rate_limit=600, clock=FakeClock())
    async with driving(dashboard(platform, start=pipelines_of(platform))) as driver:
        await driver.until_at("pipelines")
        await driver.until(lambda text: re.search(r" [1-9]\d*/600 ", text) is not None)

        def others() -> None:
            with api_client(platform) as client:
                for _ in range(200):
                    client.get("user")

        await asyncio.to_thread(others)
        await driver.press("r")
        await driver.until(lambda text: re.search(r" 2\d\d/600 ", text) is not None)
        # Another view shows the same number, also where the budget has more left since.
        budget = driver.app.service.budget
        now = budget.value
        budget.set(replace(now, used=444))
        budget.set(now)
        await driver.until(" 444/600 ")
        await driver.press("2")
        await driver.until_at("projects")
        await driver.until(" 444/600 ")
