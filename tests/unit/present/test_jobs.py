"""Jobs by stage, their timeline, and the one that matters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from platui.analysis.attempts import stage_order
from platui.models.wire import Bridge, Job
from platui.present.jobs import critical_path, first_failed, jobs_summary
from platui.present.tables.jobs import BRIDGE, PIPELINE_JOBS, job_rows
from platui.ui.widgets.table.cells import middle_pieces
from platui.ui.widgets.table.rows import TableRows

START = datetime(2026, 3, 14, 3, 0, tzinfo=UTC)
NOW = START + timedelta(minutes=12)


def job(number: int, name: str, stage: str, status: str = "success", **more: Any) -> Job:
    """Return a job that ran from its third minute to its seventh, unless told otherwise."""
    ran = status in {"success", "failed", "running"}
    fields: dict[str, Any] = {
        "id": number,
        "name": name,
        "stage": stage,
        "status": status,
        "created_at": START,
        "started_at": START + timedelta(minutes=3) if ran else None,
        "finished_at": START + timedelta(minutes=7) if status in {"success", "failed"} else None,
        "queued_duration": 60.0,
        "duration": 240.0 if ran else None,
    }
    return Job.model_validate(fields | more)


PIPELINE = [
    job(16, "drop_schema", "Clean Up"),
    job(15, "dbt_test", "Tests", "skipped"),
    job(14, "dbt_run", "Transformation", "failed"),
    job(12, "load_orders", "Ingestion"),
    job(11, "load_customers", "Ingestion"),
]


def test_stages_stand_in_the_order_their_first_jobs_were_made() -> None:
    """The interface has no order of stages; ids have."""
    assert list(stage_order(PIPELINE)) == ["Ingestion", "Transformation", "Tests", "Clean Up"]


def test_a_retried_job_does_not_move_its_stage() -> None:
    """A retry has a larger id than anything else; the first attempt still tells the place."""
    retried = job(99, "load_orders", "Ingestion", "running")
    assert next(iter(stage_order([retried, *PIPELINE]))) == "Ingestion"


def test_each_stage_is_named_once_above_its_jobs() -> None:
    """The name of a stage stands at its first job only."""
    rows = job_rows(PIPELINE, [], NOW, 30)
    table = TableRows(PIPELINE_JOBS.layout)
    table.take(rows)
    assert [table.cells_of(row)[0].text for row in rows] == [
        "Ingestion", "", "Transformation", "Tests", "Clean Up",
    ]  # fmt: skip
    assert [row.key for row in rows] == ["11", "12", "14", "15", "16"]


def test_a_long_job_name_is_cut_in_the_middle_before_its_note() -> None:
    """A job that may fail, or an earlier attempt, says so in a narrow column too."""
    name = "validate_warehouse_customers_eu"
    for may_fail, at, shown in (
        (False, 0, "validate_ware…e_customers_eu"),
        (True, 0, "validat…mers_eu (may fail)"),
        (False, 1, "  vali…mers_eu (earlier attempt)"),
    ):
        jobs = [job(one, name, "Tests", allow_failure=may_fail) for one in (1, 2)]
        row = job_rows(jobs, [], NOW, 30)[at]
        pieces = middle_pieces(row.cells[1], len(shown))
        assert "".join(text for text, _ in pieces) == shown


def test_earlier_attempts_stand_muted_under_the_newest_one() -> None:
    """The newest attempt is the job; the others are its history."""
    rows = job_rows([job(99, "dbt_run", "Transformation"), *PIPELINE], [], NOW, 30)
    keys = [row.key for row in rows]
    assert keys[2:4] == ["99", "14"]
    assert rows[3].muted
    assert "earlier attempt" in rows[3].cells[1].text


def test_child_pipelines_are_rows_that_open() -> None:
    """Bridges are no jobs of the list; they stand in their stage all the same."""
    bridge = Bridge(id=13, name="downstream", stage="Ingestion", status="success")
    rows = job_rows(PIPELINE, [bridge], NOW, 30)
    assert rows[2].key == f"{BRIDGE}13"
    assert rows[2].cells[1].text.endswith("↗")


@given(
    st.lists(
        st.tuples(st.integers(0, 600), st.integers(0, 600), st.integers(0, 300), st.booleans()),
        max_size=12,
    ),
    st.integers(0, 60),
)
def test_a_timeline_never_leaves_its_column(
    times: list[tuple[int, int, int, bool]], width: int
) -> None:
    """Whatever the clocks of the platform say: bars fit, and parts make up the text."""
    jobs = [
        job(
            number, f"j{number}", "S", "success" if done else "running",
            started_at=START + timedelta(seconds=begin),
            finished_at=START + timedelta(seconds=begin + length) if done else None,
            queued_duration=float(queued),
        )
        for number, (begin, length, queued, done) in enumerate(times)
    ]  # fmt: skip
    for row in job_rows(jobs, [], NOW, width):
        bar = row.cells[4]
        assert len(bar.text) <= width
        assert "".join(text for text, _ in bar.parts) == bar.text


def test_the_critical_path_is_the_last_to_end_of_each_stage() -> None:
    """What the pipeline waited for."""
    slow = job(13, "load_slow", "Ingestion", finished_at=START + timedelta(minutes=9))
    assert critical_path([*PIPELINE, slow], NOW) == {13, 14, 16}


def test_the_job_that_matters_failed_first_and_was_not_allowed_to() -> None:
    """Stage order counts, and a job that may fail counts last."""
    allowed = job(10, "lint", "Ingestion", "failed", allow_failure=True)
    late = job(17, "notify", "Clean Up", "failed")
    found = first_failed([late, allowed, *PIPELINE])
    assert found is not None
    assert found.name == "dbt_run"
    assert first_failed([allowed]) == allowed
    assert first_failed([job(1, "a", "S")]) is None


def test_a_job_that_passed_on_retry_has_not_failed() -> None:
    """Only the newest attempt tells how a job stands."""
    assert first_failed([job(99, "dbt_run", "Transformation"), *PIPELINE]) is None


def test_the_summary_counts_the_newest_attempts_worst_first() -> None:
    """Five jobs are five, however often they were tried."""
    pieces = jobs_summary([job(99, "load_orders", "Ingestion", "running"), *PIPELINE])
    assert [text for text, _ in pieces] == [
        "5 jobs", "✖1", "●1", "»1", "✔2",
    ]  # fmt: skip


def test_attempts_stand_where_the_first_of_them_stood() -> None:
    """A retry has the largest id of all, and does not move its job behind its neighbours."""
    jobs = [job(99, "load_customers", "Ingestion", "running"), *PIPELINE]
    keys = [row.key for row in job_rows(jobs, [], NOW, 30)]
    assert keys[:3] == ["99", "11", "12"]


def test_jobs_of_a_pipeline_are_sorted_as_those_of_a_project() -> None:
    """Durations by their length, statuses by severity, and rows by their stage."""
    jobs = [job(1, "a", "build", duration=9.0), job(2, "b", "build", "failed", duration=3600)]
    columns = [one.key for one in PIPELINE_JOBS.screen_columns]
    rows = [dict(zip(columns, row.sort, strict=True)) for row in job_rows(jobs, [], NOW, 30)]
    assert [row["took"] for row in rows] == [9.0, 3600.0]
    assert [row["stage"] for row in rows] == ["build", "build"]
    assert rows[1]["status"] < rows[0]["status"]
