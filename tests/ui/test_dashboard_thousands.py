"""Five thousand projects: the last one is reached by one key, and nothing is asked twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving
from tests.support.frozen import StillClock

from platui.ui.screens.projects import states as project_states

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

LIST = re.compile(r"/api/v4/projects\?")
STATE = re.compile(r"/api/v4/projects/\d+/pipelines\?")

LONG = 3600.0
"""Seconds that no way through the list takes, however slow the machine."""


@pytest.mark.variants(
    "default", reason="without a total one page more is asked for, to learn that there is none"
)
async def test_page_down_reaches_the_last_project_in_fifty_requests(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page is asked for once; so are states, and only of rows that stay in sight."""
    platform = platform_with(scenario="big")
    # No state falls due a second time, and on the way rows pass by however slow the machine:
    # they stay in sight before it, at its first key, and at its end.
    async with driving(dashboard(platform, clock=StillClock()), size=(80, 24)) as driver:
        await driver.until_at("projects")
        await driver.until("100 of 5,000 projects")
        with monkeypatch.context() as on_the_way:
            on_the_way.setattr(project_states, "_SCROLL_PAUSE", LONG)
            while driver.table.total_count < 5000:
                await driver.press("pagedown")
        await driver.press("G")
        last = driver.table.shown_rows[-1].key
        assert driver.cursor == last
        await driver.wait(lambda: driver.table.shown_rows[-1].cells[2].text != "")
        paths = [entry.path for entry in platform.platform.journal.entries()]
        pages = [path for path in paths if LIST.match(path)]
        assert len(set(pages)) == len(pages) <= 50
        states = [path for path in paths if STATE.match(path)]
        # The last key on the way may find the list at rest already: four windows at most.
        assert len(set(states)) == len(states) <= 4 * driver.table.size.height
