"""Lists of the access report are sorted by a click on a column head."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.access import access, body_of, fetched
from tests.support.dashboard import driving, lines

from platui_emulator.scenarios import Sizes

if TYPE_CHECKING:
    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

WIDE = (160, 40)

pytestmark = pytest.mark.variants("default", reason="the mouse is the same on each platform")


async def click(driver: Driver, head: str) -> None:
    """Click on a column head, and wait until its sort order is shown."""
    y = driver.table.region.y
    await driver.wait(lambda: head in lines(driver.app)[y])
    line = lines(driver.app)[y]
    before = body_of(driver).content.sort
    await driver.pilot.click(offset=(line.index(head) + 1, y))
    await driver.wait(lambda: body_of(driver).content.sort != before)
    wanted = body_of(driver).content.sort
    await driver.wait(lambda: driver.table.sort == wanted)


def texts(driver: Driver, column: str) -> list[str]:
    """Return the texts of a column, in lower case."""
    keys = [one.key for one in driver.table.nonblank_columns]
    at = keys.index(column)
    return [row.cells[at].text.strip().lower() for row in driver.table.shown_rows]


def counts(driver: Driver, column: str) -> list[int]:
    """Return the numbers of a column."""
    return [int(one.replace(",", "").replace("·", "0")) for one in texts(driver, column)]


async def test_a_head_of_people_sorts_and_again_reverses(desk: RunningEmulator) -> None:
    """Blanks stay last, the search stays, and `S` returns to a named order."""
    async with driving(access(desk), WIDE) as driver:
        await fetched(driver)
        assert driver.table.sort == ("highest", True)
        await click(driver, "USER")
        names = texts(driver, "username")
        assert driver.table.sort == ("username", False)
        assert [one for one in names if one] == sorted(filter(None, names))
        await click(driver, "USER")
        assert driver.table.sort == ("username", True)
        valued = [one for one in texts(driver, "username") if one]
        assert valued == sorted(valued, reverse=True)
        assert texts(driver, "username")[: len(valued)] == valued
        await click(driver, "TOT")
        assert counts(driver, "memberships") == sorted(counts(driver, "memberships"))
        await click(driver, "OWN")
        assert driver.table.sort == ("level:OWNER", False)
        await click(driver, "OWN")
        found = counts(driver, "level:OWNER")
        assert found == sorted(found, reverse=True) != sorted(found)
        await driver.enter("/", "state:blocked")
        await driver.until(" of 84")
        assert driver.table.sort == ("level:OWNER", True)
        await driver.press("S")
        await driver.until("Sort people by")
        await driver.type("domain")
        await driver.press("enter")
        await driver.wait(lambda: driver.table.sort == ("domain", False))


async def test_levels_are_sorted_by_rank(desk: RunningEmulator) -> None:
    """The highest level of people, from nothing to the most, and back."""
    async with driving(access(desk), WIDE) as driver:
        await fetched(driver)
        await click(driver, "NAME")
        await click(driver, "HIGHEST")
        assert driver.table.sort == ("highest", False)
        report = body_of(driver).found.report
        assert report is not None
        ranks = ["none", *(level.lower() for level in report.levels)]
        found = [ranks.index(one) for one in texts(driver, "highest")]
        assert found == sorted(found)
        await click(driver, "HIGHEST")
        found = [ranks.index(one) for one in texts(driver, "highest")]
        assert found == sorted(found, reverse=True)


async def test_heads_of_groups_sort_inside_each_group(desk: RunningEmulator) -> None:
    """A tree stays a tree; what a search found is one list."""
    async with driving(access(desk), WIDE) as driver:
        await fetched(driver)
        await driver.press("tab")
        await driver.until("▾ acme/")
        await click(driver, "DIR")
        assert texts(driver, "place_path")[0] == "▾ acme/"
        below = counts(driver, "members")[1:]
        assert below == sorted(below)
        await click(driver, "DIR")
        assert counts(driver, "members")[1:] == sorted(below, reverse=True)
        await driver.enter("/", "kind:project")
        await driver.until(" of 98")
        found = counts(driver, "members")
        assert found == sorted(found, reverse=True)
        await click(driver, "GROUP OR PROJECT")
        assert texts(driver, "place_path") == sorted(texts(driver, "place_path"))


async def test_heads_of_members_and_memberships_sort(desk: RunningEmulator) -> None:
    """On the page of a group, and on that of a person; the cursor stays on its row."""
    async with driving(access(desk), WIDE) as driver:
        await fetched(driver)
        await driver.press("tab")
        await driver.until("▾ acme/")
        await driver.press("enter")
        await driver.until("in it and below")
        before = driver.cursor
        await click(driver, "NAME")
        assert texts(driver, "name") == sorted(texts(driver, "name"))
        assert driver.cursor == before
        await click(driver, "SOURCE")
        assert texts(driver, "held") == sorted(texts(driver, "held"))
        await driver.press("enter")
        await driver.wait(lambda: driver.route.view == "person" and driver.table.total_count > 0)
        await driver.wait(lambda: driver.table.sort == ("level", True))
        await click(driver, "PATH")
        await click(driver, "PATH")
        assert texts(driver, "path") == sorted(texts(driver, "path"), reverse=True)
        await driver.press("S")
        await driver.wait(lambda: driver.table.sort == ("path", False))


async def test_tens_of_thousands_are_sorted(platform_with: PlatformFactory) -> None:
    """Only rows in sight are made, and the last one is one key away."""
    platform = platform_with(scenario="huge-report", sizes=Sizes(report_users=20_000))
    async with driving(access(platform), WIDE) as driver:
        await fetched(driver)
        await click(driver, "TOT")
        await click(driver, "TOT")
        found = [int(row.cells[-2].text.replace(",", "")) for row in driver.table.shown_rows[:50]]
        assert found == sorted(found, reverse=True)
        await driver.press("G")
        await driver.wait(lambda: driver.table.visible_keys()[-1] == driver.cursor)
