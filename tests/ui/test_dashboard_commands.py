"""What is typed or pasted after `:`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project

from platui.ui.verbs import VERBS

if TYPE_CHECKING:
    from platui_emulator.server import RunningEmulator

PROJECT = "acme/finance/finance-dbt"


async def test_an_area_of_a_project_opens(still_platform: RunningEmulator) -> None:
    """`:pipelines group/name`, from anywhere."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", f"pipelines {PROJECT}")
        await driver.until_at("pipelines")
        assert "finance-dbt › Pipelines" in driver.text
        assert driver.route.project == PROJECT


async def test_an_area_opens_filtered(still_platform: RunningEmulator) -> None:
    """`:pipelines group/name /failed`."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", f"pipelines {PROJECT} /failed")
        await driver.until("/failed hides")
        rows = driver.table.shown_rows
        assert rows
        assert all("failed" in row.cells[0].text for row in rows)


async def test_an_area_without_a_project_takes_the_one_at_hand(
    still_platform: RunningEmulator,
) -> None:
    """`:jobs` on a pipelines page are jobs of that project."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        await driver.enter(":", "jobs")
        await driver.until_at("jobs")
        assert driver.route.project == still_platform.project


async def test_requests_lists_what_was_asked(still_platform: RunningEmulator) -> None:
    """Method, path and status of every request; esc leads back."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "requests")
        await driver.until_at("requests")
        await driver.press("G")  # the newest stand first, and there are ever more of them
        await driver.until("projects?members")
        assert "200" in driver.text
        assert still_platform.token not in driver.text
        assert f" {driver.table.total_count} shown " in driver.text
        is_of_platform = driver.app.service.budget.value.from_server
        assert ("(platform's count)" if is_of_platform else "last minute (own") in driver.text
        await driver.enter("/", "nothingmatches")
        await driver.until(" 0 shown ")
        await driver.press("escape", "escape")
        await driver.until_at("projects")


async def test_an_unknown_command_names_the_nearest(still_platform: RunningEmulator) -> None:
    """Above what was typed, and nothing else happens."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "piplines")
        await driver.until("Unknown command :piplines. Did you mean :pipelines?")
        assert driver.route.view == "projects"


async def test_a_command_is_never_markup(still_platform: RunningEmulator) -> None:
    """What was typed is said as it was typed."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "[@click=app.quit]x[/nope]")
        await driver.until("Nothing found for “[@click=app.quit]x[/nope]”.")


@pytest.mark.parametrize(
    ("kind", "view"),
    [
        ("project", "pipelines"),
        ("pipeline", "jobs"),
        ("job", "log"),
        ("old pipeline", "jobs"),
    ],
)
@pytest.mark.variants(
    "default", "spec-only", reason="its addresses are attacks, which nothing opens"
)
async def test_a_pasted_address_opens_its_page(
    still_platform: RunningEmulator, kind: str, view: str
) -> None:
    """As the platform's own pages are called, and as other tools shorten them."""
    with api_client(still_platform) as client:
        pipeline = client.get(in_project(still_platform, "pipelines")).json()[0]
        job = client.get(in_project(still_platform, f"pipelines/{pipeline['id']}/jobs")).json()[0]
    addresses = {
        "project": f"{still_platform.base_url}/{still_platform.project}",
        "pipeline": pipeline["web_url"],
        "job": job["web_url"],
        "old pipeline": pipeline["web_url"].replace("/-/", "/"),
    }
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press(":")
        await driver.until("enter go")
        await driver.paste(addresses[kind])
        await driver.press("enter")
        await driver.until_at(view)
        assert driver.route.project == still_platform.project
        if view == "log":
            assert driver.route.job == job["id"]
            await driver.until(f"#{pipeline['id']} › {job['name']}")
        elif view == "jobs":
            assert driver.route.pipeline == pipeline["id"]


@pytest.mark.parametrize(
    "address",
    [
        "https://elsewhere.example.com/acme/finance/finance-dbt",
        "https://127.0.0.1.example.com/acme/finance/finance-dbt/-/pipelines/1",
        "http://127.0.0.1:1/acme/finance/finance-dbt",
    ],
)
async def test_an_address_of_another_host_is_refused(
    still_platform: RunningEmulator, address: str
) -> None:
    """The sentence says whose addresses are taken; nothing is asked of anybody."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", address)
        await driver.until_told(f"profile's platform, {still_platform.base_url}")
        assert driver.route.view == "projects"


async def test_a_number_opens_what_has_that_id(still_platform: RunningEmulator) -> None:
    """And says so where there is nothing; also with `#`, or named."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        wanted = driver.table.shown_rows[7].key
        await driver.enter(":", wanted)
        await driver.until_at("jobs")
        assert driver.route.pipeline == int(wanted)
        await driver.press("escape")
        await driver.until_at("pipelines")
        await driver.enter(":", "123")
        await driver.until("123 not found: no line or row here, no pipeline or job in")
        await driver.press("escape")
        await driver.enter(":", f"#{wanted}")
        await driver.until_at("jobs")
        assert driver.route.pipeline == int(wanted)
        job = driver.table.shown_rows[0].key
        await driver.press("3")
        await driver.until_at("pipelines")
        await driver.enter(":", f"job {job}")
        await driver.until_at("log")
        assert (driver.route.project, driver.route.job) == (still_platform.project, int(job))
        await driver.enter(":", f"#{wanted}")
        await driver.until_at("jobs")


async def test_esc_leaves_the_command_line(still_platform: RunningEmulator) -> None:
    """Nothing of it is done, and the keys are the list's again."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        first = driver.cursor
        await driver.press(":")
        await driver.until("enter go")
        await driver.type("quit")
        await driver.press("escape", "j")
        await driver.wait(lambda: driver.cursor != first)
        assert "enter open" in driver.text


async def test_the_line_of_before_comes_back(still_platform: RunningEmulator) -> None:
    """With the arrow up."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "nonsense")
        await driver.until("Nothing found")
        await driver.press("escape", ":")
        await driver.until("enter go")
        await driver.press("up")
        await driver.until(" :nonsense")


async def test_a_word_is_completed(still_platform: RunningEmulator) -> None:
    """With the arrow to the right."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.press(":")
        await driver.until("enter go")
        await driver.type("req")
        await driver.until(":requests")
        await driver.press("right", "enter")
        await driver.until_at("requests")


async def test_every_typed_verb_is_one_of_the_dashboard(still_platform: RunningEmulator) -> None:
    """What is completed and explained is done."""
    app = dashboard(still_platform)
    assert {*app.verbs()} == {verb.name.partition(" ")[0] for verb in VERBS}
    await app.service.close()


async def test_quit_quits(still_platform: RunningEmulator) -> None:
    """`:q`, as in the editors."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "q")
    assert driver.app.return_code == 0


async def test_a_theme_is_tried_on_in_the_menu(still_platform: RunningEmulator) -> None:
    """The one under the cursor is worn; escape gives back what was, enter keeps it."""
    async with driving(dashboard(still_platform)) as driver:
        await driver.until("NAMESPACE")
        await driver.enter(":", "theme")
        await driver.until("platui-dark or platui-light")
        await driver.type("nord")
        await driver.wait(lambda: driver.app.theme == "nord")
        assert "dark, contrast 4.5, Textual" in driver.text
        await driver.press("escape")
        await driver.wait(lambda: driver.app.theme == "platui-dark")
        assert (driver.app.theme_switcher.name, driver.told) == ("auto", "")
        await driver.enter(":", "theme")
        await driver.type("light")
        await driver.until("ansi-light")
        await driver.press("down")
        await driver.wait(lambda: driver.app.theme == "platui-light")
        await driver.press("enter")
        await driver.until_told('theme = "platui-light" in config.toml')
        assert driver.app.theme_switcher.name == "platui-light"


async def test_a_theme_can_be_named(still_platform: RunningEmulator) -> None:
    """A wrong name is told, with the nearest."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        await driver.enter(":", "theme platui-lihgt")
        await driver.until_told("platui-light")
        assert driver.app.theme == "platui-dark"
        await driver.enter(":", "theme platui-light")
        await driver.wait(lambda: driver.app.theme == "platui-light")


@pytest.mark.parametrize("verb", ["cancel", "retry", "rerun", "trigger", "run", "play"])
async def test_words_behind_a_verb_are_no_other_object(
    still_platform: RunningEmulator, verb: str
) -> None:
    """It would act on what is selected, which is something else than was named."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start)) as driver:
        await driver.until_at("pipelines")
        await driver.until("enter open")
        await driver.enter(":", f"{verb} 4711")
        await driver.until_told(f":{verb} takes no words: it acts on the selection, not on 4711.")
        assert driver.route.view == "pipelines"
        assert len(driver.app.screen_stack) == 1
