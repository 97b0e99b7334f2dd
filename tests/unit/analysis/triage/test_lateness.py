"""What is behind its time: by what is usual, never by a few runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.lane import HOUR, NOW, newest_first, pipeline

from platui.analysis.triage.incidents import Listed, ran, states_of, typical_in_lane
from platui.analysis.triage.lateness import (
    FEWEST,
    LONGEST_SILENCE,
    LONGEST_WAIT,
    MOST,
    missed_run,
    slow_pipeline,
    stuck_silent,
    stuck_waiting,
    typical_pipeline_duration,
    usual,
    waiting_since,
)
from platui.models.values.triage_board import LateKind, TypicalDuration
from platui.models.wire import Job, Schedule

if TYPE_CHECKING:
    from datetime import datetime

MINUTE = timedelta(minutes=1)


def job(**fields: Any) -> Job:
    """Return a job."""
    known: dict[str, Any] = {"id": 1, "name": "load", "stage": "load"}
    return Job(**(known | fields))


def test_of_too_few_lengths_nothing_is_usual() -> None:
    """And of very many the newest count."""
    assert usual([1.0] * (FEWEST - 1)) is None
    assert usual([60.0] * FEWEST) == TypicalDuration(60, 60, FEWEST)
    assert usual([60.0] * MOST + [9999.0] * 500) == TypicalDuration(60, 60, MOST)
    assert usual(range(1, 21)) == TypicalDuration(10.5, 19, 20)


def test_a_run_takes_as_long_as_others_of_its_lane() -> None:
    """A nightly run is no push; of a merge request, which has no lane, its ref counts."""
    hours = {"push": 1, "schedule": 5, "merge_request_event": 3}
    ran_before = [
        pipeline(
            number,
            "g",
            source=source,
            created_at=NOW - number * HOUR,
            updated_at=NOW - HOUR * (number - lasts),
            ref="refs/merge-requests/1/head" if "merge" in source else "main",
        )
        for source, lasts in hours.items()
        for number in range(lasts * 100, lasts * 100 + FEWEST)
    ]
    for source, lasts in hours.items():
        like = next(one for one in ran_before if one.source == source)
        running = like.model_copy(update={"id": 9000, "status": "running", "created_at": NOW})
        typical = typical_in_lane(7, running, ran_before)
        assert typical is not None
        assert typical.median == lasts * 3600


@given(st.lists(st.floats(0, 1e6), min_size=FEWEST, max_size=80))
def test_at_most_one_in_twenty_is_beyond_what_is_usual(lengths: list[float]) -> None:
    """Whatever the lengths are."""
    known = usual(lengths)
    assert known is not None
    counted = lengths[:MOST]
    assert sum(length > known.p95 for length in counted) <= len(counted) * 0.05
    assert min(counted) <= known.median <= known.p95 <= max(counted)


def test_only_green_pipelines_tell_what_is_usual() -> None:
    """What failed ended early."""
    runs = [*newest_first("grgcg*gg"), pipeline(1, "g", created_at=None)]
    assert typical_pipeline_duration(runs) == TypicalDuration(540, 540, 5)
    assert typical_pipeline_duration(newest_first("rrrrrrrr")) is None


@pytest.mark.parametrize(
    ("minutes", "is_late"), [(9, False), (11, False), (12.5, True), (48, True)]
)
def test_a_pipeline_is_late_that_runs_longer_than_usual(minutes: float, *, is_late: bool) -> None:
    """By a margin: nobody is called for a minute more."""
    runs = [pipeline(1000, "*", created_at=NOW - minutes * MINUTE), *newest_first("ggggggg")[1:]]
    (state,) = states_of(Listed(7, runs), NOW)
    late = slow_pipeline(state.newest, state.typical, NOW)
    assert (late is not None) is is_late
    if late is not None:
        assert (late.kind, late.seconds) == (LateKind.SLOW, minutes * 60)
        assert late.typical == TypicalDuration(540, 540, 6)


def test_nothing_is_late_that_ended_or_of_which_nothing_is_known() -> None:
    """A first run may take as long as it likes."""
    known = TypicalDuration(10, 12, 9)
    running = ran(pipeline(1, "*", created_at=NOW - 5 * HOUR))
    assert slow_pipeline(running, None, NOW) is None
    assert slow_pipeline(ran(pipeline(1, "g", created_at=NOW - 5 * HOUR)), known, NOW) is None
    assert slow_pipeline(running, known, NOW) is not None


def test_a_job_waits_since_what_came_before_it_ended() -> None:
    """It was created with its pipeline, hours ago."""
    pending = job(id=9, stage="test", status="pending", created_at=NOW - 3 * HOUR)
    before = job(id=1, stage="load", finished_at=NOW - HOUR)
    beside = job(id=8, stage="test", finished_at=NOW)
    assert waiting_since([before, beside, pending]) == {9: NOW - HOUR}
    assert waiting_since([pending]) == {9: NOW - 3 * HOUR}
    assert waiting_since([job(status="pending")]) == {}


MINUTES = st.none() | st.integers(0, 300).map(lambda ago: NOW - ago * MINUTE)


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(("pending", "success")), MINUTES, MINUTES)
    )
)
def test_of_many_jobs_each_waits_since_the_last_stage_before_it_ended(
    rows: list[tuple[str, str, datetime | None, datetime | None]],
) -> None:
    """As it reads, one job after the other."""
    jobs = [
        job(id=number, stage=stage, status=status, created_at=began, finished_at=ended)
        for number, (stage, status, began, ended) in enumerate(rows, 1)
    ]
    stages = list(dict.fromkeys(one.stage for one in jobs))
    expected = {}
    for one in jobs:
        earlier = stages[: stages.index(one.stage)]
        ends = [other.finished_at for other in jobs if other.stage in earlier]
        known = [at for at in (one.created_at, *ends) if at is not None]
        if one.status == "pending" and known:
            expected[one.id] = max(known)
    assert waiting_since(jobs) == expected


@pytest.mark.parametrize(
    ("seconds", "known", "is_stuck"),
    [
        (LONGEST_WAIT, None, False), (LONGEST_WAIT + 1, None, True),
        (150, TypicalDuration(2, 4, 30), False), (200, TypicalDuration(2, 4, 30), True),
        (1500, TypicalDuration(900, 1600, 30), False), (1700, TypicalDuration(900, 1600, 30), True),
    ],
)  # fmt: skip
def test_what_waits_longer_than_usual_is_stuck(
    seconds: float, known: TypicalDuration | None, *, is_stuck: bool
) -> None:
    """Three minutes are nothing, however quick it mostly is."""
    late = stuck_waiting(job(), seconds, known)
    assert (late is not None) is is_stuck
    if late is not None:
        assert (late.kind, late.what, late.seconds) == (LateKind.WAITING, "load", seconds)


def test_a_log_that_rests_for_long_is_told() -> None:
    """Not before the longest silence is over."""
    assert stuck_silent(job(), LONGEST_SILENCE) is None
    late = stuck_silent(job(), LONGEST_SILENCE + 1)
    assert late is not None
    assert late.kind is LateKind.SILENT


def test_a_schedule_that_was_due_did_not_fire() -> None:
    """As the platform announced it."""
    nightly = Schedule(id=1, description="Nightly", next_run_at=NOW - HOUR)
    late = missed_run(nightly, NOW, NOW)
    assert late is not None
    assert (late.kind, late.what, late.seconds) == (LateKind.MISSED, "Nightly", 3600)
    assert late.due_at == NOW - HOUR
    assert missed_run(nightly.model_copy(update={"active": False}), NOW, NOW) is None
