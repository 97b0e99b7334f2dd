"""Jobs by stage, with a timeline and the critical path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from platui.analysis.attempts import current_attempts, stage_order
from platui.core.text import clean
from platui.models.values.table import BLANK, Cell, Column, Row
from platui.present.counts import counted
from platui.present.kept_rows import KeptRows
from platui.present.status import ACTIVE, FAILED, glyph_of, role_of, severity, status_cell
from platui.present.times import age, age_holds, duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from platui.models import Bridge, Job
    from platui.models.wire.jobs import Step

JOB_COLUMNS = (
    Column("stage", "STAGE", 20, minimum=9, fits=True),
    Column("job", "JOB", 24, minimum=18, flexible=True, fits=True),
    Column("status", "STATUS", 10, fits=True),
    Column("took", "TOOK", 7, right=True, fits=True),
    Column("timeline", "TIMELINE", 30, minimum=12, priority=1),
)

PROJECT_JOB_COLUMNS = (
    Column("status", "STATUS", 10),
    Column("job", "JOB", 24, minimum=18, flexible=True),
    Column("stage", "STAGE", 20, minimum=12, priority=2),
    Column("pipeline", "PIPELINE", 10),
    Column("ref", "REF", 16, minimum=8, priority=1),
    Column("age", "AGE", 4, right=True),
    Column("took", "TOOK", 7, right=True),
)

BRIDGE = "bridge:"
"""What the key of a row begins with when it opens a child pipeline."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """The time that a timeline spans."""

    start: float
    length: float
    width: int

    def cell(self, moment: float) -> int:
        """Return the column of a moment."""
        if self.length <= 0:
            return 0
        return max(0, min(self.width, round((moment - self.start) / self.length * self.width)))


def _first_ids(jobs: Iterable[Job]) -> dict[str, int]:
    """Return the id of the oldest attempt of each job by name."""
    first: dict[str, int] = {}
    for job in jobs:
        first[job.name] = min(job.id, first.get(job.name, job.id))
    return first


def run_seconds(job: Step, now: datetime) -> float | None:
    """Return how long a job ran, or runs by now."""
    if job.status in ACTIVE and job.started_at is not None:
        return max(0.0, (now - job.started_at).total_seconds())
    return job.duration


def critical_path(jobs: Sequence[Job], now: datetime) -> frozenset[int]:
    """Return the ids of the jobs that the pipeline waited for: the last to end in each stage."""
    last: dict[str, Job] = {}
    for job in jobs:
        if job.started_at is None or job.status == "skipped":
            continue
        if job.stage not in last or _end(job, now) > _end(last[job.stage], now):
            last[job.stage] = job
    return frozenset(job.id for job in last.values())


def _end(job: Step, now: datetime) -> float:
    return (job.finished_at or now).timestamp()


def _frame(jobs: Sequence[Step], now: datetime, width: int) -> _Frame:
    starts = [job.created_at.timestamp() for job in jobs if job.created_at]
    ends = [_end(job, now) for job in jobs if job.started_at]
    if not starts or not ends:
        return _Frame(0, 0, width)
    return _Frame(min(starts), max(ends) - min(starts), width)


def _timeline(job: Step, frame: _Frame, now: datetime, *, critical: bool) -> Cell:
    """Return queue and run as a bar: dotted while it waited, thick on the critical path."""
    if job.created_at is None or frame.length <= 0 or frame.width <= 0 or job.status == "skipped":
        return BLANK
    if job.started_at is None:
        return BLANK
    waited = job.queued_duration or 0.0
    begun = job.started_at.timestamp()
    left = frame.cell(begun - waited)
    start = frame.cell(begun)
    end = max(start + 1, frame.cell(_end(job, now)))
    if end > frame.width:
        start, end = frame.width - 1, frame.width
    left = min(left, start)
    bar = ("━" if critical else "─") * (end - start)
    parts = ((" " * left, "text"), ("╌" * (start - left), "muted"), (bar, role_of(job.status)))
    return Cell("".join(text for text, _ in parts), parts=parts)


def job_rows(
    jobs: Sequence[Job], bridges: Sequence[Bridge], now: datetime, timeline_width: int
) -> list[Row]:
    """Return the jobs of one pipeline by stage, older attempts under the newest one.

    Child pipelines stand as rows at the end of their stage and open.
    """
    everything: list[Step] = [*jobs, *bridges]
    order = stage_order(everything)
    newest = current_attempts(jobs)
    path = critical_path(list(newest.values()), now)
    frame = _frame(everything, now, timeline_width)
    children = {bridge.id for bridge in bridges}
    first_id = _first_ids(jobs)
    ordered = sorted(
        everything,
        key=lambda job: (order[job.stage], first_id.get(job.name, job.id), job.name, -job.id),
    )
    rows: list[Row] = []
    stage = None
    for job in ordered:
        child = job.id in children
        old = not child and newest[job.name].id != job.id
        rows.append(
            _job_row(
                job,
                stage="" if job.stage == stage else clean(job.stage),
                label=_label(job, child=child, old=old),
                timeline=_timeline(job, frame, now, critical=job.id in path),
                key=f"{BRIDGE}{job.id}" if child else str(job.id),
                critical=job.id in path,
                old=old,
                now=now,
            ),
        )
        stage = job.stage
    return rows


def _label(job: Step, *, child: bool, old: bool) -> str:
    name = clean(job.name)
    if child:
        return f"{name} ↗"
    if old:
        return f"  earlier attempt of {name}"
    return f"{name} (may fail)" if job.allow_failure else name


def _job_row(
    job: Step,
    *,
    stage: str,
    label: str,
    timeline: Cell,
    key: str,
    critical: bool,
    old: bool,
    now: datetime,
) -> Row:
    seconds = run_seconds(job, now)
    return Row(
        key=key,
        cells=(
            Cell(stage, "muted"),
            Cell(label, "muted" if old else "strong" if critical else "text"),
            status_cell(job.status),
            Cell(duration(seconds), "muted" if old else "text"),
            timeline,
        ),
        search=" ".join((clean(job.stage), clean(job.name), job.status, str(job.id))).lower(),
        muted=old,
    )


def kept_project_job_rows() -> KeptRows[Job]:
    """Return what makes rows of a project's jobs, in their order, and makes few of them twice."""
    return KeptRows(_project_job_row, _row_holds)


def _row_holds(job: Job, now: datetime) -> float:
    return 0.0 if job.status in ACTIVE else age_holds(job.created_at, now)


def _project_job_row(job: Job, now: datetime) -> Row:
    pipeline = job.pipeline.id if job.pipeline else None
    seconds = run_seconds(job, now)
    cells = (
        status_cell(job.status),
        Cell(clean(job.name)),
        Cell(clean(job.stage), "muted"),
        Cell(f"#{pipeline}" if pipeline else "", "muted"),
        Cell(clean(job.ref), "muted"),
        Cell(age(job.created_at, now), "muted"),
        Cell(duration(seconds)),
    )
    return Row(
        key=str(job.id),
        cells=cells,
        sort=(
            severity(job.status),
            cells[1].text.lower(),
            cells[2].text.lower(),
            pipeline,
            cells[4].text.lower(),
            -job.created_at.timestamp() if job.created_at else None,
            seconds,
        ),
        search=" ".join((*(cell.text for cell in cells[:5]), str(job.id))).lower(),
    )


def current_ids(jobs: Sequence[Job]) -> frozenset[int]:
    """Return the ids of the newest attempts among the jobs of one pipeline."""
    return frozenset(job.id for job in current_attempts(jobs).values())


def failed_jobs(jobs: Sequence[Job]) -> list[Job]:
    """Return the failed jobs in stage order, those that may fail after all others."""
    order = stage_order(jobs)
    failed = [job for job in current_attempts(jobs).values() if job.status == FAILED]
    return sorted(failed, key=lambda job: (job.allow_failure, order[job.stage], job.id))


def first_failed(jobs: Sequence[Job]) -> Job | None:
    """Return the failed job that came first: in stage order, not one that may fail if avoidable."""
    return next(iter(failed_jobs(jobs)), None)


def failed_beside(jobs: Sequence[Job], job: int, step: int) -> Job | None:
    """Return the failed job after one, or before it with a step of -1; None where none is left.

    A job that did not fail has its place among them by stage and number.
    """
    failed = failed_jobs(jobs)
    order = stage_order(jobs)
    here = next((one for one in jobs if one.id == job), None)
    places = [(one.allow_failure, order[one.stage], one.id) for one in failed]
    if here is None:
        return failed[0 if step > 0 else -1] if failed else None
    place = (here.allow_failure, order[here.stage], here.id)
    beyond = [at for at, one in enumerate(places) if (one > place if step > 0 else one < place)]
    return failed[beyond[0 if step > 0 else -1]] if beyond else None


def jobs_summary(jobs: Sequence[Job]) -> tuple[tuple[str, str], ...]:
    """Return how many of the jobs are in each status, the worst first, after how many in all."""
    current = list(current_attempts(jobs).values())
    counts: dict[str, int] = {}
    for job in current:
        counts[job.status] = counts.get(job.status, 0) + 1
    pieces = [(counted(len(current), "job"), "text")]
    pieces += [
        (f"{glyph_of(status)}{counts[status]}", role_of(status))
        for status in sorted(counts, key=severity)
    ]
    return tuple(pieces)
