"""Run an act on a pipeline, job or schedule: cancel, retry, play, run, own, delete."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from platui.analysis.act_states import makes_sense
from platui.analysis.attempts import current_attempts
from platui.cli.confirmation import check_writes_allowed
from platui.cli.connection import open_platform
from platui.cli.exit_codes import print_message
from platui.cli.output.progress import print_notice
from platui.cli.project_lookup import check_full_path
from platui.cli.reading import read, resources
from platui.cli.target_lookup import BY_COMMAND, BY_OPTION, resolve_target
from platui.cli.targets import Kind, target_at
from platui.cli.writing import refused, writable_project, write
from platui.core.errors import (
    AmbiguousError,
    CommandError,
    ConfigError,
    IncompletePathError,
    NothingToDoError,
    PlatuiError,
)
from platui.core.text import clean, shorten
from platui.models.values.queries import JobsQuery
from platui.models.values.statuses import ACTIVE, ENDED
from platui.models.values.write_states import Outcome
from platui.models.values.writes import RecordAction, WriteAction
from platui.present.status import standing
from platui.service.writes.outcomes import nothing_to_do

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from platui.cli.command_options import WaitOptions, WriteOptions
    from platui.cli.connection import Platform
    from platui.cli.targets import Target
    from platui.config.settings import Options
    from platui.models.wire import Job, Pipeline
    from platui.service import PlatformService

_LOOKS: Final = 8
"""So often the record is read; the platform starts the pipeline a moment after its answer."""
_PAUSE: Final = 1.0

_KNOWN: Final = ENDED | ACTIVE | {"manual", "scheduled"}
"""Statuses that say what an act does; in another one it may be tried."""


def act(
    options: Options,
    words: tuple[str, ...],
    acts: Mapping[Kind, WriteAction],
    kind: Kind,
    *,
    write_options: WriteOptions,
    after: WaitOptions | None = None,
    named: Callable[[RecordAction], None] | None = None,
) -> int:
    """`named` makes sure, before the question, that this is the one that is meant."""
    hint = f"{click.get_current_context().command_path} --help"
    with open_platform(options, words, write_options) as platform:
        target = target_at(words, platform.address, kind, hint)
        if target.kind not in acts:
            raise ConfigError(
                f"That is a {target.kind}, and there is no such act on one.", hint=hint
            )
        check_writes_allowed(platform, write_options)
        what = acts[target.kind]
        # A schedule has no status: where nobody is asked, there is nothing to look for.
        if target.kind is Kind.SCHEDULE and named is None and write_options.yes:
            where = writable_project(platform, target.project, write_options)
            seen = Seen(target._replace(project=where))
        else:
            other = BY_OPTION if len(acts) > 1 else BY_COMMAND
            try:
                seen = platform.read(_looked_at(platform, target, what, write_options, other))
            except PlatuiError as error:
                raise refused(error) from None
        note = ""
        if seen.status and not makes_sense(what, seen.status):
            note = f"It is {shorten(seen.status, 40)}: that may change nothing."
        intent = RecordAction(what, seen.target.project, target.id, seen.name)
        if named is not None and not write_options.dry_run:
            named(intent)
        if what is not WriteAction.RUN_SCHEDULE or write_options.dry_run:
            return write(platform, intent, write_options, after, note)
        run = ScheduledRun(platform.service, seen.target)
        platform.run(run.look())
        return write(platform, intent, write_options, after, note, starts=run.found)


async def _looked_at(
    platform: Platform,
    target: Target,
    what: WriteAction,
    write_options: WriteOptions,
    other: Mapping[Kind, str],
) -> Seen:
    """Return what an act is on; where nothing will be sent, what is in its way is only said."""
    service = platform.service
    try:
        await service.start()
        seen = await resolve_target(
            service, target, lambda one: _told_of(service, one, what), other, what
        )
        check_full_path(target.project, seen.target.project, write_options)
        if seen.idle is not None:
            raise seen.idle
    except (AmbiguousError, CommandError, IncompletePathError):
        raise
    except NothingToDoError as idle:
        if not write_options.dry_run:
            raise
        print_message(idle.sentence, idle)
    except PlatuiError as error:
        if not write_options.dry_run:
            raise
        print_notice(f"Nobody has looked whether it is there: {error.sentence}")
        return Seen(target)
    return seen


class ScheduledRun:
    """Knows the last pipeline of a schedule before it is run, and looks for the next one."""

    def __init__(self, service: PlatformService, target: Target) -> None:
        self._service = service
        self._target = target
        self._before = 0
        self._why_not = ""

    async def look(self) -> None:
        """Take note of the last pipeline; where nobody tells, none will be looked for."""
        try:
            await self._service.start()
            last = await self._last()
        except PlatuiError as error:
            self._why_not = error.sentence
        else:
            self._before = last.id if last is not None else 0

    async def found(self) -> Outcome | None:
        """Return the pipeline that came since; where there is none, say so."""
        for left in reversed(range(0 if self._why_not else _LOOKS)):
            try:
                last = await self._last()
            except PlatuiError as error:
                self._why_not = error.sentence
                break
            if last is not None and last.id > self._before:
                print_notice(f"Pipeline #{last.id} is the newest that this schedule has started.")
                project, url = self._target.project, last.web_url
                return Outcome(
                    "pipeline", project, last.id, last.status, url, last.created_at, last
                )
            if left:
                await self._service.clock.sleep(_PAUSE)
        why = self._why_not or "Its record names no new one yet."
        print_notice(f"Which pipeline it starts is not known. {why}")
        return None

    async def _last(self) -> Pipeline | None:
        wanted = resources.schedules.schedule(self._target.project, self._target.id)
        schedule = await read(self._service, "that schedule", wanted)
        return schedule.last_pipeline


class Seen(NamedTuple):
    """What an act is on, as it was before."""

    target: Target
    """By a name of its project that the platform takes."""
    name: str = ""
    status: str = ""
    """Empty where it does not matter."""
    idle: NothingToDoError | None = None
    """Why the act would do nothing; None: it does something, or nobody knows."""


async def _told_of(service: PlatformService, target: Target, what: WriteAction) -> Seen:
    if target.kind is Kind.SCHEDULE:
        plan = resources.schedules.schedule(target.project, target.id)
        schedule = await read(service, "that schedule", plan)
        return Seen(target, clean(schedule.description))
    if target.kind is Kind.JOB:
        job = await read(
            service, "that job", resources.jobs.job(target.project, target.id), live=True
        )
        idle = _idle(what, target, job.status)
        if what is WriteAction.RETRY_JOB and idle is None:
            idle = await _again_already(service, target, job)
        return Seen(target, job.name, job.status, idle)
    wanted = resources.pipelines.pipeline(target.project, target.id)
    pipeline = await read(service, "that pipeline", wanted, live=True)
    name = f"({pipeline.ref})" if pipeline.ref else ""
    idle = _idle(what, target, pipeline.status)
    if what is not WriteAction.RETRY_PIPELINE or idle is None:
        return Seen(target, name, pipeline.status, idle)
    # What is still under way may have failed in part already.
    if await _nothing_failed(service, target):
        return Seen(target, name, pipeline.status, _idle(what, target, "success"))
    return Seen(target, name)


def _idle(what: WriteAction, target: Target, status: str) -> NothingToDoError | None:
    if status not in _KNOWN or makes_sense(what, status):
        return None
    return nothing_to_do(RecordAction(what, target.project, target.id), status)


async def _again_already(
    service: PlatformService, target: Target, job: Job
) -> NothingToDoError | None:
    """Return what to say of a job that has a newer attempt: no platform tries the old one again."""
    if job.pipeline is None:
        return None
    wanted = resources.jobs.jobs(JobsQuery(target.project, job.pipeline.id))
    try:
        jobs = await read(service, "its jobs", wanted, live=True)
    except PlatuiError:
        return None  # the platform itself will say whether it can be done
    newest = current_attempts(jobs.items).get(job.name)
    if newest is None or newest.id <= job.id:
        return None
    again = shlex.join(["platui", "retry", str(target.project), f"{newest.id}", "--job"])
    return NothingToDoError(
        f"{target.name.capitalize()} was tried again already: "
        f"#{newest.id} is its newest attempt, and {standing(newest.status)}.",
        hint="" if newest.status in ACTIVE else clean(again),
    )


async def _nothing_failed(service: PlatformService, target: Target) -> bool:
    wanted = resources.jobs.jobs(JobsQuery(target.project, target.id))
    jobs = await read(service, "its jobs", wanted, live=True)
    again = {"failed", "canceled"}
    return not any(job.status in again for job in current_attempts(jobs.items).values())
