"""What somebody retries elsewhere: finished things that the feeds had settled move again."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from tests.support.platform import api_client, in_project
from tests.support.service import running_service, viewing

from platui.models.values.feeds import Source
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.service import resources

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui.models.values.feeds import Listing, Snapshot
    from platui.models.wire import Job
    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants(
    "default",
    reason="the specification has no retry, and a status that nobody knows is never settled",
)

START = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def quick(platform_with: PlatformFactory) -> RunningEmulator:
    """Run a platform whose minutes pass in seconds."""
    return platform_with(speed=20)


def _post(platform: RunningEmulator, path: str) -> int:
    with api_client(platform) as client:
        answer = client.post(in_project(platform, path))
        assert answer.is_success, answer.text
        return int(answer.json()["id"])


async def test_a_retried_pipeline_is_seen_to_run_and_to_end_again(quick: RunningEmulator) -> None:
    """The list notices; detail and jobs, which were settled, follow until all is settled again."""
    async with (
        running_service(quick) as service,
        viewing(
            service.watch(resources.pipelines.pipelines(PipelinesQuery(quick.project)))
        ) as listed,
    ):
        first = await listed.until(lambda s: s.source is Source.LIVE)
        assert first.value is not None
        pipeline = next(one.id for one in first.value.items if one.status == "failed")
        query = JobsQuery(quick.project, pipeline)
        async with (
            viewing(service.watch(resources.pipelines.pipeline(quick.project, pipeline))) as detail,
            viewing(service.watch(resources.jobs.jobs(query))) as jobs,
        ):
            before = await jobs.until(lambda s: s.is_final and s.source is Source.LIVE)
            known = await detail.until(lambda s: s.is_final and s.source is Source.LIVE)
            assert before.value is not None
            failed = next(job for job in before.value.items if job.status == "failed")
            retried = await asyncio.to_thread(_post, quick, f"jobs/{failed.id}/retry")

            def has_taken_its_place(snapshot: Snapshot[Listing[Job]]) -> bool:
                ids = {job.id for job in snapshot.value.items} if snapshot.value else set()
                return retried in ids and failed.id not in ids

            moving = await detail.until(lambda s: s.value is not known.value)
            assert moving.value is not None
            await jobs.until(has_taken_its_place)
            ended = await detail.until(lambda s: s.is_final and s.value is not known.value)
            assert known.value is not None
            assert ended.value is not None
            assert ended.value.status in {"success", "failed"}
            assert (ended.value.finished_at or START) > (known.value.finished_at or START)
            last = await jobs.until(lambda s: s.is_final and s.value is not before.value)
            assert last.value is not None
            assert "running" not in {job.status for job in last.value.items}


async def test_a_job_that_is_canceled_elsewhere_is_seen_to_stop(quick: RunningEmulator) -> None:
    """It is canceled in two steps, and settled after the second."""
    with api_client(quick) as client:
        started = client.post(in_project(quick, "pipeline"), params={"ref": "main"}).json()["id"]
        job = client.get(in_project(quick, f"pipelines/{started}/jobs")).json()[-1]["id"]
    async with (
        running_service(quick) as service,
        viewing(service.watch(resources.jobs.job(quick.project, job))) as viewer,
    ):
        await viewer.until(lambda s: s.value is not None)
        await asyncio.to_thread(_post, quick, f"pipelines/{started}/cancel")
        ended = await viewer.until(lambda s: s.is_final)
        assert ended.value is not None
        assert ended.value.status == "canceled"
