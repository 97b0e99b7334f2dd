"""The dashboard on the platform's other variants: no more than the spec, and every text an attack.

In the ordinary run; with `--variant` all of tests/ui goes there.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import pytest
from rich.cells import cell_len, set_cell_size
from tests.support.dashboard import SIZE, dashboard, driving, lines, pipelines_of
from tests.support.frozen import FrozenClock
from tests.texts.screens import STATUS_LOADED

from platui.config.settings import PollSettings
from platui.ui.widgets.bar import Notice

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.dashboard import Driver

    from platui.models.values.routes import Route
    from platui_emulator.server import RunningEmulator

OK: Final = HTTPStatus.OK
NEVER: Final = PollSettings(3600, 3600)
WAY: Final = ("projects", "pipelines", "jobs", "log")
PAGES: Final = {
    "projects": {"d": "esc back", "i": '"name":', "Y": "Copy", "S": "last run, reversed"},
    "pipelines": {"d": "status", "i": '"sha":', "Y": "commit", "S": "ref, reversed"},
    "jobs": {"d": "stage ", "i": '"stage":', "D": "Artifacts of", "Y": "command"},
    "log": {"d": "stage ", "i": '"stage":', "?": "Keys and commands"},
}
"""What opens over each view: the key, and words of ours that are on it."""


@pytest.fixture(params=["narrow_platform", "hostile_platform"])
def other(request: pytest.FixtureRequest) -> RunningEmulator:
    """Return the platform with another variant."""
    platform: RunningEmulator = request.getfixturevalue(request.param)
    return platform


@asynccontextmanager
async def on(
    platform: RunningEmulator, start: Route | None = None, size: tuple[int, int] = SIZE
) -> AsyncIterator[Driver]:
    """Drive a dashboard that stands as still as the platform."""
    app = dashboard(platform, start=start, clock=FrozenClock(), poll=NEVER)
    async with driving(app, size) as driver:
        yield driver


def troubles(driver: Driver) -> list[str]:
    """Return what the dashboard complains of, in lines and toasts."""
    said = [toast.message for toast in driver.app._notifications if toast.severity != "information"]
    header = lines(driver.app)[0]
    said += [word for word in ("✖ no data", "✖ offline", "✖ not signed in") if word in header]
    notices = driver.app.screen.query(Notice)
    return [*said, *(notice.text for notice in notices if notice.has_class("-shown"))]


async def test_every_view_and_page_opens_and_closes_on_every_variant(
    other: RunningEmulator,
) -> None:
    """Down to a log and up again, with all that opens over each view; nothing complains.

    What a platform does not offer is asked once for the view, and once more by `i`.
    """
    async with on(other) as driver:
        for view in WAY:
            await driver.until_at(view)
            for key, words in PAGES[view].items():
                await driver.press(key)
                await driver.until(words)
                await driver.press("escape")
                await driver.until_at(view)
            assert troubles(driver) == []
            assert all(cell_len(line) <= driver.app.size.width for line in lines(driver.app))
            if view == "pipelines":
                ended = (row for row in driver.table.shown_rows if "success" in row.cells[0].text)
                driver.table.move_to(next(ended).key)
            if view != "log":
                await driver.press("enter")
        await driver.enter(":", "requests")
        await driver.until(" count)")
        asked = Counter(one.path for one in driver.app.service.journal.recent())
        answers = {
            one.path: one.status
            for one in driver.app.service.journal.recent()
            if one.status is not None  # that of a preview that was left ends without an answer
        }
        refused = {path: asked[path] for path, status in answers.items() if status != OK}
        assert set(refused.values()) <= {1, 2}, refused
        assert set(answers.values()) <= {OK, HTTPStatus.NOT_FOUND}
        for view in reversed(WAY):
            await driver.press("escape")
            await driver.until_at(view)
        assert troubles(driver) == []


async def test_where_little_is_told_nothing_is_invented(narrow_platform: RunningEmulator) -> None:
    """A flat list by name and number; no link of a project, so no key for one (§2.7)."""
    async with on(narrow_platform) as driver:
        await driver.until_at("projects")
        header = lines(driver.app)[2]
        assert "ID" in header
        assert "NAMESPACE" not in header
        assert f" #{driver.cursor} " in lines(driver.app)[3]
        await driver.press("o", "y")
        await driver.until_told("This row has no URL.")
        assert driver.app.screen.check_action("run", ("list.browse",)) is None
        assert driver.app.screen.check_action("run", ("list.copy",)) is None
        await driver.press("tab")
        await driver.until("their projects are not listed here")
        await driver.press("enter")
        await driver.until("kind       group")
        await driver.press("escape", "escape")
        await driver.until(" projects · ")
        await driver.press("enter")
        await driver.until_at("pipelines")
        assert {"SOURCE", "NAME"}.isdisjoint(lines(driver.app)[2].split())


async def test_where_no_file_is_listed_ref_and_path_are_typed(
    narrow_platform: RunningEmulator,
) -> None:
    """Nothing is said to load while it is the user's turn."""
    async with on(narrow_platform, pipelines_of(narrow_platform)) as driver:
        await driver.until_at("pipelines")
        await driver.press("p")
        await driver.until("path of a file")
        assert "loading" not in lines(driver.app)[0]
        await driver.type("README.md")
        await driver.press("enter")
        await driver.until("sha256 ✔")


async def test_wide_and_endless_texts_leave_columns_where_they_are(
    hostile_platform: RunningEmulator,
) -> None:
    """Whatever stands in a cell, the ages stand in one column of the terminal."""
    async with on(hostile_platform, size=(120, 40)) as driver:
        await driver.until_at("projects")
        await driver.until(STATUS_LOADED)
        await driver.rest()
        header, *rows = lines(driver.app)[2:-1]
        end = cell_len(header[: header.index("AGE") + 3])
        ages = [row for row in rows if re.search(r"(success|running|failed|pending)\W", row)]
        assert len(ages) > 10
        for row in ages:
            assert re.search(r"\d[smhdwy]$", set_cell_size(row, end)), row
