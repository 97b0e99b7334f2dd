"""Find where a pipeline failed by its jobs, and flaky jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import DECISIVE, GREEN, RED, current_attempts, stage_order
from platui.core.named_tuple import NamedTuple
from platui.models.values.statuses import ENDED
from platui.models.values.triage import CommitSummary, Downstream, FailedStep, FailurePoint, Flaky

if TYPE_CHECKING:
    from platui.models.wire import Bridge, Job
    from platui.models.wire.jobs import Step

_FOLLOWING: Final = frozenset({"missing_dependency_failure"})  # Another job failed before

_LATEST: Final = datetime.max.replace(tzinfo=UTC)


def failure_point(
    jobs: Sequence[Job], bridges: Sequence[Bridge] = (), yaml_errors: str = ""
) -> FailurePoint:
    """Return where a pipeline failed; `yaml_errors` if it has no jobs."""
    newest = current_attempts(jobs)
    steps: list[Step] = [*_last_ended(jobs), *_last_ended(bridges)]
    failed = [step for step in steps if step.status == RED and not step.allow_failure]
    primary = [step for step in failed if step.failure_reason not in _FOLLOWING] or failed
    tries = Counter(step.name for step in (*jobs, *bridges))
    found: list[FailedStep] = []
    if primary:
        order = stage_order([*jobs, *bridges])
        stage = min((step.stage for step in primary), key=order.__getitem__)
        there = sorted((one for one in primary if one.stage == stage), key=_ended)
        found = [_step(one, tries[one.name]) for one in there]
    flakes = dict.fromkeys(
        job.name
        for job in sorted(jobs, key=lambda one: one.id)
        if job.status == RED and newest[job.name].status == GREEN
    )
    return FailurePoint(
        found[0] if found else None,
        tuple(found[1:]),
        flakes=tuple(flakes),
        words=yaml_errors,
        commit=commit_of(jobs),
    )


def _last_ended(steps: Iterable[Step]) -> Iterable[Step]:
    """Return the newest attempts, of one that is being retried the attempt that ended before."""
    found: dict[str, Step] = {}
    for step in sorted(steps, key=lambda one: one.id):
        if step.name not in found or step.status in ENDED:
            found[step.name] = step
    return found.values()


def _ended(step: Step) -> tuple[datetime, int]:
    return (step.finished_at or _LATEST, step.id)


def _step(step: Step, attempts: int) -> FailedStep:
    downstream = getattr(step, "downstream_pipeline", None)
    is_bridge = "downstream_pipeline" in type(step).model_fields
    return FailedStep(
        id=step.id,
        name=step.name,
        stage=step.stage,
        failure_reason=step.failure_reason,
        finished_at=step.finished_at,
        web_url=step.web_url,
        tags=getattr(step, "tag_list", ()),
        attempts=attempts,
        downstream=(
            Downstream(downstream.id, downstream.project_id) if downstream is not None else None
        ),
        is_bridge=is_bridge,
        has_log=not is_bridge and (step.started_at is not None or bool(step.duration)),
        waited=_waited(step),
    )


def _waited(step: Step) -> float | None:
    if step.started_at is not None or step.created_at is None or step.finished_at is None:
        return None
    return (step.finished_at - step.created_at).total_seconds()


def commit_of(jobs: Iterable[Job]) -> CommitSummary | None:
    for job in jobs:
        commit = job.commit
        if commit is not None and (commit.id or commit.title):
            return CommitSummary(commit.id, commit.title, commit.author_name)
    return None


_AT_ONCE: Final = 30.0  # Seconds within which the platform itself retries a job


def failed_before_retry(jobs: Iterable[Job]) -> datetime | None:
    """Return when a pipeline had failed before somebody retried it; None: nobody did.

    Failures before a retry with which it succeeded do not count.
    """
    failed_at: datetime | None = None
    names: set[str] = set()
    red: set[str] = set()  # Names whose newest attempt failed
    ends: datetime | None = None  # The last end so far
    is_unknown = False  # Whether an end is missing: one still ran then
    for job in sorted(jobs, key=lambda one: one.id):
        began = job.created_at if job.name in names and not is_unknown else None
        if began is not None and ends is not None and (began - ends).total_seconds() > _AT_ONCE:
            failed_at = (failed_at or ends) if red else None
        names.add(job.name)
        (red.add if job.status == RED and not job.allow_failure else red.discard)(job.name)
        if job.status in DECISIVE:
            is_unknown = is_unknown or job.finished_at is None
            ends = max(filter(None, (ends, job.finished_at)), default=None)
    return failed_at


_TURNS: Final = 2  # A single change of status may have an external reason


class JobRun(NamedTuple):
    id: int
    name: str
    sha: str
    pipeline: int  # A unique negative number if unknown
    status: str


def runs_of(jobs: Iterable[Job]) -> tuple[JobRun, ...]:
    """Return the conclusive runs of jobs whose commit is known."""
    found = []
    for job in jobs:
        pipeline = job.pipeline
        sha = job.commit.id if job.commit is not None else ""
        sha = sha or (pipeline.sha if pipeline is not None else "")
        if job.status in DECISIVE and sha:
            number = pipeline.id if pipeline is not None else -job.id
            found.append(JobRun(job.id, job.name, sha, number, job.status))
    return tuple(found)


def find_flaky_jobs(tried: Iterable[JobRun]) -> list[Flaky]:
    """Return the jobs that passed and failed in one pipeline, or alternated on one commit."""
    runs: dict[tuple[str, str], list[JobRun]] = {}
    for run in tried:
        runs.setdefault((run.name, run.sha), []).append(run)
    found = []
    for (name, sha), ran in sorted(runs.items()):
        ran.sort(key=lambda one: one.id)
        turns = [pair for pair in pairwise(ran) if pair[0].status != pair[1].status]
        if len(turns) >= _TURNS or any(one.pipeline == other.pipeline for one, other in turns):
            found.append(Flaky(name, sha, _newest(ran, GREEN), _newest(ran, RED)))
    return found


def _newest(ran: Sequence[JobRun], status: str) -> int:
    return max(run.id for run in ran if run.status == status)
