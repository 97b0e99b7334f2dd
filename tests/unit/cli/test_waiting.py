"""Waiting for the end of what was retried."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from platui.cli.targets import Kind, Target
from platui.cli.waiting import EndWaiter
from platui.models.values.feeds import Snapshot, Source
from platui.models.wire import Pipeline

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

AT = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
OLD = Pipeline(id=7, status="failed", finished_at=AT)
RUNNING = Pipeline(id=7, status="running")
AGAIN = Pipeline(id=7, status="failed", finished_at=AT + timedelta(minutes=2))


class Seconds:
    """A clock that is moved by sleeping."""

    def __init__(self) -> None:
        self.passed = 0.0

    def monotonic(self) -> float:
        """Return the seconds slept."""
        return self.passed

    async def sleep(self, seconds: float) -> None:
        """Pass so many seconds."""
        self.passed += seconds


class Answers:
    """A feed that answers each request with the next record, the last one again."""

    def __init__(self, *records: Pipeline) -> None:
        self.left = list(records)
        self.requests = 0

    def refresh(self) -> None:
        """Count a request."""
        self.requests += 1

    async def __aiter__(self) -> AsyncIterator[Snapshot[Pipeline]]:
        """Yield an answer for each request, or a poll."""
        while True:
            record = self.left.pop(0) if len(self.left) > 1 else self.left[0]
            yield Snapshot(record, Source.LIVE, AT)


@pytest.mark.parametrize(
    ("before", "records", "status", "requests"),
    [
        (None, (OLD,), "failed", 1),
        (OLD, (OLD, OLD, RUNNING, AGAIN), "failed", 3),
        (OLD, (OLD, Pipeline(id=7, status="success", finished_at=AT)), "success", 2),
        (OLD, (AGAIN,), "failed", 1),
        (OLD, (OLD,), "failed", 11),
        (RUNNING, (OLD,), "failed", 1),
    ],
)
async def test_the_end_that_a_retry_found_is_not_its_own(
    before: Pipeline | None, records: tuple[Pipeline, ...], status: str, requests: int
) -> None:
    """A script would retry once more; after half a minute, it counts."""
    feed, clock = Answers(*records), Seconds()
    service = SimpleNamespace(watch=lambda _: feed, clock=clock)
    platform: Any = SimpleNamespace(service=service, environ={})
    waiter = EndWaiter(platform, Target(Kind.PIPELINE, "a/b", 7), before)
    assert await waiter._until_ended() == status
    assert feed.requests == requests
