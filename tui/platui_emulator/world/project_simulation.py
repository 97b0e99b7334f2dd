"""A project with everything that makes it tick."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, TypeAlias

from platui_emulator.world import causes
from platui_emulator.world.endings import EndingForecast, Records, ending_of
from platui_emulator.world.history import History
from platui_emulator.world.pipeline_starts import PipelineStarts, Rhythm
from platui_emulator.world.planner import Planner
from platui_emulator.world.replay import ReplayContext, replayed
from platui_emulator.world.runs import CHILD_WITHIN, Runs
from platui_emulator.world.views import status_at

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.records import Person
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.causes import Cause, Incidents
    from platui_emulator.world.clock import CompanyClock, SeededRandom
    from platui_emulator.world.journal import Intervention, Interventions
    from platui_emulator.world.plans import Attempt, Plan, Run
    from platui_emulator.world.timetable import CompanySchedule, ProjectSchedules


class OwnCandidate:
    """The pipeline of a slot, for as long as the project's schedules stay as they are."""

    __slots__ = ("_ending", "_site", "created", "id", "ref", "slot", "source")

    def __init__(self, site: ProjectSimulation, slot: int) -> None:
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
        return self._site.plan_of_slot(self.slot)

    def status_at(self, now: float) -> str:
        """Return its status, without its plan where that is known."""
        if self._site.has_interventions(self.id):
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
        return status_at(self.plan, now)


Candidate: TypeAlias = OwnCandidate | PlannedCandidate


_AGAIN: Final = {
    causes.CONNECTION_ERROR: 0.15,
    causes.RUNNER_FAILURE: 0.1,
    causes.OUT_OF_MEMORY: 0.5,
    causes.TIMEOUT: 0.4,
    causes.TEST_FAILED: 0.6,
    causes.TOKEN_EXPIRED: 0.5,
    causes.WAREHOUSE_SUSPENDED: 0.4,
    causes.STALE_SOURCE: 0.5,
    causes.SOFT_FAILURE: 0.4,
    causes.NO_RUNNER: 1.0,
}
"""How likely the same cause strikes again, when no incident is the reason."""


def cause_again(
    cause: Cause, dice: Random, *, asked_for: bool, lasts: Callable[[Cause], bool]
) -> Cause | None:
    """Return why a retry fails: what a commit broke stays broken, incidents last."""
    share = _AGAIN.get(cause, 1.0)
    struck = dice.random() < share
    return cause if asked_for or cause.by_commit or lasts(cause) or struck else None


_PLANS: Final = 48
"""Cached plans of a project: one page and the running ones; records cover the rest."""

_REPLAYS: Final = 64

_CANDIDATES: Final = 640
"""Pipelines of which a project keeps the little that filters ask: all that one looks at."""


class ProjectSimulation:
    """One project: its diary, its commits, its pipelines."""

    def __init__(
        self,
        chance: SeededRandom,
        clockwork: CompanyClock,
        blueprint: Blueprint,
        roster: ProjectSchedules,
        incidents: Incidents,
        staff: Mapping[str, Sequence[Person]],
        interventions: Interventions,
    ) -> None:
        self.blueprint = blueprint
        self.roster = roster
        self.rhythm = Rhythm(chance, clockwork, blueprint, roster)
        self.diary = PipelineStarts(chance, blueprint, self.rhythm, incidents)
        self.history = History(chance, clockwork, blueprint, self.diary, staff["humans"])
        self.runs = Runs(chance, clockwork, blueprint, self.diary, self.history, staff)
        self._planner = Planner(chance, self.runs.child_run)
        self._chance = chance
        self._clockwork = clockwork
        self._interventions = interventions
        self._first_plan = lru_cache(maxsize=_PLANS)(self._plan_first)
        self._candidate = lru_cache(maxsize=_CANDIDATES)(partial(OwnCandidate, self))
        self.foresight = EndingForecast(blueprint.files.values())
        self.records = Records()
        self._replayed = lru_cache(maxsize=_REPLAYS)(self._replay)
        self._surroundings = ReplayContext(self._dice, self._child, self.plan, self._cause_again)

    def plan(self, run: Run, until: float | None = None) -> Plan:
        """Return the plan of a pipeline, with all that was done to it, or only until a time."""
        acts = self._interventions.of(run.id, until)
        return self._replayed(run, acts) if acts else self._first_plan(run, run.created)

    def has_interventions(self, pipeline: int) -> bool:
        """Return whether a pipeline has interventions."""
        return bool(self._interventions.of(pipeline))

    def _plan_first(self, run: Run, created: float) -> Plan:
        # A child that is yet to come may be put off, and is another pipeline then.
        del created
        return self._planner.plan(run)

    def minute(self, now: float) -> int:
        return self._clockwork.minute(now)

    def attempt(self, run: Run, acts: tuple[Intervention, ...]) -> Plan:
        """Return the plan after these interventions. Raises NoRoomError: too many jobs."""
        return self._replayed(run, acts)

    def _replay(self, run: Run, acts: tuple[Intervention, ...]) -> Plan:
        *earlier, last = acts
        before = (
            self._replayed(run, tuple(earlier)) if earlier else self._first_plan(run, run.created)
        )
        return replayed(before, last, self._surroundings)

    def _dice(self, run: Run, act: Intervention) -> Random:
        return self._chance.dice("act", run.id, round(act.at * 1000), act.kind.name, act.job)

    def _child(self, parent: Run, path: str, when: float) -> Run:
        return self.runs.child_run(parent, self.blueprint.files[path], when)

    def _cause_again(
        self, run: Run, old: Attempt, tries: int, at: float, dice: Random
    ) -> Cause | None:
        asked_for = run.fate.victim == old.spec.name
        if old.cause is None or (asked_for and 0 < run.fate.times <= tries):
            return None
        minute = self._clockwork.minute(at)

        def lasts(cause: Cause) -> bool:
            incident = self.diary.incident(self.diary.slot_at(minute), minute)
            return incident is not None and incident.cause is cause

        return cause_again(old.cause, dice, asked_for=asked_for, lasts=lasts)

    def retire(self, standing: CompanySchedule, minute: int) -> None:
        """Deactivate an own schedule from a future minute on."""
        self.roster.retire(standing, minute)
        self.diary.forget()
        self.history.main_before.cache_clear()
        self.runs.run.cache_clear()
        self._candidate.cache_clear()
        self.records.clear()

    def take_apart(self) -> None:
        """Break the reference cycles of caches, which the collector would find late."""
        for part in (self.runs, self.history, self.diary, self.rhythm, self):
            vars(part).clear()

    def plan_of_slot(self, slot: int) -> Plan:
        return self.plan(self.runs.run(slot))

    def plan_by_id(self, pipeline: int, now: float) -> Plan | None:
        """Return the plan of a pipeline that exists, children included."""
        place = self._clockwork.numbering.place_of(pipeline)
        if place.project_lane != self.blueprint.lane or place.added:
            return None
        # Callers may ask for any number: only one of the past is looked into.
        if not 0 <= place.minute <= self._clockwork.minute(now):
            return None
        if place.child:
            return self._child_by_id(pipeline, now)
        slot = self.runs.slot_of(pipeline)
        if slot is None or not self.diary.oldest(now) <= slot <= self.diary.newest(now):
            return None
        return self.plan_of_slot(slot)

    def own(self, now: float, slots: int) -> Iterator[OwnCandidate]:
        """Yield the pipelines of so many slots, the newest first, children left out."""
        newest, oldest = self.diary.newest(now), self.diary.oldest(now)
        for slot in range(newest, max(oldest, newest - slots + 1) - 1, -1):
            yield self._candidate(slot)

    def newest_first(self, now: float, slots: int) -> Iterator[Plan]:
        """Yield the plans of pipelines and their children by number, from so many slots."""
        newest, oldest = self.diary.newest(now), self.diary.oldest(now)
        numbering = self._clockwork.numbering
        waiting: list[tuple[int, Run]] = []
        for slot in range(newest, max(oldest, newest - slots + 1) - 1, -1):
            plan = self.plan_of_slot(slot)
            for run in (plan.run, *plan.children):
                # Children of what callers retried have numbers of another kind.
                if run.created <= now and not numbering.place_of(run.id).added:
                    heapq.heappush(waiting, (-run.id, run))
            # What earlier slots hold, children included, has numbers below this.
            minute = slot * self.blueprint.period + CHILD_WITHIN
            last = numbering.pipeline_id(minute, numbering.lanes - 1)
            while waiting and -waiting[0][0] > last:
                yield self.plan(heapq.heappop(waiting)[1])
        while waiting:
            yield self.plan(heapq.heappop(waiting)[1])

    def _child_by_id(self, pipeline: int, now: float) -> Plan | None:
        for slot in self.runs.slots_of_child(pipeline):
            if self.diary.oldest(now) <= slot <= self.diary.newest(now):
                for child in self.plan_of_slot(slot).children:
                    if child.id == pipeline and child.created <= now:
                        return self.plan(child)
        return None
