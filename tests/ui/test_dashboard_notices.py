"""Who looks elsewhere is told: what the terminal gets, and the toasts."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import pytest
from tests.support.clock import FastClock
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import NIGHT, FrozenClock
from tests.support.platform import api_client, in_project

from platui.config.settings import NotifySettings, PollSettings

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="what is told is the same on all of them")

QUICK: Final = PollSettings(0.2, 0.3)
LONG: Final = 60.0
LIST: Final = "/pipelines?"
BROKEN: Final = 103  # A project that is broken at night
AWAY: Final = (
    r" since (\d\d \w+ )?\d\d:\d\d: (\d+ (opened|recovered|changed its cause)(, )?)+ · H shows them"
)
LOUD: Final = NotifySettings(bell=True, desktop="osc9")


class Leaping(FastClock):
    """A fast clock whose day can be moved on."""

    def leap(self, by: timedelta) -> None:
        """Move the wall time on; nobody who waits notices."""
        self._start += by


class Written(list[str]):
    """What an app writes to its terminal beside its frames."""

    def __init__(self, app: PlatuiApp, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        monkeypatch.setattr(app, "write_to_terminal", self.append)

    @property
    def notices(self) -> list[str]:
        """Return the texts of notices."""
        return re.findall(r"\x1b\]9;([^\a]*)\a", "".join(self))

    @property
    def titles(self) -> list[str]:
        """Return the titles that the window got, the last one last."""
        return re.findall(r"\x1b\]2;([^\a]*)\a", "".join(self))


def some_projects(platform: RunningEmulator, count: int) -> list[int]:
    """Return the ids of some projects."""
    with api_client(platform) as client:
        found = client.get("projects", params={"membership": True, "per_page": count}).json()
    return [one["id"] for one in found]


async def a_round(driver: Driver, watched: int) -> None:
    """Wait until every watched project was asked for once more."""
    journal = driver.app.service.journal
    began = journal.newest.value

    def asked() -> set[str]:
        return {one.path for one in journal.recent() if one.number > began and LIST in one.path}

    await driver.wait(lambda: len(asked()) >= watched, LONG, "a round of the board")


async def test_what_changes_behind_another_view_is_told(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the bell, in the terminal's own way, and as a toast; the title says how much is red."""
    monkeypatch.delenv("TMUX", raising=False)
    clock = Leaping(40.0, NIGHT)
    platform = platform_with(clock=clock)
    ids = some_projects(platform, 12)
    app = dashboard(platform, clock=clock, poll=QUICK, notify=LOUD)
    written = Written(app, monkeypatch)
    async with driving(app) as driver:
        await driver.until_at("projects")
        await app.service.triage_state.watch(ids)
        await a_round(driver, len(ids))
        await driver.wait(lambda: written.titles[-1].startswith("platui test"))
        while not written.notices:
            clock.leap(timedelta(hours=2))
            await a_round(driver, len(ids))
        told = written.notices[0]
        assert re.match(r"[✖✔] .+ (failed|recovered)(: .|$)", told)
        assert any(one.startswith("\a\x1b]9;") for one in written)
        await driver.until_told(told.partition(": ")[0])
    assert written[-1].endswith("\x1b[23;2t")  # the window has its title back


async def test_the_title_counts_nothing_once_nothing_is_watched(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was broken in a project that was left is of no interest any more."""
    platform = platform_with(clock=FrozenClock())
    app = dashboard(platform, clock=FrozenClock(), notify=NotifySettings())
    written = Written(app, monkeypatch)
    async with driving(app) as driver:
        await driver.until_at("projects")
        await app.service.triage_state.watch([BROKEN])
        await driver.wait(lambda: "✖" in written.titles[-1], LONG, "a failure in the title")
        await app.service.triage_state.unwatch([BROKEN])
        await driver.wait(lambda: written.titles[-1] == "platui test", LONG, "no failure there")


async def test_where_no_notification_is_wanted_nobody_says_that_nothing_happened(
    still_platform: RunningEmulator,
) -> None:
    """The watched projects are not followed then."""
    quiet = NotifySettings(bell=False, title=False, desktop="off")
    app = dashboard(still_platform, clock=FrozenClock(), notify=quiet)
    async with driving(app) as driver:
        await driver.until_at("projects")
        await driver.press("H")
        await driver.until_told("incidents are not followed")


async def test_what_happened_while_away_is_one_line_and_a_list(
    platform_with: PlatformFactory,
) -> None:
    """Since the last key; esc hides the line and goes nowhere; the list opens an incident."""
    clock = Leaping(40.0, NIGHT)
    platform = platform_with(clock=clock)
    ids = some_projects(platform, 12)
    app = dashboard(platform, clock=clock, poll=QUICK)

    async def stay_away(driver: Driver) -> str:
        while "H shows them" not in driver.text:
            clock.leap(timedelta(hours=2))
            await a_round(driver, len(ids))
        return next(line for line in driver.text.splitlines() if "H shows them" in line)

    async with driving(app) as driver:
        await driver.until_at("projects")
        await app.service.triage_state.watch(ids)
        await a_round(driver, len(ids))
        await driver.press("H")
        await driver.until_told("Nothing happened while you were away.")
        line, away = await stay_away(driver), app.while_away
        assert re.match(AWAY, line), line
        await driver.press("down", "escape")
        await driver.until(lambda text: "shows them" not in text)
        assert driver.route.view == "projects"
        assert away._since == away._last_key
        line = await stay_away(driver)
        await driver.press("H")
        await driver.until("While you were away")
        count = sum(map(int, re.findall(r"(\d+) (?:opened|recovered|changed)", line)))
        assert driver.table.total_count >= count
        assert re.search(r"\d\d:\d\d  (opened|recovered|changed its cause)  ", driver.text)
        await driver.press("enter")
        await driver.wait(lambda: driver.route.view in {"log", "jobs"})
        assert "shows them" not in driver.text


async def test_a_pipeline_that_was_asked_for_is_told_when_it_ends(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`W`, whatever is on the screen then; again, no more."""
    monkeypatch.delenv("TMUX", raising=False)
    clock = FastClock(60.0)
    platform = platform_with(clock=clock)
    with api_client(platform) as client:
        new = client.post(in_project(platform, "pipeline"), params={"ref": "main"}).json()
    app = dashboard(
        platform, start=pipelines_of(platform), clock=clock, poll=QUICK,
        notify=NotifySettings(desktop="osc9", title=False),
    )  # fmt: skip
    written = Written(app, monkeypatch)
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        await driver.wait(lambda: driver.table.move_to(str(new["id"])))
        await driver.press("W")
        await driver.until_told(f"Notifying when #{new['id']} is done")
        await driver.press("W")
        await driver.until_told(f"#{new['id']} canceled")
        await driver.press("W")
        await driver.until_told(f"Notifying when #{new['id']} is done")
        await driver.press("2")
        await driver.until_at("projects")
        await driver.wait(lambda: bool(written.notices), LONG, "a notice")
        ended = rf"[✔✖■▶] .*#{new['id']} (succeeded|failed|was canceled|is manual)"
        assert re.match(ended, written.notices[0])
        await driver.until_told(f"#{new['id']}")
        assert written.titles == []
