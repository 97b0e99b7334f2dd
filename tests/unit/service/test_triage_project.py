"""One watched project from one answer to the next, and over a restart."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.support.clock import FakeClock
from tests.support.lane import NOW, newest_first, pipeline

from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Line, LineState, Urgency
from platui.models.values.pages import Listing
from platui.service.surroundings import Surroundings
from platui.service.triage_project import NEWS, WatchedProject

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from platui.models import Pipeline
    from platui.models.values.triage_memory import PastIncident

GREENS = newest_first("rggggggg")[1:]


class Told:
    """A list of pipelines that is what somebody says it is."""

    fetched_at: datetime | None = None

    def __init__(self) -> None:
        self.value: Listing[Pipeline] | None = None

    async def renew(self, urgency: Urgency) -> None:
        """Be asked."""


class Nobody:
    """Knows no cause."""

    def known(self, red: object) -> None:
        """Return none."""


class Watching:
    """A project that is looked at, with what is remembered of it."""

    def __init__(self, clock: FakeClock, remembered: Iterable[PastIncident] = ()) -> None:
        line = Observable(Line(LineState.ONLINE))
        around = Surroundings(clock, line, Observable(BudgetState(0, 600)))
        self._clock, self._list = clock, Told()
        subject: Any = self._list
        self.project = WatchedProject(7, subject, around, remembered)

    async def tell(self, *newest: Pipeline) -> list[PastIncident]:
        """Let the platform tell of pipelines above green ones; return what is to be remembered."""
        self._list.value = Listing((*newest, *GREENS), complete=True)
        await self.project.renew("main", Urgency.VISIBLE)
        nobody: Any = Nobody()
        return list(self.project.past({}, nobody, self._clock.now()))

    @property
    def recovered(self) -> list[tuple[int, datetime | None]]:
        """Return the first red pipelines of what is over, and when it was green."""
        look = self.project.look
        told = [one.recovery for one in look.states if one.recovery] if look else []
        return [(one.first_red.id, one.green.at) for one in told]


async def test_what_a_retry_has_mended_stays_on_the_board_for_the_day() -> None:
    """Also when the list was told anew, and after a restart, until it is not news any more."""
    clock = FakeClock(NOW)
    watching, at = Watching(clock), NOW + timedelta(hours=1)
    await watching.tell(pipeline(1000, "r"))
    await watching.tell(pipeline(1000, "*"))
    assert watching.recovered == []
    past = await watching.tell(mended := pipeline(1000, "g", updated_at=at))
    assert [(one.key, one.recovered_at) for one in past] == [((7, 1000), at)]
    assert watching.recovered == [(1000, at)]
    await watching.tell(pipeline(1001, "g"), mended)
    assert watching.recovered == [(1000, at)]
    again = Watching(clock, past)
    await again.tell(mended)
    assert again.recovered == [(1000, at)]
    clock.jump((NEWS + timedelta(hours=2)).total_seconds())
    await again.tell(pipeline(1001, "g"), mended)
    assert again.recovered == []


async def test_a_pipeline_that_was_over_and_goes_on_is_not_timed_from_its_creation() -> None:
    """It was green, and somebody plays a job of it; what is new is timed."""
    watching = Watching(FakeClock(NOW))
    await watching.tell(pipeline(1000, "g"))
    await watching.tell(pipeline(1000, "*"))
    assert watching.project.look is not None
    assert [one.usual for one in watching.project.look.states] == [None]
    await watching.tell(pipeline(1001, "*"), pipeline(1000, "g"))
    assert [one.usual is None for one in watching.project.look.states] == [False]
