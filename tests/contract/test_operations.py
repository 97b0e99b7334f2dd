"""Every operation of spec §4.2 and §4.3, and our neighbours, against the emulated platform."""

from __future__ import annotations

import hashlib
import json
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import pytest
from tests.support.performing import yes_to
from tests.support.platform import credentials
from tests.support.quick_clock import QuickClock

from platui.api import endpoints
from platui.api.connect import Server, open_admin_api, open_project_api
from platui.api.write_guard import WriteGuard
from platui.core.clock import SystemClock
from platui.core.errors import (
    ForbiddenError,
    NotFoundError,
    RateLimitedError,
    RejectedError,
    UnauthorizedError,
    WriteRefusedError,
)
from platui.core.secrets import Secret
from platui.models.values.connection import Urgency
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectsQuery
from platui.models.values.writes import (
    Encoding,
    NewPipeline,
    NewProject,
    NewSchedule,
    RunVariable,
    WriteMode,
)
from platui.models.wire import Record
from platui_emulator.http.variants.attacks import bare

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.platform import PlatformFactory

    from platui.api.admin_api import AdminApi
    from platui.api.connect import ProjectConnection
    from platui.api.endpoint import Endpoint, ListEndpoint
    from platui.api.write import Write
    from platui.core.clock import Clock
    from platui.models.wire import Job, Pipeline
    from platui_emulator.records import Project
    from platui_emulator.server import RunningEmulator

T = TypeVar("T")
R = TypeVar("R", bound=Record)

needs_neighbours = pytest.mark.variants(
    "default", "hostile", reason="the operation is none of the specification's"
)


@asynccontextmanager
async def connected(
    platform: RunningEmulator,
    token: str | None = None,
    clock: Clock | None = None,
    mode: WriteMode = WriteMode.CONFIRM,
) -> AsyncIterator[ProjectConnection]:
    """Open our client on a platform."""
    clock = clock or SystemClock()
    api = await open_project_api(
        Server(f"{platform.base_url}/api/v4/"),
        Secret(platform.token if token is None else token),
        clock,
        guard=lambda: WriteGuard(mode, clock),
    )
    try:
        yield api
    finally:
        await api.aclose()


@pytest.fixture
async def api(platform: RunningEmulator) -> AsyncIterator[ProjectConnection]:
    """Open our client on the platform that most tests share."""
    async with connected(platform) as opened:
        yield opened


async def get(api: ProjectConnection, operation: Endpoint[T]) -> T:
    """Return the decoded answer."""
    return await api.client.get(operation, Urgency.USER)


async def send(api: ProjectConnection, write: Write[T]) -> T:
    """Send a write that the user has confirmed."""
    return await api.writes.send(write, yes_to(write))


async def every(api: ProjectConnection, listed: ListEndpoint[R]) -> list[R]:
    """Return all items of a list, page by page."""
    items: list[R] = []
    number: int | None = 1
    while number is not None:
        page = await get(api, listed.page(number))
        items += page.items
        number = page.next
    return items


def place_of(platform: RunningEmulator) -> Project:
    """Return the showcase as the company knows it: on no variant is it told all of this."""
    return platform.platform.showcase


def ci_file(platform: RunningEmulator) -> str:
    """Return the path of a pipeline file of the showcase."""
    place, world = place_of(platform), platform.platform.world
    entries = world.repositories.tree(
        place.id, place.default_branch, "", platform.platform.time.now()
    )
    return next(entry.path for entry in entries if entry.path.endswith("-ci.yml"))


async def failed_pipeline(api: ProjectConnection, project: str) -> Pipeline:
    """Return the newest failed pipeline of a project."""
    page = await get(
        api, endpoints.pipelines.pipelines(PipelinesQuery(project, status="failed")).page()
    )
    return page.items[0]


async def failed_job(api: ProjectConnection, project: str) -> Job:
    """Return a failed job of one of the newest failed pipelines."""
    listed = await get(
        api, endpoints.pipelines.pipelines(PipelinesQuery(project, status="failed")).page()
    )
    for pipeline in listed.items:
        page = await get(api, endpoints.jobs.jobs(JobsQuery(project, pipeline.id)).page())
        for job in page.items:
            if job.status == "failed":
                return job
    raise LookupError(project)


async def test_projects_page_by_page(
    api: ProjectConnection, platform: RunningEmulator, variant: str
) -> None:
    """Every project once, with any size of page, and by search."""
    small = replace(endpoints.projects.projects(ProjectsQuery()), per_page=7)
    projects = await every(api, small)
    ids = [project.id for project in projects]
    assert len(ids) == len(set(ids)) > 7
    first = await get(api, small.page())
    assert (first.number, first.next) == (1, 2)
    assert first.total == (len(ids) if variant == "default" else None)
    place = place_of(platform)
    assert place.name in {bare(project.name) for project in projects}
    found = await get(api, endpoints.projects.projects(ProjectsQuery(search=place.name)).page())
    assert place.id in {project.id for project in found.items}


@needs_neighbours
async def test_one_project_by_id_and_by_path(
    api: ProjectConnection, platform: RunningEmulator
) -> None:
    """Spec §4.1: both name it; the runners' token is in neither bytes nor record."""
    by_path = await get(api, endpoints.projects.project(platform.project))
    by_id = await get(api, endpoints.projects.project(by_path.id))
    assert by_id == by_path
    assert bare(by_path.path_with_namespace) == platform.project
    assert by_path.name
    assert by_path.default_branch


async def test_namespaces(api: ProjectConnection, variant: str) -> None:
    """Groups are among them, each found by its id."""
    namespaces = await every(api, replace(endpoints.projects.namespaces(), per_page=5))
    group = next(namespace for namespace in namespaces if namespace.kind == "group")
    assert (group.name, group.path) != ("", "")
    if variant != "spec-only":
        found = await get(api, endpoints.projects.namespace(group.id))
        assert found.full_path == group.full_path != ""


async def test_pipelines_and_their_detail(
    api: ProjectConnection, platform: RunningEmulator, variant: str
) -> None:
    """Newest first; by status and ref; the detail says more of the same."""
    page = await get(api, endpoints.pipelines.pipelines(PipelinesQuery(platform.project)).page())
    ids = [pipeline.id for pipeline in page.items]
    assert ids == sorted(ids, reverse=True)
    failed = await failed_pipeline(api, platform.project)
    assert failed.status == "failed"
    detail = await get(api, endpoints.pipelines.pipeline(platform.project, failed.id))
    assert (detail.id, detail.sha, detail.ref) == (failed.id, failed.sha, failed.ref)
    if variant != "hostile":  # there any of them may be of no shape
        assert detail.user is not None
        assert detail.detailed_status is not None
        assert detail.detailed_status.text
        assert detail.duration is not None
        assert detail.created_at is not None
        assert detail.created_at.tzinfo is not None
    of_ref = PipelinesQuery(platform.project, ref=failed.ref)
    assert {
        p.ref for p in (await get(api, endpoints.pipelines.pipelines(of_ref).page())).items
    } == {failed.ref}


async def test_jobs_of_a_pipeline_and_of_a_project(
    api: ProjectConnection, platform: RunningEmulator, variant: str
) -> None:
    """With stages and who ran them; retried ones only where asked for."""
    project = platform.project
    pipeline = await failed_pipeline(api, project)
    listed = endpoints.jobs.jobs(JobsQuery(project, pipeline.id))
    jobs = await every(api, replace(listed, per_page=3))
    assert len(jobs) == len({job.id for job in jobs}) > 3
    assert all(job.stage and job.name and job.status for job in jobs)
    if variant == "hostile":  # some say what is no pipeline
        jobs = [job for job in jobs if job.pipeline is not None]
    assert {job.pipeline.id if job.pipeline else None for job in jobs} == {pipeline.id}
    with_retried = JobsQuery(project, pipeline.id, with_retried=True)
    more = (await get(api, endpoints.jobs.jobs(with_retried).page())).items
    assert {job.id for job in jobs} <= {job.id for job in more}
    of_project = await get(api, endpoints.jobs.jobs(JobsQuery(project)).page())
    assert of_project.total is None
    assert of_project.items


async def test_a_job_and_its_log(
    api: ProjectConnection, platform: RunningEmulator, variant: str
) -> None:
    """The record; the log whole, from a byte on, beyond its end, and unchanged."""
    job = await failed_job(api, platform.project)
    detail = await get(api, endpoints.jobs.job(platform.project, job.id))
    assert (detail.id, detail.status, detail.name) == (job.id, "failed", job.name)
    if variant != "hostile":
        assert detail.runner is not None
        assert detail.commit is not None
    async with api.client.stream_log(platform.project, job.id) as stream:
        whole = b"".join([chunk async for chunk in stream.chunks()])
        etag = stream.etag
    assert len(whole) > 200
    async with api.client.stream_log(platform.project, job.id, start=100) as stream:
        part = b"".join([chunk async for chunk in stream.chunks()])
        assert whole[stream.start :] == part
        assert stream.status == (200 if variant == "spec-only" else 206)
        assert stream.total == len(whole)
    async with api.client.stream_log(platform.project, job.id, start=len(whole)) as stream:
        assert stream.status == (200 if variant == "spec-only" else 416)
        assert stream.total == len(whole)
    async with api.client.stream_log(platform.project, job.id, etag=etag) as stream:
        assert stream.not_modified == (variant == "default")


async def test_a_file_of_the_repository(api: ProjectConnection, platform: RunningEmulator) -> None:
    """Its bytes are those that its checksum says."""
    path, ref = ci_file(platform), place_of(platform).default_branch
    file = await get(api, endpoints.files.file(platform.project, path, ref))
    content = file.decoded()
    assert bare(file.file_path) == path
    assert file.size == len(content)
    assert file.content_sha256 == hashlib.sha256(content).hexdigest()
    with pytest.raises(NotFoundError):
        await get(api, endpoints.files.file(platform.project, "no/such.yml", ref))


@needs_neighbours
async def test_what_is_in_the_tree_can_be_read(
    api: ProjectConnection, platform: RunningEmulator
) -> None:
    """A file of the repository, and one of a folder, by the paths that the tree gives."""
    project = await get(api, endpoints.projects.project(platform.project))
    ref = project.default_branch
    tree = await every(api, endpoints.files.tree(project.id, ref))
    files = [next(entry for entry in tree if entry.type == "blob")]
    folders = [entry for entry in tree if entry.type == "tree"]
    for folder in folders[:1]:
        inner = await get(api, endpoints.files.tree(project.id, ref, folder.path).page())
        files += [entry for entry in inner.items if entry.type == "blob"][:1]
    for entry in files:
        found = await get(api, endpoints.files.file(project.id, entry.path, ref))
        assert found.decoded()
        assert found.file_path == entry.path


@needs_neighbours
async def test_branches_tags_bridges_and_schedules(
    api: ProjectConnection, platform: RunningEmulator, variant: str
) -> None:
    """The first neighbours."""
    project = await get(api, endpoints.projects.project(platform.project))
    branches = await every(api, endpoints.files.branches(project.id))
    main = next(branch for branch in branches if branch.name == project.default_branch)
    if variant == "default":
        assert main.default
        assert main.commit is not None
        assert main.commit.id
    await get(api, endpoints.files.tags(project.id).page())
    pipeline = await failed_pipeline(api, platform.project)
    await get(api, endpoints.pipelines.bridges(project.id, pipeline.id).page())
    await get(api, endpoints.schedules.schedules(project.id).page())


@needs_neighbours
async def test_who_the_token_belongs_to(api: ProjectConnection, platform: RunningEmulator) -> None:
    """The owner, by name."""
    user = await get(api, endpoints.session.user())
    assert user.id
    assert bare(user.username) == credentials(platform)["user"]


@pytest.mark.parametrize("kind", ["personal", "project", "group"])
async def test_every_kind_of_token_reads(platform: RunningEmulator, kind: str) -> None:
    """Spec §5.2: the same header for all three."""
    async with connected(platform, credentials(platform)[kind]) as api:
        page = await get(
            api, endpoints.pipelines.pipelines(PipelinesQuery(platform.project)).page()
        )
        assert page.items


@pytest.mark.parametrize(
    ("token", "words"), [("", "requires a token"), ("unknown", "does not accept")]
)
async def test_a_missing_or_unknown_token(
    platform: RunningEmulator, token: str, words: str
) -> None:
    """401, told apart."""
    async with connected(platform, token) as api:
        with pytest.raises(UnauthorizedError, match=words):
            await get(api, endpoints.projects.namespaces().page())


async def test_what_is_not_there_or_not_visible(
    api: ProjectConnection, platform: RunningEmulator
) -> None:
    """404, in the platform's own words."""
    for operation in (
        endpoints.projects.project("no/such"),
        endpoints.pipelines.pipeline(platform.project, 1),
        endpoints.jobs.job(platform.project, 1),
    ):
        with pytest.raises(NotFoundError, match="404"):
            await get(api, operation)


@pytest.mark.variants("default", reason="it has no ETags that one could send back")
async def test_an_unchanged_answer(api: ProjectConnection, platform: RunningEmulator) -> None:
    """A 304 under the platform's own ETag."""
    operation = endpoints.projects.project(platform.project)
    kept = await api.client.fetch(operation, Urgency.USER)
    assert kept.etag is not None
    assert b"runners_token" not in kept.body or b'"runners_token":null' in kept.body
    again = await api.client.fetch(operation, Urgency.USER, etag=kept.etag)
    assert again.not_modified


@pytest.mark.parametrize("secret", [False, True])
async def test_starting_a_pipeline(
    api: ProjectConnection, platform: RunningEmulator, *, secret: bool
) -> None:
    """Spec §4.3: `value`, or `variable_type` with `secret_value`; the pipeline file is chosen."""
    place, file = place_of(platform), ci_file(platform)
    value = Secret("planted") if secret else "plain"
    new = NewPipeline(platform.project, place.default_branch, file, (RunVariable("DAY", value),))
    pipeline = await send(api, endpoints.pipelines.start(new))
    assert bare(pipeline.status) in {"pending", "created"}
    assert bare(pipeline.ref) == place.default_branch
    found = await get(api, endpoints.pipelines.pipeline(place.id, pipeline.id))
    assert found.id == pipeline.id


async def test_triggering_a_pipeline(platform: RunningEmulator) -> None:
    """The trigger token alone is enough, and it opens its own project only."""
    async with connected(platform, "") as api, connected(platform) as reader:
        place = place_of(platform)
        new = NewPipeline(platform.project, place.default_branch, "", (RunVariable("A", "b"),))
        pipeline = await send(api, endpoints.pipelines.trigger(new, Secret(platform.trigger_token)))
        assert pipeline is not None
        assert (await get(reader, endpoints.pipelines.pipeline(place.id, pipeline.id))).id
        with pytest.raises(NotFoundError):
            await send(api, endpoints.pipelines.trigger(new, Secret("unknown")))


async def test_creating_a_schedule(
    api: ProjectConnection, platform: RunningEmulator, variant: str
) -> None:
    """An inactive one stays so; a wrong one is explained."""
    place = place_of(platform)
    new = NewSchedule(
        platform.project,
        "nightly load",
        place.default_branch,
        "0 1 * * 5",
        "Europe/Amsterdam",
        active=False,
    )
    schedule = await send(api, endpoints.schedules.create(new))
    assert schedule is not None
    assert bare(schedule.cron) == "0 1 * * 5"
    assert bare(schedule.cron_timezone) == "Europe/Amsterdam"
    if variant != "hostile":
        assert schedule.active is False
    if variant == "default":
        kept = await every(api, endpoints.schedules.schedules(place.id))
        assert new.description in {item.description for item in kept}
    wrong = NewSchedule(platform.project, "x", place.default_branch, "every friday")
    with pytest.raises(RejectedError, match="cron"):
        await send(api, endpoints.schedules.create(wrong))


@pytest.mark.parametrize("encoding", Encoding)
async def test_creating_a_project(api: ProjectConnection, encoding: Encoding, variant: str) -> None:
    """As a form and as JSON; a taken name is explained."""
    stamp = int(SystemClock().now().timestamp() * 1_000_000)
    name = f"etl-{encoding}-{stamp}"
    new = NewProject(name, "made by a test", project_access="30", encoding=encoding)
    project = await send(api, endpoints.projects.create(new))
    assert project is not None
    assert (bare(project.name), bare(project.description)) == (new.name, new.description)
    if variant != "spec-only":
        assert (await get(api, endpoints.projects.project(project.id))).name == project.name
    with pytest.raises(RejectedError, match="taken"):
        await send(api, endpoints.projects.create(new))


async def test_a_write_needs_a_ref_that_is_there(
    api: ProjectConnection, platform: RunningEmulator
) -> None:
    """400 with the reason, from a nested message."""
    new = NewPipeline(platform.project, "no-such-ref")
    with pytest.raises(RejectedError, match="Reference not found"):
        await send(api, endpoints.pipelines.start(new))


async def test_a_token_that_only_reads_does_not_write(platform: RunningEmulator) -> None:
    """403, and the scope it lacks by name."""
    async with connected(platform, credentials(platform)["personal_read_only"]) as api:
        place = place_of(platform)
        with pytest.raises(ForbiddenError, match=r"scope `api`|higher privileges"):
            await send(api, endpoints.pipelines.start(NewPipeline(place.id, place.default_branch)))


async def test_a_profile_without_writes_sends_none(platform: RunningEmulator) -> None:
    """The guard stands before the wire."""
    async with connected(platform, mode=WriteMode.OFF) as api:
        with pytest.raises(WriteRefusedError):
            await send(api, endpoints.pipelines.start(NewPipeline(platform.project, "main")))
        assert api.budget.state().used == 0


@pytest.mark.variants("default", "spec-only", reason="its quota and its waits are no numbers")
async def test_the_quota_is_kept(platform_with: PlatformFactory) -> None:
    """Beyond it a 429 with its wait, or no request at all; then everything stands still."""
    clock = QuickClock()
    small = platform_with(rate_limit=5, clock=clock)
    async with connected(small, clock=clock) as api, connected(small, clock=clock) as other:
        for _ in range(5):
            await get(other, endpoints.projects.namespaces().page())
        with pytest.raises(RateLimitedError) as raised:
            await api.client.fetch(endpoints.projects.namespaces().page(), Urgency.USER, patience=0)
        assert raised.value.retry_after is not None
        assert 0 < raised.value.retry_after <= 60
        state = api.budget.state()
        assert state.limit == 5
        assert state.paused_until is not None
        before = clock.monotonic()
        await get(api, endpoints.projects.namespaces().page())
        assert clock.monotonic() - before >= raised.value.retry_after


@asynccontextmanager
async def administrator(platform: RunningEmulator, key: str) -> AsyncIterator[AdminApi]:
    """Open the administration API."""
    admin = await open_admin_api(Server(platform.admin_url), Secret(key), SystemClock())
    try:
        yield admin
    finally:
        await admin.aclose()


async def test_the_access_report(platform: RunningEmulator) -> None:
    """Streamed; the groups, and the users that their members are."""
    async with (
        administrator(platform, platform.admin_key) as admin,
        admin.report() as stream,
    ):
        body = b"".join([chunk async for chunk in stream.chunks()])
        assert stream.wire_received > 0
    report = json.loads(body)
    group = next(iter(report["platform"]["groups"].values()))
    assert group["path"]
    assert set(group["members"]) <= set(report["users"])


@pytest.mark.parametrize(
    ("key", "kind"),
    [("unknown", UnauthorizedError), ("admin_key_without_scope", ForbiddenError)],
)
async def test_the_report_needs_its_key(
    platform: RunningEmulator, key: str, kind: type[Exception]
) -> None:
    """Spec §5.1: a key, with scope `reporting`."""
    async with administrator(platform, credentials(platform).get(key, key)) as admin:
        with pytest.raises(kind):
            async with admin.report():
                pytest.fail("it was opened")


async def test_the_published_documentation(platform: RunningEmulator) -> None:
    """A page, for anybody."""
    async with administrator(platform, "") as admin:
        content_type, body = await admin.documentation()
    assert "html" in content_type
    assert b"reporting" in body.lower()
