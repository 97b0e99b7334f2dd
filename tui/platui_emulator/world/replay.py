"""Continues a pipeline after an intervention: running jobs go on, retried ones are drawn again."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from platui_emulator.world.clock import JOBS
from platui_emulator.world.drafts import (
    JobDraft,
    JobInProgress,
    blocks,
    drawn_course,
    ending,
    queue_seconds,
    shifted,
    status_then,
    thaw,
)
from platui_emulator.world.journal import (
    CANCELABLE,
    RETRIED_WITH_PIPELINE,
    Intervention,
    Kind,
)
from platui_emulator.world.pipeline_starts import GREEN
from platui_emulator.world.planner import CHILD_AFTER

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.world.causes import Cause
    from platui_emulator.world.plans import Attempt, Plan, Run

WATCHED_PACE: Final = 0.12
"""Jobs started by a user take a minute or two, because the user waits."""

_WITH_RESOURCE: Final = "publish"
"""Work that only one pipeline of a project may do at a time."""

_SAME_FATE: Final = 0.3
_STOPPING: Final = (1.0, 2.0)


class NoRoomError(Exception):
    """A pipeline has all the jobs that there are numbers for."""


@dataclass(frozen=True)
class ReplayContext:
    """What a replay asks about the rest of the company."""

    dice: Callable[[Run, Intervention], Random]
    child: Callable[[Run, str, float], Run]
    """Make the pipeline that a bridge starts: its parent, its file, when."""
    plan: Callable[[Run, float], Plan]
    """Plan a pipeline with all that was done to it until a time."""
    cause_again: Callable[[Run, Attempt, int, float, Random], Cause | None]
    """Draw why a job fails again, if it does: its pipeline, the last of how many attempts, when."""


def replayed(plan: Plan, act: Intervention, around: ReplayContext) -> Plan:
    """Return the plan after an intervention. Raises NoRoomError: no numbers for its jobs."""
    if act.kind is Kind.ERASE_JOB:
        kept = (
            replace(one, erased_at=act.at) if one.index == act.job else one for one in plan.attempts
        )
        return replace(plan, attempts=tuple(kept))
    return _Replay(plan, act, around).perform()


class _Replay:
    """One pipeline being played on."""

    def __init__(self, plan: Plan, act: Intervention, around: ReplayContext) -> None:
        self._plan = plan
        self._run = plan.run
        self._act = act
        self._at = act.at
        self._around = around
        self._dice = around.dice(plan.run, act)
        self._pace = min(plan.run.pace, WATCHED_PACE)
        self._jobs = [thaw(plan, one, act.at) for one in plan.attempts_at(act.at)]
        self._later: list[JobDraft] = []

    def perform(self) -> Plan:
        match self._act.kind:
            case Kind.RETRY:
                self._retry_pipeline()
            case Kind.CANCEL:
                for job in self._latest():
                    self._cancel(job, CANCELABLE)
            case Kind.RETRY_JOB:
                old = self._meant()
                self._retry(old)
                self._reopen(self._stages_after(old))
            case Kind.CANCEL_JOB:
                self._cancel(self._meant(), CANCELABLE | {"manual"})
            case Kind.FORCE_CANCEL_JOB:
                self._stop_at_once(self._meant())
            case Kind.PLAY_JOB:
                self._play(self._meant())
            case Kind.FOLLOW:
                self._follow()
            case Kind.ERASE_JOB:
                raise ValueError("erasing a log changes no course")
        self._go_on()
        return self._frozen()

    # what was done

    def _meant(self) -> JobInProgress:
        return next(one for one in self._jobs if one.draft.index == self._act.job)

    def _latest(self) -> list[JobInProgress]:
        return [one for one in self._jobs if one.draft.replaced_at is None]

    def _stages_after(self, job: JobInProgress) -> tuple[str, ...]:
        stages = self._run.file.stages
        return stages[stages.index(job.draft.spec.stage) + 1 :]

    def _retry_pipeline(self) -> None:
        for job in self._latest():
            status = status_then(job.draft, self._at)
            if status in RETRIED_WITH_PIPELINE and not job.draft.spec.bridge:
                self._retry(job)
                if job.draft.spec.when == "manual":
                    self._jobs[-1].draft.user = None  # it waits to be played again
        self._reopen(self._run.file.stages)

    def _retry(self, old: JobInProgress) -> None:
        if len(self._jobs) >= JOBS:
            raise NoRoomError
        old.draft.replaced_at = self._at
        old.again = None
        # What is tried again writes a log of the usual length.
        spec = replace(old.draft.spec, log_bytes=0) if old.draft.spec.log_bytes else old.draft.spec
        new = JobDraft(len(self._jobs), spec, self._at, user=self._act.who)
        new.story = old.draft.story
        if old.draft.cause is not None:
            name, frozen = old.draft.spec.name, old.draft.freeze()
            tries = sum(job.draft.spec.name == name for job in self._jobs)
            new.cause = self._around.cause_again(self._run, frozen, tries, self._at, self._dice)
        self._jobs.append(JobInProgress(new))

    def _reopen(self, stages: tuple[str, ...]) -> None:
        for job in self._latest():
            if job.draft.status == "skipped" and job.draft.spec.stage in stages:
                job.draft.move(self._at, "created")

    def _cancel(self, job: JobInProgress, cancelable: frozenset[str]) -> None:
        draft, status = job.draft, status_then(job.draft, self._at)
        if status not in cancelable:
            return
        if status == "running" and not draft.spec.bridge:
            draft.intended = job.was
            self._cut(draft)
            draft.move(self._at, "canceling")
            draft.move(self._at + self._dice.uniform(*_STOPPING), "canceled")
        else:
            self._cut(draft)
            draft.move(self._at, "canceled")
            if draft.child is not None and draft.child.created > self._at:
                draft.child = None
        job.again = None

    def _stop_at_once(self, job: JobInProgress) -> None:
        if status_then(job.draft, self._at) == "canceling":
            self._cut(job.draft)
            job.draft.move(self._at, "canceled")

    def _play(self, job: JobInProgress) -> None:
        job.draft.user = self._act.who
        self._start(job, self._at)
        self._reopen(self._stages_after(job))

    def _follow(self) -> None:
        for job in self._latest():
            child = job.draft.child
            if child is None or job.draft.index != self._act.job:
                continue
            plan = self._around.plan(child, self._at)
            runs = status_then(job.draft, self._at) == "running"
            if not runs and ending(plan, self._at)[0] <= self._at:
                continue
            self._cut(job.draft)
            if not runs:
                job.draft.move(self._at, "running")
                self._reopen(self._stages_after(job))
            self._end_with(job.draft, plan)

    def _cut(self, draft: JobDraft) -> None:
        draft.moves = [move for move in draft.moves if move[0] <= self._at]

    # what comes of it

    def _go_on(self) -> None:
        ready, failed = self._at, False
        for stage in self._run.file.stages:
            jobs = [one for one in self._latest() if one.draft.spec.stage == stage]
            ends = [self._end_of(job, ready, failed=failed) for job in jobs]
            last = max([ready, *ends])
            if last > ready:
                last += self._dice.uniform(0.2, 0.9)
            ready = last
            failed = failed or any(blocks(job) for job in jobs)

    def _end_of(self, job: JobInProgress, ready: float, *, failed: bool) -> float:
        draft = job.draft
        if draft.status == "created":
            if ready == math.inf:
                return ready  # what comes before it never ends
            if failed and draft.spec.when != "always":
                draft.move(ready, "skipped")
                job.again = None
                return ready
            if draft.spec.when == "manual" and draft.user is None:
                draft.move(ready, "manual")
                return ready
            self._start(job, ready)
        return self._end_with_retry(job)

    def _end_with_retry(self, job: JobInProgress) -> float:
        if job.draft.status == "running":
            return math.inf
        end = job.draft.moves[-1][0]
        if job.again is None or job.was is None or len(self._jobs) + len(self._later) >= JOBS:
            job.again = None
            return max(end, self._at)
        delay = end - job.was.moves[-1][0]
        later = shifted(job.again, delay)
        job.draft.replaced_at = later.created
        self._later.append(later)
        return later.moves[-1][0]

    def _start(self, job: JobInProgress, ready: float) -> None:
        draft = job.draft
        if draft.spec.work == _WITH_RESOURCE and draft.status == "created":
            draft.move(ready, "waiting_for_resource")
            ready += self._dice.uniform(1.0, 4.0)
            draft.move(ready, "preparing")
            ready += self._dice.uniform(0.5, 1.0)
        draft.move(ready, "pending")
        if draft.spec.bridge:
            self._bridge(draft, ready + queue_seconds(self._dice))
            return
        for delay, status in job.course or drawn_course(self._run, draft, self._pace, self._dice):
            draft.move(ready + delay, status)

    def _bridge(self, draft: JobDraft, start: float) -> None:
        draft.move(start, "running")
        child = self._around.child(self._run, draft.spec.subject, start + CHILD_AFTER)
        if self._act.child_id is None:
            raise LookupError("no number was kept free for a child pipeline")
        # What was wrong with the child that was meant to be is probably over.
        fate = child.fate if self._dice.random() < _SAME_FATE else GREEN
        draft.child = replace(
            child, id=self._act.child_id, iid=self._act.child_iid, pace=self._pace, fate=fate
        )
        self._end_with(draft, self._around.plan(draft.child, self._at))

    def _end_with(self, draft: JobDraft, child: Plan) -> None:
        end, status = ending(child, self._at)
        draft.move(end + 0.5, status if status in {"success", "canceled"} else "failed")

    def _frozen(self) -> Plan:
        drafts = [job.draft for job in self._jobs]
        for index, later in enumerate(sorted(self._later, key=lambda one: one.created)):
            later.index = len(drafts) + index
        drafts += sorted(self._later, key=lambda one: one.created)
        return replace(self._plan, attempts=tuple(one.freeze() for one in drafts))
