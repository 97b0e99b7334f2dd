"""Plays a pipeline through, stage by stage, before it is shown at any moment."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from platui.emulator.world import causes
from platui.emulator.world.paced import is_paced, paced_plan
from platui.emulator.world.plans import Attempt, Plan, Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from platui.emulator.world.causes import Cause
    from platui.emulator.world.chance import Chance
    from platui.emulator.world.jobs import JobSpec, PipelineFile

JOB_TIMEOUT: Final = 900.0
"""Seconds after which the company's jobs are stopped."""

RUNNERS: Final = 8
_STUCK_FOR: Final = 27_000.0
_SOFT_FAILURES: Final = 0.09
_CHILD_AFTER: Final = 1.0
_CROWDED: Final = 0.35
_AT_ONCE: Final = 2.0
"""Seconds within which the jobs of the first stage become ready."""


@dataclass(slots=True)
class _Draft:
    """An attempt while it is being played through."""

    index: int
    spec: JobSpec
    created: float
    moves: list[tuple[float, str]] = field(default_factory=list)
    cause: Cause | None = None
    story: int = 0
    runner: int = 0
    replaced_at: float | None = None

    def move(self, when: float, status: str) -> None:
        self.moves.append((round(when, 3), status))

    @property
    def waits(self) -> bool:
        return not self.moves or self.moves[-1][1] == "skipped"

    def freeze(self) -> Attempt:
        return Attempt(
            self.index, self.spec, round(self.created, 3), tuple(self.moves), self.cause,
            self.story, self.runner, self.replaced_at,
        )  # fmt: skip


class Planner:
    """Makes plans: a function of the run and the seed."""

    def __init__(
        self, chance: Chance, child_run: Callable[[Run, PipelineFile, float], Run]
    ) -> None:
        self._chance = chance
        self._child_run = child_run

    def plan(self, run: Run) -> Plan:
        """Return what will happen to a pipeline."""
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

    def __init__(self, run: Run, chance: Chance, planner: Planner) -> None:
        self._run = run
        self._planner = planner
        self._dice: Random = chance.dice("plan", run.id)
        self._chance = chance
        self._drafts = [_Draft(n, spec, run.created) for n, spec in enumerate(run.file.jobs)]
        self._child: Run | None = None
        self._victim = self._choose_victim()
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
        return Plan(self._run, tuple(draft.freeze() for draft in self._drafts), self._child)

    def _choose_victim(self) -> _Draft | None:
        """Return the job that the pipeline's fate is about."""
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
        """Play all stages of what has not run; return when the last of them ends."""
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
    def _blocks(draft: _Draft, stage: str) -> bool:
        return (
            draft.spec.stage == stage
            and not draft.spec.allow_failure
            and draft.replaced_at is None
            and bool(draft.moves)
            and draft.moves[-1][1] == "failed"
        )

    def _job(self, draft: _Draft, ready: float) -> float:
        """Play one job from when it may run; return when it ends, its retry included."""
        draft.move(ready, "pending")
        if draft is self._victim and self._run.fate.kind == "stuck":
            draft.cause = causes.NO_RUNNER
            draft.move(ready + _STUCK_FOR, "failed")
            return ready + _STUCK_FOR
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
        end = start + self._until_failure(cause, seconds)
        draft.move(end, "failed")
        if draft is self._victim and self._run.fate.kind == "flaky":
            return self._retry(draft, end + 1.0, self._queue())
        return end

    def _queue(self) -> float:
        wait = self._dice.uniform(1.5, 14.0)
        return wait * 6 if self._dice.random() < 0.06 else wait  # noqa: PLR2004  (a share)

    def _seconds(self, draft: _Draft) -> float:
        usual = draft.spec.seconds * self._run.blueprint.factor * self._run.pace
        seconds = usual * math.exp(self._dice.gauss(0.0, 0.11))
        if draft is self._victim and self._run.fate.kind == "slow":
            seconds *= self._dice.uniform(3.0, 5.0)
        return min(max(seconds, 4.0), JOB_TIMEOUT - 20)

    def _cause_of(self, draft: _Draft) -> Cause | None:
        if draft is self._victim and self._run.fate.kind in {"red", "flaky"}:
            return self._run.fate.cause
        if draft.spec.allow_failure and self._dice.random() < _SOFT_FAILURES:
            fits = draft.spec.work in causes.STALE_SOURCE.works
            return causes.STALE_SOURCE if fits else causes.SOFT_FAILURE
        return None

    def _until_failure(self, cause: Cause, seconds: float) -> float:
        if cause is causes.TIMEOUT:
            return JOB_TIMEOUT * self._run.pace
        if cause is causes.RUNNER_FAILURE:
            return self._dice.uniform(20.0, 45.0)
        return seconds * self._dice.uniform(0.45, 0.95) + 3.0

    def _retry(self, draft: _Draft, when: float, queue: float) -> float:
        """Let a job be tried again; return when the second attempt ends."""
        again = _Draft(len(self._drafts), draft.spec, when)
        again.runner = self._dice.randrange(RUNNERS)
        draft.replaced_at = round(when, 3)
        again.move(when + 0.4, "pending")
        again.move(when + 0.4 + queue, "running")
        end = when + 0.4 + queue + self._seconds(again)
        again.move(end, "success")
        self._drafts.append(again)
        return end

    def _rescue(self, end: float) -> None:
        """Let somebody retry the failed job after a while, and the rest of the pipeline run."""
        victim = self._victim
        if victim is None or not victim.moves or victim.moves[-1][1] != "failed":
            return
        resumed = self._retry(victim, end + self._dice.uniform(240.0, 1500.0), self._queue())
        self._stages(resumed + 0.5)

    def _bridge(self, draft: _Draft, start: float) -> float:
        plan = self._planner.child_of(self._run, draft.spec.subject, start + _CHILD_AFTER)
        self._child = plan.run
        ends = [one.finished for one in plan.attempts if one.finished is not None]
        failed = any(
            one.outcome == "failed" and not one.spec.allow_failure and one.replaced_at is None
            for one in plan.attempts
        )
        end = max([start + _CHILD_AFTER, *ends]) + 0.5
        draft.move(end, "failed" if failed else "success")
        return end

    def _cancel(self, when: float) -> None:
        """Cut everything off that has not happened by then."""
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
        if self._child and self._child.created > when:
            self._child = None
