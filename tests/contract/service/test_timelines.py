"""What is known of the time around a failed pipeline, over real HTTP."""

from __future__ import annotations

from datetime import timedelta

from tests.contract.service.test_triage_stuck import LATER, RUNS
from tests.support.frozen import FrozenClock
from tests.support.platform import api_client, running_platform
from tests.support.service import running_service, viewing

from platui.models.values.feeds import Source
from platui.models.values.queries import PipelinesQuery
from platui.service import resources


async def test_a_cached_list_in_which_something_runs_is_asked_for_again() -> None:
    """The run that mended it may have ended since; without a connection the cache answers."""
    still = FrozenClock(LATER)
    with running_platform(clock=still) as platform:
        with api_client(platform) as client:
            listed = client.get(f"projects/{RUNS}/pipelines", params={"per_page": 100}).json()
        reds = [one["id"] for one in listed if one["status"] == "failed"]
        runs = {one["id"] for one in listed if one["status"] == "running"}
        async with running_service(platform) as service:
            feed = service.watch(resources.pipelines.pipelines(PipelinesQuery(RUNS)))
            async with viewing(feed) as viewer:
                await viewer.until(lambda s: s.source is Source.LIVE)
        still.moment += timedelta(hours=5)
        async with running_service(platform) as service:
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
        async with running_service(platform) as service:
            again = await (await service.timelines()).find(RUNS, red)
        assert again == found
