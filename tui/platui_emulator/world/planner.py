"""Plays a pipeline through, stage by stage, before it is shown at any moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from platui_emulator.world import causes
from platui_emulator.world.drafts import (
    RUNNERS,
    STUCK_FOR,
    JobDraft,
    clamped,
    failing_seconds,
    queue_seconds,
    soft_cause,
    work_seconds,
)
from platui_emulator.world.plans import Attempt, Plan, Run

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.world.catalogue import JobSpec, PipelineFile
    from platui_emulator.world.causes import Cause
    from platui_emulator.world.clock import SeededRandom


QUEUE: Final = 2.0
"""Seconds each of these jobs waits for a runner."""
_BETWEEN: Final = 0.5


def is_paced(file: PipelineFile) -> bool:
    """Return whether a job of the file has a log with its own length or pace."""
    return any(job.log_bytes or job.lines_per_second for job in file.jobs)


def paced_plan(run: Run) -> Plan:
    """Return what will happen: a job with a long log fails in the end, or never ends."""
    attempts: list[Attempt] = []
    ready: float | None = run.created
    failed = False
    for stage in run.file.stages:
        jobs = [(n, job) for n, job in enumerate(run.file.jobs) if job.stage == stage]
        done = [_attempt(run, number, job, ready, failed=failed) for number, job in jobs]
        attempts += done
        failed = failed or any(one.outcome == "failed" for one in done)
        ends = [one.finished for one in done if one.outcome != "skipped"]
        if None in ends:
            ready = None
        elif ready is not None:
            ready = max([ready, *(end for end in ends if end is not None)]) + _BETWEEN
    return Plan(run, tuple(sorted(attempts, key=lambda one: one.index)))


def _attempt(run: Run, number: int, job: JobSpec, ready: float | None, *, failed: bool) -> Attempt:
    moves: list[tuple[float, str]] = []
    cause = None
    if ready is not None and failed and job.when != "always":
        moves = [(ready, "skipped")]
    elif ready is not None:
        moves = [(ready, "pending"), (ready + QUEUE, "running")]
        cause = causes.CONNECTION_ERROR if job.log_bytes else None
        if not job.lines_per_second:
            moves.append((ready + QUEUE + job.seconds, "failed" if cause else "success"))
    story = run.id
    return Attempt(number, job, run.created, tuple(moves), cause, story, runner=number % 4)


CHILD_AFTER: Final = 1.0
"""Seconds between the start of a bridge and its child pipeline."""

_CROWDED: Final = 0.35
_ABOUT_ONE_JOB: Final = frozenset({"red", "flaky", "slow", "stuck"})

_AT_ONCE: Final = 2.0
"""Seconds within which the jobs of the first stage become ready."""


class Planner:
    """Makes plans: a function of the run and the seed."""

    def __init__(
        self, chance: SeededRandom, child_run: Callable[[Run, PipelineFile, float], Run]
    ) -> None:
        self._chance = chance
        self._child_run = child_run

    def plan(self, run: Run) -> Plan:
        if run.fate.kind == "invalid":
            broken = run.file.jobs[-1].name
            error = f"jobs:{broken} config contains unknown keys: scirpt"
            return Plan(run, (), yaml_errors=error)
        if is_paced(run.file):
            return paced_plan(run)
        return _Play(run, self._chance, self).perform()

    def child_of(self, run: Run, path: str, when: float) -> Plan:
        """Return the plan of the pipeline that a bridge starts."""
        return self.plan(self._child_run(run, run.blueprint.files[path], when))


class _Play:
    """One pipeline being played through."""

    def __init__(self, run: Run, chance: SeededRandom, planner: Planner) -> None:
        self._run = run
        self._planner = planner
        self._dice: Random = chance.dice("plan", run.id)
        self._chance = chance
        self._drafts = [JobDraft(n, spec, run.created) for n, spec in enumerate(run.file.jobs)]
        self._victim = self._choose_victim() if run.fate.kind in _ABOUT_ONE_JOB else None
        # All runners may be busy when a pipeline starts; nobody watches, so it is not in a hurry.
        crowded = run.pace == 1.0 and self._dice.random() < _CROWDED
        self._crowd = self._dice.uniform(60.0, 300.0) if crowded else 0.0

    def perform(self) -> Plan:
        fate = self._run.fate.kind
        if fate == "skipped":
            for draft in self._drafts:
                draft.move(self._run.created, "skipped")
        else:
            # Spec §3: a pipeline is pending right after it was started.
            end = self._stages(self._run.created)
            if self._run.fate.rescued and self._victim and self._victim.cause:
                self._rescue(end)
            if fate == "canceled":
                share = self._dice.uniform(0.2, 0.85)
                self._cancel(self._run.created + (end - self._run.created) * share)
        return Plan(self._run, tuple(draft.freeze() for draft in self._drafts))

    def _choose_victim(self) -> JobDraft | None:
        fate = self._run.fate
        works = fate.cause.works if fate.cause else ("dbt_run", "load", "sql")
        if fate.victim:
            return next((one for one in self._drafts if one.spec.name == fate.victim), None)
        hard = [one for one in self._drafts if not one.spec.allow_failure]
        for work in works:
            fitting = [one for one in hard if one.spec.work == work]
            if fitting:
                # By name, so that pipelines of one story fail in the same job of any file.
                return min(
                    fitting,
                    key=lambda one: self._chance.number("victim", fate.story, one.spec.name),
                )
        return None

    def _stages(self, start: float) -> float:
        failed = False
        for stage in self._run.file.stages:
            ends = [start]
            waiting = [one for one in self._drafts if one.spec.stage == stage and one.waits]
            for draft in waiting:
                if failed and draft.spec.when != "always":
                    if not draft.moves:
                        draft.move(start, "skipped")
                elif draft.spec.when == "manual":
                    draft.move(start, "manual")
                else:
                    ends.append(self._job(draft, start))
            start = max(ends) + self._dice.uniform(0.2, 0.9)
            failed = failed or any(self._blocks(one, stage) for one in self._drafts)
        return start

    @staticmethod
    def _blocks(draft: JobDraft, stage: str) -> bool:
        return (
            draft.spec.stage == stage
            and not draft.spec.allow_failure
            and draft.replaced_at is None
            and bool(draft.moves)
            and draft.moves[-1][1] == "failed"
        )

    def _job(self, draft: JobDraft, ready: float) -> float:
        draft.move(ready, "pending")
        if draft is self._victim and self._run.fate.kind == "stuck":
            draft.cause = causes.NO_RUNNER
            draft.move(ready + STUCK_FOR, "failed")
            return ready + STUCK_FOR
        start = ready + self._queue()
        if ready < self._run.created + _AT_ONCE:
            start += self._crowd
        draft.move(start, "running")
        draft.runner = self._dice.randrange(RUNNERS)
        if draft.spec.bridge:
            return self._bridge(draft, start)
        seconds = self._seconds(draft)
        cause = self._cause_of(draft)
        if cause is None:
            draft.move(start + seconds, "success")
            return start + seconds
        draft.cause, draft.story = cause, self._run.fate.story
        end = start + failing_seconds(cause, seconds, self._run.pace, self._dice)
        draft.move(end, "failed")
        if self._passes_again(draft):
            return self._retry(draft, end + 1.0, self._queue())
        return end

    def _queue(self) -> float:
        return queue_seconds(self._dice)

    def _seconds(self, draft: JobDraft) -> float:
        seconds = work_seconds(self._run, draft.spec, self._run.pace, self._dice)
        if draft is self._victim and self._run.fate.kind == "slow":
            seconds *= self._dice.uniform(3.0, 5.0)
        return clamped(seconds)

    def _passes_again(self, draft: JobDraft) -> bool:
        fate = self._run.fate
        return draft.spec.name == fate.flake or (draft is self._victim and fate.kind == "flaky")

    def _cause_of(self, draft: JobDraft) -> Cause | None:
        if draft.spec.name == self._run.fate.flake:
            return causes.passing(draft.spec.work)
        if draft is self._victim and self._run.fate.kind in {"red", "flaky"}:
            return self._run.fate.cause
        return soft_cause(draft.spec, self._dice)

    def _retry(self, draft: JobDraft, when: float, queue: float) -> float:
        again = JobDraft(len(self._drafts), draft.spec, when)
        again.runner = self._dice.randrange(RUNNERS)
        draft.replaced_at = round(when, 3)
        again.move(when + 0.4, "pending")
        again.move(when + 0.4 + queue, "running")
        end = when + 0.4 + queue + self._seconds(again)
        again.move(end, "success")
        self._drafts.append(again)
        return end

    def _rescue(self, end: float) -> None:
        victim = self._victim
        if victim is None or not victim.moves or victim.moves[-1][1] != "failed":
            return
        resumed = self._retry(victim, end + self._dice.uniform(240.0, 1500.0), self._queue())
        self._stages(resumed + 0.5)

    def _bridge(self, draft: JobDraft, start: float) -> float:
        plan = self._planner.child_of(self._run, draft.spec.subject, start + CHILD_AFTER)
        draft.child = plan.run
        ends = [one.finished for one in plan.attempts if one.finished is not None]
        failed = any(
            one.outcome == "failed" and not one.spec.allow_failure and one.replaced_at is None
            for one in plan.attempts
        )
        end = max([start + CHILD_AFTER, *ends]) + 0.5
        draft.move(end, "failed" if failed else "success")
        return end

    def _cancel(self, when: float) -> None:
        self._drafts = [one for one in self._drafts if one.created <= when]
        for draft in self._drafts:
            if draft.replaced_at is not None and draft.replaced_at > when:
                draft.replaced_at = None
            before = [move for move in draft.moves if move[0] <= when]
            if before and before[-1][1] in {"success", "failed", "skipped", "manual"}:
                draft.moves = before
            else:
                draft.moves, draft.cause = before, None
                draft.move(when, "canceled")
            if draft.child and draft.child.created > when:
                draft.child = None
