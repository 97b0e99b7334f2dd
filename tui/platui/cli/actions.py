"""Run an action on a pipeline, job or schedule: cancel, retry, play, run, own, delete."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from platui.analysis.action_states import is_applicable
from platui.analysis.attempts import current_attempts
from platui.cli.confirmation import check_writes_allowed
from platui.cli.connection import Platform, WriteOptions, open_platform
from platui.cli.job_lookup import find_job_by_name
from platui.cli.log_options import LogOptions
from platui.cli.options import is_address
from platui.cli.output.progress import print_notice
from platui.cli.project_lookup import check_full_path
from platui.cli.reading import read, resources
from platui.cli.target_lookup import BY_COMMAND, BY_OPTION, resolve_target, resource_of
from platui.cli.targets import (
    Kind,
    Target,
    command_of,
    number_of,
    project_of,
    take_pipeline,
    target_at,
)
from platui.cli.writing import refused, writable_project, write
from platui.core.errors import (
    AmbiguousError,
    CommandError,
    ConfigError,
    ForbiddenError,
    NothingToDoError,
    PlatuiError,
)
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten
from platui.models.values.queries import JobsQuery, ProjectRef
from platui.models.values.statuses import ACTIVE, ENDED
from platui.models.values.write_states import Outcome
from platui.models.values.writes import RecordAction, WriteAction
from platui.present.status import standing
from platui.service.writes.outcomes import nothing_to_do

if TYPE_CHECKING:
    from platui.cli.job_lookup import FoundJob
    from platui.config.settings import Options
    from platui.models.wire import Job, Pipeline
    from platui.service import PlatformService

_ATTEMPTS: Final = 8  # The platform starts a schedule's pipeline shortly after its response
_PAUSE: Final = 1.0  # Seconds

_KNOWN: Final = ENDED | ACTIVE | {"manual", "scheduled"}
"""Statuses that decide whether an action has an effect; in others, it is sent."""


def run_action(
    options: Options,
    words: tuple[str, ...],
    actions: Mapping[Kind, WriteAction],
    kind: Kind,
    write_options: WriteOptions,
    named: Callable[[RecordAction], None] | None = None,
) -> int:
    """Confirm and send an action; `named` checks the name of its target first."""
    hint = f"{click.get_current_context().command_path} --help"
    with open_platform(options, words, write_options) as platform:
        target = _named_job(platform, words, actions) or target_at(
            words, platform.address, kind, hint
        )
        if target.kind not in actions:
            raise ConfigError(f"This action is not available for a {target.kind}.", hint=hint)
        check_writes_allowed(platform)
        action = actions[target.kind]
        # A schedule has no status: with --yes, nothing has to be read.
        is_sent = write_options.yes and not write_options.dry_run
        if target.kind is Kind.SCHEDULE and named is None and is_sent:
            where = writable_project(platform, target.project)
            seen = ActionTarget(target._replace(project=where))
        else:
            other = BY_OPTION if len(actions) > 1 else BY_COMMAND
            try:
                seen = platform.read(_read_target(platform, target, action, other))
            except PlatuiError as error:
                raise refused(error) from None
        note = ""
        if seen.status and not is_applicable(action, seen.status):
            note = f"Its status is {shorten(seen.status, 40)}: this may have no effect."
        intent = RecordAction(action, seen.target.project, target.id, seen.name)
        if named is not None and not write_options.dry_run:
            named(intent)
        if action is not WriteAction.RUN_SCHEDULE or write_options.dry_run:
            return write(platform, intent, note=note)
        service, at = platform.service, seen.target
        before: Pipeline | PlatuiError | None
        try:
            before = platform.run(_last_run(service, at))
        except PlatuiError as error:
            before = error
        starts = partial(_find_started, service, at, before)
        return write(platform, intent, note=note, starts=starts)


def _named_job(
    platform: Platform, words: tuple[str, ...], actions: Mapping[Kind, WriteAction]
) -> Target | None:
    """Find the job of a project, or of `PROJECT#PIPELINE`, by its name; None: none is named."""
    action = actions.get(Kind.JOB)
    (project, *others), pipeline = take_pipeline(words or ("",), None)
    if action is None or len(others) != 1 or is_address(project):
        return None
    [name] = others
    if not name or number_of(name.removeprefix("#")) is not None:
        return None
    check_writes_allowed(platform)
    fails = action is WriteAction.RETRY_JOB
    wanted = LogOptions(target=(project, name), pipeline=pipeline, only_failed=fails)

    async def find() -> FoundJob:
        await platform.service.start()
        return await find_job_by_name(platform.service, wanted)

    try:
        found = platform.read(find())
    except PlatuiError as error:
        raise refused(error) from None
    check_full_path(platform, project_of(project), found.target.project)
    print_notice(found.note)
    return found.target


async def _read_target(
    platform: Platform,
    target: Target,
    action: WriteAction,
    other: Mapping[Kind, str],
) -> ActionTarget:
    """Read the target of an action; in a dry run, problems are only noted."""
    service = platform.service
    try:
        await service.start()
        seen = await resolve_target(
            service, target, lambda one: _read_record(service, one, action), other, action
        )
        check_full_path(platform, target.project, seen.target.project)
        if seen.no_effect is not None:
            raise seen.no_effect
    except (AmbiguousError, CommandError):
        raise
    except PlatuiError as error:
        if not platform.write_options.dry_run:
            raise
        # The run of a schedule is sent without reading it.
        unread = target.kind is Kind.SCHEDULE and action is not WriteAction.DELETE_SCHEDULE
        if not (unread and platform.write_options.yes and isinstance(error, ForbiddenError)):
            platform.failures.append(error)
        if not isinstance(error, NothingToDoError):
            print_notice(f"Not checked whether it exists: {error.sentence}")
            return ActionTarget(target)
    return seen


async def _last_run(service: PlatformService, target: Target) -> Pipeline | None:
    await service.start()
    schedule = await read(service, "the schedule", resource_of(target))
    last: Pipeline | None = schedule.last_pipeline
    return last


async def _find_started(
    service: PlatformService, target: Target, before: Pipeline | PlatuiError | None
) -> Outcome | None:
    """Find the pipeline that a schedule started, by comparing with its last one `before`."""
    reason = "The schedule has no new pipeline yet."
    try:
        if isinstance(before, PlatuiError):
            raise before
        for left in reversed(range(_ATTEMPTS)):
            last = await _last_run(service, target)
            if last is not None and (before is None or last.id > before.id):
                print_notice(f"Pipeline #{last.id} is the newest of this schedule.")
                project, url = target.project, last.web_url
                return Outcome(
                    "pipeline", project, last.id, last.status, url, last.created_at, last
                )
            if left:
                await service.clock.sleep(_PAUSE)
    except PlatuiError as error:
        reason = error.sentence
    print_notice(f"Cannot find the started pipeline. {reason}")
    return None


class ActionTarget(NamedTuple):
    target: Target
    name: str = ""
    status: str = ""
    no_effect: NothingToDoError | None = None  # Why the action has no effect


async def _read_record(
    service: PlatformService, target: Target, action: WriteAction
) -> ActionTarget:
    wanted, what = resource_of(target), f"the {target.kind}"
    if target.kind is Kind.SCHEDULE:
        schedule = await read(service, what, wanted)
        return ActionTarget(target, clean(schedule.description))
    record = await read(service, what, wanted, live=True)
    no_effect = _no_effect_error(action, target, record.status)
    if target.kind is Kind.JOB:
        if action is WriteAction.RETRY_JOB and no_effect is None:
            no_effect = await _newer_attempt(service, target, record)
        return ActionTarget(target, record.name, record.status, no_effect)
    name = f"({record.ref})" if record.ref else ""
    if action is WriteAction.RETRY_PIPELINE and no_effect is not None:
        # A running pipeline may have failed jobs.
        attempts = await _attempts(service, target.project, target.id)
        if any(job.status in {"failed", "canceled"} for job in attempts.values()):
            return ActionTarget(target, name)
        no_effect = _no_effect_error(action, target, "success")
    return ActionTarget(target, name, record.status, no_effect)


async def _attempts(
    service: PlatformService, project: ProjectRef, pipeline: int
) -> Mapping[str, Job]:
    wanted = resources.jobs.jobs(JobsQuery(project, pipeline))
    return current_attempts((await read(service, "the jobs", wanted, live=True)).items)


def _no_effect_error(action: WriteAction, target: Target, status: str) -> NothingToDoError | None:
    if status not in _KNOWN or is_applicable(action, status):
        return None
    return nothing_to_do(RecordAction(action, target.project, target.id), status)


async def _newer_attempt(
    service: PlatformService, target: Target, job: Job
) -> NothingToDoError | None:
    """Return an error if the job has a newer attempt: only the newest can be retried."""
    if job.pipeline is None:
        return None
    try:
        attempts = await _attempts(service, target.project, job.pipeline.id)
    except PlatuiError:
        return None  # the platform will check it
    newest = attempts.get(job.name)
    if newest is None or newest.id <= job.id:
        return None
    again = command_of(service.profile, "retry", str(target.project), f"{newest.id}", "--job")
    return NothingToDoError(
        f"{target.name.capitalize()} was already retried: "
        f"its newest attempt #{newest.id} {standing(newest.status)}.",
        hint="" if newest.status in ACTIVE else again,
    )
