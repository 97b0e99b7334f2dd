"""Help, palette, details and copying: what lies over a view."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.texts.dialogs import PALETTE
from textual.drivers.headless_driver import HeadlessDriver

from platui.ui.terminal.clipboard import osc52

if TYPE_CHECKING:
    from platui_emulator.server import RunningEmulator

WIDE = (120, 40)


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no terminal program stand between: it would be handed what is copied."""
    for name in ("TMUX", "STY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is written to the terminal that is not there."""
    texts: list[str] = []
    monkeypatch.setattr(HeadlessDriver, "write", lambda _, data: texts.append(data))
    return texts


# help


async def test_help_lists_the_keys_that_work_here(still_platform: RunningEmulator) -> None:
    """Those of the footer first; those of other views not at all."""
    start = pipelines_of(still_platform)
    app = dashboard(still_platform, start=start, clock=FrozenClock())
    async with driving(app, (100, 60)) as driver:
        await driver.until_at("pipelines")
        await driver.press("?")
        await driver.until("Keys")
        # Rows that go on with what the one above says have none.
        titles = [title for row in driver.table.shown_rows if (title := row.cells[1].text)]
        assert titles[:3] == ["Open", "Log", "Details"]
        assert {"Filter", "Sort", "Details", "Refresh", "Command", "Down", "Mark"} < set(titles)
        assert "New project" not in titles
        assert "Take ownership" not in titles
        assert len(titles) == len(set(titles))


async def test_help_is_searched_and_runs_what_it_lists(still_platform: RunningEmulator) -> None:
    """Typing narrows it, enter does it as the key would."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("?")
        await driver.until("Keys")
        await driver.type("failed only")
        await driver.wait(lambda: driver.table.shown_count == 1)
        await driver.press("enter")
        await driver.until("/failed hides")
        assert "Keys" not in driver.text


async def test_help_tells_the_signs_of_the_view(still_platform: RunningEmulator) -> None:
    """Searched by the sign or by what it is called; there is nothing to run about one."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("l")
        await driver.until_at("log")
        await driver.press("?")
        await driver.until("Keys")
        assert "Move down one line" not in driver.text, "what everybody knows stands below"
        await driver.type("line with an error")
        await driver.wait(lambda: driver.table.shown_count == 2)
        signs = {row.cells[0].text for row in driver.table.shown_rows}
        assert signs == {"┃", "✖"}
        await driver.press("enter")
        await driver.pilot.pause(0.1)
        assert "Keys" in driver.text


async def test_help_that_is_left_does_nothing(still_platform: RunningEmulator) -> None:
    """esc, and the cursor is where it was."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press("j", "?")
        await driver.until("Keys")
        await driver.press("down", "down", "escape")
        await driver.until(lambda text: "Keys" not in text)
        assert driver.cursor == driver.table.shown_rows[1].key
        assert driver.route.view == "pipelines"


async def test_what_is_not_possible_now_cannot_be_run_from_help(
    still_platform: RunningEmulator,
) -> None:
    """It is listed in grey, and enter does not take it."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("?")
        await driver.until("Keys")
        await driver.type("load all rows")
        await driver.wait(lambda: driver.table.shown_count == 1)
        await driver.press("enter")
        await driver.pilot.pause(0.1)
        assert "Keys" in driver.text


# palette


async def test_the_palette_switches_the_theme(still_platform: RunningEmulator) -> None:
    """At once, everywhere."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("ctrl+p")
        await driver.until(PALETTE)
        await driver.type("theme platui-light")
        await driver.press("enter")
        await driver.wait(lambda: driver.app.theme == "platui-light")
        await driver.until(lambda text: PALETTE not in text)
        backgrounds = {
            segment.style.bgcolor.name
            for strip in driver.app.screen._compositor.render_strips()
            for segment in strip
            if segment.style and segment.style.bgcolor
        }
        assert "#fbfaf7" in backgrounds
        assert "#10151c" not in backgrounds


async def test_the_palette_goes_places(still_platform: RunningEmulator) -> None:
    """Requests is one of them."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press("ctrl+p")
        await driver.until(PALETTE)
        await driver.type("palette")
        await driver.until(lambda text: "palette" in text and "Search actions" not in text)
        await driver.press("ctrl+u")
        await driver.type("requests")
        await driver.press("enter")
        await driver.until_at("requests")


# details


@pytest.mark.variants("default", "spec-only", reason="long texts push it out of sight")
async def test_details_have_a_page_of_their_own_when_narrow(
    still_platform: RunningEmulator,
) -> None:
    """`d` opens it at 80 columns, esc leaves it."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        assert "created" not in driver.text
        pipeline = driver.cursor
        await driver.press("d")
        await driver.until("created")
        assert f"Pipeline #{pipeline}" in driver.text
        await driver.press("slash")
        await driver.until_told("No search in the details")
        await driver.press("escape")
        await driver.until(lambda text: "created" not in text)
        assert driver.route.view == "pipelines"


@pytest.mark.variants("default", "spec-only", reason="long texts push it out of sight")
async def test_details_stand_beside_the_table_when_wide(still_platform: RunningEmulator) -> None:
    """At 120 columns they follow the cursor, and `d` hides them."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app, WIDE) as driver:
        await driver.until_at("pipelines")
        await driver.until(f"Pipeline #{driver.cursor}")
        await driver.press("j", "j")
        await driver.until(f"Pipeline #{driver.cursor}")
        await driver.until("committed")
        await driver.press("d")
        await driver.until(lambda text: "Pipeline #" not in text)
        await driver.press("d")
        await driver.until(f"Pipeline #{driver.cursor}")


async def test_details_come_and_go_with_the_width(still_platform: RunningEmulator) -> None:
    """A terminal that is made wider shows more, and back."""
    app = dashboard(still_platform, start=pipelines_of(still_platform), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.pilot.resize_terminal(*WIDE)
        await driver.until(f"Pipeline #{driver.cursor}")
        await driver.pilot.resize_terminal(80, 24)
        await driver.until(lambda text: "Pipeline #" not in text)


@pytest.mark.parametrize(
    ("keys", "words"),
    [("4", ["stage", "author"]), ("2", ["about", "id"])],
    ids=["job", "project"],
)
async def test_details_of_jobs_and_projects(
    still_platform: RunningEmulator, keys: str, words: list[str]
) -> None:
    """Every list has them."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.press(keys)
        await driver.until_at("jobs" if keys == "4" else "projects")
        await driver.press("d")
        for word in words:
            await driver.until(f" {word} ")


# copying


async def test_what_is_copied_goes_to_the_terminal(
    still_platform: RunningEmulator, written: list[str]
) -> None:
    """`Y` and a choice; the toast does not claim more than it knows."""
    start = pipelines_of(still_platform)
    app = dashboard(still_platform, start=start, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        pipeline = driver.cursor
        await driver.press("Y")
        await driver.until("Copy")
        assert [row.cells[-2].text for row in driver.table.shown_rows] == [
            "this view", "URL", "id", "commit", "ref", "command",
        ]  # fmt: skip
        await driver.type("id")
        await driver.press("enter")
        await driver.until_told("Sent to the terminal")
    assert osc52(str(pipeline).encode()) in written


@pytest.mark.variants(
    "default", "spec-only", reason="its addresses are attacks, which nothing opens"
)
async def test_y_copies_the_addresses_of_marked_rows(
    still_platform: RunningEmulator, written: list[str]
) -> None:
    """A line each, in the order of the list."""
    start = pipelines_of(still_platform)
    app = dashboard(still_platform, start=start, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        keys = [row.key for row in driver.table.shown_rows[:2]]
        await driver.press("space", "space", "y")
        await driver.until_told("Sent to the terminal")
    [sent] = [sequence for sequence in written if sequence.startswith("\x1b]52;")]
    text = base64.b64decode(sent.split(";")[2].rstrip("\x07")).decode()
    page = f"{still_platform.base_url}/{still_platform.project}/-/pipelines"
    assert text.splitlines() == [f"{page}/{key}" for key in keys]


@pytest.mark.variants(
    "default", "spec-only", reason="its addresses are attacks, which nothing opens"
)
async def test_the_command_that_is_copied_reopens_the_view(
    still_platform: RunningEmulator,
) -> None:
    """`platui URL`: the address is one that the dashboard takes."""
    start = pipelines_of(still_platform)
    app = dashboard(still_platform, start=start, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        pipeline = driver.cursor
        await driver.press("Y")
        await driver.until("Copy")
        command = driver.table.shown_rows[-1].cells[-1].text
        url = command.split()[-1]
        assert command == f"platui --profile {app.service.profile.name} {url}"
        await driver.press("escape")
        await driver.press(":")
        await driver.until("enter go")
        await driver.paste(url)
        await driver.press("enter")
        await driver.until_at("jobs")
        assert str(driver.route.pipeline) == pipeline


@pytest.mark.variants(
    "default", "spec-only", reason="its addresses are attacks, which nothing opens"
)
async def test_an_address_that_no_browser_opens_is_shown(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over SSH one opens it oneself, and must see it for that."""
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 22 192.0.2.2 22")
    start = pipelines_of(still_platform)
    app = dashboard(still_platform, start=start, clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.press("o")
        page = f"{still_platform.base_url}/{still_platform.project}/-/pipelines/{driver.cursor}"
        await driver.until_told(f"Open this URL yourself: {page}")
        driver.app.hint("another hint")
        await driver.until_told("another hint")
        assert page in driver.told
