"""Pipelines that a list may hold, of which no more is made than is asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from platui.emulator.world.endings import ending_of
from platui.emulator.world.views import status_at

if TYPE_CHECKING:
    from platui.emulator.world.plans import Plan, Run
    from platui.emulator.world.sites import Site


class Candidate(Protocol):
    """A pipeline before anybody knows whether it is wanted."""

    @property
    def id(self) -> int:
        """Its number."""
        ...

    @property
    def created(self) -> float:
        """When it is created, in seconds since 1970."""
        ...

    @property
    def source(self) -> str:
        """What starts it."""
        ...

    @property
    def ref(self) -> str:
        """Its branch or tag."""
        ...

    @property
    def run(self) -> Run:
        """All of it that does not change while it runs."""
        ...

    @property
    def plan(self) -> Plan:
        """All that will happen to it."""
        ...

    def status_at(self, now: float) -> str:
        """Return its status."""
        ...


class OwnCandidate:
    """The pipeline of a slot, for as long as the project's schedules stay as they are."""

    __slots__ = ("_ending", "_site", "created", "id", "ref", "slot", "source")

    def __init__(self, site: Site, slot: int) -> None:
        self._site = site
        self.slot = slot
        self.id = site.runs.number(slot)
        self.created = site.diary.created(slot)
        occasion = site.diary.occasion(slot)
        self.source = occasion.source
        self.ref = site.runs.ref(occasion)
        file = site.blueprint.files[occasion.file]
        self._ending = site.foresight.ending(file, occasion.fate, self.created)

    @property
    def run(self) -> Run:
        """All of it that does not change while it runs."""
        return self._site.runs.run(self.slot)

    @property
    def plan(self) -> Plan:
        """All that will happen to it."""
        return self._site.plan_of_slot(self.slot)

    def status_at(self, now: float) -> str:
        """Return its status, without its plan where that is known."""
        if self._site.acted_on(self.id):
            return status_at(self.plan, now)
        if self._ending is None or self._ending.since > now:
            # Of two true words on when it is over, that of its plan is the earlier one.
            self._ending = ending_of(self.plan)
        return self._ending.status if self._ending.since <= now else status_at(self.plan, now)


class PlannedCandidate:
    """A pipeline that has its plan: a child, or one that callers caused."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.run = plan.run
        self.id = plan.run.id
        self.created = plan.run.created
        self.source = plan.run.source
        self.ref = plan.run.ref

    def status_at(self, now: float) -> str:
        """Return its status."""
        return status_at(self.plan, now)
