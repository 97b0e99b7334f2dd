"""Tables of jobs: of a project, of one pipeline with a timeline, and of a job's artifacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import current_attempts, stage_order
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten
from platui.models.values.table import BLANK, Cell, Row, cell_of
from platui.present.counts import human_bytes
from platui.present.jobs import critical_path, run_end, run_seconds
from platui.present.status import role_of
from platui.present.tables.pipelines import AGE, COMMIT_COLUMNS, COMMIT_KEYS, STATUS, took_column
from platui.present.tables.spec import ColumnSpec, Context, TableSpec, seconds

if TYPE_CHECKING:
    from platui.models.wire import Bridge, Job
    from platui.models.wire.jobs import Artifact, Step

BRIDGE: Final = "bridge:"
_CLI_NAME: Final = 80


def _cli_name(job: Step, _at: Context) -> str:
    return shorten(job.name, _CLI_NAME) + " (may fail)" * job.allow_failure


JOBS: Final[TableSpec[Step]] = TableSpec(
    key=lambda job: str(job.id),
    status=lambda job: job.status,
    search=lambda job: (str(job.id),),
    screen=(*("status", "job", "stage", "pipeline", "ref"), *COMMIT_KEYS, "age", "took"),
    cli=("status", "id", "stage", "job", "pipeline", "ref", "age", "took"),
    columns=(
        ColumnSpec("id", "ID", right=True),
        STATUS,
        ColumnSpec(
            "job",
            "JOB",
            name="name",
            cli_text=_cli_name,
            width=24,
            minimum=18,
            flexible=True,
            middle=True,
        ),
        ColumnSpec("stage", "STAGE", role="muted", width=20, minimum=12, priority=2, middle=True),
        ColumnSpec("ref", "REF", role="muted", width=16, minimum=8, priority=1, middle=True),
        ColumnSpec(
            "pipeline",
            "PIPELINE",
            name="pipeline_id",
            value=lambda job, _: job.pipeline.id if job.pipeline else None,
            cell=lambda job, _: Cell(f"#{job.pipeline.id}", "muted") if job.pipeline else BLANK,
            cli_text=lambda job, _: str(job.pipeline.id) if job.pipeline else "",
            sort=lambda job, _: job.pipeline.id if job.pipeline else None,
            width=10,
            whole=True,
        ),
        ColumnSpec("allow_failure"),
        ColumnSpec("failure_reason"),
        AGE,
        ColumnSpec("started_at"),
        ColumnSpec("finished_at"),
        ColumnSpec("duration", value=lambda job, _: seconds(job.duration)),
        took_column(run_seconds, lambda _: "text"),
        ColumnSpec("queued_duration", value=lambda job, _: seconds(job.queued_duration)),
        *COMMIT_COLUMNS,
        ColumnSpec("web_url"),
    ),
)


class _Frame(NamedTuple):
    """The time range of the timeline, and its width in cells."""

    start: float
    length: float
    width: int

    def cell(self, moment: float) -> int:
        if self.length <= 0:
            return 0
        return max(0, min(self.width, round((moment - self.start) / self.length * self.width)))


class JobLine(NamedTuple):
    step: Step
    is_child: bool
    is_old: bool
    is_critical: bool
    frame: _Frame

    @property
    def label(self) -> Cell:
        name = clean(self.step.name)
        if self.is_child:
            name = f"{name} ↗"
        elif self.is_old:
            return cell_of([(f"  {name}", "muted"), (" (earlier attempt)", "muted")], "muted")
        role = "strong" if self.is_critical else "text"
        if self.step.allow_failure and not self.is_child:
            return cell_of([(name, role), (" (may fail)", role)], role)
        return Cell(name, role)

    def timeline(self, now: datetime) -> Cell:
        """Return waiting and running time as a bar: dashed, then solid (thick if critical)."""
        job, frame = self.step, self.frame
        if job.created_at is None or job.started_at is None or job.status == "skipped":
            return BLANK
        if frame.length <= 0 or frame.width <= 0:
            return BLANK
        begun = job.started_at.timestamp()
        left = frame.cell(begun - (job.queued_duration or 0.0))
        start = frame.cell(begun)
        end = max(start + 1, frame.cell(run_end(job, now)))
        if end > frame.width:
            start, end = frame.width - 1, frame.width
        left = min(left, start)
        bar = ("━" if self.is_critical else "─") * (end - start)
        waiting = ("╌" * (start - left), "muted")
        return cell_of([(" " * left, "text"), waiting, (bar, role_of(job.status))])


PIPELINE_JOBS: Final = JOBS.of(
    lambda line: line.step,
    ColumnSpec["JobLine"](
        "stage", "STAGE", role="muted", width=20, minimum=9, fits=True, once=True, middle=True
    ),
    ColumnSpec(
        "job", "JOB", cell=lambda one, _: one.label, width=24, minimum=18, fits=True, middle=True
    ),
    ColumnSpec("status", "STATUS", width=10, fits=True, whole=True),
    replace(
        took_column(
            lambda line, now: run_seconds(line.step, now),
            lambda line: "muted" if line.is_old else "text",
        ),
        fits=True,
    ),
    ColumnSpec(
        "timeline",
        "TIMELINE",
        name=None,
        in_cli=False,
        cell=lambda line, at: line.timeline(at.now),
        searched=False,
        width=30,
        minimum=12,
        flexible=True,
        priority=1,
    ),
    key=lambda line: f"{BRIDGE}{line.step.id}" if line.is_child else str(line.step.id),
    screen=("stage", "job", "status", "took", "timeline"),
    without=("pipeline", "ref", *COMMIT_KEYS, "age"),
    search=lambda line: (line.step.name, line.step.status, str(line.step.id)),
    muted=lambda line: line.is_old,
)


def job_rows(
    jobs: Sequence[Job], bridges: Sequence[Bridge], now: datetime, timeline_width: int
) -> list[Row]:
    """Return jobs by stage: older attempts below the newest, child pipelines last."""
    everything: list[Step] = [*jobs, *bridges]
    order = stage_order(everything)
    newest = current_attempts(jobs)
    path = critical_path(list(newest.values()), now)
    frame = _frame(everything, now, timeline_width)
    children = {bridge.id for bridge in bridges}
    first_id = {job.name: job.id for job in sorted(jobs, key=attrgetter("id"), reverse=True)}
    ordered = sorted(
        everything,
        key=lambda job: (order[job.stage], first_id.get(job.name, job.id), job.name, -job.id),
    )
    at = Context(now)
    rows: list[Row] = []
    for job in ordered:
        child = job.id in children
        line = JobLine(
            job,
            is_child=child,
            is_old=not child and newest[job.name].id != job.id,
            is_critical=job.id in path,
            frame=frame,
        )
        rows.append(PIPELINE_JOBS.row(line, at))
    return rows


def _frame(jobs: Sequence[Step], now: datetime, width: int) -> _Frame:
    starts = [job.created_at.timestamp() for job in jobs if job.created_at]
    ends = [run_end(job, now) for job in jobs if job.started_at]
    if not starts or not ends:
        return _Frame(0, 0, width)
    return _Frame(min(starts), max(ends) - min(starts), width)


ARTIFACTS: Final[TableSpec[Artifact]] = TableSpec(
    key=lambda one: one.file_type,
    screen=("file_type", "filename", "file_format", "size"),
    columns=(
        ColumnSpec("file_type", "TYPE", width=12, minimum=5),
        ColumnSpec("filename", "FILE", width=30, minimum=10, flexible=True),
        ColumnSpec(
            "size",
            "SIZE",
            cell=lambda one, _: "" if one.size is None else human_bytes(one.size),
            width=10,
            minimum=8,
            right=True,
        ),
        ColumnSpec("file_format", "FORMAT", role="muted", width=6, minimum=4),
    ),
)

# Keyed by index: a platform may list one type twice.
NUMBERED_ARTIFACTS: Final[TableSpec[tuple[int, Artifact]]] = ARTIFACTS.of(
    lambda numbered: numbered[1], key=lambda numbered: str(numbered[0])
)
