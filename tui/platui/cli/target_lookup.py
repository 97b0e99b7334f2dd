"""Find the pipeline, job or schedule of a command."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from platui.analysis.attempts import current_attempts
from platui.cli.project_lookup import in_project
from platui.cli.reading import gather, read, resources
from platui.cli.targets import Kind, Target, number_of, project_of, target_at
from platui.core.errors import (
    CommandError,
    ConfigError,
    NotFoundError,
    NotSupportedError,
    PlatuiError,
)
from platui.core.suggestions import did_you_mean, listed, nearest
from platui.core.text import clean, shorten
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectRef
from platui.models.values.routes import Route
from platui.ui.addresses import route_of

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.cli.log_options import LogOptions
    from platui.models.values.writes import WriteAction
    from platui.models.wire import Job, Pipeline
    from platui.service import PlatformService
    from platui.service.resources.resource import Resource

T = TypeVar("T")

BY_OPTION: Final[Mapping[Kind, str]] = {
    Kind.PIPELINE: "Job #{id} exists: add --job for it.",
    Kind.JOB: "Pipeline #{id} exists: omit --job for it.",
}
"""Missing kind -> hint if the other kind has this number."""

BY_COMMAND: Final[Mapping[Kind, str]] = {
    Kind.PIPELINE: "Job #{id} exists: run platui job {project} {id}.",
    Kind.JOB: "Pipeline #{id} exists: run platui jobs {project} {id} for its jobs.",
}

_NAMED: Final = 12  # Names in an error message
_SEARCHED: Final = 8  # Failed pipelines in which a failed job is searched by its name
OF_A_LOG: Final = {
    Kind.JOB: "Pipeline #{id} exists: run platui log {project} JOB --pipeline {id} "
    "for one of its jobs."
}


def resource_of(target: Target) -> Resource[Any]:
    """Return the resource of the pipeline, job or schedule."""
    match target.kind:
        case Kind.PIPELINE:
            return resources.pipelines.pipeline(target.project, target.id)
        case Kind.JOB:
            return resources.jobs.job(target.project, target.id)
        case Kind.SCHEDULE:
            return resources.schedules.schedule(target.project, target.id)


async def resolve_target(
    service: PlatformService,
    target: Target,
    ask: Callable[[Target], Awaitable[T]],
    other: Mapping[Kind, str] = BY_COMMAND,
    act: WriteAction | None = None,
) -> T:
    """Call `ask` with the target in its project. Raises CommandError with a hint of `other`."""
    meant = target

    async def ask_in(project: ProjectRef) -> T:
        nonlocal meant
        meant = target._replace(project=project)
        return await ask(meant)

    try:
        return await in_project(service, target.project, ask_in)
    except NotFoundError:
        if act is not None and target.kind is Kind.SCHEDULE and await _lists_none(service, meant):
            from platui.service.writes.requests import not_offered  # noqa: PLC0415  (not for help or completion)

            raise NotSupportedError(not_offered(act.value)) from None
        raise await _not_there(service, meant, other) from None


async def _not_there(
    service: PlatformService, target: Target, other: Mapping[Kind, str]
) -> CommandError:
    where, project = shorten(str(target.project), 100), clean(shlex.quote(str(target.project)))
    hint = f"List them with: platui {target.kind}s {project}"
    if target.kind is not Kind.SCHEDULE and await _is_other(service, target):
        hint = other[target.kind].format(id=target.id, project=project)
    return CommandError(
        f"{target.name.capitalize()} not found in {where}, or not visible to this token.", hint=hint
    )


async def _lists_none(service: PlatformService, target: Target) -> bool:
    """Return whether the platform does not support reading schedules."""
    try:
        wanted = resources.schedules.schedules(target.project)
        return not (await gather(service, "schedules", wanted, 1)).is_supported
    except PlatuiError:
        return False  # unknown


async def _is_other(service: PlatformService, target: Target) -> bool:
    other = target._replace(kind=Kind.PIPELINE if target.kind is Kind.JOB else Kind.JOB)
    try:
        await read(service, f"the {other.kind}", resource_of(other))
    except PlatuiError:
        return False  # only for a hint
    return True


def read_pipeline(
    platform: Platform,
    words: Sequence[str],
    ask: Callable[[PlatformService, ProjectRef, Pipeline], Awaitable[T]],
    help_: str,
    hint: str = "",
) -> T:
    """Read the pipeline of the words, then what `ask` reads of it."""
    service = platform.service
    target = target_at(words, platform.address, Kind.PIPELINE, help_)
    if target.kind is not Kind.PIPELINE:
        raise ConfigError("This is the URL of a job.", hint=hint or help_)

    async def ask_of(found: Target) -> T:
        pipeline = await read(service, "this pipeline", resource_of(found))
        return await ask(service, found.project, pipeline)

    async def find() -> T:
        await service.start()
        return await resolve_target(service, target, ask_of)

    return platform.read(find())


class FoundJob(NamedTuple):
    """A job, and how it was selected."""

    target: Target
    route: Route
    note: str = ""  # The selected job, if it was ambiguous


def job_from_arguments(service: PlatformService, wanted: LogOptions) -> FoundJob | None:
    """Return the job of an address or id; None: look it up by name."""
    if len(wanted.target) > 1:
        project, word = wanted.target
        number = number_of(word.removeprefix("#"))
        if number is None:
            return None
        if wanted.ref:
            raise ConfigError(
                f"--ref has no effect with the job id {number}.",
                hint="Omit --ref, or use the job's name.",
            )
        return _found(project_of(project), wanted.pipeline, number)
    address = wanted.target[0]
    route = route_of(address, service.profile.url)
    if route is not None and route.job is None:
        of = f" --pipeline {route.pipeline}" if route.pipeline is not None else ""
        quoted = clean(shlex.quote(str(route.project)))
        raise ConfigError(
            f"{shorten(address, 200)} is not the URL of a job.",
            hint=f"Run `platui {clean(shlex.quote(address))}` to open it, "
            f"or `platui log {quoted} JOB{of}` for a job by name.",
        )
    if route is None or route.project is None or route.job is None:
        raise ConfigError(
            f"{shorten(address, 200)} is not a job of {service.profile.url}.",
            hint="Give a project and a job, or the job's URL.",
        )
    return FoundJob(Target(Kind.JOB, route.project, route.job), route)


async def find_job_by_name(service: PlatformService, wanted: LogOptions) -> FoundJob:
    project = project_of(wanted.target[0])
    if wanted.pipeline is None:
        return await in_project(service, project, lambda of: _named(service, of, wanted))
    target = Target(Kind.PIPELINE, project, wanted.pipeline)
    return await resolve_target(service, target, lambda one: _named(service, one.project, wanted))


async def verify_job(service: PlatformService, found: FoundJob) -> FoundJob:
    async def ask(target: Target) -> FoundJob:
        await read(service, "the job", resource_of(target))
        return _found(target.project, found.route.pipeline, target.id)

    return await resolve_target(service, found.target, ask, OF_A_LOG)


async def _named(service: PlatformService, project: ProjectRef, wanted: LogOptions) -> FoundJob:
    name, pipeline, which = wanted.target[1], wanted.pipeline, ""
    if pipeline is None:
        newest = await _newest(service, project, wanted)
        pipeline = newest.id
        of = "that ref" if wanted.ref else "the project"
        failed = "failed pipeline " if wanted.cause and newest.status == "failed" else ""
        which = f" ({clean(newest.ref)}, the newest {failed}of {of})"
    attempts = await _attempts(service, project, pipeline)
    job = attempts.get(name)
    if job is None:
        meant = did_you_mean(shorten(nearest(name, attempts), 60))
        known = f"{meant} Jobs: {listed(sorted(attempts), _NAMED)}.".lstrip()
        raise CommandError(
            f"Job {shorten(name, 60)} not found in pipeline #{pipeline}{which}.",
            hint=known if attempts else "The pipeline has no jobs.",
        )
    note = f"Job {job.id} of pipeline #{pipeline}{which}."
    return _found(project, pipeline, job.id, clean(job.name), note)


async def _attempts(service: PlatformService, project: ProjectRef, pipeline: int) -> dict[str, Job]:
    jobs = resources.jobs.jobs(JobsQuery(project, pipeline))
    return current_attempts((await read(service, "the jobs", jobs)).items)


async def _newest(service: PlatformService, project: ProjectRef, wanted: LogOptions) -> Pipeline:
    """Return the newest pipeline; for a cause, the newest one in which the job failed."""
    ref = wanted.ref
    pipelines = resources.pipelines.pipelines(PipelinesQuery(project, ref=ref))
    listing = await read(service, "the pipelines", pipelines, pages=1)
    # The platform may ignore the filter.
    fitting = [one for one in listing.items if not ref or one.ref == ref]
    if not fitting:
        of = f" of {shorten(ref, 60)}" if ref else ""
        raise CommandError(f"{shorten(str(project), 100)} has no pipeline{of}.")
    fitting.sort(key=lambda one: one.id, reverse=True)
    failed = [one for one in fitting if wanted.cause and one.status == "failed"]
    for one in failed[:_SEARCHED]:
        job = (await _attempts(service, project, one.id)).get(wanted.target[1])
        if job is not None and job.status == "failed":
            return one
    return (failed or fitting)[0]


def _found(
    project: ProjectRef, pipeline: int | None, job: int, name: str = "", note: str = ""
) -> FoundJob:
    shown = project if isinstance(project, str) else ""
    route = Route("log", project, shown, pipeline, job, name)
    return FoundJob(Target(Kind.JOB, project, job), route, note)
