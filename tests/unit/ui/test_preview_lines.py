"""The lines of a preview."""

from __future__ import annotations

from datetime import UTC, datetime

from platui.models.values.previews import JOBS, PreviewTarget, RowPreview
from platui.models.wire import Job
from platui.ui.widgets.preview_lines import Shown, preview_lines

NOW = datetime(2026, 3, 14, 3, 0, tzinfo=UTC)


def job(number: int, name: str, stage: str, status: str) -> Job:
    """Return a job of a pipeline."""
    return Job(id=number, name=name, stage=stage, status=status)


def test_a_retried_job_keeps_its_place_among_the_stages() -> None:
    """As in the jobs view; only its newest attempt is listed."""
    jobs = (
        job(11, "extract", "Ingestion", "success"),
        job(12, "dbt_run", "Transformation", "failed"),
        job(13, "cleanup", "Clean Up", "success"),
        job(14, "dbt_run", "Transformation", "failed"),
    )
    target = PreviewTarget(1, "#7", "failed", pipeline=7)
    shown = Shown(target, JOBS, RowPreview(jobs, is_complete=True), (), NOW)
    lines = ["".join(text for text, _ in line) for line in preview_lines(shown, 78, 8)]
    assert [line.split()[0] for line in lines[1:]] == ["Ingestion", "Transformation", "Clean"]
