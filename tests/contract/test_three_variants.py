"""Every operation of the client on each variant of the platform."""

from __future__ import annotations

import inspect
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.performing import yes_to

from platui.api import endpoints
from platui.api.connect import Server, open_admin_api, open_project_api
from platui.api.endpoint import ListEndpoint
from platui.api.write_guard import WriteGuard
from platui.core.clock import SystemClock
from platui.core.errors import NotFoundError, RejectedError, UnauthorizedError
from platui.core.secrets import Secret
from platui.models.values.connection import Urgency
from platui.models.values.feeds import Page
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectsQuery
from platui.models.values.writes import (
    NewPipeline,
    NewProject,
    NewSchedule,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
    WriteMode,
)
from platui.models.wire import Job, Namespace, Pipeline, Project
from platui_emulator.http.variants.attacks import bare

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from platui.api.connect import ProjectConnection
    from platui.api.endpoint import Endpoint
    from platui_emulator.server import RunningEmulator


@dataclass(frozen=True)
class Faced:
    """A platform, the variant it has, and what the company itself says of one failed job."""

    name: str
    platform: RunningEmulator
    project: str
    ref: str
    group: int
    pipeline: int
    job: int
    schedule: int
    file: str


@pytest.fixture(
    params=[
        pytest.param(
            "default", marks=pytest.mark.variants("default", reason="the fixtures have it")
        ),
        "spec-only",
        "hostile",
    ]
)
def faced(
    request: pytest.FixtureRequest,
    still_platform: RunningEmulator,
    narrow_platform: RunningEmulator,
    hostile_platform: RunningEmulator,
) -> Faced:
    """Return each in turn."""
    platform = {"spec-only": narrow_platform, "hostile": hostile_platform}.get(
        request.param, still_platform
    )
    inside = platform.platform
    place, world, now = inside.showcase, inside.world, inside.time.now()
    failed = world.pipelines.page(place.id, now, offset=0, limit=5, status="failed")[0][-1]
    jobs = world.pipelines.jobs(place.id, failed.id, now, with_retried=False)
    entries = world.repositories.tree(place.id, place.default_branch, "", now)
    return Faced(
        request.param,
        platform,
        place.full_path,
        place.default_branch,
        place.group_id,
        failed.id,
        next(job.id for job in jobs if job.status == "failed"),
        world.schedules.of(place.id, now)[0].id,
        next(entry.path for entry in entries if entry.path.endswith("-ci.yml")),
    )


READING: Mapping[str, Callable[[Faced], Endpoint[Any] | ListEndpoint[Any]]] = {
    "projects.projects": lambda _: endpoints.projects.projects(ProjectsQuery()),
    "projects.project": lambda at: endpoints.projects.project(at.project),
    "projects.namespaces": lambda _: endpoints.projects.namespaces(),
    "projects.namespace": lambda at: endpoints.projects.namespace(at.group),
    "pipelines.pipelines": lambda at: endpoints.pipelines.pipelines(PipelinesQuery(at.project)),
    "pipelines.pipeline": lambda at: endpoints.pipelines.pipeline(at.project, at.pipeline),
    "pipelines.bridges": lambda at: endpoints.pipelines.bridges(at.project, at.pipeline),
    "pipelines.test_report": lambda at: endpoints.pipelines.test_report(at.project, at.pipeline),
    "pipelines.variables": lambda at: endpoints.pipelines.variables(at.project, at.pipeline),
    "jobs.jobs": lambda at: endpoints.jobs.jobs(JobsQuery(at.project, at.pipeline)),
    "jobs.job": lambda at: endpoints.jobs.job(at.project, at.job),
    "files.file": lambda at: endpoints.files.file(at.project, at.file, at.ref),
    "files.tree": lambda at: endpoints.files.tree(at.project, at.ref),
    "files.compare": lambda at: endpoints.files.compare(at.project, at.ref, at.ref),
    "files.merge_requests": lambda at: endpoints.files.merge_requests(at.project, at.ref),
    "files.branches": lambda at: endpoints.files.branches(at.project),
    "files.tags": lambda at: endpoints.files.tags(at.project),
    "schedules.schedules": lambda at: endpoints.schedules.schedules(at.project),
    "schedules.schedule": lambda at: endpoints.schedules.schedule(at.project, at.schedule),
    "session.user": lambda _: endpoints.session.user(),
    "session.token": lambda _: endpoints.session.token(),
    "session.version": lambda _: endpoints.session.version(),
    "session.own_job": lambda _: endpoints.session.own_job(),
}

MAYBE_EMPTY = {"pipelines.bridges", "pipelines.variables", "files.merge_requests"}
"""Lists that not everything has entries in."""

OF_A_JOB = "session.own_job"
"""What only a job's own token opens."""


@asynccontextmanager
async def connected(platform: RunningEmulator) -> AsyncIterator[ProjectConnection]:
    """Open our client on a platform."""
    clock = SystemClock()
    guard = WriteGuard(WriteMode.CONFIRM, clock)
    server = Server(f"{platform.base_url}/api/v4/")
    api = await open_project_api(server, Secret(platform.token), clock, guard=lambda: guard)
    try:
        yield api
    finally:
        await api.aclose()


def test_all_operations_are_here() -> None:
    """A new one has to say what it does on each variant."""
    read, streamed, written = set(), set(), set()
    for feature in endpoints.__all__:
        module = getattr(endpoints, feature)
        for name, made in inspect.getmembers(module, inspect.isfunction):
            if made.__module__ != module.__name__ or name.startswith("_"):
                continue
            kind = str(inspect.signature(made).return_annotation)
            if kind.startswith(("Endpoint", "ListEndpoint")):
                read.add(f"{feature}.{name}")
            elif kind == "StreamEndpoint":
                streamed.add(f"{feature}.{name}")
            elif kind.startswith("Write"):
                written.add(f"{feature}.{name}")
    assert read == READING.keys()
    assert streamed == {"jobs.log", "jobs.artifacts"}
    assert written == {
        "pipelines.start", "pipelines.trigger", "schedules.create", "schedules.change",
        "schedules.set_variable", "projects.create", "actions.record_action",
    }  # fmt: skip
    sent = [endpoints.actions.record_action(RecordAction(act, 7, 3)) for act in WriteAction]
    assert [(one.name, one.method, one.path.removeprefix("projects/7/")) for one in sent] == [
        ("cancel pipeline", "POST", "pipelines/3/cancel"),
        ("retry pipeline", "POST", "pipelines/3/retry"),
        ("cancel job", "POST", "jobs/3/cancel"),
        ("retry job", "POST", "jobs/3/retry"),
        ("play job", "POST", "jobs/3/play"),
        ("run schedule", "POST", "pipeline_schedules/3/play"),
        ("take over schedule", "POST", "pipeline_schedules/3/take_ownership"),
        ("delete schedule", "DELETE", "pipeline_schedules/3"),
    ]


async def test_reading(faced: Faced) -> None:
    """Each operation of the spec has its records; a neighbour may be missing, and says so."""
    async with connected(faced.platform) as api:
        for name, make in READING.items():
            endpoint = make(faced)
            operation = endpoint.page() if isinstance(endpoint, ListEndpoint) else endpoint
            if faced.name == "spec-only" and endpoint.optional:
                with pytest.raises(NotFoundError):
                    await api.client.get(operation, Urgency.USER)
                continue
            if name == OF_A_JOB:
                with pytest.raises(UnauthorizedError):
                    await api.client.get(operation, Urgency.USER)
                continue
            value = await api.client.get(operation, Urgency.USER)
            if isinstance(value, Page) and name not in MAYBE_EMPTY:
                assert value.items, name
                value = value.items[0]
            _check(value, faced, name)


def _check(value: object, faced: Faced, name: str) -> None:
    match value:
        case Project() | Namespace():
            assert bare(value.name) == value.name or faced.name == "hostile", name
            assert bare(value.name)
        case Job() if name == "jobs.job":
            assert (value.id, bare(value.status)) == (faced.job, "failed")
            assert bare(value.ref)
        case Pipeline() if name == "pipelines.pipeline":
            assert (value.id, bare(value.status)) == (faced.pipeline, "failed")
            assert len(bare(value.sha)) == 40


async def test_a_log(faced: Faced) -> None:
    """Whole, and as much of it as one does not have yet."""
    async with connected(faced.platform) as api:
        async with api.client.stream_log(faced.project, faced.job) as stream:
            whole = b"".join([chunk async for chunk in stream.chunks()])
        assert b"ERROR: Job failed" in whole
        assert (b"hostile" in whole) == (faced.name == "hostile")
        async with api.client.stream_log(faced.project, faced.job, start=200) as stream:
            part = b"".join([chunk async for chunk in stream.chunks()])
        assert whole[stream.start :] == part
        assert stream.start == (0 if faced.name == "spec-only" else 200)


@pytest.mark.parametrize("faced", ["spec-only", "hostile"], indirect=True)
async def test_writing(faced: Faced) -> None:
    """All that the spec lets one write is written, and its answer understood."""

    async def send(write: Any) -> Any:
        return await api.writes.send(write, yes_to(write))

    run = NewPipeline(faced.project, faced.ref, faced.file)
    async with connected(faced.platform) as api:
        started = await send(endpoints.pipelines.start(run))
        assert (bare(started.ref), bare(started.status)) == (faced.ref, "pending")
        triggered = await send(
            endpoints.pipelines.trigger(run, Secret(faced.platform.trigger_token))
        )
        assert triggered.id > started.id
        new = NewSchedule(faced.project, "nightly", faced.ref, "0 1 * * *")
        schedule = await send(endpoints.schedules.create(new))
        assert (bare(schedule.description), bare(schedule.cron)) == ("nightly", "0 1 * * *")
        project = await send(
            endpoints.projects.create(NewProject("made-on-a-variant", "by a test"))
        )
        assert (bare(project.name), bare(project.description)) == ("made-on-a-variant", "by a test")


@pytest.mark.parametrize("faced", ["spec-only", "hostile"], indirect=True)
async def test_acting_on_what_is_there(faced: Faced) -> None:
    """Neighbours all of them: they work, or are not there, and the platform says so."""
    async with connected(faced.platform) as api:

        async def send(write: Any) -> Any:
            return await api.writes.send(write, yes_to(write))

        if faced.name == "spec-only":
            for act, number in (
                (WriteAction.CANCEL_PIPELINE, faced.pipeline),
                (WriteAction.RETRY_JOB, faced.job),
                (WriteAction.DELETE_SCHEDULE, faced.schedule),
            ):
                with pytest.raises((NotFoundError, RejectedError)):
                    await send(
                        endpoints.actions.record_action(RecordAction(act, faced.project, number))
                    )
            return
        started = await send(
            endpoints.pipelines.start(NewPipeline(faced.project, faced.ref, faced.file))
        )
        canceled = await send(
            endpoints.actions.record_action(
                RecordAction(WriteAction.CANCEL_PIPELINE, faced.project, started.id)
            )
        )
        assert canceled.id == started.id
        retried = await send(
            endpoints.actions.record_action(
                RecordAction(WriteAction.RETRY_JOB, faced.project, faced.job)
            )
        )
        assert retried.id > faced.job
        new = NewSchedule(faced.project, "weekly", faced.ref, "0 1 * * 5")
        schedule = await send(endpoints.schedules.create(new))
        changed = await send(
            endpoints.schedules.change(ScheduleChange(faced.project, schedule.id, active=False))
        )
        assert changed.active is False
        for value, exists in (("1", False), ("2", True), (None, True)):
            variable = ScheduleVariable(faced.project, schedule.id, "DAY", value, exists=exists)
            await send(endpoints.schedules.set_variable(variable))
            record = await api.client.get(
                endpoints.schedules.schedule(faced.project, schedule.id), Urgency.USER
            )
            expected = {"DAY": value} if value is not None else {}
            found = {bare(one.key): bare(one.value or "") for one in record.variables}
            assert found == expected
        for act in (
            WriteAction.OWN_SCHEDULE,
            WriteAction.RUN_SCHEDULE,
            WriteAction.DELETE_SCHEDULE,
        ):
            await send(
                endpoints.actions.record_action(RecordAction(act, faced.project, schedule.id))
            )
        with pytest.raises(NotFoundError):
            await api.client.get(
                endpoints.schedules.schedule(faced.project, schedule.id), Urgency.USER
            )


async def test_the_report(faced: Faced) -> None:
    """It is the same length of business on each; hostile names are in it as they are."""
    server = Server(faced.platform.admin_url)
    admin = await open_admin_api(server, Secret(faced.platform.admin_key), SystemClock())
    try:
        async with admin.report() as stream:
            body = b"".join([chunk async for chunk in stream.chunks()])
    finally:
        await admin.aclose()
    assert b'"max_access_level"' in body
    assert (b"\\u001b]52;" in body) == (faced.name == "hostile")
