"""`c` in a log: what is new against the last green run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import Elsewhere, dashboard, driving
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project
from tests.support.wire import answer, wire_server

from platui.analysis import log_comparison
from platui.models.values.routes import Route
from platui.service.logs import successful_runs
from platui.ui.widgets.compare_view import CompareView
from platui.ui.widgets.log_view import LogView

if TYPE_CHECKING:
    from asyncio import StreamWriter
    from collections.abc import Awaitable, Callable

    from tests.support.dashboard import Driver
    from tests.support.platform import PlatformFactory
    from tests.support.wire import Heard

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants(
    "default", "spec-only", reason="honest refs and states are gone by; its places are attacks"
)

FOUND = " difference "
WIDE = (160, 45)


def red_log(platform: RunningEmulator) -> Route:
    """Return the log of the newest failed job of main."""
    with api_client(platform) as client:
        pipelines = client.get(in_project(platform, "pipelines?per_page=100")).json()
        for pipeline in pipelines:
            if (pipeline["status"], pipeline["ref"]) != ("failed", "main"):
                continue
            path = in_project(platform, f"pipelines/{pipeline['id']}/jobs?per_page=100")
            for job in client.get(path).json():
                if job["status"] == "failed":
                    return Route(
                        "log", platform.project, "showcase", pipeline["id"], job["id"],
                        job["name"],
                    )  # fmt: skip
    raise LookupError("nothing is red")


def view(driver: Driver) -> CompareView:
    """Return the widget."""
    return driver.app.screen.query_one(CompareView)


async def compared(driver: Driver) -> None:
    """Compare the log on the screen."""
    await driver.until_at("log")
    await driver.press("c")
    await driver.until(FOUND)
    await driver.wait(lambda: driver.app.focused is view(driver))


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_c_opens_at_the_error_that_is_new(
    still_platform: RunningEmulator, size: tuple[int, int]
) -> None:
    """Found, read and compared without another key; esc and esc lead back."""
    place = red_log(still_platform)
    app = dashboard(still_platform, start=place, clock=FrozenClock())
    async with driving(app, size) as driver:
        await compared(driver)
        await driver.wait(lambda: view(driver).cursor > 0)
        rows = view(driver).rows
        assert rows is not None
        assert rows.is_wide is (size == WIDE)
        row = rows.row(view(driver).cursor)
        assert row.left is None or row.pair is not None
        assert "vs #" in driver.text
        # What the signs stand for is said at any width.
        words = "only in the failed run" if size == WIDE else "new"
        assert re.search(rf" · \+[\d,]+ {words}", driver.text)
        await driver.press("?")
        await driver.until("Keys")
        await driver.type("sign")
        signs = [row.cells[0].text for row in driver.table.shown_rows]
        assert {"+", "-", "~"} < set(signs)
        await driver.press("escape")
        assert "✔ final" in driver.text
        assert driver.route.view == "compare"
        await driver.press("escape")
        await driver.until_at("log")
        assert driver.route.job == place.job


async def test_n_goes_from_difference_to_difference(still_platform: RunningEmulator) -> None:
    """And enter opens the log at that line; history comes back to the same row."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await compared(driver)
        await driver.press("g", "n")
        await driver.until(" difference 1 of ")
        await driver.press("n")
        await driver.until(" difference 2 of ")
        await driver.press("N")
        await driver.until(" difference 1 of ")
        await driver.press("G")
        rows = view(driver).rows
        assert rows is not None
        await driver.wait(lambda: view(driver).cursor == rows.count - 1)
        last = rows.row(rows.count - 1).right
        await driver.press("enter")
        await driver.until_at("log")
        await driver.wait(lambda: driver.app.screen.query_one(LogView).position.focus == last)
        await driver.press("[")
        await driver.wait(lambda: driver.route.view == "compare")
        await driver.until(FOUND)
        assert view(driver).cursor == rows.count - 1


async def test_what_is_equal_opens_and_folds(still_platform: RunningEmulator) -> None:
    """`z` one of them, `Z` all."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await compared(driver)
        rows = view(driver).rows
        assert rows is not None
        folded = rows.count
        fold = next(y for y in range(folded) if rows.row(y).fold is not None)
        await driver.press("g", *["j"] * fold)
        await driver.wait(lambda: view(driver).cursor == fold)
        await driver.press("z")
        await driver.wait(lambda: (now := view(driver).rows) is not None and now.count > folded)
        await driver.press("z")
        await driver.wait(lambda: (now := view(driver).rows) is not None and now.count == folded)
        await driver.press("Z")
        await driver.until(lambda text: "⋯" not in text)
        await driver.press("Z")
        await driver.wait(lambda: (now := view(driver).rows) is not None and now.count == folded)


async def test_m_takes_the_masks_off_and_puts_them_on(still_platform: RunningEmulator) -> None:
    """Then every time of day differs."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await compared(driver)
        await driver.press("m")
        await driver.until("exact comparison")
        await driver.press("m")
        await driver.until(lambda text: FOUND in text and "exact comparison" not in text)


async def test_the_search_key_says_where_one_searches(still_platform: RunningEmulator) -> None:
    """Silent, it would let the word that follows press keys."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await compared(driver)
        await driver.press("slash")
        await driver.until_told("Search in the log: enter opens it.")


async def test_a_difference_is_copied_and_the_green_job_opened(
    still_platform: RunningEmulator,
) -> None:
    """`y` and `o`; `:N` goes to a line, `:compare` is `c`."""
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("log")
        await driver.enter(":", "compare")
        await driver.until(FOUND)
        await driver.wait(lambda: driver.app.focused is view(driver))
        await driver.press("y")
        await driver.until_told("Sent to the terminal")
        await driver.enter(":", "1")
        await driver.wait(lambda: view(driver).cursor == 0)
        await driver.press("o")
        await driver.until_told("/jobs/")


async def test_without_a_green_run_it_says_so(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence; the keys still lead back."""
    monkeypatch.setattr(successful_runs, "MOST_PAGES", 0)
    start = red_log(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("log")
        await driver.press("c")
        await driver.until("No successful pipeline among the newest pipelines")
        await driver.press("q")
        await driver.until_at("log")


async def test_offline_it_says_so_and_comes_back_to_the_log(
    platform_with: PlatformFactory,
) -> None:
    """What is not kept cannot be compared."""
    platform = platform_with(clock=FakeClock())
    start = red_log(platform)
    async with driving(dashboard(platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("log")
        await driver.until("ended")
        platform.stop()
        await driver.press("c")
        await driver.until("r  retry now")
        await driver.press("escape")
        await driver.until_at("log")


def job(number: int, status: str, pipeline: int) -> dict[str, object]:
    """Return a job of main."""
    run = {"id": pipeline, "ref": "main", "status": status}
    return {"id": number, "name": "dbt", "status": status, "ref": "main", "pipeline": run}


def runs(green: bytes, this: bytes) -> Callable[[Heard, StreamWriter], Awaitable[None]]:
    """Return the script of a platform with a successful job and a failed one."""
    answers = {
        "/jobs/4/trace": answer(green, content_type="text/plain"),
        "/jobs/5/trace": answer(this, content_type="text/plain"),
        "/jobs/5": answer(job(5, "failed", 10)),
        "/pipelines/3/jobs": answer([job(4, "success", 3)]),
        "/pipelines": answer([{"id": 3, "status": "success", "ref": "main"}]),
    }
    missing = answer({"message": "404 Not Found"}, "404 Not Found")

    async def script(heard: Heard, writer: StreamWriter) -> None:
        path = heard.target.partition("?")[0]
        found = (said for end, said in answers.items() if path.endswith(end))
        writer.write(next(found, missing))

    return script


async def test_lines_that_only_repeat_are_shown() -> None:
    """They are no difference, but the logs are not equal."""
    green, this = (b"start\n" + b"retrying upload\n" * count + b"done\n" for count in (1, 40))
    start = Route("compare", "acme/etl", "etl", 10, 5, "dbt")
    async with wire_server(runs(green, this)) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until("no differences · ~ moved or similar")
            assert "values that differ in every run" not in driver.text
            await driver.press("z")
            await driver.until("retrying upload")


async def test_the_keys_of_a_page_without_differences_are_those_in_use() -> None:
    """Exactly compared, it says so."""
    start = Route("compare", "acme/etl", "etl", 10, 5, "dbt")
    keys = {"compare.masks": "f5", "compare.open": "f6", "view.back": "f7"}
    async with wire_server(runs(b"one\n", b"one\n")) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock(), keys=keys)
        async with driving(app) as driver:
            await driver.until("f5  compare exactly     f7  back")
            await driver.press("f5")
            text = await driver.until("f5  compare with masks     f7  back")
            assert "except values" not in text
            await driver.press("slash")
            await driver.until_told("Search in the log: f6 opens it.")


async def test_a_comparison_that_cannot_be_renewed_is_stale() -> None:
    """The log of a running job is that of before; its masks can still be taken off."""
    answers = {"/jobs/5": answer(job(5, "running", 10))}
    others = runs(b"at 10:00:01\n", b"at 10:00:02\n")

    async def script(heard: Heard, writer: StreamWriter) -> None:
        found = answers.get(f"/jobs{heard.target.partition('/jobs')[2]}")
        if found is None:
            await others(heard, writer)
        else:
            writer.write(found)

    start = Route("compare", "acme/etl", "etl", 10, 5, "dbt")
    async with wire_server(script) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until("except values that differ in every run")
            await driver.until("● live")
            answers["/jobs/5"] = answer({"message": "403 Forbidden"}, "403 Forbidden")
            await driver.press("r")
            await driver.until("◌ stale")
            await driver.press("m")
            await driver.until("exact comparison")
            assert "◌ stale" in driver.text


async def test_a_line_that_is_not_compared_is_not_gone_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very long logs only the ends are compared."""
    monkeypatch.setattr(log_comparison, "MOST_LINES", 4)
    this = b"".join(b"line %d\n" % number for number in range(1, 11))
    start = Route("compare", "acme/etl", "etl", 10, 5, "dbt")
    async with wire_server(runs(b"one\n", this)) as server:
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until(FOUND)
            await driver.wait(lambda: driver.app.focused is view(driver))
            await driver.enter(":", "6")
            await driver.until("6 not found: no line or row here")
            await driver.press("escape")
            await driver.enter(":", "9")
            await driver.wait(lambda: view(driver).cursor == view(driver).rows.row_of(8))  # type: ignore[union-attr]
