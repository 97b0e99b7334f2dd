"""Plays pipelines whose jobs take exactly the time they are given: those with long logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.world import causes
from platui.emulator.world.plans import Attempt, Plan

if TYPE_CHECKING:
    from platui.emulator.world.jobs import JobSpec, PipelineFile
    from platui.emulator.world.plans import Run

QUEUE: Final = 2.0
"""Seconds each of these jobs waits for a runner."""
_BETWEEN: Final = 0.5


def is_paced(file: PipelineFile) -> bool:
    """Tell whether a job of the file has a log of a length or pace of its own."""
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
