"""Views that are read once: a failure is said with what to do, and the same key reads again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from tests.support.clock import FakeClock
from tests.support.dashboard import Elsewhere, dashboard, driving
from tests.support.faults import clear_faults, set_fault
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, in_project, running_platform

from platui.models.values.routes import Route
from platui.present.files.changes import range_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="these endpoints are optional")

DQ_CHECKS: Final = "acme/finance/reporting/finance-dq-checks"
VIEWS: Final = {
    "commits": " files ──",
    "diff": "@@ ",
    "tests": "since the last success",
    "artifacts": "decompressed",
    "artifact": "lines 1",
}
"""A view that is read once, and what it shows then."""


@pytest.fixture(scope="module")
def spoiled() -> Iterator[RunningEmulator]:
    """Run a platform at one moment of a night."""
    with running_platform(clock=FakeClock()) as platform:
        yield platform


def route_of(platform: RunningEmulator, view: str) -> Route:
    """Return the place of a view of the showcase."""
    name = platform.project.rpartition("/")[2]
    with api_client(platform) as client:
        runs = client.get(in_project(platform, "pipelines?ref=main&per_page=100")).json()
        if view in {"commits", "diff"}:
            ref = range_of(runs[-1]["sha"], runs[0]["sha"])
            return Route(view, platform.project, name, runs[0]["id"], ref=ref)
        if view == "tests":
            path = f"projects/{DQ_CHECKS.replace('/', '%2F')}/pipelines"
            for run in client.get(f"{path}?ref=main&status=failed&per_page=100").json():
                if client.get(f"{path}/{run['id']}/test_report").json()["failed_count"]:
                    return Route(view, DQ_CHECKS, "finance-dq-checks", run["id"])
        for job in client.get(in_project(platform, "jobs?scope=success&per_page=100")).json():
            if "archive" in {one["file_type"] for one in job["artifacts"]}:
                return Route(view, platform.project, name, job=job["id"], path="logs/dbt.log")
    raise LookupError(view)


@pytest.mark.parametrize("view", VIEWS)
async def test_a_view_that_cannot_be_read_says_why_and_reads_again(
    spoiled: RunningEmulator, view: str
) -> None:
    """An error of the platform; after it, `r` shows what there is."""
    start = route_of(spoiled, view)
    app = dashboard(Elsewhere(spoiled.faults_url, spoiled.token), start=start, clock=FrozenClock())
    set_fault(spoiled, "server_error")
    async with driving(app) as driver:
        text = await driver.until("500 Internal Server Error")
        assert "r  retry" in text
        clear_faults(spoiled)
        await driver.press("r")
        await driver.until(lambda text: VIEWS[view] in text and "500 Internal" not in text)
