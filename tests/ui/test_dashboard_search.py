"""Searching and filtering a log and a file: as one types, round the ends, and while it grows."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.support.company import long_running_job
from tests.support.dashboard import PATIENCE, Elsewhere, dashboard, driving, pauses
from tests.support.frozen import FrozenClock
from tests.support.wire import says, wire_server
from tests.ui.test_dashboard_log import at_a_log, growing, log_view

from platui.logs import Log
from platui.models.values.routes import Route
from platui.ui.screens.logs.log import LogScreen
from platui.ui.screens.pipeline_search import PipelineSearchScreen

if TYPE_CHECKING:
    from asyncio import StreamWriter

    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory
    from tests.support.wire import Heard

    from platui_emulator.server import RunningEmulator


def texts(driver: Driver) -> list[str]:
    """Return all lines of the document on show."""
    document = log_view(driver).document
    assert document is not None
    return [document.text(y) for y in range(document.line_count)]


def lines_with(driver: Driver, words: str) -> list[int]:
    """Return which lines have words, of any case."""
    return [y for y, text in enumerate(texts(driver)) if words in text.lower()]


def where(driver: Driver) -> str:
    """Return the line below the text, or what is typed in its place."""
    return driver.text.splitlines()[-2]


def shown(driver: Driver) -> list[str]:
    """Return the lines of the text that are in sight, without the map at their right."""
    lines = [line[: driver.app.size.width - 1].rstrip() for line in driver.text.splitlines()]
    return [line for line in lines[2:-2] if line]


async def typing(driver: Driver, sign: str, text: str) -> None:
    """Type after a sign without confirming it."""
    await driver.press(sign)
    await driver.wait(lambda: where(driver).startswith(f" {sign}"))
    await driver.type(text)


async def test_the_first_hit_shows_while_one_types(still_platform: RunningEmulator) -> None:
    """From the top in sight; enter keeps it, n and N go on and round the ends."""
    async with at_a_log(still_platform) as driver:
        await driver.press("g")
        await typing(driver, "/", "job")
        hits = lines_with(driver, "job")
        assert len(hits) > 1
        await driver.until(f"1 of {len(hits)}  plain")
        assert log_view(driver).position.focus == hits[0]
        await driver.press("enter")
        await driver.until(f"/job  1 of {len(hits)}")
        for number, hit in enumerate(hits[1:], start=2):
            await driver.press("n")
            await driver.until(f"/job  {number} of {len(hits)}")
            assert log_view(driver).position.focus == hit
        await driver.press("n")
        await driver.until(f"/job  1 of {len(hits)} from the top")
        await driver.press("N")
        await driver.until(f"/job  {len(hits)} of {len(hits)} from the end")
        assert log_view(driver).position.focus == hits[-1]
        await driver.press("N")
        await driver.wait(lambda: "from the end" not in where(driver))
        # The footer tells what goes on, and that esc does not go back yet.
        await driver.until(" esc clear  n next  ")
        await driver.press("escape")
        await driver.until(" esc back  e error  ")


async def test_esc_goes_back_to_where_one_was(still_platform: RunningEmulator) -> None:
    """Also with what was looked for before; a search that finds nothing moves nothing."""
    async with at_a_log(still_platform) as driver:
        await driver.press("g")
        await driver.until(" lines 1–")
        before = shown(driver)
        last = texts(driver)[-1].strip().lower()[:10]
        await typing(driver, "/", last)
        await driver.wait(lambda: shown(driver) != before or "1 of" in where(driver))
        await driver.press("escape")
        await driver.wait(lambda: shown(driver) == before and " lines 1–" in where(driver))
        await typing(driver, "/", "no such words")
        await driver.until("no hit  plain")
        assert shown(driver)[:10] == before[:10]  # the prompt takes a line at the bottom
        await driver.press("enter")
        await driver.until("/no such words  no hit")
        await driver.press("n")
        await typing(driver, "/", "job")
        await driver.until(" of ")
        await driver.press("escape")
        await driver.until("/no such words  no hit")
        await driver.press("escape")
        await driver.wait(lambda: "/no such" not in where(driver))
        assert driver.route.view == "log"


async def test_tab_takes_expressions(still_platform: RunningEmulator) -> None:
    """The choice stays; what is none is said with its place and can be mended."""
    async with at_a_log(still_platform) as driver:
        await driver.press("g")
        await typing(driver, "/", "^.*job(")
        await driver.until("no hit  plain")
        await driver.press("tab")
        await driver.until("missing ) at character 8  regex")
        await driver.press("backspace")
        hits = lines_with(driver, "job")
        await driver.until(f"1 of {len(hits)}  regex")
        await driver.press("enter")
        await driver.until(f"/^.*job regex  1 of {len(hits)}")
        await typing(driver, "/", "")
        await driver.until("regex")
        await driver.press("up")
        await driver.wait(lambda: where(driver).startswith(" /^.*job"))
        await driver.press("ctrl+r")
        await driver.until("no hit  plain")


async def test_an_empty_search_goes_on_with_the_one_before(
    still_platform: RunningEmulator,
) -> None:
    """As in less; and from what is in sight, where the reader has moved."""
    async with at_a_log(still_platform) as driver:
        await driver.press("g")
        await driver.enter("/", "job")
        hits = lines_with(driver, "job")
        await driver.until(f"1 of {len(hits)}")
        await typing(driver, "/", "")
        await driver.press("enter")
        await driver.until(f"/job  2 of {len(hits)}")
        await driver.press("G")
        top = log_view(driver).position.top_line
        before = [hit for hit in hits if hit < top] or hits
        await driver.press("N")
        await driver.until(f"/job  {hits.index(before[-1]) + 1} of {len(hits)}")


async def test_a_filter_shows_matching_lines_alone(still_platform: RunningEmulator) -> None:
    """With lines around them, or all the others; esc clears the search first, then it."""
    async with at_a_log(still_platform) as driver:
        everything = texts(driver)
        hits = lines_with(driver, "job")
        await driver.enter("&", "job")
        await driver.until(f"&job  {len(hits)} of {len(everything)} lines")
        await driver.wait(lambda: len(shown(driver)) == len(hits))
        assert all("job" in line.lower() for line in shown(driver))
        await driver.press("greater_than_sign")
        await driver.until("lines ±1")
        await driver.wait(lambda: len(shown(driver)) > len(hits))
        await driver.press("less_than_sign")
        await driver.wait(lambda: len(shown(driver)) == len(hits))
        await driver.enter("/", "job")
        await driver.until(f"/job  1 of {len(hits)}")
        await driver.press("escape")
        await driver.wait(lambda: "/job" not in where(driver))
        assert "&job" in where(driver)
        await driver.until(" esc clear filter ")
        await driver.press("escape")
        await driver.wait(lambda: "&job" not in where(driver))
        await driver.until(" esc back ")
        assert driver.route.view == "log"


async def test_a_filter_leaves_out_what_is_not_wanted(still_platform: RunningEmulator) -> None:
    """`!` before it; the prompt keeps what was typed, and esc there keeps the filter."""
    async with at_a_log(still_platform) as driver:
        await driver.press("g")
        count, hits = len(texts(driver)), lines_with(driver, "job")
        await driver.enter("&", "!job")
        await driver.until(f"&!job  {count - len(hits)} of {count} lines")
        assert not any("job" in line.lower() for line in shown(driver))
        await driver.press("ampersand")
        await driver.wait(lambda: where(driver).startswith(" &!job"))
        await driver.type("x")
        await driver.until(f"{count} lines  plain")
        await driver.press("escape")
        await driver.until(f"&!job  {count - len(hits)} of {count} lines")
        await driver.enter("/", "job")
        await driver.until("hidden by the filter")


async def test_search_and_filter_go_on_while_the_log_grows(platform_with: PlatformFactory) -> None:
    """New lines that match are counted, and arrive under the filter."""

    def counted(driver: Driver, sign: str) -> int:
        found = re.search(rf"{sign}:\S*  (?:[\d,]+ of )?([\d,]+)", where(driver))
        return int(found[1].replace(",", "")) if found else 0

    async with driving(growing(platform_with)) as driver:
        await driver.until_at("log")
        await driver.enter("/", ":")
        await driver.wait(lambda: counted(driver, "/") > 0)
        before = counted(driver, "/")
        # Who reads further up is told that there are more, and shown them with what they do.
        await driver.until(lambda text: bool(re.search(r"at least [1-9]\S* new line", text)))
        for pause in pauses(PATIENCE):
            await driver.press("n")
            await driver.pilot.pause(pause)
            if counted(driver, "/") > before:
                break
        assert counted(driver, "/") > before
        await driver.press("escape")
        await driver.press("G")
        await driver.enter("&", ":")
        await driver.wait(lambda: counted(driver, "&") > 0)
        before = counted(driver, "&")
        await driver.wait(lambda: counted(driver, "&") > before)
        # The header of the section one is in stays in sight.
        assert [line for line in shown(driver)[1:] if ":" not in line] == []


@pytest.mark.variants("default", reason="files are neighbours; names are honest")
async def test_a_file_is_searched_and_filtered(still_platform: RunningEmulator) -> None:
    """With the same keys."""
    name = still_platform.project.rpartition("/")[2]
    place = Route("file", still_platform.project, name, path="dev-ci.yml", ref="main")
    async with driving(dashboard(still_platform, start=place)) as driver:
        await driver.until("sha256 ✔")
        await driver.wait(lambda: driver.app.screen.focused is log_view(driver))
        hits = lines_with(driver, "stage")
        await driver.enter("/", "stage")
        await driver.until(f"/stage  1 of {len(hits)}")
        await driver.press("n")
        await driver.until(f"/stage  2 of {len(hits)}")
        assert log_view(driver).position.focus == hits[1]
        await driver.enter("&", "stage")
        await driver.until(f"&stage  {len(hits)} of {len(texts(driver))} lines")
        # Another ref is another text.
        driver.app.screen.body.visit(replace(place, ref="HEAD"))  # type: ignore[attr-defined]
        await driver.until(" HEAD · ")
        await driver.wait(lambda: "/stage" not in where(driver))


async def test_another_text_is_searched_anew(still_platform: RunningEmulator) -> None:
    """A log that was written anew, or whose end alone was there: what is wanted stays wanted."""
    async with at_a_log(still_platform) as driver:
        await driver.enter("/", "words of the new log")
        await driver.until("/words of the new log  no hit")
        await driver.enter("&", "new")
        screen = driver.app.screen
        assert isinstance(screen, LogScreen)
        body = screen.body
        assert body.text.update is not None
        log = Log(b"one\ntwo new\nwords of the new log\n")
        log.finish()
        body.take(replace(body.text.update, document=log, reset=True))
        await driver.until("&new  2 of 3 lines  /words of the new log  1 of 1")
        assert log_view(driver).position.focus == 2
        body.take(replace(body.text.update, document=Log(), reset=True))
        await driver.until("&new  0 of 0 lines  /words of the new log  no hit")


async def all_logs(driver: Driver) -> Route:
    """Wait until all logs of a pipeline are searched; returns for what."""
    await driver.until(lambda _: isinstance(driver.app.screen, PipelineSearchScreen))
    screen = driver.app.screen
    assert isinstance(screen, PipelineSearchScreen)
    return screen.body.route


async def test_ctrl_g_looks_in_all_logs(still_platform: RunningEmulator) -> None:
    """What is typed in one log is looked for in every log of its pipeline; one comes back."""
    async with at_a_log(still_platform) as driver:
        await driver.press("g")
        before = log_view(driver).position.lines
        await typing(driver, "/", "job")
        await driver.until("ctrl+g all logs")
        await driver.press("ctrl+g")
        assert (await all_logs(driver)).search == "job"
        # Before that, escape ends the search.
        await driver.until(lambda text: "4 of 4 logs" in text and " hits in " in text)
        await driver.press("escape")
        await driver.until(lambda _: isinstance(driver.app.screen, LogScreen))
        assert log_view(driver).position.lines == before
        await driver.press("slash", "up")
        await driver.until("/job")


async def test_an_expression_stays_one_in_all_logs(still_platform: RunningEmulator) -> None:
    """With nothing typed there is nothing to look for."""
    async with at_a_log(still_platform) as driver:
        await driver.press("slash", "ctrl+g", "tab")
        await driver.type("jo.")
        await driver.press("ctrl+g")
        place = await all_logs(driver)
        assert (place.search, place.is_regex) == ("jo.", True)


async def test_a_path_is_no_expression_in_all_logs(still_platform: RunningEmulator) -> None:
    """Only a search that is typed there is one by its slashes; blanks are part of the text."""
    async with at_a_log(still_platform) as driver:
        await typing(driver, "/", " /tmp/")
        await driver.press("ctrl+g")
        place = await all_logs(driver)
        assert (place.search, place.is_regex) == (" /tmp/", False)


async def test_a_search_in_all_logs_without_a_text_waits_for_one(
    still_platform: RunningEmulator,
) -> None:
    """A typed command may lack it: nothing is loading."""
    async with at_a_log(still_platform) as driver:
        here = driver.route
        driver.app.navigation.go(Route("search", here.project, here.project_name, here.pipeline))
        await driver.until("No text to search for.")
        assert "loading" not in driver.text.lower()
        await driver.press("/")
        await driver.until("in all logs of")
        await driver.type("job")
        await driver.press("enter")
        await driver.until(lambda text: "4 of 4 logs" in text and " hits in " in text)


async def test_esc_leaves_a_search_whose_jobs_are_loading() -> None:
    """There is nothing to stop yet; stopped, it would say for ever that it loads them."""

    async def silent(_heard: Heard, _writer: StreamWriter) -> None:
        await asyncio.Event().wait()

    start = Route("search", "acme/etl", "etl", 10, search="job")
    async with wire_server(silent) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until("Loading hits")
            await driver.press("escape")
            await driver.wait(lambda: driver.route.view != "search")


async def test_the_pages_of_a_pipeline_without_logs_name_the_keys_in_use() -> None:
    """The way back is not always esc."""
    keys = {"view.back": "f7"}
    search = Route("search", "acme/etl", "etl", 10, search="job")
    async with wire_server(says([])) as server:
        app = dashboard(Elsewhere(server.url), start=search, clock=FrozenClock(), keys=keys)
        async with driving(app) as driver:
            await driver.until("f7  back")
        many = Route("many", "acme/etl", "etl", 10)
        app = dashboard(Elsewhere(server.url), start=many, clock=FrozenClock(), keys=keys)
        async with driving(app) as driver:
            await driver.until("f7  back to the jobs")


async def test_a_search_in_all_logs_is_not_final_while_a_job_runs(
    platform_with: PlatformFactory,
) -> None:
    """Its lines to come are not searched."""
    project, job = long_running_job()
    platform = platform_with(clock=FrozenClock())
    start = Route("search", project.full_path, project.path, job.pipeline_id, search="qqq")
    async with driving(dashboard(platform, start=start, clock=FrozenClock())) as driver:
        await driver.until("not found in")
        assert "still run" in driver.text
        assert "✔ final" not in driver.text
