"""The jobs of a pipeline as they stand at a moment, and what they were going to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from platui.emulator.world.composite import status_of
from platui.emulator.world.drafts import JobDraft
from platui.emulator.world.interventions import CANCELABLE

if TYPE_CHECKING:
    from platui.emulator.world.plans import Attempt, Plan

_AT_ONCE: Final = 2.0
"""Seconds after a failure within which the platform itself tries again."""

_ACTIVE: Final = CANCELABLE - {"created"} | {"canceling"}


@dataclass(slots=True)
class StandingJob:
    """A draft, and what it was going to do."""

    draft: JobDraft
    was: Attempt | None = None
    course: tuple[tuple[float, str], ...] = ()
    """What it was going to do, counted from when it becomes pending."""
    again: Attempt | None = None
    """The attempt by which the platform itself was going to replace it."""


def thaw(plan: Plan, one: Attempt, at: float) -> StandingJob:
    """Return a job as it stands, and what it was going to do."""
    status = one.status_at(at)
    active = status in _ACTIVE
    moves = [move for move in one.moves if active or move[0] <= at]
    draft = JobDraft(
        one.index, one.spec, one.created, moves, one.cause, one.story, one.runner,
        one.replaced_at, one.child, one.user, one.intended, one.erased_at,
    )  # fmt: skip
    if draft.child is not None and draft.child.created > at and not active:
        draft.child = None
    job = StandingJob(draft, one)
    pending = next((when for when, status in one.moves if status == "pending" and when > at), None)
    if status == "created" and pending is not None and not one.spec.bridge:
        job.course = tuple((when - pending, to) for when, to in one.moves if when > pending)
    if one.replaced_at is not None and one.replaced_at > at:
        draft.replaced_at = None
        if one.finished is not None and one.replaced_at <= one.finished + _AT_ONCE:
            job.again = next(
                again
                for again in plan.attempts
                if again.spec is one.spec and again.created == one.replaced_at
            )
    return job


def shifted(one: Attempt, delay: float) -> JobDraft:
    """Return an attempt that begins later than it was going to."""
    moves = [(round(when + delay, 3), status) for when, status in one.moves]
    return JobDraft(
        one.index, one.spec, one.created + delay, moves, one.cause, one.story, one.runner
    )


def status_then(draft: JobDraft, at: float) -> str:
    """Return the status of a draft at a moment, whatever comes after it."""
    before = [status for when, status in draft.moves if when <= at]
    return before[-1] if before else "created"


def blocks(job: StandingJob) -> bool:
    """Tell whether what comes after a job will be skipped because of it."""
    draft = job.draft
    return (
        not draft.spec.allow_failure
        and draft.replaced_at is None
        and draft.status in {"failed", "canceled"}
    )


def ending(plan: Plan, at: float) -> tuple[float, str]:
    """Return when the last job of a pipeline ends, and the pipeline's status then."""
    last = [one for one in plan.attempts if one.replaced_at is None]
    ends = [one.finished for one in plan.attempts if one.finished is not None]
    return max([at, *ends]), status_of((one.outcome, one.spec.allow_failure) for one in last)
