"""Logs: as a runner writes them, growing line by line, telling the cause that was planted."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.company import NOW, company, every_job, moments, planted_cause

if TYPE_CHECKING:
    from platui_emulator.records import Job

STAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z \d\d[OE][ +]")
MARKER = re.compile(rb"section_(start|end):(\d+):([a-z_]+)(\[[a-z=,]+\])?\r\x1b\[0K")

EVIDENCE = {
    "token_expired": rb"401 from source API: token expired",
    "relation_missing": rb'relation "staging\.stg_\w+" does not exist|does not exist or not auth',
    "warehouse_suspended": rb"MONTHLY_QUOTA|usage limit of \d+ RPU",
    "test_failed": rb"Got \d+ results, configured to fail if != 0",
    "key_error": rb"KeyError: '\w+'",
    "connection_error": rb"requests\.exceptions\.ConnectionError: HTTPSConnectionPool",
    "out_of_memory": rb"Killed",
    "sql_syntax": rb'syntax error (line \d+ at position|at or near "over")',
    "runner_failure": rb"ERROR: Job failed \(system failure\)",
    "timeout": rb"ERROR: Job failed: execution took longer than 15m0s seconds",
    "stale_source": rb"ERROR STALE",
}


@lru_cache(maxsize=1)
def sample() -> list[Job]:
    """Return jobs that ran, of all kinds of projects."""
    return [job for _, job in every_job(NOW, 2) if job.started_at]


_MOMENT = timedelta(milliseconds=1)
"""Records say when something was made to the millisecond, rounded."""


def log_of(job: Job, now: object = NOW) -> bytes:
    """Return a log that is there."""
    log = company().pipelines.trace(job.project_id, job.id, now)  # type: ignore[arg-type]
    assert isinstance(log, bytes)
    return log


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_log_only_grows(data: st.DataObject) -> None:
    """What is there at one moment begins what is there later; lines come whole."""
    job = data.draw(st.sampled_from(sample()))
    assert job.started_at
    span = ((job.finished_at or NOW) - job.started_at).total_seconds() + 20
    first, second = sorted(data.draw(st.tuples(*[st.floats(-5, span)] * 2)))
    early = company().pipelines.trace(
        job.project_id,
        job.id,
        at := max(job.created_at + _MOMENT, job.started_at + timedelta(seconds=first)),
    )
    late = log_of(job, max(at, job.started_at + timedelta(seconds=second)))
    assert isinstance(early, bytes)
    assert late.startswith(early)
    assert not early or early.endswith((b"\n", b"\x1b[0;m"))


def test_a_running_log_grows_every_few_seconds() -> None:
    """Followed every three seconds, most looks find something new."""
    running = [job for job in sample() if job.status == "running"]
    assert running
    for job in running[:5]:
        sizes = [len(log_of(job, NOW + timedelta(seconds=3 * step))) for step in range(6)]
        assert len(set(sizes)) >= 3


def test_jobs_that_never_started_have_an_empty_log() -> None:
    """Skipped, manual, waiting: no bytes, and no error."""
    waiting = [job for _, job in every_job(NOW, 3) if job.started_at is None]
    assert {job.status for job in waiting} >= {"skipped", "manual"}
    assert all(log_of(job) == b"" for job in waiting)


def test_the_size_of_a_finished_job_is_that_of_its_log() -> None:
    """The size that a job states is what the log has; a running one states none."""
    for job in sample()[::9]:
        sizes = [one.size for one in job.artifacts if one.file_type == "trace"]
        log = log_of(job) if job.finished_at else b""
        assert sizes == ([len(log)] if log else [])


def test_about_half_of_the_projects_stamp_their_lines() -> None:
    """Every line of a stamped log has its 32 bytes; no line of the others does."""
    stamped = 0
    for project_id, job in {job.project_id: job for job in sample()}.items():
        lines = log_of(job).split(b"\n")[:-1]
        marked = [STAMP.match(line) is not None for line in lines]
        assert all(marked) or not any(marked), project_id
        stamped += all(marked)
        assert all(len(STAMP.match(line).group()) == 32 for line in lines if all(marked))  # type: ignore[union-attr]
    assert 20 <= stamped <= 40


def test_sections_are_balanced_and_in_time() -> None:
    """Finished logs close what they open, and no marker lies outside the job."""
    for job in sample()[::5]:
        if not job.finished_at or job.failure_reason == "runner_system_failure":
            continue
        assert job.started_at
        opened: list[bytes] = []
        for side, when, name, _ in MARKER.findall(log_of(job)):
            assert job.started_at.timestamp() - 1 <= int(when) <= job.finished_at.timestamp() + 1
            if side == b"start":
                opened.append(name)
            else:
                assert opened.pop() == name
        assert opened == []


def test_the_last_line_agrees_with_the_status() -> None:
    """Succeeded, failed and canceled jobs say so."""
    for _, job in every_job(NOW, 3):
        if not job.finished_at or not job.started_at:
            continue
        end = log_of(job)[-300:]
        assert (b"Job succeeded" in end) == (job.status == "success")
        assert (b"ERROR: Job failed" in end) == (job.status in {"failed", "canceled"})


def test_logs_are_as_long_as_real_ones() -> None:
    """From a handful of lines to thousands, most of them some hundred."""
    lengths = sorted(log_of(job).count(b"\n") for job in sample() if job.finished_at)
    assert lengths[0] >= 30
    assert 80 <= lengths[len(lengths) // 2] <= 600
    assert lengths[-1] >= 700


def test_colours_progress_and_commands_are_there() -> None:
    """Logs hold what makes rendering hard: colour, carriage returns, unicode bars."""
    everything = b"".join(log_of(job) for job in sample()[:120])
    for piece in (b"\x1b[32;1m$ dbt run", b"\x1b[31m", "█".encode(), b"MiB\r", b"01E+", b"[0K\n"):
        assert piece in everything


@pytest.mark.parametrize("now", [NOW, *moments(5, seed=12)])
def test_logs_tell_the_planted_cause(now: object) -> None:
    """Whoever reads a failed log finds the cause that it was written for."""
    for _, job in every_job(now, 3):
        if job.status == "failed" and job.started_at:
            cause = planted_cause(company(), job.project_id, job.id, now)  # type: ignore[arg-type]
            assert cause is not None
            assert re.search(EVIDENCE.get(cause, rb"."), log_of(job, now)), (cause, job)
