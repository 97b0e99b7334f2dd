"""Every planted error of the emulator's logs is found, and what it failed of comes first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support.company import NOW, stormy_company

from platui.analysis.errors.cause import find_cause
from platui.analysis.errors.matcher import ErrorMatcher
from platui.analysis.errors.rule import Rank
from platui.logs import Log
from platui_emulator.world import Company
from platui_emulator.world.long_logs import LongLogs

RULES = ErrorMatcher()


def log_of(data: bytes) -> Log:
    """Return a log that is at its end."""
    log = Log(data, errors=RULES)
    log.finish()
    return log


def test_the_errors_planted_in_a_long_log_are_found_and_no_others() -> None:
    """But the verdict, and what the program logs before its traceback. The last is the cause."""
    world = Company(7, setup=LongLogs(log_bytes=3_000_000, lines_per_second=1))
    world.showcase(NOW)
    (planted,) = world.long_logs()
    raw = world.pipelines.trace(planted.project_id, planted.job_id, NOW)
    assert raw is not None
    assert not isinstance(raw, bytes)
    log = log_of(b"".join(raw.pieces()))
    told = [log.text(mark.message_line) for mark in log.errors if mark.rank != Rank.VERDICT]
    texts = [one.text for one in planted.errors]
    assert len(texts) > 3
    assert [text for text in told if text in texts] == texts
    assert len(told) <= len(texts) + 1
    failure = find_cause(log)
    assert failure.error is not None
    assert log.text(failure.error.message_line) == texts[-1]
    assert [log.sections[at].name for at in failure.sections] == ["step_script"]


def test_every_planted_cause_of_a_storm_is_told_by_the_log_of_its_jobs() -> None:
    """By a line of a rank that says why, not by the verdict; in the script or in what prepares it."""
    world = stormy_company(NOW)
    seen: set[str] = set()
    for cause in world.truth(NOW):
        for project, job in _some_jobs(world, cause.jobs[:4], cause.projects):
            raw = world.pipelines.trace(project, job, NOW)
            assert isinstance(raw, bytes)
            log = log_of(raw)
            failure = find_cause(log)
            assert failure.error is not None
            assert failure.error.rank >= Rank.TOOL, log.text(failure.error.message_line)
            seen.add(cause.key)
    assert len(seen) >= 3


def _some_jobs(
    world: Company, jobs: tuple[int, ...], projects: tuple[int, ...]
) -> list[tuple[int, int]]:
    """Return jobs with their projects."""
    return [
        (project, job)
        for job in jobs
        for project in projects
        if world.pipelines.job(project, job, NOW) is not None
    ]


def test_real_logs_have_errors_where_they_say_so() -> None:
    """Logs that nobody of this project wrote: verdicts are known, calm lines are none."""
    folder = os.environ.get("PLATUI_CORPUS")
    if not folder:
        pytest.skip("PLATUI_CORPUS names no folder with logs")
    for path in sorted((Path(folder) / "logs").glob("*.log")):
        log = log_of(path.read_bytes())
        found = {log.text(mark.first) for mark in log.errors}
        for y in range(log.line_count):
            text = log.text(y)
            if "ERROR: Job failed" in text or " level=error " in text:
                assert text in found
            if text.startswith(("--- PASS", "$ ")) or " level=warning " in text:
                assert text not in found
