"""The table of pipelines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.statuses import ACTIVE
from platui.models.values.table import Cell
from platui.present.pipelines import took
from platui.present.status import severity, status_cell
from platui.present.tables.spec import ColumnSpec, Context, RowCache, TableSpec, seconds
from platui.present.times import age, age_valid_seconds, duration

if TYPE_CHECKING:
    from platui.models.wire import Job, Pipeline

T = TypeVar("T")

STATUS: Final[ColumnSpec[Any]] = ColumnSpec(
    "status",
    "STATUS",
    cell=lambda one, _: status_cell(one.status),
    sort=lambda one, _: severity(one.status),
    width=10,
    whole=True,
)
ID: Final[ColumnSpec[Any]] = ColumnSpec(
    "id",
    "ID",
    cell=lambda one, _: f"#{one.id}",
    cli_text=lambda one, _: str(one.id),
    sort=lambda one, _: one.id,
    width=10,
    whole=True,
)
# Of a pipeline or job; None: it has not run.
AGE: Final[ColumnSpec[Any]] = ColumnSpec(
    "age",
    "AGE",
    name="created_at",
    cell=lambda one, at: age(one and one.created_at, at.now),
    sort=lambda one, _: -one.created_at.timestamp() if one and one.created_at else None,
    role="muted",
    searched=False,
    width=4,
    right=True,
)


def took_column(
    length: Callable[[T, datetime], float | None], role: Callable[[T], str]
) -> ColumnSpec[T]:
    """Return the column of a run time; `length` returns the seconds until the given time."""
    return ColumnSpec(
        "took",
        "TOOK",
        value=lambda one, at: seconds(length(one, at.now)),
        cell=lambda one, at: Cell(duration(length(one, at.now)), role(one)),
        sort=lambda one, at: length(one, at.now),
        searched=False,
        width=7,
        right=True,
    )


COMMITS_FROM: Final = 166  # Width of a screen, with details, that has room for the first of these

# Of a job, or of a pipeline by any of its jobs; not searched, or "failed" would match titles.
COMMIT_COLUMNS: Final[tuple[ColumnSpec[Any], ...]] = (
    ColumnSpec(
        "title",
        "TITLE",
        name=None,
        in_cli=False,
        cell=lambda job, _: clean(job.commit.title) if job and job.commit else "",
        searched=False,
        width=44,
        minimum=28,
        flexible=True,
        priority=4,
        optional=True,
        fits=True,
    ),
    ColumnSpec(
        "author",
        "AUTHOR",
        name=None,
        in_cli=False,
        cell=lambda job, _: clean(job.commit.author_name) if job and job.commit else "",
        role="muted",
        searched=False,
        width=16,
        minimum=12,
        flexible=True,
        priority=5,
        optional=True,
        fits=True,
    ),
    ColumnSpec(
        "by",
        "BY",
        name=None,
        in_cli=False,
        cell=lambda job, _: clean(job.user.username) if job and job.user else "",
        role="muted",
        searched=False,
        width=12,
        minimum=8,
        flexible=True,
        priority=6,
        optional=True,
        fits=True,
    ),
)

COMMIT_KEYS: Final = tuple(one.key for one in COMMIT_COLUMNS)

PIPELINES: Final[TableSpec[Pipeline]] = TableSpec(
    key=lambda one: str(one.id),
    status=lambda one: one.status,
    search=lambda one: (one.status, one.sha[:40]),
    screen=("status", "id", "ref", "sha", "source", "name", "age", "took"),
    cli=("status", "id", "ref", "sha", "source", "name", "age", "took"),
    columns=(
        ID,
        STATUS,
        ColumnSpec("ref", "REF", width=20, minimum=12, flexible=True, middle=True, fits=True),
        ColumnSpec(
            "sha",
            "COMMIT",
            cell=lambda one, _: one.sha[:8],
            role="muted",
            width=8,
            priority=2,
        ),
        ColumnSpec("source", "SOURCE", role="muted", width=8, priority=1, optional=True),
        ColumnSpec(
            "name",
            "NAME",
            cli_limit=60,
            role="muted",
            width=20,
            minimum=12,
            priority=3,
            optional=True,
            middle=True,
            fits=True,
        ),
        AGE,
        ColumnSpec("updated_at"),
        ColumnSpec("finished_at"),
        ColumnSpec("duration", value=lambda one, _: seconds(one.duration)),
        took_column(took, lambda one: "running" if one.status in ACTIVE else "text"),
        ColumnSpec("web_url"),
    ),
)


class PipelineLine(NamedTuple):
    """A pipeline of a list, and any of its jobs, which names commit and user."""

    pipeline: Pipeline
    job: Job | None


def _job_of(line: PipelineLine) -> Job | None:
    return line.job


PIPELINE_LINES: Final[TableSpec[PipelineLine]] = PIPELINES.of(
    lambda line: line.pipeline,
    *(one.of(_job_of) for one in COMMIT_COLUMNS),
    screen=(*("status", "id", "ref", "sha", "source", "name"), *COMMIT_KEYS, "age", "took"),
)


def cached_pipeline_rows(table: TableSpec[Any]) -> RowCache[Any]:
    """Return the rows of pipelines, lines or jobs, made again while they run or age."""

    def seconds_valid(one: Any, now: datetime) -> float:
        run = one.pipeline if isinstance(one, PipelineLine) else one
        return 0.0 if run.status in ACTIVE else age_valid_seconds(run.created_at, now)

    return RowCache(
        lambda one, now: table.row(one, Context(now)),
        seconds_valid,
        lambda one: id(one.pipeline) if isinstance(one, PipelineLine) else id(one),
    )
