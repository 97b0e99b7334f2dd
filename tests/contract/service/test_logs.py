"""Following logs of the emulator, as the log view does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.support.clock import FakeClock
from tests.support.frozen import StillClock
from tests.support.platform import api_client, in_project
from tests.support.service import becomes, requests_of, running_service, viewing, viewing_any

from platui.models.values.feeds import Source
from platui.models.values.log import LogState
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.models.values.statuses import ENDED
from platui.service import resources

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui.models.values.log import LogDocument
    from platui.models.wire import Job
    from platui.service import PlatformService
    from platui_emulator.server import RunningEmulator

_STEP: Final = 10.0
"""Seconds by which a platform goes on whose clock is moved by hand."""


async def _failed_job(service: PlatformService, project: str) -> Job:
    """Return a job that failed, of one of the newest pipelines that did."""
    query = PipelinesQuery(project, status="failed")
    async with viewing(service.watch(resources.pipelines.pipelines(query))) as list_:
        pipelines = await list_.until(lambda s: s.source is Source.LIVE)
    assert pipelines.value is not None
    for pipeline in pipelines.value.items:
        async with viewing(
            service.watch(resources.jobs.jobs(JobsQuery(project, pipeline.id)))
        ) as viewer:
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
        async with viewing_any(
            service.watch(resources.logs.job_log(platform.project, job.id))
        ) as viewer:
            ended = await viewer.until(lambda u: u.state is LogState.ENDED)
            assert ended.job_status == "failed"
            assert ended.error is None
            assert ended.is_current
            text = _text(ended.document)
            raw = ended.document.read(0, ended.document.size)
            assert len(raw) == ended.document.size
            assert viewer.seen[0].state is LogState.OPENING
    fetched = _trace_requests(platform, job.id)
    async with running_service(platform) as service:
        async with viewing_any(
            service.watch(resources.logs.job_log(platform.project, job.id))
        ) as viewer:
            again = await viewer.until(lambda u: u.state is LogState.ENDED)
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
        feed = service.watch(resources.logs.job_log(platform.project, job.id))
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
    clock = FakeClock()
    emulator = platform_with(clock=clock)
    with api_client(emulator) as client:
        answer = client.post(in_project(emulator, "pipeline?ref=main"))
        assert answer.status_code == 201
        jobs = in_project(emulator, f"pipelines/{answer.json()['id']}/jobs")
        while not (running := [j for j in client.get(jobs).json() if j["status"] == "running"]):
            clock.jump(_STEP)
        number = running[0]["id"]
        async with (
            running_service(emulator) as service,
            viewing_any(service.watch(resources.logs.job_log(emulator.project, number))) as viewer,
        ):
            sizes = []
            update = await viewer.until(lambda u: u.document.size > 0)
            first = update.document
            while update.state is not LogState.ENDED:
                sizes.append(update.document.size)
                clock.jump(_STEP)
                update = await viewer.until(
                    lambda u: u.state is LogState.ENDED or u.document.size > sizes[-1]
                )
            assert len(sizes) > 1
            assert update.document is first
            assert update.job_status in ENDED
            assert update.last_growth is not None
            assert not any(seen.reset for seen in viewer.seen)
        final = client.get(in_project(emulator, f"jobs/{number}/trace")).content
        assert update.document.size == len(final)
    rounds = [
        e["path"].endswith("/trace")
        for e in requests_of(emulator)
        if f"/jobs/{number}" in e["path"]
    ]
    # Job first, then its log: no more than one request for the job a look at the log.
    assert rounds.count(False) <= rounds.count(True) + 1


async def test_a_log_that_is_not_there_is_an_error(platform: RunningEmulator) -> None:
    """A missing job says so and leaves an empty document."""
    async with (
        running_service(platform) as service,
        viewing_any(service.watch(resources.logs.job_log(platform.project, 10**15))) as viewer,
    ):
        missing = await viewer.until(lambda u: u.error is not None)
        assert missing.document.size == 0
        assert missing.state is LogState.OPENING


async def test_a_missing_job_is_asked_for_once_by_all_feeds_of_a_view(
    platform: RunningEmulator,
) -> None:
    """Each after the other, so that no request under way is joined; a refresh asks again."""
    missing = 10**15 - 1

    def asked() -> int:
        return sum(one["path"].endswith(f"/jobs/{missing}") for one in requests_of(platform))

    async with running_service(platform, clock=StillClock()) as service:
        log = service.watch(resources.logs.job_log(platform.project, missing))
        job, same = (service.watch(resources.jobs.job(platform.project, missing)) for _ in range(2))
        async with viewing(job) as first:
            await first.until(lambda snapshot: snapshot.error is not None)
            async with viewing_any(log) as second:
                await second.until(lambda update: update.error is not None)
                async with viewing(same) as third:
                    await third.until(lambda snapshot: snapshot.error is not None)
                assert asked() == 1
                for number, refresh in enumerate((job.refresh, log.refresh), start=2):
                    refresh()
                    await becomes(service.journal.newest, number.__le__)
                    assert asked() == number
