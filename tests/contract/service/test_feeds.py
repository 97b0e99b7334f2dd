"""The service's feeds against the emulator: real HTTP, real files."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

import pytest
from tests.support.clock import FastClock
from tests.support.platform import api_client, credentials, in_project
from tests.support.service import (
    PATIENCE,
    becomes,
    requests_of,
    running_service,
    service_of,
    viewing,
    viewing_any,
)

from platui.config.settings import Settings
from platui.core.clock import SystemClock
from platui.core.errors import (
    CredentialError,
    NotFoundError,
    OfflineError,
    RateLimitedError,
    UnauthorizedError,
)
from platui.core.secrets import Secret
from platui.models.values.connection import ConnectionState, Urgency
from platui.models.values.feeds import Source
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectsQuery
from platui.service import resources
from platui_emulator.http.variants.attacks import bare

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui.models.values.feeds import Feed
    from platui.models.wire import Pipeline
    from platui.service import PlatformService
    from platui_emulator.server import RunningEmulator

T = TypeVar("T")


async def _pipelines(service: PlatformService, project: str) -> list[Pipeline]:
    """Return the newest pipelines of a project."""
    async with viewing(
        service.watch(resources.pipelines.pipelines(PipelinesQuery(project)))
    ) as viewer:
        snapshot = await viewer.until(lambda s: s.source is Source.LIVE)
        assert snapshot.value is not None
        return list(snapshot.value.items)


async def _failed_pipeline(service: PlatformService, project: str) -> int:
    return next(p.id for p in await _pipelines(service, project) if p.status == "failed")


async def test_a_second_run_shows_the_first_ones_data_at_once(
    platform: RunningEmulator, *, has_etags: bool
) -> None:
    """The cache answers before the platform does, and says that it is the cache."""
    query = ProjectsQuery()
    async with running_service(platform) as service:
        async with viewing(service.watch(resources.projects.projects(query))) as viewer:
            first = await viewer.until(lambda s: s.source is Source.LIVE)
        assert viewer.seen[0].source is Source.NOTHING
        assert viewer.seen[0].refreshing
    async with running_service(platform) as service:
        async with viewing(service.watch(resources.projects.projects(query))) as viewer:
            cached = await viewer.until(lambda s: s.value is not None)
            assert cached.source is Source.CACHE
            assert cached.fetched_at == first.fetched_at
            assert cached.value == first.value
            live = await viewer.until(lambda s: s.source is Source.LIVE)
            assert live.value is cached.value
        assert service.journal.recent()[-1].source == ("304" if has_etags else "live")


async def test_a_poll_of_the_same_renews_the_age_and_keeps_the_object(
    platform: RunningEmulator, *, has_etags: bool
) -> None:
    """Unchanged answers cost no decoding and leave nothing to paint."""
    async with (
        running_service(platform) as service,
        viewing(service.watch(resources.projects.namespaces())) as viewer,
    ):
        first = await viewer.until(lambda s: s.source is Source.LIVE)
        later = await viewer.until(lambda s: s.fetched_at != first.fetched_at)
        assert later.value is first.value
        assert service.journal.recent()[0].source == ("304" if has_etags else "live")
        assert service.journal.recent()[0].urgency is Urgency.VISIBLE


async def test_leaving_a_feed_ends_its_requests(platform: RunningEmulator) -> None:
    """What nobody looks at is not polled."""
    async with running_service(platform) as service:
        async with viewing(service.watch(resources.projects.namespaces())) as viewer:
            await viewer.until(lambda s: s.source is Source.LIVE)
        number = service.journal.newest.value
        # Another feed's polls measure the time in which the first would have polled.
        async with viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as other:
            first = await other.until(lambda s: s.source is Source.LIVE)
            await other.until(lambda s: s.fetched_at != first.fetched_at)
        later = [r for r in service.journal.recent() if r.number > number]
        assert later
        assert all(r.path.startswith("projects") for r in later)


async def test_pages_load_when_asked_for(platform: RunningEmulator, variant: str) -> None:
    """One more page, then all of them; each pipeline stands once, newest first."""
    async with running_service(platform) as service:
        query = PipelinesQuery(platform.project)
        async with viewing(service.watch(resources.pipelines.pipelines(query))) as viewer:
            feed = service.watch(resources.pipelines.pipelines(query))
            first = await viewer.until(lambda s: s.source is Source.LIVE)
            assert first.value is not None
            assert not first.value.complete
            # A hostile platform has things in its lists that are no pipelines.
            assert (80 if variant == "hostile" else 100) <= len(first.value.items) <= 100
        async with viewing(feed) as viewer:
            await viewer.until(lambda s: s.source is Source.LIVE)
            feed.load_more()
            more = await viewer.until(lambda s: s.value is not None and len(s.value.items) > 100)
            assert more.value is not None
            ids = [pipeline.id for pipeline in more.value.items]
            assert len(ids) == len(set(ids))
            assert ids == sorted(ids, reverse=True)


async def test_all_pages_load_until_the_list_is_complete(platform: RunningEmulator) -> None:
    """`load_all` ends with a complete list and says meanwhile that more is on its way."""
    query = PipelinesQuery(platform.project, status="failed")
    async with running_service(platform) as service:
        feed = service.watch(resources.pipelines.pipelines(query))
        feed.load_all()
        async with viewing(feed) as viewer:
            done = await viewer.until(lambda s: s.value is not None and s.value.complete)
            assert done.value is not None
            assert done.value.total in {None, len(done.value.items)}
            assert {pipeline.status for pipeline in done.value.items} == {"failed"}


@pytest.mark.variants(
    "default", "spec-only", reason="a status that nobody knows may still become another"
)
async def test_finished_things_are_asked_for_once(platform: RunningEmulator) -> None:
    """A finished pipeline's jobs are settled: not polled, and known to the next run."""
    async with running_service(platform) as service:
        pipeline = await _failed_pipeline(service, platform.project)
        query = JobsQuery(platform.project, pipeline)
        async with viewing(service.watch(resources.jobs.jobs(query))) as viewer:
            settled = await viewer.until(lambda s: s.is_final and s.source is Source.LIVE)
            assert settled.value is not None
            assert settled.value.complete
            assert any(job.status == "failed" for job in settled.value.items)
    async with running_service(platform) as service:
        async with viewing(service.watch(resources.jobs.jobs(query))) as viewer:
            again = await viewer.until(lambda s: s.value is not None)
            assert again.source is Source.CACHE
            assert again.is_final
            assert again.value == settled.value
            assert not again.refreshing
        assert service.journal.recent() == ()


@pytest.mark.variants(
    "default", "spec-only", reason="a status that nobody knows may still become another"
)
async def test_what_was_retried_elsewhere_is_not_taken_from_the_last_run(
    platform: RunningEmulator,
) -> None:
    """Finished things are asked for again a minute later: once, and before anybody refreshes."""
    async with running_service(platform) as service:
        number = await _failed_pipeline(service, platform.project)
        pipeline = resources.pipelines.pipeline(platform.project, number)
        async with viewing(service.watch(pipeline)) as viewer:
            await viewer.until(lambda s: s.is_final and s.source is Source.LIVE)
    with api_client(platform) as client:
        client.post(in_project(platform, f"pipelines/{number}/retry")).raise_for_status()
    later = FastClock(start=SystemClock().now() + timedelta(minutes=2))
    async with (
        running_service(platform, clock=later) as service,
        viewing(service.watch(pipeline)) as viewer,
    ):
        kept = await viewer.until(lambda s: s.value is not None)
        assert (kept.source, kept.refreshing) == (Source.CACHE, True)
        await viewer.until(lambda s: not s.is_final)


async def test_one_record_each_and_what_is_missing(platform: RunningEmulator) -> None:
    """Pipelines one by one; a missing one is an error, not a crash."""
    async with running_service(platform) as service:
        pipeline = await _failed_pipeline(service, platform.project)
        async with viewing(
            service.watch(resources.pipelines.pipeline(platform.project, pipeline))
        ) as detail:
            snapshot = await detail.until(lambda s: s.value is not None)
            assert snapshot.value is not None
            assert snapshot.value.status == "failed"
            assert snapshot.is_final
        async with viewing(
            service.watch(resources.pipelines.pipeline(platform.project, 10**15))
        ) as missing:
            gone = await missing.until(lambda s: s.error is not None)
            assert isinstance(gone.error, NotFoundError)
            assert gone.value is None
        assert service.line.value.state is ConnectionState.ONLINE


async def test_one_project(platform: RunningEmulator, variant: str) -> None:
    """A neighbour of the spec: where it is missing that is an error, not a crash."""
    async with (
        running_service(platform) as service,
        viewing(service.watch(resources.projects.project(platform.project))) as viewer,
    ):
        seen = await viewer.until(lambda s: s.value is not None or s.error is not None)
        if variant == "spec-only":
            assert isinstance(seen.error, NotFoundError)
        else:
            assert seen.value is not None
            assert bare(seen.value.path_with_namespace) == platform.project


async def test_bridges_are_a_list_even_where_there_are_none(
    platform: RunningEmulator, variant: str
) -> None:
    """A neighbour that is missing gives an empty, complete list and is not asked for again.

    Pipelines that are missing, however many, say nothing about those of others.
    """
    async with running_service(platform) as service:
        pipeline = await _failed_pipeline(service, platform.project)
        async with viewing(
            service.watch(resources.pipelines.bridges(platform.project, pipeline))
        ) as viewer:
            there = await viewer.until(lambda s: s.value is not None)
            assert there.value is not None
            assert there.value.complete
        for missing in (10**15, 10**15 + 1):
            async with viewing(
                service.watch(resources.pipelines.bridges(platform.project, missing))
            ) as viewer:
                snapshot = await viewer.until(lambda s: s.value is not None)
                assert snapshot.value is not None
                assert snapshot.value.items == ()
                assert snapshot.value.complete
                assert snapshot.error is None
        for missing, asks in ((10**15 + 2, variant != "spec-only"), (10**15, False)):
            number = service.journal.newest.value
            async with viewing(
                service.watch(resources.pipelines.bridges(platform.project, missing))
            ) as viewer:
                await viewer.until(lambda s: s.value is not None)
            assert (service.journal.newest.value > number) == asks


@pytest.mark.variants(
    "default", "spec-only", reason="a page whose only item is no pipeline tells nothing"
)
async def test_the_newest_pipelines_come_in_the_background(platform: RunningEmulator) -> None:
    """Wished projects become known; the others stay unknown, which is not the same as green."""
    async with running_service(platform) as service:
        async with viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as viewer:
            projects = await viewer.until(lambda s: s.source is Source.LIVE)
        assert projects.value is not None
        ids = [project.id for project in projects.value.items]
        wish = [*ids[:8], 10**15]
        feed = service.watch(resources.projects.latest())
        feed.show(wish)
        async with viewing_any(feed) as states:
            known = await states.until(lambda s: len(s) == len(wish))
            assert set(known) == set(wish)
            assert known[10**15].pipeline is None
            feed.show(ids[8:10])
            await states.until(lambda s: set(ids[8:10]) <= set(s))
        used = {r.urgency for r in service.journal.recent() if "/pipelines" in r.path}
        assert used == {Urgency.BACKGROUND}


@pytest.mark.variants(
    "default", "spec-only", reason="a page whose only item is no pipeline tells nothing"
)
async def test_newest_pipelines_of_thousands_of_projects_are_not_all_remembered(
    platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was requested last stays; the others come from the cache when they are shown again."""
    monkeypatch.setattr("platui.service.feeds.latest_pipelines._MOST", 4)
    async with running_service(platform) as service:
        async with viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as viewer:
            projects = await viewer.until(lambda s: s.source is Source.LIVE)
        assert projects.value is not None
        first, second, third = (
            [project.id for project in projects.value.items[at : at + 2]] for at in (0, 2, 4)
        )
        feed = service.watch(resources.projects.latest())
        async with viewing_any(feed) as states:
            feed.show(first)
            await states.until(lambda s: set(s) == {*first})
            feed.show(second)
            await states.until(lambda s: set(s) == {*first, *second})
            feed.show(third)
            await states.until(lambda s: set(s) == {*second, *third})
            sent = service.journal.newest.value
            feed.show(first)
            await states.until(lambda s: set(s) == {*third, *first})
        assert service.journal.newest.value == sent


async def test_an_outage_keeps_the_data_and_ends_by_itself(platform_with: PlatformFactory) -> None:
    """The platform goes away and comes back on the same port; nobody presses a key."""
    first = platform_with()
    port = int(first.base_url.rpartition(":")[2])
    async with (
        running_service(first) as service,
        viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as viewer,
    ):
        before = await viewer.until(lambda s: s.source is Source.LIVE)
        await asyncio.to_thread(first.stop)
        down = await viewer.until(lambda s: s.error is not None)
        assert isinstance(down.error, OfflineError)
        assert down.value is before.value
        line = await becomes(service.line, lambda line: line.state is ConnectionState.OFFLINE)
        assert line.since is not None
        await asyncio.to_thread(platform_with, port=port)
        back = await viewer.until(lambda s: s.error is None)
        assert back.fetched_at is not None
        assert before.fetched_at is not None
        assert back.fetched_at > before.fetched_at
        await becomes(service.line, lambda line: line.state is ConnectionState.ONLINE)


async def test_the_cache_answers_while_the_platform_is_away(
    platform_with: PlatformFactory,
) -> None:
    """A start without a network shows what was known, and why there is nothing newer."""
    emulator = platform_with()
    async with (
        running_service(emulator) as service,
        viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as viewer,
    ):
        known = await viewer.until(lambda s: s.source is Source.LIVE)
    await asyncio.to_thread(emulator.stop)
    async with (
        running_service(emulator) as service,
        viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as viewer,
    ):
        cached = await viewer.until(lambda s: s.value is not None)
        assert (cached.source, cached.value) == (Source.CACHE, known.value)
        failed = await viewer.until(lambda s: s.error is not None)
        assert isinstance(failed.error, OfflineError)
        assert failed.value is cached.value


async def test_an_expired_token_is_replaced_in_place(platform_with: PlatformFactory) -> None:
    """401 stops polling; a new token wakes what was waiting, without a restart."""
    emulator = platform_with()
    spare = str(credentials(emulator)["personal_second"])
    async with (
        running_service(emulator) as service,
        viewing(service.watch(resources.projects.namespaces())) as viewer,
    ):
        known = await viewer.until(lambda s: s.source is Source.LIVE)
        emulator.platform.credentials.expire(emulator.token)
        refused = await viewer.until(lambda s: s.error is not None)
        assert isinstance(refused.error, UnauthorizedError)
        assert refused.value is known.value
        await becomes(service.line, lambda line: line.state is ConnectionState.UNAUTHORIZED)
        assert service.budget.value.used > 0
        await service.replace_token(Secret(spare))
        await viewer.until(lambda s: s.error is None)
        await becomes(service.line, lambda line: line.state is ConnectionState.ONLINE)
    statuses = [entry["status"] for entry in requests_of(emulator)]
    assert statuses.count(401) == 1


async def test_a_new_token_that_is_refused_is_put_back(platform_with: PlatformFactory) -> None:
    """Whoever mistypes it goes on with the one that works."""
    emulator = platform_with()
    async with (
        running_service(emulator) as service,
        viewing(service.watch(resources.projects.namespaces())) as viewer,
    ):
        await viewer.until(lambda s: s.source is Source.LIVE)
        with pytest.raises(CredentialError, match="does not accept"):
            await service.replace_token(Secret("mistyped"))
        assert service.access_token == Secret(emulator.token)
        assert service.given_token is None
        await viewer.until(lambda s: s.error is None)
        await becomes(service.line, lambda line: line.state is ConnectionState.ONLINE)


def _spend(platform: RunningEmulator) -> float:
    """Spend the user's quota with another tool; return the seconds until it is back."""
    with api_client(platform) as another_tool:
        while True:
            answer = another_tool.get("user")
            if answer.status_code == 429:
                return float(answer.headers["retry-after"])


@pytest.mark.variants("default", "spec-only", reason="its Retry-After is no time one could wait")
async def test_a_spent_quota_is_waited_for(platform_with: PlatformFactory) -> None:
    """Between a 429 and its Retry-After nothing is sent; then it goes on by itself."""
    clock = FastClock(20)
    emulator = platform_with(rate_limit=30, clock=clock)
    # Spent twice, so that the second time is at the beginning of the platform's window.
    await clock.sleep(await asyncio.to_thread(_spend, emulator))
    wait = await asyncio.to_thread(_spend, emulator)
    others = len(requests_of(emulator))
    async with (
        running_service(emulator, Settings(), clock=clock) as service,
        viewing(service.watch(resources.projects.projects(ProjectsQuery()))) as viewer,
    ):
        limited = await viewer.until(lambda s: s.error is not None)
        assert isinstance(limited.error, RateLimitedError)
        assert service.budget.value.paused_until is not None
        # Whatever else is asked now, by the user too, has to wait as well.
        feed = service.watch(resources.projects.namespaces())
        async with viewing(feed) as other:
            feed.refresh()
            await other.until(lambda s: s.source is Source.LIVE)
        await viewer.until(lambda s: s.source is Source.LIVE)
        assert service.budget.value.paused_until is None
    entries = requests_of(emulator)
    spent, first, *rest = entries[others - 1 :]
    assert (spent["status"], first["status"]) == (429, 429)
    assert limited.error.retry_after is not None
    assert 20 < limited.error.retry_after <= wait
    assert rest[0]["monotonic"] - first["monotonic"] >= limited.error.retry_after
    assert {entry["status"] for entry in rest} == {200}


async def test_feeds_wait_for_the_start(platform: RunningEmulator) -> None:
    """A screen may iterate before the heavy half is there."""
    service = service_of(platform)
    async with viewing(service.watch(resources.projects.namespaces())) as viewer:
        assert viewer.seen == []
        await service.start()
        await viewer.until(lambda s: s.source is Source.LIVE)
        await service.start()
    await service.close()
    await service.close()


async def test_a_start_without_a_token_says_so_and_can_be_mended(
    platform: RunningEmulator,
) -> None:
    """Waiting feeds show the reason; the token that is given then starts the service."""
    service = service_of(platform, token="")
    async with viewing(service.watch(resources.projects.namespaces())) as viewer:
        with pytest.raises(CredentialError, match="No access token"):
            await service.start()
        snapshot = await viewer.until(lambda s: s.error is not None)
        assert isinstance(snapshot.error, CredentialError)
        assert snapshot.value is None
        await service.replace_token(Secret(platform.token))
        await viewer.until(lambda s: s.source is Source.LIVE)
    await service.close()


async def test_closing_ends_what_is_under_way(platform_with: PlatformFactory) -> None:
    """However many feeds wait for a spent quota, closing is quick and ends them all."""
    emulator = platform_with(rate_limit=1)
    service = service_of(emulator)
    await service.start()

    async def look(feed: Feed[T]) -> None:
        async for _ in feed:
            pass

    tasks = [
        asyncio.ensure_future(look(service.watch(resources.projects.namespaces()))),
        asyncio.ensure_future(look(service.watch(resources.projects.project(emulator.project)))),
    ]
    await becomes(service.budget, lambda state: state.used > 0)
    began = time.monotonic()
    await service.close()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*tasks)
    assert time.monotonic() - began < 2.0
