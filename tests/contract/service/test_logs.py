"""Following logs of the emulator, as the log view does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.platform import api_client, in_project
from tests.support.service import becomes, requests_of, running_service, viewing, viewing_any

from platui.models.values.log import LogState
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.models.values.snapshots import Source
from platui.service.statuses import ENDED

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui.emulator.server import RunningEmulator
    from platui.models import Job
    from platui.models.values.log import LogDocument
    from platui.service import PlatformService


async def _failed_job(service: PlatformService, project: str) -> Job:
    """Return a job that failed, of one of the newest pipelines that did."""
    query = PipelinesQuery(project, status="failed")
    async with viewing(service.feeds.watch_pipelines(query)) as list_:
        pipelines = await list_.until(lambda s: s.source is Source.LIVE)
    assert pipelines.value is not None
    for pipeline in pipelines.value.items:
        async with viewing(service.feeds.watch_jobs(JobsQuery(project, pipeline.id))) as viewer:
            jobs = await viewer.until(lambda s: s.source is Source.LIVE)
        assert jobs.value is not None
        for job in jobs.value.items:
            if job.status == "failed":
                return job
    raise LookupError(project)


def _text(document: LogDocument) -> str:
    return "\n".join(document.text(y) for y in range(document.line_count))


def _trace_requests(platform: RunningEmulator, job: int) -> list[str]:
    return [e["path"] for e in requests_of(platform) if f"/jobs/{job}/trace" in e["path"]]


async def test_a_finished_log_is_fetched_once_for_good(platform: RunningEmulator) -> None:
    """The second look, and the next run without a network, come from the store."""
    async with running_service(platform) as service:
        job = await _failed_job(service, platform.project)
        async with viewing_any(service.feeds.follow_log(platform.project, job.id)) as viewer:
            ended = await viewer.until(lambda u: u.state is LogState.ENDED)
            assert ended.job_status == "failed"
            assert ended.error is None
            assert not ended.from_cache
            assert ended.is_current
            text = _text(ended.document)
            raw = ended.document.read(0, ended.document.size)
            assert len(raw) == ended.document.size
            assert viewer.seen[0].state is LogState.OPENING
    fetched = _trace_requests(platform, job.id)
    async with running_service(platform) as service:
        async with viewing_any(service.feeds.follow_log(platform.project, job.id)) as viewer:
            again = await viewer.until(lambda u: u.state is LogState.ENDED)
            assert again.from_cache
            assert again.is_current
            assert again.document.read(0, again.document.size) == raw
            assert again.job_status == "failed"
            assert _text(again.document) == text
        assert service.journal.recent() == ()
    assert _trace_requests(platform, job.id) == fetched
    assert len(fetched) == 1


async def test_refresh_looks_at_a_finished_log_again(
    platform: RunningEmulator, *, has_etags: bool
) -> None:
    """The user's word goes before what is kept; unchanged bytes change nothing."""
    async with running_service(platform) as service:
        job = await _failed_job(service, platform.project)
        feed = service.feeds.follow_log(platform.project, job.id)
        async with viewing_any(feed) as viewer:
            ended = await viewer.until(lambda u: u.state is LogState.ENDED)
            number = service.journal.newest.value
            feed.refresh()
            await becomes(service.journal.newest, lambda newest: newest >= number + 2)
            again = await viewer.until(lambda u: u.state is LogState.ENDED)
            assert again.document is ended.document
            assert not again.reset
        sources = {record.source for record in service.journal.recent()[:2]}
        assert sources == {"304" if has_etags else "live"}


async def test_a_running_log_grows_to_its_end(platform_with: PlatformFactory) -> None:
    """Bytes come while the job runs, the last ones too, and then it is over."""
    emulator = platform_with(speed=40)
    with api_client(emulator) as client:
        answer = client.post(in_project(emulator, "pipeline?ref=main"))
        assert answer.status_code == 201
        pipeline = int(answer.json()["id"])
        async with running_service(emulator) as service:
            query = JobsQuery(emulator.project, pipeline)
            async with viewing(service.feeds.watch_jobs(query)) as jobs:
                snapshot = await jobs.until(
                    lambda s: (
                        s.value is not None and any(j.status == "running" for j in s.value.items)
                    )
                )
            assert snapshot.value is not None
            job = next(j for j in snapshot.value.items if j.status == "running")
            async with viewing_any(service.feeds.follow_log(emulator.project, job.id)) as viewer:
                sizes = []
                update = await viewer.until(lambda u: u.document.size > 0)
                first = update.document
                while update.state is not LogState.ENDED:
                    sizes.append(update.document.size)
                    update = await viewer.until(
                        lambda u: u.state is LogState.ENDED or u.document.size > sizes[-1]
                    )
                assert len(sizes) > 1
                assert update.document is first
                assert update.job_status in ENDED
                assert update.last_growth is not None
                assert not any(seen.reset for seen in viewer.seen)
        final = client.get(in_project(emulator, f"jobs/{job.id}/trace")).content
        assert update.document.size == len(final)
    rounds = [
        e["path"].endswith("/trace")
        for e in requests_of(emulator)
        if f"/jobs/{job.id}" in e["path"]
    ]
    # Job first, then its log: no more than one request for the job a look at the log.
    assert rounds.count(False) <= rounds.count(True) + 1


async def test_a_log_that_is_not_there_is_an_error(platform: RunningEmulator) -> None:
    """A missing job says so and leaves an empty document."""
    async with (
        running_service(platform) as service,
        viewing_any(service.feeds.follow_log(platform.project, 10**15)) as viewer,
    ):
        missing = await viewer.until(lambda u: u.error is not None)
        assert missing.document.size == 0
        assert missing.state is LogState.OPENING
