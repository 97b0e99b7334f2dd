"""What follows the effect of a write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.clock import FakeClock

from platui.core.observers import Observable
from platui.models.values.write_states import Outcome
from platui.models.values.writes import RecordAction, WriteAction
from platui.models.wire import Job
from platui.service.writes.effects import WriteEffects

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

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
