"""What a bad line must not do to data: lose, double or invent it, or count down for ever."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest
from tests.support.clock import FastClock
from tests.support.company import NOW, ending_job
from tests.support.dashboard import Elsewhere, dashboard, driving, pipelines_of
from tests.support.faults import clear_faults, faults_of, set_fault
from tests.support.platform import api_client

from platui.config.settings import PollSettings
from platui.logs import Log
from platui.models.values.routes import Route
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants(
    "default", "spec-only", reason="the honest company's own jobs and rows are looked for"
)

FACTOR: Final = 25.0
QUICK: Final = PollSettings(2, 2)


def through_the_relay(platform: RunningEmulator) -> Elsewhere:
    """Return the platform at the address where faults strike."""
    return Elsewhere(platform.faults_url, platform.token)


def true_lines(platform: RunningEmulator, project: str, job: int) -> list[str]:
    """Return the lines of a log as the platform itself has them."""
    with api_client(platform) as client:
        path = f"projects/{project.replace('/', '%2F')}/jobs/{job}/trace"
        content = client.get(path).raise_for_status().content
    log = Log()
    log.append(content)
    log.finish()
    return [log.text(y) for y in range(log.line_count)]


async def test_a_growing_log_loses_and_doubles_nothing(platform_with: PlatformFactory) -> None:
    """Cut, reset and slowed again and again while it grows: in the end every line once."""
    clock = FastClock(FACTOR, NOW)
    platform = platform_with(clock=clock)
    project, job, _ = ending_job(200, least=60)
    place = Route("log", project.full_path, project.path, job.pipeline_id, job.id, job.name)
    trace = {"path": "/trace$"}
    # Those that fail come first, so that the job's end is not read before them however slow the
    # machine; they leave little to come byte by byte.
    set_fault(platform, "reset_during", **trace, bytes=700, times=2)
    set_fault(platform, "truncated", **trace, bytes=1_000_000, after=2, times=2)
    set_fault(platform, "slow_body", **trace, seconds=0, after=4, times=1)
    set_fault(platform, "reset_after", **trace, after=5, times=2)
    set_fault(platform, "bandwidth", **trace, rate=20_000, after=7)
    app = dashboard(through_the_relay(platform), start=place, clock=clock, poll=QUICK)
    async with driving(app) as driver:
        await driver.until("✔ final", 60)
        document = driver.app.screen.query_one(LogView).document
        assert document is not None
        shown = [document.text(y) for y in range(document.line_count)]
        text = driver.text
    assert [one["struck"] for one in faults_of(platform)][:3] == [2, 2, 1]
    assert shown == true_lines(platform, project.full_path, job.id)
    assert "rewritten" not in text


async def test_a_platform_that_hangs_is_not_live(platform_with: PlatformFactory) -> None:
    """The header tells how long the answer is missing, in steps, until it comes."""
    clock = FastClock(FACTOR, NOW)
    platform = platform_with(clock=clock)
    app = dashboard(
        through_the_relay(platform), start=pipelines_of(platform), clock=clock, poll=QUICK
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.until("● live")
        set_fault(platform, "hang", seconds=10)
        for words in ("◌ no response 5s", "◌ no response 10s", "◌ no response 20s"):
            await driver.until(words)
        clear_faults(platform)
        await driver.until("● live")


async def test_a_log_that_does_not_come_is_not_only_loading(platform_with: PlatformFactory) -> None:
    """The header tells how long its first byte is missing; then it is there."""
    clock = FastClock(FACTOR, NOW)
    platform = platform_with(clock=clock)
    project, job, _ = ending_job(200, least=60)
    place = Route("log", project.full_path, project.path, job.pipeline_id, job.id, job.name)
    set_fault(platform, "hang", seconds=60, path="/trace$")
    app = dashboard(through_the_relay(platform), start=place, clock=clock, poll=QUICK)
    async with driving(app) as driver:
        await driver.until("◌ no response")
        clear_faults(platform)
        await driver.until(lambda text: "◌ no response" not in text and "lines " in text)


@pytest.mark.parametrize("skew", [86_400, -86_400])
async def test_a_countdown_is_right_whatever_time_the_platform_believes(
    platform_with: PlatformFactory, skew: int
) -> None:
    """Its reset is told in its own time; nobody waits for a day."""
    clock = FastClock(FACTOR, NOW)
    platform = platform_with(clock=clock, speed=0.0)
    app = dashboard(
        through_the_relay(platform), start=pipelines_of(platform), clock=clock, poll=QUICK
    )
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        set_fault(platform, "clock_skew", seconds=skew)
        set_fault(platform, "quota", seconds=45, times=1)
        await driver.press("r")
        text = await driver.until("requests resume in")
        assert 0 < int(re.findall(r"requests resume in (\d+)s", text)[0]) <= 47
        await driver.until(lambda text: "● live" in text and "Rate limit" not in text)
        assert re.search(r"-\d+[smhd]\b", driver.text) is None


async def test_a_place_first_opened_on_a_bad_line_comes_by_itself(
    platform_with: PlatformFactory,
) -> None:
    """A page says what is wrong; no piece of what was cut off is taken for the whole."""
    clock = FastClock(FACTOR, NOW)
    platform = platform_with(clock=clock, speed=0.0)
    set_fault(platform, "truncated", bytes=40)
    app = dashboard(through_the_relay(platform), clock=clock, poll=QUICK)
    async with driving(app, (100, 30)) as driver:
        await driver.until("was dropped.")
        clear_faults(platform)
        await driver.until_at("projects")
        assert "60 projects" in await driver.until("status loaded for")
        for view, key, kind, wish, said in (
            ("pipelines", "enter", "garbage", {"what": "json"}, "Invalid response"),
            ("jobs", "enter", "html", {"status": 200}, "web page instead"),
            ("log", "l", "reset_during", {"bytes": 30}, "was dropped."),
        ):
            set_fault(platform, kind, **wish)
            await driver.press(key)
            await driver.until(said)
            clear_faults(platform)
            await driver.until_at(view)
            await driver.until(lambda text: "● live" in text or "✔ final" in text)


@pytest.mark.parametrize("kind", ["endless", "shifting"])
async def test_a_list_that_goes_wrong_between_its_pages(
    platform_with: PlatformFactory, kind: str
) -> None:
    """One that never ends is cut short with a word; one that shifts shows each row once."""
    clock = FastClock(FACTOR, NOW)
    platform = platform_with(clock=clock, speed=0.0)
    start = pipelines_of(platform)
    app = dashboard(
        through_the_relay(platform), start=start, clock=clock, poll=PollSettings(10, 10)
    )
    async with driving(app, (100, 30)) as driver:
        await driver.until_at("pipelines")
        first = [row.key for row in driver.table.shown_rows]
        set_fault(platform, kind, path="/pipelines[?]")
        await driver.press("r", "L")
        if kind == "endless":
            await driver.until("pages repeat")
            assert [row.key for row in driver.table.shown_rows] == first
            asked = faults_of(platform)[0]["struck"]
            await clock.sleep(60)
            assert faults_of(platform)[0]["struck"] - asked <= 10
            clear_faults(platform)
            await driver.press("r", "L")
        await driver.wait(lambda: driver.table.total_count > 2 * len(first))
        await driver.until(lambda text: "repeat" not in text and "● live" in text)
        keys = [row.key for row in driver.table.shown_rows]
        assert len(keys) == len(set(keys))
        assert keys == sorted(keys, key=int, reverse=True)
