"""Access: what changed since an earlier report, what is exported, and which reports are kept."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from tests.support.access import access, body_of, fetched, is_settled
from tests.support.clock import FakeClock
from tests.support.dashboard import driving, lines
from tests.texts.dialogs import FILE_EXISTS
from tests.texts.screens import DELETE_REPORT, NO_EARLIER_REPORT, WHICH_REPORT

from platui.config.settings import ReportSettings
from platui.ui.controllers.view_keys import view_command
from platui.ui.dialogs import save as replacing
from platui.ui.dialogs.question import QuestionDialog
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

DAY = 86_400

pytestmark = pytest.mark.variants("default", reason="they know by name who is in the report")


async def fetched_again(driver: Driver, clock: FakeClock, days: int, at: str) -> None:
    """Fetch another day's report, and wait until it is the one shown, and among the saved ones."""
    clock.jump(days * DAY)
    await driver.press("r")
    await driver.until(f" {at} ")
    await driver.wait(lambda: is_settled(driver) and is_listed(driver))


def is_listed(driver: Driver) -> bool:
    """Return whether the report that is shown is one of those to choose from."""
    observed = body_of(driver).observed
    return observed.report is not None and observed.report.info in observed.saved


async def test_what_changed_is_listed_arranged_searched_and_opened(
    platform_with: PlatformFactory,
) -> None:
    """Since the report before, or another; new owners first, every planted change among them."""
    clock = FakeClock()
    platform = platform_with(clock=clock)
    async with driving(access(platform, clock=clock)) as driver:
        await fetched(driver)
        await driver.press("c")
        await driver.until(NO_EARLIER_REPORT)
        await fetched_again(driver, clock, 5, "19 Mar 03:12 UTC")
        await fetched_again(driver, clock, 5, "24 Mar 03:12 UTC")
        await driver.until("Changes since 19 Mar 03:12 UTC  +10 −10")
        await driver.until_told("10 joined, 10 left, 5 blocked since 19 Mar 03:12 UTC · c: show")
        assert "new owners 6 · joined 10 · left 10 · blocked 5" in driver.text
        first = lines(driver.app)[5:13]
        assert "NEW OWNERS" in first[0]
        assert "none → OWNER" in first[1]
        assert "JOINED" in first[7]
        await driver.press("b")
        await driver.until("Show changes since")
        await driver.press("down", "enter")
        await driver.until("Changes since 14 Mar 03:12 UTC  +20 −20")
        await driver.press("S")
        await driver.until("Group changes by")
        await driver.type("by person")
        await driver.press("enter")
        await driver.until("by person")
        body = body_of(driver)
        for words in ("raised", ""):
            body.found.words = words
            body.found.refresh()
            body.feeds.drop("search")  # before it has begun: it does not count as under way
            body.found.refresh()
            await driver.wait(lambda: not body.found.is_searching)
        await driver.enter("/", "raised owner")
        await driver.until(" of ")
        rows = driver.table.shown_rows
        assert all("→ OWNER" in row.cells[2].text for row in rows if "raised" in row.cells[0].text)
        name = rows[0].cells[0].text
        # The name stands above what changed for that person, and left of it.
        assert [line.index(name) for line in lines(driver.app)[5:6]] == [1]
        assert lines(driver.app)[6].startswith("   raised")
        await driver.press("j", "enter")
        await driver.until("memberships  ")
        assert driver.route.view == "person"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of the test's own, where questions count as read at once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(replacing, "READING", 0.0)
    return tmp_path


async def searched_is_exported(driver: Driver, here: Path) -> None:
    """Search the page of a group, and export what was found over what is there."""
    every = driver.table.total_count
    one = driver.table.shown_rows[0].cells[0].text.split()[0].lower()
    await driver.enter("/", one)
    await driver.wait(lambda: 0 < driver.table.total_count < every)
    await driver.press("x")
    await driver.until(f"with {one}")
    await driver.press("enter")
    await driver.wait(lambda: isinstance(driver.app.screen, replacing.SaveDialog))
    await driver.press("enter")
    await driver.until(FILE_EXISTS)
    await driver.press("enter")
    await driver.until_told(f"({driver.table.total_count} row")
    found = (here / "access-effective-acme-platform-2026-03-14.csv").read_text("utf-8")
    assert f"#,search,{one}\n" in found


async def test_what_is_listed_is_exported(platform_with: PlatformFactory, here: Path) -> None:
    """Those found and no others, in each form; a file that is there goes after a question only."""
    async with driving(access(platform_with(clock=FakeClock()))) as driver:
        await fetched(driver)
        await driver.enter("/", "level:owner state:blocked")
        await driver.until("People 4 of 84")
        await driver.press("x")
        await driver.until("the 4 people found")
        await driver.press("enter")
        await driver.wait(lambda: isinstance(driver.app.screen, replacing.SaveDialog))
        await driver.press("enter")
        await driver.until_told("(4 rows)")
        text = (here / "access-people-2026-03-14.csv").read_text("utf-8")
        assert "not for security auditing" in text
        assert len([row for row in csv.reader(text.splitlines()) if "blocked" in row]) == 4
        await driver.press("x", "down", "enter")
        await driver.wait(lambda: isinstance(driver.app.screen, replacing.SaveDialog))
        await driver.press("tab")
        await driver.until("access-memberships-2026-03-14.jsonl")
        await driver.press("enter")
        await driver.until_told("memberships-2026-03-14.jsonl")
        whole = (here / "access-memberships-2026-03-14.jsonl").read_text("utf-8")
        assert all(json.loads(line) for line in whole.splitlines())
        await driver.press("tab")
        await driver.until("▾ acme/")
        await driver.press("x")
        await driver.wait(lambda: isinstance(driver.app.screen, replacing.SaveDialog))
        (here / "access-places-2026-03-14.csv").write_text("mine")
        await driver.press("enter")
        await driver.until(FILE_EXISTS)
        await driver.press("enter")
        await driver.until_told("(98 rows)")
        await driver.press("j", "enter")
        await driver.until("in it and below")
        await driver.press("x")
        await driver.until("12 direct members of acme/platform, and ")
        await driver.press("enter")
        await driver.wait(lambda: isinstance(driver.app.screen, replacing.SaveDialog))
        await driver.press("enter")
        await driver.until_told("access-effective-acme-platform-2026-03-14.csv")
        every = (here / "access-effective-acme-platform-2026-03-14.csv").read_text("utf-8")
        assert '#,scope,"direct and inherited members;' in every
        rows = csv.DictReader(line for line in every.splitlines() if not line.startswith("#"))
        listed = [row["is_direct"] for row in rows]
        assert (listed.count("true"), len(listed)) == (12, driver.table.total_count)
        await searched_is_exported(driver, here)


async def test_another_saved_report_is_looked_at_and_one_is_forgotten(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a question; where it is the one shown, the newest takes its place.

    What goes without one, since it is older than what is to be kept, is told.
    """
    monkeypatch.setattr("platui.ui.key_guard.REACTION_SECONDS", -60.0)
    clock = FakeClock()
    few = ReportSettings(keep=2, keep_monthly=1)
    app = access(platform_with(clock=clock), clock=clock, reports=few)
    async with driving(app) as driver:
        await fetched(driver)
        await fetched_again(driver, clock, 5, "19 Mar 03:12 UTC")
        await driver.press("v")
        await driver.until(DELETE_REPORT)
        await driver.press("down", "enter")
        await driver.until("◌ fetched 5d ago")
        assert " 14 Mar 03:12 UTC " in driver.text
        assert "508 memberships" in driver.text
        # The command that opens this view again names the report, and leads to it.
        people = body_of(driver)
        older = people.context.current_route().report
        assert f"report={older}" in view_command(people)
        await driver.press("v")
        await driver.until(DELETE_REPORT)
        await driver.press("enter")
        await driver.until(" 19 Mar 03:12 UTC ")
        assert people.context.current_route().report == ""
        await driver.enter(":", f"groups report={older}")
        await driver.until_route("groups")
        groups = body_of(driver)
        await driver.wait(lambda: groups.context.current_route().report == older)
        await driver.press("left_square_bracket")
        await driver.until(" 14 Mar 03:12 UTC ")
        await driver.press("v")
        await driver.until(DELETE_REPORT)
        await driver.type("delete")
        await driver.press("enter")
        await driver.until(WHICH_REPORT)
        await driver.press("down", "enter")
        await driver.wait(lambda: isinstance(driver.app.screen, QuestionDialog))
        await driver.until("of 14 Mar 03:12 UTC?")
        await driver.press("y")
        await driver.until(" 19 Mar 03:12 UTC ")
        await driver.press("v")
        await driver.until("Saved reports")
        menu = driver.app.screen.query_one(Table)
        assert not any("14 Mar" in row.cells[0].text for row in menu.shown_rows)
        await driver.press("escape")
        await fetched_again(driver, clock, 5, "24 Mar 03:12 UTC")
        await fetched_again(driver, clock, 5, "29 Mar 03:12 UTC")
        await driver.until_told("Deleted: the report of 19 Mar 03:12 UTC.")
