"""Access: the report is fetched, searched, sorted and kept, and what is in the way is said."""

from __future__ import annotations

import threading
import unicodedata
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.access import ACCESS, access, body_of, fetched
from tests.support.clock import FakeClock
from tests.support.dashboard import PATIENCE, Elsewhere, dashboard, driving, lines
from tests.support.faults import fault
from tests.texts.screens import NO_ACCESS_REPORT

from platui.models.values.access import PEOPLE_TERMS
from platui.ui.screens.access.people import PeopleList
from platui.ui.widgets.table import Table
from platui_emulator.scenarios import Sizes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

WIDE = (120, 40)

pytestmark = pytest.mark.variants("default", reason="they know by name who is in the report")


async def test_a_report_is_fetched_searched_and_sorted(desk: RunningEmulator) -> None:
    """By typed terms, by what those found have in common, and in another order."""
    async with driving(access(desk)) as driver:
        await fetched(driver)
        assert "84 people · 10 groups · 88 projects · 508 memberships" in driver.text
        assert "not for security auditing" in driver.text
        assert "✔ fetched 0s ago" in lines(driver.app)[0]
        await driver.enter("/", "level:owner state:blocked")
        await driver.until("People 4 of 84")
        body = body_of(driver)
        body.found.words += " x"  # typed, and not looked for yet
        assert body.content.tab_text("access") == "… of 84"
        body.found.words = body.found.words.removesuffix(" x")
        assert body.content.tab_text("access") == "4 of 84"
        assert all("blocked" in line for line in lines(driver.app)[5:9])
        await driver.press("f")
        await driver.until("Add a filter")
        await driver.type("highest")
        await driver.press("enter")
        await driver.until("/level:owner state:blocked highest:OWNER")
        await driver.press("escape")
        await driver.until("People 84  ")
        await driver.press("S")
        await driver.until("Sort people by")
        await driver.type("most")
        await driver.press("enter")
        await driver.until("by memberships")
        counts = [
            sum(int(cell.text) for cell in row.cells if cell.text.isdecimal())
            for row in driver.table.shown_rows
        ]
        assert counts == sorted(counts, reverse=True)


async def test_what_cannot_be_read_is_said_where_it_was_typed(desk: RunningEmulator) -> None:
    """The rows of before stay, and so does what was typed."""
    async with driving(access(desk)) as driver:
        await fetched(driver)
        await driver.press("slash")
        await driver.until(" terms  level: highest: group:")
        await driver.press("question_mark")
        await driver.until("Search terms")
        await driver.type("has this state")
        await driver.press("enter")
        await driver.until(" /state:  ")
        await driver.type("b?ocked")  # a sign like any other, once a word has begun
        await driver.until("/state:b?ocked")
        await driver.press(*["backspace"] * 13)
        await driver.type("state")
        await driver.until("has this state")
        await driver.press("escape")
        await driver.until("not for security auditing")
        await driver.enter("/", "ada level:ownr")
        await driver.until('Unknown level "ownr".')
        assert "Did you mean owner?" in driver.text
        assert " /ada" in driver.text
        assert "/ada level:ownr" not in driver.text
        assert driver.table.total_count == 1  # as the last search that could be read
        await driver.press("slash")
        await driver.until(" /ada level:ownr")
        await driver.press("backspace", "e", "r")
        await driver.until("not for security auditing")
        await driver.press("escape")
        await driver.until("People 84  ")
        await driver.enter("/", "-state:activ")
        await driver.until("No person with state activ; known: active, blocked")
        assert "People 84 of 84" in driver.text  # all of them, which is why it is said
        await driver.press("escape", "tab")
        await driver.until("▾ acme/")
        await driver.enter("/", "user:nobodi")
        await driver.until("User nobodi not found")
        await driver.press("escape")
        await driver.enter("/", "state:blocked")
        await driver.until("state: is a term for people")
        await driver.press("b")
        await driver.until_told("in Changes: press c")


async def test_a_key_right_after_a_search_is_not_followed_by_what_it_found(
    desk: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leave the view or enter the search again: the search is stopped, or opens its row once."""
    release, search = threading.Event(), PeopleList.search

    def slowly(*arguments: Any) -> Callable[[], Any]:
        find = search(*arguments)
        return lambda: release.wait(PATIENCE) and find()

    async with driving(access(desk)) as driver:
        await fetched(driver)
        monkeypatch.setattr(PeopleList, "search", slowly)
        await driver.enter("/", "a.khan@acme.example")
        await driver.press("2")
        await driver.until_at("projects")
        release.set()
        await driver.press("6")
        await driver.until("People 1 of 84")
        await driver.settle()
        assert driver.route.view == "access"
        release.clear()
        await driver.press("slash", "backspace", "enter")
        await driver.press("slash", "enter")
        release.set()
        await driver.until("Access › Aisha Khan")
        await driver.press("escape")
        await driver.until("People 1 of 84")


async def test_the_help_lists_the_terms(desk: RunningEmulator) -> None:
    """And the area is one key from anywhere, and a word."""
    async with driving(access(desk, start=None)) as driver:
        await driver.until_at("projects")
        await driver.press("6")
        await driver.until(NO_ACCESS_REPORT)
        await driver.press("question_mark")
        await driver.until("Keys and commands")
        await driver.type("domain:")
        await driver.until("the domain of the e-mail")
        shown = driver.app.screen.query_one(Table).shown_rows
        whole = " ".join(row.cells[-1].text for row in shown)  # over several lines
        assert all(term.meaning in whole for term in PEOPLE_TERMS if term.field == "domain")
        await driver.press("escape")
        await driver.press("2")
        await driver.until_at("projects")
        await driver.enter(":", "report /level:owner")
        await driver.until(NO_ACCESS_REPORT)
        await driver.press("r")
        await driver.until("People 39 of 84")


async def test_facets_stand_beside_the_people_where_there_is_room(desk: RunningEmulator) -> None:
    """Each is a term; chosen again it is taken back, and of one field there is one."""
    async with driving(access(desk), WIDE) as driver:
        await fetched(driver)
        await driver.press("right")
        facets = driver.app.screen.query_one("#facets")
        await driver.wait(lambda: facets.has_focus)
        await driver.press("j", "enter")
        await driver.until("People 39 of 84")
        await driver.press("enter")
        await driver.until("People 84  ")
        await driver.press("left")
        await driver.wait(lambda: driver.table.has_focus)


async def test_another_report_keeps_the_cursor_on_the_same_person(
    platform_with: PlatformFactory,
) -> None:
    """Fetched anew, also where somebody before them left; and the same is said to be the same."""
    clock = FakeClock()
    async with driving(access(platform_with(clock=clock), clock=clock)) as driver:
        await fetched(driver)
        # The highest level first, then by name; the cursor did not follow whom it was on
        # while nobody had a level yet.
        levels = [row.cells[3].text for row in driver.table.shown_rows]
        names = [row.cells[0].text for row in driver.table.shown_rows]
        owners = levels.count("OWNER")
        assert set(levels[:owners]) == {"OWNER"}
        assert names[:owners] == sorted(names[:owners], key=without_accents)
        assert cursor_name(driver) == names[0]
        clock.jump(3600)
        body_of(driver).host.update_header()
        assert "fetched 1h ago" in lines(driver.app)[0]
        await driver.press("r")
        await driver.until_told("This is still the newest report.")
        await driver.until("✔ fetched 0s ago")
        driver.table.move_to(driver.table.shown_rows[70].key)
        name = driver.table.shown_rows[70].cells[0].text
        clock.jump(timedelta(days=6).total_seconds())
        await driver.press("r")
        await driver.until("20 Mar")
        await driver.wait(lambda: cursor_name(driver) == name)


def without_accents(name: str) -> str:
    """Return a name as it is sorted: an accent is not another letter."""
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()


def cursor_name(driver: Driver) -> str:
    """Return the name in the row of the cursor."""
    row = driver.table.cursor_row
    return row.cells[0].text if row is not None else ""


async def test_why_there_is_no_report_is_said_with_what_to_ask_for(desk: RunningEmulator) -> None:
    """No address, no key, a wrong one, one without the scope, not opted in: each its sentence."""
    async with driving(dashboard(desk, start=ACCESS, clock=FakeClock())) as driver:
        await driver.until("has no admin_url")
        assert "search" not in lines(driver.app)[-1]  # there is nothing to search
        assert "r fetch" in lines(driver.app)[-1]
        await driver.press("A")
        await driver.until_told("an organization API key, not an access token")
        assert "PLATUI_ADMIN_URL" in driver.text
    for key, said in (
        ("", "No organization API key"),
        ("wrong", "does not accept this key"),
    ):
        async with driving(access(desk, key=key)) as driver:
            await driver.until(NO_ACCESS_REPORT)
            await driver.press("r")
            await driver.until(said)
            assert "r  retry" in driver.text


async def test_a_fetch_that_is_stopped_or_cut_leaves_the_report_of_before(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the first fetch there is none; later the one of before stays, with what went wrong."""
    monkeypatch.setattr("platui.ui.key_guard.REACTION_SECONDS", -60.0)
    clock = FakeClock()
    relayed = platform_with(clock=clock, faults_port=0)
    there = Elsewhere(relayed.base_url, relayed.token)
    url = f"{relayed.faults_url}/admin"
    app = dashboard(there, start=ACCESS, clock=clock, admin_url=url, admin_key=relayed.admin_key)
    async with driving(app) as driver:
        with fault(relayed, "hang"):
            await driver.until(NO_ACCESS_REPORT)
            await driver.press("r")
            await driver.until("Requesting the report")
            await driver.press("2")
            await driver.until_at("projects")
            await driver.press("q")
            await driver.until("Leave while the access report is loading?")
            await driver.press("escape", "6")
            await driver.until("Requesting the report")
            await driver.press("escape")
            await driver.until_told("Stopped.")
        await fetched(driver)
        clock.jump(timedelta(days=2).total_seconds())
        with fault(relayed, "truncated"):
            await driver.press("r")
            await driver.until("retry")
        error = body_of(driver).observed.state.error
        assert error is not None
        await driver.until_told(error.sentence)
        assert driver.table.total_count == 84
        assert "◌ fetched 2d ago" in lines(app)[0]


async def test_tens_of_thousands_are_shown_before_their_memberships(
    platform_with: PlatformFactory,
) -> None:
    """Only rows in sight are made; the end is one key away."""
    platform = platform_with(scenario="huge-report", sizes=Sizes(report_users=20_000))
    async with driving(access(platform)) as driver:
        await fetched(driver)
        assert driver.table.total_count >= 20_000
        await driver.press("G")
        await driver.wait(lambda: driver.table.visible_keys()[-1] == driver.cursor)
        await driver.enter("/", "level:owner")
        await driver.until(" of 20,")
