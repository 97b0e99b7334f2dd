"""What a search through a pipeline's logs knows, without a log being read."""

from __future__ import annotations

from tests.support.clock import START

from platui.core.errors import ConfigError
from platui.models.values.search import JobHits, ReadState
from platui.models.wire import Job
from platui.service.logs.pipeline_findings import PipelineFindings

JOBS = (
    Job(id=1, name="build", stage="build", status="success", started_at=START),
    Job(id=2, name="load", stage="load", status="failed", started_at=START),
    Job(id=3, name="report", stage="report", status="running", started_at=START),
    Job(id=4, name="deploy", stage="report", status="manual"),
    Job(id=5, name="load", stage="load", status="failed", started_at=START),
)


def findings() -> tuple[PipelineFindings, list[int]]:
    """Return what knows these jobs, and a list that grows with each change."""
    changes: list[int] = []
    found = PipelineFindings(lambda: changes.append(1))
    found.take_jobs(JOBS, START)
    return found, changes


def test_failed_jobs_come_first_and_only_logs_there_are() -> None:
    """Then running ones, then by stage; of a retried job the newest attempt alone."""
    found, changes = findings()
    assert found.unread == [5, 3, 1]
    state = found.so_far(is_short=False)
    assert (state.listed, state.earlier, state.fetched_at) == (True, 1, START)
    assert len(changes) == found.version == 1


def test_who_looks_again_keeps_what_is_of_ended_jobs() -> None:
    """What ran, and what could not be had, is unread again; what was found is seen till then."""
    found, _ = findings()
    found.put(1, JobHits(JOBS[0], ReadState.DONE, total=2))
    found.put(3, JobHits(JOBS[2], ReadState.DONE, total=4))
    found.put(5, JobHits(JOBS[4], ReadState.MISSING, error=ConfigError("gone")))
    found.stop()
    assert (found.unread, found.stopped) == ([], True)
    found.reset_counts()
    assert (found.unread, found.stopped, found.listed) == ([5, 3], False, False)
    assert found.so_far(is_short=False).total == 6


def test_it_waits_while_a_log_is_asked_for_and_the_quota_is_short() -> None:
    """Neither alone is a wait."""
    found, _ = findings()
    assert not found.so_far(is_short=True).waits
    found.read(5)
    assert found.so_far(is_short=True).waits
    assert not found.so_far(is_short=False).waits
