"""A job's log and that of its last green run, over real HTTP."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.platform import api_client, in_project
from tests.support.service import (
    PATIENCE,
    requests_of,
    running_service,
    service_at,
    started,
    viewing_any,
)
from tests.support.wire import in_turn, says, wire_server

from platui.models.values.comparison import BlockKind, CompareStep
from platui.service import resources

if TYPE_CHECKING:
    from asyncio import StreamWriter

    import httpx
    from tests.support.wire import Heard

    from platui.models.values.comparison import CompareUpdate
    from platui.service.logs.comparing import ComparedLogs
    from platui_emulator.server import RunningEmulator


def listed(client: httpx.Client, path: str) -> list[dict[str, Any]]:
    """Return the first page of a list, of every status: the platform may ignore filters."""
    return list(client.get(path, params={"per_page": 100}).json())


pytestmark = pytest.mark.variants("default", "spec-only", reason="its texts are attacks")

Pair = tuple[dict[str, Any], dict[str, Any]]


@pytest.fixture(scope="module")
def pair(still_platform: RunningEmulator) -> Pair:
    """Return a failed job of main and its last green run, found the long way."""
    base = in_project(still_platform)
    with api_client(still_platform) as client:
        pipelines = listed(client, f"{base}/pipelines")
        pipelines = [one for one in pipelines if one["ref"] == "main"]
        greens = [one["id"] for one in pipelines if one["status"] == "success"]
        for pipeline in (one for one in pipelines if one["status"] == "failed"):
            failed = listed(client, f"{base}/pipelines/{pipeline['id']}/jobs")
            failed = [one for one in failed if one["status"] == "failed"]
            before = next(number for number in greens if number < pipeline["id"])
            jobs = listed(client, f"{base}/pipelines/{before}/jobs")
            for job in failed:
                for other in jobs:
                    if (other["name"], other["status"]) == (job["name"], "success"):
                        return job, {**other, "in": before}
    raise LookupError("no failed job was green just before")


async def ended(feed: ComparedLogs, step: CompareStep = CompareStep.DONE) -> list[CompareUpdate]:
    """Return the updates until a step is reached, or an error."""
    seen: list[CompareUpdate] = []

    async def watch() -> None:
        async with aclosing(aiter(feed)) as updates:  # type: ignore[type-var]  # a generator
            async for update in updates:
                seen.append(update)
                if update.step is step or update.error is not None:
                    return

    await asyncio.wait_for(watch(), PATIENCE)
    return seen


async def test_it_finds_the_last_green_run(still_platform: RunningEmulator, pair: Pair) -> None:
    """The same job, of the newest pipeline of that ref that was green before."""
    job, green = pair
    async with running_service(still_platform) as service:
        seen = await ended(
            service.watch(resources.logs.compared(still_platform.project, job["id"]))
        )
    last = seen[-1]
    assert last.error is None
    assert last.this is not None
    assert (last.this.job, last.this.pipeline) == (job["id"], job["pipeline"]["id"])
    assert last.search is not None
    assert last.search.run is not None
    assert (last.search.run.job, last.search.run.pipeline) == (green["id"], green["in"])
    assert not last.search.has_no_success
    steps = list(dict.fromkeys(update.step for update in seen))
    assert steps == [
        CompareStep.ASKING,
        CompareStep.LOOKING,
        CompareStep.READING,
        CompareStep.COMPARING,
        CompareStep.DONE,
    ]
    assert any(u.search is not None and u.search.checking == green["in"] for u in seen)


def news(update: CompareUpdate) -> list[str]:
    """Return the lines of the job that its green run has not."""
    assert update.comparison is not None
    assert update.right is not None
    return [
        update.right.text(y)
        for block in update.comparison.blocks
        if block.is_difference and block.kind is not BlockKind.LEFT
        for y in range(block.right, block.right_end)
    ]


async def test_the_cause_is_among_few_differences(
    still_platform: RunningEmulator, pair: Pair
) -> None:
    """Of a log with hundreds of lines, none of which is the same in two runs."""
    job, _ = pair
    async with running_service(still_platform) as service:
        last = (
            await ended(service.watch(resources.logs.compared(still_platform.project, job["id"])))
        )[-1]
    assert last.right is not None
    found = news(last)
    assert any("failed: exit code" in line for line in found)
    assert 2 <= len(found) <= 25
    assert last.right.errors
    assert last.opening is not None


async def test_masks_can_be_taken_off(still_platform: RunningEmulator, pair: Pair) -> None:
    """Without another request."""
    job, _ = pair
    async with running_service(still_platform) as service:
        feed = service.watch(resources.logs.compared(still_platform.project, job["id"]))
        few = len(news((await ended(feed))[-1]))
        before = requests_of(still_platform)[-1]["number"]
        feed.toggle_masks()
        seen: list[CompareUpdate] = []
        async with aclosing(aiter(feed)) as updates:  # type: ignore[type-var]  # a generator
            async for update in updates:
                seen.append(update)
                if update.step is CompareStep.DONE and not update.masks:
                    break
        assert len(news(seen[-1])) > few
        assert requests_of(still_platform, before) == []


async def test_masks_are_toggled_also_while_they_change(
    still_platform: RunningEmulator, pair: Pair
) -> None:
    """Twice is none."""
    job, _ = pair
    async with running_service(still_platform) as service:
        feed = service.watch(resources.logs.compared(still_platform.project, job["id"]))
        await ended(feed)
        async with viewing_any(feed) as viewer:
            feed.toggle_masks()
            await viewer.until(lambda update: update.step is CompareStep.COMPARING)
            feed.toggle_masks()
            await viewer.until(lambda update: update.step is CompareStep.DONE)
            await viewer.until(lambda update: update.step is CompareStep.DONE and update.masks)


async def test_a_refresh_while_it_loads_is_not_lost(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It loads once more."""
    async with running_service(still_platform, token="wrong") as service:
        feed = service.watch(resources.logs.compared(still_platform.project, 1))
        fetch, asked, again = feed._reader.fetch, [], asyncio.Event()

        async def refreshed(operation: Any, *other: Any) -> Any:
            asked.append(operation)
            if len(asked) == 1:
                feed.refresh()
            else:
                again.set()
            return await fetch(operation, *other)

        monkeypatch.setattr(feed._reader, "fetch", refreshed)
        async with viewing_any(feed) as viewer:
            await viewer.until(lambda update: update.error is not None)
            await asyncio.wait_for(again.wait(), PATIENCE)


async def test_what_is_kept_is_not_asked_for_again(
    still_platform: RunningEmulator, pair: Pair
) -> None:
    """Neither a finished log nor the jobs of a finished pipeline."""
    job, green = pair
    async with running_service(still_platform) as service:
        await ended(service.watch(resources.logs.compared(still_platform.project, job["id"])))
        before = requests_of(still_platform)[-1]["number"]
        await ended(service.watch(resources.logs.compared(still_platform.project, job["id"])))
    again = [entry["path"] for entry in requests_of(still_platform, before)]
    assert not [path for path in again if "/trace" in path or f"{green['in']}/jobs" in path]


async def test_an_error_is_told_once_and_a_refresh_tries_again(
    still_platform: RunningEmulator,
) -> None:
    """Nobody asks in a loop for what does not come."""
    async with running_service(still_platform, token="wrong") as service:
        feed = service.watch(resources.logs.compared(still_platform.project, 1))
        async with viewing_any(feed) as viewer:
            await viewer.until(lambda update: update.error is not None)
            before = service.journal.newest.value
            feed.refresh()
            await viewer.until(lambda update: update.error is None)
            await viewer.until(lambda update: update.error is not None)
            assert service.journal.newest.value == before + 1


@pytest.mark.variants("default", reason="its platform is no emulator")
async def test_a_temporary_error_passes_by_itself() -> None:
    """As its hint promises; nothing else is asked that would tell that the platform is back."""
    run = {"id": 5, "name": "dbt", "status": "failed", "ref": "main"}
    first = says({}, "500 Internal Server Error")
    jobs = in_turn(first, says({**run, "pipeline": {"id": 9, "ref": "main"}}))

    async def script(heard: Heard, writer: StreamWriter) -> None:
        await (jobs if heard.target.endswith("/jobs/5") else says([]))(heard, writer)

    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
        viewing_any(service.watch(resources.logs.compared(7, 5))) as viewer,
    ):
        failed = await viewer.until(lambda update: update.error is not None)
        assert failed.error.hint == "platui retries automatically."
        found = await viewer.until(lambda update: update.step is CompareStep.NOTHING)
        assert found.error is None
