"""Pipelines as rows, a health strip and a few figures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.table import Cell, Column, Row
from platui.present.kept_rows import KeptRows
from platui.present.status import ACTIVE, role_of, severity, status_cell
from platui.present.times import age, age_holds, duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from platui.models import Pipeline

PIPELINE_COLUMNS = (
    Column("status", "STATUS", 10),
    Column("id", "ID", 10),
    Column("ref", "REF", 20, minimum=12, flexible=True),
    Column("sha", "COMMIT", 8, priority=2),
    Column("source", "SOURCE", 8, priority=1, optional=True),
    Column("name", "NAME", 20, minimum=12, priority=3, optional=True),
    Column("age", "AGE", 4, right=True),
    Column("took", "TOOK", 7, right=True),
)

# Height tells what colour tells: red stands tall, green lies low.
_STRIP: Final = {"failed": "█", "success": "▄", "running": "▂", "pending": "▂"}
_RAN_ONCE: Final = timedelta(days=1)
"""A pipeline that was changed later than that after its creation was tried again."""
_BARS: Final = "▁▂▃▄▅▆▇█"


def took(pipeline: Pipeline, now: datetime) -> float | None:
    """Return seconds from creation to the end, or to now while it runs; waiting is part of it.

    The list operation (spec §2.2) has neither duration nor end: there the last change ends it,
    no more than a day later for what ran once. Whatever was changed later was tried again: then
    it is how long its jobs ran, and None where that is not told. Every view and command uses
    this one meaning.
    """
    since = pipeline.created_at
    active = pipeline.status in ACTIVE
    until = now if active else pipeline.finished_at or pipeline.updated_at
    if since is None or until is None:
        return None
    if not active and until - since > _RAN_ONCE:
        return pipeline.duration
    return max(0.0, (until - since).total_seconds())


def pipeline_rows(pipelines: Iterable[Pipeline], now: datetime) -> list[Row]:
    """Return a row a pipeline, in the order given (newest first)."""
    return [_pipeline_row(pipeline, now) for pipeline in pipelines]


def kept_pipeline_rows() -> KeptRows[Pipeline]:
    """Return what makes the same rows for a long list, and makes few of them twice."""
    return KeptRows(_pipeline_row, _row_holds)


def _row_holds(pipeline: Pipeline, now: datetime) -> float:
    return 0.0 if pipeline.status in ACTIVE else age_holds(pipeline.created_at, now)


def _pipeline_row(pipeline: Pipeline, now: datetime) -> Row:
    seconds = took(pipeline, now)
    running = pipeline.status in ACTIVE
    cells = (
        status_cell(pipeline.status),
        Cell(f"#{pipeline.id}"),
        Cell(clean(pipeline.ref)),
        Cell(clean(pipeline.sha[:8]), "muted"),
        Cell(clean(pipeline.source), "muted"),
        Cell(clean(pipeline.name or ""), "muted"),
        Cell(age(pipeline.created_at, now), "muted"),
        Cell(duration(seconds), "running" if running else "text"),
    )
    return Row(
        key=str(pipeline.id),
        cells=cells,
        sort=(
            severity(pipeline.status),
            pipeline.id,
            cells[2].text.lower(),
            cells[3].text,
            cells[4].text,
            cells[5].text.lower() or None,
            -pipeline.created_at.timestamp() if pipeline.created_at else None,
            seconds,
        ),
        search=" ".join(
            (pipeline.status, f"#{pipeline.id}", cells[2].text, pipeline.sha[:40], cells[4].text,
             cells[5].text),
        ).lower(),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Health:
    """How the last pipelines went."""

    strip: tuple[tuple[str, str], ...]
    """One (character, role) a pipeline, oldest first."""
    counted: int
    """Pipelines that the figures are about: finished ones among the newest."""
    green: float | None
    """Share of success among success and failed; None when there is neither."""
    median: float | None
    """Seconds."""
    p95: float | None
    """Seconds."""
    sparkline: str
    """How long the finished ones took, oldest first."""


def health(pipelines: Sequence[Pipeline], now: datetime, cells: int = 60) -> Health:
    """Return the health of the newest `cells` pipelines (given newest first)."""
    newest = list(pipelines[:cells])[::-1]
    strip = tuple(strip_cell(item.status) for item in newest)
    ended = [item for item in newest if item.status in ("success", "failed")]
    lengths = [seconds for item in ended if (seconds := took(item, now)) is not None]
    return Health(
        strip=strip,
        counted=len(ended),
        green=sum(item.status == "success" for item in ended) / len(ended) if ended else None,
        median=median(lengths) if lengths else None,
        p95=_percentile(lengths, 0.95) if lengths else None,
        sparkline=_sparkline(lengths),
    )


def strip_cell(status: str) -> tuple[str, str]:
    """Return the cell of one pipeline in a strip, and its role."""
    return _STRIP.get(status, "▁"), role_of(status)


def _percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, ceil(len(ordered) * share) - 1)]


def _sparkline(values: Sequence[float]) -> str:
    """Return one bar a value, the tallest for the longest."""
    top = max(values, default=0.0)
    if top <= 0:
        return ""
    return "".join(_BARS[min(len(_BARS) - 1, int(value / top * len(_BARS)))] for value in values)


def health_words(state: Health) -> tuple[tuple[str, str], ...]:
    """Return the figures beside the strip."""
    if state.green is None:
        return (("no finished run yet", "muted"),)
    percent = int(state.green * 100)
    role = "success" if percent >= 90 else "warning" if percent >= 60 else "failed"  # noqa: PLR2004
    return (
        (f"{percent}% of {state.counted} green", role),
        (f"median {duration(state.median)}", "text"),
        (f"p95 {duration(state.p95)}", "text"),
    )
