"""Looking at what an act is on, before it: that it is there, what it is called, how it stands."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.act_states import makes_sense
from platui.analysis.attempts import current_attempts
from platui.cli.asking import first
from platui.cli.target_words import BY_COMMAND, BY_OPTION, at_target
from platui.cli.targets import Kind
from platui.core.errors import NothingToDoError, PlatuiError
from platui.core.text import clean
from platui.models.values.queries import JobsQuery
from platui.models.values.writes import Act, ActOn
from platui.present.status import standing
from platui.service.outcomes import nothing_to_do
from platui.service.statuses import ENDED, MOVING

if TYPE_CHECKING:
    from platui.cli.targets import Target
    from platui.models import Job
    from platui.service import PlatformService

_KNOWN: Final = ENDED | MOVING | {"manual", "scheduled"}
"""Statuses that say what an act does; in another one it may be tried."""


class Seen(NamedTuple):
    """What an act is on, as it was before."""

    target: Target
    """By a name of its project that the platform takes."""
    name: str = ""
    """By what people know it."""
    status: str = ""
    """Empty where it does not matter."""
    idle: NothingToDoError | None = None
    """Why the act would do nothing; None: it does something, or nobody knows."""


async def looked_at(
    service: PlatformService, target: Target, what: Act, *, by_option: bool
) -> Seen:
    """Return what an act is on, by name and status: a question should name both.

    Args:
        service: the platform's.
        target: what is meant.
        what: what is to be done with it.
        by_option: whether --job would make a job of the number.

    Raises:
        PlatuiError: there is no such thing, or nobody tells.
    """
    await service.start()
    other = BY_OPTION if by_option else BY_COMMAND
    return await at_target(service, target, lambda one: _told_of(service, one, what), other, what)


async def _told_of(service: PlatformService, target: Target, what: Act) -> Seen:
    """Return name and status, as the platform says them now; a schedule has no status.

    Raises:
        PlatuiError: there is no such thing, or nobody tells.
    """
    if target.kind is Kind.SCHEDULE:
        plan = service.feeds.watch_schedule(target.project, target.id)
        schedule = await first("that schedule", plan, bool)
        return Seen(target, clean(schedule.description))
    if target.kind is Kind.JOB:
        job = await first(
            "that job", service.feeds.watch_job(target.project, target.id), bool, live=True
        )
        idle = _idle(what, target, job.status)
        if what is Act.RETRY_JOB and idle is None:
            idle = await _again_already(service, target, job)
        return Seen(target, job.name, job.status, idle)
    feed = service.feeds.watch_pipeline(target.project, target.id)
    pipeline = await first("that pipeline", feed, bool, live=True)
    name = f"({pipeline.ref})" if pipeline.ref else ""
    idle = _idle(what, target, pipeline.status)
    if what is not Act.RETRY_PIPELINE or idle is None:
        return Seen(target, name, pipeline.status, idle)
    # What is still under way may have failed in part already.
    if await _nothing_failed(service, target):
        return Seen(target, name, pipeline.status, _idle(what, target, "success"))
    return Seen(target, name)


def _idle(what: Act, target: Target, status: str) -> NothingToDoError | None:
    """Return why an act does nothing in this state; None where it may do something."""
    if status not in _KNOWN or makes_sense(what, status):
        return None
    return nothing_to_do(ActOn(what, target.project, target.id), status)


async def _again_already(
    service: PlatformService, target: Target, job: Job
) -> NothingToDoError | None:
    """Return what to say of a job that has a newer attempt: no platform tries the old one again."""
    if job.pipeline is None:
        return None
    feed = service.feeds.watch_jobs(JobsQuery(target.project, job.pipeline.id))
    try:
        jobs = await first("its jobs", feed, lambda jobs: jobs.complete, live=True)
    except PlatuiError:
        return None  # the platform itself will say whether it can be done
    newest = current_attempts(jobs.items).get(job.name)
    if newest is None or newest.id <= job.id:
        return None
    return NothingToDoError(
        f"{target.name.capitalize()} was tried again already: "
        f"#{newest.id} is its newest attempt, and {standing(newest.status)}.",
        hint="" if newest.status in MOVING else _retry(target, newest.id),
    )


def _retry(target: Target, job: int) -> str:
    return clean(shlex.join(["platui", "retry", str(target.project), f"{job}", "--job"]))


async def _nothing_failed(service: PlatformService, target: Target) -> bool:
    """Return whether there is no job in a pipeline that a retry would start again."""
    feed = service.feeds.watch_jobs(JobsQuery(target.project, target.id))
    jobs = await first("its jobs", feed, lambda jobs: jobs.complete, live=True)
    again = {"failed", "canceled"}
    return not any(job.status in again for job in current_attempts(jobs.items).values())
