"""What is known of the time around a failed pipeline, over real HTTP."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from tests.contract.service.test_triage_stuck import LATER, RUNS
from tests.support.faults import fault, faults_of
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, running_platform
from tests.support.service import service_at, started, viewing

from platui.models.values.feeds import Source
from platui.models.values.queries import PipelinesQuery
from platui.service import resources

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from platui.service import PlatformService
    from platui_emulator.server import RunningEmulator


def _service(platform: RunningEmulator) -> AbstractAsyncContextManager[PlatformService]:
    return started(service_at(platform.faults_url, platform.token))


async def test_a_cached_list_in_which_something_runs_is_asked_for_again() -> None:
    """The run that mended it may have ended since; where no answer comes, the cache answers."""
    still = FrozenClock(LATER)
    with running_platform(clock=still) as platform:
        there = partial(_service, platform)
        with api_client(platform) as client:
            listed = client.get(f"projects/{RUNS}/pipelines", params={"per_page": 100}).json()
        reds = [one["id"] for one in listed if one["status"] == "failed"]
        runs = {one["id"] for one in listed if one["status"] == "running"}
        async with there() as service:
            feed = service.watch(resources.pipelines.pipelines(PipelinesQuery(RUNS)))
            async with viewing(feed) as viewer:
                await viewer.until(lambda s: s.source is Source.LIVE)
        still.moment += timedelta(hours=5)
        with fault(platform, "server_error", path=f"/projects/{RUNS}/pipelines[?]"):
            async with there() as service:
                timelines = await service.timelines()
                old = [await timelines.find(RUNS, red) for red in reds]
            assert all(one["struck"] for one in faults_of(platform))
        assert any(one is not None for one in old)
        async with there() as service:
            timelines = await service.timelines()
            every = [(red, await timelines.find(RUNS, red)) for red in reds]
            beside = [
                (red, found, run)
                for red, found in every
                if found is not None
                for run in found.runs
                if run.id in runs
            ]
            red, found, run = beside[0]
            assert run.status != "running"
        platform.stop()
        async with there() as service:
            again = await (await service.timelines()).find(RUNS, red)
        assert again == found
