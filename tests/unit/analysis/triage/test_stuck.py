"""Which jobs wait too long, told from what a platform lists, and which pipelines may have one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.lane import HOUR, NOW

from platui.analysis.triage.lateness import longest_waiting, stuck_check_time, typical_queue_times
from platui.models.values.triage import PipelineRun
from platui.models.values.triage_board import LateKind, TypicalDuration
from platui.models.wire import Job

if TYPE_CHECKING:
    from collections.abc import Iterator

MINUTE = timedelta(minutes=1)
QUICK = TypicalDuration(600.0, 660.0, 20)


def job(number: int, status: str, **fields: Any) -> Job:
    """Return a job of the stage `fit`."""
    known: dict[str, Any] = {
        "id": number,
        "name": f"fit_{number}",
        "stage": "fit",
        "created_at": NOW - HOUR,
    }
    return Job(**(known | fields), status=status)


@pytest.mark.parametrize(
    ("status", "usual", "minutes"),
    [
        ("pending", None, 2), ("created", QUICK, 2), ("waiting_for_resource", None, 2),
        ("running", None, 10), ("running", QUICK, 12.5),
        ("manual", None, None), ("canceling", None, None), ("success", None, None),
    ],
)  # fmt: skip
def test_what_goes_on_for_long_is_worth_a_look(
    status: str, usual: TypicalDuration | None, minutes: float | None
) -> None:
    """Where it has not begun before anything is late; else when it takes longer than usual."""
    at = stuck_check_time(PipelineRun(1, status, created_at=NOW), usual)
    assert at == (None if minutes is None else NOW + minutes * MINUTE)
    assert stuck_check_time(PipelineRun(1, status), usual) is None


def test_the_job_that_waits_longest_is_told_with_what_it_asks_for() -> None:
    """By what the platform says of its queue: what was started by hand is older than that."""
    jobs = [
        job(1, "running", queued_duration=9000.0),
        job(2, "pending", queued_duration=960.0, tag_list=("gpu", "linux")),
        job(3, "pending", queued_duration=900.0),
        job(4, "created"),
    ]
    late = longest_waiting(jobs, NOW, NOW + MINUTE, {})
    assert late is not None
    assert (late.kind, late.what, late.job) == (LateKind.WAITING, "fit_2", 2)
    assert (late.seconds, late.tags) == (1020, ("gpu", "linux"))
    assert longest_waiting(jobs, NOW - MINUTE, NOW - 2 * MINUTE, {}) is None


def test_a_platform_that_tells_of_no_queue_is_believed_by_what_came_before() -> None:
    """A job waits since the stage before it ended."""
    load = job(1, "success", stage="load", finished_at=NOW - 14 * MINUTE)
    assert longest_waiting([job(2, "pending"), load], NOW, NOW, {}) is None
    late = longest_waiting([job(2, "pending"), load], NOW, NOW + 2 * MINUTE, {})
    assert late is not None
    assert late.seconds == 960


def test_times_beyond_a_calendar_do_no_harm() -> None:
    """A platform may send any number."""
    late = longest_waiting([job(2, "pending", queued_duration=1e300)], NOW, NOW, {})
    assert late is not None
    assert late.seconds == 1e300
    newest = PipelineRun(1, "running", created_at=NOW)
    assert stuck_check_time(newest, TypicalDuration(1e300, 1e300, 20)) is None


class Counted(tuple[Job, ...]):
    """Jobs that count how often somebody goes through all of them."""

    __slots__ = ()
    times = 0

    def __iter__(self) -> Iterator[Job]:
        """Count, and yield them."""
        Counted.times += 1
        return super().__iter__()


def test_a_pipeline_of_hundreds_of_jobs_that_wait_is_gone_through_a_few_times() -> None:
    """Not once for each of them: a board is made anew as often as an answer comes."""
    jobs = Counted(job(number, "pending", stage=f"s{number // 20}") for number in range(1, 600))
    late = longest_waiting(jobs, NOW, NOW, {})
    assert late is not None
    assert late.seconds == 3600
    assert Counted.times < 10


def test_what_is_usual_is_each_jobs_own() -> None:
    """As far as enough of them have begun; what mostly waits for seconds is late soon."""
    began = [
        job(number, "success", name="fit", queued_duration=4.0, started_at=NOW)
        for number in range(8)
    ]
    few = [job(9, "success", name="load", queued_duration=4.0, started_at=NOW)]
    waits = [job(10, "pending", name="fit", queued_duration=9999.0)]
    queues = typical_queue_times([*waits, *began, *few])
    assert queues == {"fit": TypicalDuration(4.0, 4.0, 8)}
    jobs = [job(11, "pending", name="fit", queued_duration=200.0)]
    late = longest_waiting(jobs, NOW, NOW, queues)
    assert late is not None
    assert late.typical == queues["fit"]
    assert longest_waiting(jobs, NOW, NOW, {}) is None
