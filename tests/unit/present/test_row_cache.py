"""Rows that are kept say at every moment what rows made anew would say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from platui.models.wire import Job, Pipeline
from platui.present.tables.jobs import JOBS
from platui.present.tables.pipelines import PIPELINES, cached_pipeline_rows
from platui.present.tables.spec import Context
from platui.present.times import age, age_valid_seconds

START = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)

FIELDS = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["success", "failed", "running", "pending", "manual", "odd"]),
        "created_at": st.none() | st.integers(-400_000, 100).map(
            lambda seconds: START + timedelta(seconds=seconds)
        ),
    }
)  # fmt: skip
STEPS = st.lists(st.floats(-100, 200_000), max_size=6)


@given(st.lists(FIELDS, max_size=6), STEPS)
def test_pipelines_look_as_if_made_anew(fields: list[dict[str, Any]], steps: list[float]) -> None:
    """However the time goes, backwards too."""
    things = [
        Pipeline.model_validate({"id": n, "updated_at": START, **one})
        for n, one in enumerate(fields)
    ]
    kept, now = cached_pipeline_rows(PIPELINES), START
    for step in [0.0, *steps]:
        now += timedelta(seconds=step)
        assert kept.rows(things, now) == PIPELINES.rows(things, Context(now))


@given(st.lists(FIELDS, max_size=6), STEPS)
def test_jobs_look_as_if_made_anew(fields: list[dict[str, Any]], steps: list[float]) -> None:
    """The same of jobs, which run."""
    things = [
        Job.model_validate({"id": n, "started_at": START, **one}) for n, one in enumerate(fields)
    ]
    kept, now = cached_pipeline_rows(JOBS), START
    for step in [0.0, *steps]:
        now += timedelta(seconds=step)
        assert kept.rows(things, now) == cached_pipeline_rows(JOBS).rows(things, now)


@given(st.floats(0, 800_000), st.floats(0, 0.999))
def test_an_age_holds_as_long_as_it_says(old: float, share: float) -> None:
    """Just before that time is over it still says the same."""
    then = START - timedelta(seconds=old)
    later = START + timedelta(seconds=age_valid_seconds(then, START) * share)
    assert age(then, later) == age(then, START)


def test_what_has_not_changed_is_the_same_object() -> None:
    """So that a table sees at a glance that there is nothing to paint; others are made anew."""
    old = START - timedelta(hours=5)
    done = Pipeline(id=1, status="success", created_at=old, updated_at=old)
    runs = Pipeline(id=2, status="running", created_at=old)
    kept = cached_pipeline_rows(PIPELINES)
    first = kept.rows([done, runs], START)
    again = kept.rows([done, runs], START + timedelta(seconds=20))
    assert again[0] is first[0]
    assert again[1] != first[1]
    retried = done.model_copy(update={"status": "failed"})
    assert kept.rows([retried], START)[0].cells[0].text == "✖ failed"
