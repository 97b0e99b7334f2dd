"""Logs of running jobs that are held from one search to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tests.support.clock import FakeClock

from platui.service.logs.job_logs import FRESH, MEMORY_SECONDS, MOST_BYTES, RecentLogs

if TYPE_CHECKING:
    from platui.service.logs.job_logs import JobLog


class HeldLog:
    """A log of so many bytes, that knows whether it was let go."""

    def __init__(self, size: int = 1) -> None:
        self.document: Any = type("Document", (), {"size": size})()
        self.closed = False

    def close(self) -> None:
        """Be let go."""
        self.closed = True


def held(size: int = 1) -> tuple[HeldLog, JobLog]:
    """Return a log, once more as what it stands for."""
    log = HeldLog(size)
    return log, cast("JobLog", log)


def test_one_is_had_alone_and_fresh_for_a_while() -> None:
    """Who takes it has it; brought back it is there for the next."""
    clock = FakeClock()
    logs, (_, log) = RecentLogs(clock), held()
    assert logs.take(7) is None
    logs.put_back(7, logs.read_now(log))
    recent = logs.take(7)
    assert recent is not None
    assert (recent.log, recent.fetched_at) == (log, clock.now())
    assert logs.take(7) is None
    clock.jump(FRESH - 1)
    assert logs.is_fresh(recent)
    clock.jump(1)
    assert not logs.is_fresh(recent)
    logs.put_back(7, recent)
    assert logs.take(7) == recent


def test_what_is_old_is_let_go() -> None:
    """When another one is asked for, or comes."""
    clock = FakeClock()
    logs, (old, log) = RecentLogs(clock), held()
    logs.put_back(7, logs.read_now(log))
    clock.jump(MEMORY_SECONDS)
    assert logs.take(8) is None
    assert old.closed
    assert logs.take(7) is None


def test_of_too_much_the_oldest_is_let_go() -> None:
    """Also one that is too much by itself."""
    clock = FakeClock()
    logs = RecentLogs(clock)
    (first, one), (second, two), (third, three) = (held(MOST_BYTES // 2) for _ in range(3))
    for job, log in enumerate((one, two, three)):
        logs.put_back(job, logs.read_now(log))
        clock.jump(1)
    assert (first.closed, second.closed, third.closed) == (True, False, False)
    huge, log = held(MOST_BYTES + 1)
    logs.put_back(9, logs.read_now(log))
    assert huge.closed
