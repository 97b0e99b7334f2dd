"""Every operation of the client, on each face of the platform: what the spec has works on all."""

from __future__ import annotations

import inspect
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from platui.api import project_writes
from platui.api.connect import Endpoint, open_admin_api, open_project_api
from platui.api.project_api import ProjectApi
from platui.api.project_writes import (
    act_on,
    change_schedule,
    create_project,
    create_schedule,
    start_pipeline,
    trigger_pipeline,
)
from platui.api.write_guard import WriteGuard
from platui.core.clock import SystemClock
from platui.core.errors import NotFoundError, RejectedError, UnauthorizedError
from platui.core.secrets import Secret
from platui.emulator.http.faces.payloads import bare
from platui.models import Job, Namespace, Pipeline, Project
from platui.models.values.connection import Urgency
from platui.models.values.pages import Page
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectsQuery
from platui.models.values.writes import (
    Act,
    ActOn,
    Confirmation,
    NewPipeline,
    NewProject,
    NewSchedule,
    ScheduleChange,
    WriteMode,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from platui.api.connect import ProjectConnection
    from platui.api.operations import Operation
    from platui.emulator.server import RunningEmulator

NEIGHBOURS = {
    "project", "namespace", "bridges", "variables", "tree", "branches", "tags", "schedules",
    "schedule", "user", "token", "version", "own_job",
}  # fmt: skip


@dataclass(frozen=True)
class Faced:
    """A platform, the face it has, and what the company itself says of one failed job."""

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
        pytest.param("default", marks=pytest.mark.faces("default", reason="the fixtures have it")),
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
    failed = world.pipelines(place.id, now, offset=0, limit=5, status="failed")[0][-1]
    jobs = world.jobs(place.id, failed.id, now, with_retried=False)
    entries = world.tree(place.id, place.default_branch, "", now)
    return Faced(
        request.param,
        platform,
        place.full_path,
        place.default_branch,
        place.group_id,
        failed.id,
        next(job.id for job in jobs if job.status == "failed"),
        world.schedules(place.id, now)[0].id,
        next(entry.path for entry in entries if entry.path.endswith("-ci.yml")),
    )


READING: Mapping[str, Callable[[ProjectApi, Faced], Operation[Any]]] = {
    "projects": lambda api, _: api.projects(ProjectsQuery()),
    "project": lambda api, at: api.project(at.project),
    "namespaces": lambda api, _: api.namespaces(),
    "namespace": lambda api, at: api.namespace(at.group),
    "pipelines": lambda api, at: api.pipelines(PipelinesQuery(at.project)),
    "pipeline": lambda api, at: api.pipeline(at.project, at.pipeline),
    "jobs": lambda api, at: api.jobs(JobsQuery(at.project, at.pipeline)),
    "job": lambda api, at: api.job(at.project, at.job),
    "bridges": lambda api, at: api.bridges(at.project, at.pipeline),
    "variables": lambda api, at: api.variables(at.project, at.pipeline),
    "file": lambda api, at: api.file(at.project, at.file, at.ref),
    "tree": lambda api, at: api.tree(at.project, at.ref),
    "branches": lambda api, at: api.branches(at.project),
    "tags": lambda api, at: api.tags(at.project),
    "schedules": lambda api, at: api.schedules(at.project),
    "schedule": lambda api, at: api.schedule(at.project, at.schedule),
    "user": lambda api, _: api.user(),
    "token": lambda api, _: api.token(),
    "version": lambda api, _: api.version(),
    "own_job": lambda api, _: api.own_job(),
}

OF_A_JOB = "own_job"
"""What only a job's own token opens."""


@asynccontextmanager
async def connected(platform: RunningEmulator) -> AsyncIterator[ProjectConnection]:
    """Open our client on a platform."""
    clock = SystemClock()
    guard = WriteGuard(WriteMode.CONFIRM, clock)
    endpoint = Endpoint(f"{platform.base_url}/api/v4/")
    api = await open_project_api(endpoint, Secret(platform.token), clock, guard=guard)
    try:
        yield api
    finally:
        await api.aclose()


def test_all_operations_are_here() -> None:
    """A new one has to say what it does on each face."""
    named = {name for name, _ in inspect.getmembers(ProjectApi, inspect.isfunction)}
    assert {name for name in named if not name.startswith("_")} == READING.keys()
    written = {
        name
        for name, made in inspect.getmembers(project_writes, inspect.isfunction)
        if not name.startswith("_") and made.__module__ == project_writes.__name__
    }
    assert written == {
        "start_pipeline", "trigger_pipeline", "create_schedule", "create_project",
        "change_schedule", "act_on",
    }  # fmt: skip


async def test_reading(faced: Faced) -> None:
    """Each operation of the spec has its records; a neighbour may be missing, and says so."""
    async with connected(faced.platform) as api:
        for name, make in READING.items():
            operation = make(api.operations, faced)
            if faced.name == "spec-only" and name in NEIGHBOURS:
                with pytest.raises(NotFoundError):
                    await api.caller.get(operation, Urgency.USER)
                continue
            if name == OF_A_JOB:
                with pytest.raises(UnauthorizedError):
                    await api.caller.get(operation, Urgency.USER)
                continue
            value = await api.caller.get(operation, Urgency.USER)
            if isinstance(value, Page) and name not in {"bridges", "variables"}:
                assert value.items, name
                value = value.items[0]
            _check(value, faced, name)


def _check(value: object, faced: Faced, name: str) -> None:
    match value:
        case Project() | Namespace():
            assert bare(value.name) == value.name or faced.name == "hostile", name
            assert bare(value.name)
        case Job() if name == "job":
            assert (value.id, bare(value.status)) == (faced.job, "failed")
            assert bare(value.ref)
        case Pipeline() if name == "pipeline":
            assert (value.id, bare(value.status)) == (faced.pipeline, "failed")
            assert len(bare(value.sha)) == 40


async def test_a_log(faced: Faced) -> None:
    """Whole, and as much of it as one does not have yet."""
    async with connected(faced.platform) as api:
        async with api.caller.stream_log(faced.project, faced.job) as stream:
            whole = b"".join([chunk async for chunk in stream.chunks()])
        assert b"ERROR: Job failed" in whole
        assert (b"hostile" in whole) == (faced.name == "hostile")
        async with api.caller.stream_log(faced.project, faced.job, start=200) as stream:
            part = b"".join([chunk async for chunk in stream.chunks()])
        assert whole[stream.start :] == part
        assert stream.start == (0 if faced.name == "spec-only" else 200)


@pytest.mark.parametrize("faced", ["spec-only", "hostile"], indirect=True)
async def test_writing(faced: Faced) -> None:
    """All that the spec lets one write is written, and its answer understood."""

    async def send(write: Any) -> Any:
        return await api.caller.send(write, Confirmation(write.key))

    run = NewPipeline(faced.project, faced.ref, faced.file)
    async with connected(faced.platform) as api:
        started = await send(start_pipeline(run))
        assert (bare(started.ref), bare(started.status)) == (faced.ref, "pending")
        triggered = await send(trigger_pipeline(run, Secret(faced.platform.trigger_token)))
        assert triggered.id > started.id
        new = NewSchedule(faced.project, "nightly", faced.ref, "0 1 * * *")
        schedule = await send(create_schedule(new))
        assert (bare(schedule.description), bare(schedule.cron)) == ("nightly", "0 1 * * *")
        project = await send(create_project(NewProject("made-on-a-face", "by a test")))
        assert (bare(project.name), bare(project.description)) == ("made-on-a-face", "by a test")


@pytest.mark.parametrize("faced", ["spec-only", "hostile"], indirect=True)
async def test_acting_on_what_is_there(faced: Faced) -> None:
    """Neighbours all of them: they work, or are not there, and the platform says so."""
    async with connected(faced.platform) as api:

        async def send(write: Any) -> Any:
            return await api.caller.send(write, Confirmation(write.key))

        if faced.name == "spec-only":
            for act, number in (
                (Act.CANCEL_PIPELINE, faced.pipeline),
                (Act.RETRY_JOB, faced.job),
                (Act.DELETE_SCHEDULE, faced.schedule),
            ):
                with pytest.raises((NotFoundError, RejectedError)):
                    await send(act_on(ActOn(act, faced.project, number)))
            return
        started = await send(start_pipeline(NewPipeline(faced.project, faced.ref, faced.file)))
        canceled = await send(act_on(ActOn(Act.CANCEL_PIPELINE, faced.project, started.id)))
        assert canceled.id == started.id
        retried = await send(act_on(ActOn(Act.RETRY_JOB, faced.project, faced.job)))
        assert retried.id > faced.job
        new = NewSchedule(faced.project, "weekly", faced.ref, "0 1 * * 5")
        schedule = await send(create_schedule(new))
        changed = await send(
            change_schedule(ScheduleChange(faced.project, schedule.id, active=False))
        )
        assert changed.active is False
        for act in (Act.OWN_SCHEDULE, Act.RUN_SCHEDULE, Act.DELETE_SCHEDULE):
            await send(act_on(ActOn(act, faced.project, schedule.id)))
        with pytest.raises(NotFoundError):
            await api.caller.get(api.operations.schedule(faced.project, schedule.id), Urgency.USER)


async def test_the_report(faced: Faced) -> None:
    """It is the same length of business on each; hostile names are in it as they are."""
    endpoint = Endpoint(faced.platform.admin_url)
    admin = await open_admin_api(endpoint, Secret(faced.platform.admin_key), SystemClock())
    try:
        async with admin.report() as stream:
            body = b"".join([chunk async for chunk in stream.chunks()])
    finally:
        await admin.aclose()
    assert b'"max_access_level"' in body
    assert (b"\\u001b]52;" in body) == (faced.name == "hostile")
