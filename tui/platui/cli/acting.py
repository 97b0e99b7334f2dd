"""What `platui cancel`, `retry`, `play` and `schedule run` share: from the words to the act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.analysis.act_states import makes_sense
from platui.analysis.attempts import current_attempts
from platui.cli.asking import first
from platui.cli.connecting import platform_of
from platui.cli.consent import refuse_early
from platui.cli.scheduled_run import ScheduledRun
from platui.cli.targets import Kind, target_at
from platui.cli.writing import refused, write
from platui.core.errors import ConfigError, PlatuiError
from platui.core.text import clean, shorten
from platui.models.values.queries import JobsQuery
from platui.models.values.writes import Act, ActOn
from platui.service.outcomes import nothing_to_do
from platui.service.statuses import ENDED, MOVING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from platui.cli.manner import After, Manner
    from platui.cli.targets import Target
    from platui.config.settings import Options
    from platui.service import PlatformService

_KNOWN: Final = ENDED | MOVING | {"manual", "scheduled"}
"""Statuses that say what an act does; in another one it may be tried."""


def act(
    options: Options,
    words: tuple[str, ...],
    acts: Mapping[Kind, Act],
    kind: Kind,
    *,
    manner: Manner,
    hint: str,
    after: After | None = None,
    named: Callable[[ActOn], None] | None = None,
) -> int:
    """Act on a pipeline or job; returns the exit code.

    Args:
        options: which profile.
        words: which pipeline or job.
        acts: what is done to each kind of thing.
        kind: what a number among the words is of.
        manner: how it is asked for and told of.
        hint: where the right words are told.
        after: what comes then.
        named: makes sure, before it is asked about, that the thing is the one that is meant;
            raises PlatuiError where it is not.

    Raises:
        PlatuiError: the words name nothing, or nothing was changed.
    """
    with platform_of(options, words, manner) as platform:
        target = target_at(words, platform.address, kind, hint)
        if target.kind not in acts:
            raise ConfigError(
                f"That is a {target.kind}, and there is no such act on one.", hint=hint
            )
        refuse_early(platform, manner)
        what, name, note = acts[target.kind], "", ""
        # A schedule has no status: where nobody is asked, there is nothing to look for.
        looks = target.kind is not Kind.SCHEDULE or named is not None or not manner.yes
        if looks and not manner.dry_run:
            try:
                name, status = platform.run(_looked_at(platform.service, target, what))
            except PlatuiError as error:
                return refused(error)
            if status and not makes_sense(what, status):
                note = f"It is {shorten(status, 40)}: that may change nothing."
        intent = ActOn(what, target.project, target.id, name)
        if named is not None and not manner.dry_run:
            named(intent)
        if what is not Act.RUN_SCHEDULE or manner.dry_run:
            return write(platform, intent, manner, after, note)
        run = ScheduledRun(platform.service, target)
        platform.run(run.look())
        return write(platform, intent, manner, after, note, starts=run.found)


async def _looked_at(service: PlatformService, target: Target, what: Act) -> tuple[str, str]:
    """Return by what name people know it, and its status: a question should name both.

    Raises:
        NothingToDoError: it is in a state in which the act does nothing.
        PlatuiError: there is no such thing, or nobody tells.
    """
    name, status = await _told_of(service, target)
    if status not in _KNOWN or makes_sense(what, status):
        return name, status
    # What is still under way may have failed in part already.
    if what is not Act.RETRY_PIPELINE or await _nothing_failed(service, target):
        why = "success" if what is Act.RETRY_PIPELINE else status
        raise nothing_to_do(ActOn(what, target.project, target.id), why)
    return name, ""


async def _nothing_failed(service: PlatformService, target: Target) -> bool:
    """Return whether there is no job in a pipeline that a retry would start again."""
    feed = service.feeds.watch_jobs(JobsQuery(target.project, target.id))
    jobs = await first("its jobs", feed, lambda jobs: jobs.complete)
    again = {"failed", "canceled"}
    return not any(job.status in again for job in current_attempts(jobs.items).values())


async def _told_of(service: PlatformService, target: Target) -> tuple[str, str]:
    """Return name and status, as the platform says them now; a schedule has no status.

    Raises:
        PlatuiError: there is no such thing, or nobody tells.
    """
    await service.start()
    if target.kind is Kind.JOB:
        job = await first("that job", service.feeds.watch_job(target.project, target.id), bool)
        return job.name, job.status
    if target.kind is Kind.SCHEDULE:
        plan = service.feeds.watch_schedule(target.project, target.id)
        schedule = await first("that schedule", plan, bool)
        return clean(schedule.description), ""
    feed = service.feeds.watch_pipeline(target.project, target.id)
    pipeline = await first("that pipeline", feed, bool)
    return f"({pipeline.ref})" if pipeline.ref else "", pipeline.status
