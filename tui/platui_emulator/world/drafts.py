"""Attempts while they are being thought out, and how long their parts take."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from platui_emulator.world import causes
from platui_emulator.world.journal import CANCELABLE
from platui_emulator.world.plans import Attempt, Plan, Run
from platui_emulator.world.views import status_of

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.records import Person
    from platui_emulator.world.catalogue import JobSpec
    from platui_emulator.world.causes import Cause


JOB_TIMEOUT: Final = 900.0

STUCK_FOR: Final = 27_000.0
"""Seconds after which a job that no runner takes is given up."""

RUNNERS: Final = 8
_SOFT_FAILURES: Final = 0.09


@dataclass(slots=True)
class JobDraft:
    """An attempt while it is being played through."""

    index: int
    spec: JobSpec
    created: float
    moves: list[tuple[float, str]] = field(default_factory=list)
    cause: Cause | None = None
    story: int = 0
    runner: int = 0
    replaced_at: float | None = None
    child: Run | None = None
    user: Person | None = None
    intended: Attempt | None = None
    erased_at: float | None = None

    def move(self, when: float, status: str) -> None:
        self.moves.append((round(when, 3), status))

    @property
    def status(self) -> str:
        """The last status that it is known to take on."""
        return self.moves[-1][1] if self.moves else "created"

    @property
    def waits(self) -> bool:
        """Whether it has yet to run, or may be made to."""
        return not self.moves or self.moves[-1][1] == "skipped"

    def freeze(self) -> Attempt:
        return Attempt(
            self.index, self.spec, round(self.created, 3), tuple(self.moves), self.cause,
            self.story, self.runner, self.replaced_at, self.child, self.user, self.intended,
            self.erased_at,
        )  # fmt: skip


def queue_seconds(dice: Random) -> float:
    """Return how long a job waits for a runner."""
    wait = dice.uniform(1.5, 14.0)
    return wait * 6 if dice.random() < 0.06 else wait  # noqa: PLR2004  (a share)


def work_seconds(run: Run, spec: JobSpec, pace: float, dice: Random) -> float:
    """Return how long a job takes if nothing keeps it; `clamped` makes it acceptable."""
    return spec.seconds * run.blueprint.factor * pace * math.exp(dice.gauss(0.0, 0.11))


def clamped(seconds: float) -> float:
    """Return a length that is neither nothing nor longer than the runner allows."""
    return min(max(seconds, 4.0), JOB_TIMEOUT - 20)


def failing_seconds(cause: Cause, seconds: float, pace: float, dice: Random) -> float:
    """Return how long a job runs before it fails, if it would have taken so many seconds."""
    if cause is causes.TIMEOUT:
        return JOB_TIMEOUT * pace
    if cause.by_runner:
        return dice.uniform(20.0, 45.0)
    return seconds * dice.uniform(0.45, 0.95) + 3.0


def soft_cause(spec: JobSpec, dice: Random) -> Cause | None:
    """Return why a job that may fail does so this time, if it does."""
    if spec.allow_failure and dice.random() < _SOFT_FAILURES:
        fits = spec.work in causes.STALE_SOURCE.works
        return causes.STALE_SOURCE if fits else causes.SOFT_FAILURE
    return None


def drawn_course(run: Run, draft: JobDraft, pace: float, dice: Random) -> list[tuple[float, str]]:
    """Draw what a job does, in seconds from when it becomes pending, and on which runner."""
    draft.runner = dice.randrange(RUNNERS)
    if draft.cause is causes.NO_RUNNER:
        return [(STUCK_FOR, "failed")]
    queue = queue_seconds(dice)
    if draft.spec.lines_per_second:
        return [(queue, "running")]
    seconds = clamped(work_seconds(run, draft.spec, pace, dice))
    draft.cause = draft.cause or soft_cause(draft.spec, dice)
    if draft.cause is None:
        return [(queue, "running"), (queue + seconds, "success")]
    seconds = failing_seconds(draft.cause, seconds, pace, dice)
    return [(queue, "running"), (queue + seconds, "failed")]


_AT_ONCE: Final = 2.0
"""Seconds after a failure within which the platform itself tries again."""

_ACTIVE: Final = CANCELABLE - {"created"} | {"canceling"}


@dataclass(slots=True)
class JobInProgress:
    """A draft, and what it was going to do."""

    draft: JobDraft
    was: Attempt | None = None
    course: tuple[tuple[float, str], ...] = ()
    again: Attempt | None = None
    """The attempt by which the platform itself was going to replace it."""


def thaw(plan: Plan, one: Attempt, at: float) -> JobInProgress:
    """Return a job in its current state, and its planned course."""
    status = one.status_at(at)
    active = status in _ACTIVE
    moves = [move for move in one.moves if active or move[0] <= at]
    draft = JobDraft(
        one.index, one.spec, one.created, moves, one.cause, one.story, one.runner,
        one.replaced_at, one.child, one.user, one.intended, one.erased_at,
    )  # fmt: skip
    if draft.child is not None and draft.child.created > at and not active:
        draft.child = None
    job = JobInProgress(draft, one)
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


def blocks(job: JobInProgress) -> bool:
    """Return whether a job causes later ones to be skipped."""
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
