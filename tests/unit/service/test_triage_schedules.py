"""The schedules of watched projects from one answer to the next."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.support.clock import FakeClock
from tests.support.lane import NOW

from platui.core.errors import ForbiddenError, NotFoundError, OfflineError, OfflineReason
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState, Urgency
from platui.models.values.feeds import Listing
from platui.models.wire import Schedule
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.triage.scheduling import TriageBudget
from platui.service.triage.watched import WatchedSchedules

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError

PROJECT = 7


class Told:
    """A list of schedules, or why there is none."""

    page_size = 100
    fetched_at = NOW

    def __init__(self) -> None:
        self.value = Listing((Schedule(id=1),), complete=True)
        self.error: PlatuiError | None = None

    async def renew(self, urgency: Urgency) -> None:
        """Be asked."""
        del urgency
        if self.error is not None:
            raise self.error


async def test_schedules_that_are_closed_to_the_token_are_told_no_longer() -> None:
    """Deleted or forbidden, also while the platform does not answer later, until it tells again."""
    line = Observable(Connection(ConnectionState.ONLINE))
    conditions = PollConditions(FakeClock(), line, Observable(BudgetState(0, 600)))
    told = Told()
    context: Any = SimpleNamespace(conditions=conditions, reading=lambda _: told)
    schedules = WatchedSchedules(context, TriageBudget(conditions.clock))
    schedules.set_projects([PROJECT])
    for error in (
        ForbiddenError("403 Forbidden", status=403),
        NotFoundError("No such project.", status=404),
    ):
        told.error = None
        await schedules.renew(PROJECT)
        assert [one.project for one in schedules.planned()] == [PROJECT]
        for told.error in (error, OfflineError("No connection.", reason=OfflineReason.TIMEOUT)):
            await schedules.renew(PROJECT)
            assert not schedules.planned()
