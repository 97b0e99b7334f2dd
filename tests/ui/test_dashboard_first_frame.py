"""The first frame: what the last run kept is painted before anything heavy is imported."""

from __future__ import annotations

import asyncio
import os
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.pty import Pty

from platui.core.paths import config_dir
from platui.models.values.routes import Route
from platui.ui.controllers.app.frame_keeper import _frame
from platui.ui.screens.parts.list_body import ListBody
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.views import all_views

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

HEAVY = (
    "httpx", "httpcore", "h11", "pydantic", "pydantic_core", "click", "starlette", "uvicorn",
    "keyring", "sqlite3", "rich.markdown", "markdown_it",
    "platui.api", "platui.service.live", "platui.store.pages", "platui_emulator",
    "platui.models.wire",
)  # fmt: skip

WITH_THE_BOARD = (
    "platui.present.tables.triage_board", "platui.present.triage.labels",
    "platui.present.triage.reasons", "platui.service.triage.state",
)  # fmt: skip
"""What shows the board that replaces the kept rows; keys and footer do without until then."""

OTHERS = ("textual.widgets._data_table", "textual.widgets._markdown")
"""Widgets of Textual that no first frame shows."""

BROKEN = "acme/platform"
"""A group with something broken."""


class Kept(NamedTuple):
    """What a run of the dashboard has left behind."""

    view: str
    row: str
    """A text of its first row."""


async def keep(platform: RunningEmulator, view: str) -> Kept:
    """Run the dashboard up to a view and leave it by `q`."""
    start = Route(view) if view in {"triage", "projects"} else pipelines_of(platform)
    app = dashboard(platform, start=start, remembers=True)
    if view == "triage":
        await app.service.triage_state.watch(groups=[BROKEN])
    async with driving(app) as driver:
        await driver.until_at(start.view)
        if view == "triage":
            await driver.until(lambda text: "● live" in text and "looking" not in text)
        if view == "jobs":
            await driver.press("enter")
            await driver.until_at(view)
        row = driver.table.shown_rows[0]
        driver.app.exit(0)
    # Of the board it is the line of the error that matters.
    return Kept(view, row.below[0].left.text[:40] if row.below else row.cells[1].text)


def configure(platform: RunningEmulator, view: str) -> None:
    """Write the profile that the test's dashboard had, and where it opens."""
    config_dir().mkdir(parents=True, exist_ok=True)
    start = "triage" if view == "triage" else "last"
    text = f'start = "{start}"\n[profiles.test]\nurl = "{platform.base_url}"\n'
    (config_dir() / "config.toml").write_text(text)


@pytest.mark.parametrize("view", ["triage", "projects", "pipelines", "jobs"])
@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_kept_rows_are_painted_before_anything_heavy_is_imported(
    platform_with: PlatformFactory, tmp_path: Path, view: str
) -> None:
    """Neither a client nor a parser of answers, no database, no second screen."""
    platform = platform_with()
    kept = await keep(platform, view)
    configure(platform, view)
    # With nobody there, what is painted can only be what was kept.
    await asyncio.to_thread(platform.stop)
    mark = tmp_path / "modules"
    environ = {
        "FIRST_FRAME_SIGN": kept.row,
        "FIRST_FRAME_MARK": str(mark),
        "PLATUI_TOKEN": platform.token,
    }
    with Pty("first_frame.py", environ=environ) as terminal:
        terminal.expect(kept.row)
        terminal.expect("offline, fetched")
        terminal.send("\x03")
        assert terminal.end() == 0
    loaded = set(mark.read_text().splitlines())
    assert loaded & {*HEAVY, *OTHERS, *WITH_THE_BOARD} == set()
    screens = {name for name in loaded if name.startswith("platui.ui.screens.")}
    names = {other.id for other in all_views()} - {view}
    others = {other for other in names if f"platui.ui.screens.{other}" in screens}
    assert f"platui.ui.screens.{view}" in screens
    assert others == set()


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_kept_rows_say_how_old_they_are(platform_with: PlatformFactory) -> None:
    """They are never taken for news; what comes takes their place."""
    platform = platform_with()
    await keep(platform, "projects")
    await asyncio.to_thread(platform.stop)
    async with driving(dashboard(platform, remembers=True)) as driver:
        await driver.until("offline, fetched")
        assert "budget-planning" in driver.text
        assert "live" not in driver.text
        platform_with(port=urlsplit(platform.base_url).port or 0)
        await driver.press("r")
        await driver.until("● live")


async def test_a_stored_frame_says_when_its_rows_were_fetched(
    still_platform: RunningEmulator,
) -> None:
    """They may be older than the end of the run, which stores it."""
    clock = FrozenClock()
    app = dashboard(still_platform, start=Route("projects"), clock=clock)
    async with driving(app) as driver:
        await driver.until("● live")
        clock.moment += timedelta(hours=1)
        screen = app.view_screen()
        assert isinstance(screen, ViewScreen)
        assert isinstance(screen.body, ListBody)
        header = _frame(screen, screen.body).strips[0]
        assert "as of 14 Mar 03:12 UTC" in "".join(strip.text for strip in header)


async def test_kept_rows_of_another_platform_are_not_shown(
    platform_with: PlatformFactory,
) -> None:
    """A profile that was moved to another address starts empty."""
    first, second = platform_with(), platform_with()
    await keep(first, "projects")
    await asyncio.to_thread(second.stop)
    async with driving(dashboard(second, remembers=True)) as driver:
        await driver.until("offline since")
        assert "budget-planning" not in driver.text


async def test_a_demo_keeps_nothing(platform_with: PlatformFactory) -> None:
    """Its platform is gone with it."""
    platform = platform_with()
    async with driving(dashboard(platform)) as driver:
        await driver.until_at("projects")
        await driver.press("q")
    state = os.environ["XDG_STATE_HOME"]
    assert [name for _, _, names in os.walk(state) for name in names] == []
