"""The job that `platui log` is about, from the words that name it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.attempts import current_attempts
from platui.cli.asking import first
from platui.cli.naming import listed, nearest
from platui.cli.project_words import in_project
from platui.cli.target_words import at_target
from platui.cli.targets import Kind, Target, number_of, project_of
from platui.core.errors import CommandError, ConfigError
from platui.core.text import clean, shorten
from platui.models.values.places import Place, View
from platui.models.values.queries import JobsQuery, PipelinesQuery

if TYPE_CHECKING:
    from platui.cli.log_options import LogOptions
    from platui.models import Pipeline
    from platui.models.values.queries import ProjectRef
    from platui.service import PlatformService

_NAMED: Final = 12
"""Names that an error lists, about."""

OF_A_LOG: Final = {
    Kind.JOB: "There is a pipeline #{id}: platui log {project} JOB --pipeline {id} "
    "takes a job of it by its name."
}
"""What can be done where the number that was given for a job is that of a pipeline."""


class FoundJob(NamedTuple):
    """A job, and how it came to be meant."""

    place: Place
    note: str = ""
    """What was chosen where the words left a choice; empty where they did not."""


def told_job(service: PlatformService, wanted: LogOptions) -> FoundJob | None:
    """Return the job of an address or id; None where a name is to be looked up.

    Raises:
        ConfigError: the address names no job of this platform, or --ref goes with an id.
    """
    if len(wanted.target) > 1:
        project, word = wanted.target
        number = number_of(word.removeprefix("#"))
        if number is None:
            return None
        if wanted.ref:
            raise ConfigError(
                f"Job {number} is named by its id, so that there is nothing for --ref to choose.",
                hint="Leave --ref out, or give the job by its name.",
            )
        return FoundJob(_place(project_of(project), wanted.pipeline, number, ""))
    address = wanted.target[0]
    place = service.place_of(address)
    if place is not None and place.job is None:
        raise ConfigError(
            f"{shorten(address, 200)} names no job, and a log is of one job.",
            hint=_of_one_job(address, place),
        )
    if place is None:
        raise ConfigError(
            f"{shorten(address, 200)} is not a job of {service.profile.url}.",
            hint="Give the address of a job's page, or project and job.",
        )
    return FoundJob(place)


async def job_by_name(service: PlatformService, wanted: LogOptions) -> FoundJob:
    """Return the newest attempt of the job of that name, in one pipeline.

    Raises:
        AmbiguousError: several projects are called so.
        CommandError: there is no such project, pipeline or job.
        PlatuiError: the platform refused, or did not answer in time.
    """
    project = project_of(wanted.target[0])
    if wanted.pipeline is None:
        return await in_project(service, project, lambda of: _named(service, of, wanted))
    target = Target(Kind.PIPELINE, project, wanted.pipeline)
    return await at_target(service, target, lambda one: _named(service, one.project, wanted))


async def checked_job(service: PlatformService, found: FoundJob) -> FoundJob:
    """Return a job that was named by its id, in the project that is meant; it is there.

    Raises:
        AmbiguousError: several projects are called so.
        CommandError: there is no such project or job.
        PlatuiError: the platform refused, or did not answer in time.
    """
    project, job = found.place.project, found.place.job
    assert project is not None  # noqa: S101  (for the type: the words have named both)
    assert job is not None  # noqa: S101

    async def ask(target: Target) -> FoundJob:
        await first("that job", service.feeds.watch_job(target.project, target.id), bool)
        return FoundJob(_place(target.project, found.place.pipeline, target.id, ""))

    return await at_target(service, Target(Kind.JOB, project, job), ask, OF_A_LOG)


async def _named(service: PlatformService, project: ProjectRef, wanted: LogOptions) -> FoundJob:
    name, pipeline, which = wanted.target[1], wanted.pipeline, ""
    if pipeline is None:
        newest = await _newest(service, project, wanted.ref)
        pipeline = newest.id
        of = "that ref" if wanted.ref else "the project"
        which = f" ({clean(newest.ref)}, the newest of {of})"
    feed = service.feeds.watch_jobs(JobsQuery(project, pipeline))
    listing = await first("its jobs", feed, lambda jobs: jobs.complete)
    attempts = current_attempts(listing.items)
    job = attempts.get(name)
    if job is None:
        raise CommandError(
            f"There is no job {shorten(name, 60)} in pipeline #{pipeline}{which}.",
            hint=_names(name, list(attempts)),
        )
    note = f"Job {job.id} of pipeline #{pipeline}{which}."
    return FoundJob(_place(project, pipeline, job.id, clean(job.name)), note)


async def _newest(service: PlatformService, project: ProjectRef, ref: str) -> Pipeline:
    feed = service.feeds.watch_pipelines(PipelinesQuery(project, ref=ref))
    listing = await first("its pipelines", feed, lambda _: True)
    # A platform that ignores the filter is not taken at its word.
    fitting = [one for one in listing.items if not ref or one.ref == ref]
    if not fitting:
        of = f" of {shorten(ref, 60)}" if ref else ""
        raise CommandError(f"{shorten(str(project), 100)} has no pipeline{of}.")
    return max(fitting, key=lambda one: one.id)


def _of_one_job(address: str, place: Place) -> str:
    """Return how to get from the address of a pipeline or project to a log."""
    of = f" --pipeline {place.pipeline}" if place.pipeline is not None else ""
    project = clean(shlex.quote(str(place.project)))
    return (
        f"`platui {clean(shlex.quote(address))}` opens it; "
        f"`platui log {project} JOB{of}` takes a job by its name."
    )


def _names(name: str, names: list[str]) -> str:
    """Return what may have been meant, and what there is."""
    if not names:
        return "It has no jobs."
    near = nearest(name, names)
    meant = "" if near is None else f"Did you mean {shorten(near, 60)}? "
    return f"{meant}Its jobs: {listed(sorted(names), _NAMED)}."


def _place(project: ProjectRef, pipeline: int | None, job: int, name: str) -> Place:
    shown = project if isinstance(project, str) else ""
    return Place(View.LOG, project, shown, pipeline, job, name)
