"""Access: groups and projects as a tree, and the pages of people and places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.access import access, fetched
from tests.support.dashboard import driving, lines
from tests.texts.screens import NO_ACCESS_REPORT

from platui.models.values.routes import Route

if TYPE_CHECKING:
    from tests.support.dashboard import Driver

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="they know by name who is in the report")


def body(driver: Driver) -> list[str]:
    """Return the lines of the table in sight."""
    return lines(driver.app)[5:22]


async def test_from_a_person_to_a_place_to_another_person_and_back(desk: RunningEmulator) -> None:
    """Every step shows what the report knows; `esc` goes back step by step."""
    async with driving(access(desk)) as driver:
        await fetched(driver)
        await driver.press("j", "j", "enter")
        await driver.until("Access › Aisha Khan")
        await driver.until("16 memberships")
        assert "a.khan@acme.example · id 2002" in driver.text
        assert "service identity 6dff6ef5" in driver.text
        raised = {row.cells[2].text: row.cells[3].text for row in driver.table.shown_rows}
        assert raised.pop("acme/product/ml/ml-recommendations") == "MAINTAINER via acme/product/ml"
        assert "" in raised.values()  # it is said where it is another level
        await driver.press("d")
        await driver.until("owner of")
        await driver.press("escape", "S")
        await driver.until("PATH▲")
        await driver.press("S")
        await driver.until("LEVEL▼")
        assert [line.split()[0] for line in body(driver)[:4]] == ["OWNER"] * 4
        await driver.enter("/", "owner platform")  # finds one, and so opens it
        await driver.until("3 owners (1 direct, 2 inherited)")
        assert "acme/platform/shared/pipeline-templates · project" in driver.text
        assert [line.split()[0] for line in body(driver)[:4]] == [*["OWNER"] * 3, "MAINTAINER"]
        assert "via acme/platform" in body(driver)[2]  # an owner by that group, not here
        await driver.press("S")
        await driver.until("Sort members by")
        await driver.type("direct members")
        await driver.press("enter")
        await driver.until("direct first")
        assert [row.cells[-1].text for row in driver.table.shown_rows[:2]] == ["direct", "direct"]
        await driver.press("j", "enter")
        await driver.until("Access › Giulia Romano")
        await driver.press("escape")
        await driver.until("3 owners (1 direct, 2 inherited)")
        await driver.press("escape")
        await driver.until("Access › Aisha Khan")
        await driver.press("escape")  # the search is another person's now
        await driver.until("People 84")
        assert "Aisha Khan" in str(driver.table.cursor_row)


async def test_another_place_opens_at_the_top(desk: RunningEmulator) -> None:
    """It opened scrolled to the person that was selected in the list before, past its owners."""
    async with driving(access(desk), (80, 14)) as driver:
        await fetched(driver)
        await driver.press("tab")
        await driver.until("▾ acme/")
        await driver.press("enter")
        await driver.wait(lambda: driver.route.view == "members" and driver.table.total_count > 9)
        place = driver.route
        await driver.press("G")
        await driver.wait(lambda: driver.cursor == driver.table.shown_rows[-1].key)
        await driver.press("escape", "j", "enter")
        await driver.wait(lambda: driver.route.view == "members" and driver.route != place)
        await driver.wait(lambda: driver.table.total_count > 0)
        await driver.settle()
        first = driver.table.shown_rows[0].key
        assert (driver.cursor, driver.table.visible_keys()[0]) == (first, first)


async def test_groups_open_and_close_and_are_found_wherever_they_lie(
    desk: RunningEmulator,
) -> None:
    """What is counted beside a group is counted in all below; the cursor keeps its place."""
    async with driving(access(desk)) as driver:
        await fetched(driver)
        await driver.press("tab")
        await driver.until("▾ acme/")  # the only one at the top
        first = body(driver)[0].split()
        assert sum(map(int, first[3:8])) == 508
        await driver.press("j", "j", "right")
        await driver.until("▾ ingestion/")
        await driver.press("right", "left")
        await driver.wait(lambda: "ingestion" in str(driver.table.cursor_row))
        await driver.press("left")
        await driver.until("▸ ingestion/")
        await driver.press("left", "left")
        await driver.until("▸ acme/")
        assert driver.table.total_count == 1
        await driver.enter("/", "user:khan kind:group")
        await driver.until(" of 98")
        assert "acme/platform/" in driver.text
        await driver.press("enter")
        await driver.until("in it and below")
        assert driver.route.view == "members"
        await driver.press("e")
        await driver.until("/group:acme/platform")
        await driver.until(" of 84")
        await driver.press("escape", "escape")
        await driver.until("in it and below")
        await driver.press("escape")
        await driver.until("/user:khan kind:group")
        await driver.press("escape", "shift+tab")
        await driver.until("by highest level")
        await driver.enter(":", "groups /kind:project depth:1")
        await driver.until("/kind:project depth:1")
        await driver.enter("/", " members:x")
        await driver.until(lambda text: "members:x" in text and "not for security" not in text)


async def test_a_page_stays_about_the_same_one_in_the_next_report(desk: RunningEmulator) -> None:
    """Whom a report lacks has a page that says so; a fetch goes on beside the page."""
    async with driving(access(desk)) as driver:
        await fetched(driver)
        await driver.press("j", "j", "enter")
        await driver.until("Access › Aisha Khan")
        await driver.press("r")
        await driver.until_told("This is still the newest report.")
        assert "Access › Aisha Khan" in driver.text
        await driver.press("y")
        await driver.until_told("clipboard")
        await driver.press("space", "space")
        await driver.until("2 marked")
        await driver.press("escape")
        await driver.until(lambda text: "marked" not in text)


@pytest.mark.parametrize(
    ("view", "entry"), [("person", "alice"), ("members", "group data/etl"), ("person", "9" * 5000)]
)
async def test_an_entry_without_an_id_is_not_in_the_report(
    desk: RunningEmulator, view: str, entry: str
) -> None:
    """As a command may have it: `:person entry=alice`."""
    async with driving(access(desk, start=Route(view, entry=entry))) as driver:
        await driver.until(NO_ACCESS_REPORT)
        await driver.press("r")
        await driver.until(f"This report does not contain {entry[:20]}")
