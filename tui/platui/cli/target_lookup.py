"""Find the pipeline, job or schedule of a command."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.cli.output.progress import print_notice
from platui.cli.project_lookup import in_project
from platui.cli.reading import gather, read, read_matching, resources
from platui.cli.targets import (
    Kind,
    Target,
    names_project_only,
    project_at,
    target_at,
)
from platui.core.errors import (
    CommandError,
    ConfigError,
    NotFoundError,
    NotSupportedError,
    PlatuiError,
)
from platui.core.text import clean, shorten
from platui.models.values.queries import PipelinesQuery, ProjectRef

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.models.wire import Pipeline
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
    operation: str = "",
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
        if operation and target.kind is Kind.SCHEDULE and await _lists_none(service, meant):
            from platui.service.writes.requests import not_offered  # noqa: PLC0415  (not for help or completion)

            is_off = service.profile.neighbours == "off"
            raise NotSupportedError(not_offered(operation, is_off=is_off)) from None
        raise await _not_there(service, meant, other) from None


async def _not_there(
    service: PlatformService, target: Target, other: Mapping[Kind, str]
) -> CommandError:
    project = clean(shlex.quote(str(target.project)))
    hint = f"List them with: platui {target.kind}s {project}"
    if target.kind is not Kind.SCHEDULE and await _is_other(service, target):
        hint = other[target.kind].format(id=target.id, project=project)
    return CommandError(not_found_words(target.name, target.project), hint=hint)


def not_found_words(name: str, project: ProjectRef) -> str:
    where = shorten(str(project), 100)
    return f"{name.capitalize()} not found in {where}, or not visible to this token."


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


def read_failed_pipeline(
    platform: Platform,
    words: Sequence[str],
    ask: Callable[[PlatformService, ProjectRef, Pipeline], Awaitable[T]],
    help_: str,
) -> T:
    """Read as `read_pipeline` does; of a project without a pipeline, its newest failed one."""
    if not names_project_only(words, platform.address):
        return read_pipeline(platform, words, ask, help_)
    service = platform.service

    async def ask_in(project: ProjectRef) -> T:
        pipelines = resources.pipelines.pipelines(PipelinesQuery(project, status="failed"))
        failed = await read_matching(service, "pipelines", pipelines)
        if not failed:
            raise CommandError(
                f"{shorten(str(project), 100)} has no failed pipeline.", hint="Give a pipeline."
            )
        newest = max(failed, key=lambda one: one.id)
        of = "the newest failed pipeline of the project"
        print_notice(f"Pipeline #{newest.id} ({clean(newest.ref)}, {of}).")
        return await ask(service, project, newest)

    async def find() -> T:
        await service.start()
        return await in_project(service, project_at(words, platform.address, help_), ask_in)

    return platform.read(find())
