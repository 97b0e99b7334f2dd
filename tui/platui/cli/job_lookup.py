"""Find the job of a command by its URL, id or name."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import current_attempts
from platui.cli.log_options import LogOptions
from platui.cli.options import is_address
from platui.cli.project_lookup import in_project
from platui.cli.reading import read, read_matching, resources
from platui.cli.target_lookup import OF_A_LOG, resolve_target, resource_of
from platui.cli.targets import Kind, Target, number_of, project_of, take_pipeline, target_at
from platui.core.errors import CommandError, ConfigError
from platui.core.lazy_module import LazyModule
from platui.core.named_tuple import NamedTuple
from platui.core.suggestions import did_you_mean, listed, nearest
from platui.core.text import clean, shorten
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectRef
from platui.models.values.routes import Route
from platui.models.values.statuses import ACTIVE

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.models.wire import Job, Pipeline
    from platui.service import PlatformService
    from platui.ui import addresses
else:
    addresses = LazyModule("platui.ui.addresses")

_PAIR: Final = 2  # A project and a job
_NAMED: Final = 12  # Names in an error message
_SEARCHED: Final = 8  # Pipelines without success in which a failed job is searched by its name


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
    route = addresses.route_of(address, service.profile.url)
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


async def find_job(
    platform: Platform, words: tuple[str, ...], pipeline: int | None, ref: str, help_: str
) -> FoundJob:
    """Return the job of a URL or id, or find it by its name."""
    given = words
    words, pipeline = take_pipeline(given, pipeline)
    if words != given and len(words) == 1:
        raise ConfigError(
            f"{shorten(given[0], 100)} is a pipeline: add a JOB.",
            hint=f"List them with: platui jobs {clean(shlex.quote(given[0]))}",
        )
    if pipeline is not None and ref:
        raise ConfigError("Give --pipeline or --ref, not both.", hint=help_)
    is_pair = len(words) == _PAIR and not is_address(words[0])
    if is_pair and number_of(words[1].removeprefix("#")) is None:
        wanted = LogOptions(target=words, pipeline=pipeline, ref=ref)
        return await find_job_by_name(platform.service, wanted)
    if pipeline is not None or ref:
        raise ConfigError("--pipeline and --ref need a JOB name.", hint=help_)
    target = target_at(words, platform.address, Kind.JOB, help_)
    if target.kind is not Kind.JOB:
        raise ConfigError("This is the URL of a pipeline.", hint="Use platui pipeline.")
    return _found(target.project, None, target.id)


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
    name, pipeline, newest = wanted.target[1], wanted.pipeline, None
    if pipeline is None:
        newest = await _newest(service, project, wanted)
        pipeline = newest.id
    attempts = await _attempts(service, project, pipeline)
    job = attempts.get(name)
    which = "" if newest is None else f" ({clean(newest.ref)}, {_chosen(newest, job, wanted)})"
    if job is None:
        meant = did_you_mean(shorten(nearest(name, attempts), 60))
        known = f"{meant} Jobs: {listed(sorted(attempts), _NAMED)}.".lstrip()
        raise CommandError(
            f"Job {shorten(name, 60)} not found in pipeline #{pipeline}{which}.",
            hint=known if attempts else "The pipeline has no jobs.",
        )
    note = f"Job {job.id} of pipeline #{pipeline}{which}."
    return _found(project, pipeline, job.id, clean(job.name), note)


def _chosen(pipeline: Pipeline, job: Job | None, wanted: LogOptions) -> str:
    of = "that ref" if wanted.ref else "the project"
    if wanted.is_of_failure and job is not None and job.status == "failed":
        return f"the newest pipeline of {of} in which it failed"
    failed = "failed pipeline " if wanted.is_of_failure and pipeline.status == "failed" else ""
    return f"the newest {failed}of {of}"


async def _attempts(service: PlatformService, project: ProjectRef, pipeline: int) -> dict[str, Job]:
    jobs = resources.jobs.jobs(JobsQuery(project, pipeline))
    return current_attempts((await read(service, "the jobs", jobs)).items)


async def _newest(service: PlatformService, project: ProjectRef, wanted: LogOptions) -> Pipeline:
    """Return the newest pipeline; for errors and causes, the newest in which the job failed."""
    ref, name = wanted.ref, wanted.target[1]
    pipelines = resources.pipelines.pipelines(PipelinesQuery(project, ref=ref))
    found = await read_matching(service, "pipelines", pipelines)
    fitting = sorted(found, key=lambda one: one.id, reverse=True)
    if not fitting:
        of = f" of {shorten(ref, 60)}" if ref else ""
        raise CommandError(f"{shorten(str(project), 100)} has no pipeline{of}.")
    # A pipeline that runs, or was canceled, may have failed jobs; a new successful one has those
    # that may fail: of an older one, they would run again on an older commit.
    successes = _SEARCHED if wanted.only_failed else 0
    failed = [
        one
        for number, one in enumerate(fitting if wanted.is_of_failure else ())
        if one.status != "success" or number < successes
    ]
    for one in failed[: _SEARCHED + successes]:
        job = (await _attempts(service, project, one.id)).get(name)
        # One that may still fail is no reason to retry an older one.
        is_open = wanted.only_failed and job is not None and job.status in ACTIVE
        if job is not None and (job.status == "failed" or is_open):
            return one
    newest = next((one for one in failed if one.status == "failed"), fitting[0])
    if wanted.only_failed and name in await _attempts(service, project, newest.id):
        raise CommandError(
            f"Job {shorten(name, 60)} failed in none of the newest pipelines.",
            hint="Give the job's id or URL, or PROJECT#PIPELINE and its name.",
        )
    return newest


def _found(
    project: ProjectRef, pipeline: int | None, job: int, name: str = "", note: str = ""
) -> FoundJob:
    shown = project if isinstance(project, str) else ""
    route = Route("log", project, shown, pipeline, job, name)
    return FoundJob(Target(Kind.JOB, project, job), route, note)
