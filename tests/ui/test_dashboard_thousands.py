"""Five thousand projects: the last one is reached by one key, and nothing is asked twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving

from platui.models.values.places import View

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

LIST = re.compile(r"/api/v4/projects\?")
STATE = re.compile(r"/api/v4/projects/\d+/pipelines\?")


@pytest.mark.faces(
    "default", reason="without a total one page more is asked for, to learn that there is none"
)
async def test_page_down_reaches_the_last_project_in_fifty_requests(
    platform_with: PlatformFactory,
) -> None:
    """Each page is asked for once, and states only of rows that stay in sight."""
    platform = platform_with(scenario="big")
    async with driving(dashboard(platform), size=(80, 24)) as driver:
        await driver.until_at(View.PROJECTS)
        await driver.until("100 of 5000 projects")
        while driver.table.total_count < 5000:
            await driver.press("pagedown")
        await driver.press("G")
        last = driver.table.shown_rows[-1].key
        assert driver.cursor == last
        await driver.wait(lambda: driver.table.shown_rows[-1].cells[2].text != "")
        paths = [entry.path for entry in platform.platform.journal.entries()]
        pages = [path for path in paths if LIST.match(path)]
        assert len(set(pages)) == len(pages) <= 50
        # Of what stays in sight for a moment only, and a slow machine has many such moments.
        assert sum(1 for path in paths if STATE.match(path)) < 1000
