"""The test report of a pipeline: its failed tests, their output, and the new ones in details."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import dashboard, driving
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project, running_platform
from tests.ui.test_dashboard_previews import until_previewed

from platui.core.errors import ServerFailedError
from platui.models.values.routes import Route
from platui.present.tables.tests import NOT_SUPPORTED
from platui.ui.screens.parts import list_details

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.models.values.connection import Urgency
    from platui.models.values.tests import FailedTests, ReportedPipeline
    from platui_emulator.server import RunningEmulator

reports = pytest.mark.variants("default", reason="test reports are an optional endpoint")
WIDE = (130, 40)


class Broken(NamedTuple):
    """A pipeline with failed tests."""

    platform: RunningEmulator
    project: str
    pipeline: int
    names: list[str]  # Of its failed tests
    job: str

    def route(self, view: str, **more: Any) -> Route:
        """Return a view of it."""
        name = self.project.rpartition("/")[2]
        return Route(view, self.project, name, self.pipeline, **more)


@pytest.fixture(scope="module")
def broken() -> Iterator[Broken]:
    """Run a still platform, and find a pipeline in which tests failed that succeeded before."""
    with running_platform(clock=FakeClock()) as platform, api_client(platform) as client:
        for project in client.get("projects", params={"per_page": 100}).json():
            path = f"projects/{project['id']}/pipelines"
            runs = client.get(path, params={"ref": "main", "per_page": 100}).json()
            green = {(one["name"], one["source"]) for one in runs if one["status"] == "success"}
            for one in runs[:40]:
                if one["status"] != "failed" or (one["name"], one["source"]) not in green:
                    continue
                report = client.get(f"{path}/{one['id']}/test_report").json()
                for suite in report["test_suites"]:
                    failed = [case for case in suite["test_cases"] if case["status"] == "failed"]
                    if failed:
                        names = [case["name"] for case in failed]
                        place = project["path_with_namespace"]
                        yield Broken(platform, place, one["id"], names, suite["name"])
                        return
    raise AssertionError("no test fails anywhere")


def reports_requested(platform: RunningEmulator) -> int:
    """Return how many test reports were requested from a platform."""
    return sum("/test_report" in one.path for one in platform.platform.journal.entries())


@reports
async def test_the_failed_tests_of_a_pipeline_are_listed(broken: Broken) -> None:
    """From its jobs to each test with its message, to the whole output, and back again."""
    start = broken.route("jobs")
    async with driving(dashboard(broken.platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("jobs")
        await driver.press("C")
        await driver.until_at("tests")
        assert f" {len(broken.names)} failed" in driver.text
        assert "since the last success" in driver.text
        assert driver.cursor == driver.table.shown_rows[0].key
        assert f" {broken.names[0]} " in await until_previewed(driver, " lines ")
        await driver.press("d")
        await driver.until("output ")
        await driver.press("escape")
        await driver.press("enter")
        await driver.until(" lines ")
        assert driver.route.view == "test"
        assert driver.route.path.rpartition(" › ")[2] in broken.names
        await driver.press("escape")
        await driver.until_at("tests")
        await driver.press("escape")
        await driver.until_at("jobs")


@reports
async def test_details_list_the_failed_tests(broken: Broken) -> None:
    """Of a pipeline, once the cursor rests on it; the report is requested only once."""
    before = reports_requested(broken.platform)
    start = broken.route("pipelines")
    app = dashboard(broken.platform, start=start, clock=FrozenClock())
    async with driving(app, WIDE) as driver:
        await driver.until_at("pipelines")
        await driver.wait(lambda: driver.table.move_to(str(broken.pipeline)))
        await driver.until("failed tests ─")
        assert f"{len(broken.names)} failed, " in driver.text
        asked = reports_requested(broken.platform)
        assert asked > before
        await driver.press("home")
        await driver.until(lambda text: "failed tests ─" not in text)
        driver.table.move_to(str(broken.pipeline))
        await driver.until("failed tests ─")
        assert reports_requested(broken.platform) == asked


@reports
async def test_the_details_of_a_job_list_its_own_failed_tests(broken: Broken) -> None:
    """On a narrow screen they are a page."""
    start = broken.route("jobs")
    async with driving(dashboard(broken.platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("jobs")
        jobs = {row.cells[1].text.strip(): row.key for row in driver.table.shown_rows}
        assert driver.table.move_to(jobs[broken.job])
        await driver.press("d")
        await driver.until("failed tests ─")


@reports
async def test_a_pipeline_without_failed_tests_says_so(broken: Broken) -> None:
    """Whether all passed, or there are none."""
    with api_client(broken.platform) as client:
        path = f"projects/{broken.project.replace('/', '%2F')}/pipelines"
        passed = client.get(path, params={"status": "success"}).json()[0]["id"]
    start = broken.route("tests")
    start = Route("tests", start.project, start.project_name, passed)
    async with driving(dashboard(broken.platform, start=start, clock=FrozenClock())) as driver:
        await driver.until(lambda text: " passed." in text or "has no test report" in text)


@reports
async def test_a_pipeline_without_a_test_report_counts_none(broken: Broken) -> None:
    """Neither above the list nor in it."""
    with api_client(broken.platform) as client:
        path = in_project(broken.platform, "pipelines")
        numbers = [one["id"] for one in client.get(path, params={"per_page": 100}).json()]
        bare = next(
            one
            for one in numbers
            if not client.get(f"{path}/{one}/test_report").json()["total_count"]
        )
    start = Route("tests", broken.platform.project, "showcase", bare)
    async with driving(dashboard(broken.platform, start=start, clock=FrozenClock())) as driver:
        text = await driver.until("This pipeline has no test report.")
        assert "0 failed" not in text
        assert "0 tests" not in text


async def test_without_test_reports_it_is_said(narrow_platform: RunningEmulator) -> None:
    """In the view; details lack the group, and soon no more is requested for them."""
    with api_client(narrow_platform) as client:
        pipelines = client.get(in_project(narrow_platform, "pipelines?per_page=100")).json()
    red = [one["id"] for one in pipelines if one["status"] == "failed"]
    start = Route("pipelines", narrow_platform.project, "showcase")
    app = dashboard(narrow_platform, start=start, clock=FrozenClock())
    async with driving(app, WIDE) as driver:
        await driver.until_at("pipelines")
        before = reports_requested(narrow_platform)
        driver.table.move_to(str(red[0]))
        await driver.wait(lambda: reports_requested(narrow_platform) == before + 1)
        driver.table.move_to(str(red[1]))
        await driver.wait(lambda: reports_requested(narrow_platform) == before + 2)
        driver.table.move_to(str(red[2]))
        await driver.press("C")
        await driver.until(NOT_SUPPORTED)
        assert reports_requested(narrow_platform) == before + 2


async def test_hostile_reports_are_only_text(hostile_platform: RunningEmulator) -> None:
    """Names, messages and traces of an attacker change nothing but their own cells."""
    inside = hostile_platform.platform
    place, world, now = inside.showcase, inside.world, inside.time.now()
    red = world.pipelines.page(place.id, now, offset=0, limit=40, status="failed")[0]
    start = Route("tests", place.full_path, "showcase", red[0].id)
    app = dashboard(hostile_platform, start=start, clock=FrozenClock())
    async with driving(app, WIDE) as driver:
        await driver.until(lambda text: "failed" in text or "no test report" in text)
        await driver.rest()
        assert "\x1b" not in driver.text


@reports
async def test_details_request_the_tests_again_after_an_error(
    broken: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a network or a server that fails for a moment; not at each poll."""
    monkeypatch.setattr(list_details, "_RETRY", 0.0)
    app = dashboard(broken.platform, start=broken.route("pipelines"), clock=FrozenClock())
    find, asked = app.service.failed_tests, 0

    async def fails_once(of: ReportedPipeline, urgency: Urgency) -> FailedTests:
        nonlocal asked
        asked += of.id == broken.pipeline
        if of.id == broken.pipeline and asked == 1:
            raise ServerFailedError("502 Bad Gateway", status=502)
        return await find(of, urgency)

    monkeypatch.setattr(app.service, "failed_tests", fails_once)
    async with driving(app, WIDE) as driver:
        await driver.until_at("pipelines")
        await driver.wait(lambda: driver.table.move_to(str(broken.pipeline)))
        await driver.wait(lambda: asked == 1)
        await driver.settle()
        await driver.press("home")
        await driver.settle()
        driver.table.move_to(str(broken.pipeline))
        await driver.until("failed tests ─")
