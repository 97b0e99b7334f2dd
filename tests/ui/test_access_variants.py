"""Access on the platform's other variants, and what is said where a report is not to be had."""

from __future__ import annotations

import json
from contextlib import aclosing
from itertools import cycle
from typing import TYPE_CHECKING, Any, Final

import pytest
from rich.cells import cell_len
from tests.support.access import access, body_of, fetched
from tests.support.clock import FakeClock
from tests.support.dashboard import dashboard, driving, lines
from tests.support.platform import ask, credentials
from tests.support.report_texts import write_reports
from tests.texts.screens import DELETE_REPORT, NO_ACCESS_REPORT, NO_EARLIER_REPORT, WHICH_REPORT

from platui.config.settings import CacheSettings
from platui.models.values.routes import Route
from platui.ui.dialogs.question import QuestionDialog
from platui.ui.widgets.bar import Notice
from platui_emulator.http.variants.attacks import poisoned

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.dashboard import Driver

    from platui.service.access.reports import Reports
    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator


EVIL: Final = poisoned("evil")
"""A text with everything in it that a terminal should never see."""


def evil_report() -> bytes:
    """Return a report of the right shape, every text of it an attack."""
    users = {
        str(id_): {
            "name": f"{EVIL} {id_}", "username": EVIL, "email": f"{EVIL}@{EVIL}", "state": EVIL,
            "service_identity_uuid": EVIL,
        }
        for id_ in range(1, 40)
    }  # fmt: skip
    levels = zip(users, cycle((EVIL, "OWNER")))
    members = {id_: {"max_access_level": level} for id_, level in levels}
    inner = {"name": EVIL, "path": f"{EVIL}/{EVIL}", "members": members}
    projects = {"7": inner}
    group = {"name": EVIL, "path": EVIL, "members": members, "projects": projects}
    groups = {"1": {**group, "subgroups": {"2": {**group, "projects": None}}}}
    return json.dumps({"platform": {"groups": groups}, "users": users}).encode()


@pytest.fixture(params=["narrow", "evil"])
async def other(
    request: pytest.FixtureRequest, narrow_platform: RunningEmulator, tmp_path: Path
) -> PlatuiApp:
    """Return a dashboard on the report of another variant, which is saved already."""
    kept: dict[str, Any] = {"cache": CacheSettings(disk=True), "remembers": True}
    if request.param == "narrow":
        return access(narrow_platform, **kept)
    app = access(narrow_platform, **kept)
    file = tmp_path / "evil.json"
    file.write_bytes(evil_report())
    await import_file(await app.service.access_reports.open_saved(), file)
    return app


async def import_file(reports: Reports, file: Path) -> None:
    """Save a report that is in a file."""
    async with aclosing(reports.import_file(file)) as states:
        async for _ in states:
            pass


def is_safe(driver: Driver) -> bool:
    """Return whether every line of the screen is as wide as it should be, and harmless."""
    shown = lines(driver.app)
    width = driver.app.size.width
    return all(cell_len(line) <= width and "\x1b" not in line for line in shown)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_every_view_of_a_report_opens_on_every_variant(
    other: PlatuiApp, size: tuple[int, int]
) -> None:
    """People, a person, groups, members and changes; all texts are attacks on one of them."""
    async with driving(other, size) as driver:
        await driver.until(lambda text: NO_ACCESS_REPORT in text or "by highest level" in text)
        if NO_ACCESS_REPORT in driver.text:
            await fetched(driver)
        assert is_safe(driver)
        await driver.press("S")
        await driver.until("Sort people by")
        await driver.type("memberships")
        await driver.press("enter")
        await driver.until("by memberships")
        await driver.press("enter")
        await driver.until("service identity")
        assert is_safe(driver)
        await driver.press("enter")
        await driver.until(lambda text: "in it" in text or "members " in text)
        assert is_safe(driver)
        await driver.press("escape", "escape")
        await driver.until("by highest level")
        await driver.press("f")
        await driver.wait(lambda: is_safe(driver))
        await driver.press("escape" if size[0] == 80 else "left")
        await driver.press("tab")
        await driver.until("DIRECT")
        await driver.press("right", "j", "Y")
        await driver.until("Copy")
        assert is_safe(driver)
        await driver.press("escape", "d")
        await driver.until("limits of the report")
        assert is_safe(driver)
        await driver.press("escape", "tab")
        await driver.until(NO_EARLIER_REPORT)


@pytest.mark.variants("default", reason="another variant is refused otherwise")
async def test_what_to_ask_support_for_is_said(desk: RunningEmulator) -> None:
    """A key without the scope, and an organization that has not opted in."""
    keys = credentials(desk)
    without = next(str(keys[name]) for name in keys if "admin" in name and "scope" in name)
    async with driving(access(desk, key=without)) as driver:
        await driver.until(NO_ACCESS_REPORT)
        await driver.press("r")
        await driver.until("for a key with the scope")
    ask("POST", f"{desk.base_url}/-/emulator/reporting", json={"enabled": False})
    async with driving(access(desk)) as driver:
        await driver.until(NO_ACCESS_REPORT)
        await driver.press("r")
        await driver.until("support to enable reporting")


async def test_a_saved_report_is_there_without_the_platform(desk: RunningEmulator) -> None:
    """With its age; a fetch says that nobody answers, and leaves it on the screen."""
    clock = FakeClock()
    kept: dict[str, Any] = {"cache": CacheSettings(disk=True), "remembers": True, "clock": clock}
    async with driving(access(desk, **kept)) as driver:
        await driver.until(NO_ACCESS_REPORT)
        driver.app.exit(0)
    clock.jump(60)
    async with driving(access(desk, **kept)) as driver:
        await driver.until(NO_ACCESS_REPORT)
        assert "stale" not in lines(driver.app)[0]  # there is nothing that could be
        await fetched(driver)
    clock.jump(3 * 86_400)
    away = "http://127.0.0.1:9/admin"
    async with driving(access(desk, url=away, **kept)) as driver:
        await driver.until("by highest level")
        assert "◌ fetched 3d ago" in driver.text
        await driver.press("r")
        await driver.until("retry")
        assert driver.table.total_count > 0
        await driver.press("o")
        await driver.until_told("/admin/api/v1/docs")


async def test_a_damaged_report_is_said_and_can_be_let_go(
    desk: RunningEmulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one before it is shown, with a word; it is listed, and is gone when one says so."""
    monkeypatch.setattr("platui.ui.key_guard.REACTION_SECONDS", -60.0)
    app = access(desk, cache=CacheSettings(disk=True), remembers=True)
    reports = await app.service.access_reports.open_saved()
    monkeypatch.setattr("platui.ui.screens.access.observed_report._CHECK_EVERY", 0.05)
    for file in write_reports(tmp_path):
        await import_file(reports, file)
    newest, before = await reports.saved()
    (reports.folder / newest.id / "info.json").write_bytes(b"{")
    async with driving(app, (120, 40)) as driver:
        await driver.until_told("An earlier one is shown.")
        await driver.until("3 people")
        driver.app.clear_notifications()
        await driver.press("tab")
        await driver.until("DIRECT")
        assert "An earlier one" not in driver.told
        assert before.people == 3
        await driver.wait(lambda: bool(body_of(driver).observed.saved))
        await driver.press("v")
        await driver.until("Saved reports")
        assert any("08 Mar" in line and "damaged" in line for line in lines(driver.app))
        await driver.press("enter")
        await driver.until_told("is damaged (info.json).")
        await driver.press("v")
        await driver.until(DELETE_REPORT)
        await driver.type("delete")
        await driver.press("enter")
        await driver.until(WHICH_REPORT)
        await driver.press("enter")
        await driver.wait(lambda: isinstance(driver.app.screen, QuestionDialog))
        await driver.until("of 08 Mar 20:00 UTC?")
        await driver.press("y")
        await driver.wait(lambda: not (reports.folder / newest.id).exists())
        await driver.wait(lambda: not driver.app.screen.query_one(Notice).text)
        await driver.until("3 people")
        later = tmp_path / "later.json"
        later.write_bytes(evil_report())
        await import_file(reports, later)  # as a command beside the dashboard does
        await driver.until_told("it is shown now.")
        await driver.until("39 people")


async def test_nothing_of_the_area_needs_a_project_or_a_token(desk: RunningEmulator) -> None:
    """Its keys are its own, and those that write say nothing was there to write."""
    async with driving(access(desk, token="")) as driver:
        await fetched(driver)
        assert "✔ fetched" in lines(driver.app)[0]
        await driver.press("X", "R", "N", "T")
        assert driver.route == Route("access")
        await driver.press("4")
        await driver.until_told("Select a project first")


async def test_a_profile_without_the_administration_api_says_so(desk: RunningEmulator) -> None:
    """At once, before a key was pressed."""
    app = dashboard(desk, start=Route("access"), clock=FakeClock())
    async with driving(app) as driver:
        await driver.until("has no admin_url")
        await driver.press("o")
        await driver.until_told("has no admin_url")
