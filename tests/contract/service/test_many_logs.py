"""Following and searching all logs of a pipeline of the emulator."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FastClock
from tests.support.company import NOW, company, jobs, newest
from tests.support.faults import set_fault
from tests.support.platform import api_client, in_project
from tests.support.service import (
    requests_of,
    running_service,
    service_at,
    started,
    viewing_any,
)
from tests.support.wire import in_turn, says, wire_server

from platui.config.settings import Settings
from platui.core.errors import ServerFailedError
from platui.logs.merged import MergedLog
from platui.models.values.feeds import Listing, Snapshot, Source
from platui.models.values.log import LogState, LogUpdate
from platui.models.values.search import PipelineHits, ReadState, SearchQuery
from platui.models.wire import Job
from platui.present.logs.many_logs import describe_notice
from platui.service import resources
from platui.service.logs import job_logs, pipeline_search
from platui.service.logs.follower import AROUND_ERROR
from platui.service.logs.many_logs import ManyLogs

if TYPE_CHECKING:
    from asyncio import StreamWriter
    from collections.abc import AsyncIterator, Sequence

    from tests.support.platform import PlatformFactory
    from tests.support.wire import Heard

    from platui_emulator.records import Pipeline, Project
    from platui_emulator.server import RunningEmulator


def _running() -> tuple[Project, Pipeline]:
    """Return the pipeline in which most jobs run at NOW."""
    found = [
        (sum(job.status == "running" for job in jobs(pipeline, NOW)), project, pipeline)
        for project in company().projects()
        for pipeline in newest(project, NOW, 5)
        if pipeline.status == "running"
    ]
    return max(found, key=lambda one: one[0])[1:]


def _texts(document: MergedLog) -> list[str]:
    return [document.text(y) for y in range(document.line_count)]


def _merged(update: LogUpdate) -> MergedLog:
    assert isinstance(update.document, MergedLog)
    return update.document


def _traces(platform: RunningEmulator, after: int = 0) -> list[str]:
    return [e["path"] for e in requests_of(platform, after) if e["path"].endswith("/trace")]


async def test_a_pipeline_is_followed_to_its_end(platform_with: PlatformFactory) -> None:
    """Every job that begins joins by itself; each line comes once, and in order."""
    project, pipeline = _running()
    clock = FastClock(150, NOW)
    platform = platform_with(clock=clock)
    async with running_service(platform, clock=clock) as service:
        feed = service.watch(
            resources.logs.many_job_logs(project.full_path, pipeline.id, describe_notice)
        )
        async with viewing_any(feed) as viewer:
            ended = await viewer.until(lambda u: u.state is LogState.ENDED)
    document = _merged(ended)
    texts = _texts(document)
    assert texts[-1].startswith(f"━━ pipeline #{pipeline.id} ")
    assert ended.job_status in {"success", "failed"}
    assert texts[-1].endswith(ended.job_status)
    assert len(ended.stream.jobs) > 1
    assert not ended.stream.waiting
    by_job: dict[int, list[int]] = {}
    for y, text in enumerate(texts):
        if "│" in text:
            by_job.setdefault(document.origin(y).job, []).append(document.origin(y).line)
    for lines in by_job.values():
        assert lines == list(range(lines[0], lines[0] + len(lines)))
    for job in ended.stream.jobs:
        assert any(text.startswith(f"── {job.name} ") and job.status in text for text in texts)
    # A job that began while one looked on is there from its first line.
    assert any(lines[0] == 0 for lines in by_job.values())


class _Listed:
    """A feed that says once which jobs there are."""

    def __init__(self, jobs: tuple[Job, ...]) -> None:
        self._jobs = jobs

    async def __aiter__(self) -> AsyncIterator[Snapshot[Listing[Job]]]:
        """Yield them."""
        yield Snapshot(Listing(self._jobs, complete=True), Source.LIVE, NOW)
        await asyncio.Event().wait()

    def refresh(self) -> None:
        """Do nothing."""

    def load_more(self, pages: int = 1, *, again: bool = False) -> None:
        """Do nothing."""

    def load_all(self) -> None:
        """Do nothing."""

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Do nothing."""


class _Kept(_Listed):
    """A feed whose first value is kept, and whose refresh fails once."""

    def __init__(self, jobs: tuple[Job, ...]) -> None:
        super().__init__(jobs)
        self.is_back = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[Snapshot[Listing[Job]]]:
        """Yield what was kept, why it is not renewed, and then a newer one."""
        listing = Listing(self._jobs, complete=True)
        kept = Snapshot(listing, Source.CACHE, NOW, refreshing=True)
        yield kept
        yield replace(kept, refreshing=False, error=ServerFailedError("Busy.", status=503))
        await self.is_back.wait()
        yield Snapshot(listing, Source.LIVE, NOW)
        await asyncio.Event().wait()


@pytest.mark.variants("default", reason="it needs no platform")
async def test_a_kept_list_of_ended_jobs_ends_nothing(still_platform: RunningEmulator) -> None:
    """A retry may have added jobs; only a newer list can tell."""
    async with running_service(still_platform) as service:
        live = service._startup.live
        assert live is not None
        listed = _Kept((Job(id=1, name="one", status="success", stage="load"),))
        feed = ManyLogs(
            live.context, 1, listed, lambda job: live.context.logs.log(1, job), describe_notice
        )
        async with viewing_any(feed) as viewer:
            failed = await viewer.until(lambda u: u.error is not None)
            assert failed.state is not LogState.ENDED
            listed.is_back.set()
            await viewer.until(lambda u: u.state is LogState.ENDED)


def _long_running(count: int) -> dict[int, int]:
    """Return jobs that run at NOW and for a while after it, with the project of each."""
    later = NOW + timedelta(seconds=90)
    found = {
        job.id: project.id
        for project in company().projects()
        for pipeline in newest(project, NOW, 5)
        if pipeline.status == "running"
        for job in jobs(pipeline, NOW)
        if job.status == "running"
        and (then := company().pipelines.job(project.id, job.id, later)) is not None
        and then.status == "running"
    }
    return dict(list(found.items())[:count])


@pytest.mark.variants("default", "spec-only", reason="honest states are gone by")
async def test_six_running_jobs_cost_no_more_than_one_log_a_second(
    platform_with: PlatformFactory,
) -> None:
    """Half a minute of the platform's time, with the rhythm that users have."""
    clock = FastClock(10, NOW)
    platform = platform_with(clock=clock)
    running = _long_running(6)
    listed = tuple(
        Job(id=job, name=f"job {job}", status="running", stage="load", started_at=NOW)
        for job in running
    )
    async with running_service(platform, Settings(), clock=clock) as service:
        live = service._startup.live
        assert live is not None
        feed = ManyLogs(
            live.context,
            1,
            _Listed(listed),
            lambda job: live.context.logs.log(running[job], job),
            describe_notice,
        )
        async with viewing_any(feed) as viewer:
            await viewer.until(
                lambda u: (
                    {_merged(u).origin(y).job for y in range(_merged(u).line_count)} == {*running}
                )
            )
            before = max(entry["number"] for entry in requests_of(platform))
            await clock.sleep(30)
            asked = _traces(platform, before)
    assert 12 <= len(asked) <= 34
    # All of them in turn.
    counts = [asked.count(path) for path in {*asked}]
    assert len(counts) == len(running)
    assert max(counts) <= min(counts) + 2


@pytest.mark.variants("default", "spec-only", reason="honest states are gone by")
async def test_jobs_that_failed_come_with_why_and_cost_one_request_each(
    still_platform: RunningEmulator,
) -> None:
    """The second look costs none: the logs are kept."""
    failed = _failed_pipeline(still_platform)
    async with running_service(still_platform) as service:
        for look in (1, 2):
            before = max(entry["number"] for entry in requests_of(still_platform))
            feed = service.watch(
                resources.logs.many_job_logs(still_platform.project, failed, describe_notice)
            )
            async with viewing_any(feed) as viewer:
                ended = await viewer.until(lambda u: u.state is LogState.ENDED)
            names = [job.name for job in ended.stream.jobs]
            assert {job.status for job in ended.stream.jobs} == {"failed"}
            assert len(_traces(still_platform, before)) == (len(names) if look == 1 else 0)
            texts = _texts(_merged(ended))
            assert any(f"── {names[0]} ✖ failed · exit " in text for text in texts), texts
            assert len(texts) <= len(names) * (AROUND_ERROR + 2) + 1


# searching


def _job_logs(platform: RunningEmulator, pipeline: int) -> dict[str, str]:
    """Return the log of each job of a pipeline of the showcase that has one, by name."""
    with api_client(platform) as client:
        listed = client.get(in_project(platform, f"pipelines/{pipeline}/jobs")).json()
        return {
            job["name"]: client.get(in_project(platform, f"jobs/{job['id']}/trace")).text
            for job in listed
            if job["started_at"]
        }


def _failed_pipeline(platform: RunningEmulator) -> int:
    with api_client(platform) as client:
        listed = client.get(in_project(platform, "pipelines")).json()
    return next(int(one["id"]) for one in listed if one["status"] == "failed")


async def _searched(
    platform: RunningEmulator, pipeline: int, query: SearchQuery
) -> Sequence[PipelineHits]:
    async with running_service(platform) as service:
        feed = service.watch(resources.logs.search(platform.project, pipeline, query))
        async with viewing_any(feed) as viewer:
            await viewer.until(lambda found: found.is_whole or found.error is not None)
            return list(viewer.seen)


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_every_log_of_a_pipeline_is_searched(still_platform: RunningEmulator) -> None:
    """As many lines as each log has with it; failed jobs come first."""
    pipeline = _failed_pipeline(still_platform)
    logs = _job_logs(still_platform, pipeline)
    seen = await _searched(still_platform, pipeline, SearchQuery("runner"))
    found = seen[-1]
    assert {log.job.name: log.total for log in found.logs} == {
        name: sum("runner" in line.lower() for line in text.replace("\r", "\n").split("\n"))
        for name, text in logs.items()
    }
    assert found.logs[0].job.status == "failed"
    assert found.total > len(logs)
    for log in found.logs:
        assert log.state is ReadState.DONE
        for hit in log.hits:
            first, end = hit.ranges[0]
            assert hit.text[first:end].lower() == "runner"
    assert [one.done for one in seen] == sorted(one.done for one in seen)


@pytest.mark.variants("default", "spec-only", reason="honest names are gone by")
async def test_a_second_search_asks_for_no_log(still_platform: RunningEmulator) -> None:
    """What the first one fetched is kept, and what was followed, too."""
    pipeline = _failed_pipeline(still_platform)
    await _searched(still_platform, pipeline, SearchQuery("one"))
    before = max(entry["number"] for entry in requests_of(still_platform))
    found = (
        await _searched(
            still_platform, pipeline, SearchQuery(r"\bjob (failed|succ)", is_regex=True)
        )
    )[-1]
    assert found.total >= len(found.logs) > 0
    assert _traces(still_platform, before) == []


@pytest.mark.variants("default", "spec-only", reason="honest states are gone by")
async def test_running_logs_are_asked_for_once_for_searches_that_follow_each_other(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next search says when they came; `refresh` and time ask for them again."""
    project, pipeline = _running()
    clock = FastClock(1, NOW)
    platform = platform_with(clock=clock)
    async with running_service(platform, clock=clock) as service:

        async def search(text: str, *, refresh: bool = False) -> tuple[PipelineHits, list[str]]:
            before = max((entry["number"] for entry in requests_of(platform)), default=0)
            feed = service.watch(
                resources.logs.search(project.full_path, pipeline.id, SearchQuery(text))
            )
            async with viewing_any(feed) as viewer:
                found: PipelineHits = await viewer.until(lambda found: found.is_whole)
                if refresh:
                    feed.refresh()
                    await viewer.until(lambda found: not found.is_whole)
                    found = await viewer.until(lambda found: found.is_whole)
            return found, _traces(platform, before)

        first, asked = await search("running")
        running = [log for log in first.logs if log.job.status == "running"]
        assert running
        assert len(asked) == len(first.logs)
        again, asked = await search("runner")
        assert asked == []
        times = {log.job.id: log.fetched_at for log in again.logs}
        assert [times[log.job.id] for log in running] == [log.fetched_at for log in running]
        assert all(log.fetched_at is not None for log in running)
        settled = times.keys() - {log.job.id for log in running}
        assert all(times[job] is None for job in settled)
        _, asked = await search("gitlab", refresh=True)
        assert len(asked) == len(running)
        monkeypatch.setattr(job_logs, "FRESH", 0.0)
        _, asked = await search("one more")
        assert len(asked) == len(running)


async def test_a_pattern_that_is_none_says_so(still_platform: RunningEmulator) -> None:
    """And nothing is asked for."""
    pipeline = _failed_pipeline(still_platform)
    before = max(entry["number"] for entry in requests_of(still_platform))
    found = (await _searched(still_platform, pipeline, SearchQuery("(", is_regex=True)))[-1]
    assert found.error is not None
    assert found.error.title == "Search"
    assert requests_of(still_platform, before) == []


@pytest.mark.variants("default", reason="one variant tells it")
async def test_a_log_that_cannot_be_had_is_told_and_the_others_are_searched(
    platform_with: PlatformFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its reason; one that fails for a while is asked for again."""
    monkeypatch.setattr(pipeline_search, "TRIES", 1)
    platform = platform_with(faults_port=0)
    pipeline = _failed_pipeline(platform)
    names = list(_job_logs(platform, pipeline))
    with api_client(platform) as client:
        listed = client.get(in_project(platform, f"pipelines/{pipeline}/jobs")).json()
        job = next(job for job in listed if job["name"] == names[0])
    set_fault(platform, "server_error", path=rf"/jobs/{job['id']}/trace$")
    async with started(service_at(platform.faults_url, platform.token)) as service:
        feed = service.watch(resources.logs.search(platform.project, pipeline, SearchQuery("job")))
        async with viewing_any(feed) as viewer:
            found = await viewer.until(lambda found: found.is_whole)
    missing = [log for log in found.logs if log.state is ReadState.MISSING]
    assert [log.job.name for log in missing] == [names[0]]
    assert missing[0].error is not None
    assert found.total > 0


@pytest.mark.variants("default", reason="one variant tells it")
async def test_a_search_leaves_others_their_quota(platform_with: PlatformFactory) -> None:
    """It waits at three quarters of it and says so; stopped, what it found stays."""
    platform = platform_with(rate_limit=4)
    pipeline = _failed_pipeline(platform)
    async with running_service(platform, rate_limit=4) as service:
        feed = service.watch(resources.logs.search(platform.project, pipeline, SearchQuery("job")))
        async with viewing_any(feed) as viewer:
            waiting = await viewer.until(lambda found: found.waits and found.done > 0)
            assert 0 < waiting.done < len(waiting.logs)
            feed.stop()
            stopped = await viewer.until(lambda found: found.stopped)
            assert stopped.total >= waiting.total


async def test_a_refresh_lists_the_jobs_again_after_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At once: without the user's word, a rejected list is asked for again after a minute."""
    monkeypatch.setattr(pipeline_search, "_GAP", 0.0)
    missing = says({"message": "404 Not Found"}, "404 Not Found")
    async with (
        wire_server(in_turn(missing, says([]))) as server,
        started(service_at(server.url)) as service,
    ):
        feed = service.watch(resources.logs.search(7, 9, SearchQuery("job")))
        async with viewing_any(feed) as viewer:
            await viewer.until(lambda found: found.error is not None)
            for _ in range(100):  # until the search waits, as when a user reads the error
                await asyncio.sleep(0)
            feed.refresh()
            await viewer.until(lambda found: found.listed)


async def test_an_error_is_over_when_a_search_goes_on() -> None:
    """It was left while it waited for the retry of a log; its logs came since."""
    run = {"id": 1, "name": "dbt", "status": "failed", "started_at": "2026-03-14T00:00:00Z"}
    logs = in_turn(says({}, "500 Internal Server Error"), says("job\n", content_type="text/plain"))

    async def script(heard: Heard, writer: StreamWriter) -> None:
        answers = logs if heard.target.endswith("/trace") else says([run])
        await answers(heard, writer)

    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
    ):
        feed = service.watch(resources.logs.search(7, 9, SearchQuery("job")))
        async with viewing_any(feed) as viewer:
            await viewer.until(lambda found: found.error is not None)
        async with viewing_any(feed) as viewer:
            found = await viewer.until(lambda found: found.is_whole)
    assert found.total == 1
    assert found.error is None


async def test_a_pipeline_without_jobs_is_followed_until_it_ends() -> None:
    """They may come later; one with an invalid file has none."""
    pipeline = in_turn(says({"id": 9, "status": "running"}), says({"id": 9, "status": "failed"}))

    async def script(heard: Heard, writer: StreamWriter) -> None:
        await (says([]) if "/jobs" in heard.target else pipeline)(heard, writer)

    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
        viewing_any(service.watch(resources.logs.many_job_logs(7, 9, describe_notice))) as viewer,
    ):
        await viewer.until(lambda update: update.state is LogState.FOLLOWING)
        await viewer.until(lambda update: update.state is LogState.ENDED)
