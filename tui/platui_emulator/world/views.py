"""Pipelines and jobs as they stand at one moment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from platui_emulator.records import Job, Pipeline, Runner
from platui_emulator.world.clock import job_id, moment
from platui_emulator.world.plans import ENDED, Attempt, Plan

_WARNING: Final = "success with warnings"
_IGNORED: Final = "ignored"

# The first row that takes all statuses names the pipeline's.
_ONLY: Final = (
    (frozenset({"success", "skipped", _WARNING, _IGNORED}), "success"),
    (frozenset({"created", _WARNING, _IGNORED}), "created"),
    (frozenset({"preparing", _WARNING, _IGNORED}), "preparing"),
    (frozenset({"canceled", "success", "skipped", _WARNING, _IGNORED}), "canceled"),
    (frozenset({"pending", "created", "skipped", _WARNING, _IGNORED}), "pending"),
)

# Then the first of these that any job has.
_ANY: Final = (
    ("running", "running"),
    ("pending", "running"),
    ("waiting_for_resource", "waiting_for_resource"),
    ("waiting_for_callback", "waiting_for_callback"),
    ("manual", "manual"),
    ("scheduled", "scheduled"),
    ("preparing", "preparing"),
    ("created", "running"),
    ("canceling", "canceling"),
)


def status_of(jobs: Iterable[tuple[str, bool]]) -> str:
    """Return the status of a pipeline with jobs of these statuses, each with `allow_failure`."""
    seen = {_counted(status, allow_failure=allowed) for status, allowed in jobs}
    if not seen:
        return "failed"  # no job came of its file
    if seen <= {"skipped", _IGNORED}:
        return "skipped"
    for taken, status in _ONLY:
        if seen <= taken:
            return status
    return next((status for one, status in _ANY if one in seen), "failed")


def has_warnings(jobs: Iterable[tuple[str, bool]]) -> bool:
    """Return whether a job with `allow_failure` failed."""
    return any(_counted(status, allow_failure=allowed) == _WARNING for status, allowed in jobs)


def _counted(status: str, *, allow_failure: bool) -> str:
    if allow_failure and status in {"failed", "canceled"}:
        return _WARNING
    return _IGNORED if allow_failure and status == "manual" else status


RUNNERS: Final = tuple(
    Runner(
        id=701 + number,
        description=f"{fleet}-{number + 1}",
        ip_address=f"10.20.{number // 4}.{11 + number}",
        name="gitlab-runner",
        shared=fleet == "shared",
    )
    for number, fleet in enumerate(
        ("prod", "prod", "prod", "prod", "shared", "shared", "batch", "batch")
    )
)


def status_at(plan: Plan, now: float) -> str:
    return status_of((one.status_at(now), one.spec.allow_failure) for one in plan.latest_at(now))


def pipeline_at(plan: Plan, now: float, iid: int, title: str) -> Pipeline:
    run, attempts = plan.run, plan.attempts_at(now)
    latest = [(one.status_at(now), one.spec.allow_failure) for one in plan.latest_at(now)]
    status = status_of(latest)
    began = min((when for one in attempts if (when := one.started) and when <= now), default=None)
    passed = [when for one in attempts for when, _ in one.moves if when <= now]
    passed += [one.created for one in attempts if one.user is not None]
    done = status in ENDED and status != "skipped"
    ends = [one.finished for one in attempts if one.finished and one.finished <= now]
    finished = max(ends, default=run.created) if done else None
    return Pipeline(
        id=run.id,
        iid=iid,
        project_id=run.blueprint.id,
        sha=run.commit.sha,
        before_sha=run.before_sha,
        ref=run.ref,
        tag=run.tag,
        status=status,
        source=run.source,
        name=title,
        user=run.user,
        created_at=moment(run.created),
        updated_at=moment(max([run.created, *passed])),
        started_at=moment(began) if began else None,
        finished_at=moment(finished) if finished else None,
        committed_at=run.commit.authored_at,
        duration=round(_busy(attempts, now)) if done and began else None,
        queued_duration=round(began - run.created) if began else None,
        coverage=_coverage(attempts, now),
        yaml_errors=plan.yaml_errors,
        variables=run.variables,
        parent_id=run.parent_id,
        warnings=has_warnings(latest),
    )


def job_at(plan: Plan, attempt: Attempt, now: float) -> Job:
    status = attempt.status_at(now)
    began = attempt.started if attempt.started and attempt.started <= now else None
    ended = attempt.finished if attempt.finished and attempt.finished <= now else None
    pending = attempt.when("pending")
    run, erased = plan.run, attempt.erased_at
    return Job(
        id=job_id(run.id, attempt.index),
        project_id=run.blueprint.id,
        pipeline_id=run.id,
        name=attempt.spec.name,
        stage=attempt.spec.stage,
        status=status,
        ref=run.ref,
        tag=run.tag,
        allow_failure=attempt.spec.allow_failure,
        created_at=moment(attempt.created),
        started_at=moment(began) if began else None,
        finished_at=moment(ended) if ended else None,
        duration=round((ended or now) - began, 6) if began else None,
        queued_duration=_queued(pending, began, ended, now),
        user=attempt.user or run.user,
        commit=run.commit,
        runner=RUNNERS[attempt.runner] if began and not attempt.spec.bridge else None,
        failure_reason=attempt.cause.reason if attempt.cause and status == "failed" else None,
        coverage=_tested(attempt, now),
        retried=attempt.replaced_at is not None and attempt.replaced_at <= now,
        erased_at=moment(erased) if erased and erased <= now else None,
        tags=(attempt.spec.tag,),
    )


def is_erased(attempt: Attempt, now: float) -> bool:
    """Return whether log and artifacts of a job were erased."""
    return attempt.erased_at is not None and attempt.erased_at <= now


def _queued(
    pending: float | None, began: float | None, ended: float | None, now: float
) -> float | None:
    if pending is None or pending > now:
        return None
    return round((began or ended or now) - pending, 6)


def _busy(attempts: Iterable[Attempt], now: float) -> float:
    spans = sorted(
        (one.started, min(one.finished or now, now))
        for one in attempts
        if one.started and one.started <= now
    )
    total, until = 0.0, 0.0
    for start, end in spans:
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total


def _coverage(attempts: Iterable[Attempt], now: float) -> str | None:
    found = [value for one in attempts if (value := _tested(one, now)) is not None]
    return f"{found[-1]:.2f}" if found else None


def _tested(attempt: Attempt, now: float) -> float | None:
    if attempt.spec.work != "unit_tests" or attempt.status_at(now) != "success":
        return None
    return 80 + (attempt.story + int(attempt.created)) % 150 / 10
