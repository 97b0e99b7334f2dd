"""What follows the effect of a write."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.support.clock import FakeClock

from platui.core.observers import Observable
from platui.models.values.feeds import Snapshot, Source
from platui.models.values.write_states import Outcome
from platui.models.values.writes import RecordAction, WriteAction
from platui.models.wire import Job, Pipeline
from platui.service.writes.effects import WriteEffects

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from platui.models.values.write_effects import Effects


class EndedFeed:
    """A feed of a service that is closed: it has no items."""

    def refresh(self) -> None:
        """Request nothing."""

    async def __aiter__(self) -> AsyncIterator[None]:
        """Yield nothing."""
        nothing: tuple[None, ...] = ()
        for item in nothing:
            yield item


async def test_a_service_that_closes_ends_the_following() -> None:
    """The user leaves right after a write: that is no error."""
    job = Job.model_validate({"id": 3, "name": "dbt_run", "status": "pending"})
    current: Observable[Effects] = Observable({})
    effects = WriteEffects(lambda _: EndedFeed(), FakeClock(), current)
    await effects.follow(RecordAction(WriteAction.RETRY_JOB, 1, 3), Outcome("job", record=job))
    assert all(one.is_lost for one in current.value.values())


class RenewedFeed:
    """A feed with one state of a pipeline more after each refresh; the last one stays."""

    def __init__(self, statuses: Sequence[str]) -> None:
        self.statuses = list(statuses)
        self.refreshes: asyncio.Queue[None] = asyncio.Queue()

    def refresh(self) -> None:
        """Have one state more."""
        self.refreshes.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Snapshot[Pipeline]]:
        """Yield a live state after each refresh."""
        while True:
            await self.refreshes.get()
            status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
            pipeline = Pipeline.model_validate({"id": 5, "status": status})
            yield Snapshot(pipeline, Source.LIVE, None)


async def followed(
    action: WriteAction, statuses: Sequence[str], seconds: float, response: str = ""
) -> set[str]:
    """Follow a write, perhaps without a response; return what is shown after some time."""
    clock, feed = FakeClock(), RenewedFeed(statuses)
    current: Observable[Effects] = Observable({})
    effects = WriteEffects(lambda _: feed, clock, current)
    record = Pipeline.model_validate({"id": 5, "status": response})
    outcome = Outcome("pipeline", record=record) if response else None
    task = asyncio.create_task(effects.follow(RecordAction(action, 1, 5), outcome))
    await clock.advance(seconds)
    shown = {one.record.status for one in current.value.values() if one.record is not None}
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return shown


async def test_a_retry_that_arrives_late_is_followed() -> None:
    """The old failure is no result; after a while it is."""
    late = ["failed", "failed", "running"]
    assert await followed(WriteAction.RETRY_PIPELINE, late, 4.0) == set()
    assert await followed(WriteAction.RETRY_PIPELINE, late, 7.0) == {"running"}
    assert await followed(WriteAction.RETRY_PIPELINE, ["failed"], 40.0) == {"failed"}


async def test_a_retry_is_not_over_because_its_response_is_early() -> None:
    """The platform may answer with the old status, which is a result only if it stays."""
    late = ["failed", "running"]
    assert await followed(WriteAction.RETRY_PIPELINE, late, 1.0, "failed") == set()
    assert await followed(WriteAction.RETRY_PIPELINE, late, 4.0, "failed") == {"running"}
    assert await followed(WriteAction.RETRY_PIPELINE, ["failed"], 40.0, "failed") == {"failed"}
    assert await followed(WriteAction.RETRY_PIPELINE, ["success"], 1.0, "running") == {"success"}


async def test_a_cancel_of_what_has_ended_is_over() -> None:
    """Nothing can arrive later."""
    assert await followed(WriteAction.CANCEL_PIPELINE, ["canceled"], 1.0) == {"canceled"}
